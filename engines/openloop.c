/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * openloop: fio's own pattern, each I/O sent when it is due, whatever earlier ones do.
 *
 * When an I/O is due, it leaves, until iodepth= are in flight; then it leaves late, and the
 * lateness is counted. start_time is the moment it was due and issue_time the moment it left, so
 * that fio's slat, clat and lat mean lateness, drive latency and response time.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/core/core.h"

static struct fio_option options[] = {
	{
		.name = "iorate",
		.lname = "I/O rate",
		.type = FIO_OPT_STR_STORE,
		.off1 = offsetof(struct openloop_options, iorate),
		.help = "IOPS of this clone, all directions together (0: as fast as iodepth "
			"allows), "
			"or a percentage of the maximum in max_from=",
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "max_from",
		.lname = "Maximum from",
		.type = FIO_OPT_STR_STORE,
		.off1 = offsetof(struct openloop_options, max_from),
		.help = "Statistics file of the run at the maximum, for iorate=N%",
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "arrival",
		.lname = "Arrival process",
		.type = FIO_OPT_STR,
		.off1 = offsetof(struct openloop_options, arrival),
		.help = "How due times are spread",
		.def = "poisson",
		.posval =
			{
				{.ival = "poisson",
				 .oval = ARRIVAL_POISSON,
				 .help = "Exponential gaps"},
				{.ival = "constant",
				 .oval = ARRIVAL_CONSTANT,
				 .help = "Equal gaps"},
			},
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "drive",
		.lname = "Way to the drive",
		.type = FIO_OPT_STR,
		.off1 = offsetof(struct openloop_options, core.drive),
		.help = "How I/Os reach the drive",
		.def = "auto",
		.posval =
			{
				{.ival = "auto",
				 .oval = DRIVE_AUTO,
				 .help = "By what the target is"},
				{.ival = "block",
				 .oval = DRIVE_BLOCK,
				 .help = "Block device or file"},
				{.ival = "sim", .oval = DRIVE_SIM, .help = "Simulated drive"},
			},
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	CORE_OPTIONS(struct openloop_options, core),
	{
		.name = NULL,
	},
};

/* The mean of all clones' maxima: a percentage means the same for each of them. */
static int read_maximum(const struct openloop_options *o, unsigned clones, double *iops,
			struct error *err)
{
	double sum = 0.0, one;
	unsigned clone;

	for (clone = 1; clone <= clones; clone++) {
		char *path = core_clone_path(o->max_from, clone, clones);
		int failed =
			path ? stats_read_achieved(path, &one, err) : error_set(err, "no memory");

		free(path);
		if (failed)
			return error_prefix(err, "max_from=");
		sum += one;
	}
	*iops = sum / clones;
	return 0;
}

static int parse_rate(const struct openloop_options *o, unsigned clones, double *iops,
		      struct error *err)
{
	double value, maximum = 0.0;
	char *end;

	*iops = 0.0;
	if (!o->iorate)
		return 0;
	value = strtod(o->iorate, &end);
	if (end == o->iorate || !(value >= 0 && value < 1e9) || (*end && strcmp(end, "%")))
		return error_set(err,
				 "iorate=%s is no rate: give IOPS (iorate=20000) or a share of "
				 "the maximum (iorate=30%%)",
				 o->iorate);
	if (*end != '%') {
		*iops = value;
		return 0;
	}
	if (!o->max_from)
		return error_set(err,
				 "iorate=%s needs max_from=, the statistics file of the run at "
				 "the maximum",
				 o->iorate);
	if (read_maximum(o, clones, &maximum, err))
		return -1;
	*iops = maximum * value / 100.0;
	return 0;
}

static int fio_openloop_init(struct thread_data *td)
{
	const struct openloop_options *o = td->eo;
	unsigned clones = core_clones(td);
	struct schedule schedule;
	struct stats_run run = {
		.engine = "openloop",
		.job = td->o.name,
		.clone = td->subjob_number + 1,
		.clones = clones,
		.seed = o->core.seed,
		.in_flight_limit = td->o.iodepth,
	};
	struct error err;

	if (parse_rate(o, clones, &run.nominal_iops, &err) ||
	    core_check_options(td, run.nominal_iops > 0, &err))
		return core_report(td, &err);
	if (run.nominal_iops > 0)
		run.arrival = o->arrival == ARRIVAL_CONSTANT ? "constant" : "poisson";
	schedule_init(&schedule, o->arrival, run.nominal_iops, o->core.seed, td->subjob_number,
		      clones);
	return core_init(td, &schedule, &run);
}

static struct ioengine_ops ops = {
	.name = "openloop",
	CORE_HOOKS,
	.flags = FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_NO_OFFLOAD,
	.init = fio_openloop_init,
	.get_file_size = core_get_file_size,
	.options = options,
	.option_struct_size = sizeof(struct openloop_options),
};

SSDREVIEW_ENGINE(&ops)
