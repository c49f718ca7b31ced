/* SPDX-License-Identifier: GPL-2.0-only */
/* Making traces out of traces: a part of one, or several together. */
#include <stdlib.h>

#include "engines/trace/trace.h"

/* Adds a word to a list in a text, unless it is there. */
static void add_word(char *text, size_t room, const char *word)
{
	size_t used = strlen(text);

	if (!strstr(text, word))
		snprintf(text + used, room - used, "%s%s", used ? ", " : "", word);
}

/* A trace that comes from all of these: synthetic when one of them is. */
static int begin(struct trace *const *traces, unsigned count, bool plain, const char *to,
		 struct trace_writer **writer, struct error *err)
{
	struct trace_writer_options options = {.compress = !plain,
					       .clock = trace_header(traces[0])->clock};
	struct trace_provenance from = {0};
	uint64_t lost = 0;
	unsigned i;

	for (i = 0; i < count; i++) {
		const struct trace_header *header = trace_header(traces[i]);

		options.synthetic |= header->synthetic;
		lost += header->lost;
		add_word(from.source, sizeof(from.source), header->provenance.source);
		add_word(from.format, sizeof(from.format), header->provenance.format);
		add_word(from.event_class, sizeof(from.event_class),
			 header->provenance.event_class);
		add_word(from.converter, sizeof(from.converter), header->provenance.converter);
		add_word(from.note, sizeof(from.note), header->provenance.note);
	}
	if (trace_writer_open(to, &options, writer, err))
		return -1;
	trace_writer_provenance(*writer, &from);
	trace_writer_lost(*writer, lost);
	return 0;
}

/* Which streams stay, as the new number of each or -1. */
static int choose_streams(struct trace *trace, const struct trace_cut *cut,
			  struct trace_writer *writer, int *map, struct error *err)
{
	unsigned i, count = trace_header(trace)->streams;

	for (i = 0; i < count; i++)
		map[i] = cut->stream_count ? -1 : 0;
	for (i = 0; i < cut->stream_count; i++) {
		int number = trace_stream_find(trace, cut->streams[i], err);

		if (number < 0)
			return -1;
		map[number] = 0;
	}
	for (i = 0; i < count; i++) {
		const struct trace_stream *stream = trace_stream(trace, i);

		if (map[i] < 0)
			continue;
		map[i] = trace_writer_stream(writer, stream->name, stream->size_bytes, err);
		if (map[i] < 0)
			return -1;
	}
	return 0;
}

/* The window that cut asks for, in the trace's time. */
static int window(const struct trace *trace, const struct trace_cut *cut, uint64_t *from_ns,
		  uint64_t *to_ns, struct error *err)
{
	uint64_t end_ns;

	*from_ns = 0;
	*to_ns = UINT64_MAX;
	if (cut->phase && trace_phase_window(trace, cut->phase, from_ns, to_ns, err))
		return -1;
	end_ns = cut->to_ns ? *from_ns + cut->to_ns : UINT64_MAX;
	*from_ns += cut->from_ns;
	if (end_ns < *to_ns)
		*to_ns = end_ns;
	return 0;
}

/* Marks in the window; the phase that goes on when the window opens begins there. */
static int copy_phases(const struct trace *trace, uint64_t from_ns, uint64_t to_ns,
		       uint64_t base_ns, struct trace_writer *writer, struct error *err)
{
	unsigned i, count = trace_header(trace)->phases;

	for (i = 0; i < count; i++) {
		const struct trace_phase *phase = trace_phase(trace, i);
		uint64_t start_ns = phase->start_ns > from_ns ? phase->start_ns : from_ns;

		if (phase->start_ns >= to_ns ||
		    (i + 1 < count && trace_phase(trace, i + 1)->start_ns <= from_ns))
			continue;
		if (trace_writer_join_phase(writer, phase->name, base_ns + start_ns, err))
			return -1;
	}
	return 0;
}

/* Copies the records of [from_ns, to_ns) that map and the range of cut let through. */
static int copy_records(struct trace *trace, const struct trace_cut *cut, uint64_t from_ns,
			uint64_t to_ns, const int *map, struct trace_writer *writer,
			struct error *err)
{
	uint64_t to_byte = cut->to_byte ? cut->to_byte : UINT64_MAX;
	uint64_t base_ns = trace_header(trace)->start_ns;
	struct trace_cursor cursor;
	struct trace_record record;
	int got, failed = 0;

	trace_cursor_open(trace, &cursor);
	got = trace_seek_time(&cursor, from_ns) ? -1 : 1;
	while (!failed && got > 0 && (got = trace_next(&cursor, &record)) > 0 &&
	       record.time_ns < to_ns) {
		if (map[record.stream] < 0 || record.offset < cut->from_byte ||
		    record.offset >= to_byte)
			continue;
		record.stream = (uint16_t)map[record.stream];
		record.time_ns += base_ns;
		failed = trace_writer_append(writer, &record, err);
	}
	if (got < 0)
		*err = cursor.error;
	trace_cursor_close(&cursor);
	return got < 0 ? -1 : failed;
}

static int cut_to(struct trace *trace, const struct trace_cut *cut, int *map,
		  struct trace_writer *writer, struct error *err)
{
	uint64_t from_ns, to_ns;

	if (choose_streams(trace, cut, writer, map, err) ||
	    window(trace, cut, &from_ns, &to_ns, err) ||
	    copy_phases(trace, from_ns, to_ns, trace_header(trace)->start_ns, writer, err) ||
	    copy_records(trace, cut, from_ns, to_ns, map, writer, err))
		return -1;
	if (trace_writer_records(writer))
		return 0;
	return error_set(err,
			 "%s lasts %.6g s, and no record of it is in the part that is asked for",
			 trace_path(trace), (double)trace_header(trace)->duration_ns / 1e9);
}

int trace_cut(struct trace *trace, const struct trace_cut *cut, const char *to, struct error *err)
{
	int *map = calloc(trace_header(trace)->streams, sizeof(*map));
	struct trace_writer *writer;
	int failed;

	if (!map)
		return error_set(err, "out of memory");
	failed = begin(&trace, 1, cut->plain, to, &writer, err);
	if (!failed) {
		failed = cut_to(trace, cut, map, writer, err);
		if (failed)
			trace_writer_abandon(writer);
		else
			failed = trace_writer_finish(writer, err);
	}
	free(map);
	return failed;
}

/* Has a trace other than number `at` a stream of this name? */
static bool is_shared_name(struct trace *const *traces, unsigned count, unsigned at,
			   const char *name)
{
	unsigned i, j;

	for (i = 0; i < count; i++)
		for (j = 0; i != at && j < trace_header(traces[i])->streams; j++)
			if (!strcmp(trace_stream(traces[i], j)->name, name))
				return true;
	return false;
}

static int merge_streams(struct trace *const *traces, unsigned count, unsigned at,
			 struct trace_writer *writer, int *map, struct error *err)
{
	unsigned i, streams = trace_header(traces[at])->streams;

	for (i = 0; i < streams; i++) {
		const struct trace_stream *stream = trace_stream(traces[at], i);
		char name[TRACE_NAME_BYTES];

		snprintf(name, sizeof(name), "%.240s", stream->name);
		if (is_shared_name(traces, count, at, stream->name))
			snprintf(name, sizeof(name), "%.240s.%u", stream->name, at + 1);
		map[i] = trace_writer_stream(writer, name, stream->size_bytes, err);
		if (map[i] < 0)
			return -1;
	}
	return 0;
}

/* Copies one trace, moved so that its first record comes at base_ns. */
static int merge_one(struct trace *const *traces, unsigned count, unsigned at, uint64_t base_ns,
		     struct trace_writer *writer, struct error *err)
{
	struct trace *trace = traces[at];
	int *map = calloc(trace_header(trace)->streams, sizeof(*map));
	struct trace_cursor cursor;
	struct trace_record record;
	int got = -1, failed = 0;

	if (!map)
		return error_set(err, "out of memory");
	if (!merge_streams(traces, count, at, writer, map, err) &&
	    !copy_phases(trace, 0, UINT64_MAX, base_ns, writer, err)) {
		trace_cursor_open(trace, &cursor);
		while (!failed && (got = trace_next(&cursor, &record)) > 0) {
			record.stream = (uint16_t)map[record.stream];
			record.time_ns += base_ns;
			failed = trace_writer_append(writer, &record, err);
		}
		if (got < 0)
			*err = cursor.error;
		trace_cursor_close(&cursor);
	}
	free(map);
	return got < 0 || failed ? -1 : 0;
}

int trace_merge(struct trace *const *traces, unsigned count, bool by_clock, const char *to,
		struct error *err)
{
	struct trace_writer *writer;
	int failed = 0;
	unsigned i;

	for (i = 0; i < count && by_clock; i++)
		if (trace_header(traces[i])->clock == TRACE_CLOCK_UNKNOWN)
			return error_set(err,
					 "%s has no time of day to be put in its place by; "
					 "merge without --by-clock",
					 trace_path(traces[i]));
	if (begin(traces, count, false, to, &writer, err))
		return -1;
	for (i = 0; i < count && !failed; i++)
		failed = merge_one(traces, count, i,
				   trace_header(traces[by_clock ? i : 0])->start_ns, writer, err);
	if (!failed)
		return trace_writer_finish(writer, err);
	trace_writer_abandon(writer);
	return -1;
}
