/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a change lies: the split into two levels with the least absolute deviations. */
#include <math.h>

#include "engines/qlc/cliff_internal.h"

/*
 * With deviations of mean size b, a split that costs this many b more than the best one is still
 * as likely as the 95 % in the docs ask for; found by drawing drives (`make bench`).
 */
#define CONFIDENT_COST 4.0

struct split_cost {
	double gain; /* of the window on the old level over the new one; the sum is the cost */
	double deviation;
};

static struct split_cost cost_of(const struct seen_window *window, unsigned before, unsigned after)
{
	double old = fabs(rank_log(window->bin) - rank_log(before));
	double new = fabs(rank_log(window->bin) - rank_log(after));

	return (struct split_cost){.gain = old - new, .deviation = fmin(old, new)};
}

/* Widens [earliest, latest] to all splits that are nearly as good as the best. */
static void find_confidence(const struct cliff_finder *finder, size_t from, unsigned before,
			    unsigned after, double limit, struct cliff_change *change)
{
	double cost = 0.0;
	bool is_inside = false;
	size_t i;

	for (i = from; i <= finder->count; i++) {
		if (cost <= limit) {
			/* A window that the change falls into may count on either side of it. */
			if (!is_inside)
				change->earliest = finder->windows[i ? i - 1 : 0].start;
			change->latest = i < finder->count ? finder->windows[i].end : finder->end;
			is_inside = true;
		}
		if (i < finder->count)
			cost += cost_of(&finder->windows[i], before, after).gain;
	}
}

size_t cliff_place_change(const struct cliff_finder *finder, size_t from, unsigned before,
			  unsigned after, struct cliff_change *change)
{
	double cost = 0.0, least = 0.0, deviation = 0.0;
	size_t best = from, i;

	for (i = from; i < finder->count; i++) {
		struct split_cost window = cost_of(&finder->windows[i], before, after);

		cost += window.gain;
		deviation += window.deviation;
		if (cost < least) {
			least = cost;
			best = i + 1;
		}
	}
	deviation /= (double)(finder->count - from);
	change->at = best < finder->count ? finder->windows[best].start : finder->end;
	find_confidence(finder, from, before, after, least + CONFIDENT_COST * deviation, change);
	return best;
}
