/* SPDX-License-Identifier: GPL-2.0-only */
/* Charts of main tests, reads and writes as bars, and of ladders, lines over their steps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise_plot.h"

/* ---- main tests ------------------------------------------------------------------------------ */

#define CROSS_SHARE	0.015 /* of the axis: half of a cross, which its number leaves free */
#define MOST_LEVEL_BARS 4     /* numbers above more bars than these stand upright */

static const char *const kind_words[IO_KINDS] = {"read", "write", "both"};

/* Of reads or writes, whether they count or not. */
static bool has_bars(const struct ladder *ladder, enum minute_measure measure)
{
	const struct ladder_step *step = &ladder->steps[0];

	return ladder->count &&
	       (!isnan(step->values[IO_READ][measure]) || !isnan(step->values[IO_WRITE][measure]) ||
		!isnan(step->left_out[IO_READ][measure]) ||
		!isnan(step->left_out[IO_WRITE][measure]));
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

	drive_legend(ladder->result, "", title, sizeof(title));
	series = plot_add_series(plot, PLOT_BARS, title,
				 palette_colour(easel->palette, ladder->result->drive, &shape), 0);
	for (kind = IO_READ; kind <= IO_WRITE; kind++) {
		double value = step->values[kind][measure];

		if (!isnan(value))
			plot_add_point(plot, series, kind + 1 + left + plot->bar_width / 2, value);
	}
}

/* What does not count is no bar: a cross at its height. */
static void add_invalid_bars(struct plot *plot, const struct easel *easel,
			     const struct ladder *ladder, enum minute_measure measure, double left)
{
	const struct ladder_step *step = &ladder->steps[0];
	struct plot_series *series = NULL;
	char title[256];
	size_t shape;
	int kind;

	drive_legend(ladder->result, ", invalid", title, sizeof(title));
	for (kind = IO_READ; kind <= IO_WRITE; kind++) {
		double value = step->left_out[kind][measure];

		if (isnan(value))
			continue;
		if (!series)
			series = plot_add_series(
				plot, PLOT_CROSSES, title,
				palette_colour(easel->palette, ladder->result->drive, &shape), 0);
		plot_add_point(plot, series, kind + 1 + left + plot->bar_width / 2, value);
	}
}

/* In the unit of the axis, which is finished by then. */
static void add_bar_numbers(struct plot *plot)
{
	double cross = CROSS_SHARE * plot->y.to * plot->y.divisor;
	char number[NUMBER_ROOM];
	size_t i, j;

	for (i = 0; i < plot->series_count; i++)
		for (j = 0; j < plot->series[i].count; j++) {
			const struct plot_point *bar = &plot->series[i].points[j];
			bool counts = plot->series[i].style != PLOT_CROSSES;
			char text[NUMBER_ROOM + 2];

			snprintf(text, sizeof(text), counts ? "%s" : "(%s)",
				 number_count(bar->y / plot->y.divisor, number));
			plot_add_text(plot, bar->x, bar->y + (counts ? 0 : cross), text,
				      CHART_TEXT);
		}
}

/* Bars begin at 0, so their axis is never logarithmic; above them is room for their numbers. */
static void bar_axes(struct plot *plot, enum minute_measure measure)
{
	int kind;

	value_axis_finish(measure, &plot->y);
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

int draw_main_test(struct easel *easel, const struct ladder_ranking *ranking,
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
		if (has_bars(&ranking->ladders[i], measure)) {
			double left = ((double)at++ - (double)shown / 2) * plot.bar_width;

			add_bars(&plot, easel, &ranking->ladders[i], measure, left);
			add_invalid_bars(&plot, easel, &ranking->ladders[i], measure, left);
		}
	bar_axes(&plot, measure);
	add_bar_numbers(&plot);
	return easel_finish(easel, &plot, err);
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

	drive_legend(ladder->result, "", title, sizeof(title));
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

	drive_legend(ladder->result, ", invalid", title, sizeof(title));
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

	value_axis_finish(measure, &plot->y);
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

int draw_ladder(struct easel *easel, const struct ladder_ranking *ranking,
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
	return easel_finish(easel, &plot, err);
}
