/* SPDX-License-Identifier: GPL-2.0-only */
/* Intervals of all jobs taken together by minutes. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/measures.h"
#include "postprocess/minutes_internal.h"

#define MOST_MINUTES 100000 /* seventy days; a later interval has a damaged time */
#define LONG_SHARE   1.5    /* an interval of so many minutes fills several */

/* A rest of less than a tenth of a minute is too short for a rate, as for intervals of seconds. */
#define LEAST_SHARE 0.1

void spread_add(struct spread *into, const struct spread *more)
{
	if (!(more->count > 0))
		return;
	if (!(into->count > 0)) {
		*into = *more;
		return;
	}
	moments_merge(&into->mean_us, &into->m2_us2, into->count, more->mean_us, more->m2_us2,
		      more->count);
	into->max_us = fmax(into->max_us, more->max_us);
	into->count += more->count;
}

double spread_stddev_us(const struct spread *spread)
{
	return spread->count > 0 ? sqrt(spread->m2_us2 / spread->count) : NAN;
}

void minutes_free(struct minutes *minutes)
{
	free(minutes->list);
	minutes->list = NULL;
	minutes->count = 0;
}

/* The minute of a time; NULL when there can be none. */
static struct minute_sum *minute_at(struct minute_sums *sums, double at_s)
{
	struct minute_sum *larger;
	size_t index, room;

	if (!(at_s >= 0 && at_s < MOST_MINUTES * sums->minute_s))
		return NULL;
	index = (size_t)(at_s / sums->minute_s);
	if (index < sums->count)
		return &sums->list[index];
	room = (index + 256) / 256 * 256 + 256;
	larger = realloc(sums->list, room * sizeof(*larger));
	if (!larger) {
		sums->is_short = true;
		return NULL;
	}
	sums->list = larger;
	memset(larger + sums->count, 0, (room - sums->count) * sizeof(*larger));
	sums->count = index + 1;
	return &larger[index];
}

static void add_part(struct minute_sums *sums, double middle_s, double length_s, double ios,
		     const struct spread *latency)
{
	struct minute_sum *minute = minute_at(sums, middle_s);

	if (!minute)
		return;
	minute->job_s += length_s;
	minute->job_ios += ios;
	spread_add(&minute->latency, latency);
}

void minute_sums_add(struct minute_sums *sums, double start_s, double length_s, double ios,
		     const struct spread *latency)
{
	double parts =
		length_s > LONG_SHARE * sums->minute_s ? round(length_s / sums->minute_s) : 1;
	struct spread part = *latency;
	double i;

	if (!(length_s >= 0) || parts > MOST_MINUTES)
		return;
	part.count /= parts;
	part.m2_us2 /= parts;
	for (i = 0; i < parts; i++)
		add_part(sums, start_s + (i + 0.5) * length_s / parts, length_s / parts,
			 ios / parts, &part);
}

void minute_sums_add_bins(struct minute_sums *sums, double at_s, const struct spread *bins)
{
	struct minute_sum *minute = minute_at(sums, at_s);

	if (minute)
		spread_add(&minute->histogram, bins);
}

void minute_sums_end_job(struct minute_sums *sums)
{
	size_t i;

	for (i = 0; i < sums->count; i++) {
		struct minute_sum *minute = &sums->list[i];

		if (minute->job_s > 0)
			minute->iops += minute->job_ios / minute->job_s;
		minute->longest_s = fmax(minute->longest_s, minute->job_s);
		minute->job_ios = minute->job_s = 0;
	}
}

void minute_sums_note(struct minute_sums *sums, const char *format, ...)
{
	size_t used = strlen(sums->note);
	va_list args;

	if (used && used + 2 < sizeof(sums->note)) {
		strcpy(sums->note + used, "; ");
		used += 2;
	}
	va_start(args, format);
	vsnprintf(sums->note + used, sizeof(sums->note) - used, format, args);
	va_end(args);
}

static struct minute make_minute(const struct minute_sums *sums, size_t i)
{
	const struct minute_sum *sum = &sums->list[i];
	const struct spread *latency = sum->latency.count > 0 ? &sum->latency : &sum->histogram;
	struct minute minute = {.start_s = (double)i * sums->minute_s,
				.length_s = sum->longest_s,
				.fills = NAN,
				.values = {NAN, NAN, NAN, NAN}};

	if (sum->longest_s > 0)
		minute.values[MINUTE_IOPS] = sum->iops;
	if (!(latency->count > 0))
		return minute;
	minute.values[MINUTE_MEAN] = latency->mean_us;
	minute.values[MINUTE_MAX] =
		isnan(latency->max_us) ? sum->histogram.max_us : latency->max_us;
	minute.values[MINUTE_STDDEV] =
		spread_stddev_us(isnan(latency->m2_us2) ? &sum->histogram : latency);
	if (!(minute.values[MINUTE_MAX] > 0))
		minute.values[MINUTE_MAX] = NAN;
	return minute;
}

/* The last minute may be a rest; before it, a short one is a gap that did not last. */
static bool is_rest(const struct minute_sums *sums, const struct minute *minute)
{
	return minute->length_s < LEAST_SHARE * sums->minute_s;
}

static bool holds_any(const struct minutes *minutes)
{
	size_t i;

	for (i = 0; i < minutes->count; i++)
		if (minutes->list[i].length_s > 0 || !isnan(minutes->list[i].values[MINUTE_MEAN]))
			return true;
	return false;
}

int minute_sums_finish(struct minute_sums *sums, const char *what, struct minutes *minutes,
		       struct error *err)
{
	size_t i;

	*minutes = (struct minutes){.minute_s = sums->minute_s};
	if (!sums->is_short)
		minutes->list = calloc(sums->count + 1, sizeof(*minutes->list));
	for (i = 0; minutes->list && i < sums->count; i++)
		minutes->list[i] = make_minute(sums, i);
	if (minutes->list)
		minutes->count = sums->count;
	while (minutes->count > 1 && is_rest(sums, &minutes->list[minutes->count - 1]))
		minutes->count--;
	snprintf(minutes->note, sizeof(minutes->note), "%s", sums->note);
	free(sums->list);
	if (!minutes->list)
		return error_set(err, "%s: not enough memory for its minutes", what);
	if (holds_any(minutes))
		return 0;
	minutes_free(minutes);
	return error_set(err, "%s: no interval is recorded in it", what);
}
