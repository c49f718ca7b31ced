/* SPDX-License-Identifier: GPL-2.0-only */
/* The cliff finder inside: what it remembers, and where a change is placed. */
#ifndef SSDREVIEW_QLC_CLIFF_INTERNAL_H
#define SSDREVIEW_QLC_CLIFF_INTERNAL_H

#include "engines/qlc/qlc.h"
#include "engines/qlc/ranks.h"

/* A window that is judged: one that was not hot. */
struct seen_window {
	struct cliff_place start, end;
	unsigned bin;
};

struct cliff_finder {
	struct seen_window *windows;
	size_t count, window_room;
	struct cliff_change *changes;
	size_t change_count, change_room;
	struct cliff_place end; /* of what was written, hot or not */
	uint64_t hot_ns;
	struct ranks level, recent, suspect;
	size_t level_first, level_end; /* windows of the present level counted in `level` */
	size_t alarm_first;	       /* of the windows counted in `suspect` */
	int alarm;		       /* -1 down, 1 up, 0 none */
	size_t dips[2];		       /* windows of the longest dip and of the next */
};

/*
 * Fills in where the change between two levels (bins) lies among the windows from `from` on.
 * Returns the first window of the new level.
 */
size_t cliff_place_change(const struct cliff_finder *finder, size_t from, unsigned before,
			  unsigned after, struct cliff_change *change);

#endif
