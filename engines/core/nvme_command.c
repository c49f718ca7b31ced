/* SPDX-License-Identifier: GPL-2.0-only */
/* NVMe commands (NVM Command Set specification 1.0c, 3.2; layout: linux/nvme_ioctl.h). */
#include "engines/core/nvme_command.h"

#include <assert.h>
#include <string.h>

#define DSM_DEALLOCATE (1u << 2)

static const uint8_t opcodes[NVME_KINDS] = {
	[NVME_FLUSH] = 0x00,	     [NVME_WRITE] = 0x01,   [NVME_READ] = 0x02,
	[NVME_UNCORRECTABLE] = 0x04, [NVME_COMPARE] = 0x05, [NVME_ZEROES] = 0x08,
	[NVME_TRIM] = 0x09,	     [NVME_VERIFY] = 0x0c,
};

const char *nvme_kind_word(enum nvme_kind kind)
{
	static const char *const words[NVME_KINDS] = {
		[NVME_FLUSH] = "flush",	    [NVME_WRITE] = "write",
		[NVME_READ] = "read",	    [NVME_UNCORRECTABLE] = "write uncorrectable",
		[NVME_COMPARE] = "compare", [NVME_ZEROES] = "write zeroes",
		[NVME_TRIM] = "trim",	    [NVME_VERIFY] = "verify",
	};

	return words[kind];
}

/* The one place where the lengths of a command are held against its blocks. */
static void check_lengths(const struct nvme_wire *wire, const struct nvme_request *r)
{
	uint64_t data_bytes = 0, metadata_bytes = 0;

	if (nvme_moves_blocks(r->kind)) {
		data_bytes = (uint64_t)r->blocks * wire->block_bytes;
		metadata_bytes = (uint64_t)r->blocks * wire->metadata_bytes;
	} else if (r->kind == NVME_TRIM) {
		data_bytes = (uint64_t)r->blocks * sizeof(struct nvme_range);
		assert(r->blocks <= 256);
	}
	assert(r->data_bytes == data_bytes);
	assert(r->metadata_bytes == metadata_bytes);
	assert(r->kind == NVME_FLUSH ? !r->blocks : r->blocks && r->blocks <= 65536);
}

void nvme_fill(const struct nvme_wire *wire, const struct nvme_request *r,
	       struct nvme_uring_cmd *command)
{
	check_lengths(wire, r);
	*command = (struct nvme_uring_cmd){
		.opcode = opcodes[r->kind],
		.nsid = wire->nsid,
		.addr = (uint64_t)(uintptr_t)r->data,
		.data_len = r->data_bytes,
		.metadata = (uint64_t)(uintptr_t)r->metadata,
		.metadata_len = r->metadata_bytes,
	};
	if (r->kind == NVME_FLUSH)
		return;
	if (r->kind == NVME_TRIM) {
		command->cdw10 = r->blocks - 1;
		command->cdw11 = DSM_DEALLOCATE;
		return;
	}
	command->cdw3 = (uint32_t)(r->ref_tag >> 32);
	command->cdw10 = (uint32_t)r->first;
	command->cdw11 = (uint32_t)(r->first >> 32);
	command->cdw12 = (r->blocks - 1) | r->control;
	command->cdw13 = (uint32_t)r->directive << 16;
	command->cdw14 = (uint32_t)r->ref_tag;
	command->cdw15 = (uint32_t)r->app_mask << 16 | r->app_tag;
}
