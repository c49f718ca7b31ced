/* SPDX-License-Identifier: GPL-2.0-only */
/* Charts of preconditioning: the four measures over minutes, and the rounds that were judged. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/chart_internal.h"
#include "postprocess/enterprise_internal.h"
#include "postprocess/plot.h"

static const char *const suffixes[MINUTE_MEASURES] = {"iops", "average", "maximum", "stddev"};

/* What all charts of one call share. */
struct easel {
	const struct palette *palette;
	const struct terminals *terminals;
	const char *folder;
	int drawn;
};

void precondition_chart_name(const struct precondition_ranking *ranking,
			     enum minute_measure measure, char *name, size_t room)
{
	char base[200];

	chart_base_name(ranking->row, ranking->protocol, base, sizeof(base));
	snprintf(name, room, "%s.%s-by-minute", base, suffixes[measure]);
}

void ladder_chart_name(const struct ladder_ranking *ranking, enum minute_measure measure,
		       char *name, size_t room)
{
	char base[200];

	chart_base_name(ranking->row, ranking->protocol, base, sizeof(base));
	snprintf(name, room, "%s.%s", base, suffixes[measure]);
}

void steady_chart_name(const struct precondition_ranking *ranking, size_t run, char *name,
		       size_t room)
{
	char base[200];

	chart_base_name(ranking->row, ranking->protocol, base, sizeof(base));
	snprintf(name, room, "%s.steady-%zu", base, run + 1);
}

/* "Average latency (us, logarithmic)" from a finished axis. */
static void measure_label(enum minute_measure measure, const struct axis *axis, char *text,
			  size_t room)
{
	static const char *const titles[MINUTE_MEASURES] = {
		"Reads and writes", "Average latency", "Maximum latency", "Standard deviation"};

	snprintf(text, room, "%s (%s%s)", titles[measure], axis->unit,
		 axis->logarithmic ? ", logarithmic" : "");
}

static void finish_value_axis(enum minute_measure measure, struct axis *axis)
{
	if (measure == MINUTE_IOPS)
		axis_finish_rate(axis, false);
	else
		axis_finish_latency(axis);
}

static void legend(const struct result *result, const char *more, char *text, size_t room)
{
	snprintf(text, room, "%s%s%s", result->drive,
		 result->kind == RESULT_PUBLISHED ? ", published"
		 : result->simulated		  ? ", simulated"
						  : "",
		 more);
}

static int finish(struct easel *easel, struct plot *plot, struct error *err)
{
	int status = 0;

	if (plot_has_points(plot) || plot->is_short) {
		status = plot_draw(plot, easel->terminals, easel->folder, err);
		easel->drawn++;
	}
	plot_free(plot);
	return status;
}

/* ---- minutes --------------------------------------------------------------------------------- */

enum minute_x { BY_TIME, BY_FILLS };

static double x_of(const struct minute *minute, enum minute_x by)
{
	return by == BY_TIME ? minute->start_s + minute->length_s / 2 : minute->fills;
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
		if (before && isnan(minute->values[MINUTE_IOPS]))
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
			if (!isnan(ranking->runs[i].minutes.list[j].values[measure]))
				return true;
	return false;
}

static void add_run(struct plot *plot, const struct easel *easel, const struct precondition *run,
		    enum minute_measure measure, enum minute_x by)
{
	char title[256];
	size_t shape;
	const char *colour = palette_colour(easel->palette, run->result->drive, &shape);

	legend(run->result, "", title, sizeof(title));
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

	legend(run->result, " level", title, sizeof(title));
	if (!isnan(level)) {
		series = plot_add_series(plot, PLOT_DASHED, title, colour, shape);
		plot_add_point(plot, series, 0, level);
		plot_add_point(plot, series, to, level);
	}
	if (measure != MINUTE_IOPS || isnan(start))
		return;
	legend(run->result, " start", title, sizeof(title));
	series = plot_add_series(plot, PLOT_HOLLOW, title, colour, shape);
	plot_add_point(plot, series, 0, start);
}

static void minute_axes(struct plot *plot, enum minute_measure measure, enum minute_x by,
			const char *protocol)
{
	finish_value_axis(measure, &plot->y);
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
		snprintf(name, sizeof(name), "%s.%s-by-fills", base, suffixes[measure]);
	}
	plot_begin(&plot, name);
	snprintf(plot.title, sizeof(plot.title), "%.180s: %s", ranking->title,
		 measure_title(measure));
	for (i = 0; i < ranking->count; i++)
		if (ranking->runs[i].result->kind != RESULT_PUBLISHED)
			add_run(&plot, easel, &ranking->runs[i], measure, by);
	for (i = 0; plot_has_points(&plot) && i < ranking->count; i++)
		if (ranking->runs[i].result->kind == RESULT_PUBLISHED)
			add_published(&plot, easel, &ranking->runs[i], measure, plot.x.highest);
	minute_axes(&plot, measure, by, ranking->protocol);
	return finish(easel, &plot, err);
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

	legend(run->result, "", title, sizeof(title));
	series = plot_add_series(plot, PLOT_LINE_MARKS, title, colour, shape);
	for (i = 0; i < run->round_count; i++) {
		double value = in_unit(&run->window, run->rounds[i].value);

		if (isnan(value) || !run->rounds[i].usable)
			plot_break(plot, series);
		if (!isnan(value))
			plot_add_point(plot, series, run->rounds[i].number, value);
		if (!run->rounds[i].usable)
			plot_break(plot, series);
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
		finish_value_axis(measure, &plot->y);
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
		 window->steady ? "steady" : "not steady");
	add_band(&plot, window, CHART_LINE);
	add_level(&plot, window, PLOT_LINE, "mean of the window", CHART_LINE, window->mean,
		  window->mean);
	add_level(&plot, window, PLOT_DASHED, "slope: best linear fit", CHART_TEXT,
		  window->fit_first, window->fit_last);
	add_rounds(&plot, run, colour, shape);
	finish_tracked_axis(window, &plot);
	plot.x.divisor = 1;
	plot.x.from = 0;
	plot.x.to = plot.x.highest + 1;
	steady_words_of(run, plot.x_label, sizeof(plot.x_label));
	return finish(easel, &plot, err);
}

static int draw_precondition(struct easel *easel, const struct precondition_ranking *ranking,
			     struct error *err)
{
	enum minute_measure measure;
	size_t i;

	for (measure = MINUTE_IOPS; !ranking->several_loads && measure < MINUTE_MEASURES; measure++)
		if (draw_minutes(easel, ranking, measure, BY_TIME, err))
			return -1;
	if (!ranking->several_loads && draw_minutes(easel, ranking, MINUTE_IOPS, BY_FILLS, err))
		return -1;
	for (i = 0; i < ranking->count; i++)
		if (has_steady_chart(&ranking->runs[i]) && draw_steady(easel, ranking, i, err))
			return -1;
	return 0;
}

/* ---- main tests ------------------------------------------------------------------------------ */

#define MOST_LEVEL_BARS 4 /* numbers above more bars than these stand upright */

static const char *const kind_words[IO_KINDS] = {"read", "write", "both"};

static bool has_bars(const struct ladder *ladder, enum minute_measure measure)
{
	return ladder->count && (!isnan(ladder->steps[0].values[IO_READ][measure]) ||
				 !isnan(ladder->steps[0].values[IO_WRITE][measure]));
}

static bool has_rungs(const struct ladder *ladder, enum minute_measure measure)
{
	size_t i;

	for (i = 0; i < ladder->count; i++)
		if (!isnan(ladder->steps[i].values[IO_BOTH][measure]))
			return true;
	return false;
}

static bool has_left_out(const struct ladder *ladder, enum minute_measure measure)
{
	size_t i;

	for (i = 0; i < ladder->count; i++)
		if (!isnan(ladder->steps[i].left_out[IO_BOTH][measure]))
			return true;
	return false;
}

bool ladder_has(const struct ladder_ranking *ranking, enum minute_measure measure)
{
	size_t i;

	for (i = 0; i < ranking->count; i++)
		if (ranking->is_main_test ? has_bars(&ranking->ladders[i], measure)
					  : has_rungs(&ranking->ladders[i], measure) ||
						    has_left_out(&ranking->ladders[i], measure))
			return true;
	return false;
}

static void add_bars(struct plot *plot, const struct easel *easel, const struct ladder *ladder,
		     enum minute_measure measure, double left)
{
	const struct ladder_step *step = &ladder->steps[0];
	struct plot_series *series;
	char title[256];
	size_t shape;
	int kind;

	legend(ladder->result, "", title, sizeof(title));
	series = plot_add_series(plot, PLOT_BARS, title,
				 palette_colour(easel->palette, ladder->result->drive, &shape), 0);
	for (kind = IO_READ; kind <= IO_WRITE; kind++) {
		double value = step->values[kind][measure];

		if (!isnan(value))
			plot_add_point(plot, series, kind + 1 + left + plot->bar_width / 2, value);
	}
}

/* In the unit of the axis, which is finished by then. */
static void add_bar_numbers(struct plot *plot)
{
	char number[NUMBER_ROOM];
	size_t i, j;

	for (i = 0; i < plot->series_count; i++)
		for (j = 0; j < plot->series[i].count; j++) {
			const struct plot_point *bar = &plot->series[i].points[j];

			plot_add_text(plot, bar->x, bar->y,
				      number_count(bar->y / plot->y.divisor, number), CHART_TEXT);
		}
}

/* Bars begin at 0, so their axis is never logarithmic; above them is room for their numbers. */
static void bar_axes(struct plot *plot, enum minute_measure measure)
{
	int kind;

	finish_value_axis(measure, &plot->y);
	plot->y.logarithmic = false;
	plot->y.from = 0;
	plot->y.to = plot->y.highest / plot->y.divisor * (plot->texts_upright ? 1.3 : 1.15);
	measure_label(measure, &plot->y, plot->y_label, sizeof(plot->y_label));
	if (measure == MINUTE_IOPS)
		snprintf(plot->y_label, sizeof(plot->y_label), "IOPS");
	plot->x.divisor = 1;
	plot->x.from = 0.5;
	plot->x.to = 2.5;
	for (kind = IO_READ; kind <= IO_WRITE; kind++)
		plot_add_tic(plot, kind + 1, kind_words[kind]);
}

static int draw_main_test(struct easel *easel, const struct ladder_ranking *ranking,
			  enum minute_measure measure, struct error *err)
{
	struct plot plot;
	char name[256];
	size_t i, shown = 0, at = 0;

	ladder_chart_name(ranking, measure, name, sizeof(name));
	plot_begin(&plot, name);
	snprintf(plot.title, sizeof(plot.title), "%.180s: %s", ranking->title,
		 measure_title(measure));
	for (i = 0; i < ranking->count; i++)
		shown += has_bars(&ranking->ladders[i], measure);
	plot.bar_width = 0.8 / (double)(shown > 2 ? shown : 3);
	plot.texts_upright = shown > MOST_LEVEL_BARS;
	for (i = 0; i < ranking->count; i++)
		if (has_bars(&ranking->ladders[i], measure))
			add_bars(&plot, easel, &ranking->ladders[i], measure,
				 ((double)at++ - (double)shown / 2) * plot.bar_width);
	bar_axes(&plot, measure);
	add_bar_numbers(&plot);
	return finish(easel, &plot, err);
}

/* ---- ladders --------------------------------------------------------------------------------- */

static size_t rung_of(const struct ladder *longest, const char *name)
{
	size_t i;

	for (i = 0; i < longest->count; i++)
		if (!strcmp(longest->steps[i].name, name))
			return i + 1;
	return 0;
}

static void add_ladder(struct plot *plot, const struct easel *easel, const struct ladder *longest,
		       const struct ladder *ladder, enum minute_measure measure)
{
	struct plot_series *series;
	char title[256];
	size_t shape, i;
	const char *colour = palette_colour(easel->palette, ladder->result->drive, &shape);

	legend(ladder->result, "", title, sizeof(title));
	series = plot_add_series(plot, ladder->count > 1 ? PLOT_LINE_MARKS : PLOT_HOLLOW, title,
				 colour, shape);
	for (i = 0; i < ladder->count; i++) {
		double value = ladder->steps[i].values[IO_BOTH][measure];
		size_t rung = rung_of(longest, ladder->steps[i].name);

		if (isnan(value) || !rung)
			plot_break(plot, series);
		else
			plot_add_point(plot, series, (double)rung, value);
	}
}

/* What does not count is no part of the line. */
static void add_left_out(struct plot *plot, const struct easel *easel, const struct ladder *longest,
			 const struct ladder *ladder, enum minute_measure measure)
{
	struct plot_series *series = NULL;
	size_t shape, i;
	const char *colour = palette_colour(easel->palette, ladder->result->drive, &shape);
	char title[256];

	legend(ladder->result, ", invalid", title, sizeof(title));
	for (i = 0; i < ladder->count; i++) {
		double value = ladder->steps[i].left_out[IO_BOTH][measure];
		size_t rung = rung_of(longest, ladder->steps[i].name);

		if (isnan(value) || !rung)
			continue;
		if (!series)
			series = plot_add_series(plot, PLOT_CROSSES, title, colour, shape);
		plot_add_point(plot, series, (double)rung, value);
	}
}

static void ladder_axes(struct plot *plot, const struct ladder *longest,
			enum minute_measure measure, const char *protocol)
{
	size_t i;

	finish_value_axis(measure, &plot->y);
	measure_label(measure, &plot->y, plot->y_label, sizeof(plot->y_label));
	snprintf(plot->x_label, sizeof(plot->x_label),
		 "Threads (T) and I/Os in flight of each (Q)%s%.60s", protocol[0] ? ", " : "",
		 protocol);
	plot->x.divisor = 1;
	plot->x.from = 0.5;
	plot->x.to = (double)longest->count + 0.5;
	for (i = 0; i < longest->count; i++)
		plot_add_tic(plot, (double)i + 1, longest->steps[i].name);
}

static int draw_ladder(struct easel *easel, const struct ladder_ranking *ranking,
		       enum minute_measure measure, struct error *err)
{
	const struct ladder *longest = ladder_longest(ranking);
	struct plot plot;
	char name[256];
	size_t i;

	ladder_chart_name(ranking, measure, name, sizeof(name));
	plot_begin(&plot, name);
	snprintf(plot.title, sizeof(plot.title), "%.180s: %s", ranking->title,
		 measure_title(measure));
	for (i = 0; i < ranking->count; i++)
		if (has_rungs(&ranking->ladders[i], measure))
			add_ladder(&plot, easel, longest, &ranking->ladders[i], measure);
	for (i = 0; i < ranking->count; i++)
		add_left_out(&plot, easel, longest, &ranking->ladders[i], measure);
	ladder_axes(&plot, longest, measure, ranking->protocol);
	return finish(easel, &plot, err);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int draw_all(struct easel *easel, const struct enterprise *enterprise, struct error *err)
{
	enum minute_measure measure;
	size_t i;

	for (i = 0; i < enterprise->precondition_count; i++)
		if (draw_precondition(easel, &enterprise->preconditions[i], err))
			return -1;
	for (i = 0; i < enterprise->ladder_count; i++)
		for (measure = MINUTE_IOPS; measure < MINUTE_MEASURES; measure++) {
			const struct ladder_ranking *ranking = &enterprise->ladders[i];

			if (ranking->is_main_test ? draw_main_test(easel, ranking, measure, err)
						  : draw_ladder(easel, ranking, measure, err))
				return -1;
		}
	return 0;
}

int enterprise_charts_make(const struct enterprise *enterprise, const struct palette *palette,
			   const char *folder, struct error *err)
{
	struct terminals terminals;
	struct easel easel = {.palette = palette, .terminals = &terminals, .folder = folder};

	if (enterprise_is_empty(enterprise))
		return 0;
	if (terminals_probe(&terminals, err) || folder_make(folder, err))
		return -1;
	return draw_all(&easel, enterprise, err) ? -1 : easel.drawn;
}
