/* SPDX-License-Identifier: GPL-2.0-only */
/* SLC caches as charts, all drives in each: speed, recovery, size by fill level, latency. */
#include <stdio.h>

#include "postprocess/cache_chart_internal.h"

const char *cache_chart_name(enum cache_chart chart)
{
	static const char *const names[CACHE_CHARTS] = {
		[CACHE_SPEED_OVER_BYTES] = CACHE_ROW ".speed-over-bytes",
		[CACHE_SPEED_OVER_TIME] = CACHE_ROW ".speed-over-time",
		[CACHE_RECOVERY] = CACHE_ROW ".recovery",
		[CACHE_BY_FILL] = CACHE_ROW ".size-by-fill",
		[CACHE_LATENCY] = CACHE_ROW ".latency-over-bytes",
	};

	return names[chart];
}

/* ---- one drive ------------------------------------------------------------------------------- */

char *cache_legend(const struct pen *pen, const struct cache_run *run, char *text, size_t room)
{
	char scale[32] = "";

	if (run->scale > 1)
		snprintf(scale, sizeof(scale), ", scale %.0f", run->scale);
	snprintf(text, room, "%.120s%s%s%s%s", pen->cache->result->drive,
		 run->simulated ? ", simulated" : "", scale, run->partial ? ", partial" : "",
		 cache_run_is_by_machine(run) ? ", the CPU was the limit" : "");
	return text;
}

struct plot_series *pen_series(const struct pen *pen, enum plot_style style, const char *title)
{
	return plot_add_series(pen->plot, style, title, pen->colour, pen->shape);
}

void explain_marks(struct plot *plot, enum plot_style style, const char *meaning)
{
	bool is_drawn = false;
	size_t i;

	for (i = 0; i < plot->series_count; i++)
		is_drawn |= plot->series[i].style == style && plot->series[i].count;
	if (is_drawn)
		plot_add_series(plot, style, meaning, CHART_LINE, 0);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct {
	void (*draw)(const struct pen *pen);
	void (*finish)(struct plot *plot);
} charts[CACHE_CHARTS] = {
	[CACHE_SPEED_OVER_BYTES] = {draw_speed_over_bytes, finish_speed_over_bytes},
	[CACHE_SPEED_OVER_TIME] = {draw_speed_over_time, finish_speed_over_time},
	[CACHE_RECOVERY] = {draw_recovery, finish_recovery},
	[CACHE_BY_FILL] = {draw_by_fill, finish_by_fill},
	[CACHE_LATENCY] = {draw_latency, finish_latency},
};

/* 1 when it was drawn, 0 when no run tells of it, -1 with err. */
static int draw_chart(const struct cache_list *list, enum cache_chart chart,
		      const struct palette *palette, const struct terminals *terminals,
		      const char *folder, struct error *err)
{
	struct plot plot;
	int status = 0;
	size_t i;

	plot_begin(&plot, cache_chart_name(chart));
	for (i = 0; i < list->count; i++) {
		struct pen pen = {.plot = &plot, .cache = &list->caches[i]};

		pen.colour = palette_colour(palette, pen.cache->result->drive, &pen.shape);
		charts[chart].draw(&pen);
	}
	if (plot_has_points(&plot)) {
		charts[chart].finish(&plot);
		status = plot_draw(&plot, terminals, folder, err) ? -1 : 1;
	}
	plot_free(&plot);
	return status;
}

int cache_charts_make(const struct cache_list *list, const struct palette *palette,
		      const char *folder, bool *drawn, struct error *err)
{
	struct terminals terminals;
	enum cache_chart chart;
	int count = 0, status;

	if (!list->count)
		return 0;
	if (terminals_probe(&terminals, err) || folder_make(folder, err))
		return -1;
	for (chart = 0; chart < CACHE_CHARTS; chart++) {
		status = draw_chart(list, chart, palette, &terminals, folder, err);
		if (status < 0)
			return -1;
		if (drawn)
			drawn[chart] = status;
		count += status;
	}
	return count;
}
