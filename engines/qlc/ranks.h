/* SPDX-License-Identifier: GPL-2.0-only */
/* The running median of a changing set of speeds, in constant time: speeds are counted in bins. */
#ifndef SSDREVIEW_QLC_RANKS_H
#define SSDREVIEW_QLC_RANKS_H

#include <stdint.h>

/* Bins of the logarithm of bytes/s, from 1 kB/s to 1 TB/s; each is 0.5 % wide. */
#define RANK_BINS 4160

struct ranks {
	uint32_t count[RANK_BINS];
	uint32_t total, below; /* below: how many are in bins under `median` */
	unsigned median;
};

unsigned rank_bin(double speed);
double rank_speed(unsigned bin);
double rank_log(unsigned bin); /* natural logarithm of the speed */

void ranks_clear(struct ranks *ranks);
void ranks_add(struct ranks *ranks, unsigned bin);
void ranks_remove(struct ranks *ranks, unsigned bin); /* one that was added */
/* Bin of the median (the lower one of two); meaningless when empty. */
unsigned ranks_median(struct ranks *ranks);

#endif
