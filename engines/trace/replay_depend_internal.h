/* SPDX-License-Identifier: GPL-2.0-only */
/* Dependent pacing inside: what hangs on what (replay_lane.c), and what may leave
 * (replay_depend.c).
 */
#ifndef SSDREVIEW_REPLAY_DEPEND_INTERNAL_H
#define SSDREVIEW_REPLAY_DEPEND_INTERNAL_H

#include "engines/trace/replay_depend.h"

/* A record that was read and is not forgotten. Numbers are stored one higher: 0 is none. */
struct entry {
	struct trace_record record;
	uint64_t due_ns, done_ns;
	uint64_t delay_ns;	/* at speed, after what it hangs on */
	uint64_t awaited;	/* number of the record it waits for; 0: the one before it */
	uint64_t first_waiting; /* of those that wait for this one */
	uint64_t next_waiting;	/* of those that wait for the same */
	unsigned holds;
	bool is_due_known, is_done;
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

static inline struct entry *lane_entry(const struct lane *lane, uint64_t number)
{
	return &lane->ring[number & (lane->room - 1)];
}

static inline uint64_t depend_at_speed(const struct depend *depend, uint64_t time_ns)
{
	return depend_time_at_speed(time_ns, depend->options.speed);
}

/* It may be taken from now on. There is room: lane_read_on() made it. */
void depend_push(struct depend *depend, struct known known);

/* Reads all that may be due before what is known of the lane. 0, or -1 with err. */
int lane_read_on(struct depend *depend, struct lane *lane, struct error *err);

/* A record that was taken is complete: tells those that wait for it. */
void lane_complete(struct depend *depend, struct lane *lane, uint64_t number, uint64_t now_ns);

#endif
