/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stratified choice: one of several kinds at a time, each as often as its share says, over short
 * spans too, and yet at random. Time is cut into strata for each kind, one of its choices falls at
 * a random place of every stratum, and the earliest place of all kinds is what comes next. So over
 * any span of n choices, of k kinds, the count of a kind with share s is off n * s by no more than
 * 2 * (1 - s + s * (k - 1)), however long the span.
 */
#ifndef SSDREVIEW_STRATA_H
#define SSDREVIEW_STRATA_H

#include <stdint.h>

#define STRATA_KINDS 32

struct strata {
	unsigned count;
	uint64_t random;	       /* state of the generator (splitmix64) */
	uint64_t length[STRATA_KINDS]; /* of a stratum: one choice in all is 2^32 long */
	uint64_t begin[STRATA_KINDS];  /* of the stratum that comes next; it wraps around */
	uint64_t place[STRATA_KINDS];  /* of the choice in the stratum before it */
};

/* shares[] add up to 1, each above 0; at most STRATA_KINDS. */
void strata_init(struct strata *strata, const double *shares, unsigned count, uint64_t seed);

/* The kind that comes next. */
unsigned strata_next(struct strata *strata);

#endif
