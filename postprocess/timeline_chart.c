/* SPDX-License-Identifier: GPL-2.0-only */
/* The charts of one row over time: IOPS, response time, lateness, temperature, from one data file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/chart_internal.h"
#include "postprocess/paper.h"
#include "postprocess/timeline.h"

#define SHORTEST_LINE 40 /* up to so many moments are marked by points, too */
#define LONG_WORDS    40 /* a longer word of the legend takes a line of its own */
#define LEAST_LATE_US 1.0

/* Columns of the data file. */
enum { TIME = 1, IOPS, MEAN, P99, LATE_MEAN, LATE_P99, TEMPERATURE, COLUMNS };

static const struct {
	const char *suffix, *title;
	int mean, p99; /* columns; p99 0: there is none */
} kinds[OVER_TIME_CHARTS] = {{"iops-over-time", "IOPS", IOPS, 0},
			     {"latency-over-time", "response time", MEAN, P99},
			     {"lateness-over-time", "lateness", LATE_MEAN, LATE_P99},
			     {"temperature-over-time", "temperature", TEMPERATURE, 0}};

/* One chart while it is written. */
struct sheet {
	const struct over_time *over_time;
	const struct palette *palette;
	enum over_time_chart kind;
	struct axis time, value;
	bool on_time;	/* something is drawn as LEAST_LATE_US that was less late */
	char data[300]; /* the data file's name */
};

/* ---- data ------------------------------------------------------------------------------------ */

/* On a logarithmic axis there is no 0: what is on time is drawn as 1 us late. */
static double late(double us)
{
	return us < LEAST_LATE_US ? LEAST_LATE_US : us;
}

static void column_values(const struct moment *moment, double *values)
{
	values[TIME] = moment->start_s + moment->length_s / 2;
	values[IOPS] = moment->iops;
	values[MEAN] = moment->mean_us;
	values[P99] = moment->p99_us;
	values[LATE_MEAN] = late(moment->late_mean_us);
	values[LATE_P99] = late(moment->late_p99_us);
	values[TEMPERATURE] = moment->temperature_c;
}

static void put_moment(const struct moment *moment, FILE *out)
{
	double values[COLUMNS];
	int column;

	column_values(moment, values);
	for (column = TIME; column < COLUMNS; column++) {
		if (isnan(values[column]))
			fputs("NaN", out);
		else
			fprintf(out, "%.10g", values[column]);
		fputc(column == COLUMNS - 1 ? '\n' : ' ', out);
	}
}

static void put_data(const struct over_time *over_time, FILE *out)
{
	size_t i, j;

	fputs("# middle of the interval (s)   IOPS   response time: mean, p99 (us)   lateness: "
	      "mean, p99 (us)   temperature (C)\n\n\n",
	      out);
	for (i = 0; i < over_time->count; i++) {
		const struct timeline *timeline = &over_time->lines[i];

		fprintf(out, "# %s\n", timeline->label);
		for (j = 0; j < timeline->count; j++)
			put_moment(&timeline->moments[j], out);
		if (!timeline->count)
			fputs("NaN NaN NaN NaN NaN NaN NaN\n", out);
		fputs("\n\n", out);
	}
}

/* ---- script ---------------------------------------------------------------------------------- */

static bool is_drawn(const struct sheet *sheet, const struct timeline *timeline)
{
	return timeline->count && (sheet->kind != OVER_TIME_LATENESS || timeline->has_lateness) &&
	       (sheet->kind != OVER_TIME_TEMPERATURE || timeline->has_temperature);
}

static void include_moment(struct sheet *sheet, const struct moment *moment)
{
	double values[COLUMNS];

	column_values(moment, values);
	sheet->on_time |= sheet->kind == OVER_TIME_LATENESS && moment->late_mean_us < LEAST_LATE_US;
	axis_include(&sheet->time, moment->start_s + moment->length_s);
	axis_include(&sheet->value, values[kinds[sheet->kind].mean]);
	if (kinds[sheet->kind].p99)
		axis_include(&sheet->value, values[kinds[sheet->kind].p99]);
}

static void find_ranges(struct sheet *sheet)
{
	size_t i, j;

	sheet->on_time = false;
	sheet->time = sheet->value = (struct axis){.lowest = INFINITY};
	for (i = 0; i < sheet->over_time->count; i++) {
		const struct timeline *timeline = &sheet->over_time->lines[i];

		for (j = 0; is_drawn(sheet, timeline) && j < timeline->count; j++)
			include_moment(sheet, &timeline->moments[j]);
	}
	axis_finish_time(&sheet->time);
	if (sheet->kind == OVER_TIME_IOPS)
		axis_finish_rate(&sheet->value, false);
	else if (sheet->kind == OVER_TIME_TEMPERATURE)
		axis_finish_temperature(&sheet->value);
	else
		axis_finish_latency(&sheet->value);
}

static void put_labels(const struct sheet *sheet, FILE *out)
{
	const struct over_time *over_time = sheet->over_time;
	const char *scale = sheet->value.logarithmic ? ", logarithmic" : "";
	char row[192], label[512];

	row_title(over_time->row, row, sizeof(row));
	snprintf(label, sizeof(label), "%s: %s over time", row, kinds[sheet->kind].title);
	paper_label("title", label, out);
	snprintf(label, sizeof(label), "Time (%s)%s%.60s", sheet->time.unit,
		 over_time->protocol[0] ? ", " : "", over_time->protocol);
	paper_label("xlabel", label, out);
	if (sheet->kind == OVER_TIME_IOPS)
		snprintf(label, sizeof(label), "Achieved rate (IOPS)");
	else if (sheet->kind == OVER_TIME_LATENCY)
		snprintf(label, sizeof(label), "Response time, lat (%s%s)", sheet->value.unit,
			 scale);
	else if (sheet->kind == OVER_TIME_TEMPERATURE)
		snprintf(label, sizeof(label), "Temperature of the drive (C)");
	else
		snprintf(label, sizeof(label), "Lateness (%s%s%s)", sheet->value.unit, scale,
			 sheet->on_time ? ", at least 1 us" : "");
	paper_label("ylabel", label, out);
}

static void put_line(const struct sheet *sheet, size_t i, int column, FILE *out)
{
	const struct timeline *timeline = &sheet->over_time->lines[i];
	bool is_p99 = column == kinds[sheet->kind].p99;
	size_t index;
	const char *colour = palette_colour(sheet->palette, timeline->drive, &index);

	paper_quoted(sheet->data, out);
	fprintf(out, " index %zu using ($1/%g):($%d/%g) with %s lc rgb '%s' lw %s", i,
		sheet->time.divisor, column, sheet->value.divisor,
		timeline->count == 1		   ? "points"
		: is_p99			   ? "lines"
		: timeline->count <= SHORTEST_LINE ? "linespoints"
						   : "lines",
		colour, is_p99 ? "1.4" : "2.2");
	if (timeline->count == 1)
		fprintf(out, " pt %d ps 1.1 ", is_p99 ? 2 : paper_shape(index));
	else if (is_p99)
		fputs(" dt (8,5) ", out);
	else
		fprintf(out, " pt %d ps 0.6 ", paper_shape(index));
	fputs(is_p99 ? "notitle" : "title ", out);
	if (!is_p99)
		paper_quoted(timeline->label, out);
}

/* A run of which the statistics do not tell still stands in the legend. */
static void put_absent(const struct sheet *sheet, size_t i, FILE *out)
{
	const struct timeline *timeline = &sheet->over_time->lines[i];
	char title[300];
	size_t index;

	snprintf(title, sizeof(title), "%s: not recorded", timeline->label);
	fprintf(out, "NaN with lines lc rgb '%s' lw 2.2 title ",
		palette_colour(sheet->palette, timeline->drive, &index));
	paper_quoted(title, out);
}

static const char *put_one(const struct sheet *sheet, size_t i, const char *before, FILE *out)
{
	fputs(before, out);
	before = ", \\\n     ";
	if (!is_drawn(sheet, &sheet->over_time->lines[i])) {
		put_absent(sheet, i, out);
		return before;
	}
	put_line(sheet, i, kinds[sheet->kind].mean, out);
	if (!kinds[sheet->kind].p99)
		return before;
	fputs(before, out);
	put_line(sheet, i, kinds[sheet->kind].p99, out);
	return before;
}

/* What solid and dashed lines are, in no drive's colour. */
static void put_key(bool as_points, FILE *out)
{
	if (as_points)
		fputs(", \\\n     NaN with points lc rgb '" CHART_LINE
		      "' pt 2 ps 1.1 title 'p99, the other points: mean'\n",
		      out);
	else
		fputs(", \\\n     NaN with lines lc rgb '" CHART_LINE
		      "' lw 1.4 dt (8,5) title 'dashed: p99 of an interval, solid: its mean'\n",
		      out);
}

static void put_plot(const struct sheet *sheet, FILE *out)
{
	const char *before = "plot ";
	bool drawn = false, as_points = true;
	size_t i;

	for (i = 0; i < sheet->over_time->count; i++) {
		drawn |= is_drawn(sheet, &sheet->over_time->lines[i]);
		as_points &= sheet->over_time->lines[i].count <= 1;
	}
	if (!drawn) {
		paper_blank("not recorded", out);
		return;
	}
	for (i = 0; i < sheet->over_time->count; i++)
		before = put_one(sheet, i, before, out);
	if (kinds[sheet->kind].p99)
		put_key(as_points, out);
	else
		fputc('\n', out);
}

static size_t legend_words(const struct sheet *sheet)
{
	size_t i, words = kinds[sheet->kind].p99 ? 2 : 0;

	for (i = 0; i < sheet->over_time->count; i++)
		words += strlen(sheet->over_time->lines[i].label) > LONG_WORDS ? 2 : 1;
	return words;
}

static void put_script(const struct sheet *sheet, const char *name,
		       const struct terminals *terminals, FILE *out)
{
	struct paper paper = {terminals, name, paper_height(legend_words(sheet))};

	paper_begin(&paper, out);
	put_labels(sheet, out);
	axis_write(&sheet->time, 'x', out);
	axis_write(&sheet->value, 'y', out);
	paper_first(&paper, out);
	put_plot(sheet, out);
	paper_end(&paper, out);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Closes a memory stream and writes what it holds. */
static int write_stream(FILE *out, char **text, size_t *bytes, const char *folder, const char *name,
			const char *ending, struct error *err)
{
	int status;

	if (!out || fclose(out))
		status = error_set(err, "not enough memory for a chart");
	else
		status = chart_write_file(folder, name, ending, *text, *bytes, err);
	free(*text);
	return status;
}

static int write_data(const struct over_time *over_time, const char *folder, const char *name,
		      struct error *err)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (out)
		put_data(over_time, out);
	return write_stream(out, &text, &bytes, folder, name, ".dat", err);
}

static int draw_sheet(struct sheet *sheet, const struct terminals *terminals, const char *folder,
		      const char *name, struct error *err)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	find_ranges(sheet);
	if (out)
		put_script(sheet, name, terminals, out);
	if (write_stream(out, &text, &bytes, folder, name, ".gp", err))
		return -1;
	return chart_draw(folder, name, err);
}

size_t over_time_charts(const struct over_time *over_time)
{
	size_t i;

	for (i = 0; i < over_time->count; i++)
		if (over_time->lines[i].has_temperature)
			return OVER_TIME_CHARTS;
	return OVER_TIME_TEMPERATURE;
}

int over_time_draw(const struct over_time *over_time, const struct palette *palette,
		   const struct terminals *terminals, const char *folder,
		   struct over_time_names *names, struct error *err)
{
	struct sheet sheet = {.over_time = over_time, .palette = palette};
	char base[200], name[256];

	chart_base_name(over_time->row, over_time->protocol, base, sizeof(base));
	snprintf(name, sizeof(name), "%s.over-time", base);
	snprintf(sheet.data, sizeof(sheet.data), "%s.dat", name);
	if (write_data(over_time, folder, name, err))
		return -1;
	for (sheet.kind = OVER_TIME_IOPS; sheet.kind < over_time_charts(over_time); sheet.kind++) {
		snprintf(name, sizeof(name), "%s.%s", base, kinds[sheet.kind].suffix);
		if (draw_sheet(&sheet, terminals, folder, name, err))
			return -1;
		if (names)
			snprintf(names->names[sheet.kind], sizeof(names->names[0]), "%s", name);
	}
	return 0;
}
