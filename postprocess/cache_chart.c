/* SPDX-License-Identifier: GPL-2.0-only */
/* SLC caches as charts, all drives in each: speed, recovery, size by fill level, latency. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/cache.h"
#include "postprocess/plot.h"

#define BUCKETS	     200  /* windows are taken together, so that a line has no more points */
#define SPEED_FACTOR 10.0 /* from here on the axis of speed is logarithmic */
#define TIME_FACTOR  30.0
#define LINE_PARTS   16

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

/* One drive in a chart. */
struct pen {
	struct plot *plot;
	const struct cache *cache;
	const char *colour;
	size_t shape;
};

/* "Intel 670p 2TB, simulated, scale 500, partial" */
static void legend(const struct pen *pen, const struct cache_run *run, char *title, size_t room)
{
	char scale[32] = "";

	if (run->scale > 1)
		snprintf(scale, sizeof(scale), ", scale %.0f", run->scale);
	snprintf(title, room, "%.120s%s%s%s", pen->cache->result->drive,
		 run->simulated ? ", simulated" : "", scale, run->partial ? ", partial" : "");
}

static struct plot_series *add_series(const struct pen *pen, enum plot_style style,
				      const char *title)
{
	return plot_add_series(pen->plot, style, title, pen->colour, pen->shape);
}

/* ---- windows, a bucket at a time ------------------------------------------------------------- */

struct bucket {
	const struct cache_window *windows;
	size_t count;
	double *room; /* for count numbers */
};

typedef double bucket_value(const struct bucket *bucket);

static double speed(const struct bucket *bucket)
{
	double bytes = 0, seconds = 0;
	size_t i;

	for (i = 0; i < bucket->count; i++) {
		bytes += bucket->windows[i].bytes;
		seconds += bucket->windows[i].seconds;
	}
	return bytes > 0 && seconds > 0 ? bytes / seconds : NAN;
}

/* The median over the windows that tell; NAN when none does. */
static double median_p99(const struct bucket *bucket, bool of_reads)
{
	size_t i, known = 0;

	for (i = 0; i < bucket->count; i++) {
		const struct cache_window *window = &bucket->windows[i];
		double p99_us = of_reads ? window->read_p99_us : window->p99_us;

		if (p99_us > 0 && (!of_reads || window->reads > 0))
			bucket->room[known++] = p99_us;
	}
	return cache_median(bucket->room, known);
}

static double write_p99(const struct bucket *bucket)
{
	return median_p99(bucket, false);
}

static double read_p99(const struct bucket *bucket)
{
	return median_p99(bucket, true);
}

static double bytes_of(const struct bucket *bucket)
{
	double bytes = 0;
	size_t i;

	for (i = 0; i < bucket->count; i++)
		bytes += bucket->windows[i].bytes;
	return bytes;
}

/* Over bytes or time from the beginning of the step. */
static void add_windows(const struct pen *pen, struct plot_series *series,
			const struct cache_run *run, const struct cache_step *step,
			bucket_value *value, bool over_time)
{
	const struct cache_window *windows;
	size_t count = cache_step_windows(run, step, &windows), i;
	size_t most = (count + BUCKETS - 1) / BUCKETS;
	double *room = calloc(count + 1, sizeof(*room)), written = 0, bytes;

	pen->plot->is_short |= !room;
	for (i = 0; room && i < count; i += most) {
		struct bucket bucket = {windows + i, count - i < most ? count - i : most, room};

		bytes = bytes_of(&bucket);
		plot_add_point(pen->plot, series,
			       over_time ? windows[i].start_s - windows[0].start_s
					 : written + bytes / 2,
			       value(&bucket));
		written += bytes;
	}
	free(room);
}

/* ---- speed over bytes, and over time --------------------------------------------------------- */

static void add_level(const struct pen *pen, struct plot_series *series,
		      const struct cache_step *probe, size_t i, bool over_time)
{
	const struct cache_level *level = &probe->levels[i];
	double from = over_time ? level->from_s : level->from_bytes;
	double length = over_time ? level->seconds : level->bytes;
	char text[NUMBER_ROOM];

	if (!(level->speed > 0 && length > 0))
		return;
	plot_add_point(pen->plot, series, from, level->speed);
	plot_add_point(pen->plot, series, from + length, level->speed);
	plot_break(pen->plot, series);
	plot_add_text(pen->plot, from + length / 2, level->speed, number_mbps(level->speed, text),
		      pen->colour);
}

/* A mark half-way down the fall, with its place. */
static void add_change(const struct pen *pen, struct plot_series *series,
		       const struct cache_step *probe, size_t i, bool over_time)
{
	const struct cache_change *change = &probe->changes[i];
	double at = over_time ? change->at_s : change->at_bytes;
	double middle = sqrt(change->before * change->after);
	char text[NUMBER_ROOM];

	if (!(middle > 0))
		return;
	plot_add_point(pen->plot, series, at, middle);
	plot_add_text(pen->plot, at, middle, number_bytes(change->at_bytes, text), pen->colour);
}

static void draw_speed(const struct pen *pen, bool over_time)
{
	const struct cache_run *run = pen->cache->probe;
	const struct cache_step *probe = run ? cache_run_probe(run) : NULL;
	struct plot_series *series;
	char title[256];
	size_t i;

	if (!probe)
		return;
	series = add_series(pen, PLOT_LINE, "");
	add_windows(pen, series, run, probe, speed, over_time);
	legend(pen, run, title, sizeof(title));
	series = add_series(pen, PLOT_BOLD, title);
	for (i = 0; i < probe->level_count; i++)
		add_level(pen, series, probe, i, over_time);
	series = add_series(pen, PLOT_MARKS, "");
	for (i = 0; i < probe->change_count; i++)
		add_change(pen, series, probe, i, over_time);
}

static void draw_speed_over_bytes(const struct pen *pen)
{
	draw_speed(pen, false);
}

static void draw_speed_over_time(const struct pen *pen)
{
	draw_speed(pen, true);
}

static void finish_speed(struct plot *plot, const char *over)
{
	axis_finish_rate(&plot->y, true);
	axis_make_logarithmic(&plot->y, SPEED_FACTOR);
	snprintf(plot->title, sizeof(plot->title), "SLC cache: write speed over %s", over);
	snprintf(plot->y_label, sizeof(plot->y_label), "Write speed (MB/s%s)",
		 plot->y.logarithmic ? ", logarithmic" : "");
	plot_add_series(plot, PLOT_MARKS, "marks: where the level changes, with what was written",
			CHART_LINE, 0);
}

static void finish_speed_over_bytes(struct plot *plot)
{
	axis_finish_bytes(&plot->x);
	snprintf(plot->x_label, sizeof(plot->x_label), "Written (%s)", plot->x.unit);
	finish_speed(plot, "bytes written");
}

static void finish_speed_over_time(struct plot *plot)
{
	axis_finish_time(&plot->x);
	snprintf(plot->x_label, sizeof(plot->x_label), "Time (%s)", plot->x.unit);
	finish_speed(plot, "time");
}

/* ---- recovery -------------------------------------------------------------------------------- */

static const struct cache_run *with_regains(const struct cache *cache)
{
	const struct cache_run *found = NULL;
	size_t i;

	for (i = 0; i < cache->count; i++)
		if (cache->runs[i].regain_count &&
		    (!found || (found->partial && !cache->runs[i].partial)))
			found = &cache->runs[i];
	return found;
}

/* There is no 0 on a logarithmic axis. */
static bool is_drawn(const struct cache_regain *regain)
{
	return regain->idle_s > 0 && isfinite(regain->bytes);
}

/* Straight in bytes and seconds, as the half is found, whatever the axes are. */
static void add_lines(const struct pen *pen, const struct cache_run *run)
{
	struct plot_series *series = add_series(pen, PLOT_LINE, "");
	const struct cache_regain *before = NULL;
	size_t i, part;

	for (i = 0; i < run->regain_count; i++) {
		const struct cache_regain *regain = &run->regains[i];

		if (!is_drawn(regain))
			continue;
		for (part = 1; before && part <= LINE_PARTS; part++) {
			double share = (double)part / LINE_PARTS;

			plot_add_point(pen->plot, series,
				       before->idle_s + share * (regain->idle_s - before->idle_s),
				       before->bytes + share * (regain->bytes - before->bytes));
		}
		if (!before)
			plot_add_point(pen->plot, series, regain->idle_s, regain->bytes);
		before = regain;
	}
}

/* Where half of the cache is back. */
static void add_half(const struct pen *pen, const struct cache_run *run)
{
	struct plot_series *series = add_series(pen, PLOT_CROSSES, "");

	if (run->half_time_s > 0 && run->cache_bytes > 0)
		plot_add_point(pen->plot, series, run->half_time_s, run->cache_bytes / 2);
}

static void draw_recovery(const struct pen *pen)
{
	const struct cache_run *run = with_regains(pen->cache);
	char title[256], bytes[NUMBER_ROOM];
	struct plot_series *series;
	size_t i;

	if (!run)
		return;
	legend(pen, run, title, sizeof(title));
	if (run->cache_bytes > 0)
		snprintf(title + strlen(title), sizeof(title) - strlen(title), " (of %s)",
			 number_bytes(run->cache_bytes, bytes));
	series = add_series(pen, PLOT_MARKS, title);
	for (i = 0; i < run->regain_count; i++)
		if (is_drawn(&run->regains[i]))
			plot_add_point(pen->plot, series, run->regains[i].idle_s,
				       run->regains[i].bytes);
	add_lines(pen, run);
	add_half(pen, run);
}

static void finish_recovery(struct plot *plot)
{
	axis_finish_time(&plot->x);
	axis_make_logarithmic(&plot->x, TIME_FACTOR);
	axis_finish_bytes(&plot->y);
	snprintf(plot->title, sizeof(plot->title),
		 "SLC cache: what comes back while the drive idles");
	snprintf(plot->x_label, sizeof(plot->x_label), "Idle time (%s%s)", plot->x.unit,
		 plot->x.logarithmic ? ", logarithmic" : "");
	snprintf(plot->y_label, sizeof(plot->y_label), "Regained, median (%s)", plot->y.unit);
	plot_add_series(plot, PLOT_CROSSES, "half of the cache is back", CHART_LINE, 0);
}

/* ---- size by fill level ---------------------------------------------------------------------- */

static void add_fill_level(const struct pen *pen, struct plot_series *line,
			   struct plot_series *rings, const struct cache_step *step)
{
	double bytes = step->cliff_met ? step->fast_bytes : step->bytes;
	char text[NUMBER_ROOM + 10], number[NUMBER_ROOM];

	if (!(step->level_percent >= 0 && step->shape[0] && isfinite(bytes)))
		return;
	plot_add_point(pen->plot, line, step->level_percent, bytes);
	if (!step->cliff_met)
		plot_add_point(pen->plot, rings, step->level_percent, bytes);
	snprintf(text, sizeof(text), "%s%s", step->cliff_met ? "" : "at least ",
		 number_bytes(bytes, number));
	plot_add_text(pen->plot, step->level_percent, bytes, text, pen->colour);
}

static void draw_by_fill(const struct pen *pen)
{
	char title[256];
	size_t i, j, line, rings;

	for (i = 0; i < pen->cache->count; i++) {
		const struct cache_run *run = &pen->cache->runs[i];

		if (strcmp(run->mode, "fill-levels"))
			continue;
		legend(pen, run, title, sizeof(title));
		line = pen->plot->series_count;
		if (!add_series(pen, PLOT_LINE_MARKS, title))
			return;
		rings = pen->plot->series_count;
		if (!add_series(pen, PLOT_HOLLOW, ""))
			return;
		for (j = 0; j < run->step_count; j++)
			add_fill_level(pen, &pen->plot->series[line], &pen->plot->series[rings],
				       &run->steps[j]);
		return;
	}
}

static void finish_by_fill(struct plot *plot)
{
	axis_include(&plot->x, 100);
	plot->x.divisor = 1;
	plot->x.from = 0;
	plot->x.to = 100;
	axis_finish_bytes(&plot->y);
	snprintf(plot->title, sizeof(plot->title), "SLC cache: size by fill level");
	snprintf(plot->x_label, sizeof(plot->x_label), "Live data (%% of the region)");
	snprintf(plot->y_label, sizeof(plot->y_label), "Written before the cliff (%s)",
		 plot->y.unit);
	plot_add_series(plot, PLOT_HOLLOW, "no cliff was met: at least this", CHART_LINE, 0);
}

/* ---- latency while the drive folds ----------------------------------------------------------- */

/* A probe between reads tells of both. */
static const struct cache_run *with_latency(const struct cache *cache)
{
	size_t i;

	for (i = 0; i < cache->count; i++)
		if (cache_run_probe(&cache->runs[i]) && cache_run_has_reads(&cache->runs[i]))
			return &cache->runs[i];
	return cache->probe && cache_run_probe(cache->probe) ? cache->probe : NULL;
}

static void draw_latency(const struct pen *pen)
{
	const struct cache_run *run = with_latency(pen->cache);
	const struct cache_step *probe;
	struct plot_series *series;
	char title[256];

	if (!run)
		return;
	probe = cache_run_probe(run);
	legend(pen, run, title, sizeof(title));
	series = add_series(pen, PLOT_LINE, title);
	add_windows(pen, series, run, probe, write_p99, false);
	if (!cache_run_has_reads(run))
		return;
	series = add_series(pen, PLOT_DASHED, "");
	add_windows(pen, series, run, probe, read_p99, false);
}

static void finish_latency(struct plot *plot)
{
	axis_finish_bytes(&plot->x);
	axis_finish_latency(&plot->y);
	snprintf(plot->title, sizeof(plot->title),
		 "SLC cache: latency inside it and while the drive folds");
	snprintf(plot->x_label, sizeof(plot->x_label), "Written (%s)", plot->x.unit);
	snprintf(plot->y_label, sizeof(plot->y_label), "Latency, p99 of a window (%s%s)",
		 plot->y.unit, plot->y.logarithmic ? ", logarithmic" : "");
	plot_add_series(plot, PLOT_DASHED, "dashed: reads in between, solid: writes", CHART_LINE,
			0);
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
