/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bcc's biosnoop: TIME(s) COMM PID DISK T SECTOR BYTES [QUE(ms)] LAT(ms). TIME is the completion,
 * LAT goes back to the issue; it has two decimals, so the issue is known to 10 us.
 */
#include "engines/trace/import_snoop.h"

/* Rows begin in the first column with seconds of six decimals. */
static bool looks_like_row(struct piece line)
{
	struct piece time = piece_word(&line);
	const char *point = memchr(time.at, '.', piece_length(time));
	uint64_t ns;

	return point && time.end - point == 7 && piece_scaled(time, 9, &ns);
}

static bool has_point(struct piece word)
{
	return memchr(word.at, '.', piece_length(word));
}

static enum snoop_line read_line(void *state, struct piece line, struct snoop_row *row,
				 const char **reason)
{
	struct piece latency, time, queued, look;
	struct trace_record *record = &row->row.record;
	uint64_t end_ns;

	(void)state;
	*row = (struct snoop_row){0};
	*reason = "text that is no event";
	if (!looks_like_row(line))
		return SNOOP_TEXT;
	time = piece_word(&line);
	latency = piece_last_word(&line);
	look = line;
	queued = piece_last_word(&look);
	if (has_point(queued))
		line = look;
	*reason = "time or latency is not an unsigned number";
	if (!piece_scaled(time, 9, &end_ns) || !has_point(latency) ||
	    !piece_scaled(latency, 6, &record->latency_ns))
		return SNOOP_BAD;
	if (!op_issue_time(end_ns, record->latency_ns, &record->time_ns))
		return SNOOP_BAD;
	*reason = snoop_read_io(&line, true, row);
	return *reason ? SNOOP_BAD : SNOOP_ROW;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return snoop_recognise(read_line, NULL, data, bytes) * 85 / 100;
}

static int import_lines(struct trace_import *import, struct error *err)
{
	struct trace_report *report = import->report;

	snprintf(report->format, sizeof(report->format), "bcc biosnoop");
	snprintf(report->time_unit, sizeof(report->time_unit), "s since the first event");
	snprintf(report->time_meaning, sizeof(report->time_meaning),
		 "completion; issue = time - latency, exact to 10 us");
	snprintf(report->event_class, sizeof(report->event_class), "one line for each I/O");
	snprintf(report->offset_unit, sizeof(report->offset_unit), "sectors of 512 B");
	return snoop_import(import, read_line, NULL, err);
}

const struct trace_importer import_biosnoop = {
	.name = "biosnoop",
	.description = "bcc biosnoop: TIME COMM PID DISK T SECTOR BYTES [QUE] LAT",
	.recognise = recognise,
	.import = import_lines,
};
