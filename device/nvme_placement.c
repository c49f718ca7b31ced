/* SPDX-License-Identifier: GPL-2.0-only */
/* Flexible data placement (FDP): is it on, and what it offers. */
#include <endian.h>
#include <string.h>

#include "device/device_internal.h"
#include "device/nvme_values.h"

#define FDP_ENABLED	   1
#define FDP_INDEX_SHIFT	   8
#define CONFIGURATION_ROOM 4096

/* The configuration of an index: they follow one another, each with its own length. */
static bool find_configuration(const uint8_t *log, unsigned index,
			       struct nvme_fdp_config_desc *configuration)
{
	size_t at = sizeof(struct nvme_fdp_config_log), bytes;
	struct nvme_fdp_config_log header;

	memcpy(&header, log, sizeof(header));
	if (index > le16toh(header.n))
		return false;
	while (at + sizeof(*configuration) <= CONFIGURATION_ROOM) {
		memcpy(configuration, log + at, sizeof(*configuration));
		bytes = le16toh(configuration->size);
		if (!index--)
			return true;
		if (bytes < sizeof(*configuration))
			return false;
		at += bytes;
	}
	return false;
}

static void configuration_facts(const struct nvme_asked *asked, uint16_t group, unsigned index,
				json_t *facts)
{
	uint8_t log[CONFIGURATION_ROOM];
	int status = admin_fdp_configurations(asked->admin, group, log, sizeof(log), NULL);
	struct nvme_fdp_config_desc configuration;

	if (status) {
		fact_refused(facts, "handles", status);
	} else if (!find_configuration(log, index, &configuration)) {
		fact_missing(facts, "handles", "its configuration is not in the log");
	} else {
		fact_number(facts, "handles", le16toh(configuration.nruh), "");
		fact_number(facts, "groups", le32toh(configuration.nrg), "");
		fact_number(facts, "unit_bytes", (double)le64toh(configuration.runs), "");
	}
}

static void statistics_facts(const struct nvme_asked *asked, uint16_t group, json_t *facts)
{
	struct nvme_fdp_stats_log log;
	int status = admin_fdp_statistics(asked->admin, group, &log, NULL);

	if (status) {
		fact_refused(facts, "host_written_bytes", status);
		fact_refused(facts, "media_written_bytes", status);
		return;
	}
	fact_number(facts, "host_written_bytes", nvme_counter(log.hbmw), "");
	fact_number(facts, "media_written_bytes", nvme_counter(log.mbmw), "");
}

static json_t *group_facts(const struct nvme_asked *asked, uint16_t group, uint32_t value)
{
	json_t *facts = json_object();

	fact_text(facts, "state", value & FDP_ENABLED ? "on" : "off", "");
	if (value & FDP_ENABLED) {
		configuration_facts(asked, group, value >> FDP_INDEX_SHIFT & 0xff, facts);
		statistics_facts(asked, group, facts);
	}
	return facts;
}

void nvme_placement_facts(const struct nvme_asked *asked, json_t *facts)
{
	uint16_t group = le16toh(asked->namespace.endgid);
	const struct nvme_feature_request request = {.fid = NVME_FEAT_FID_FDP, .cdw11 = group};
	uint32_t value;
	int status;

	if (!(le32toh(asked->controller.ctratt) & NVME_CTRL_CTRATT_FDPS)) {
		fact_text(facts, "data_placement", "none", "");
		return;
	}
	status = admin_feature(asked->admin, &request, &value, NULL);
	if (status)
		fact_refused(facts, "data_placement", status);
	else
		json_object_set_new(facts, "data_placement", group_facts(asked, group, value));
}
