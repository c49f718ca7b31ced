/* SPDX-License-Identifier: GPL-2.0-only */
/* What the changes of a run mean together. */
#include <math.h>
#include <stdlib.h>

#include "engines/qlc/cliff_internal.h"

#define SAME_LEVEL 1.25 /* speeds closer than this factor are one level again */
#define RETURNS	   2	/* to the level of before, that a periodic recovery needs */

static bool falls(const struct cliff_change *change)
{
	return change->after < change->before;
}

static bool same_level(double speed, double other)
{
	return fabs(log(speed / other)) < log(SAME_LEVEL);
}

/* Does the speed come back after this fall? */
static bool comes_back(const struct cliff_finder *finder, const struct cliff_change *fall)
{
	const struct cliff_change *change;

	for (change = fall + 1; change < finder->changes + finder->change_count; change++)
		if (change->after * SAME_LEVEL > fall->before)
			return true;
	return false;
}

/* Of the falls that come back, or of those that do not: the first one of the largest ratio. */
static const struct cliff_change *largest_fall(const struct cliff_finder *finder, bool back)
{
	const struct cliff_change *largest = NULL;
	size_t i;

	for (i = 0; i < finder->change_count; i++) {
		const struct cliff_change *change = &finder->changes[i];

		if (!falls(change) || comes_back(finder, change) != back)
			continue;
		if (!largest ||
		    change->before / change->after > SAME_LEVEL * largest->before / largest->after)
			largest = change;
	}
	return largest;
}

/* The first of the falls after which speed came back to the same level, twice at least. */
static const struct cliff_change *periodic_fall(const struct cliff_finder *finder)
{
	size_t i, j;

	for (i = 0; i + 1 < finder->change_count; i++) {
		const struct cliff_change *fall = &finder->changes[i];
		size_t returns = 0;

		for (j = i; falls(fall) && j + 1 < finder->change_count; j++)
			returns += falls(&finder->changes[j]) && !falls(&finder->changes[j + 1]) &&
				   same_level(finder->changes[j].before, fall->before) &&
				   same_level(finder->changes[j + 1].after, fall->before);
		if (returns >= RETURNS)
			return fall;
	}
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Median distance between falls; 0 when memory is short. */
static double period(const struct cliff_finder *finder, bool in_bytes)
{
	double *gaps = calloc(finder->change_count, sizeof(*gaps)), median = 0.0;
	const struct cliff_change *last = NULL;
	size_t count = 0, i;

	for (i = 0; gaps && i < finder->change_count; i++) {
		const struct cliff_change *change = &finder->changes[i];

		if (!falls(change))
			continue;
		if (last)
			gaps[count++] = in_bytes ? (double)(change->at.bytes - last->at.bytes)
						 : (double)(change->at.ns - last->at.ns) / 1e9;
		last = change;
	}
	if (count) {
		qsort(gaps, count, sizeof(*gaps), by_value);
		median = gaps[count / 2];
	}
	free(gaps);
	return median;
}

/* Share of the time from the first fall to the last one that was spent below it. */
static double low_share(const struct cliff_finder *finder, const struct cliff_change *fall)
{
	uint64_t low_ns = 0, last_ns = fall->at.ns;
	size_t i;

	for (i = (size_t)(fall - finder->changes); i + 1 < finder->change_count; i++) {
		const struct cliff_change *change = &finder->changes[i];

		if (falls(change) && !falls(change + 1))
			low_ns += change[1].at.ns - change->at.ns;
		if (falls(change))
			last_ns = change->at.ns;
	}
	if (falls(&finder->changes[i]))
		last_ns = finder->changes[i].at.ns;
	return last_ns > fall->at.ns ? (double)low_ns / (double)(last_ns - fall->at.ns) : 0.0;
}

static void judge_periodic(const struct cliff_finder *finder, struct cliff_verdict *verdict)
{
	verdict->shape = CLIFF_PERIODIC;
	verdict->period_bytes = period(finder, true);
	verdict->period_s = period(finder, false);
	verdict->low_share = low_share(finder, verdict->cliff);
}

static void judge_changes(const struct cliff_finder *finder, struct cliff_verdict *verdict)
{
	verdict->cliff = periodic_fall(finder);
	if (verdict->cliff) {
		judge_periodic(finder, verdict);
		return;
	}
	verdict->cliff = largest_fall(finder, false);
	verdict->shape = verdict->cliff ? CLIFF_FOUND : CLIFF_NONE;
	if (verdict->cliff)
		return;
	verdict->cliff = largest_fall(finder, true);
	if (verdict->cliff)
		verdict->shape = CLIFF_EPISODE;
}

void cliff_judge(const struct cliff_finder *finder, struct cliff_verdict *verdict)
{
	*verdict = (struct cliff_verdict){.is_pending = finder->alarm != 0};
	judge_changes(finder, verdict);
	if (finder->end.ns)
		verdict->hot_share = (double)finder->hot_ns / (double)finder->end.ns;
	if (finder->alarm)
		verdict->suspected = finder->windows[finder->alarm_first].start;
}
