/* SPDX-License-Identifier: GPL-2.0-only */
/* The script and the data of one chart. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/axis.h"
#include "postprocess/chart.h"

/* gnuplot's filled point shapes, told apart without colour: circle, square, triangle, ... */
static const int shapes[] = {7, 5, 9, 13, 11, 15};

#define SHAPES	      (sizeof(shapes) / sizeof(shapes[0]))
#define SHAPE_CROSS   2
#define SHAPE_DIAMOND 12

#define WIDTH 760u /* of a chart, in px */

struct chart {
	const struct ranking *ranking;
	const struct palette *palette;
	struct axis rate, latency;
};

static double rate_of(const struct chart *chart, const struct point *point)
{
	return chart->ranking->by_bytes ? point->bytes_per_s : point->iops;
}

static double latency_of(const struct chart *chart, const struct step *step)
{
	return step_latency_us(step, chart->ranking->metric);
}

/* Figures of a failed point say nothing; those of an invalid one are shown, and marked. */
static bool has_place(const struct chart *chart, const struct step *step)
{
	return step->point.verdict != POINT_FAILED && rate_of(chart, &step->point) > 0 &&
	       latency_of(chart, step) > 0;
}

/* Points of one kind that can be drawn: on the curve, or left out of it. */
static size_t count_points(const struct chart *chart, const struct entry *entry, bool counting)
{
	size_t i, count = 0;

	for (i = 0; i < entry->step_count; i++)
		count += has_place(chart, &entry->steps[i]) &&
			 point_counts(&entry->steps[i].point) == counting;
	return count;
}

static void find_ranges(struct chart *chart)
{
	size_t i, j;

	chart->rate = chart->latency = (struct axis){.lowest = INFINITY};
	for (i = 0; i < chart->ranking->count; i++) {
		const struct entry *entry = &chart->ranking->entries[i];

		for (j = 0; j < entry->step_count; j++) {
			if (!has_place(chart, &entry->steps[j]))
				continue;
			axis_include(&chart->rate, rate_of(chart, &entry->steps[j].point));
			axis_include(&chart->latency, latency_of(chart, &entry->steps[j]));
		}
	}
	axis_include(&chart->latency, ONE_MS_US);
	axis_finish_rate(&chart->rate, chart->ranking->by_bytes);
	axis_finish_latency(&chart->latency);
}

/* ---- data: up to two blocks a drive, the curve and the points left out ------------------------
 */

static void put_points(const struct chart *chart, const struct entry *entry, bool counting,
		       FILE *out)
{
	size_t i;

	if (!count_points(chart, entry, counting))
		return; /* gnuplot does not count empty blocks */
	fprintf(out, "# %s: %s\n", entry->result->drive,
		counting ? "the curve, in offered order" : "points left out");
	for (i = 0; i < entry->step_count; i++) {
		const struct step *step = &entry->steps[i];

		if (has_place(chart, step) && point_counts(&step->point) == counting)
			fprintf(out, "%.10g %.10g # %s, %s\n",
				rate_of(chart, &step->point) / chart->rate.divisor,
				latency_of(chart, step) / chart->latency.divisor, step->point.name,
				point_verdict_word(step->point.verdict));
	}
	fputs("\n\n", out);
}

static void write_data(const struct chart *chart, FILE *out)
{
	size_t i;

	fprintf(out, "# %s (%s)   mean %s (%s)\n\n\n", "achieved rate", chart->rate.unit,
		chart->ranking->metric == METRIC_LAT ? "lat" : "clat", chart->latency.unit);
	for (i = 0; i < chart->ranking->count; i++) {
		put_points(chart, &chart->ranking->entries[i], true, out);
		put_points(chart, &chart->ranking->entries[i], false, out);
	}
}

/* ---- script --------------------------------------------------------------------------------- */

/* The block that holds an entry's points of one kind. */
static size_t block_of(const struct chart *chart, size_t entry, bool counting)
{
	size_t i, before = 0;

	for (i = 0; i < entry; i++)
		before += (count_points(chart, &chart->ranking->entries[i], true) > 0) +
			  (count_points(chart, &chart->ranking->entries[i], false) > 0);
	if (!counting)
		before += count_points(chart, &chart->ranking->entries[entry], true) > 0;
	return before;
}

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
	return strstr(entry->marks, "simulated") ? ", simulated" : "";
}

static void put_series(const struct chart *chart, size_t i, const char *data, FILE *out)
{
	const struct entry *entry = &chart->ranking->entries[i];
	bool published = entry->result->kind == RESULT_PUBLISHED;
	size_t index, shape;
	const char *colour = palette_colour(chart->palette, entry->result->drive, &index);
	char title[256];

	shape = (index + index / PALETTE_COLOURS) % SHAPES;
	snprintf(title, sizeof(title), "%s%s", entry->result->drive, mark_word(entry));
	put_quoted(data, out);
	fprintf(out, " index %zu using 1:2 with %s lc rgb '%s' lw %s pt %d ps %s title ",
		block_of(chart, i, true),
		published || count_points(chart, entry, true) == 1 ? "points" : "linespoints",
		colour, published ? "2.5" : "2.2", published ? SHAPE_DIAMOND : shapes[shape],
		published ? "1.2" : "0.8");
	put_quoted(title, out);
}

static void put_left_out(const struct chart *chart, size_t i, const char *data, bool first,
			 FILE *out)
{
	size_t index;

	put_quoted(data, out);
	fprintf(out, " index %zu using 1:2 with points lc rgb '%s' lw 2 pt %d ps 1.1 ",
		block_of(chart, i, false),
		palette_colour(chart->palette, chart->ranking->entries[i].result->drive, &index),
		SHAPE_CROSS);
	fputs(first ? "title 'invalid, not ranked'" : "notitle", out);
}

/* The series one after another; false when there is not a single point. */
static bool put_plot(const struct chart *chart, const char *data, FILE *out)
{
	const char *before = "plot ";
	bool first = true;
	size_t i;

	for (i = 0; i < chart->ranking->count; i++) {
		if (!count_points(chart, &chart->ranking->entries[i], true))
			continue;
		fputs(before, out);
		put_series(chart, i, data, out);
		before = ", \\\n     ";
	}
	for (i = 0; i < chart->ranking->count; i++) {
		if (!count_points(chart, &chart->ranking->entries[i], false))
			continue;
		fputs(before, out);
		put_left_out(chart, i, data, first, out);
		before = ", \\\n     ";
		first = false;
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

/* The legend takes a line for every two series, so that the plot keeps its size. */
static unsigned height_of(const struct chart *chart)
{
	return WIDTH * 9 / 16 + 20 * (unsigned)((chart->ranking->count + 1) / 2);
}

static void put_svg(const struct chart *chart, const struct terminals *terminals, const char *name,
		    FILE *out)
{
	if (!terminals->svg)
		return;
	fprintf(out,
		"set terminal svg size %u,%u dynamic noenhanced font 'sans-serif,13' "
		"background '#ffffff'\nset output ",
		WIDTH, height_of(chart));
	put_quoted(name, out);
	fputs(".'.svg'\n", out);
}

static void put_png(const struct chart *chart, const struct terminals *terminals, const char *name,
		    FILE *out)
{
	if (terminals->pngcairo)
		fprintf(out,
			"set terminal pngcairo size %u,%u noenhanced font 'sans,11' fontscale 2.2 "
			"linewidth 2.2 pointscale 2.2 background '#ffffff'\n",
			WIDTH * 22 / 10, height_of(chart) * 22 / 10);
	else
		fprintf(out, "set terminal png size %u,%u noenhanced background '#ffffff'\n", WIDTH,
			height_of(chart));
	fputs("set output ", out);
	put_quoted(name, out);
	fputs(".'.png'\n", out);
}

static void write_script(const struct chart *chart, const struct terminals *terminals,
			 const char *name, FILE *out)
{
	char data[300];

	snprintf(data, sizeof(data), "%s.dat", name);
	fprintf(out, "# Draws %s again: gnuplot %s.gp\nreset\nset encoding utf8\n", name, name);
	put_looks(out);
	put_labels(chart, out);
	axis_write(&chart->rate, 'x', out);
	axis_write(&chart->latency, 'y', out);
	put_one_ms(chart, out);
	put_svg(chart, terminals, name, out);
	if (!terminals->svg)
		put_png(chart, terminals, name, out);
	if (!put_plot(chart, data, out))
		put_no_data(out);
	if (terminals->svg && (terminals->png || terminals->pngcairo)) {
		put_png(chart, terminals, name, out);
		fputs("replot\n", out);
	}
	fputs("unset output\n", out);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* A row as a file name: letters, digits, dot, dash, underscore; never empty, never hidden. */
static void plain_name(const char *text, char *name, size_t room)
{
	size_t used = 0;
	bool plain;

	for (; *text && used + 1 < room; text++) {
		plain = isalnum((unsigned char)*text) || strchr("-_", *text) ||
			(*text == '.' && used);
		name[used++] = plain ? *text : '_';
	}
	if (!used)
		name[used++] = '_';
	name[used] = '\0';
}

static void base_name(const struct ranking *ranking, char *name)
{
	char row[120];

	plain_name(ranking->row, row, sizeof(row));
	snprintf(name, 256, "%s", row);
}

/* Rows of several protocols, and rows that look alike as file names, get a number. */
static void file_name(const struct ranking *rankings, size_t index, char *name)
{
	char plain[256], other[256];
	unsigned number = 1;
	size_t i;

	base_name(&rankings[index], plain);
	for (i = 0; i < index; i++) {
		base_name(&rankings[i], other);
		number += !strcmp(plain, other);
	}
	if (number == 1)
		snprintf(name, 256, "%s", plain);
	else
		snprintf(name, 256, "%.200s.%u", plain, number);
}

static int write_file(const char *folder, const char *name, const char *ending, const char *text,
		      size_t bytes, struct error *err)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending) >= (int)sizeof(path))
		return error_set(err, "%s: the folder's name is too long", folder);
	return file_write_atomic(path, text, bytes, err);
}

typedef void write_part(const struct chart *, const struct terminals *, const char *, FILE *);

static void write_data_part(const struct chart *chart, const struct terminals *terminals,
			    const char *name, FILE *out)
{
	(void)terminals;
	(void)name;
	write_data(chart, out);
}

static int write_part_file(const struct chart *chart, const struct terminals *terminals,
			   const char *folder, const char *name, const char *ending,
			   write_part *part, struct error *err)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	int status;

	if (!out)
		return error_set(err, "not enough memory for a chart");
	part(chart, terminals, name, out);
	if (fclose(out))
		status = error_set(err, "not enough memory for a chart");
	else
		status = write_file(folder, name, ending, text, bytes, err);
	free(text);
	return status;
}

int chart_write(const struct ranking *rankings, size_t index, const struct palette *palette,
		const struct terminals *terminals, const char *folder, char *name,
		struct error *err)
{
	struct chart chart = {.ranking = &rankings[index], .palette = palette};

	find_ranges(&chart);
	file_name(rankings, index, name);
	if (write_part_file(&chart, terminals, folder, name, ".dat", write_data_part, err))
		return -1;
	return write_part_file(&chart, terminals, folder, name, ".gp", write_script, err);
}
