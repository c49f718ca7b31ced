/* SPDX-License-Identifier: GPL-2.0-only */
/* Charts of how much of the cache is there: after idle times, and behind live data. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/cache_chart_internal.h"

#define TIME_FACTOR 30.0 /* from here on the axis of idle time is logarithmic */
#define LINE_PARTS  16

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
	struct plot_series *series = pen_series(pen, PLOT_LINE, "");
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
	struct plot_series *series = pen_series(pen, PLOT_CROSSES, "");

	if (run->half_time_s > 0 && run->cache_bytes > 0)
		plot_add_point(pen->plot, series, run->half_time_s, run->cache_bytes / 2);
}

void draw_recovery(const struct pen *pen)
{
	const struct cache_run *run = with_regains(pen->cache);
	char title[256], bytes[NUMBER_ROOM];
	struct plot_series *series;
	size_t i;

	if (!run)
		return;
	cache_legend(pen, run, title, sizeof(title));
	if (run->cache_bytes > 0)
		snprintf(title + strlen(title), sizeof(title) - strlen(title), " (of %s)",
			 number_bytes(run->cache_bytes, bytes));
	series = pen_series(pen, PLOT_MARKS, title);
	for (i = 0; i < run->regain_count; i++)
		if (is_drawn(&run->regains[i]))
			plot_add_point(pen->plot, series, run->regains[i].idle_s,
				       run->regains[i].bytes);
	add_lines(pen, run);
	add_half(pen, run);
}

void finish_recovery(struct plot *plot)
{
	axis_finish_time(&plot->x);
	axis_make_logarithmic(&plot->x, TIME_FACTOR);
	axis_finish_bytes(&plot->y);
	snprintf(plot->title, sizeof(plot->title),
		 "SLC cache: what comes back while the drive idles");
	snprintf(plot->x_label, sizeof(plot->x_label), "Idle time (%s%s)", plot->x.unit,
		 plot->x.logarithmic ? ", logarithmic" : "");
	snprintf(plot->y_label, sizeof(plot->y_label), "Regained, median (%s)", plot->y.unit);
	explain_marks(plot, PLOT_CROSSES, "half of the cache is back");
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

void draw_by_fill(const struct pen *pen)
{
	char title[256];
	size_t i, j, line, rings;

	for (i = 0; i < pen->cache->count; i++) {
		const struct cache_run *run = &pen->cache->runs[i];

		if (strcmp(run->mode, "fill-levels"))
			continue;
		cache_legend(pen, run, title, sizeof(title));
		line = pen->plot->series_count;
		if (!pen_series(pen, PLOT_LINE_MARKS, title))
			return;
		rings = pen->plot->series_count;
		if (!pen_series(pen, PLOT_HOLLOW, ""))
			return;
		for (j = 0; j < run->step_count; j++)
			add_fill_level(pen, &pen->plot->series[line], &pen->plot->series[rings],
				       &run->steps[j]);
		return;
	}
}

void finish_by_fill(struct plot *plot)
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
	explain_marks(plot, PLOT_HOLLOW, "no cliff was met: at least this");
}
