/* SPDX-License-Identifier: GPL-2.0-only */
/* What identify controller and identify namespace tell: names, capacity, limits. */
#include <endian.h>
#include <math.h>
#include <stdio.h>

#include "device/device_internal.h"
#include "device/nvme_values.h"

#define PAGE_BYTES 4096.0 /* CAP.MPSMIN of every drive seen; the register is not told */

/* "1.4", "1.3.1"; before 1.2 the field is 0. */
static void version_fact(const struct nvme_id_ctrl *controller, json_t *facts)
{
	uint32_t version = le32toh(controller->ver);
	char text[32];

	snprintf(text, sizeof(text), "%u.%u", version >> 16, version >> 8 & 0xff);
	if (version & 0xff)
		text_append(text, sizeof(text), ".%u", version & 0xff);
	fact_text(facts, "version", version ? text : "", "not reported: before NVMe 1.2");
}

static void hex_fact(json_t *facts, const char *key, const uint8_t *bytes, size_t count)
{
	char text[64] = "";
	bool any = false;
	size_t i;

	for (i = 0; i < count; i++) {
		text_append(text, sizeof(text), "%02x", bytes[i]);
		any |= bytes[i] != 0;
	}
	fact_text(facts, key, any ? text : "", "not reported");
}

static void capacity_facts(const struct nvme_id_ctrl *controller, json_t *facts)
{
	double total = nvme_counter(controller->tnvmcap);

	fact_number(facts, "drive_bytes", total > 0 ? total : NAN, "not reported");
	fact_number(facts, "unallocated_bytes", total > 0 ? nvme_counter(controller->unvmcap) : NAN,
		    "not reported");
}

static void transfer_fact(const struct nvme_id_ctrl *controller, json_t *facts)
{
	double bytes = controller->mdts ? ldexp(PAGE_BYTES, controller->mdts) : NAN;

	fact_number(facts, "largest_transfer_bytes", bytes, "no limit");
}

static void namespaces_fact(const struct nvme_asked *asked, json_t *facts)
{
	struct nvme_ns_list list;
	int status = admin_active_namespaces(asked->admin, &list, NULL);
	json_t *namespaces = json_array();
	size_t i;

	for (i = 0; !status && i < COUNT(list.ns) && list.ns[i]; i++)
		json_array_append_new(namespaces, json_integer(le32toh(list.ns[i])));
	if (status) {
		json_decref(namespaces);
		fact_refused(facts, "namespaces", status);
	} else {
		json_object_set_new(facts, "namespaces", namespaces);
	}
}

void nvme_identity_facts(const struct nvme_asked *asked, json_t *facts)
{
	const struct nvme_id_ctrl *controller = &asked->controller;
	char text[NVME_NQN_LENGTH + 1];

	nvme_text(controller->mn, sizeof(controller->mn), text, sizeof(text));
	fact_text(facts, "model", text, "not reported");
	nvme_text(controller->sn, sizeof(controller->sn), text, sizeof(text));
	fact_text(facts, "serial", text, "not reported");
	nvme_text(controller->fr, sizeof(controller->fr), text, sizeof(text));
	fact_text(facts, "firmware", text, "not reported");
	version_fact(controller, facts);
	snprintf(text, sizeof(text), "0x%04x", le16toh(controller->vid));
	fact_text(facts, "pci_vendor", text, "");
	nvme_text(controller->subnqn, sizeof(controller->subnqn), text, sizeof(text));
	fact_text(facts, "subsystem", text, "not reported");
	fact_number(facts, "namespace", asked->admin->nsid, "");
	namespaces_fact(asked, facts);
	hex_fact(facts, "eui64", asked->namespace.eui64, sizeof(asked->namespace.eui64));
	hex_fact(facts, "nguid", asked->namespace.nguid, sizeof(asked->namespace.nguid));
	capacity_facts(controller, facts);
	transfer_fact(controller, facts);
}
