/* SPDX-License-Identifier: GPL-2.0-only */
/* Burst, steady level, gaps and evenness of a run by minutes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/findings_internal.h"
#include "postprocess/grow.h"
#include "postprocess/steady.h"

#define TAIL_PARTS   5 /* the last of so many parts of a run may be steady */
#define TAIL_MINUTES 5
#define SMOOTH	     2 /* minutes before and after */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double findings_median(double *values, size_t count)
{
	size_t kept = 0, i;

	for (i = 0; i < count; i++)
		if (!isnan(values[i]))
			values[kept++] = values[i];
	if (!kept)
		return NAN;
	qsort(values, kept, sizeof(*values), by_value);
	return kept % 2 ? values[kept / 2] : (values[kept / 2 - 1] + values[kept / 2]) / 2;
}

double median_between(const struct minutes *minutes, enum minute_measure measure, size_t from,
		      size_t to)
{
	double values[WIDEST_WINDOW];
	size_t count = 0;

	for (; from < to && from < minutes->count && count < WIDEST_WINDOW; from++)
		values[count++] = minutes->list[from].values[measure];
	return findings_median(values, count);
}

static double iops_of(const struct minutes *minutes, size_t i)
{
	return minutes->list[i].values[MINUTE_IOPS];
}

/* ---- the steady level ------------------------------------------------------------------------ */

/* A range of minutes. */
struct range {
	size_t from, to;
};

static struct range minutes_within(const struct minutes *minutes, double from_s, double to_s)
{
	struct range range = {minutes->count, 0};
	size_t i;

	for (i = 0; i < minutes->count; i++) {
		const struct minute *minute = &minutes->list[i];

		if (minute->start_s < from_s - 0.5 || minute->start_s >= to_s - 0.5)
			continue;
		range.from = range.from < i ? range.from : i;
		range.to = i + 1;
	}
	return range;
}

static double mean_iops(const struct minutes *minutes, size_t from, size_t to)
{
	double sum = 0, count = 0;

	for (; from < to; from++)
		if (!isnan(iops_of(minutes, from))) {
			sum += iops_of(minutes, from);
			count++;
		}
	return count > 0 ? sum / count : NAN;
}

/* The last minutes, when their five parts are as steady as rounds would have to be. */
static struct range steady_tail(const struct minutes *minutes)
{
	static const struct steady_rule rule = {.window = 5, .range = 0.2, .slope = 0.1};
	size_t part = minutes->count / TAIL_PARTS / 5, i;
	struct range range = {0, 0};
	struct steady_fit fit;
	double values[5];

	part = part ? part : 1;
	if (minutes->count < TAIL_MINUTES)
		return range;
	for (i = 0; i < 5; i++)
		values[i] = mean_iops(minutes, minutes->count - (5 - i) * part,
				      minutes->count - (4 - i) * part);
	steady_fit(values, 5, &rule, &fit);
	if (fit.steady)
		range = (struct range){minutes->count - 5 * part, minutes->count};
	return range;
}

static void take_level(const struct minutes *minutes, const struct range *range,
		       struct findings *findings)
{
	struct spread whole = {0};
	size_t i;

	for (i = range->from; i < range->to; i++) {
		const struct minute *minute = &minutes->list[i];
		double count = minute->values[MINUTE_IOPS] * minute->length_s;
		double stddev = minute->values[MINUTE_STDDEV];
		struct spread own = {count, minute->values[MINUTE_MEAN], stddev * stddev * count,
				     minute->values[MINUTE_MAX]};

		if (count > 0 && !isnan(own.mean_us))
			spread_add(&whole, &own);
	}
	findings->steady[MINUTE_IOPS] = mean_iops(minutes, range->from, range->to);
	if (!(whole.count > 0))
		return;
	findings->steady[MINUTE_MEAN] = whole.mean_us;
	findings->steady[MINUTE_MAX] = whole.max_us;
	findings->steady[MINUTE_STDDEV] = spread_stddev_us(&whole);
}

static bool is_near(double iops, double level)
{
	return fabs(iops - level) <= FINDINGS_NEAR_SHARE * level;
}

/* Back from the steady minutes as long as what is usual around a minute is near the level. */
static void find_since(const struct minutes *minutes, const struct range *range,
		       struct findings *findings)
{
	double level = findings->steady[MINUTE_IOPS], around;
	size_t since = range->from;

	while (since > 0) {
		around =
			median_between(minutes, MINUTE_IOPS,
				       since - 1 > SMOOTH ? since - 1 - SMOOTH : 0, since + SMOOTH);
		if (!isnan(iops_of(minutes, since - 1)) && !is_near(around, level))
			break;
		since--;
	}
	while (since < range->from && !is_near(iops_of(minutes, since), level))
		since++;
	findings->steady_since_s = minutes->list[since].start_s;
	findings->steady_since_fills = since ? minutes->list[since - 1].fills : 0;
}

static void find_steady(const struct minutes *minutes, double from_s, double to_s,
			struct findings *findings)
{
	struct range range =
		isnan(from_s) ? steady_tail(minutes) : minutes_within(minutes, from_s, to_s);

	if (range.from >= range.to)
		return;
	take_level(minutes, &range, findings);
	if (findings->steady[MINUTE_IOPS] > 0)
		find_since(minutes, &range, findings);
	else
		findings->steady[MINUTE_IOPS] = NAN;
}

/* ---- the burst ------------------------------------------------------------------------------- */

/* What the run came to: its steady level, or the median of its last minutes. */
static double final_level(const struct minutes *minutes, const struct findings *findings)
{
	size_t count = minutes->count, tail = count > WIDEST_WINDOW ? WIDEST_WINDOW : count / 2;

	if (findings->steady[MINUTE_IOPS] > 0)
		return findings->steady[MINUTE_IOPS];
	return median_between(minutes, MINUTE_IOPS, count - tail, count);
}

/* A burst may be over within a minute or two. */
static double first_level(const struct minutes *minutes, double level)
{
	double first = iops_of(minutes, 0), usual = median_between(minutes, MINUTE_IOPS, 0, 3);

	return usual < FINDINGS_BURST_SHARE * level && first > usual ? first : usual;
}

static double median_of_first(const struct minutes *minutes, size_t count)
{
	double *values = calloc(count + 1, sizeof(*values)), median = NAN;
	size_t i;

	for (i = 0; values && i < count; i++)
		values[i] = iops_of(minutes, i);
	if (values)
		median = findings_median(values, count);
	free(values);
	return median;
}

/* Below half way in this minute, and in what is usual from it on. */
static bool has_fallen(const struct minutes *minutes, size_t i, double half_way)
{
	return iops_of(minutes, i) < half_way &&
	       median_between(minutes, MINUTE_IOPS, i, i + 3) < half_way;
}

/* Returns the first minute after it, 0 for no burst. */
static size_t find_burst(const struct minutes *minutes, struct findings *findings)
{
	double level = final_level(minutes, findings), first = first_level(minutes, level);
	size_t end = 1;

	if (!(first >= FINDINGS_BURST_SHARE * level))
		return 0;
	while (end < minutes->count && !has_fallen(minutes, end, (first + level) / 2))
		end++;
	if (end == minutes->count)
		return 0;
	findings->burst_iops = median_of_first(minutes, end);
	findings->burst_end_s = minutes->list[end].start_s;
	findings->burst_end_fills = minutes->list[end - 1].fills;
	return end;
}

/* ---- how even it was ------------------------------------------------------------------------- */

static void find_near_share(const struct minutes *minutes, size_t from, struct findings *findings)
{
	double near = 0, known = 0;

	if (isnan(findings->steady[MINUTE_IOPS]))
		return;
	for (; from < minutes->count; from++) {
		known += !isnan(iops_of(minutes, from));
		near += is_near(iops_of(minutes, from), findings->steady[MINUTE_IOPS]);
	}
	if (known > 0)
		findings->near_share = near / known;
}

static bool is_gap(const struct minute *minute)
{
	return isnan(minute->values[MINUTE_IOPS]) && !minute->is_invalid;
}

/* Minutes of which nothing is known, in a row. */
static int find_gaps(const struct minutes *minutes, struct findings *findings)
{
	struct gap *larger;
	size_t i, end;

	for (i = 0; i < minutes->count; i = end + 1) {
		for (end = i; end < minutes->count && is_gap(&minutes->list[end]); end++)
			;
		if (end == i)
			continue;
		larger = list_grow(findings->gaps, findings->gap_count, sizeof(*larger));
		if (!larger)
			return -1;
		findings->gaps = larger;
		larger[findings->gap_count++] = (struct gap){minutes->list[i].start_s,
							     (double)(end - i) * minutes->minute_s};
	}
	return 0;
}

int findings_make(const struct minutes *minutes, double from_s, double to_s,
		  struct findings *findings)
{
	size_t burst;

	*findings = (struct findings){.burst_iops = NAN,
				      .burst_end_s = NAN,
				      .burst_end_fills = NAN,
				      .steady = {NAN, NAN, NAN, NAN},
				      .steady_since_s = NAN,
				      .steady_since_fills = NAN,
				      .near_share = NAN};
	if (!minutes->count)
		return 0;
	find_steady(minutes, from_s, to_s, findings);
	burst = find_burst(minutes, findings);
	find_near_share(minutes, burst, findings);
	if (!find_gaps(minutes, findings) && !find_spikes(minutes, findings))
		return 0;
	findings_free(findings);
	return -1;
}

void findings_free(struct findings *findings)
{
	free(findings->spikes);
	free(findings->gaps);
	findings->spikes = NULL;
	findings->gaps = NULL;
	findings->spike_count = findings->gap_count = 0;
}
