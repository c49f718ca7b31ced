/* SPDX-License-Identifier: GPL-2.0-only */
/* blkparse's text, default or with a -f format, and the text of the kernel's own blk tracer. */
#include "engines/trace/import_blkparse.h"

struct run {
	struct trace_import *import;
	struct events *events;
	struct blkparse_format format;
	bool formatted;
};

static enum blkparse_line read_line(const struct run *run, struct piece line, struct event *event,
				    const char **reason)
{
	if (!run->formatted)
		return blkparse_default(line, event, reason);
	return blkparse_formatted(&run->format, EVENT_ISSUE, line, event, reason);
}

/* blkparse ends with a summary, each part of which begins in one of these ways. */
static bool is_summary(struct piece line)
{
	static const char *const starts[] = {
		"CPU", "Total (", "Throughput (R/W)", "Events (",   "Skips: ", "Input file ",
		"#",   " Read",	  " Write",	      " IO unplugs"};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (piece_starts(line, starts[i]))
			return true;
	line = piece_trim(line);
	return line.at == line.end;
}

static int take_line(struct run *run, struct piece line, struct error *err)
{
	struct trace_source *source = run->import->sources[0];
	struct event event;
	const char *reason;

	if (run->formatted && is_summary(line)) {
		trace_import_skip(run->import, source, "text that is no event (headings, summary)");
		return 0;
	}
	switch (read_line(run, line, &event, &reason)) {
	case BLKPARSE_EVENT:
		return events_add(run->events, source, &event, err);
	case BLKPARSE_OTHER:
		trace_import_skip(run->import, source, reason);
		return 0;
	default:
		return trace_import_bad(run->import, source, reason, err);
	}
}

static int take_lines(struct run *run, struct error *err)
{
	size_t length;
	char *line;
	int got;

	while ((got = trace_source_line(run->import->sources[0], &line, &length, err)) > 0)
		if (take_line(run, (struct piece){line, line + length}, err))
			return -1;
	return got < 0 ? -1 : events_finish(run->events, err);
}

static void describe(const struct run *run)
{
	struct trace_report *report = run->import->report;

	snprintf(report->format, sizeof(report->format), "blkparse text%s",
		 run->formatted ? " (-f)" : "");
	snprintf(report->time_unit, sizeof(report->time_unit), "s.ns since the first event");
	snprintf(report->offset_unit, sizeof(report->offset_unit), "sectors of 512 B");
	if (run->formatted && !run->format.has_action)
		trace_report_note(report,
				  "the format has no %%a: every line is taken for an issued "
				  "I/O");
}

static int import_lines(struct trace_import *import, struct error *err)
{
	const char *format = import->options->line_format;
	struct run run = {.import = import, .formatted = format};
	int result;

	if (format && blkparse_format_parse(format, &run.format, err))
		return -1;
	run.events = events_begin(import, err);
	if (!run.events)
		return -1;
	describe(&run);
	result = take_lines(&run, err);
	events_free(run.events);
	return result;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct piece rest = piece_whole_lines(data, bytes, TRACE_PEEK_BYTES), line;
	unsigned events = 0, bad = 0, lines = 0;
	const char *reason;
	struct event event;

	(void)name;
	while (lines++ < 500 && piece_line(&rest, &line)) {
		enum blkparse_line found = blkparse_default(line, &event, &reason);
		struct piece first = piece_word(&line);

		events += found == BLKPARSE_EVENT ||
			  (found == BLKPARSE_OTHER && piece_is_device(first));
		bad += found == BLKPARSE_BAD;
	}
	return events ? (int)(90 * events / (events + bad)) : 0;
}

const struct trace_importer import_blkparse = {
	.name = "blkparse",
	.description = "blkparse text, also of any -f format; the kernel's blk tracer",
	.recognise = recognise,
	.import = import_lines,
};
