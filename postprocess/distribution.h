/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How response times are distributed: a curve of percentiles, p50 to p99.999, from the histograms
 * of the engines' statistics: of each drive's fastest point that is not saturated, of the last step
 * of a ladder, of both loads of a main test.
 */
#ifndef SSDREVIEW_DISTRIBUTION_H
#define SSDREVIEW_DISTRIBUTION_H

#include "postprocess/enterprise.h"

/* A percentile p stands at 1 / (1 - p) of the axis: p50 at 2, p99.999 at 100,000. */
struct tail_point {
	double at, us;
};

#define TAIL_POINTS 64

struct tail {
	struct tail_point points[TAIL_POINTS];
	size_t count; /* a percentile with fewer than one I/O beyond it is left out */
};

/* Of a point, from its first clone's statistics; false where there are no histograms. */
bool tail_read(const char *stats_path, struct tail *tail);

/*
 * Draws the distributions of rankings and ladders; drawn (may be NULL, else ranking_count +
 * enterprise->ladder_count of them) says of which there was something to draw. Their number, or -1
 * with err.
 */
int distributions_make(const struct ranking *rankings, size_t ranking_count,
		       const struct enterprise *enterprise, const struct palette *palette,
		       const char *folder, bool *drawn, struct error *err);

/* The name of the files of a row's chart, without ending. */
void distribution_name(const char *row, const char *protocol, char *name, size_t room);

#endif
