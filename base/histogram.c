/* SPDX-License-Identifier: GPL-2.0-only */
/* Latency histogram: reading it. Adding to it is in the header, for it happens at every I/O. */
#include <math.h>

#include "base/histogram.h"

static uint64_t lower_ns(unsigned bucket)
{
	unsigned shift;

	if (bucket < (2u << HISTOGRAM_BITS))
		return bucket;
	shift = (bucket >> HISTOGRAM_BITS) - 1;
	return (uint64_t)(bucket - (shift << HISTOGRAM_BITS)) << shift;
}

uint64_t histogram_upper_ns(unsigned bucket)
{
	return lower_ns(bucket + 1) - 1;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	unsigned i;

	into->count += from->count;
	into->sum_ns += from->sum_ns;
	into->sum_squares_ns2 += from->sum_squares_ns2;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->buckets[i] += from->buckets[i];
}

double histogram_mean_ns(const struct histogram *h)
{
	return h->count ? (double)h->sum_ns / (double)h->count : 0.0;
}

double histogram_m2_ns2(const struct histogram *h)
{
	unsigned __int128 square = (unsigned __int128)h->sum_ns * h->sum_ns;

	if (!h->count)
		return 0.0;
	/* Whole numbers up to here: no digits are lost where the deviation is small. */
	return (double)(h->sum_squares_ns2 - square / h->count);
}

uint64_t histogram_percentile_ns(const struct histogram *h, double share)
{
	uint64_t wanted = (uint64_t)ceil(share * (double)h->count), seen = 0, middle;
	unsigned i;

	if (!h->count)
		return 0;
	if (wanted < 1)
		wanted = 1;
	for (i = 0; i < HISTOGRAM_BUCKETS - 1; i++) {
		seen += h->buckets[i];
		if (seen >= wanted)
			break;
	}
	middle = (lower_ns(i) + histogram_upper_ns(i)) / 2;
	return middle < h->max_ns ? middle : h->max_ns;
}

double histogram_share_above(const struct histogram *h, uint64_t limit_ns)
{
	uint64_t above = 0;
	unsigned i;

	for (i = histogram_bucket(limit_ns) + 1; i < HISTOGRAM_BUCKETS; i++)
		above += h->buckets[i];
	return h->count ? (double)above / (double)h->count : 0.0;
}
