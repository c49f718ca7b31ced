/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * openloop: fio's own pattern, or a mix of several, each I/O sent when it is due, whatever earlier
 * ones do.
 *
 * When an I/O is due, it leaves, until iodepth= are in flight; then it leaves late, and the
 * lateness is counted. start_time is the moment it was due and issue_time the moment it left, so
 * that fio's slat, clat and lat mean lateness, drive latency and response time.
 */
#include "engines/core/load_mix.h"

struct openloop_options {
	struct core_options core;
	struct rate_options rate;
	unsigned arrival;
	char *mix;
};

static struct fio_option options[] = {
	RATE_OPTIONS(struct openloop_options, rate),
	{
		ENGINE_OPTION("arrival", "Arrival process", FIO_OPT_STR, struct openloop_options,
			      arrival, "How due times are spread"),
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
	},
	{
		ENGINE_OPTION("mix", "Mix of patterns", FIO_OPT_STR_STORE, struct openloop_options,
			      mix,
			      "Patterns with shares of the I/Os, as SHARE:RW:SIZE: "
			      "80:randread:8k,19:randwrite:8k,1:write:64k"),
	},
	DRIVE_OPTION(struct openloop_options, core),
	CORE_OPTIONS(struct openloop_options, core),
	{
		.name = NULL,
	},
};

static struct load *make_load(struct thread_data *td, const struct stats_run *run,
			      struct error *err)
{
	const struct openloop_options *o = td->eo;

	if (o->mix)
		return load_mix(td, o->mix, o->arrival, run, err);
	return load_schedule(o->arrival, run->nominal_iops, run->seed, td->subjob_number,
			     run->clones, err);
}

static int check_arrival(const struct openloop_options *o, double iops, struct error *err)
{
	if (iops > 0 || o->arrival == ARRIVAL_POISSON)
		return 0;
	return error_set(err, "arrival= has no effect without iorate=; remove it");
}

static int fio_openloop_init(struct thread_data *td)
{
	const struct openloop_options *o = td->eo;
	struct stats_run run;
	struct load *load;
	struct error err;

	if (core_run(td, &run, &err) ||
	    core_parse_rate(&o->rate, run.clones, &run.nominal_iops, &err) ||
	    check_arrival(o, run.nominal_iops, &err) ||
	    core_check_options(td, run.nominal_iops > 0, &err))
		return core_report(td, &err);
	if (run.nominal_iops > 0)
		run.arrival = o->arrival == ARRIVAL_CONSTANT ? "constant" : "poisson";
	load = make_load(td, &run, &err);
	return load ? core_init(td, load, &run) : core_report(td, &err);
}

static struct ioengine_ops ops = {
	.name = "openloop",
	CORE_HOOKS,
	.queue = core_queue,
	.flags = FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_NO_OFFLOAD,
	.init = fio_openloop_init,
	.get_file_size = core_get_file_size,
	.options = options,
	.option_struct_size = sizeof(struct openloop_options),
};

SSDREVIEW_ENGINE(&ops)
