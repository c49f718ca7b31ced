/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf-tools' iosnoop: [STARTs] [ENDs] COMM PID TYPE DEV BLOCK BYTES LATms. The headings say which
 * times there are; without any (no -s, no -t) rows keep their order only.
 */
#include "engines/trace/import_snoop.h"

struct run {
	struct snoop snoop;	 /* first: snoop_give() takes it */
	bool has_start, has_end; /* by the last headings */
	uint64_t last_ns, timeless;
};

static bool is_heading(struct run *run, struct piece line)
{
	struct piece first = piece_word(&line);
	bool start = piece_is(first, "STARTs");

	if (start)
		first = piece_word(&line);
	if (!piece_is(first, "COMM") && !piece_is(first, "ENDs"))
		return false;
	run->has_start = start;
	run->has_end = piece_is(first, "ENDs");
	return true;
}

/* "... DEV BLOCK BYTES LATms": the fourth word from the right is a device. */
static bool looks_like_row(struct piece line)
{
	struct piece word = {0};
	uint64_t number;

	if (!piece_scaled(piece_last_word(&line), 6, &number))
		return false;
	for (int words = 0; words < 3; words++)
		word = piece_last_word(&line);
	return piece_is_device(word);
}

/* Takes the times off the left. */
static bool read_times(struct run *run, struct piece *line, struct trace_record *record)
{
	uint64_t start, end;

	record->time_ns = run->last_ns;
	if (run->has_start && !piece_scaled(piece_word(line), 9, &start))
		return false;
	if (run->has_end && !piece_scaled(piece_word(line), 9, &end))
		return false;
	if (run->has_start)
		record->time_ns = start;
	if (run->has_start && run->has_end && end >= start)
		record->latency_ns = end - start;
	if (run->has_end && !run->has_start)
		record->time_ns = end > record->latency_ns ? end - record->latency_ns : 0;
	run->timeless += !run->has_start && !run->has_end;
	run->last_ns = record->time_ns;
	return true;
}

static enum line_kind read_line(void *context, struct piece line, const char **reason)
{
	struct run *run = context;
	struct trace_record *record = &run->snoop.row.record;

	*record = (struct trace_record){0};
	if (is_heading(run, line))
		return line_other(reason, "headings");
	if (!looks_like_row(line))
		return line_other(reason, "text that is no event");
	if (!piece_scaled(piece_last_word(&line), 6, &record->latency_ns) ||
	    !read_times(run, &line, record))
		return line_bad(reason, "time or latency is not an unsigned number");
	*reason = snoop_read_io(&line, false, &run->snoop);
	return *reason ? LINE_BAD : LINE_ROW;
}

static const struct line_reader reader = {read_line, snoop_give};

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct run run = {0};

	(void)name;
	return lines_recognise(&reader, &run, data, bytes) * 85 / 100;
}

static void describe(struct run *run)
{
	const struct import_facts facts = {
		.format = "perf-tools iosnoop",
		.time_unit = "s of the trace clock",
		.time_meaning = run->has_start ? "issue"
				: run->has_end ? "completion; issue = time - latency, exact to "
						 "10 us"
					       : "not there",
		.events = "one line for each I/O",
		.offset_unit = "sectors of 512 B",
	};

	op_report(run->snoop.import, &facts);
	if (run->timeless)
		trace_report_note(run->snoop.import->report,
				  "%llu rows have no time (iosnoop without -s): they got that of "
				  "the row before",
				  (unsigned long long)run->timeless);
}

static int import_lines(struct trace_import *import, struct error *err)
{
	struct run run = {.snoop.import = import};
	int result = lines_import(import, &reader, &run, err);

	describe(&run);
	return result;
}

const struct trace_importer import_iosnoop = {
	.name = "iosnoop",
	.description = "perf-tools iosnoop: [STARTs] [ENDs] COMM PID TYPE DEV BLOCK BYTES LATms",
	.recognise = recognise,
	.import = import_lines,
};
