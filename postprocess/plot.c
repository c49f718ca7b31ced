/* SPDX-License-Identifier: GPL-2.0-only */
/* Charts made of lists of points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/chart_internal.h"
#include "postprocess/grow.h"
#include "postprocess/paper.h"
#include "postprocess/plot.h"

#define TEXT_WIDTH	0.013 /* of a letter, as a share of the plot's width */
#define TEXT_HEIGHT	0.05  /* of a line, as a share of its height */
#define TEXT_MOVES	2     /* a text is moved up by so many lines at most */
#define MOST_LEVEL_TICS 8     /* more names than these are slanted */
#define LONG_WORDS	24    /* longer words of the legend take a line of their own */

void plot_begin(struct plot *plot, const char *name)
{
	*plot = (struct plot){.name = name, .x.lowest = INFINITY, .y.lowest = INFINITY};
}

void plot_free(struct plot *plot)
{
	size_t i;

	for (i = 0; i < plot->series_count; i++)
		free(plot->series[i].points);
	free(plot->series);
	free(plot->texts);
	free(plot->tics);
}

struct plot_series *plot_add_series(struct plot *plot, enum plot_style style, const char *title,
				    const char *colour, size_t shape)
{
	struct plot_series *larger = list_grow(plot->series, plot->series_count, sizeof(*larger));

	if (!larger) {
		plot->is_short = true;
		return NULL;
	}
	plot->series = larger;
	larger += plot->series_count++;
	*larger = (struct plot_series){.style = style, .colour = colour, .shape = shape};
	snprintf(larger->title, sizeof(larger->title), "%s", title);
	return larger;
}

void plot_add_point(struct plot *plot, struct plot_series *series, double x, double y)
{
	struct plot_point *larger;

	if (!series)
		return;
	larger = list_grow(series->points, series->count, sizeof(*larger));
	if (!larger) {
		plot->is_short = true;
		return;
	}
	series->points = larger;
	larger[series->count++] = (struct plot_point){x, y};
	axis_include(&plot->x, x);
	axis_include(&plot->y, y);
}

void plot_break(struct plot *plot, struct plot_series *series)
{
	if (series && series->count)
		plot_add_point(plot, series, NAN, NAN);
}

void plot_add_text(struct plot *plot, double x, double y, const char *text, const char *colour)
{
	struct plot_text *larger = list_grow(plot->texts, plot->text_count, sizeof(*larger));

	if (!larger) {
		plot->is_short = true;
		return;
	}
	plot->texts = larger;
	larger += plot->text_count++;
	*larger = (struct plot_text){.x = x, .y = y, .colour = colour};
	snprintf(larger->text, sizeof(larger->text), "%s", text);
}

void plot_add_tic(struct plot *plot, double at, const char *text)
{
	struct plot_tic *larger = list_grow(plot->tics, plot->tic_count, sizeof(*larger));

	if (!larger) {
		plot->is_short = true;
		return;
	}
	plot->tics = larger;
	larger += plot->tic_count++;
	larger->at = at;
	snprintf(larger->text, sizeof(larger->text), "%s", text);
}

bool plot_has_points(const struct plot *plot)
{
	size_t i;

	for (i = 0; i < plot->series_count; i++)
		if (plot->series[i].count)
			return true;
	return false;
}

/* ---- data ------------------------------------------------------------------------------------ */

/* A blank line breaks a line, however long the break; two of them would begin another series. */
static void put_series_data(const struct plot *plot, const struct plot_series *series, FILE *out)
{
	bool is_broken = false, is_first = true;
	size_t i;

	fprintf(out, "# %s\n", series->title[0] ? series->title : "(the same drive)");
	for (i = 0; i < series->count; i++) {
		const struct plot_point *point = &series->points[i];

		if (isnan(point->x) || isnan(point->y)) {
			is_broken = true;
			continue;
		}
		fprintf(out, "%s%.10g %.10g\n", is_broken && !is_first ? "\n" : "",
			point->x / plot->x.divisor, point->y / plot->y.divisor);
		is_broken = is_first = false;
	}
	if (is_first)
		fputs("NaN NaN\n", out);
	fputs("\n\n", out);
}

static void put_data(const struct plot *plot, FILE *out)
{
	size_t i;

	fprintf(out, "# %s   %s\n\n\n", plot->x_label, plot->y_label);
	for (i = 0; i < plot->series_count; i++)
		put_series_data(plot, &plot->series[i], out);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Where a value lies on an axis, 0 to 1. */
static double share_of(const struct axis *axis, double value)
{
	double at = value / axis->divisor;

	if (axis->logarithmic)
		return log(at / axis->from) / log(axis->to / axis->from);
	return (at - axis->from) / (axis->to - axis->from);
}

/* The middle of a text's lower edge, as shares of the plot. */
struct place {
	double x, y, width;
};

static bool is_free(const struct place *places, size_t count, const struct place *place)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (fabs(places[i].y - place->y) < 0.99 * TEXT_HEIGHT &&
		    fabs(places[i].x - place->x) < (places[i].width + place->width) / 2)
			return false;
	return true;
}

/* Finds a free place at the point, or above it. */
static bool find_place(const struct plot *plot, const struct plot_text *text,
		       const struct place *places, size_t count, struct place *place)
{
	unsigned moves;

	*place = (struct place){share_of(&plot->x, text->x),
				isnan(text->y) ? 0.015 : share_of(&plot->y, text->y) + 0.015,
				TEXT_WIDTH * (double)strlen(text->text)};
	place->x = fmin(fmax(place->x, 0.01 + place->width / 2), 1.02 - place->width / 2);
	for (moves = 0; moves <= TEXT_MOVES; moves++, place->y += TEXT_HEIGHT)
		if (is_free(places, count, place))
			return true;
	return false;
}

/* Each above its own point, however near the next one is. */
static void put_upright_texts(const struct plot *plot, FILE *out)
{
	size_t i;

	for (i = 0; i < plot->text_count; i++) {
		const struct plot_text *text = &plot->texts[i];

		fprintf(out, "set label %zu ", 10 + i);
		paper_quoted(text->text, out);
		fprintf(out,
			" at graph %.4f, graph %.4f left rotate by 90 font ',11' tc rgb '%s' "
			"noenhanced front\n",
			share_of(&plot->x, text->x), share_of(&plot->y, text->y) + 0.02,
			text->colour);
	}
}

static void put_texts(const struct plot *plot, FILE *out)
{
	struct place *places = calloc(plot->text_count + 1, sizeof(*places));
	size_t i, count = 0;

	for (i = 0; places && i < plot->text_count; i++) {
		const struct plot_text *text = &plot->texts[i];

		if (!find_place(plot, text, places, count, &places[count]))
			continue;
		fprintf(out, "set label %zu ", 10 + i);
		paper_quoted(text->text, out);
		fprintf(out,
			" at graph %.4f, graph %.4f center offset 0,0.3 font ',11' "
			"tc rgb '%s' noenhanced front boxed\n",
			places[count].x, places[count].y, text->colour);
		count++;
	}
	free(places);
}

/* ---- script ---------------------------------------------------------------------------------- */

static void put_style(const struct plot_series *series, FILE *out)
{
	static const char *const widths[] = {
		[PLOT_LINE] = "1.2", [PLOT_BOLD] = "3.2", [PLOT_DASHED] = "1.4"};
	int shape = paper_shape(series->shape);

	switch (series->style) {
	case PLOT_LINE:
	case PLOT_BOLD:
	case PLOT_DASHED:
		fprintf(out, "with lines lc rgb '%s' lw %s%s", series->colour,
			widths[series->style], series->style == PLOT_DASHED ? " dt (8,5)" : "");
		break;
	case PLOT_LINE_MARKS:
		fprintf(out, "with linespoints lc rgb '%s' lw 2.2 pt %d ps 0.9", series->colour,
			shape);
		break;
	case PLOT_MARKS:
		fprintf(out, "with points lc rgb '%s' pt %d ps 1.2", series->colour, shape);
		break;
	case PLOT_CROSSES:
		fprintf(out, "with points lc rgb '%s' lw 2 pt 2 ps 1.2", series->colour);
		break;
	case PLOT_BARS:
		fprintf(out, "with boxes lc rgb '%s' fs solid 0.9 noborder", series->colour);
		break;
	case PLOT_BAND:
		fprintf(out, "with filledcurves closed lc rgb '%s' fs solid 0.15 noborder",
			series->colour);
		break;
	case PLOT_HOLLOW:
		fprintf(out, "with points lc rgb '%s' lw 2 pt 6 ps 1.9", series->colour);
		break;
	}
}

static void put_plot(const struct plot *plot, FILE *out)
{
	const char *before = "plot ";
	size_t i;

	for (i = 0; i < plot->series_count; i++) {
		const struct plot_series *series = &plot->series[i];

		fputs(before, out);
		before = ", \\\n     ";
		if (series->count) {
			paper_quoted(plot->name, out);
			fprintf(out, ".'.dat' index %zu using 1:2 ", i);
		} else {
			fputs("NaN ", out); /* what a mark means */
		}
		put_style(series, out);
		fputs(series->title[0] ? " title " : " notitle", out);
		if (series->title[0])
			paper_quoted(series->title, out);
	}
	fputc('\n', out);
}

/* Names in place of numbers. */
static void put_tics(const struct plot *plot, FILE *out)
{
	size_t i;

	if (!plot->tic_count)
		return;
	fprintf(out, "set xtics %s(", plot->tic_count > MOST_LEVEL_TICS ? "rotate by -45 " : "");
	for (i = 0; i < plot->tic_count; i++) {
		fputs(i ? ", " : "", out);
		paper_quoted(plot->tics[i].text, out);
		fprintf(out, " %.10g", plot->tics[i].at / plot->x.divisor);
	}
	fputs(")\n", out);
	if (plot->bar_width > 0)
		fprintf(out, "set boxwidth %.10g absolute\n", plot->bar_width);
}

/* All columns of the legend are as wide as its longest word: two of them fit, or one. */
static size_t legend_words(const struct plot *plot)
{
	size_t i, words = 0, longest = 0;

	for (i = 0; i < plot->series_count; i++) {
		size_t length = strlen(plot->series[i].title);

		words += length > 0;
		longest = length > longest ? length : longest;
	}
	return longest > LONG_WORDS ? 2 * words : words;
}

static void put_script(const struct plot *plot, const struct terminals *terminals, FILE *out)
{
	struct paper paper = {terminals, plot->name, paper_height(legend_words(plot))};

	paper_begin(&paper, out);
	paper_label("title", plot->title, out);
	paper_label("xlabel", plot->x_label, out);
	paper_label("ylabel", plot->y_label, out);
	axis_write(&plot->x, 'x', out);
	axis_write(&plot->y, 'y', out);
	put_tics(plot, out);
	fputs("set style textbox opaque noborder margins 0.4,0.1\n", out);
	if (plot->texts_upright)
		put_upright_texts(plot, out);
	else
		put_texts(plot, out);
	paper_first(&paper, out);
	put_plot(plot, out);
	paper_end(&paper, out);
}

/* ---- files ----------------------------------------------------------------------------------- */

int plot_draw(struct plot *plot, const struct terminals *terminals, const char *folder,
	      struct error *err)
{
	char *texts[2] = {NULL, NULL};
	size_t bytes[2] = {0, 0};
	FILE *data = open_memstream(&texts[0], &bytes[0]);
	FILE *script = open_memstream(&texts[1], &bytes[1]);
	int status = 0;

	if (data && script && !plot->is_short) {
		put_data(plot, data);
		put_script(plot, terminals, script);
	} else {
		status = error_set(err, "not enough memory for a chart");
	}
	if ((data && fclose(data)) | (script && fclose(script)))
		status = error_set(err, "not enough memory for a chart");
	if (!status)
		status = chart_write_file(folder, plot->name, ".dat", texts[0], bytes[0], err);
	if (!status)
		status = chart_write_file(folder, plot->name, ".gp", texts[1], bytes[1], err);
	free(texts[0]);
	free(texts[1]);
	return status ? -1 : chart_draw(folder, plot->name, err);
}
