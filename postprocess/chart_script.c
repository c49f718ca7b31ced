/* SPDX-License-Identifier: GPL-2.0-only */
/* What gnuplot is told about one chart. */
#include <stdio.h>
#include <string.h>

#include "postprocess/chart_internal.h"
#include "postprocess/paper.h"

#define SHAPE_CROSS   2
#define SHAPE_DIAMOND 12

static const char *mark_word(const struct entry *entry)
{
	if (entry->result->kind == RESULT_PUBLISHED)
		return ", published peak";
	return !strcmp(entry_origin(entry), "simulated") ? ", simulated" : "";
}

static void put_title_of(const struct entry *entry, FILE *out)
{
	char title[512], did[128];

	entry_drive_marks(entry, did, sizeof(did));
	snprintf(title, sizeof(title), "%s%s%s%s%s", entry->result->drive, mark_word(entry),
		 entry_is_stand_in(entry) ? ", stand-in" : "", did[0] ? ", " : "", did);
	paper_quoted(title, out);
}

static void put_series(const struct chart *chart, size_t i, const char *data, FILE *out)
{
	const struct entry *entry = &chart->ranking->entries[i];
	bool published = entry->result->kind == RESULT_PUBLISHED;
	size_t index;
	const char *colour = palette_colour(chart->palette, entry->result->drive, &index);

	paper_quoted(data, out);
	fprintf(out, " index %zu using 1:2 with %s lc rgb '%s' lw %s pt %d ps %s title ",
		chart_block(chart, i, true),
		published || chart_count_points(chart, entry, true) == 1 ? "points" : "linespoints",
		colour, published ? "2.5" : "2.2", published ? SHAPE_DIAMOND : paper_shape(index),
		published ? "1.4" : "0.8");
	put_title_of(entry, out);
}

/* A drive that has no other mark in the chart stands in the legend with its crosses. */
static void put_left_out(const struct chart *chart, size_t i, const char *data, FILE *out)
{
	const struct entry *entry = &chart->ranking->entries[i];
	bool alone = !chart_count_points(chart, entry, true);
	size_t index;

	paper_quoted(data, out);
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
	paper_label("title", title, out);
}

static void put_labels(const struct chart *chart, FILE *out)
{
	char label[160];

	put_title(chart, out);
	snprintf(label, sizeof(label), "Achieved %s (%s), %.60s",
		 chart->ranking->by_bytes ? "bandwidth" : "rate", chart->rate.unit,
		 chart->ranking->protocol[0] ? chart->ranking->protocol : "own job file");
	paper_label("xlabel", label, out);
	snprintf(label, sizeof(label), "Mean %s (%s%s)",
		 chart->ranking->metric == METRIC_LAT ? "response time, lat" : "latency, clat",
		 chart->latency.unit, chart->latency.logarithmic ? ", logarithmic" : "");
	paper_label("ylabel", label, out);
}

void chart_write_script(const void *of, FILE *out)
{
	const struct chart *chart = of;
	struct paper paper = {chart->terminals, chart->name,
			      paper_height(chart->ranking->count + 1)};
	char data[300];

	snprintf(data, sizeof(data), "%s.dat", chart->name);
	paper_begin(&paper, out);
	put_labels(chart, out);
	axis_write(&chart->rate, 'x', out);
	axis_write(&chart->latency, 'y', out);
	put_one_ms(chart, out);
	paper_first(&paper, out);
	if (!put_plot(chart, data, out))
		paper_no_data(out);
	paper_end(&paper, out);
}
