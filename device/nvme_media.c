/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the drive wrote to its flash beside what the host wrote to it: the endurance group log of
 * the NVM Express specification, and the extended SMART log of the OCP data centre specification.
 */
#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/device_internal.h"
#include "device/nvme_values.h"

#define PERCENT_MOST 100

/* Where the OCP log has what is shown; all are little-endian. */
enum ocp_offset {
	OCP_MEDIA_WRITTEN = 0,	  /* 16 bytes: bytes */
	OCP_MEDIA_READ = 16,	  /* 16 bytes: bytes */
	OCP_BAD_USER_BLOCKS = 32, /* 6 bytes */
	OCP_UNCORRECTABLE = 56,	  /* 8 bytes */
	OCP_THROTTLE_EVENTS = 96, /* 1 byte */
	OCP_THROTTLED_NOW = 97,	  /* 1 byte: 0 = not */
	OCP_PCIE_ERRORS = 104,	  /* 8 bytes */
	OCP_FREE_BLOCKS = 120,	  /* 1 byte: percent */
	OCP_GUID = 496,		  /* 16 bytes: it is this log and no vendor's own */
};

static const uint8_t ocp_guid[16] = {0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
				     0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf};

static double ocp_number(const uint8_t *log, enum ocp_offset offset, size_t bytes)
{
	uint8_t counter[16] = {0};

	memcpy(counter, log + offset, bytes);
	return nvme_counter(counter);
}

static json_t *ocp_log_facts(const uint8_t *log)
{
	json_t *facts = json_object();

	fact_number(facts, "media_written_bytes", ocp_number(log, OCP_MEDIA_WRITTEN, 16), "");
	fact_number(facts, "media_read_bytes", ocp_number(log, OCP_MEDIA_READ, 16), "");
	fact_number(facts, "bad_user_blocks", ocp_number(log, OCP_BAD_USER_BLOCKS, 6), "");
	fact_number(facts, "uncorrectable_reads", ocp_number(log, OCP_UNCORRECTABLE, 8), "");
	fact_number(facts, "throttle_events", log[OCP_THROTTLE_EVENTS], "");
	fact_flag(facts, "throttled_now", log[OCP_THROTTLED_NOW] != 0);
	fact_number(facts, "pcie_corrected_errors", ocp_number(log, OCP_PCIE_ERRORS, 8), "");
	fact_number(facts, "free_blocks_percent", log[OCP_FREE_BLOCKS], "");
	return facts;
}

void nvme_ocp_facts(const struct nvme_asked *asked, json_t *facts)
{
	uint8_t log[OCP_SMART_BYTES];
	int status = admin_ocp_log(asked->admin, log, NULL);

	if (status)
		fact_refused(facts, "ocp", status);
	else if (memcmp(log + OCP_GUID, ocp_guid, sizeof(ocp_guid)))
		fact_missing(facts, "ocp", "log page 0xc0 of this drive is another one");
	else
		json_object_set_new(facts, "ocp", ocp_log_facts(log));
}

static void group_percent(json_t *facts, const char *key, unsigned percent)
{
	fact_number(facts, key, percent <= PERCENT_MOST ? percent : NAN, "not reported");
}

static json_t *group_log_facts(unsigned group, const struct nvme_endurance_group_log *log)
{
	json_t *facts = json_object();

	fact_number(facts, "group", group, "");
	fact_number(facts, "used_percent", log->percent_used, "");
	group_percent(facts, "spare_percent", log->avl_spare);
	group_percent(facts, "spare_threshold_percent", log->avl_spare_threshold);
	fact_number(facts, "endurance_bytes", nvme_group_bytes(log->endurance_estimate),
		    "not reported");
	fact_number(facts, "host_read_bytes", nvme_group_bytes(log->data_units_read),
		    "not reported");
	fact_number(facts, "host_written_bytes", nvme_group_bytes(log->data_units_written),
		    "not reported");
	fact_number(facts, "media_written_bytes", nvme_group_bytes(log->media_units_written),
		    "not reported");
	return facts;
}

void nvme_group_facts(const struct nvme_asked *asked, json_t *facts)
{
	bool has = le32toh(asked->controller.ctratt) & NVME_CTRL_CTRATT_ENDURANCE_GROUPS;
	unsigned group = le16toh(asked->namespace.endgid);
	struct nvme_endurance_group_log log;
	int status;

	if (!has || !group) {
		fact_missing(facts, "endurance_group", "the drive has none");
		return;
	}
	status = admin_endurance_log(asked->admin, (uint16_t)group, &log, NULL);
	if (status)
		fact_refused(facts, "endurance_group", status);
	else
		json_object_set_new(facts, "endurance_group", group_log_facts(group, &log));
}

/* Over the drive's life, from logs that count both alike: of the group, or OCP's with SMART's. */
static void amplification_fact(json_t *facts)
{
	const json_t *group = json_object_get(facts, "endurance_group");
	const json_t *ocp = json_object_get(facts, "ocp");
	double media = fact_value(ocp, "media_written_bytes");
	double host = fact_value(json_object_get(facts, "smart"), "host_written_bytes");

	if (isnan(media)) {
		media = fact_value(group, "media_written_bytes");
		host = fact_value(group, "host_written_bytes");
	}
	fact_number(facts, "write_amplification", media > 0 && host > 0 ? media / host : NAN,
		    fact_needs_root(ocp) ? NEEDS_ROOT
					 : "no log tells what was written to the flash");
}

void nvme_media_facts(const struct nvme_asked *asked, json_t *facts)
{
	nvme_group_facts(asked, facts);
	nvme_ocp_facts(asked, facts);
	amplification_fact(facts);
}
