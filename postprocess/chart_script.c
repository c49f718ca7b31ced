/* SPDX-License-Identifier: GPL-2.0-only */
/* What gnuplot is told about one chart. */
#include <stdio.h>
#include <string.h>

#include "postprocess/chart_internal.h"

/* gnuplot's filled point shapes, told apart without colour: circle, square, triangle, ... */
static const int shapes[] = {7, 5, 9, 13, 11, 15};

#define SHAPE_CROSS   2
#define SHAPE_DIAMOND 12

#define WIDTH 760u /* of a chart, in px */

/* In single quotes gnuplot takes everything as it is; a quote itself is doubled. */
static void put_quoted(const char *text, FILE *out)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', out);
		if (*text != '\n' && *text != '\r')
			fputc(*text, out);
	}
	fputc('\'', out);
}

static const char *mark_word(const struct entry *entry)
{
	if (entry->result->kind == RESULT_PUBLISHED)
		return ", published peak";
	return !strcmp(entry_origin(entry), "simulated") ? ", simulated" : "";
}

static void put_title_of(const struct entry *entry, FILE *out)
{
	char title[256];

	snprintf(title, sizeof(title), "%s%s%s", entry->result->drive, mark_word(entry),
		 entry_is_stand_in(entry) ? ", stand-in" : "");
	put_quoted(title, out);
}

static void put_series(const struct chart *chart, size_t i, const char *data, FILE *out)
{
	const struct entry *entry = &chart->ranking->entries[i];
	bool published = entry->result->kind == RESULT_PUBLISHED;
	size_t index, shape;
	const char *colour = palette_colour(chart->palette, entry->result->drive, &index);

	shape = (index + index / PALETTE_COLOURS) % COUNT(shapes);
	put_quoted(data, out);
	fprintf(out, " index %zu using 1:2 with %s lc rgb '%s' lw %s pt %d ps %s title ",
		chart_block(chart, i, true),
		published || chart_count_points(chart, entry, true) == 1 ? "points" : "linespoints",
		colour, published ? "2.5" : "2.2", published ? SHAPE_DIAMOND : shapes[shape],
		published ? "1.4" : "0.8");
	put_title_of(entry, out);
}

/* A drive that has no other mark in the chart stands in the legend with its crosses. */
static void put_left_out(const struct chart *chart, size_t i, const char *data, FILE *out)
{
	const struct entry *entry = &chart->ranking->entries[i];
	bool alone = !chart_count_points(chart, entry, true);
	size_t index;

	put_quoted(data, out);
	fprintf(out, " index %zu using 1:2 with points lc rgb '%s' lw 2 pt %d ps 1.1 ",
		chart_block(chart, i, false),
		palette_colour(chart->palette, entry->result->drive, &index), SHAPE_CROSS);
	fputs(alone ? "title " : "notitle", out);
	if (alone)
		put_title_of(entry, out);
}

/* What a cross means, in no drive's colour. */
static void put_cross_key(FILE *out)
{
	fprintf(out,
		"NaN with points lc rgb '" CHART_LINE "' lw 2 pt %d ps 1.1 "
		"title 'invalid, not ranked'",
		SHAPE_CROSS);
}

/* The series one after another; false when there is not a single point. */
static bool put_plot(const struct chart *chart, const char *data, FILE *out)
{
	const char *before = "plot ";
	bool crosses = false;
	size_t i;

	for (i = 0; i < chart->ranking->count; i++) {
		if (!chart_count_points(chart, &chart->ranking->entries[i], true))
			continue;
		fputs(before, out);
		put_series(chart, i, data, out);
		before = ", \\\n     ";
	}
	for (i = 0; i < chart->ranking->count; i++) {
		if (!chart_count_points(chart, &chart->ranking->entries[i], false))
			continue;
		fputs(before, out);
		put_left_out(chart, i, data, out);
		before = ", \\\n     ";
		crosses = true;
	}
	if (crosses) {
		fputs(before, out);
		put_cross_key(out);
	}
	fputc('\n', out);
	return before[0] == ',';
}

/* A chart without points still says so, on paper of the same size. */
static void put_no_data(FILE *out)
{
	fputs("unset logscale\nset xrange [0:1]\nset yrange [0:1]\n"
	      "set label 2 'no data' at graph 0.5, graph 0.5 center font ',18' noenhanced\n"
	      "plot 2 notitle\n",
	      out);
}

static void put_one_ms(const struct chart *chart, FILE *out)
{
	double at = ONE_MS_US / chart->latency.divisor;

	fprintf(out,
		"set arrow 1 from graph 0, first %.10g to graph 1, first %.10g nohead "
		"lc rgb '" CHART_LINE "' lw 1.2 dt (8,5) back\n"
		"set label 1 '1 ms' at graph 0.01, first %.10g left offset 0,0.55 "
		"tc rgb '" CHART_LINE "' noenhanced\n",
		at, at, at);
}

static void put_title(const struct chart *chart, FILE *out)
{
	char row[192], title[512];

	row_title(chart->ranking->row, row, sizeof(row));
	snprintf(title, sizeof(title), "%s: latency over achieved %s", row,
		 chart->ranking->by_bytes ? "bandwidth" : "IOPS");
	fputs("set title ", out);
	put_quoted(title, out);
	fputs(" noenhanced font ',15' tc rgb '" CHART_TEXT "'\n", out);
}

static void put_labels(const struct chart *chart, FILE *out)
{
	char label[160];

	put_title(chart, out);
	snprintf(label, sizeof(label), "Achieved %s (%s), %.60s",
		 chart->ranking->by_bytes ? "bandwidth" : "rate", chart->rate.unit,
		 chart->ranking->protocol[0] ? chart->ranking->protocol : "own job file");
	fputs("set xlabel ", out);
	put_quoted(label, out);
	fputs(" noenhanced tc rgb '" CHART_TEXT "'\n", out);
	snprintf(label, sizeof(label), "Mean %s (%s%s)",
		 chart->ranking->metric == METRIC_LAT ? "response time, lat" : "latency, clat",
		 chart->latency.unit, chart->latency.logarithmic ? ", logarithmic" : "");
	fputs("set ylabel ", out);
	put_quoted(label, out);
	fputs(" noenhanced tc rgb '" CHART_TEXT "'\n", out);
}

static void put_looks(FILE *out)
{
	fputs("set border 3 lc rgb '" CHART_LINE "' lw 1\n"
	      "set grid ytics lc rgb '" CHART_GRID "' lw 0.8 lt 1\n"
	      "set tics nomirror out scale 0.5 textcolor rgb '" CHART_TEXT "'\n"
	      "set key outside bottom center horizontal Left reverse noenhanced "
	      "textcolor rgb '" CHART_TEXT "' samplen 2.5 spacing 1.2 width 1 height 0.6\n"
	      "set rmargin 5\n",
	      out);
}

/* The legend takes a line for every two drives or crosses, so that the plot keeps its size. */
static unsigned height_of(const struct chart *chart)
{
	return WIDTH * 9 / 16 + 20 * (unsigned)((chart->ranking->count + 2) / 2);
}

static void put_svg(const struct chart *chart, FILE *out)
{
	if (!chart->terminals->svg)
		return;
	fprintf(out,
		"set terminal svg size %u,%u dynamic noenhanced font 'sans-serif,13' "
		"background '#ffffff'\nset output ",
		WIDTH, height_of(chart));
	put_quoted(chart->name, out);
	fputs(".'.svg'\n", out);
}

static void put_png(const struct chart *chart, FILE *out)
{
	if (chart->terminals->pngcairo)
		fprintf(out,
			"set terminal pngcairo size %u,%u noenhanced font 'sans,11' fontscale 2.2 "
			"linewidth 2.2 pointscale 2.2 background '#ffffff'\n",
			WIDTH * 22 / 10, height_of(chart) * 22 / 10);
	else
		fprintf(out, "set terminal png size %u,%u noenhanced background '#ffffff'\n", WIDTH,
			height_of(chart));
	fputs("set output ", out);
	put_quoted(chart->name, out);
	fputs(".'.png'\n", out);
}

void chart_write_script(const struct chart *chart, FILE *out)
{
	const struct terminals *terminals = chart->terminals;
	char data[300];

	snprintf(data, sizeof(data), "%s.dat", chart->name);
	fprintf(out, "# Draws %s again: gnuplot %s.gp\nreset\nset encoding utf8\n", chart->name,
		chart->name);
	put_looks(out);
	put_labels(chart, out);
	axis_write(&chart->rate, 'x', out);
	axis_write(&chart->latency, 'y', out);
	put_one_ms(chart, out);
	put_svg(chart, out);
	if (!terminals->svg)
		put_png(chart, out);
	if (!put_plot(chart, data, out))
		put_no_data(out);
	if (terminals->svg && (terminals->png || terminals->pngcairo)) {
		put_png(chart, out);
		fputs("replot\n", out);
	}
	fputs("unset output\n", out);
}
