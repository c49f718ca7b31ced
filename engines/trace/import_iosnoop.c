/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf-tools' iosnoop: [STARTs] [ENDs] COMM PID TYPE DEV BLOCK BYTES LATms. The headings say which
 * times there are; without any (no -s, no -t) rows keep their order only.
 */
#include "engines/trace/import_snoop.h"

struct run {
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

static enum snoop_line read_line(void *state, struct piece line, struct snoop_row *row,
				 const char **reason)
{
	struct run *run = state;

	*row = (struct snoop_row){0};
	*reason = "headings";
	if (is_heading(run, line))
		return SNOOP_TEXT;
	*reason = "text that is no event";
	if (!looks_like_row(line))
		return SNOOP_TEXT;
	*reason = "time or latency is not an unsigned number";
	if (!piece_scaled(piece_last_word(&line), 6, &row->row.record.latency_ns) ||
	    !read_times(run, &line, &row->row.record))
		return SNOOP_BAD;
	*reason = snoop_read_io(&line, false, row);
	return *reason ? SNOOP_BAD : SNOOP_ROW;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct run run = {0};

	(void)name;
	return snoop_recognise(read_line, &run, data, bytes) * 85 / 100;
}

static int import_lines(struct trace_import *import, struct error *err)
{
	struct trace_report *report = import->report;
	struct run run = {0};
	int result;

	snprintf(report->format, sizeof(report->format), "perf-tools iosnoop");
	snprintf(report->time_unit, sizeof(report->time_unit), "s of the trace clock");
	snprintf(report->event_class, sizeof(report->event_class), "one line for each I/O");
	snprintf(report->offset_unit, sizeof(report->offset_unit), "sectors of 512 B");
	result = snoop_import(import, read_line, &run, err);
	snprintf(report->time_meaning, sizeof(report->time_meaning), "%s",
		 run.has_start ? "issue"
		 : run.has_end ? "completion; issue = time - latency, exact to 10 us"
			       : "not there");
	if (run.timeless)
		trace_report_note(report,
				  "%llu rows have no time (iosnoop without -s): they got that "
				  "of the row before",
				  (unsigned long long)run.timeless);
	return result;
}

const struct trace_importer import_iosnoop = {
	.name = "iosnoop",
	.description = "perf-tools iosnoop: [STARTs] [ENDs] COMM PID TYPE DEV BLOCK BYTES LATms",
	.recognise = recognise,
	.import = import_lines,
};
