/* SPDX-License-Identifier: GPL-2.0-only */
/* What the drive has switched on: write cache, host memory, power saving. */
#include <endian.h>
#include <math.h>
#include <stdio.h>

#include "device/device_internal.h"

#define ENABLED		 1
#define HMB_UNIT_BYTES	 4096.0 /* of identify, and the memory pages of the attributes */
#define POWER_STATE_MASK 0x1f
#define APST_STATE_SHIFT 3
#define APST_IDLE_SHIFT	 8

/* ---- volatile write cache -------------------------------------------------------------------- */

static void write_cache_fact(const struct nvme_asked *asked, json_t *facts)
{
	const struct nvme_feature_request request = {.fid = NVME_FEAT_FID_VOLATILE_WC};
	uint32_t value;
	int status;

	if (!(asked->controller.vwc & NVME_CTRL_VWC_PRESENT)) {
		fact_text(facts, "volatile_write_cache", "none", "");
		return;
	}
	status = admin_feature(asked->admin, &request, &value, NULL);
	if (status)
		fact_refused(facts, "volatile_write_cache", status);
	else
		fact_text(facts, "volatile_write_cache", value & ENABLED ? "on" : "off", "");
}

/* ---- host memory buffer ---------------------------------------------------------------------- */

static void host_memory_values(const struct nvme_asked *asked, json_t *facts)
{
	const struct nvme_feature_request request = {.fid = NVME_FEAT_FID_HOST_MEM_BUF};
	struct nvme_host_mem_buf_attrs attributes;
	uint32_t value;
	int status = admin_feature_data(asked->admin, &request, &value, &attributes,
					sizeof(attributes), NULL);

	if (status) {
		fact_refused(facts, "state", status);
		return;
	}
	fact_text(facts, "state", value & ENABLED ? "on" : "off", "");
	fact_number(facts, "bytes",
		    value & ENABLED ? le32toh(attributes.hsize) * HMB_UNIT_BYTES : NAN,
		    "it is off");
}

static void host_memory_facts(const struct nvme_asked *asked, json_t *facts)
{
	double preferred = le32toh(asked->controller.hmpre) * HMB_UNIT_BYTES;
	json_t *memory;

	if (preferred == 0) {
		fact_text(facts, "host_memory_buffer", "none", "");
		return;
	}
	memory = json_object();
	fact_number(memory, "preferred_bytes", preferred, "");
	fact_number(memory, "least_bytes", le32toh(asked->controller.hmmin) * HMB_UNIT_BYTES, "");
	host_memory_values(asked, memory);
	json_object_set_new(facts, "host_memory_buffer", memory);
}

/* ---- autonomous power state transitions ------------------------------------------------------ */

/* One step that is set: from which state, after how long idle, to which. */
static json_t *transition_fact(unsigned from, uint64_t entry)
{
	json_t *facts = json_object();

	fact_number(facts, "from_state", from, "");
	fact_number(facts, "to_state", entry >> APST_STATE_SHIFT & POWER_STATE_MASK, "");
	fact_number(facts, "idle_ms", (double)(entry >> APST_IDLE_SHIFT & 0xffffff), "");
	return facts;
}

static json_t *transitions(const struct nvme_asked *asked, const struct nvme_feat_auto_pst *table)
{
	json_t *list = json_array();
	unsigned i;

	for (i = 0; i <= asked->controller.npss && i < COUNT(table->apst_entry); i++) {
		uint64_t entry = le64toh(table->apst_entry[i]);

		if (entry >> APST_IDLE_SHIFT & 0xffffff)
			json_array_append_new(list, transition_fact(i, entry));
	}
	return list;
}

static void apst_facts(const struct nvme_asked *asked, json_t *facts)
{
	const struct nvme_feature_request request = {.fid = NVME_FEAT_FID_AUTO_PST};
	struct nvme_feat_auto_pst table;
	uint32_t value;
	json_t *apst;
	int status;

	if (!(asked->controller.apsta & NVME_CTRL_APSTA_APST)) {
		fact_text(facts, "autonomous_power_states", "none", "");
		return;
	}
	status = admin_feature_data(asked->admin, &request, &value, &table, sizeof(table), NULL);
	if (status) {
		fact_refused(facts, "autonomous_power_states", status);
		return;
	}
	apst = json_object();
	fact_text(apst, "state", value & ENABLED ? "on" : "off", "");
	json_object_set_new(apst, "transitions", transitions(asked, &table));
	json_object_set_new(facts, "autonomous_power_states", apst);
}

void nvme_feature_facts(const struct nvme_asked *asked, json_t *facts)
{
	const struct nvme_feature_request power = {.fid = NVME_FEAT_FID_POWER_MGMT};
	json_t *features = json_object();
	uint32_t value;
	int status;

	write_cache_fact(asked, features);
	host_memory_facts(asked, features);
	apst_facts(asked, features);
	status = admin_feature(asked->admin, &power, &value, NULL);
	if (status)
		fact_refused(features, "power_state", status);
	else
		fact_number(features, "power_state", value & POWER_STATE_MASK, "");
	json_object_set_new(facts, "features", features);
}
