/* SPDX-License-Identifier: GPL-2.0-only */
/* Was everything written? What fio counted, and what the kernel or the drive did. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/number.h"
#include "engines/sim/sim.h"
#include "postprocess/fiojson.h"
#include "review/review.h"

#define SECTOR_BYTES	 512
#define COUNTED_AT_LEAST 0.99 /* of what fio wrote: counters of the kernel are a little behind */

/* /sys/dev/block/M:m/stat: the seventh number counts sectors that were written. */
static double device_bytes(const char *path)
{
	struct stat status;
	char line[256];
	unsigned long long sectors;

	if (stat(path, &status) || !S_ISBLK(status.st_mode))
		return NAN;
	sys_line(line, sizeof(line), "/sys/dev/block/%u:%u/stat", major(status.st_rdev),
		 minor(status.st_rdev));
	if (sscanf(line, "%*u %*u %*u %*u %*u %*u %llu", &sectors) != 1)
		return NAN;
	return (double)sectors * SECTOR_BYTES;
}

static double simulated_bytes(const char *path)
{
	struct sim_drive *drive;
	struct sim_status status;

	if (sim_drive_open(path, &drive, NULL))
		return NAN;
	sim_drive_status(drive, &status);
	sim_drive_close(drive);
	return (double)status.host_written_bytes;
}

struct fill_count fill_count_now(const struct target *target)
{
	if (target->kind == TARGET_SIM)
		return (struct fill_count){simulated_bytes(target->path), "simulated"};
	if (target->kind == TARGET_DEVICE)
		return (struct fill_count){device_bytes(target->path), "diskstats"};
	return (struct fill_count){NAN, NULL};
}

static int fio_bytes(const char *json, double *bytes, struct error *err)
{
	struct fio_output output;
	size_t i;

	if (fio_output_read(json, &output, err))
		return -1;
	*bytes = 0;
	for (i = 0; i < output.job_count; i++)
		*bytes += (double)output.jobs[i].rows[FIO_WRITE].bytes;
	fio_output_free(&output);
	return 0;
}

static int check_amount(double wanted, double written, double counted, const char *source,
			struct error *err)
{
	char is[NUMBER_ROOM], was[NUMBER_ROOM];

	if (written < wanted)
		return error_set(err,
				 "the fill ended early: fio wrote %s of %s; blocks that were never "
				 "written answer without flash",
				 number_bytes(written, was), number_bytes(wanted, is));
	if (counted < written * COUNTED_AT_LEAST)
		return error_set(err,
				 "the fill is not on the drive: fio wrote %s, of which %s counted "
				 "%s",
				 number_bytes(written, is), source, number_bytes(counted, was));
	return 0;
}

int fill_check(const struct target *target, const char *json, double wanted,
	       const struct fill_count *before, json_t **report, struct error *err)
{
	struct fill_count after = fill_count_now(target);
	double written, counted = after.bytes - before->bytes;
	bool is_counted = isfinite(counted);

	if (fio_bytes(json, &written, err) ||
	    check_amount(wanted, written, is_counted ? counted : written, after.source, err))
		return -1;
	if (report)
		*report = json_pack(
			"{s:I, s:o, s:o, s:f}", "bytes", (json_int_t)written, "device_bytes",
			is_counted ? json_integer((json_int_t)counted) : json_null(),
			"device_source", is_counted ? json_string(after.source) : json_null(),
			"share", written / wanted);
	return 0;
}
