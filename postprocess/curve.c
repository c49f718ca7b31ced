/* SPDX-License-Identifier: GPL-2.0-only */
/* What a curve says. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/curve.h"
#include "postprocess/point.h"

/* Rates asked for differ from the peak's by the chance of arrivals alone. */
#define ASKED_AS_MUCH 0.995

/* What differs by less is the same rate. */
#define CLEARLY_MORE 1.02

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* NAN for none. Sorts the values. */
static double median(double *values, size_t count)
{
	if (!count)
		return NAN;
	qsort(values, count, sizeof(*values), by_value);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* The median of one member over the repeats that know it. */
static double median_of(struct point *const *points, size_t count, size_t offset, double *values)
{
	size_t i, known = 0;

	for (i = 0; i < count; i++) {
		double value = *(const double *)((const char *)points[i] + offset);

		if (!isnan(value))
			values[known++] = value;
	}
	return median(values, known);
}

static void take_medians(struct step *step, struct point *const *points, size_t count,
			 double *values)
{
#define LATENCY(which)                                                                             \
	offsetof(struct point, which.mean_us), offsetof(struct point, which.stddev_us),            \
		offsetof(struct point, which.p50_us), offsetof(struct point, which.p99_us),        \
		offsetof(struct point, which.p99_9_us), offsetof(struct point, which.max_us)
	static const size_t members[] = {offsetof(struct point, iops),
					 offsetof(struct point, nominal_iops),
					 offsetof(struct point, offered_iops),
					 offsetof(struct point, bytes_per_s),
					 offsetof(struct point, temperature_mean_c),
					 offsetof(struct point, temperature_max_c),
					 offsetof(struct point, write_amplification),
					 LATENCY(clat),
					 LATENCY(slat),
					 LATENCY(lat)};
#undef LATENCY
	double lowest, highest;
	size_t i;

	for (i = 0; i < COUNT(members); i++)
		*(double *)((char *)&step->point + members[i]) =
			median_of(points, count, members[i], values);
	lowest = highest = points[0]->iops;
	for (i = 1; i < count; i++) {
		lowest = fmin(lowest, points[i]->iops);
		highest = fmax(highest, points[i]->iops);
	}
	step->spread = (highest - lowest) / step->point.iops;
}

/* All repeats of the point at curve->points[first], which is the first of its name. */
static int make_step(const struct curve *curve, size_t first, struct step *step)
{
	const char *name = curve->points[first].name;
	struct point **points = calloc(curve->count, sizeof(struct point *));
	double *values = calloc(curve->count, sizeof(*values));
	size_t i, used = 0;

	*step = (struct step){.point = curve->points[first], .spread = NAN};
	for (i = first; points && values && i < curve->count; i++)
		if (!strcmp(curve->points[i].name, name) && point_counts(&curve->points[i]))
			points[used++] = &curve->points[i];
	step->repeats = (unsigned)used;
	if (used)
		step->point = *points[0];
	if (used > 1)
		take_medians(step, points, used, values);
	i = points && values;
	free(points);
	free(values);
	return i ? 0 : -1;
}

static bool seen_before(const struct curve *curve, size_t at)
{
	size_t i;

	for (i = 0; i < at; i++)
		if (!strcmp(curve->points[i].name, curve->points[at].name))
			return true;
	return false;
}

/*
 * The max run says what 100 % is. Beside the steps it is no point of the curve: a drive that was
 * fresh when it ran would otherwise show a rate that no later step can reach.
 */
static size_t drop_max_run(struct step *steps, size_t count)
{
	size_t i, counting = 0, max = count;

	for (i = 0; i < count; i++) {
		if (point_is_max(&steps[i].point))
			max = i;
		else
			counting += point_counts(&steps[i].point);
	}
	if (max == count || !counting)
		return count;
	memmove(steps + max, steps + max + 1, (count - max - 1) * sizeof(*steps));
	return count - 1;
}

struct step *curve_steps(const struct curve *curve, size_t *count)
{
	struct step *steps = calloc(curve->count + 1, sizeof(*steps));
	size_t i;

	*count = 0;
	if (!steps)
		return NULL;
	for (i = 0; i < curve->count; i++)
		if (!seen_before(curve, i) && !make_step(curve, i, &steps[*count]))
			(*count)++;
	if (!*count) {
		free(steps);
		return NULL;
	}
	*count = drop_max_run(steps, *count);
	return steps;
}

static double rate(const struct step *step, bool by_bytes)
{
	return by_bytes ? step->point.bytes_per_s : step->point.iops;
}

/* Of two steps with the same rate the one with the lower latency is better. */
static bool is_better(const struct step *step, const struct step *than, bool by_bytes)
{
	double mine = rate(step, by_bytes), other = rate(than, by_bytes);

	return mine > other ||
	       (mine == other && step->point.clat.mean_us < than->point.clat.mean_us);
}

const struct step *steps_peak(const struct step *steps, size_t count, bool by_bytes)
{
	const struct step *peak = NULL;
	size_t i;

	for (i = 0; i < count; i++)
		if (point_counts(&steps[i].point) && !isnan(rate(&steps[i], by_bytes)) &&
		    (!peak || is_better(&steps[i], peak, by_bytes)))
			peak = &steps[i];
	return peak;
}

/* Asked for more than it reached, a drive has shown its end: nothing above it need be known. */
static bool shows_the_end(const struct step *steps, size_t count, const struct step *peak)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (point_counts(&steps[i].point) &&
		    steps[i].point.nominal_iops > CLEARLY_MORE * peak->point.iops)
			return true;
	return peak->point.verdict == POINT_SATURATED;
}

unsigned steps_above_peak(const struct step *steps, size_t count, const struct step *peak,
			  bool by_bytes)
{
	bool end = shows_the_end(steps, count, peak);
	unsigned above = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct point *point = &steps[i].point;

		if (point_counts(point) || point_is_max(point))
			continue;
		above += rate(&steps[i], by_bytes) > CLEARLY_MORE * rate(peak, by_bytes) ||
			 (!end && point->nominal_iops > CLEARLY_MORE * peak->point.iops);
	}
	return above;
}

double step_latency_us(const struct step *step, enum metric metric)
{
	return metric == METRIC_LAT ? step->point.lat.mean_us : step->point.clat.mean_us;
}

double steps_one_ms_iops(const struct step *steps, size_t count, enum metric metric)
{
	const struct step *below = NULL;
	double latency, share;
	size_t i, known = 0;

	for (i = 0; i < count; i++) {
		latency = step_latency_us(&steps[i], metric);
		if (!point_counts(&steps[i].point) || isnan(latency))
			continue;
		known++;
		if (latency <= ONE_MS_US) {
			below = &steps[i];
			continue;
		}
		if (!below)
			return 0;
		share = (ONE_MS_US - step_latency_us(below, metric)) /
			(latency - step_latency_us(below, metric));
		return below->point.iops + share * (steps[i].point.iops - below->point.iops);
	}
	return known > 1 ? INFINITY : NAN;
}

static bool asked_as_much(const struct step *step, const struct step *peak)
{
	return point_is_max(&step->point) ||
	       step->point.nominal_iops >= ASKED_AS_MUCH * peak->point.iops;
}

double steps_lowest_after(const struct step *steps, size_t count, const struct step *peak)
{
	double lowest = NAN;
	size_t i;

	for (i = 0; i < count; i++)
		if (&steps[i] != peak && point_counts(&steps[i].point) &&
		    asked_as_much(&steps[i], peak))
			lowest = fmin(lowest, steps[i].point.iops);
	return lowest;
}
