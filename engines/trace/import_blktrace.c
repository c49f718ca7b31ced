/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktrace's binary files: one a CPU, which belong together and are merged by time, or one stream
 * from `blkparse -d` or the kernel's own blk tracer. The file's suffix is not compared with the CPU
 * in the records: merged streams hold all of them.
 */
#include <glob.h>
#include <stdlib.h>

#include "engines/trace/import_blktrace.h"
#include "engines/trace/import_process.h"

/* One file of the capture, and the record in it that comes next. */
struct part {
	struct trace_source *source;
	const unsigned char *data; /* peeked; valid until the next peek */
	size_t bytes, at;
	uint64_t skip; /* bytes of the last record's data not yet passed */
	bool ended;
	struct blk_record record;
	size_t data_at; /* of the record's data, as far as it is peeked */
};

struct run {
	struct trace_import *import;
	struct events *events;
	struct processes processes;
	struct part *parts;
	unsigned *heap; /* numbers of parts, the one with the earliest record first */
	unsigned heap_count;
	uint64_t versions[2]; /* records of version 7 and 8 */
	bool swapped, cgroup;
};

/* ---- one file ----------------------------------------------------------------------------------
 */

/* Uses up what was passed and looks at what follows. */
static int refill(struct part *part, struct error *err)
{
	trace_source_skip(part->source, part->at);
	part->at = 0;
	return trace_source_peek(part->source, TRACE_PEEK_BYTES, &part->data, &part->bytes, err);
}

/* Makes at least `want` bytes stand at part->at, or all that are left. */
static int want_bytes(struct part *part, size_t want, struct error *err)
{
	while (part->skip) {
		size_t step = part->bytes - part->at;

		if (step > part->skip)
			step = part->skip;
		part->at += step;
		part->skip -= step;
		if (!part->skip)
			break;
		if (refill(part, err))
			return -1;
		if (!part->bytes)
			return 0;
	}
	return part->bytes - part->at < want ? refill(part, err) : 0;
}

/* Passes bytes that are no record, up to the next that look like one. */
static int find_magic(struct part *part, struct error *err)
{
	struct blk_record record;

	for (;;) {
		enum blk_found found;

		part->at++;
		if (want_bytes(part, BLK_HEADER_BYTES, err))
			return -1;
		found = blk_record_read(part->data + part->at, part->bytes - part->at, &record);
		if (found != BLK_NO_RECORD && found != BLK_NEWER)
			return 0;
	}
}

static int not_a_record(struct run *run, struct part *part, enum blk_found found, struct error *err)
{
	const char *reason = "no blktrace record here";
	unsigned long long place;

	trace_source_skip(part->source, part->at);
	part->data += part->at;
	part->bytes -= part->at;
	part->at = 0;
	place = trace_source_offset(part->source);
	if (found == BLK_NEWER && !place)
		return error_set(err,
				 "%s: byte 0: blktrace record of version %u; versions 7 and 8 "
				 "are known",
				 trace_source_name(part->source), part->record.version);
	if (found == BLK_CUT_SHORT)
		reason = "the last record is cut short";
	if (trace_import_bad(run->import, part->source, reason, err))
		return -1;
	if (found != BLK_CUT_SHORT)
		return find_magic(part, err);
	part->ended = true;
	return 0;
}

static enum blk_found look(struct part *part)
{
	size_t bytes = part->bytes - part->at;
	enum blk_found found = blk_record_read(part->data + part->at, bytes, &part->record);

	part->data_at = part->at + part->record.header_bytes;
	return found;
}

/* Reads the part's next record; sets ended at the end of the file. */
static int next_record(struct run *run, struct part *part, struct error *err)
{
	while (!part->ended) {
		enum blk_found found;

		if (want_bytes(part, BLK_HEADER_BYTES + PROCESS_NAME_BYTES, err))
			return -1;
		if (part->skip)
			found = BLK_CUT_SHORT;
		else if (part->at == part->bytes)
			break;
		else
			found = look(part);
		if (found == BLK_RECORD) {
			part->at += part->record.header_bytes;
			part->skip = part->record.data_bytes;
			return 0;
		}
		if (not_a_record(run, part, found, err))
			return -1;
	}
	part->ended = true;
	return 0;
}

/* ---- files merged by time ----------------------------------------------------------------------
 */

/* Parts keep their order where time and sequence are equal. */
static bool is_earlier(const struct run *run, unsigned one, unsigned other)
{
	const struct blk_record *a = &run->parts[one].record, *b = &run->parts[other].record;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns;
	return a->sequence != b->sequence ? a->sequence < b->sequence : one < other;
}

static void sink_down(struct run *run, unsigned at)
{
	for (;;) {
		unsigned child = 2 * at + 1, part = run->heap[at];

		if (child >= run->heap_count)
			return;
		if (child + 1 < run->heap_count &&
		    is_earlier(run, run->heap[child + 1], run->heap[child]))
			child++;
		if (!is_earlier(run, run->heap[child], part))
			return;
		run->heap[at] = run->heap[child];
		run->heap[child] = part;
		at = child;
	}
}

static int fill_heap(struct run *run, struct error *err)
{
	unsigned i;

	for (i = 0; i < run->import->source_count; i++) {
		run->parts[i].source = run->import->sources[i];
		if (next_record(run, &run->parts[i], err))
			return -1;
		if (!run->parts[i].ended)
			run->heap[run->heap_count++] = i;
	}
	for (i = run->heap_count / 2; i-- > 0;)
		sink_down(run, i);
	return 0;
}

/* ---- records -----------------------------------------------------------------------------------
 */

static void learn_process(struct run *run, const struct part *part)
{
	struct piece name = {(const char *)part->data + part->data_at,
			     (const char *)part->data + part->bytes};

	if (piece_length(name) > part->record.data_bytes)
		name.end = name.at + part->record.data_bytes;
	processes_learn(&run->processes, part->record.pid, name);
}

static int add_event(struct run *run, struct part *part, enum event_class class, struct error *err)
{
	const struct blk_record *record = &part->record;
	struct event event = {
		.class = class,
		.major = record->device >> 20,
		.minor = record->device & 0xfffff,
		.sector = record->sector,
		.bytes = record->bytes,
		.time_ns = record->time_ns,
		.pid = record->pid,
	};

	blk_record_op(record, &event.op);
	processes_find(&run->processes, record->pid, event.process, sizeof(event.process));
	return events_add(run->events, part->source, &event, err);
}

static int add_record(struct run *run, struct part *part, struct error *err)
{
	const struct blk_record *record = &part->record;

	run->versions[record->version == 8]++;
	run->swapped |= record->swapped;
	run->cgroup |= record->cgroup;
	if (!(record->category & BLK_CAT_NOTIFY)) {
		if (record->act == BLK_ACT_QUEUE)
			return add_event(run, part, EVENT_QUEUE, err);
		if (record->act == BLK_ACT_ISSUE)
			return add_event(run, part, EVENT_ISSUE, err);
		if (record->act == BLK_ACT_COMPLETE)
			return add_event(run, part, EVENT_COMPLETE, err);
		trace_import_skip(run->import, part->source, "other event (merge, plug, ...)");
		return 0;
	}
	if (record->act == BLK_NOTIFY_PROCESS)
		learn_process(run, part);
	trace_import_skip(run->import, part->source, "notification");
	return 0;
}

static int add_records(struct run *run, struct error *err)
{
	if (fill_heap(run, err))
		return -1;
	while (run->heap_count) {
		struct part *part = &run->parts[run->heap[0]];

		if (add_record(run, part, err) || next_record(run, part, err))
			return -1;
		if (part->ended)
			run->heap[0] = run->heap[--run->heap_count];
		sink_down(run, 0);
	}
	return events_finish(run->events, err);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

/* "DEV.blktrace.N": its length up to N; 0 for other names. */
static size_t cpu_suffix(const char *name)
{
	static const char middle[] = ".blktrace.";
	const char *found = strstr(name, middle);
	uint64_t cpu;

	if (!found || !piece_u64(piece_of(found + strlen(middle)), &cpu))
		return 0;
	return (size_t)(found - name) + strlen(middle);
}

static unsigned parts_given(const struct trace_import *import, const char *name, size_t length)
{
	unsigned count = 0;

	for (unsigned i = 0; i < import->source_count; i++)
		count += !strncmp(trace_source_name(import->sources[i]), name, length);
	return count;
}

/* A capture's files that lie beside those given have to come with them. */
static int check_complete(struct trace_import *import, const char *name, struct error *err)
{
	size_t length = cpu_suffix(name);
	char pattern[4096];
	unsigned given, there;
	glob_t found;

	if (!length || length + sizeof("[0-9]*") > sizeof(pattern))
		return 0;
	snprintf(pattern, sizeof(pattern), "%.*s[0-9]*", (int)length, name);
	if (glob(pattern, 0, NULL, &found))
		return 0;
	given = parts_given(import, name, length);
	there = (unsigned)found.gl_pathc;
	globfree(&found);
	if (given >= there)
		return 0;
	return error_set(err,
			 "%s: this capture has %u files, one a CPU, and %u came: give all of "
			 "%.*s*",
			 name, there, given, (int)length, name);
}

static void describe(const struct run *run)
{
	struct trace_report *report = run->import->report;
	bool swapped = run->swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	snprintf(report->format, sizeof(report->format), "blktrace binary %s, %s-endian%s",
		 !run->versions[1]   ? "v7"
		 : !run->versions[0] ? "v8"
				     : "v7 and v8",
		 swapped ? "big" : "little", run->cgroup ? ", with cgroups" : "");
	snprintf(report->time_unit, sizeof(report->time_unit), "ns since boot or the first event");
	snprintf(report->offset_unit, sizeof(report->offset_unit), "sectors of 512 B");
}

static int import_parts(struct trace_import *import, struct error *err)
{
	struct run run = {.import = import};
	int result = -1;

	for (unsigned i = 0; i < import->source_count; i++)
		if (check_complete(import, trace_source_name(import->sources[i]), err))
			return -1;
	run.parts = calloc(import->source_count, sizeof(run.parts[0]));
	run.heap = calloc(import->source_count, sizeof(run.heap[0]));
	run.events = events_begin(import, err);
	if (!run.parts || !run.heap)
		error_set(err, "no memory for %u files", import->source_count);
	else if (run.events)
		result = add_records(&run, err);
	describe(&run);
	events_free(run.events);
	free(run.heap);
	free(run.parts);
	return result;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct blk_record record;

	(void)name;
	switch (blk_record_read(data, bytes, &record)) {
	case BLK_RECORD:
	case BLK_NEWER:
		return 100;
	case BLK_CUT_SHORT:
		return bytes >= sizeof(uint32_t) ? 100 : 0;
	default:
		return 0;
	}
}

const struct trace_importer import_blktrace = {
	.name = "blktrace",
	.description =
		"blktrace binary v7 and v8 (all files of the CPUs), and the kernel's blk tracer",
	.binary = true,
	.together = true,
	.recognise = recognise,
	.import = import_parts,
};
