/* SPDX-License-Identifier: GPL-2.0-only */
/* Was everything written? What fio counted, and what the kernel or the drive did. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/number.h"
#include "device/facts.h"
#include "engines/sim/sim.h"
#include "postprocess/fiojson.h"
#include "review/review.h"

#define SECTOR_BYTES	 512
#define COUNTED_AT_LEAST 0.99 /* of what fio wrote: counters of the kernel are a little behind */
#define SMART_UNIT_BYTES 512000.0 /* of SMART's counter, which is rounded up */

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

double fill_smart_bytes(const struct target *target, const json_t *watched)
{
	const json_t *bytes = json_object_get(watched, "host_written_bytes");

	return target->kind == TARGET_DEVICE && json_is_number(bytes) ? json_number_value(bytes)
								      : NAN;
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

static int not_on_drive(double written, double counted, const char *source, struct error *err)
{
	char is[NUMBER_ROOM], was[NUMBER_ROOM];

	return error_set(err, "the fill is not on the drive: fio wrote %s, of which %s counted %s",
			 number_bytes(written, is), source, number_bytes(counted, was));
}

/* NAN: nobody counted. */
static int check_amount(double wanted, double written, const struct fill_count *counted,
			double smart_bytes, struct error *err)
{
	char is[NUMBER_ROOM], was[NUMBER_ROOM];

	if (written < wanted)
		return error_set(err,
				 "the fill ended early: fio wrote %s of %s; blocks that were never "
				 "written answer without flash",
				 number_bytes(written, was), number_bytes(wanted, is));
	if (counted->bytes < written * COUNTED_AT_LEAST)
		return not_on_drive(written, counted->bytes, counted->source, err);
	if (smart_bytes < written * COUNTED_AT_LEAST - SMART_UNIT_BYTES)
		return not_on_drive(written, smart_bytes, "the drive itself (SMART)", err);
	return 0;
}

static json_t *bytes_json(double bytes)
{
	return isfinite(bytes) ? json_integer((json_int_t)bytes) : json_null();
}

int fill_check(const struct target *target, const char *json, double wanted,
	       const struct fill_count *before, double smart_bytes, json_t **report,
	       struct error *err)
{
	struct fill_count counted = fill_count_now(target);
	double written;

	counted.bytes -= before->bytes;
	if (fio_bytes(json, &written, err) ||
	    check_amount(wanted, written, &counted, smart_bytes, err))
		return -1;
	if (!isfinite(counted.bytes) && isfinite(smart_bytes))
		counted = (struct fill_count){smart_bytes, "smart"};
	if (report)
		*report = json_pack(
			"{s:I, s:o, s:o, s:o, s:f}", "bytes", (json_int_t)written, "device_bytes",
			bytes_json(counted.bytes), "device_source",
			isfinite(counted.bytes) ? json_string(counted.source) : json_null(),
			"smart_bytes", bytes_json(smart_bytes), "share", written / wanted);
	return 0;
}
