/* SPDX-License-Identifier: GPL-2.0-only */
/* blkparse's text, default or with a -f format, and the text of the kernel's own blk tracer. */
#include "engines/trace/import_blkparse.h"

struct run {
	struct trace_import *import;
	struct events *events;
	struct event event; /* of the present line */
	struct blkparse_format format;
	bool formatted;
};

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

static enum line_kind read_line(void *context, struct piece line, const char **reason)
{
	struct run *run = context;

	if (!run->formatted)
		return blkparse_default(line, &run->event, reason);
	if (is_summary(line))
		return line_other(reason, "text that is no event (headings, summary)");
	return blkparse_formatted(&run->format, EVENT_ISSUE, line, &run->event, reason);
}

static int give_event(void *context, struct error *err)
{
	struct run *run = context;

	return events_add(run->events, run->import->sources[0], &run->event, err);
}

static const struct line_reader reader = {read_line, give_event};

static void describe(const struct run *run)
{
	const struct import_facts facts = {
		.format = run->formatted ? "blkparse text (-f)" : "blkparse text",
		.time_unit = "s.ns since the first event",
		.offset_unit = "sectors of 512 B",
	};

	op_report(run->import, &facts);
	if (run->formatted && !run->format.has_action)
		trace_report_note(run->import->report,
				  "the format has no %%a: every line is taken for an issued I/O");
}

static int import_lines(struct trace_import *import, struct error *err)
{
	const char *format = import->options->line_format;
	struct run run = {.import = import, .formatted = format};

	if (format && blkparse_format_parse(format, &run.format, err))
		return -1;
	describe(&run);
	return events_import_lines(import, &reader, &run, &run.events, err);
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct run run = {0};

	(void)name;
	return lines_recognise(&reader, &run, data, bytes) * 90 / 100;
}

const struct trace_importer import_blkparse = {
	.name = "blkparse",
	.description = "blkparse text, also of any -f format; the kernel's blk tracer",
	.recognise = recognise,
	.import = import_lines,
};
