/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make_trace OUT RECORDS IOPS [SPAN_MIB]: a trace for the tests, the same for the same arguments.
 * Poisson arrivals, 70 % reads; in every thousand records one flush and one trim of 64 KiB; phases
 * "first" and "second" of half the time each. OUT ending in .z.vdt is compressed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engines/trace/trace.h"

static struct trace_record record_number(long number, double time_s, long blocks)
{
	struct trace_record record = {
		.time_ns = (uint64_t)(time_s * 1e9),
		.offset = (uint64_t)(lrand48() % blocks) * 4096,
		.length = 4096,
		.latency_ns = TRACE_NO_LATENCY,
		.op = drand48() < 0.7 ? TRACE_READ : TRACE_WRITE,
	};

	if (number % 1000 == 500)
		record.op = TRACE_TRIM;
	if (number % 1000 == 999)
		record.op = TRACE_FLUSH;
	if (record.op == TRACE_TRIM)
		record.offset = record.offset / 65536 * 65536;
	if (record.op == TRACE_TRIM)
		record.length = 65536;
	if (record.op == TRACE_FLUSH)
		record.offset = record.length = 0;
	return record;
}

static int write_records(struct trace_writer *writer, long count, double iops, long blocks,
			 struct error *err)
{
	double time_s = 0;
	long i;

	srand48(1);
	for (i = 0; i < count; i++) {
		struct trace_record record = record_number(i, time_s, blocks);

		if (trace_writer_append(writer, &record, err))
			return -1;
		time_s -= log(1 - drand48()) / iops;
	}
	return 0;
}

static int make(char **argv, long blocks, struct error *err)
{
	struct trace_writer_options options = {.compress = strstr(argv[1], ".z.vdt") != NULL,
					       .synthetic = true};
	struct trace_provenance from = {.format = "synthetic", .note = "synthetic, for tests"};
	long records = atol(argv[2]);
	double iops = atof(argv[3]);
	struct trace_writer *writer;

	if (trace_writer_open(argv[1], &options, &writer, err))
		return -1;
	trace_writer_provenance(writer, &from);
	if (trace_writer_stream(writer, "vm0", 0, err) < 0 ||
	    trace_writer_phase(writer, "first", 0, err) ||
	    trace_writer_phase(writer, "second", (uint64_t)((double)records / iops * 5e8), err) ||
	    write_records(writer, records, iops, blocks, err)) {
		trace_writer_abandon(writer);
		return -1;
	}
	return trace_writer_finish(writer, err);
}

int main(int argc, char **argv)
{
	struct error err = {.text = "usage: make_trace OUT RECORDS IOPS [SPAN_MIB]"};

	if (argc < 4)
		return complain(&err, 2);
	if (make(argv, argc > 4 ? atol(argv[4]) * 256 : 4096, &err))
		return complain(&err, 1);
	return 0;
}
