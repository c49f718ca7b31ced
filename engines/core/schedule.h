/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When is the next I/O due? Knows no fio and no clock: times are ns on whatever clock the caller
 * uses, and the due times depend on nothing that happens to the I/Os.
 */
#ifndef SSDREVIEW_SCHEDULE_H
#define SSDREVIEW_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum arrival { ARRIVAL_POISSON, ARRIVAL_CONSTANT };

struct schedule {
	enum arrival arrival;
	double gap_ns;	 /* mean time between due times; 0: not paced */
	double share;	 /* of a gap by which constant arrivals of this clone are shifted, 0..1 */
	uint64_t random; /* state of the generator (splitmix64) */
	uint64_t origin_ns; /* due times count from here */
	double offset_ns;   /* of the next due time, from origin_ns */
	uint64_t number;    /* due times given since origin_ns */
	uint64_t due_ns;    /* the next one */
};

/*
 * iops: rate of this clone, 0 = not paced. Clone numbers start at 0: clones of one job draw
 * different random numbers from one seed, and their constant arrivals interleave evenly.
 */
void schedule_init(struct schedule *schedule, enum arrival arrival, double iops, uint64_t seed,
		   unsigned clone, unsigned clones);

/* The schedule begins (or goes on after a pause) now. */
void schedule_start(struct schedule *schedule, uint64_t now_ns);

/* The I/O that was due at schedule->due_ns has left: on to the next one. */
void schedule_advance(struct schedule *schedule);

static inline bool schedule_paces(const struct schedule *schedule)
{
	return schedule->gap_ns > 0.0;
}

#endif
