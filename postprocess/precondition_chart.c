/* SPDX-License-Identifier: GPL-2.0-only */
/* Charts of preconditioning: the four measures over minutes, and the rounds that were judged. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise_plot.h"

/* ---- minutes --------------------------------------------------------------------------------- */

enum minute_x { BY_TIME, BY_FILLS };

static double x_of(const struct minute *minute, enum minute_x by)
{
	return by == BY_TIME ? minute->start_s + minute->length_s / 2 : minute->fills;
}

/* Whether it counts or not. */
static double measured(const struct minute *minute, enum minute_measure measure)
{
	return minute->is_invalid ? minute->left_out[measure] : minute->values[measure];
}

/* The line breaks in a gap, which is named where it begins. */
static void add_minutes(struct plot *plot, const struct precondition *run,
			enum minute_measure measure, enum minute_x by, struct plot_series *series)
{
	const struct minute *before = NULL;
	size_t i;

	for (i = 0; i < run->minutes.count; i++) {
		const struct minute *minute = &run->minutes.list[i];

		if (!isnan(minute->values[measure]) && isfinite(x_of(minute, by))) {
			plot_add_point(plot, series, x_of(minute, by), minute->values[measure]);
			before = minute;
			continue;
		}
		plot_break(plot, series);
		if (before && isnan(minute->values[MINUTE_IOPS]) && !minute->is_invalid)
			plot_add_text(plot, x_of(before, by), NAN, "gap",
				      series ? series->colour : CHART_TEXT);
		before = NULL;
	}
}

bool precondition_has(const struct precondition_ranking *ranking, enum minute_measure measure)
{
	size_t i, j;

	for (i = 0; !ranking->several_loads && i < ranking->count; i++)
		for (j = 0; j < ranking->runs[i].minutes.count; j++)
			if (!isnan(measured(&ranking->runs[i].minutes.list[j], measure)))
				return true;
	return false;
}

/* What does not count is no part of the line. */
static void add_invalid_minutes(struct plot *plot, const struct easel *easel,
				const struct precondition *run, enum minute_measure measure,
				enum minute_x by)
{
	struct plot_series *series = NULL;
	size_t shape, i;
	const char *colour = palette_colour(easel->palette, run->result->drive, &shape);
	char title[256];

	drive_legend(run->result, ", invalid", title, sizeof(title));
	for (i = 0; i < run->minutes.count; i++) {
		const struct minute *minute = &run->minutes.list[i];

		if (!minute->is_invalid || isnan(measured(minute, measure)) ||
		    !isfinite(x_of(minute, by)))
			continue;
		if (!series)
			series = plot_add_series(plot, PLOT_CROSSES, title, colour, shape);
		plot_add_point(plot, series, x_of(minute, by), measured(minute, measure));
	}
}

static void add_run(struct plot *plot, const struct easel *easel, const struct precondition *run,
		    enum minute_measure measure, enum minute_x by)
{
	char title[256];
	size_t shape;
	const char *colour = palette_colour(easel->palette, run->result->drive, &shape);

	drive_legend(run->result, "", title, sizeof(title));
	add_minutes(plot, run, measure, by, plot_add_series(plot, PLOT_LINE, title, colour, shape));
}

/* A published review states levels, not minutes: a line all along, and a ring at the start. */
static void add_published(struct plot *plot, const struct easel *easel,
			  const struct precondition *run, enum minute_measure measure, double to)
{
	double level = run->findings.steady[measure], start = run->findings.burst_iops;
	struct plot_series *series;
	char title[256];
	size_t shape;
	const char *colour = palette_colour(easel->palette, run->result->drive, &shape);

	drive_legend(run->result, " level", title, sizeof(title));
	if (!isnan(level)) {
		series = plot_add_series(plot, PLOT_DASHED, title, colour, shape);
		plot_add_point(plot, series, 0, level);
		plot_add_point(plot, series, to, level);
	}
	if (measure != MINUTE_IOPS || isnan(start))
		return;
	drive_legend(run->result, " start", title, sizeof(title));
	series = plot_add_series(plot, PLOT_HOLLOW, title, colour, shape);
	plot_add_point(plot, series, 0, start);
}

static void minute_axes(struct plot *plot, enum minute_measure measure, enum minute_x by,
			const char *protocol)
{
	value_axis_finish(measure, &plot->y);
	measure_label(measure, &plot->y, plot->y_label, sizeof(plot->y_label));
	if (by == BY_TIME) {
		axis_finish_time(&plot->x);
		snprintf(plot->x_label, sizeof(plot->x_label), "Time (%s)%s%.60s", plot->x.unit,
			 protocol[0] ? ", " : "", protocol);
		return;
	}
	plot->x.divisor = 1;
	plot->x.from = 0;
	plot->x.to = plot->x.highest > 0 ? plot->x.highest : 1;
	snprintf(plot->x_label, sizeof(plot->x_label), "Written (drive fills)%s%.60s",
		 protocol[0] ? ", " : "", protocol);
}

static int draw_minutes(struct easel *easel, const struct precondition_ranking *ranking,
			enum minute_measure measure, enum minute_x by, struct error *err)
{
	struct plot plot;
	char name[256], base[200];
	size_t i;

	if (by == BY_TIME) {
		precondition_chart_name(ranking, measure, name, sizeof(name));
	} else {
		chart_base_name(ranking->row, ranking->protocol, base, sizeof(base));
		snprintf(name, sizeof(name), "%s.%s-by-fills", base, measure_suffixes[measure]);
	}
	plot_begin(&plot, name);
	snprintf(plot.title, sizeof(plot.title), "%.180s: %s", ranking->title,
		 measure_title(measure));
	for (i = 0; i < ranking->count; i++)
		if (ranking->runs[i].result->kind != RESULT_PUBLISHED)
			add_run(&plot, easel, &ranking->runs[i], measure, by);
	for (i = 0; i < ranking->count; i++)
		add_invalid_minutes(&plot, easel, &ranking->runs[i], measure, by);
	for (i = 0; plot_has_points(&plot) && i < ranking->count; i++)
		if (ranking->runs[i].result->kind == RESULT_PUBLISHED)
			add_published(&plot, easel, &ranking->runs[i], measure, plot.x.highest);
	minute_axes(&plot, measure, by, ranking->protocol);
	return easel_finish(easel, &plot, err);
}

/* ---- the rounds that were judged ------------------------------------------------------------- */

bool has_steady_chart(const struct precondition *run)
{
	return run->window.known && run->round_count > 1;
}

/* A value of what is tracked: its words end with a measure, latencies are in ns. */
static enum minute_measure tracked(const struct steady_window *window)
{
	const char *word = window->measure;

	if (!strncmp(word, "read_", 5) || !strncmp(word, "write_", 6))
		word = strchr(word, '_') + 1;
	if (!strcmp(word, "mean"))
		return MINUTE_MEAN;
	if (!strcmp(word, "max"))
		return MINUTE_MAX;
	return strcmp(word, "stddev") ? MINUTE_IOPS : MINUTE_STDDEV;
}

static double in_unit(const struct steady_window *window, double value)
{
	return tracked(window) == MINUTE_IOPS ? value : value / 1000;
}

static void add_level(struct plot *plot, const struct steady_window *window, enum plot_style style,
		      const char *title, const char *colour, double first, double last)
{
	struct plot_series *series = plot_add_series(plot, style, title, colour, 0);

	plot_add_point(plot, series, window->first, in_unit(window, first));
	plot_add_point(plot, series, window->last, in_unit(window, last));
}

/* Half of the range that is allowed, above the mean and below. */
static void add_band(struct plot *plot, const struct steady_window *window, const char *colour)
{
	double half = isnan(window->range_limit) ? 0.1 : window->range_limit / 2;
	double low = in_unit(window, window->mean * (1 - half));
	double high = in_unit(window, window->mean * (1 + half));
	struct plot_series *series;
	char title[64];

	snprintf(title, sizeof(title), "mean %s %.0f %%", "\302\261", 100 * half);
	series = plot_add_series(plot, PLOT_BAND, title, colour, 0);
	plot_add_point(plot, series, window->first, low);
	plot_add_point(plot, series, window->last, low);
	plot_add_point(plot, series, window->last, high);
	plot_add_point(plot, series, window->first, high);
}

static void add_rounds(struct plot *plot, const struct precondition *run, const char *colour,
		       size_t shape)
{
	struct plot_series *series;
	char title[256];
	size_t i;

	drive_legend(run->result, "", title, sizeof(title));
	series = plot_add_series(plot, PLOT_LINE_MARKS, title, colour, shape);
	for (i = 0; i < run->round_count; i++) {
		double value = in_unit(&run->window, run->rounds[i].value);

		if (isnan(value) || !run->rounds[i].usable)
			plot_break(plot, series);
		if (!isnan(value) && !run->rounds[i].invalid)
			plot_add_point(plot, series, run->rounds[i].number, value);
		if (!run->rounds[i].usable)
			plot_break(plot, series);
	}
}

static void add_invalid_rounds(struct plot *plot, const struct precondition *run,
			       const char *colour, size_t shape)
{
	struct plot_series *series = NULL;
	size_t i;

	for (i = 0; i < run->round_count; i++) {
		double value = in_unit(&run->window, run->rounds[i].value);

		if (isnan(value) || !run->rounds[i].invalid)
			continue;
		if (!series)
			series = plot_add_series(plot, PLOT_CROSSES, "invalid", colour, shape);
		plot_add_point(plot, series, run->rounds[i].number, value);
	}
}

static void steady_words_of(const struct precondition *run, char *text, size_t room)
{
	const struct steady_window *window = &run->window;
	char range[NUMBER_ROOM], slope[NUMBER_ROOM];

	snprintf(text, room, "Round; of %u to %u: range %s, slope %s of the mean", window->first,
		 window->last, number_percent(window->range_share, range),
		 number_percent(window->excursion_share, slope));
}

static void finish_tracked_axis(const struct steady_window *window, struct plot *plot)
{
	enum minute_measure measure = tracked(window);

	if (strstr(window->measure, "bytes_per_s"))
		axis_finish_rate(&plot->y, true);
	else
		value_axis_finish(measure, &plot->y);
	measure_label(measure, &plot->y, plot->y_label, sizeof(plot->y_label));
}

static int draw_steady(struct easel *easel, const struct precondition_ranking *ranking, size_t i,
		       struct error *err)
{
	const struct precondition *run = &ranking->runs[i];
	const struct steady_window *window = &run->window;
	struct plot plot;
	char name[256];
	size_t shape;
	const char *colour = palette_colour(easel->palette, run->result->drive, &shape);

	steady_chart_name(ranking, i, name, sizeof(name));
	plot_begin(&plot, name);
	snprintf(plot.title, sizeof(plot.title), "%.180s: %s", ranking->title,
		 window->steady	   ? "steady"
		 : window->invalid ? "invalid"
				   : "not steady");
	add_band(&plot, window, CHART_LINE);
	add_level(&plot, window, PLOT_LINE, "mean of the window", CHART_LINE, window->mean,
		  window->mean);
	add_level(&plot, window, PLOT_DASHED, "slope: best linear fit", CHART_TEXT,
		  window->fit_first, window->fit_last);
	add_rounds(&plot, run, colour, shape);
	add_invalid_rounds(&plot, run, colour, shape);
	finish_tracked_axis(window, &plot);
	plot.x.divisor = 1;
	plot.x.from = 0;
	plot.x.to = plot.x.highest + 1;
	steady_words_of(run, plot.x_label, sizeof(plot.x_label));
	return easel_finish(easel, &plot, err);
}

int draw_precondition(struct easel *easel, const struct precondition_ranking *ranking,
		      struct error *err)
{
	enum minute_measure measure;
	size_t i;

	for (measure = MINUTE_IOPS; !ranking->several_loads && measure < MINUTE_MEASURES; measure++)
		if (draw_minutes(easel, ranking, measure, BY_TIME, err))
			return -1;
	for (measure = MINUTE_IOPS; !ranking->several_loads && measure <= MINUTE_MEAN; measure++)
		if (draw_minutes(easel, ranking, measure, BY_FILLS, err))
			return -1;
	for (i = 0; i < ranking->count; i++)
		if (has_steady_chart(&ranking->runs[i]) && draw_steady(easel, ranking, i, err))
			return -1;
	return 0;
}
