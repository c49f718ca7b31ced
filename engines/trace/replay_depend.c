/* SPDX-License-Identifier: GPL-2.0-only */
/* Due times by completions: see replay_depend.h for the rule. */
#include <stdlib.h>

#include "engines/trace/replay_depend_internal.h"

static void mark_dirty(struct depend *depend, struct lane *lane)
{
	if (lane->is_dirty || lane->is_through)
		return;
	lane->is_dirty = true;
	depend->dirty[depend->dirty_count++] = (unsigned)(lane - depend->lanes);
}

static bool is_earlier(const struct known *a, const struct known *b)
{
	if (a->due_ns != b->due_ns)
		return a->due_ns < b->due_ns;
	if (a->ref.lane != b->ref.lane)
		return a->ref.lane < b->ref.lane;
	return a->ref.number < b->ref.number;
}

void depend_push(struct depend *depend, struct known known)
{
	struct known *heap = depend->heap;
	size_t at = depend->heap_count++;

	for (; at && is_earlier(&known, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = known;
}

static struct depend_ref pop(struct depend *depend)
{
	struct known *heap = depend->heap, last = heap[--depend->heap_count];
	struct depend_ref first = heap[0].ref;
	size_t at = 0, child;

	while ((child = 2 * at + 1) < depend->heap_count) {
		if (child + 1 < depend->heap_count && is_earlier(&heap[child + 1], &heap[child]))
			child++;
		if (!is_earlier(&heap[child], &last))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	return first;
}

int depend_open(const struct depend_options *options, struct depend **result, struct error *err)
{
	struct depend *depend = calloc(1, sizeof(*depend));
	unsigned i;

	if (depend) {
		depend->options = *options;
		depend->lanes = calloc(options->lanes, sizeof(*depend->lanes));
		depend->dirty = calloc(options->lanes, sizeof(*depend->dirty));
	}
	if (!depend || !depend->lanes || !depend->dirty) {
		if (depend)
			depend_close(depend);
		return error_set(err, "no memory for %u streams of clones", options->lanes);
	}
	depend->open_lanes = options->lanes;
	for (i = 0; i < options->lanes; i++) {
		depend->lanes[i].start_ns = options->start_ns(options->source, i);
		mark_dirty(depend, &depend->lanes[i]);
	}
	*result = depend;
	return 0;
}

void depend_close(struct depend *depend)
{
	unsigned i;

	for (i = 0; depend->lanes && i < depend->options.lanes; i++) {
		free(depend->lanes[i].ring);
		free(depend->lanes[i].traced);
	}
	free(depend->lanes);
	free(depend->dirty);
	free(depend->heap);
	free(depend);
}

enum depend_state depend_due(struct depend *depend, uint64_t *due_ns, struct error *err)
{
	while (depend->dirty_count) {
		struct lane *lane = &depend->lanes[depend->dirty[depend->dirty_count - 1]];

		if (lane_read_on(depend, lane, err))
			return DEPEND_DAMAGED;
		lane->is_dirty = false;
		depend->dirty_count--;
	}
	if (depend->heap_count) {
		*due_ns = depend->heap[0].due_ns;
		return DEPEND_KNOWN;
	}
	return depend->untaken || depend->open_lanes ? DEPEND_WAITS : DEPEND_THROUGH;
}

/* Did it leave before it might? What it waits for has been forgotten when that is complete. */
static bool violates(const struct lane *lane, const struct entry *entry, uint64_t now_ns)
{
	const struct entry *awaited;

	if (now_ns < entry->due_ns)
		return true;
	if (!entry->awaited || entry->awaited - 1 < lane->oldest)
		return false;
	awaited = lane_entry(lane, entry->awaited - 1);
	return !awaited->is_done || now_ns < awaited->done_ns + entry->delay_ns;
}

void depend_take(struct depend *depend, uint64_t now_ns, struct trace_record *record,
		 struct depend_ref *ref)
{
	struct lane *lane;
	struct entry *entry;
	uint64_t planned_ns;

	*ref = pop(depend);
	lane = &depend->lanes[ref->lane];
	entry = lane_entry(lane, ref->number);
	depend->untaken--;
	depend->counts.violations += violates(lane, entry, now_ns);
	planned_ns = lane->start_ns + depend_at_speed(depend, entry->record.time_ns);
	lane->shift_ns = (int64_t)(entry->due_ns - planned_ns);
	lane->has_shift = true;
	entry->holds = 1;
	*record = entry->record;
	if (ref->number + 1 == lane->count) {
		lane->is_last_taken = true;
		mark_dirty(depend, lane);
	}
}

void depend_hold(struct depend *depend, struct depend_ref ref)
{
	lane_entry(&depend->lanes[ref.lane], ref.number)->holds++;
}

void depend_release(struct depend *depend, struct depend_ref ref, uint64_t now_ns)
{
	struct lane *lane = &depend->lanes[ref.lane];

	if (--lane_entry(lane, ref.number)->holds)
		return;
	lane_complete(depend, lane, ref.number, now_ns);
	mark_dirty(depend, lane);
}

struct depend_counts depend_counts(const struct depend *depend)
{
	struct depend_counts counts = depend->counts;
	unsigned i;

	for (i = 0; i < depend->options.lanes; i++) {
		const struct lane *lane = &depend->lanes[i];

		if (!lane->has_shift)
			continue;
		if (!counts.has_shift || lane->shift_ns > counts.latest)
			counts.latest = lane->shift_ns;
		if (!counts.has_shift || lane->shift_ns < counts.earliest)
			counts.earliest = lane->shift_ns;
		counts.has_shift = true;
	}
	return counts;
}
