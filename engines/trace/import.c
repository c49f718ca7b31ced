/* SPDX-License-Identifier: GPL-2.0-only */
/* An import from the first file to the last: find the format, run its importer, judge the result.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "engines/trace/import_cause.h"
#include "engines/trace/sink_internal.h"
#include "engines/trace/text_internal.h"

#define RECOGNISE_BYTES 65536
#define MAX_IMPORTERS	64

static const struct trace_importer *importer_by_name(const char *name, struct error *err)
{
	const char *names[MAX_IMPORTERS];
	unsigned i;

	for (i = 0; i < trace_importer_count && i < MAX_IMPORTERS; i++) {
		names[i] = trace_importers[i]->name;
		if (!strcmp(names[i], name))
			return trace_importers[i];
	}
	error_unknown(err, "format", name, names, i);
	return NULL;
}

/* How sure importer is of the file that source has just been opened on; -1 with err. */
static int certainty(const struct trace_importer *importer, struct trace_source *source,
		     struct error *err)
{
	const unsigned char *data;
	size_t got;

	if (trace_source_peek(source, RECOGNISE_BYTES, &data, &got, err))
		return -1;
	if (!got)
		return error_set(err, "%s is empty", trace_source_name(source));
	return importer->recognise(data, got, trace_source_name(source));
}

/* Names what the file is, when that is known. */
static int not_recognised(struct trace_source *source, struct error *err)
{
	const unsigned char *data;
	const char *cause;
	size_t got;

	if (trace_source_peek(source, RECOGNISE_BYTES, &data, &got, err))
		return -1;
	cause = import_cause(data, got);
	if (cause)
		return error_set(err, "%s: byte 0: this is %s", trace_source_name(source), cause);
	return error_set(err,
			 "%s: byte 0: no known trace format begins like this; --format names one, "
			 "--columns describes any CSV",
			 trace_source_name(source));
}

static const struct trace_importer *recognise(struct trace_source *source, struct error *err)
{
	const struct trace_importer *best = NULL;
	int sure, surest = 0;
	unsigned i;

	for (i = 0; i < trace_importer_count; i++) {
		sure = certainty(trace_importers[i], source, err);
		if (sure < 0)
			return NULL;
		if (sure > surest) {
			surest = sure;
			best = trace_importers[i];
		}
	}
	if (!best)
		not_recognised(source, err);
	return best;
}

static const struct trace_importer *
choose(struct trace_source *source, const struct trace_import_options *options, struct error *err)
{
	if (options->format)
		return importer_by_name(options->format, err);
	if (options->columns)
		return importer_by_name("csv", err);
	return options->line_format ? importer_by_name("blkparse", err) : recognise(source, err);
}

/* Opens a file after the first; it must be of the same format, unless one was named. */
static int open_next(struct trace_import *import, const char *path, struct trace_source **source,
		     struct error *err)
{
	const struct trace_importer *importer = import->sink->importer;
	int sure = 1;

	if (trace_source_open(path, source, err))
		return -1;
	if (!import->options->format && !import->options->columns && !import->options->line_format)
		sure = certainty(importer, *source, err);
	if (sure == 0)
		error_set(err,
			  "%s is not in the format of the first file, %s; import them apart, then "
			  "ssdreview trace merge",
			  path, importer->name);
	if (sure > 0)
		return 0;
	trace_source_close(*source);
	*source = NULL;
	return -1;
}

/* One file after the other. */
static int import_each(struct trace_import *import, struct trace_source **first,
		       const char *const *paths, unsigned count, struct error *err)
{
	struct trace_source *source = *first;
	unsigned i;
	int failed = 0;

	*first = NULL;
	import->sources = &source;
	import->source_count = 1;
	for (i = 0; i < count && !failed; i++) {
		failed = i && open_next(import, paths[i], &source, err);
		if (failed)
			break;
		failed = import->sink->importer->import(import, err);
		trace_source_close(source);
	}
	return failed ? -1 : 0;
}

static int import_together(struct trace_import *import, struct trace_source **first,
			   const char *const *paths, unsigned count, struct error *err)
{
	unsigned i;
	int failed = 0;

	import->sources = calloc(count, sizeof(*import->sources));
	if (!import->sources)
		return error_set(err, "out of memory");
	import->sources[0] = *first;
	import->source_count = count;
	*first = NULL;
	for (i = 1; i < count && !failed; i++)
		failed = open_next(import, paths[i], &import->sources[i], err);
	if (!failed)
		failed = import->sink->importer->import(import, err);
	for (i = 0; i < count; i++)
		trace_source_close(import->sources[i]);
	free(import->sources);
	return failed ? -1 : 0;
}

/* What the filters could have let through: the devices there are, as many as fit. */
static const char *filters_passed(const struct trace_import *import, char *text, size_t room)
{
	const struct trace_sink *sink = import->sink;
	size_t used;
	unsigned i;

	if (!import->report->filtered)
		return "";
	used = (size_t)snprintf(text, room, " passes the filters; its devices:");
	for (i = 0; i < sink->device_count && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, " %s", sink->devices[i].name);
	return text;
}

/* Is what came out worth keeping? */
static int judge(const struct trace_import *import, const char *path, struct error *err)
{
	const struct trace_report *report = import->report;
	const struct trace_sink *sink = import->sink;
	uint64_t span_ns = sink->latest_ns - sink->earliest_ns,
		 stated = import->options->expected_ns;
	struct trace_text is, should;
	char devices[200];
	unsigned i;

	for (i = 0; i < report->reasons && sink->bad * 100 > report->rows_in; i++)
		if (report->reason[i].bad)
			return error_set(err, "%s: %s; %llu of %llu rows are damaged",
					 report->reason[i].first, report->reason[i].reason,
					 (unsigned long long)sink->bad,
					 (unsigned long long)report->rows_in);
	if (!report->rows_out)
		return error_set(err, "%s: no I/O in %s rows of %s%s", path,
				 trace_text_count(&is, report->rows_in), sink->importer->name,
				 filters_passed(import, devices, sizeof(devices)));
	if (stated && span_ns / 100 > stated)
		return error_set(err,
				 "%s spans %s where %s were stated: the time unit is wrong, see "
				 "--time-unit",
				 path, trace_text_seconds(&is, (double)span_ns / 1e9),
				 trace_text_seconds(&should, (double)stated / 1e9));
	return 0;
}

static void join(char *to, size_t room, const char *const *words, unsigned count)
{
	size_t used = 0;
	unsigned i;

	for (i = 0; i < count && used < room; i++)
		used += (size_t)snprintf(to + used, room - used, "%s%s", i ? " " : "", words[i]);
}

static int mark_phases(const struct trace_import *import, struct error *err)
{
	const struct trace_import_options *options = import->options;
	unsigned i;

	for (i = 0; i < options->phase_count; i++)
		if (trace_writer_phase(import->sink->writer, options->phases[i].name,
				       import->sink->earliest_ns + options->phases[i].start_ns,
				       err))
			return -1;
	return 0;
}

/* A capture that says what it is says at its end what it lost. */
static void note_loss(struct trace_import *import)
{
	static const char ended[] =
		"the capture did not come to its end: whether it lost events is not known";
	struct trace_provenance *given = &import->given;
	size_t length = strlen(given->note);
	struct trace_text count;

	if (import->lost)
		trace_report_note(import->report,
				  "the capture lost %s events: the trace is not whole",
				  trace_text_count(&count, import->lost));
	if (!given->source[0] || import->lost_said)
		return;
	snprintf(given->note + length, sizeof(given->note) - length, "%s%s", length ? "; " : "",
		 ended);
	trace_report_note(import->report, "%s", ended);
}

/* Windows count from the first record, which is known when all are sorted: of those, a part. */
static int finish_part(struct trace_import *import, struct trace_writer *writer, struct error *err)
{
	struct trace_report *report = import->report;
	struct trace *whole, *part;
	int failed;

	if (trace_writer_reopen(writer, &whole, err))
		return -1;
	failed = trace_cut(whole, import->options->cut, import->sink->to, err);
	trace_close(whole);
	if (failed || trace_open(import->sink->to, &part, err))
		return -1;
	report->filtered += report->rows_out - trace_header(part)->records;
	report->rows_out = trace_header(part)->records;
	trace_close(part);
	return 0;
}

static int finish(struct trace_import *import, const char *const *paths, unsigned count,
		  struct error *err)
{
	struct trace_provenance from;
	struct trace_writer *writer = import->sink->writer;

	note_loss(import);
	if (!writer) {
		if (import->options->cut)
			trace_report_note(import->report,
					  "a dry run counts all rows: --from, --to and --range "
					  "choose among those that were written");
		return 0;
	}
	if (mark_phases(import, err))
		return -1;
	from = import->given;
	if (!from.source[0])
		join(from.source, sizeof(from.source), paths, count);
	snprintf(from.format, sizeof(from.format), "%s", import->report->format);
	snprintf(from.event_class, sizeof(from.event_class), "%s", import->report->event_class);
	if (import->options->converter)
		snprintf(from.converter, sizeof(from.converter), "%s", import->options->converter);
	if (import->options->note)
		snprintf(from.note, sizeof(from.note), "%s", import->options->note);
	trace_writer_provenance(writer, &from);
	trace_writer_lost(writer, import->lost);
	import->sink->writer = NULL;
	return import->options->cut ? finish_part(import, writer, err)
				    : trace_writer_finish(writer, err);
}

static int run(struct trace_import *import, struct trace_source **first, const char *const *paths,
	       unsigned count, struct error *err)
{
	import->sink->importer = choose(*first, import->options, err);
	if (!import->sink->importer)
		return -1;
	snprintf(import->report->format, sizeof(import->report->format), "%s",
		 import->sink->importer->name);
	if (import->sink->importer->together ? import_together(import, first, paths, count, err)
					     : import_each(import, first, paths, count, err))
		return -1;
	return judge(import, paths[0], err) ? -1 : finish(import, paths, count, err);
}

static int import_paths(const char *const *paths, unsigned count, const char *to,
			const struct trace_import_options *options, struct trace_report *report,
			struct error *err)
{
	struct trace_sink sink = {.to = to};
	struct trace_import import = {.options = options, .report = report, .sink = &sink};
	struct trace_source *first;
	int failed;

	if (trace_source_open(paths[0], &first, err))
		return -1;
	failed = run(&import, &first, paths, count, err);
	trace_source_close(first);
	sink_free(&sink);
	return failed;
}

/* blktrace leaves an empty file for each CPU that did nothing. */
static bool is_of_idle_cpu(const char *path)
{
	struct stat st;

	return strstr(path, ".blktrace.") && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_size == 0;
}

int trace_import_files(const char *const *paths, unsigned count, const char *to,
		       const struct trace_import_options *options, struct trace_report *report,
		       struct error *err)
{
	const char **busy = calloc(count, sizeof(*busy));
	unsigned i, busy_count = 0;
	int failed;

	memset(report, 0, sizeof(*report));
	if (!busy)
		return error_set(err, "out of memory");
	for (i = 0; i < count; i++)
		if (!is_of_idle_cpu(paths[i]))
			busy[busy_count++] = paths[i];
	if (busy_count)
		failed = import_paths(busy, busy_count, to, options, report, err);
	else
		failed = import_paths(paths, count, to, options, report, err);
	free(busy);
	return failed;
}
