/* SPDX-License-Identifier: GPL-2.0-only */
/* What an import decided, counted and left out. */
#include <stdarg.h>

#include "engines/trace/sink_internal.h"
#include "engines/trace/text_internal.h"

#define BAD_ROWS_EARLY 1000 /* so many, and over 1 % of all: the rest need not be read */

void trace_report_note(struct trace_report *report, const char *format, ...)
{
	va_list args;
	unsigned i;

	if (report->notes == TRACE_NOTES)
		return;
	va_start(args, format);
	vsnprintf(report->note[report->notes], sizeof(report->note[0]), format, args);
	va_end(args);
	/* Each of many files may have the same to say. */
	for (i = 0; strcmp(report->note[i], report->note[report->notes]) != 0; i++)
		;
	report->notes += i == report->notes;
}

/* Where in source the row just read stands: "file:line", or "file: byte N" when it is binary. */
static void row_place(const struct trace_import *import, const struct trace_source *source,
		      char *text, size_t room)
{
	if (import->sink->importer->binary)
		snprintf(text, room, "%s: byte %llu", trace_source_name(source),
			 (unsigned long long)trace_source_offset(source));
	else
		snprintf(text, room, "%s:%llu", trace_source_name(source),
			 (unsigned long long)trace_source_line_number(source));
}

/* The entry of a reason; the last one takes all that find no room. */
static struct trace_reason *find_reason(struct trace_report *report, const char *reason, bool bad)
{
	unsigned i;

	for (i = 0; i < report->reasons; i++)
		if (report->reason[i].bad == bad && (report->reason[i].reason == reason ||
						     !strcmp(report->reason[i].reason, reason)))
			return &report->reason[i];
	if (report->reasons == TRACE_REASONS)
		return &report->reason[TRACE_REASONS - 1];
	report->reason[report->reasons] = (struct trace_reason){.reason = reason, .bad = bad};
	return &report->reason[report->reasons++];
}

static void count_reason(struct trace_import *import, const struct trace_source *source,
			 const char *reason, bool bad)
{
	struct trace_reason *entry = find_reason(import->report, reason, bad);

	import->report->rows_in++;
	if (!entry->rows++)
		row_place(import, source, entry->first, sizeof(entry->first));
}

void trace_import_skip(struct trace_import *import, struct trace_source *source, const char *reason)
{
	count_reason(import, source, reason, false);
}

int trace_import_bad(struct trace_import *import, struct trace_source *source, const char *reason,
		     struct error *err)
{
	uint64_t bad = ++import->sink->bad;
	char place[600];

	count_reason(import, source, reason, true);
	row_place(import, source, place, sizeof(place));
	if (import->options->strict)
		return error_set(err, "%s: %s", place, reason);
	if (bad >= BAD_ROWS_EARLY && bad * 100 > import->report->rows_in)
		return error_set(err, "%s: %s; so far %llu of %llu rows are damaged", place, reason,
				 (unsigned long long)bad,
				 (unsigned long long)import->report->rows_in);
	return 0;
}

static void print_text(FILE *out, const char *what, const char *text)
{
	if (text[0])
		fprintf(out, "%-13s %s\n", what, text);
}

static void print_count(FILE *out, const char *what, uint64_t number)
{
	struct trace_text text;

	if (number)
		fprintf(out, "%-13s %s\n", what, trace_text_count(&text, number));
}

void trace_report_print(const struct trace_report *report, FILE *out)
{
	struct trace_text text;
	unsigned i;

	print_text(out, "format", report->format);
	print_text(out, "time unit", report->time_unit);
	print_text(out, "time is", report->time_meaning);
	print_text(out, "offset unit", report->offset_unit);
	print_text(out, "events", report->event_class);
	fprintf(out, "%-13s %s\n", "rows in", trace_text_count(&text, report->rows_in));
	fprintf(out, "%-13s %s\n", "rows out", trace_text_count(&text, report->rows_out));
	print_count(out, "filtered", report->filtered);
	print_count(out, "reordered", report->reordered);
	print_count(out, "flushes", report->flushes);
	print_count(out, "trims", report->trims);
	print_count(out, "split", report->split);
	print_count(out, "clipped", report->clipped);
	print_count(out, "devices", report->devices);
	for (i = 0; i < report->reasons; i++)
		fprintf(out, "%-13s %s: %s, first at %s\n",
			report->reason[i].bad ? "damaged" : "left out",
			trace_text_count(&text, report->reason[i].rows), report->reason[i].reason,
			report->reason[i].first);
	for (i = 0; i < report->notes; i++)
		fprintf(out, "%-13s %s\n", "note", report->note[i]);
}
