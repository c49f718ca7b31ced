/* SPDX-License-Identifier: GPL-2.0-only */
/* A clone of a replay on its way through the trace: the chosen records, round after round. */
#ifndef SSDREVIEW_REPLAY_CLONE_H
#define SSDREVIEW_REPLAY_CLONE_H

#include "engines/trace/replay.h"

/* The part of the trace that is played. */
struct replay_part {
	uint64_t from_ns, to_ns;
	uint64_t round_ns; /* from the start of one round to that of the next */
};

struct clone {
	struct trace_cursor cursor;
	struct trace_record record; /* the next one */
	uint64_t time_ns;	    /* of that, in the trace's time, since the clone began */
	uint64_t due_ns;	    /* of that, by its time alone */
	uint64_t start_ns;	    /* stagger; rotated: before 0 */
	uint64_t over_ns;	    /* of the trace's time, in rounds that are over */
	uint64_t last_end_ns;	    /* of its last round, in the trace's time */
	unsigned number, rounds_left;
	int stream;	     /* -1: all */
	bool is_round_empty; /* nothing of it was chosen yet; so it is with the next ones */
};

/* A time of the trace at the speed of the replay. */
static inline uint64_t replay_at_speed(const struct replay_options *options, uint64_t time_ns)
{
	return depend_time_at_speed(time_ns, options->speed);
}

/* Puts clone `number` before its first record; clone_next() moves on to it. 0, or -1 with err. */
int clone_open(struct clone *clone, struct trace *trace, const struct replay_options *options,
	       const struct replay_part *part, unsigned number, int stream, struct error *err);
void clone_close(struct clone *clone);

/* 1: the clone stands at its next record. 0: it is through. -1: damage (err). */
int clone_next(struct clone *clone, const struct replay_options *options,
	       const struct replay_part *part, struct error *err);

/* A heap of clones, the one that is due first on top: puts the one at `place` where it belongs. */
void clone_sift_down(struct clone **heap, unsigned count, unsigned place);

#endif
