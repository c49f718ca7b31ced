/* SPDX-License-Identifier: GPL-2.0-only */
/* Charts of what was written to a drive: its speed over bytes and time, and what I/Os took. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "postprocess/cache_chart_internal.h"

#define BUCKETS	     200  /* windows are taken together, so that a line has no more points */
#define SPEED_FACTOR 10.0 /* from here on the axis of speed is logarithmic */

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
	series = pen_series(pen, PLOT_LINE, "");
	add_windows(pen, series, run, probe, speed, over_time);
	cache_legend(pen, run, title, sizeof(title));
	series = pen_series(pen, PLOT_BOLD, title);
	for (i = 0; i < probe->level_count; i++)
		add_level(pen, series, probe, i, over_time);
	series = pen_series(pen, PLOT_MARKS, "");
	for (i = 0; i < probe->change_count; i++)
		add_change(pen, series, probe, i, over_time);
}

void draw_speed_over_bytes(const struct pen *pen)
{
	draw_speed(pen, false);
}

void draw_speed_over_time(const struct pen *pen)
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

void finish_speed_over_bytes(struct plot *plot)
{
	axis_finish_bytes(&plot->x);
	snprintf(plot->x_label, sizeof(plot->x_label), "Written (%s)", plot->x.unit);
	finish_speed(plot, "bytes written");
}

void finish_speed_over_time(struct plot *plot)
{
	axis_finish_time(&plot->x);
	snprintf(plot->x_label, sizeof(plot->x_label), "Time (%s)", plot->x.unit);
	finish_speed(plot, "time");
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

void draw_latency(const struct pen *pen)
{
	const struct cache_run *run = with_latency(pen->cache);
	const struct cache_step *probe;
	struct plot_series *series;
	char title[256];

	if (!run)
		return;
	probe = cache_run_probe(run);
	cache_legend(pen, run, title, sizeof(title));
	series = pen_series(pen, PLOT_LINE, title);
	add_windows(pen, series, run, probe, write_p99, false);
	if (!cache_run_has_reads(run))
		return;
	series = pen_series(pen, PLOT_DASHED, "");
	add_windows(pen, series, run, probe, read_p99, false);
}

void finish_latency(struct plot *plot)
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
