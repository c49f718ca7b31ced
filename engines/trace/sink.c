/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows on their way from an importer to the trace: filtered, counted, given a stream. */
#include <fnmatch.h>
#include <stdlib.h>

#include "engines/trace/sink_internal.h"

void sink_free(struct trace_sink *sink)
{
	unsigned i;

	if (sink->writer)
		trace_writer_abandon(sink->writer);
	for (i = 0; i < sink->device_count; i++)
		free(sink->devices[i].name);
	free(sink->devices);
	free(sink->hash);
	free(sink->phases);
}

/* ---- devices ------------------------------------------------------------------------------- */

/* FNV-1a. */
static uint32_t hash_name(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

/* The place in the hash table where name stands or would stand. */
static unsigned *hash_place(const struct trace_sink *sink, const char *name)
{
	unsigned at = hash_name(name) & (sink->hash_room - 1);

	while (sink->hash[at] && strcmp(sink->devices[sink->hash[at] - 1].name, name) != 0)
		at = (at + 1) & (sink->hash_room - 1);
	return &sink->hash[at];
}

/* Room for one more device; the hash table stays half empty. */
static int devices_grow(struct trace_sink *sink)
{
	unsigned room = sink->device_room ? 2 * sink->device_room : 16, i;
	struct sink_device *devices;
	unsigned *hash;

	if (sink->device_count < sink->device_room)
		return 0;
	devices = realloc(sink->devices, room * sizeof(*devices));
	if (!devices)
		return -1;
	sink->devices = devices;
	hash = calloc(2 * room, sizeof(*hash));
	if (!hash)
		return -1;
	free(sink->hash);
	sink->hash = hash;
	sink->hash_room = 2 * room;
	sink->device_room = room;
	for (i = 0; i < sink->device_count; i++)
		*hash_place(sink, devices[i].name) = i + 1;
	return 0;
}

/* Is text one of the words (shell patterns), or when it has a number that number? None: all are. */
static bool is_wanted(const char *text, long long number, const char *const *words, unsigned count)
{
	char digits[24];
	unsigned i;

	snprintf(digits, sizeof(digits), "%lld", number);
	for (i = 0; i < count; i++)
		if ((text && !fnmatch(words[i], text, 0)) ||
		    (number >= 0 && !strcmp(words[i], digits)))
			return true;
	return count == 0;
}

/* A name as a trace can hold it: printable, not empty, not too long. */
static void clean_name(const char *name, char *clean)
{
	snprintf(clean, TRACE_NAME_BYTES, "%s", name[0] ? name : "unnamed");
	for (; *clean; clean++)
		if ((unsigned char)*clean < ' ' || *clean == 127)
			*clean = '?';
}

static int device_add(struct trace_import *import, const char *name, uint64_t size_bytes,
		      struct error *err)
{
	const struct trace_import_options *options = import->options;
	struct trace_sink *sink = import->sink;
	unsigned number = sink->device_count;
	struct sink_device device = {.size_bytes = size_bytes, .stream = -1};

	if (number == TRACE_MAX_STREAMS)
		return error_set(err, "over %d devices; is this really %s?", TRACE_MAX_STREAMS,
				 sink->importer->name);
	device.name = strdup(name);
	if (!device.name || devices_grow(sink)) {
		free(device.name);
		return error_set(err, "out of memory");
	}
	device.wanted = is_wanted(name, number, options->devices, options->device_count);
	sink->devices[number] = device;
	*hash_place(sink, name) = ++sink->device_count;
	import->report->devices = sink->device_count;
	return (int)number;
}

/* Sets device_last when there is a device of that name. */
static bool is_known(struct trace_sink *sink, const char *name)
{
	unsigned place = sink->hash_room ? *hash_place(sink, name) : 0;

	if (place)
		sink->device_last = place - 1;
	return place;
}

int trace_import_device(struct trace_import *import, const char *name, uint64_t size_bytes,
			struct error *err)
{
	struct trace_sink *sink = import->sink;
	char clean[TRACE_NAME_BYTES];

	if (sink->device_count && !strcmp(sink->devices[sink->device_last].name, name))
		return (int)sink->device_last;
	/* Most names are clean as they come. */
	if (is_known(sink, name))
		return (int)sink->device_last;
	clean_name(name, clean);
	if (is_known(sink, clean))
		return (int)sink->device_last;
	return device_add(import, clean, size_bytes, err);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static int writer_begin(struct trace_import *import, struct error *err)
{
	struct trace_writer_options options = {.compress = !import->options->plain,
					       .clock = import->clock};
	struct trace_sink *sink = import->sink;
	unsigned i;

	if (trace_writer_open(sink->to, &options, &sink->writer, err))
		return -1;
	for (i = 0; i < sink->phase_count; i++)
		if (trace_writer_phase(sink->writer, sink->phases[i].name, sink->phases[i].start_ns,
				       err))
			return -1;
	return 0;
}

static int write_row(struct trace_import *import, const struct trace_record *record,
		     struct error *err)
{
	struct trace_sink *sink = import->sink;
	struct sink_device *device = &sink->devices[record->stream];
	struct trace_record kept = *record;

	if (import->options->dry_run)
		return 0;
	if (!sink->writer && writer_begin(import, err))
		return -1;
	if (device->stream < 0)
		device->stream =
			trace_writer_stream(sink->writer, device->name, device->size_bytes, err);
	if (device->stream < 0)
		return -1;
	kept.stream = (uint16_t)device->stream;
	return trace_writer_append(sink->writer, &kept, err);
}

static void count_row(struct trace_import *import, const struct trace_record *record)
{
	struct trace_report *report = import->report;
	struct trace_sink *sink = import->sink;

	if (!report->rows_out++)
		sink->earliest_ns = sink->latest_ns = record->time_ns;
	report->reordered += record->time_ns < sink->latest_ns;
	report->flushes += record->op == TRACE_FLUSH || (record->flags & TRACE_PREFLUSH);
	report->trims += record->op == TRACE_TRIM;
	if (record->time_ns > sink->latest_ns)
		sink->latest_ns = record->time_ns;
	if (record->time_ns < sink->earliest_ns)
		sink->earliest_ns = record->time_ns;
}

int trace_import_row(struct trace_import *import, struct trace_source *source,
		     const struct trace_row *row, struct error *err)
{
	const struct trace_import_options *options = import->options;
	const struct trace_sink *sink = import->sink;
	const char *why = record_refusal(&row->record);

	if (why)
		return trace_import_bad(import, source, why, err);
	if (row->record.stream >= sink->device_count)
		return error_set(err, "importer %s: device %u was never named",
				 sink->importer->name, row->record.stream);
	import->report->rows_in++;
	if (!sink->devices[row->record.stream].wanted ||
	    (options->process_count &&
	     !is_wanted(row->process, row->pid, options->processes, options->process_count))) {
		import->report->filtered++;
		return 0;
	}
	count_row(import, &row->record);
	return write_row(import, &row->record, err);
}

int trace_import_phase(struct trace_import *import, const char *name, uint64_t start_ns,
		       struct error *err)
{
	struct trace_sink *sink = import->sink;
	struct trace_phase *phases;

	if (sink->writer)
		return trace_writer_phase(sink->writer, name, start_ns, err);
	if (sink->phase_count == TRACE_MAX_PHASES)
		return error_set(err, "over %d phases", TRACE_MAX_PHASES);
	phases = realloc(sink->phases, (sink->phase_count + 1) * sizeof(*phases));
	if (!phases)
		return error_set(err, "out of memory");
	sink->phases = phases;
	phases += sink->phase_count++;
	snprintf(phases->name, sizeof(phases->name), "%s", name);
	phases->start_ns = start_ns;
	return 0;
}
