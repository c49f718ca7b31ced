/* SPDX-License-Identifier: GPL-2.0-only */
/* Latencies of several jobs and directions taken together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/fiojson.h"

/* The larger one; NAN when one of them is not known: part of a sum unknown is the sum unknown. */
static double larger(double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	return a > b ? a : b;
}

/*
 * Mean and deviation of two groups together: the sum of squared deviations of each, and of the
 * distance between their means (Chan, Golub, LeVeque 1979).
 */
static void pool(struct latency *sum, const struct latency *part)
{
	double n = (double)sum->count, m = (double)part->count, all = n + m;
	double distance = part->mean_us - sum->mean_us;
	double m2 = sum->stddev_us * sum->stddev_us * n + part->stddev_us * part->stddev_us * m +
		    distance * distance * n * m / all;

	sum->mean_us += distance * m / all;
	sum->stddev_us = sqrt(m2 / all);
	sum->count += part->count;
}

static int bins_append(struct fio_latency *sum, const struct fio_latency *part)
{
	struct fio_bin *more;

	if (!part->bin_count)
		return 0;
	more = realloc(sum->bins, (sum->bin_count + part->bin_count) * sizeof(*more));
	if (!more)
		return -1;
	memcpy(more + sum->bin_count, part->bins, part->bin_count * sizeof(*more));
	sum->bins = more;
	sum->bin_count += part->bin_count;
	return 0;
}

int fio_latency_add(struct fio_latency *sum, const struct fio_latency *part)
{
	struct latency *total = &sum->summary;
	const struct latency *more = &part->summary;

	if (!more->count)
		return 0;
	if (bins_append(sum, part))
		return -1;
	if (!total->count) {
		*total = *more;
		return 0;
	}
	pool(total, more);
	total->max_us = larger(total->max_us, more->max_us);
	total->p50_us = larger(total->p50_us, more->p50_us);
	total->p99_us = larger(total->p99_us, more->p99_us);
	total->p99_9_us = larger(total->p99_9_us, more->p99_9_us);
	total->percentiles_are_largest = true;
	return 0;
}

static int by_latency(const void *a, const void *b)
{
	const struct fio_bin *x = a, *y = b;

	return (x->us > y->us) - (x->us < y->us);
}

static double percentile(const struct fio_latency *latency, double share)
{
	double wanted = share * (double)latency->summary.count, seen = 0;
	size_t i;

	for (i = 0; i < latency->bin_count; i++) {
		seen += (double)latency->bins[i].count;
		if (seen >= wanted)
			return latency->bins[i].us;
	}
	return NAN;
}

void fio_latency_finish(struct fio_latency *sum)
{
	uint64_t binned = 0;
	size_t i;

	if (!sum->summary.percentiles_are_largest)
		return;
	for (i = 0; i < sum->bin_count; i++)
		binned += sum->bins[i].count;
	if (!binned || binned != sum->summary.count)
		return;
	qsort(sum->bins, sum->bin_count, sizeof(*sum->bins), by_latency);
	sum->summary.p50_us = percentile(sum, 0.5);
	sum->summary.p99_us = percentile(sum, 0.99);
	sum->summary.p99_9_us = percentile(sum, 0.999);
	sum->summary.percentiles_are_largest = false;
}

void fio_latency_free(struct fio_latency *latency)
{
	free(latency->bins);
	latency->bins = NULL;
	latency->bin_count = 0;
}
