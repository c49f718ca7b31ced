/* SPDX-License-Identifier: GPL-2.0-only */
/* The charts of SLC caches inside: one drive in a chart, and what each chart draws of it. */
#ifndef SSDREVIEW_CACHE_CHART_INTERNAL_H
#define SSDREVIEW_CACHE_CHART_INTERNAL_H

#include "postprocess/cache.h"
#include "postprocess/plot.h"

/* One drive in a chart. */
struct pen {
	struct plot *plot;
	const struct cache *cache;
	const char *colour;
	size_t shape;
};

/* "Intel 670p 2TB, simulated, scale 500, partial"; text. */
char *cache_legend(const struct pen *pen, const struct cache_run *run, char *text, size_t room);
struct plot_series *pen_series(const struct pen *pen, enum plot_style style, const char *title);
/* What a mark means, when one of that style was drawn. */
void explain_marks(struct plot *plot, enum plot_style style, const char *meaning);

/* cache_chart_speed.c: what was written in windows. */
void draw_speed_over_bytes(const struct pen *pen);
void draw_speed_over_time(const struct pen *pen);
void draw_latency(const struct pen *pen);
void finish_speed_over_bytes(struct plot *plot);
void finish_speed_over_time(struct plot *plot);
void finish_latency(struct plot *plot);

/* cache_chart_size.c: what of the cache is there, by idle time and by live data. */
void draw_recovery(const struct pen *pen);
void draw_by_fill(const struct pen *pen);
void finish_recovery(struct plot *plot);
void finish_by_fill(struct plot *plot);

#endif
