/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of one lane: what each hangs on, and how far ahead to read. */
#include <stdlib.h>

#include "engines/trace/replay_depend_internal.h"

#define FIRST_ROOM 16 /* a power of two */

static int grow_ring(struct lane *lane)
{
	uint64_t room = lane->room ? 2 * lane->room : FIRST_ROOM, number;
	struct entry *ring = calloc(room, sizeof(*ring));

	if (!ring)
		return -1;
	for (number = lane->oldest; number < lane->count; number++)
		ring[number & (room - 1)] = *lane_entry(lane, number);
	free(lane->ring);
	lane->ring = ring;
	lane->room = room;
	return 0;
}

/* *array has `room` elements of which `count` are used: makes place for one more. */
static int grow(void *array, size_t element_bytes, size_t count, size_t *room)
{
	size_t wanted = *room ? 2 * *room : FIRST_ROOM;
	void *grown;

	if (count < *room)
		return 0;
	memcpy(&grown, array, sizeof(grown));
	grown = realloc(grown, wanted * element_bytes);
	if (!grown)
		return -1;
	memcpy(array, &grown, sizeof(grown));
	*room = wanted;
	return 0;
}

static int make_room(struct depend *depend, struct lane *lane, struct error *err)
{
	if ((lane->count - lane->oldest == lane->room && grow_ring(lane)) ||
	    grow(&lane->traced, sizeof(*lane->traced), lane->traced_count, &lane->traced_room) ||
	    grow(&depend->heap, sizeof(*depend->heap), depend->untaken, &depend->heap_room))
		return error_set(err, "no memory for the records that wait for completions");
	return 0;
}

/* Its due time is known now, and with it those of the records that keep their gap to it. */
static void set_due(struct depend *depend, struct lane *lane, uint64_t number, uint64_t due_ns)
{
	for (;;) {
		struct entry *entry = lane_entry(lane, number);

		entry->due_ns = due_ns;
		entry->is_due_known = true;
		depend_push(depend,
			    (struct known){due_ns, {(unsigned)(lane - depend->lanes), number}});
		if (++number == lane->count)
			break;
		entry = lane_entry(lane, number);
		if (entry->is_due_known || entry->awaited)
			return;
		due_ns += entry->delay_ns;
	}
	lane->last_due_ns = due_ns;
	lane->is_last_due_known = true;
}

/* Its completion in the trace is behind the record being read, or out of reach. */
static void pass(struct lane *lane, uint64_t number)
{
	struct entry *entry = lane_entry(lane, number);

	entry->is_passed = true;
	lane->early -= entry->is_done;
}

static bool is_later(const struct traced *a, const struct traced *b)
{
	return a->end_ns != b->end_ns ? a->end_ns > b->end_ns : a->number > b->number;
}

/* The trace stands at time_ns, at the record that is read next. */
static void pass_completions(const struct depend *depend, struct lane *lane, uint64_t time_ns)
{
	struct traced before = lane->latest;
	bool had_one = lane->has_latest;
	size_t i, kept = 0;

	for (i = 0; i < lane->traced_count; i++) {
		struct traced traced = lane->traced[i];

		if (traced.end_ns > time_ns &&
		    traced.number + depend->options.reach > lane->count) {
			lane->traced[kept++] = traced;
			continue;
		}
		pass(lane, traced.number);
		if (traced.end_ns > time_ns ||
		    (lane->has_latest && !is_later(&traced, &lane->latest)))
			continue;
		lane->latest = traced;
		lane->has_latest = true;
	}
	lane->traced_count = kept;
	if (!lane->has_latest || (had_one && before.number == lane->latest.number))
		return;
	lane->is_latest_done = lane_entry(lane, lane->latest.number)->is_done;
	lane->latest_done_ns = lane_entry(lane, lane->latest.number)->done_ns;
}

/* Forgets what is done here and in the trace. */
static void forget(struct lane *lane)
{
	while (lane->oldest < lane->count && lane_entry(lane, lane->oldest)->is_done &&
	       lane_entry(lane, lane->oldest)->is_passed)
		lane->oldest++;
}

static void hang_on_completion(struct depend *depend, struct lane *lane, uint64_t number)
{
	struct entry *entry = lane_entry(lane, number), *awaited;

	depend->counts.dependent++;
	entry->delay_ns = depend_at_speed(depend, entry->record.time_ns - lane->latest.end_ns);
	if (lane->is_latest_done) {
		set_due(depend, lane, number, lane->latest_done_ns + entry->delay_ns);
		return;
	}
	awaited = lane_entry(lane, lane->latest.number);
	entry->awaited = lane->latest.number + 1;
	entry->next_waiting = awaited->first_waiting;
	awaited->first_waiting = number + 1;
}

static void hang_on_record_before(struct depend *depend, struct lane *lane, uint64_t number,
				  bool is_before_known)
{
	struct entry *entry = lane_entry(lane, number);
	uint64_t at_ns = depend_at_speed(depend, entry->record.time_ns);

	entry->delay_ns = at_ns - depend_at_speed(depend, lane->last_time_ns);
	if (!number)
		set_due(depend, lane, number, lane->start_ns + at_ns);
	else if (is_before_known)
		set_due(depend, lane, number, lane->last_due_ns + entry->delay_ns);
}

/* Finds out what the record read last hangs on. */
static void hang(struct depend *depend, struct lane *lane, uint64_t number)
{
	const struct trace_record *record = &lane_entry(lane, number)->record;
	bool is_before_known = lane->is_last_due_known;

	lane->is_last_due_known = lane->is_last_taken = false;
	if (lane->has_latest &&
	    record->time_ns - lane->latest.end_ns <= depend->options.think_max_ns)
		hang_on_completion(depend, lane, number);
	else
		hang_on_record_before(depend, lane, number, is_before_known);
	lane->last_time_ns = record->time_ns;
}

static uint64_t end_of(const struct trace_record *record)
{
	return record->time_ns + record->latency_ns;
}

static void add_record(struct depend *depend, struct lane *lane, const struct trace_record *record)
{
	uint64_t number = lane->count;
	struct entry *entry = lane_entry(lane, number);

	pass_completions(depend, lane, record->time_ns);
	*entry = (struct entry){.record = *record};
	lane->count++;
	depend->untaken++;
	hang(depend, lane, number);
	if (record->latency_ns == TRACE_NO_LATENCY) {
		depend->counts.latency_missing++;
		entry->is_passed = true;
	} else {
		lane->traced[lane->traced_count++] = (struct traced){end_of(record), number};
	}
	forget(lane);
}

static int read_record(struct depend *depend, struct lane *lane, struct error *err)
{
	unsigned number = (unsigned)(lane - depend->lanes);
	struct trace_record record;
	int got;

	if (make_room(depend, lane, err))
		return -1;
	got = depend->options.read(depend->options.source, number, &record, err);
	if (got > 0) {
		add_record(depend, lane, &record);
	} else if (!got) {
		lane->is_through = true;
		depend->open_lanes--;
	}
	return got;
}

/*
 * May a record that is not read yet be due before the ones that are? Not when the last one has yet
 * to leave, for what keeps its gap to it; and not when the next ones wait for a completion that is
 * still to come.
 */
static bool wants_more(const struct depend *depend, const struct lane *lane)
{
	if (lane->is_through)
		return false;
	if (!lane->count || lane->is_last_taken || lane->early)
		return true;
	return lane->has_latest && lane->is_latest_done &&
	       lane->last_time_ns - lane->latest.end_ns <= depend->options.think_max_ns;
}

int lane_read_on(struct depend *depend, struct lane *lane, struct error *err)
{
	while (wants_more(depend, lane)) {
		if (lane->count - lane->oldest_open >= depend->options.reach)
			return 0;
		if (read_record(depend, lane, err) < 0)
			return -1;
	}
	return 0;
}

/* Tells those that wait for it. */
void lane_complete(struct depend *depend, struct lane *lane, uint64_t number, uint64_t now_ns)
{
	struct entry *entry = lane_entry(lane, number);
	uint64_t waiting = entry->first_waiting;

	entry->is_done = true;
	entry->done_ns = now_ns;
	lane->early += !entry->is_passed;
	if (lane->has_latest && lane->latest.number == number) {
		lane->is_latest_done = true;
		lane->latest_done_ns = now_ns;
	}
	while (waiting) {
		entry = lane_entry(lane, waiting - 1);
		set_due(depend, lane, waiting - 1, now_ns + entry->delay_ns);
		waiting = entry->next_waiting;
	}
	while (lane->oldest_open < lane->count && lane_entry(lane, lane->oldest_open)->is_done)
		lane->oldest_open++;
	forget(lane);
}
