/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Latency histogram: 64 buckets an octave, so a bucket is at most 1.6 % wide; exact below 128 ns,
 * and everything above 2^42 ns (73 minutes) counts in the last bucket. Knows no fio.
 */
#ifndef SSDREVIEW_HISTOGRAM_H
#define SSDREVIEW_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_BITS	  6
#define HISTOGRAM_OCTAVES 37
#define HISTOGRAM_BUCKETS ((HISTOGRAM_OCTAVES + 1) << HISTOGRAM_BITS)

struct histogram {
	uint64_t count, max_ns;
	uint64_t sum_ns;
	unsigned __int128 sum_squares_ns2;
	uint32_t buckets[HISTOGRAM_BUCKETS];
};

static inline unsigned histogram_bucket(uint64_t value_ns)
{
	unsigned shift, bucket;

	if (value_ns < (1u << HISTOGRAM_BITS))
		return (unsigned)value_ns;
	shift = 63 - HISTOGRAM_BITS - (unsigned)__builtin_clzll(value_ns);
	bucket = (shift << HISTOGRAM_BITS) + (unsigned)(value_ns >> shift);
	return bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1;
}

static inline void histogram_add(struct histogram *h, uint64_t value_ns)
{
	h->count++;
	h->sum_ns += value_ns;
	h->sum_squares_ns2 += (unsigned __int128)value_ns * value_ns;
	if (value_ns > h->max_ns)
		h->max_ns = value_ns;
	h->buckets[histogram_bucket(value_ns)]++;
}

/* The largest value that falls into a bucket. */
uint64_t histogram_upper_ns(unsigned bucket);

void histogram_merge(struct histogram *into, const struct histogram *from);
double histogram_mean_ns(const struct histogram *h); /* 0 when empty */

/* Sum of squared deviations from the mean (M2): variance = M2 / count. */
double histogram_m2_ns2(const struct histogram *h);

/* The share of values above a limit; those in the limit's own bucket count as not above it. */
double histogram_share_above(const struct histogram *h, uint64_t limit_ns);

/*
 * The value that `share` (0..1) of all values do not exceed: the middle of its bucket, never above
 * the largest value; 0 when empty.
 */
uint64_t histogram_percentile_ns(const struct histogram *h, double share);

#endif
