/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktrace's binary files: one a CPU, which belong together and are merged by time, or one stream
 * from `blkparse -d` or the kernel's own blk tracer. The file's suffix is not compared with the CPU
 * in the records: merged streams hold all of them.
 */
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "engines/trace/import_blktrace.h"
#include "engines/trace/import_process.h"

/* One file of the capture, and the record in it that comes next. */
struct part {
	struct trace_source *source;
	const unsigned char *data; /* from the record on, as far as it is peeked */
	size_t bytes;
	size_t passed; /* bytes of the record, used up when the next one is wanted */
	bool ended;
	struct blk_record record;
};

struct run {
	struct trace_import *import;
	struct events *events;
	struct processes processes;
	struct blk_messages messages;
	struct part *parts;
	unsigned *heap; /* numbers of parts, the one with the earliest record first */
	unsigned heap_count;
	uint64_t versions[2]; /* records of version 7 and 8 */
	bool swapped, cgroup;
};

/* ---- one file ----------------------------------------------------------------------------- */

static int peek(struct part *part, struct error *err)
{
	return trace_source_peek(part->source, TRACE_PEEK_BYTES, &part->data, &part->bytes, err);
}

static void use_up(struct part *part, size_t bytes)
{
	trace_source_skip(part->source, bytes);
	part->data += bytes;
	part->bytes -= bytes;
	part->passed -= bytes;
}

/* Passes the record before, then makes at least `want` bytes stand at data, or all that are left.
 */
static int want_bytes(struct part *part, size_t want, struct error *err)
{
	while (part->passed > part->bytes) {
		use_up(part, part->bytes);
		if (peek(part, err))
			return -1;
		if (!part->bytes)
			return 0;
	}
	if (part->passed)
		use_up(part, part->passed);
	return part->bytes < want ? peek(part, err) : 0;
}

/* Passes bytes that are no record, up to the next that look like one. */
static int find_magic(struct part *part, struct error *err)
{
	struct blk_record record;
	enum blk_found found;

	do {
		part->passed = 1;
		if (want_bytes(part, BLK_HEADER_BYTES, err))
			return -1;
		found = blk_record_read(part->data, part->bytes, &record);
	} while (found == BLK_NO_RECORD || found == BLK_NEWER);
	return 0;
}

static int not_a_record(struct run *run, struct part *part, enum blk_found found, struct error *err)
{
	if (found == BLK_NEWER && !trace_source_offset(part->source))
		return error_set(err,
				 "%s: byte 0: blktrace record of version %u; versions 7 and 8 are "
				 "known",
				 trace_source_name(part->source), part->record.version);
	if (trace_import_bad(run->import, part->source,
			     found == BLK_CUT_SHORT ? "the last record is cut short"
						    : "no blktrace record here",
			     err))
		return -1;
	part->ended = found == BLK_CUT_SHORT;
	return part->ended ? 0 : find_magic(part, err);
}

/* Reads the part's next record; sets ended at the end of the file. */
static int next_record(struct run *run, struct part *part, struct error *err)
{
	while (!part->ended) {
		enum blk_found found = BLK_CUT_SHORT;

		if (want_bytes(part, BLK_HEADER_BYTES + TRACE_MESSAGE_BYTES, err))
			return -1;
		if (!part->passed && !part->bytes)
			break;
		if (!part->passed)
			found = blk_record_read(part->data, part->bytes, &part->record);
		if (found == BLK_RECORD) {
			part->passed = part->record.header_bytes + part->record.data_bytes;
			return 0;
		}
		if (not_a_record(run, part, found, err))
			return -1;
	}
	part->ended = true;
	return 0;
}

/* ---- files merged by time ----------------------------------------------------------------- */

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

/* ---- records ------------------------------------------------------------------------------ */

/* The text that comes with a notification: a process's name, or a message. */
static struct piece notified_text(const struct part *part)
{
	const char *text = (const char *)part->data + part->record.header_bytes;
	size_t length = part->bytes - part->record.header_bytes;

	if (length > part->record.data_bytes)
		length = part->record.data_bytes;
	return (struct piece){text, text + length};
}

static int add_notification(struct run *run, struct part *part, struct error *err)
{
	trace_import_skip(run->import, part->source, "notification");
	if (part->record.act == BLK_NOTIFY_PROCESS)
		processes_learn(&run->processes, part->record.pid, notified_text(part));
	if (part->record.act == BLK_NOTIFY_MESSAGE)
		return blk_message_read(&run->messages, &part->record, notified_text(part), err);
	return 0;
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
		.time_ns = record->time_ns + run->messages.clock_ns,
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
	if (record->category & BLK_CAT_NOTIFY)
		return add_notification(run, part, err);
	if (record->act == BLK_ACT_QUEUE)
		return add_event(run, part, EVENT_QUEUE, err);
	if (record->act == BLK_ACT_ISSUE)
		return add_event(run, part, EVENT_ISSUE, err);
	if (record->act == BLK_ACT_COMPLETE)
		return add_event(run, part, EVENT_COMPLETE, err);
	trace_import_skip(run->import, part->source, "other event (merge, plug, ...)");
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

/* ---- the whole ---------------------------------------------------------------------------- */

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

/* Files of CPUs that did nothing are empty, and do not count. */
static unsigned parts_there(const glob_t *found)
{
	unsigned count = 0;
	struct stat st;

	for (size_t i = 0; i < found->gl_pathc; i++)
		count += stat(found->gl_pathv[i], &st) || st.st_size;
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
	there = parts_there(&found);
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
	bool big = run->swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	const char *version = !run->versions[1] ? "v7" : !run->versions[0] ? "v8" : "v7 and v8";
	char format[64];

	snprintf(format, sizeof(format), "blktrace binary %s, %s-endian%s", version,
		 big ? "big" : "little", run->cgroup ? ", with cgroups" : "");
	op_report(run->import, &(struct import_facts){
				       .format = format,
				       .time_unit = "ns since boot or the first event",
				       .offset_unit = "sectors of 512 B",
			       });
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
	run.messages = (struct blk_messages){.import = import, .events = run.events};
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
