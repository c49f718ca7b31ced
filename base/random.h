/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers: SplitMix64, a counter and a mixing function (Steele, Lea, Flood 2014: "Fast
 * splittable pseudorandom number generators"). The same seed draws the same numbers.
 */
#ifndef SSDREVIEW_RANDOM_H
#define SSDREVIEW_RANDOM_H

#include <stdint.h>

static inline uint64_t mix64(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static inline uint64_t random_next(uint64_t *stream)
{
	*stream += 0x9e3779b97f4a7c15ULL;
	return mix64(*stream);
}

/* 0 <= result < limit, from the upper half of a random number. */
static inline uint32_t random_below(uint64_t number, uint32_t limit)
{
	return (uint32_t)(((number >> 32) * limit) >> 32);
}

/* 0 <= result < 1. */
static inline double random_share(uint64_t number)
{
	return (double)(number >> 11) * 0x1p-53;
}

/* 0 < result <= 1: the logarithm of it is always finite. */
static inline double random_share_above_0(uint64_t number)
{
	return (double)((number >> 11) + 1) * 0x1p-53;
}

#endif
