/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a drive's write speed changes for good: the cliff at the end of an SLC cache, steps before
 * and after it, and recoveries that come back again and again. Knows no fio, no drive and no clock:
 * it is fed with windows, each some bytes written in some time.
 *
 * The rule. A level is what has been written since the last change; its speed is the median of its
 * windows. An alarm is raised when the median of the last 31 windows is further than a fifth from
 * it. It is withdrawn, and counted as a dip, when that median comes back; it is confirmed when
 * seven in ten of all windows since the alarm are nearer to their own median than to the level,
 * after at least 200 windows and four times the longest dip but one. The change is then placed
 * where two levels explain the windows around it best (least absolute deviations of the logarithm
 * of speed). Medians make it blind to stalls and garbage collection that take less than half of a
 * time; tying the confirmation to the dips seen makes it blind to those that come rarely and last,
 * without one accident making it deaf. `make bench` prints how often it is right on drives drawn at
 * random.
 */
#ifndef SSDREVIEW_QLC_H
#define SSDREVIEW_QLC_H

#include "base/base.h"

/* Changes smaller than this factor are not looked for. */
#define CLIFF_LEAST_RATIO 1.2

/* What was written in one piece of the run. */
struct cliff_window {
	uint64_t bytes, duration_ns; /* both > 0 */
	bool is_hot; /* the drive slows down to cool: not judged, and no level changes by it */
};

/* A place, in what was written since the first window. */
struct cliff_place {
	uint64_t bytes, ns;
};

/* One change of level, up or down. Speeds are medians, in bytes/s. */
struct cliff_change {
	struct cliff_place at;
	struct cliff_place earliest, latest; /* where it lies with 95 % confidence */
	double before, after;
};

/* What the changes mean together. */
enum cliff_shape {
	CLIFF_NONE,	/* one level from beginning to end, or only steps up */
	CLIFF_FOUND,	/* speed falls for good */
	CLIFF_PERIODIC, /* speed falls and comes back, again and again */
	CLIFF_EPISODE,	/* speed fell and came back for good: not the end of a cache */
};

struct cliff_verdict {
	enum cliff_shape shape;
	const struct cliff_change *cliff; /* the first fall of the largest ratio; NULL: none */
	double period_bytes, period_s;	  /* periodic: from fall to fall, medians */
	double low_share;		  /* periodic: share of the time spent on the low level */
	bool is_pending; /* the run ended while a change was suspected, from `suspected` on */
	struct cliff_place suspected;
	double hot_share; /* of the time */
};

struct cliff_finder;

/* NULL when memory is short. */
struct cliff_finder *cliff_finder_new(void);
void cliff_finder_free(struct cliff_finder *finder);

enum cliff_news {
	CLIFF_STEADY,	 /* on the level of before */
	CLIFF_SUSPECTED, /* something may have changed; go on writing */
	CLIFF_CHANGED,	 /* a change is confirmed: the last one of cliff_changes() */
};

/* Takes the next window. News >= 0, or -1 when memory is short (the window is lost). */
int cliff_finder_add(struct cliff_finder *finder, const struct cliff_window *window);

/* All changes so far, in order; valid until the next window. */
const struct cliff_change *cliff_changes(const struct cliff_finder *finder, size_t *count);

/* The median speed of the present level in bytes/s; 0 before the first window. */
double cliff_level(const struct cliff_finder *finder);

/* What it all means; may be asked at any time. */
void cliff_judge(const struct cliff_finder *finder, struct cliff_verdict *verdict);

#endif
