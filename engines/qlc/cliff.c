/* SPDX-License-Identifier: GPL-2.0-only */
/* The finder: levels, alarms, their confirmation, and where a change lies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engines/qlc/cliff_internal.h"

#define RECENT_WINDOWS	31   /* whose median raises an alarm */
#define LEVEL_WINDOWS	100  /* a level shorter than this raises none */
#define CONFIRM_WINDOWS 200  /* at least, since the alarm */
#define CONFIRM_DIPS	4    /* times the longest dip but one */
#define CONFIRM_MOST	1500 /* whatever dips there were */

struct cliff_finder *cliff_finder_new(void)
{
	return calloc(1, sizeof(struct cliff_finder));
}

void cliff_finder_free(struct cliff_finder *finder)
{
	if (!finder)
		return;
	free(finder->windows);
	free(finder->changes);
	free(finder);
}

/* Room for one more element. */
static int grow(void **array, size_t *room, size_t count, size_t bytes)
{
	size_t more = *room ? 2 * *room : 1024;
	void *larger;

	if (count < *room)
		return 0;
	larger = realloc(*array, more * bytes);
	if (!larger)
		return -1;
	*array = larger;
	*room = more;
	return 0;
}

static double distance(unsigned bin, unsigned other)
{
	return rank_log(bin) - rank_log(other);
}

/* Which way the speed left the level: -1 down, 1 up, 0 not. */
static int departure(unsigned bin, unsigned level)
{
	double away = distance(bin, level);

	return fabs(away) < log(CLIFF_LEAST_RATIO) ? 0 : away < 0.0 ? -1 : 1;
}

/* Counts the windows [first, end) into ranks. */
static void count_windows(const struct cliff_finder *finder, struct ranks *ranks, size_t first,
			  size_t end)
{
	for (; first < end; first++)
		ranks_add(ranks, finder->windows[first].bin);
}

/* Windows stay apart from their level until they are RECENT_WINDOWS old, and during an alarm. */
static void follow_level(struct cliff_finder *finder)
{
	size_t end = finder->count > RECENT_WINDOWS ? finder->count - RECENT_WINDOWS : 0;

	if (end <= finder->level_end)
		return;
	count_windows(finder, &finder->level, finder->level_end, end);
	finder->level_end = end;
}

static void raise_alarm(struct cliff_finder *finder, int direction)
{
	finder->alarm = direction;
	finder->alarm_first = finder->count - RECENT_WINDOWS;
	ranks_clear(&finder->suspect);
	count_windows(finder, &finder->suspect, finder->alarm_first, finder->count);
}

static void withdraw_alarm(struct cliff_finder *finder)
{
	size_t length = finder->count - finder->alarm_first;

	length = length > RECENT_WINDOWS ? length - RECENT_WINDOWS / 2 : RECENT_WINDOWS / 2;
	if (length > finder->dips[0]) {
		finder->dips[1] = finder->dips[0];
		finder->dips[0] = length;
	} else if (length > finder->dips[1]) {
		finder->dips[1] = length;
	}
	finder->alarm = 0;
	follow_level(finder);
}

static size_t windows_to_confirm(const struct cliff_finder *finder)
{
	size_t windows = CONFIRM_DIPS * finder->dips[1];

	if (windows < CONFIRM_WINDOWS)
		return CONFIRM_WINDOWS;
	return windows < CONFIRM_MOST ? windows : CONFIRM_MOST;
}

/* The change is confirmed: it is placed, and the new level begins there. */
static int confirm(struct cliff_finder *finder)
{
	unsigned before = ranks_median(&finder->level), after = ranks_median(&finder->suspect);
	size_t from = finder->alarm_first > 2 * RECENT_WINDOWS
			      ? finder->alarm_first - 2 * RECENT_WINDOWS
			      : 0;
	struct cliff_change *change;
	size_t first;

	if (grow((void **)&finder->changes, &finder->change_room, finder->change_count,
		 sizeof(*finder->changes)))
		return -1;
	change = &finder->changes[finder->change_count++];
	*change = (struct cliff_change){.before = rank_speed(before), .after = rank_speed(after)};
	if (from < finder->level_first)
		from = finder->level_first;
	first = cliff_place_change(finder, from, before, after, change);
	finder->level_first = finder->level_end = first;
	finder->alarm = 0;
	ranks_clear(&finder->level);
	follow_level(finder);
	return CLIFF_CHANGED;
}

/*
 * Are seven in ten windows since the alarm nearer to their own median than to the level? An episode
 * that is just over makes half of them.
 */
static bool most_departed(const struct cliff_finder *finder, unsigned level)
{
	struct ranks suspect = finder->suspect;
	unsigned median = ranks_median(&suspect), middle = (level + median) / 2;
	uint32_t departed = 0;
	unsigned bin;

	if (departure(median, level) != finder->alarm)
		return false;
	for (bin = 0; bin < RANK_BINS; bin++)
		departed += finder->alarm < 0 ? (bin <= middle) * suspect.count[bin]
					      : (bin >= middle) * suspect.count[bin];
	return departed * 10 >= suspect.total * 7;
}

static int judge_alarm(struct cliff_finder *finder)
{
	unsigned level = ranks_median(&finder->level);

	if (departure(ranks_median(&finder->recent), level) != finder->alarm) {
		withdraw_alarm(finder);
		return CLIFF_STEADY;
	}
	if (finder->suspect.total < windows_to_confirm(finder) || !most_departed(finder, level))
		return CLIFF_SUSPECTED;
	return confirm(finder);
}

static int judge_window(struct cliff_finder *finder)
{
	int direction;

	if (finder->alarm) {
		ranks_add(&finder->suspect, finder->windows[finder->count - 1].bin);
		return judge_alarm(finder);
	}
	follow_level(finder);
	if (finder->level.total < LEVEL_WINDOWS)
		return CLIFF_STEADY;
	direction = departure(ranks_median(&finder->recent), ranks_median(&finder->level));
	if (!direction)
		return CLIFF_STEADY;
	raise_alarm(finder, direction);
	return CLIFF_SUSPECTED;
}

static void follow_recent(struct cliff_finder *finder)
{
	ranks_add(&finder->recent, finder->windows[finder->count - 1].bin);
	if (finder->count > RECENT_WINDOWS)
		ranks_remove(&finder->recent,
			     finder->windows[finder->count - 1 - RECENT_WINDOWS].bin);
}

int cliff_finder_add(struct cliff_finder *finder, const struct cliff_window *window)
{
	struct cliff_place start = finder->end;

	finder->end.bytes += window->bytes;
	finder->end.ns += window->duration_ns;
	if (window->is_hot) {
		finder->hot_ns += window->duration_ns;
		return finder->alarm ? CLIFF_SUSPECTED : CLIFF_STEADY;
	}
	if (grow((void **)&finder->windows, &finder->window_room, finder->count,
		 sizeof(*finder->windows)))
		return -1;
	finder->windows[finder->count++] = (struct seen_window){
		.start = start,
		.end = finder->end,
		.bin = rank_bin((double)window->bytes * 1e9 / (double)window->duration_ns),
	};
	follow_recent(finder);
	return judge_window(finder);
}

const struct cliff_change *cliff_changes(const struct cliff_finder *finder, size_t *count)
{
	*count = finder->change_count;
	return finder->changes;
}

struct cliff_place cliff_written(const struct cliff_finder *finder)
{
	return finder->end;
}
