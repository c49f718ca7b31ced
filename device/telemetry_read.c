/* SPDX-License-Identifier: GPL-2.0-only */
/* What a drive counts, at one moment. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/nvme_values.h"
#include "device/telemetry_internal.h"
#include "engines/sim/sim.h"

#define SECTOR_BYTES 512
#define SIM_PERCENT  100.0

/* ---- sysfs ---------------------------------------------------------------------------------- */

void telemetry_state(const struct telemetry_source *source, char *state, size_t room)
{
	const struct disk *disk = &source->disk;

	if (disk->is_nvme)
		sys_line(state, room, "%s/class/nvme/%s/state", source->question.sysfs,
			 disk->names.controllers[0]);
	else
		sys_line(state, room, "%s/device/state", disk->folder);
}

/* The first and third of both directions in the disk's "stat": I/Os, sectors. */
static void kernel_counters(const struct disk *disk, json_t *reading)
{
	unsigned long long read = 0, written = 0;
	char line[256], errors[32], *end;
	double count;
	bool known;

	sys_line(line, sizeof(line), "%s/stat", disk->folder);
	known = sscanf(line, "%*u %*u %llu %*u %*u %*u %llu", &read, &written) == 2;
	fact_number(reading, "kernel_read_bytes", known ? (double)read * SECTOR_BYTES : NAN,
		    "not in sysfs");
	fact_number(reading, "kernel_written_bytes", known ? (double)written * SECTOR_BYTES : NAN,
		    "not in sysfs");
	sys_line(errors, sizeof(errors), "%s/device/ioerr_cnt", disk->folder);
	count = strtod(errors, &end); /* "0x1f" */
	fact_number(reading, "kernel_errors", end == errors ? NAN : count, "not in sysfs");
}

static void kernel_reading(const struct telemetry_source *source, json_t *reading)
{
	const struct disk *disk = &source->disk;
	char state[32];

	if (!disk->folder[0] || access(disk->folder, F_OK)) {
		fact_missing(reading, "disk",
			     disk->folder[0] ? "it is gone" : "no disk of its own behind it");
		return;
	}
	fact_text(reading, "disk", strrchr(disk->folder, '/') + 1, "");
	telemetry_state(source, state, sizeof(state));
	fact_text(reading, "state", state, "not in sysfs");
	kernel_link_facts(source->question.sysfs, disk->folder,
			  disk->is_nvme ? disk->names.controllers[0] : "", reading);
	kernel_counters(disk, reading);
}

/* ---- NVMe ----------------------------------------------------------------------------------- */

/* The drive is opened for each reading alone: one that is reset or removed is not held on to. */
static int open_admin(const struct telemetry_source *source, struct nvme_admin *own,
		      const struct nvme_admin **admin)
{
	int status;

	*own = (struct nvme_admin){.ops = NULL};
	*admin = source->question.admin;
	if (*admin || !source->question.path)
		return *admin ? 0 : source->question.admin_status;
	status = disk_open_controller(&source->disk, own);
	*admin = own;
	return status;
}

static void media_reading(struct telemetry_source *source, const struct nvme_asked *asked,
			  json_t *facts)
{
	const json_t *ocp;

	nvme_group_facts(asked, facts);
	if (source->lacks_ocp) {
		fact_missing(facts, "ocp", "the drive refused it before");
		return;
	}
	nvme_ocp_facts(asked, facts);
	ocp = json_object_get(facts, "ocp");
	source->lacks_ocp = fact_is_missing(ocp) && !fact_needs_root(ocp);
}

static json_t *nvme_reading(struct telemetry_source *source, bool is_last)
{
	struct nvme_admin own;
	const struct nvme_admin *admin;
	struct nvme_asked asked;
	int status = open_admin(source, &own, &admin);
	json_t *facts = json_object(), *holder;

	if (!status)
		status = nvme_ask(admin, &asked);
	if (status) {
		holder = json_object();
		fact_refused(holder, "nvme", status);
		json_decref(facts);
		facts = json_incref(json_object_get(holder, "nvme"));
		json_decref(holder);
	} else {
		if (!is_last)
			media_reading(source, &asked, facts);
		nvme_smart_facts(&asked, facts);
		if (is_last)
			media_reading(source, &asked, facts);
	}
	admin_close(&own);
	return facts;
}

void telemetry_add_errors(const struct telemetry_source *source, json_t *reading)
{
	json_t *facts = json_object_get(reading, "nvme");
	struct nvme_admin own;
	const struct nvme_admin *admin;
	struct nvme_asked asked;

	if (json_is_object(facts) && !open_admin(source, &own, &admin)) {
		if (!nvme_ask(admin, &asked))
			nvme_error_facts(&asked, facts);
		admin_close(&own);
	}
}

double telemetry_smart_c(const struct telemetry_source *source)
{
	struct nvme_admin own;
	const struct nvme_admin *admin;
	struct nvme_smart_log log;
	double degrees = NAN;

	if (!source->disk.is_nvme || open_admin(source, &own, &admin))
		return NAN;
	if (!admin_smart_log(admin, &log, NULL))
		degrees = nvme_celsius(log.temperature[0] | (unsigned)log.temperature[1] << 8);
	admin_close(&own);
	return degrees;
}

/* ---- simulated ------------------------------------------------------------------------------ */

static json_t *simulated_reading(const char *path)
{
	json_t *reading = json_object(), *facts = json_object();
	struct sim_status status;
	struct sim_drive *drive;
	struct error err;

	fact_missing(reading, "disk", "simulated");
	fact_missing(reading, "nvme", "simulated");
	if (access(path, F_OK) || sim_drive_open(path, &drive, &err)) {
		fact_missing(reading, "simulated", access(path, F_OK) ? "not made yet" : err.text);
		json_decref(facts);
		return reading;
	}
	sim_drive_status(drive, &status);
	sim_drive_close(drive);
	fact_number(facts, "temperature_c", status.temperature_c, "not of this model");
	fact_number(facts, "host_written_bytes", (double)status.host_written_bytes, "");
	fact_number(facts, "write_amplification", status.waf, "nothing was written");
	fact_number(facts, "spare_blocks_percent", status.spare_share * SIM_PERCENT, "");
	fact_flag(facts, "throttled", status.throttled);
	json_object_set_new(reading, "simulated", facts);
	return reading;
}

/* ---- all of it ------------------------------------------------------------------------------ */

json_t *telemetry_reading(struct telemetry_source *source, bool is_last)
{
	json_t *reading;

	if (source->is_simulated)
		return simulated_reading(source->question.path);
	reading = json_object();
	kernel_reading(source, reading);
	json_object_set_new(reading, "nvme",
			    source->disk.is_nvme ? nvme_reading(source, is_last)
						 : json_string("n/a (no NVMe drive)"));
	return reading;
}
