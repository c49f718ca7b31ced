/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The writer: a window of records puts small disorder right in memory; what comes later than that
 * goes aside and is merged when the trace is finished.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "engines/trace/sink_internal.h"
#include "engines/trace/vdt_internal.h"

#define MEMORY_BYTES (64u << 20)

struct trace_writer {
	char path[4096];
	uint32_t flags;
	struct vdt_output output;
	struct vdt_late late;
	struct vdt_record *window, *scratch; /* scratch holds half of room */
	size_t used, room;
	bool disordered;     /* the window is */
	uint64_t last_ns;    /* appended to the window */
	uint64_t written_ns; /* no earlier record can go into output any more */
	uint64_t records;
	uint32_t lost;
	struct trace_provenance provenance;
	struct trace_stream *streams;
	struct trace_phase *phases;
	unsigned stream_count, stream_room, phase_count;
};

/* Window, scratch of half of it, and as many late records share the memory. */
static int allocate(struct trace_writer *writer, size_t memory_bytes, struct error *err)
{
	size_t room = (memory_bytes ? memory_bytes : MEMORY_BYTES) * 2 / 5 / TRACE_RECORD_BYTES;

	writer->room = writer->late.room = room < 16 ? 16 : room;
	writer->window = malloc(writer->room * sizeof(*writer->window));
	writer->scratch = malloc((writer->room / 2 + 1) * sizeof(*writer->scratch));
	writer->late.scratch = writer->scratch;
	return writer->window && writer->scratch
		       ? 0
		       : error_set(err, "%s: out of memory", writer->path);
}

int trace_writer_open(const char *path, const struct trace_writer_options *options,
		      struct trace_writer **out, struct error *err)
{
	struct trace_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return error_set(err, "%s: out of memory", path);
	snprintf(writer->path, sizeof(writer->path), "%s", path);
	writer->late.fd = writer->output.file.fd = -1;
	writer->flags = (options->synthetic ? VDT_SYNTHETIC : 0) |
			(options->clock == TRACE_CLOCK_UNIX ? VDT_CLOCK_UNIX : 0);
	if (allocate(writer, options->memory_bytes, err) ||
	    vdt_output_open(&writer->output, path, NEW_FILE_PART, options->compress, err)) {
		trace_writer_abandon(writer);
		return -1;
	}
	*out = writer;
	return 0;
}

void trace_writer_abandon(struct trace_writer *writer)
{
	vdt_output_close(&writer->output);
	vdt_late_free(&writer->late);
	free(writer->window);
	free(writer->scratch);
	free(writer->streams);
	free(writer->phases);
	free(writer);
}

/* Copies a name that must fit and be printable. */
static int copy_name(char *to, size_t room, const char *name, const char *what, struct error *err)
{
	const char *at;

	if (!name[0] || strlen(name) >= room)
		return error_set(err, "the name of a %s has 1 to %zu bytes; \"%s\" has not", what,
				 room - 1, name);
	for (at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			return error_set(err, "the name of a %s holds a control character", what);
	memset(to, 0, room);
	memcpy(to, name, strlen(name));
	return 0;
}

int trace_writer_stream(struct trace_writer *writer, const char *name, uint64_t size_bytes,
			struct error *err)
{
	struct trace_stream stream = {.size_bytes = size_bytes}, *streams = writer->streams;

	if (copy_name(stream.name, sizeof(stream.name), name, "stream", err))
		return -1;
	if (writer->stream_count == TRACE_MAX_STREAMS)
		return error_set(err, "over %d streams; import fewer devices", TRACE_MAX_STREAMS);
	if (writer->stream_count == writer->stream_room) {
		writer->stream_room = writer->stream_room ? 2 * writer->stream_room : 16;
		streams = realloc(streams, writer->stream_room * sizeof(*streams));
		if (!streams)
			return error_set(err, "%s: out of memory", writer->path);
		writer->streams = streams;
	}
	streams[writer->stream_count] = stream;
	return (int)writer->stream_count++;
}

int trace_writer_phase(struct trace_writer *writer, const char *name, uint64_t start_ns,
		       struct error *err)
{
	struct trace_phase phase = {.start_ns = start_ns}, *phases;
	unsigned at = writer->phase_count;

	if (copy_name(phase.name, sizeof(phase.name), name, "phase", err))
		return -1;
	if (start_ns >= VDT_MAX_END)
		return error_set(err, "phase %s begins after 2^63 ns", name);
	if (at == TRACE_MAX_PHASES)
		return error_set(err, "over %d phases", TRACE_MAX_PHASES);
	phases = realloc(writer->phases, (at + 1) * sizeof(*phases));
	if (!phases)
		return error_set(err, "%s: out of memory", writer->path);
	writer->phases = phases;
	for (; at > 0 && phases[at - 1].start_ns > start_ns; at--)
		phases[at] = phases[at - 1];
	phases[at] = phase;
	writer->phase_count++;
	return 0;
}

/* Is name one of the names in "boot + steady"? */
static bool is_one_of(const char *name, const char *all)
{
	size_t length = strlen(name);
	const char *at = all;

	while ((at = strstr(at, name))) {
		bool begins = at == all || (at - all >= 3 && !strncmp(at - 3, " + ", 3));

		if (begins && (!at[length] || !strncmp(at + length, " + ", 3)))
			return true;
		at++;
	}
	return false;
}

int trace_writer_join_phase(struct trace_writer *writer, const char *name, uint64_t start_ns,
			    struct error *err)
{
	char both[2 * TRACE_PHASE_BYTES + 4];
	unsigned i;

	for (i = 0; i < writer->phase_count; i++) {
		struct trace_phase *phase = &writer->phases[i];

		if (phase->start_ns != start_ns)
			continue;
		if (is_one_of(name, phase->name))
			return 0;
		snprintf(both, sizeof(both), "%s + %s", phase->name, name);
		return copy_name(phase->name, sizeof(phase->name), both, "phase", err);
	}
	return trace_writer_phase(writer, name, start_ns, err);
}

/* Printable, and 0 behind its end, for the field is stored byte for byte. */
static void copy_text(char *to, size_t room, const char *from)
{
	memset(to, 0, room);
	snprintf(to, room, "%s", from);
	for (; *to; to++)
		if ((unsigned char)*to < ' ' || *to == 127)
			*to = '?';
}

void trace_writer_provenance(struct trace_writer *writer, const struct trace_provenance *from)
{
	struct trace_provenance *to = &writer->provenance;

	copy_text(to->source, sizeof(to->source), from->source);
	copy_text(to->format, sizeof(to->format), from->format);
	copy_text(to->event_class, sizeof(to->event_class), from->event_class);
	copy_text(to->converter, sizeof(to->converter), from->converter);
	copy_text(to->note, sizeof(to->note), from->note);
}

void trace_writer_lost(struct trace_writer *writer, uint64_t events)
{
	uint64_t lost = events > UINT32_MAX ? UINT32_MAX : writer->lost + events;

	writer->lost = lost > UINT32_MAX ? UINT32_MAX : (uint32_t)lost;
}

uint64_t trace_writer_records(const struct trace_writer *writer)
{
	return writer->records;
}

/* Sorts the window and writes its first `count` records. */
static int window_write(struct trace_writer *writer, size_t count, struct error *err)
{
	size_t i;

	if (writer->disordered)
		vdt_sort(writer->window, writer->used, writer->scratch);
	writer->disordered = false;
	for (i = 0; i < count; i++)
		if (vdt_output_append(&writer->output, &writer->window[i], writer->streams, err))
			return -1;
	if (count)
		writer->written_ns = le64toh(writer->window[count - 1].time_ns);
	writer->used -= count;
	memmove(writer->window, writer->window + count, writer->used * sizeof(*writer->window));
	if (writer->used)
		writer->last_ns = le64toh(writer->window[writer->used - 1].time_ns);
	return 0;
}

const char *record_refusal(const struct trace_record *record)
{
	if (record->op >= TRACE_OPS)
		return "unknown operation";
	if (record->flags & ~VDT_FLAGS)
		return "unknown flag";
	if (record->time_ns >= VDT_MAX_END)
		return "negative time, or beyond 2^63 ns";
	if (record->offset >= VDT_MAX_END)
		return "negative offset, or beyond 2^63 bytes";
	if (record->length > TRACE_MAX_LENGTH)
		return "length beyond 2^48 bytes";
	return record->offset + record->length > VDT_MAX_END ? "end beyond 2^63 bytes" : NULL;
}

static struct vdt_record pack(const struct trace_record *record)
{
	uint64_t latency = record->latency_ns;

	if (latency > TRACE_NO_LATENCY)
		latency = TRACE_NO_LATENCY - 1;
	return (struct vdt_record){
		.time_ns = htole64(record->time_ns),
		.offset = htole64(record->offset),
		.length_op = htole64(record->length | (uint64_t)record->op << 48 |
				     (uint64_t)record->flags << 56),
		.latency_stream = htole64(latency | (uint64_t)record->stream << 48),
	};
}

int trace_writer_append(struct trace_writer *writer, const struct trace_record *record,
			struct error *err)
{
	const char *why = record_refusal(record);
	struct vdt_record packed;

	if (why || record->stream >= writer->stream_count)
		return error_set(err, "record %llu: %s", (unsigned long long)writer->records,
				 why ? why : "unknown stream");
	packed = pack(record);
	writer->records++;
	if (record->time_ns < writer->written_ns)
		return vdt_late_add(&writer->late, writer->path, &packed, err);
	if (writer->used && record->time_ns < writer->last_ns)
		writer->disordered = true;
	else
		writer->last_ns = record->time_ns;
	writer->window[writer->used++] = packed;
	return writer->used == writer->room ? window_write(writer, writer->room / 2, err) : 0;
}

/* The tables that end a file. Marks count from 0 of the capture's clock, as records do. */
static int finish_output(struct trace_writer *writer, struct vdt_output *output, struct error *err)
{
	struct vdt_tables tables = {
		.provenance = &writer->provenance,
		.streams = writer->streams,
		.phases = writer->phases,
		.stream_count = writer->stream_count,
		.phase_count = writer->phase_count,
		.flags = writer->flags,
		.lost = writer->lost,
	};

	return vdt_output_finish(output, &tables, err);
}

/* The ordered part becomes an input: a second file takes both parts. */
static int merge_late(struct trace_writer *writer, struct error *err)
{
	char ordered[sizeof(writer->path)];
	struct vdt_output second;
	unsigned i;

	if (finish_output(writer, &writer->output, err))
		return -1;
	for (i = 0; i < writer->stream_count; i++)
		writer->streams[i].records = writer->streams[i].end_bytes = 0;
	new_file_name(&writer->output.file, ordered, sizeof(ordered));
	if (vdt_output_open(&second, writer->path, NEW_FILE_PART "2", writer->output.compress,
			    err) ||
	    vdt_late_merge(&writer->late, writer->path, ordered, &second, writer->streams, err)) {
		vdt_output_close(&second);
		return -1;
	}
	vdt_output_close(&writer->output);
	writer->output = second;
	return 0;
}

/* The whole trace in one file, not yet at its path. */
static int finish(struct trace_writer *writer, struct error *err)
{
	struct vdt_output *output = &writer->output;

	if (window_write(writer, writer->used, err))
		return -1;
	if ((writer->late.used || writer->late.run_count) && merge_late(writer, err))
		return -1;
	return finish_output(writer, output, err);
}

int trace_writer_finish(struct trace_writer *writer, struct error *err)
{
	int failed = finish(writer, err) || new_file_publish(&writer->output.file, err);

	trace_writer_abandon(writer);
	return failed ? -1 : 0;
}

int trace_writer_reopen(struct trace_writer *writer, struct trace **trace, struct error *err)
{
	char name[sizeof(writer->path)];
	int failed = finish(writer, err);

	new_file_name(&writer->output.file, name, sizeof(name));
	if (!failed)
		failed = trace_open(name, trace, err);
	trace_writer_abandon(writer);
	return failed;
}
