/* SPDX-License-Identifier: GPL-2.0-only */
/* Due times by completions: see replay_depend.h for the rule. */
#include <assert.h>
#include <stdlib.h>

#include "engines/trace/replay_depend.h"

#define FIRST_ROOM 16 /* a power of two */

/* A record that was read and is not forgotten. Numbers are stored one higher: 0 is none. */
struct entry {
	struct trace_record record;
	uint64_t due_ns, done_ns;
	uint64_t delay_ns;	/* at speed, after what it hangs on */
	uint64_t awaited;	/* number of the record it waits for; 0: the one before it */
	uint64_t first_waiting; /* of those that wait for this one */
	uint64_t next_waiting;	/* of those that wait for the same */
	unsigned holds;
	bool is_due_known, is_taken, is_done;
	bool is_passed; /* the trace is behind its completion: no later record will wait for it */
};

/* In flight in the trace, at the record read last. */
struct traced {
	uint64_t end_ns, number;
};

struct lane {
	struct entry *ring; /* of `room` places, by number */
	uint64_t room;
	uint64_t oldest, oldest_open,
		count; /* entries [oldest, count); all before oldest_open done */
	struct traced *traced;
	size_t traced_count, traced_room;
	uint64_t start_ns;
	uint64_t last_time_ns, last_due_ns; /* of the record read last */
	bool is_last_due_known, is_last_taken;
	struct traced latest; /* the completion passed last */
	uint64_t latest_done_ns;
	bool has_latest, is_latest_done;
	uint64_t early; /* entries that are done, and not passed */
	bool is_through, is_dirty;
	int64_t shift_ns; /* of the record taken last */
	bool has_shift;
};

struct known {
	uint64_t due_ns;
	struct depend_ref ref;
};

struct depend {
	struct depend_options options;
	struct lane *lanes;
	unsigned *dirty; /* lanes that may have to read on */
	unsigned dirty_count, open_lanes;
	struct known *heap; /* records that may be taken, the earliest first */
	size_t heap_count, heap_room;
	uint64_t untaken; /* records read */
	struct depend_counts counts;
};

static struct entry *entry_of(const struct lane *lane, uint64_t number)
{
	return &lane->ring[number & (lane->room - 1)];
}

static uint64_t at_speed(const struct depend *depend, uint64_t time_ns)
{
	return (uint64_t)((double)time_ns / depend->options.speed);
}

static void mark_dirty(struct depend *depend, struct lane *lane)
{
	if (lane->is_dirty || lane->is_through)
		return;
	lane->is_dirty = true;
	depend->dirty[depend->dirty_count++] = (unsigned)(lane - depend->lanes);
}

/* ---- the records that may be taken ---------------------------------------------------------- */

static bool is_earlier(const struct known *a, const struct known *b)
{
	if (a->due_ns != b->due_ns)
		return a->due_ns < b->due_ns;
	if (a->ref.lane != b->ref.lane)
		return a->ref.lane < b->ref.lane;
	return a->ref.number < b->ref.number;
}

/* There is room: make_room() was called when the record was read. */
static void push(struct depend *depend, struct known known)
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

/* ---- room ----------------------------------------------------------------------------------- */

static int grow_ring(struct lane *lane)
{
	uint64_t room = lane->room ? 2 * lane->room : FIRST_ROOM, number;
	struct entry *ring = calloc(room, sizeof(*ring));

	if (!ring)
		return -1;
	for (number = lane->oldest; number < lane->count; number++)
		ring[number & (room - 1)] = *entry_of(lane, number);
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

/* ---- what a record hangs on ----------------------------------------------------------------- */

/* Its due time is known now, and with it those of the records that keep their gap to it. */
static void set_due(struct depend *depend, struct lane *lane, uint64_t number, uint64_t due_ns)
{
	for (;;) {
		struct entry *entry = entry_of(lane, number);

		entry->due_ns = due_ns;
		entry->is_due_known = true;
		push(depend, (struct known){due_ns, {(unsigned)(lane - depend->lanes), number}});
		if (++number == lane->count)
			break;
		entry = entry_of(lane, number);
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
	struct entry *entry = entry_of(lane, number);

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
	lane->is_latest_done = entry_of(lane, lane->latest.number)->is_done;
	lane->latest_done_ns = entry_of(lane, lane->latest.number)->done_ns;
}

/* Forgets what is done here and in the trace. */
static void forget(struct lane *lane)
{
	while (lane->oldest < lane->count && entry_of(lane, lane->oldest)->is_done &&
	       entry_of(lane, lane->oldest)->is_passed)
		lane->oldest++;
}

static void hang_on_completion(struct depend *depend, struct lane *lane, uint64_t number)
{
	struct entry *entry = entry_of(lane, number), *awaited;

	depend->counts.dependent++;
	entry->delay_ns = at_speed(depend, entry->record.time_ns - lane->latest.end_ns);
	if (lane->is_latest_done) {
		set_due(depend, lane, number, lane->latest_done_ns + entry->delay_ns);
		return;
	}
	awaited = entry_of(lane, lane->latest.number);
	entry->awaited = lane->latest.number + 1;
	entry->next_waiting = awaited->first_waiting;
	awaited->first_waiting = number + 1;
}

static void hang_on_record_before(struct depend *depend, struct lane *lane, uint64_t number,
				  bool is_before_known)
{
	struct entry *entry = entry_of(lane, number);
	uint64_t at_ns = at_speed(depend, entry->record.time_ns);

	entry->delay_ns = at_ns - at_speed(depend, lane->last_time_ns);
	if (!number)
		set_due(depend, lane, number, lane->start_ns + at_ns);
	else if (is_before_known)
		set_due(depend, lane, number, lane->last_due_ns + entry->delay_ns);
}

/* Finds out what the record read last hangs on. */
static void hang(struct depend *depend, struct lane *lane, uint64_t number)
{
	const struct trace_record *record = &entry_of(lane, number)->record;
	bool is_before_known = lane->is_last_due_known;

	lane->is_last_due_known = lane->is_last_taken = false;
	if (lane->has_latest &&
	    record->time_ns - lane->latest.end_ns <= depend->options.think_max_ns)
		hang_on_completion(depend, lane, number);
	else
		hang_on_record_before(depend, lane, number, is_before_known);
	lane->last_time_ns = record->time_ns;
}

/* ---- reading -------------------------------------------------------------------------------- */

static uint64_t end_of(const struct trace_record *record)
{
	return record->time_ns + record->latency_ns;
}

static void add_record(struct depend *depend, struct lane *lane, const struct trace_record *record)
{
	uint64_t number = lane->count;
	struct entry *entry = entry_of(lane, number);

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

static int read_on(struct depend *depend, struct lane *lane, struct error *err)
{
	while (wants_more(depend, lane)) {
		if (lane->count - lane->oldest_open >= depend->options.reach)
			return 0;
		if (read_record(depend, lane, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- what is offered ------------------------------------------------------------------------ */

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

		if (read_on(depend, lane, err))
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
	awaited = entry_of(lane, entry->awaited - 1);
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
	entry = entry_of(lane, ref->number);
	depend->untaken--;
	depend->counts.violations += violates(lane, entry, now_ns);
	planned_ns = lane->start_ns + at_speed(depend, entry->record.time_ns);
	lane->shift_ns = (int64_t)(entry->due_ns - planned_ns);
	lane->has_shift = true;
	entry->is_taken = true;
	entry->holds = 1;
	*record = entry->record;
	if (ref->number + 1 == lane->count) {
		lane->is_last_taken = true;
		mark_dirty(depend, lane);
	}
}

void depend_hold(struct depend *depend, struct depend_ref ref)
{
	entry_of(&depend->lanes[ref.lane], ref.number)->holds++;
}

/* Tells those that wait for it. */
static void complete(struct depend *depend, struct lane *lane, uint64_t number, uint64_t now_ns)
{
	struct entry *entry = entry_of(lane, number);
	uint64_t waiting = entry->first_waiting;

	entry->is_done = true;
	entry->done_ns = now_ns;
	lane->early += !entry->is_passed;
	if (lane->has_latest && lane->latest.number == number) {
		lane->is_latest_done = true;
		lane->latest_done_ns = now_ns;
	}
	while (waiting) {
		entry = entry_of(lane, waiting - 1);
		set_due(depend, lane, waiting - 1, now_ns + entry->delay_ns);
		waiting = entry->next_waiting;
	}
}

void depend_release(struct depend *depend, struct depend_ref ref, uint64_t now_ns)
{
	struct lane *lane = &depend->lanes[ref.lane];

	if (--entry_of(lane, ref.number)->holds)
		return;
	complete(depend, lane, ref.number, now_ns);
	while (lane->oldest_open < lane->count && entry_of(lane, lane->oldest_open)->is_done)
		lane->oldest_open++;
	forget(lane);
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
