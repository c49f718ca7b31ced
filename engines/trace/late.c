/* SPDX-License-Identifier: GPL-2.0-only */
/* Records that come too late for the window of the writer: sorted runs on disk, merged at the end.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "engines/trace/vdt_internal.h"

#define RUN_RECORDS 1024u /* of a run held in memory while merging */

static bool before(const struct vdt_record *a, const struct vdt_record *b)
{
	return le64toh(a->time_ns) < le64toh(b->time_ns);
}

/* Merges the sorted halves of records; the left one moves to scratch first. */
static void merge_halves(struct vdt_record *records, size_t left, size_t count,
			 struct vdt_record *scratch)
{
	size_t from_left = 0, from_right = left, to = 0;

	memcpy(scratch, records, left * sizeof(*records));
	while (from_left < left) {
		if (from_right < count && before(&records[from_right], &scratch[from_left]))
			records[to++] = records[from_right++];
		else
			records[to++] = scratch[from_left++];
	}
}

void vdt_sort(struct vdt_record *records, size_t count, struct vdt_record *scratch)
{
	size_t half = count / 2;

	if (count < 2)
		return;
	vdt_sort(records, half, scratch);
	vdt_sort(records + half, count - half, scratch);
	if (before(&records[half], &records[half - 1]))
		merge_halves(records, half, count, scratch);
}

static int run_add(struct vdt_late *late, const char *path, struct error *err)
{
	struct vdt_run *runs = realloc(late->runs, (late->run_count + 1) * sizeof(*runs));

	if (!runs)
		return error_set(err, "%s: out of memory", path);
	late->runs = runs;
	runs[late->run_count++] = (struct vdt_run){late->written, late->used};
	return 0;
}

static int spill(struct vdt_late *late, const char *path, struct error *err)
{
	size_t bytes = late->used * sizeof(*late->buffer);

	if (!late->used)
		return 0;
	if (late->fd < 0)
		late->fd = unnamed_file(path);
	if (late->fd < 0)
		return error_set(err, "no temporary file beside %s: %s", path, strerror(errno));
	vdt_sort(late->buffer, late->used, late->scratch);
	if (run_add(late, path, err) || vdt_write(late->fd, path, late->buffer, bytes, err))
		return -1;
	late->written += bytes;
	late->used = 0;
	return 0;
}

int vdt_late_add(struct vdt_late *late, const char *path, const struct vdt_record *record,
		 struct error *err)
{
	if (!late->buffer)
		late->buffer = malloc(late->room * sizeof(*late->buffer));
	if (!late->buffer)
		return error_set(err, "%s: out of memory", path);
	late->buffer[late->used++] = *record;
	return late->used == late->room ? spill(late, path, err) : 0;
}

void vdt_late_free(struct vdt_late *late)
{
	if (late->fd >= 0)
		close(late->fd);
	free(late->buffer);
	free(late->runs);
}

/* One input of the merge: the ordered trace, or a run with the part of it that is in memory. */
struct input {
	struct vdt_record head;
	size_t number; /* among equal times the lower comes first */
	struct vdt_run rest;
	struct vdt_record *part;
	size_t at, end;
};

struct merge {
	int fd;
	const char *path;
	struct trace_cursor cursor; /* input 0 */
	struct input *inputs;
	struct input **heap; /* the earliest on top */
	size_t heap_used;
};

static bool input_before(const struct input *a, const struct input *b)
{
	return before(&a->head, &b->head) || (!before(&b->head, &a->head) && a->number < b->number);
}

static void sift_down(struct merge *merge, size_t at)
{
	struct input **heap = merge->heap, *moved = heap[at];
	size_t child;

	while ((child = 2 * at + 1) < merge->heap_used) {
		if (child + 1 < merge->heap_used && input_before(heap[child + 1], heap[child]))
			child++;
		if (!input_before(heap[child], moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

/* The packed record that the cursor stands on, on the clock of the capture. */
static int cursor_head(struct merge *merge, struct input *input, struct error *err)
{
	struct trace_cursor *cursor = &merge->cursor;

	if (cursor->at == cursor->end) {
		int got = trace_cursor_fill(cursor);

		if (got < 0)
			*err = cursor->error;
		if (got <= 0)
			return got;
	}
	memcpy(&input->head, cursor->at, sizeof(input->head));
	cursor->at += sizeof(input->head);
	cursor->number++;
	return 1;
}

static int run_part(struct merge *merge, struct input *input, struct error *err)
{
	size_t count = input->rest.records < RUN_RECORDS ? input->rest.records : RUN_RECORDS;
	size_t bytes = count * sizeof(*input->part);
	ssize_t got = pread(merge->fd, input->part, bytes, (off_t)input->rest.at);

	if (got != (ssize_t)bytes)
		return error_set(err, "the temporary file beside %s cannot be read: %s",
				 merge->path, got < 0 ? strerror(errno) : "it is too short");
	input->rest.at += bytes;
	input->rest.records -= count;
	input->at = 0;
	input->end = count;
	return 0;
}

/* 1: input->head is its next record. 0: it has none. */
static int input_next(struct merge *merge, struct input *input, struct error *err)
{
	if (input->number == 0)
		return cursor_head(merge, input, err);
	if (input->at == input->end) {
		if (!input->rest.records)
			return 0;
		if (run_part(merge, input, err))
			return -1;
	}
	input->head = input->part[input->at++];
	return 1;
}

static int merge_begin(struct merge *merge, const struct vdt_late *late, struct error *err)
{
	size_t i, count = late->run_count + 1;

	merge->inputs = calloc(count, sizeof(*merge->inputs));
	merge->heap = calloc(count, sizeof(*merge->heap));
	if (!merge->inputs || !merge->heap)
		return error_set(err, "%s: out of memory", merge->path);
	for (i = 0; i < count; i++) {
		struct input *input = &merge->inputs[i];
		int got;

		input->number = i;
		if (i) {
			input->rest = late->runs[i - 1];
			input->part = malloc(RUN_RECORDS * sizeof(*input->part));
			if (!input->part)
				return error_set(err, "%s: out of memory", merge->path);
		}
		got = input_next(merge, input, err);
		if (got < 0)
			return -1;
		if (got)
			merge->heap[merge->heap_used++] = input;
	}
	for (i = merge->heap_used; i-- > 0;)
		sift_down(merge, i);
	return 0;
}

static int merge_all(struct merge *merge, struct vdt_output *output, struct trace_stream *streams,
		     struct error *err)
{
	while (merge->heap_used) {
		struct input *first = merge->heap[0];
		int got;

		if (vdt_output_append(output, &first->head, streams, err))
			return -1;
		got = input_next(merge, first, err);
		if (got < 0)
			return -1;
		if (!got)
			merge->heap[0] = merge->heap[--merge->heap_used];
		sift_down(merge, 0);
	}
	return 0;
}

static void merge_free(struct merge *merge, size_t runs)
{
	size_t i;

	for (i = 0; merge->inputs && i <= runs; i++)
		free(merge->inputs[i].part);
	free(merge->inputs);
	free(merge->heap);
}

int vdt_late_merge(struct vdt_late *late, const char *path, const char *ordered,
		   struct vdt_output *output, struct trace_stream *streams, struct error *err)
{
	struct merge merge = {.path = path};
	struct trace *trace;
	int failed;

	if (spill(late, path, err) || trace_open(ordered, &trace, err))
		return -1;
	merge.fd = late->fd;
	trace_cursor_open(trace, &merge.cursor);
	failed = merge_begin(&merge, late, err) || merge_all(&merge, output, streams, err);
	trace_cursor_close(&merge.cursor);
	merge_free(&merge, late->run_count);
	trace_close(trace);
	return failed ? -1 : 0;
}
