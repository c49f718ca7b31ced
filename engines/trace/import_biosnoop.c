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

static enum line_kind read_line(void *context, struct piece line, const char **reason)
{
	struct snoop *snoop = context;
	struct trace_record *record = &snoop->row.record;
	struct piece latency, time, queued, look;
	uint64_t end_ns;

	*record = (struct trace_record){0};
	if (!looks_like_row(line))
		return line_other(reason, "text that is no event");
	time = piece_word(&line);
	latency = piece_last_word(&line);
	look = line;
	queued = piece_last_word(&look);
	if (has_point(queued))
		line = look;
	if (!piece_scaled(time, 9, &end_ns) || !has_point(latency) ||
	    !piece_scaled(latency, 6, &record->latency_ns) ||
	    !op_issue_time(end_ns, record->latency_ns, &record->time_ns))
		return line_bad(reason, "time or latency is not an unsigned number");
	*reason = snoop_read_io(&line, true, snoop);
	return *reason ? LINE_BAD : LINE_ROW;
}

static const struct line_reader reader = {read_line, snoop_give};

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct snoop snoop = {0};

	(void)name;
	return lines_recognise(&reader, &snoop, data, bytes) * 85 / 100;
}

static int import_lines(struct trace_import *import, struct error *err)
{
	static const struct import_facts facts = {
		.format = "bcc biosnoop",
		.time_unit = "s since the first event",
		.time_meaning = "completion; issue = time - latency, exact to 10 us",
		.events = "one line for each I/O",
		.offset_unit = "sectors of 512 B",
	};
	struct snoop snoop = {.import = import};

	op_report(import, &facts);
	return lines_import(import, &reader, &snoop, err);
}

const struct trace_importer import_biosnoop = {
	.name = "biosnoop",
	.description = "bcc biosnoop: TIME COMM PID DISK T SECTOR BYTES [QUE] LAT",
	.recognise = recognise,
	.import = import_lines,
};
