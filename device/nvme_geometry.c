/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The geometry of a namespace, from Identify (NVM Express Base and NVM Command Set specifications,
 * 2.0: figures 275, 97, 100, 118) and from the limits of its queue in /sys.
 */
#include "device/nvme_geometry.h"
#include "device/nvme_geometry_internal.h"

#include <endian.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define CONTROLLER_PAGE_BYTES 4096 /* the smallest: what MDTS counts in */
#define BLOCKS_FIELD_MAX      65536
#define RANGES_FIELD_MAX      256
#define ELBAS_BIT	      (1u << 15) /* CTRATT: extended LBA formats */
#define FDP_BIT		      (1u << 19) /* CTRATT: flexible data placement */
#define DIRECTIVES_BIT	      (1u << 5)	 /* OACS */

static unsigned format_index(const struct nvme_id_ns *ns)
{
	return ns->nlbaf < 16 ? ns->flbas & 0xfu
			      : (ns->flbas & 0xfu) | ((ns->flbas >> 5 & 0x3u) << 4);
}

static void take_protection(struct nvme_geometry *g, const struct nvme_id_ns *ns, uint32_t elbaf)
{
	g->pi_type = g->metadata_bytes ? ns->dps & 0x7u : 0;
	if (!g->pi_type)
		return;
	g->pi_is_first = ns->dps & 0x8;
	g->guard = (enum nvme_guard)(elbaf >> 7 & 0x3);
	g->storage_tag_bits = elbaf & 0x7f;
	g->pi_bytes = g->guard == NVME_GUARD_16 ? 8 : 16;
}

/* A power of two of controller pages; 0: no limit. */
static uint32_t page_limit(uint8_t power)
{
	return power && power < 20 ? (uint32_t)CONTROLLER_PAGE_BYTES << power : 0;
}

/* The same in blocks of a field that counts to 65,536. */
static uint32_t block_limit(const struct nvme_geometry *g, uint8_t power)
{
	uint32_t bytes = page_limit(power);

	if (!bytes || bytes >> g->block_shift > BLOCKS_FIELD_MAX)
		return BLOCKS_FIELD_MAX;
	return bytes >> g->block_shift;
}

static void take_limits(struct nvme_geometry *g, const struct nvme_id_ctrl *ctrl,
			const struct nvme_id_ctrl_nvm *nvm)
{
	uint32_t field_bytes = (uint32_t)BLOCKS_FIELD_MAX << g->block_shift;

	g->most_bytes = page_limit(ctrl->mdts);
	if (!g->most_bytes || (field_bytes && g->most_bytes > field_bytes))
		g->most_bytes = field_bytes;
	g->most_zeroes_blocks = block_limit(g, nvm->wzsl);
	g->most_verify_blocks = block_limit(g, nvm->vsl);
	g->most_uncorrectable_blocks = block_limit(g, nvm->wusl);
	g->most_ranges = nvm->dmrl ? nvm->dmrl : RANGES_FIELD_MAX;
	g->most_trim_blocks = le32toh(nvm->dmrsl) ? le32toh(nvm->dmrsl) : UINT32_MAX;
	g->has_streams = le16toh(ctrl->oacs) & DIRECTIVES_BIT;
	g->has_fdp = le32toh(ctrl->ctratt) & FDP_BIT;
}

int nvme_geometry_make(uint32_t nsid, const struct nvme_id_ctrl *ctrl, const struct nvme_id_ns *ns,
		       const struct nvme_id_ctrl_nvm *nvm, const struct nvme_nvm_id_ns *nvm_ns,
		       struct nvme_geometry *g, struct error *err)
{
	unsigned format = format_index(ns);

	memset(g, 0, sizeof(*g));
	g->nsid = nsid;
	g->blocks = le64toh(ns->nsze);
	g->block_shift = ns->lbaf[format].ds;
	if (!g->blocks || g->block_shift < 9 || g->block_shift > 20)
		return error_set(err,
				 "namespace %u has %llu blocks of 2^%u bytes: it is not "
				 "attached, or no namespace of blocks",
				 nsid, (unsigned long long)g->blocks, g->block_shift);
	g->block_bytes = 1u << g->block_shift;
	g->metadata_bytes = le16toh(ns->lbaf[format].ms);
	g->is_extended = g->metadata_bytes && (ns->flbas & 0x10);
	take_protection(g, ns, le32toh(nvm_ns->elbaf[format]));
	take_limits(g, ctrl, nvm);
	return 0;
}

static uint32_t queue_limit(const char *block, const char *file)
{
	char path[PATH_MAX];
	unsigned value = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/sys/class/block/%s/queue/%s", block, file);
	in = fopen(path, "re");
	if (!in)
		return 0;
	if (fscanf(in, "%u", &value) != 1)
		value = 0;
	fclose(in);
	return value;
}

static void add_kernel_limits(const char *block, struct nvme_geometry *g)
{
	uint32_t kernel_bytes = queue_limit(block, "max_hw_sectors_kb") * 1024;

	if (kernel_bytes && (!g->most_bytes || kernel_bytes < g->most_bytes))
		g->most_bytes = kernel_bytes;
	g->most_segments = queue_limit(block, "max_segments");
	g->has_poll = queue_limit(block, "io_poll");
}

/* Of the namespace that was opened, without the kernel's limits. */
static int ask_namespace(const struct nvme_admin *admin, struct nvme_geometry *g, struct error *err)
{
	struct nvme_nvm_id_ns nvm_ns = {0};
	struct nvme_id_ctrl_nvm nvm = {0};
	struct nvme_id_ctrl ctrl;
	struct nvme_id_ns ns;
	const struct nvme_identify_request limits = {.cns = NVME_IDENTIFY_CNS_CSI_CTRL};
	uint8_t data[NVME_IDENTIFY_BYTES];
	int failed = admin_identify_controller(admin, &ctrl, err);

	if (!failed)
		failed = admin_identify_namespace(admin, admin->nsid, &ns, err);
	if (failed)
		return failed;
	/* Drives before NVMe 1.4 and 2.0 know neither: then nothing of it applies. */
	if (!admin->ops->identify(admin->context, &limits, data))
		memcpy(&nvm, data, sizeof(nvm));
	if ((le32toh(ctrl.ctratt) & ELBAS_BIT) &&
	    admin_identify_nvm(admin, admin->nsid, &nvm_ns, err))
		memset(&nvm_ns, 0, sizeof(nvm_ns));
	return nvme_geometry_make(admin->nsid, &ctrl, &ns, &nvm, &nvm_ns, g, err);
}

int nvme_geometry_read(const char *path, const char *block, struct nvme_geometry *geometry,
		       struct error *err)
{
	struct nvme_admin admin = {0};
	int failed = admin_open(path, &admin, err);

	if (failed)
		return failed;
	failed = ask_namespace(&admin, geometry, err);
	admin_close(&admin);
	if (!failed)
		add_kernel_limits(block, geometry);
	return failed;
}
