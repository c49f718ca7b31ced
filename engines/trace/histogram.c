/* SPDX-License-Identifier: GPL-2.0-only */
/* A histogram with sixteen buckets for every doubling: no value is off by more than 1/16. */
#include "engines/trace/info_internal.h"

static unsigned bucket_of(uint64_t value)
{
	unsigned octave;

	if (value < 16)
		return (unsigned)value;
	octave = 63 - (unsigned)__builtin_clzll(value);
	return (octave - 3) * 16 + (unsigned)((value >> (octave - 4)) & 15);
}

/* The middle of a bucket. */
static double bucket_value(unsigned bucket)
{
	unsigned octave = bucket / 16 + 3;

	if (bucket < 16)
		return bucket;
	return ((double)(16 + bucket % 16) + 0.5) * (double)(1ULL << (octave - 4));
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
	histogram->counts[bucket_of(value)]++;
	histogram->values++;
	histogram->sum += (double)value;
}

double histogram_quantile(const struct histogram *histogram, double share)
{
	double wanted = share * (double)histogram->values, seen = 0;
	unsigned i;

	for (i = 0; i < HISTOGRAM_BUCKETS; i++) {
		seen += (double)histogram->counts[i];
		if (histogram->counts[i] && seen >= wanted)
			return bucket_value(i);
	}
	return 0;
}
