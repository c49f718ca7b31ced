/* SPDX-License-Identifier: GPL-2.0-only */
/* Latencies that stand out from the minutes around them. */
#include <math.h>
#include <stdlib.h>

#include "postprocess/findings_internal.h"
#include "postprocess/grow.h"

#define AROUND	    (WIDEST_WINDOW / 2) /* minutes before and after */
#define LEAST_KNOWN 5			/* of them */

/* The standard deviation of a normal distribution, of its median deviation. */
#define SIGMA_OF_MAD 1.4826

struct usual {
	double median, sigma;
	size_t known;
};

static struct usual usual_around(const struct minutes *minutes, enum minute_measure measure,
				 size_t i)
{
	size_t from = i > AROUND ? i - AROUND : 0, at, count = 0;
	double values[WIDEST_WINDOW];
	struct usual usual = {median_between(minutes, measure, from, i + AROUND + 1), 0, 0};

	for (at = from; at < i + AROUND + 1 && at < minutes->count; at++) {
		values[count] = fabs(minutes->list[at].values[measure] - usual.median);
		usual.known += !isnan(values[count++]);
	}
	usual.sigma = SIGMA_OF_MAD * findings_median(values, count);
	return usual;
}

static bool stands_out(const struct minutes *minutes, enum minute_measure measure, size_t i,
		       struct spike *spike)
{
	double us = minutes->list[i].values[measure];
	struct usual usual = usual_around(minutes, measure, i);

	*spike = (struct spike){measure, i, us, usual.median};
	return usual.known >= LEAST_KNOWN && us >= FINDINGS_SPIKE_SHARE * usual.median &&
	       us >= usual.median + FINDINGS_SPIKE_SIGMA * usual.sigma;
}

static int keep(struct findings *findings, const struct spike *spike)
{
	struct spike *larger = list_grow(findings->spikes, findings->spike_count, sizeof(*larger));

	if (!larger)
		return -1;
	findings->spikes = larger;
	larger[findings->spike_count++] = *spike;
	return 0;
}

/* Minutes in a row are one spike. */
static int find_of(const struct minutes *minutes, enum minute_measure measure,
		   struct findings *findings)
{
	struct spike spike, highest = {.us = NAN};
	size_t i;

	for (i = 0; i <= minutes->count; i++) {
		if (i < minutes->count && stands_out(minutes, measure, i, &spike)) {
			if (isnan(highest.us) || spike.us > highest.us)
				highest = spike;
			continue;
		}
		if (!isnan(highest.us) && keep(findings, &highest))
			return -1;
		highest.us = NAN;
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct spike *x = a, *y = b;

	if (x->minute != y->minute)
		return x->minute < y->minute ? -1 : 1;
	return (int)x->measure - (int)y->measure;
}

int find_spikes(const struct minutes *minutes, struct findings *findings)
{
	enum minute_measure measure;
	size_t i;

	for (measure = MINUTE_MEAN; measure <= MINUTE_STDDEV; measure++)
		if (find_of(minutes, measure, findings))
			return -1;
	if (findings->spike_count)
		qsort(findings->spikes, findings->spike_count, sizeof(*findings->spikes), by_time);
	for (i = 0; i < findings->spike_count; i++)
		findings->spike_times +=
			!i || findings->spikes[i].minute > findings->spikes[i - 1].minute + 1;
	return 0;
}
