/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Charts of the loads of a row: a matrix as a map and over block sizes, how loads came to their
 * steady state round by round, and sequences over their time.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "postprocess/chart_internal.h"
#include "postprocess/enterprise_internal.h"
#include "postprocess/loads.h"
#include "postprocess/plot.h"

/* What charts there are. */
enum view { MATRIX, BY_BLOCKS, BY_ROUNDS, RATE_OVER_TIME, LATENCY_OVER_TIME, VIEWS };

static bool has_view(const struct load_list *list, enum view view)
{
	struct load_matrix matrix;

	if (!list->count)
		return false;
	if (view == MATRIX || view == BY_BLOCKS)
		return list->first && loads_matrix(list, &matrix);
	if (view == BY_ROUNDS)
		return !list->is_sequence && list->rounds > 1;
	return list->is_sequence && list->sample_count > 1;
}

static enum view view_of(const struct load_list *list, size_t number)
{
	int view;

	for (view = 0; view < VIEWS; view++)
		if (has_view(list, (enum view)view) && !number--)
			break;
	return (enum view)view;
}

size_t loads_charts(const struct load_list *list)
{
	size_t count = 0;
	int view;

	for (view = 0; view < VIEWS; view++)
		count += has_view(list, (enum view)view);
	return count;
}

void loads_chart_name(const struct load_list *list, size_t number, char *name, size_t room)
{
	static const char *const words[VIEWS] = {"matrix", "by-blocks", "by-rounds", "over-time",
						 "latency-over-time"};
	char base[160], drive[64], twin[16] = "";

	chart_base_name(list->row, list->result->protocol, base, sizeof(base));
	chart_plain_name(list->result->drive, drive, sizeof(drive));
	if (list->twins)
		snprintf(twin, sizeof(twin), "-%u", list->twins + 1);
	snprintf(name, room, "%s.%s%s.%s", base, drive, twin, words[view_of(list, number)]);
}

/* ---- what they share ------------------------------------------------------------------------- */

static void finish_axis(enum load_value value, struct plot *plot)
{
	static const char *const words[LOAD_VALUES] = {"I/Os", "Throughput", "Average latency",
						       "99.999 %", "Maximum"};

	if (value == LOAD_IOPS || value == LOAD_BYTES) {
		axis_finish_rate(&plot->y, value == LOAD_BYTES);
		axis_make_logarithmic(&plot->y, 30);
	} else {
		axis_finish_latency(&plot->y);
	}
	snprintf(plot->y_label, sizeof(plot->y_label), "%s (%s%s)", words[value], plot->y.unit,
		 plot->y.logarithmic ? ", logarithmic" : "");
}

static const char *colour_of(size_t number)
{
	return palette_colours[number % PALETTE_COLOURS];
}

static void title_of(const struct load_list *list, const char *what, struct plot *plot)
{
	snprintf(plot->title, sizeof(plot->title), "%.120s: %.60s%s, %s", list->title,
		 list->result->drive, list->result->simulated ? " (simulated)" : "", what);
}

/* What does not count is no part of a line: a cross in its colour, named once in the legend. */
static void add_invalid(struct plot *plot, struct plot_series **series, bool *is_named,
			size_t colour, double x, double y)
{
	if (!*series)
		*series = plot_add_series(plot, PLOT_CROSSES, *is_named ? "" : "invalid",
					  colour_of(colour), colour);
	*is_named = true;
	plot_add_point(plot, *series, x, y);
}

/* ---- matrix ---------------------------------------------------------------------------------- */

static void add_share(const struct load_matrix *matrix, size_t share, enum load_value value,
		      struct plot *plot)
{
	struct plot_series *series;
	char title[32];
	size_t i;

	snprintf(title, sizeof(title), "%.0f/%.0f", matrix->percents[share],
		 100 - matrix->percents[share]);
	series = plot_add_series(plot, PLOT_LINE_MARKS, title, colour_of(share), share);
	for (i = 0; i < matrix->block_count; i++) {
		const struct load_sum *load = matrix->cells[i][share];
		double number = load ? load->over_window.values[value] : NAN;

		if (isnan(number))
			plot_break(plot, series);
		else
			plot_add_point(plot, series, (double)i + 1, number);
	}
}

static void add_invalid_share(const struct load_matrix *matrix, size_t share, enum load_value value,
			      bool *is_named, struct plot *plot)
{
	struct plot_series *series = NULL;
	size_t i;

	for (i = 0; i < matrix->block_count; i++) {
		const struct load_sum *load = matrix->cells[i][share];

		if (load && !isnan(load->left_out.values[value]))
			add_invalid(plot, &series, is_named, share, (double)i + 1,
				    load->left_out.values[value]);
	}
}

static void plot_blocks(const struct load_list *list, struct plot *plot)
{
	enum load_value value = loads_main_value(list);
	struct load_matrix matrix;
	bool is_named = false;
	char block[32];
	size_t i;

	loads_matrix(list, &matrix);
	title_of(list, load_value_title(value), plot);
	for (i = 0; i < matrix.percent_count; i++)
		add_share(&matrix, i, value, plot);
	for (i = 0; i < matrix.percent_count; i++)
		add_invalid_share(&matrix, i, value, &is_named, plot);
	finish_axis(value, plot);
	for (i = 0; i < matrix.block_count; i++) {
		block_label(matrix.blocks[i], block, sizeof(block));
		plot_add_tic(plot, (double)i + 1, block);
	}
	plot->x.divisor = 1;
	plot->x.from = 0.5;
	plot->x.to = (double)matrix.block_count + 0.5;
	snprintf(plot->x_label, sizeof(plot->x_label), "Blocks; a line for each read/write share");
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Of a matrix the loads that write most, a line for each block size; else all. */
static bool is_in_rounds(const struct load_list *list, const struct load_sum *load)
{
	struct load_matrix matrix;

	return !loads_matrix(list, &matrix) || load->read_percent == matrix.percents[0];
}

static void add_load_rounds(const struct load_list *list, const struct load_sum *load,
			    enum load_value value, size_t number, struct plot *plot)
{
	struct plot_series *series;
	char title[64];
	size_t i;

	load_label(load, title, sizeof(title));
	series = plot_add_series(plot, PLOT_LINE_MARKS, title, colour_of(number), number);
	for (i = 0; i < list->rounds; i++) {
		double own = load->rounds[i].values[value];

		if (isnan(own) || load->invalid[i])
			plot_break(plot, series);
		else
			plot_add_point(plot, series, (double)i + 1, own);
	}
}

static void add_invalid_rounds(const struct load_list *list, const struct load_sum *load,
			       enum load_value value, size_t number, bool *is_named,
			       struct plot *plot)
{
	struct plot_series *series = NULL;
	size_t i;

	for (i = 0; i < list->rounds; i++)
		if (load->invalid[i] && !isnan(load->rounds[i].values[value]))
			add_invalid(plot, &series, is_named, number, (double)i + 1,
				    load->rounds[i].values[value]);
}

static void plot_rounds(const struct load_list *list, struct plot *plot)
{
	enum load_value value = loads_main_value(list);
	bool is_named = false;
	size_t i, shown = 0;

	title_of(list, "by rounds", plot);
	for (i = 0; i < list->count; i++)
		if (is_in_rounds(list, &list->loads[i]))
			add_load_rounds(list, &list->loads[i], value, shown++, plot);
	for (i = 0, shown = 0; i < list->count; i++)
		if (is_in_rounds(list, &list->loads[i]))
			add_invalid_rounds(list, &list->loads[i], value, shown++, &is_named, plot);
	finish_axis(value, plot);
	plot->x.divisor = 1;
	plot->x.from = 0;
	plot->x.to = (double)list->rounds + 1;
	if (list->first)
		snprintf(plot->x_label, sizeof(plot->x_label), "Round (%s: %u to %u)",
			 list->is_unjudged ? "shown in tables" : "window", list->first, list->last);
	else
		snprintf(plot->x_label, sizeof(plot->x_label), "Round");
}

/* ---- over time ------------------------------------------------------------------------------- */

static double sample_value(const struct load_sample *sample, enum load_value value)
{
	if (value == LOAD_MEAN)
		return sample->mean_us;
	return value == LOAD_BYTES ? sample->bytes_per_s : sample->iops;
}

static void load_title(const struct load_sum *load, char *text, size_t room)
{
	snprintf(text, room, "%s", load->name);
	if (load->work_share < 1)
		text_append(text, room, " (works %g s of %g s)", load->work_s,
			    load->work_s + load->idle_s);
}

/* Of a sequence, in which a load has one round. */
static void add_samples(const struct load_list *list, size_t load, enum load_value value,
			struct plot *plot)
{
	bool invalid = list->loads[load].invalid_rounds > 0;
	struct plot_series *series;
	char title[160];
	size_t i;

	load_title(&list->loads[load], title, sizeof(title));
	if (invalid)
		text_append(title, sizeof(title), ", invalid");
	series = plot_add_series(plot, invalid ? PLOT_CROSSES : PLOT_LINE_MARKS, title,
				 colour_of(load), load);
	for (i = 0; i < list->sample_count; i++) {
		const struct load_sample *sample = &list->samples[i];
		double own = sample_value(sample, value);

		if (sample->load == load && !isnan(own))
			plot_add_point(plot, series, sample->start_s + sample->seconds / 2, own);
	}
}

static void plot_time(const struct load_list *list, enum view view, struct plot *plot)
{
	enum load_value value = view == RATE_OVER_TIME ? loads_main_value(list) : LOAD_MEAN;
	size_t load;

	title_of(list, load_value_title(value), plot);
	for (load = 0; load < list->count; load++)
		add_samples(list, load, value, plot);
	finish_axis(value, plot);
	axis_finish_time(&plot->x);
	snprintf(plot->x_label, sizeof(plot->x_label), "Time (%s)", plot->x.unit);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int draw(const struct load_list *list, size_t number, const struct terminals *terminals,
		const char *folder, struct error *err)
{
	enum view view = view_of(list, number);
	struct plot plot;
	char name[320], threads[32];
	int status;

	loads_chart_name(list, number, name, sizeof(name));
	if (view == MATRIX)
		return matrix_chart_draw(list, name, terminals, folder, err);
	plot_begin(&plot, name);
	if (view == BY_BLOCKS)
		plot_blocks(list, &plot);
	else if (view == BY_ROUNDS)
		plot_rounds(list, &plot);
	else
		plot_time(list, view, &plot);
	threads_label(list, threads, sizeof(threads));
	text_append(plot.x_label, sizeof(plot.x_label), "%s, %.60s", threads,
		    list->result->protocol);
	status = plot_draw(&plot, terminals, folder, err);
	plot_free(&plot);
	return status;
}

int loads_charts_make(const struct load_list *lists, size_t count,
		      const struct terminals *terminals, const char *folder, struct error *err)
{
	size_t i, j;
	int drawn = 0;

	for (i = 0; i < count; i++)
		for (j = 0; j < loads_charts(&lists[i]); j++, drawn++)
			if (draw(&lists[i], j, terminals, folder, err))
				return -1;
	return drawn;
}
