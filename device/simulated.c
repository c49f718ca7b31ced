/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of a simulated drive: all of it, for its state is a file. */
#include <stdio.h>

#include "device/device_internal.h"
#include "engines/sim/sim.h"

#define PERCENT 100.0

static void status_facts(const char *path, json_t *facts)
{
	struct sim_status status;
	struct sim_drive *drive;
	struct error err;

	if (sim_drive_open(path, &drive, &err)) {
		fact_missing(facts, "state", err.text);
		return;
	}
	sim_drive_status(drive, &status);
	sim_drive_close(drive);
	fact_number(facts, "temperature_c", status.temperature_c, "");
	fact_number(facts, "lived_s", (double)status.drive_time_ns / NS_PER_SEC, "");
	fact_number(facts, "host_written_bytes", (double)status.host_written_bytes, "");
	fact_number(facts, "filled_percent", status.fill_share * PERCENT, "");
	fact_number(facts, "write_amplification", status.waf, "");
	fact_number(facts, "spare_blocks_percent", status.spare_share * PERCENT, "");
	fact_number(facts, "slc_used_bytes", (double)status.slc_used_bytes, "");
	fact_number(facts, "slc_size_bytes", (double)status.slc_size_bytes, "");
	fact_flag(facts, "throttled", status.throttled);
}

json_t *simulated_facts(const char *path, const char *refused, struct error *err)
{
	struct sim_info info;
	char seed[32];
	json_t *facts;

	if (sim_drive_info(path, &info, err))
		return NULL;
	facts = json_object();
	fact_number(facts, "version", FACTS_VERSION, "");
	fact_text(facts, "kind", "simulated", "");
	fact_text(facts, "path", path, "");
	use_facts(refused, facts);
	fact_text(facts, "model", info.drive, "");
	snprintf(seed, sizeof(seed), "seed %llu", (unsigned long long)info.seed);
	fact_text(facts, "serial", seed, "");
	fact_missing(facts, "firmware", "simulated");
	fact_text(facts, "sim_model", info.model, "");
	fact_number(facts, "scale", info.scale, "");
	fact_number(facts, "size_bytes", (double)info.capacity_bytes, "");
	fact_number(facts, "block_bytes", info.block_bytes, "");
	status_facts(path, facts);
	json_object_set_new(facts, "warnings", json_array());
	return facts;
}
