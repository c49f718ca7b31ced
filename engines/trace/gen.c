/* SPDX-License-Identifier: GPL-2.0-only */
/* A storm of virtual desktops: each starts some time after the one before, then acts by itself. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "engines/trace/gen_internal.h"

#define BELL_TERMS 4 /* so many uniform numbers make one that is nearly normal */

/* When desktop `number` starts; *last_s is when the one before did. */
static double start_s(const struct workload *workload, const struct trace_gen_options *options,
		      uint64_t *random, double *last_s)
{
	double stagger_s = options->stagger_s < 0 ? workload->stagger_s : options->stagger_s;
	double window_s = stagger_s * options->desktops, sum = 0;
	unsigned i;

	switch (workload->storm) {
	case STORM_UNIFORM:
		return window_s * random_share(random_next(random));
	case STORM_EXPONENTIAL:
		*last_s -= stagger_s * log1p(-random_share(random_next(random)));
		return *last_s;
	case STORM_BELL:
		for (i = 0; i < BELL_TERMS; i++)
			sum += random_share(random_next(random)) / BELL_TERMS;
		return window_s * sum;
	}
	return 0;
}

/* A full clone's image holds reads and writes; a linked one writes to its delta. */
static int add_streams(const struct workload *workload, bool linked, unsigned number,
		       struct trace_writer *writer, struct desktop_streams *streams,
		       struct error *err)
{
	uint64_t size = (uint64_t)(linked ? workload->delta_size : workload->image_size);
	char name[64];
	int stream;

	if (linked && number == 0 &&
	    trace_writer_stream(writer, "replica", (uint64_t)workload->image_size, err) < 0)
		return -1;
	snprintf(name, sizeof(name), linked ? "delta-%u" : "desktop-%u", number + 1);
	stream = trace_writer_stream(writer, name, size, err);
	if (stream < 0)
		return -1;
	streams->writes = (uint16_t)stream;
	streams->image = linked ? 0 : (uint16_t)stream;
	return 0;
}

static int run_one(const struct workload *workload, const struct trace_gen_options *options,
		   unsigned number, double starts_s, struct trace_writer *writer, struct error *err)
{
	struct desktop_streams streams;
	struct desktop *desktop;
	int failed;

	if (add_streams(workload, options->linked, number, writer, &streams, err))
		return -1;
	if (desktop_begin(workload, options->linked, options->seed * 1000003 + number, streams,
			  &desktop))
		return error_set(err, "out of memory");
	failed = desktop_run(desktop, (uint64_t)(starts_s * 1e9), writer, err);
	desktop_free(desktop);
	return failed;
}

static void say_what_it_is(const struct workload *workload, const struct trace_gen_options *options,
			   struct trace_writer *writer)
{
	struct trace_provenance from = {.format = "synthetic", .event_class = "queue (Q)"};

	snprintf(from.source, sizeof(from.source), "%s, %s clones, %u desktop%s, seed %llu",
		 workload->name, options->linked ? "linked" : "full", options->desktops,
		 options->desktops == 1 ? "" : "s", (unsigned long long)options->seed);
	snprintf(from.note, sizeof(from.note), "synthetic, calibrated to %s", workload->calibrated);
	if (options->converter)
		snprintf(from.converter, sizeof(from.converter), "%s", options->converter);
	trace_writer_provenance(writer, &from);
}

static int run_all(const struct workload *workload, const struct trace_gen_options *options,
		   struct trace_writer *writer, struct error *err)
{
	uint64_t random = mix64(options->seed);
	double last_s = 0;
	unsigned i;

	say_what_it_is(workload, options, writer);
	if (trace_writer_phase(writer, workload->name, 0, err))
		return -1;
	for (i = 0; i < options->desktops; i++)
		if (run_one(workload, options, i, start_s(workload, options, &random, &last_s),
			    writer, err))
			return -1;
	return 0;
}

int trace_generate(const struct trace_gen_options *options, const char *to, struct error *err)
{
	struct trace_writer_options how = {.compress = !options->plain, .synthetic = true};
	struct trace_writer *writer;
	struct workload workload;

	if (!options->desktops || options->desktops >= TRACE_MAX_STREAMS)
		return error_set(err, "a trace holds 1 to %d desktops", TRACE_MAX_STREAMS - 1);
	if (workload_load(options->workload, options->linked, &workload, err) ||
	    trace_writer_open(to, &how, &writer, err))
		return -1;
	if (!run_all(&workload, options, writer, err))
		return trace_writer_finish(writer, err);
	trace_writer_abandon(writer);
	return -1;
}

static int in_range(const char *what, double value, struct range range, struct error *err)
{
	if (range.high == 0 || (value >= range.low && value <= range.high))
		return 0;
	return error_set(err, "%s is %g, the workload promises %g to %g", what, value, range.low,
			 range.high);
}

int trace_gen_check(const struct trace_gen_options *options, const struct trace *trace,
		    const struct trace_info *info, struct error *err)
{
	const uint64_t *records = info->all.records, *bytes = info->all.bytes;
	double reads = (double)records[TRACE_READ], writes = (double)records[TRACE_WRITE];
	struct workload workload;

	if (workload_load(options->workload, options->linked, &workload, err))
		return -1;
	if (!trace_header(trace)->synthetic)
		return error_set(err, "the trace does not say that it is synthetic");
	if (in_range("I/Os per desktop", (reads + writes) / options->desktops, workload.expect_ios,
		     err) ||
	    in_range("reads in %", 100 * reads / (reads + writes), workload.expect_read_percent,
		     err) ||
	    in_range("mean read in bytes", (double)bytes[TRACE_READ] / reads,
		     workload.expect_read_size, err) ||
	    in_range("mean write in bytes", (double)bytes[TRACE_WRITE] / writes,
		     workload.expect_write_size, err) ||
	    in_range("rewrites in %", 100 * info->rewrite_share, workload.expect_rewrite_percent,
		     err) ||
	    in_range("hot writes in %", 100 * info->hot_share, workload.expect_hot_percent, err))
		return -1;
	return in_range("median rewrite interval in s", info->rewrite_median_s,
			workload.expect_interval_s, err);
}
