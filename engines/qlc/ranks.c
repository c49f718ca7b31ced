/* SPDX-License-Identifier: GPL-2.0-only */
/* Running medians by counting in bins. */
#include "engines/qlc/ranks.h"

#include <math.h>
#include <string.h>

#define SLOWEST_LOG 6.907755278982137	 /* log(1000 bytes/s) */
#define BIN_LOG	    0.004987541511038968 /* log(1.005) */

unsigned rank_bin(double speed)
{
	double bin = (log(speed) - SLOWEST_LOG) / BIN_LOG;

	if (!(bin > 0.0))
		return 0;
	return bin < RANK_BINS - 1 ? (unsigned)bin : RANK_BINS - 1;
}

double rank_log(unsigned bin)
{
	return SLOWEST_LOG + (bin + 0.5) * BIN_LOG;
}

double rank_speed(unsigned bin)
{
	return exp(rank_log(bin));
}

void ranks_clear(struct ranks *ranks)
{
	memset(ranks, 0, sizeof(*ranks));
}

void ranks_add(struct ranks *ranks, unsigned bin)
{
	ranks->count[bin]++;
	ranks->total++;
	ranks->below += bin < ranks->median;
}

void ranks_remove(struct ranks *ranks, unsigned bin)
{
	ranks->count[bin]--;
	ranks->total--;
	ranks->below -= bin < ranks->median;
}

/* The bin remembered from the last call is near: the set changes by one or two at a time. */
unsigned ranks_median(struct ranks *ranks)
{
	uint32_t rank = ranks->total ? (ranks->total - 1) / 2 : 0;

	while (ranks->below > rank)
		ranks->below -= ranks->count[--ranks->median];
	while (ranks->median < RANK_BINS - 1 && ranks->below + ranks->count[ranks->median] <= rank)
		ranks->below += ranks->count[ranks->median++];
	return ranks->median;
}
