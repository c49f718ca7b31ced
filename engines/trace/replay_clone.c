/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of one clone, or of one of its streams, in their order. */
#include <math.h>

#include "base/random.h"
#include "engines/trace/replay_clone.h"

/* A clone's stagger depends on seed and number alone. */
static uint64_t stagger_of(const struct replay_options *options, unsigned clone)
{
	uint64_t stream = options->seed * 0x9e3779b97f4a7c15ULL + clone;
	double share = random_share_above_0(random_next(&stream));

	if (options->stagger == REPLAY_STAGGER_ROTATE)
		return 0;
	if (options->stagger == REPLAY_STAGGER_EXPONENTIAL)
		return (uint64_t)(-log(share) * (double)options->stagger_ns);
	return (uint64_t)((1.0 - share) * (double)options->stagger_ns);
}

/* Where a clone's first round begins and its last one ends, from the start of the part. */
static uint64_t rotation_of(const struct replay_options *options, const struct replay_part *part,
			    unsigned clone)
{
	if (options->stagger != REPLAY_STAGGER_ROTATE)
		return 0;
	return (uint64_t)((double)(part->to_ns - part->from_ns) * clone / options->clones);
}

static int seek(struct clone *clone, uint64_t time_ns, struct error *err)
{
	if (!trace_seek_time(&clone->cursor, time_ns))
		return 0;
	*err = clone->cursor.error;
	return -1;
}

int clone_open(struct clone *clone, struct trace *trace, const struct replay_options *options,
	       const struct replay_part *part, unsigned number, int stream, struct error *err)
{
	uint64_t rotation_ns = rotation_of(options, part, number);

	*clone = (struct clone){
		.number = number,
		.stream = stream,
		.is_round_empty = true,
		.rounds_left = options->loops + (rotation_ns > 0),
		.last_end_ns = rotation_ns ? part->from_ns + rotation_ns : part->to_ns,
		.start_ns = stagger_of(options, number) - replay_at_speed(options, rotation_ns)};
	trace_cursor_open(trace, &clone->cursor);
	if (!seek(clone, part->from_ns + rotation_ns, err))
		return 0;
	clone_close(clone);
	return -1;
}

void clone_close(struct clone *clone)
{
	trace_cursor_close(&clone->cursor);
}

static uint64_t round_end(const struct clone *clone, const struct replay_part *part)
{
	return clone->rounds_left == 1 ? clone->last_end_ns : part->to_ns;
}

int clone_next(struct clone *clone, const struct replay_options *options,
	       const struct replay_part *part, struct error *err)
{
	int got;

	for (;;) {
		got = trace_next(&clone->cursor, &clone->record);
		if (got < 0) {
			*err = clone->cursor.error;
			return -1;
		}
		if (got && clone->record.time_ns < round_end(clone, part)) {
			if (clone->stream >= 0 && clone->record.stream != clone->stream)
				continue;
			clone->time_ns = clone->over_ns + clone->record.time_ns - part->from_ns;
			clone->due_ns = clone->start_ns + replay_at_speed(options, clone->time_ns);
			clone->is_round_empty = false;
			return 1;
		}
		if (!--clone->rounds_left || (clone->is_round_empty && clone->over_ns))
			return 0;
		clone->is_round_empty = true;
		clone->over_ns += part->round_ns;
		if (clone->over_ns > DEPEND_LATEST_NS)
			clone->over_ns = DEPEND_LATEST_NS;
		if (seek(clone, part->from_ns, err))
			return -1;
	}
}

static bool is_earlier(const struct clone *a, const struct clone *b)
{
	return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->number < b->number;
}

void clone_sift_down(struct clone **heap, unsigned count, unsigned place)
{
	struct clone *moved = heap[place];
	unsigned child;

	while ((child = 2 * place + 1) < count) {
		if (child + 1 < count && is_earlier(heap[child + 1], heap[child]))
			child++;
		if (!is_earlier(heap[child], moved))
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = moved;
}
