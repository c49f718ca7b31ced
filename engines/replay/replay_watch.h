/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How faithful a replay was: what its I/Os did, against what the trace asked for. Knows no fio.
 * Times are ns on one clock; memory does not grow with the run.
 */
#ifndef SSDREVIEW_REPLAY_WATCH_H
#define SSDREVIEW_REPLAY_WATCH_H

#include <jansson.h>
#include <stdbool.h>

#include "base/base.h"
#include "base/histogram.h"

enum replay_class { REPLAY_READ, REPLAY_WRITE, REPLAY_TRIM, REPLAY_FLUSH, REPLAY_CLASSES };

struct replay_watch {
	uint64_t sent, completed; /* of the whole run */
	/* The others are of the measured window. */
	uint64_t window_start_ns;
	struct histogram latency[REPLAY_CLASSES]; /* completion minus issue */
	struct histogram gap_error;		  /* of consecutive I/Os: |actual - traced| gap */
	struct histogram interval_late; /* of the interval that is open: the statistics empty it */
	uint64_t first_due_ns, last_due_ns, last_left_ns;
	bool has_sent, last_at_limit;
};

/* The measured window begins; an earlier one is forgotten. */
void replay_watch_start(struct replay_watch *watch, uint64_t window_start_ns);

/* An I/O that was due has left; at_limit: it was late because all slots were taken. */
void replay_watch_left(struct replay_watch *watch, enum replay_class class, uint64_t due_ns,
		       uint64_t left_ns, bool at_limit);

static inline void replay_watch_completed(struct replay_watch *watch, enum replay_class class,
					  uint64_t latency_ns)
{
	watch->completed++;
	histogram_add(&watch->latency[class], latency_ns);
}

/* {"read": {count, mean_ns, ...}, ...}: latency by class. The caller's. */
json_t *replay_watch_latency(const struct replay_watch *watch);

/* Mean number in flight over a time: all latencies together, divided by it (Little's law). */
double replay_watch_in_flight(const struct replay_watch *watch, uint64_t window_ns);

#endif
