/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine's own statistics and the file they are written to (docs/results.md has its format).
 * Knows no fio. Times are ns on the caller's clock; memory does not grow with the length of a run:
 * intervals go to STATS_FILE.part as they close, and into the file when it is finished.
 */
#ifndef SSDREVIEW_ENGINE_STATS_H
#define SSDREVIEW_ENGINE_STATS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/base.h"
#include "base/histogram.h"

#define STATS_INTERVAL_NS NS_PER_SEC /* where a run does not say */

/* As fio numbers them. */
enum stats_direction { STATS_READ, STATS_WRITE, STATS_TRIM, STATS_DIRECTIONS };

/* What is known before the first I/O. Strings belong to the caller and outlive the statistics. */
struct stats_run {
	const char *engine, *job;
	unsigned clone, clones; /* from 1 */
	const char *arrival;	/* NULL: not paced */
	uint64_t seed;
	double nominal_iops; /* 0: as fast as the in-flight limit allows */
	unsigned in_flight_limit;
	uint64_t interval_ns; /* 0: STATS_INTERVAL_NS */
};

/* What is exact of the I/Os of one direction: no bucket is asked. */
struct stats_sum {
	uint64_t count, bytes, max_ns, sum_ns;
	unsigned __int128 sum_squares_ns2;
};

/* What the drive and the load add when the file is written. */
struct stats_description {
	const char *drive;
	bool simulated;
	json_t *details; /* "sim": taken over; NULL: null */
	json_t *load;	 /* "replay": taken over; NULL: null */
	json_t *qlc;	 /* taken over; NULL: left out */
	json_t *mix;	 /* taken over; NULL: left out */
	json_t *nvme;	 /* the same */
	json_t *verdict; /* taken over; NULL: null */
};

/* How long this thread had been ready to run without a CPU, at a moment (CLOCK_MONOTONIC). */
struct cpu_wait {
	uint64_t wait_ns, at_ns;
};

struct engine_stats {
	struct stats_run run;
	const char *path;
	FILE *part;
	bool part_has_interval;
	int part_errno; /* the first failure to write an interval, 0: none */
	uint64_t window_start_ns, interval_start_ns;
	uint64_t window_limit_ns; /* end of the window when it is known beforehand, else 0 */
	uint64_t completed_after; /* I/Os that completed past it: in the latencies, not in the rate
				   */
	/* Of the interval that is open, by direction: response time and bytes. */
	struct histogram interval[STATS_DIRECTIONS];
	uint64_t interval_bytes[STATS_DIRECTIONS];
	struct histogram response; /* response time in the intervals that are closed */
	struct stats_sum closed[STATS_DIRECTIONS]; /* the same, by direction */
	struct histogram drive_latency;		   /* completion minus issue */
	struct histogram late_free_slot, late_at_limit;
	struct histogram *interval_late; /* of the I/Os that left in the interval that is open;
					  * belongs to whoever fills it, NULL: nobody does */
	struct histogram true_latency, true_response, reap_delay; /* simulated drives */
	uint64_t due_and_sent; /* fell due in the window and left */
	unsigned max_in_flight;
	uint64_t idle_ns; /* time spent waiting for the drive or for the schedule */
	struct cpu_wait cpu_wait_start, cpu_wait_end; /* of the window; end.at_ns 0: not noted */
};

/* Opens STATS_FILE.part. path may be NULL: statistics are kept and never written. NULL with err. */
struct engine_stats *stats_open(const char *path, const struct stats_run *run, struct error *err);

/*
 * The measured window begins now: everything counted before is forgotten. limit_ns: when it will
 * end, 0 when that is not known.
 */
void stats_start_window(struct engine_stats *stats, uint64_t now_ns, uint64_t limit_ns);

/*
 * The window is over (its limit has passed): what the thread does from now on, such as writing
 * logs, is not part of it.
 */
void stats_note_window_end(struct engine_stats *stats);

/* Closes the intervals that ended before now. Cheap when none did. */
static inline bool stats_interval_ended(const struct engine_stats *stats, uint64_t now_ns)
{
	return (int64_t)(now_ns - stats->interval_start_ns) >= (int64_t)stats->run.interval_ns;
}

/* An I/O of the interval that is open. */
static inline void stats_add(struct engine_stats *stats, unsigned direction, uint64_t bytes,
			     uint64_t response_ns)
{
	histogram_add(&stats->interval[direction], response_ns);
	stats->interval_bytes[direction] += bytes;
}

/* How many I/Os the intervals hold, the one that is open included. */
uint64_t stats_count(const struct engine_stats *stats);

void stats_close_intervals(struct engine_stats *stats, uint64_t now_ns);

/*
 * Writes the file and frees everything. window_end_ns: end of the measured window; unsent: I/Os due
 * in it that never left, the oldest due at oldest_due_ns. 0, or -1 with err (the memory is freed
 * all the same; the intervals stay in STATS_FILE.part).
 */
int stats_finish(struct engine_stats *stats, uint64_t window_end_ns, uint64_t unsent,
		 uint64_t oldest_due_ns, const struct stats_description *description,
		 struct error *err);

/*
 * Of the window, which ends at window_end_ns: the shares of the time in which the engine was busy,
 * and waited for a CPU, as the statistics file will say.
 */
void stats_cpu_shares(struct engine_stats *stats, uint64_t window_end_ns, double *busy,
		      double *waited);

/* A histogram as the objects of the statistics file: count, mean and percentiles. */
json_t *stats_summary(const struct histogram *h);

/* The run never began: removes STATS_FILE.part and frees everything. */
void stats_discard(struct engine_stats *stats);

/* "achieved_iops" of a statistics file: what max_from= asks for. 0, or -1 with err. */
int stats_read_achieved(const char *path, double *iops, struct error *err);

#endif
