/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When the records of a trace are due if what waited for a completion in it waits for that
 * completion again. Knows no file, no clock and no drive.
 *
 * A lane is one stream of one clone: its records depend on each other and on no other lane's. In
 * the order of the trace, each record hangs on something earlier of its lane:
 *
 *  - on a completion, when the last one before its issue in the trace came at most think_max_ns
 *    before (of several at that moment: the one issued last). It is due when that record completes
 *    in the replay, plus the time between the two in the trace (think time);
 *  - else on the record before it: it is due as long after that one was due as in the trace. The
 *    first is due at the lane's start plus its own time.
 *
 * Gaps and think times are divided by speed. So what is late by a completion makes all late that
 * hangs on it, and what is early early; records that hang on different completions may overtake
 * each other, as the programs that issued them would.
 *
 * Memory is that of the records that are read and not complete, here or in the trace, `reach` at
 * most for a lane: a record leaves only when all up to the one `reach` places before it in its lane
 * are complete. A record that was in flight in the trace when `reach` more were issued is waited
 * for by none.
 */
#ifndef SSDREVIEW_REPLAY_DEPEND_H
#define SSDREVIEW_REPLAY_DEPEND_H

#include "engines/trace/trace.h"

/* 146 years: no replay gets there, and sums of such times do not overflow. */
#define DEPEND_LATEST_NS (1ULL << 62)

static inline uint64_t depend_time_at_speed(uint64_t time_ns, double speed)
{
	double at_speed_ns = (double)time_ns / speed;

	return at_speed_ns < (double)DEPEND_LATEST_NS ? (uint64_t)at_speed_ns : DEPEND_LATEST_NS;
}

struct depend_options {
	unsigned lanes;
	uint64_t think_max_ns;
	unsigned reach; /* at least 1 */
	double speed;
	uint64_t (*start_ns)(void *source, unsigned lane);
	/*
	 * The lane's next record, its times from the lane's start and in order. 1, 0 at the end, -1
	 * with err.
	 */
	int (*read)(void *source, unsigned lane, struct trace_record *record, struct error *err);
	void *source;
};

/* A record, until it is complete. */
struct depend_ref {
	unsigned lane;
	uint64_t number; /* in its lane, from 0 */
};

struct depend_counts {
	uint64_t dependent;	  /* records that waited for a completion */
	uint64_t violations;	  /* left before it, or before they were due */
	uint64_t latency_missing; /* records that none could wait for */
	int64_t latest,
		earliest; /* shift of the lanes' last records: due minus time in the trace */
	bool has_shift;
};

struct depend;

/* 0, or -1 with err. */
int depend_open(const struct depend_options *options, struct depend **depend, struct error *err);
void depend_close(struct depend *depend);

enum depend_state {
	DEPEND_DAMAGED = -1, /* err says why */
	DEPEND_THROUGH,	     /* every record has been taken */
	DEPEND_KNOWN,	     /* *due_ns: the earliest of the records that may be taken */
	DEPEND_WAITS,	     /* none can be known before a record that was taken completes */
};
enum depend_state depend_due(struct depend *depend, uint64_t *due_ns, struct error *err);

/*
 * Takes the record that depend_due() spoke of; it leaves at now_ns, and completes when what holds
 * it has let it go: this call holds it once.
 */
void depend_take(struct depend *depend, uint64_t now_ns, struct trace_record *record,
		 struct depend_ref *ref);
void depend_hold(struct depend *depend, struct depend_ref ref);
void depend_release(struct depend *depend, struct depend_ref ref, uint64_t now_ns);

/* The lanes' shifts are those of the records taken last. */
struct depend_counts depend_counts(const struct depend *depend);

#endif
