/* SPDX-License-Identifier: GPL-2.0-only */
/* Response time over desktops at once: a curve a drive, the promise as a line, the first to fail.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/capacity.h"
#include "postprocess/chart_internal.h"
#include "postprocess/paper.h"

/* What is drawn of a drive, a block of the data file each. */
enum part { PART_CURVE, PART_ANSWER, PART_LIMIT, PART_SPOILT, PARTS };

struct capacity_chart {
	const struct capacity_ranking *ranking;
	const struct palette *palette;
	const struct terminals *terminals;
	unsigned term;
	char name[256];
	struct axis desktops, latency;
};

/* ---- points -----------------------------------------------------------------------------------
 */

static bool is_in(const struct capacity_chart *chart, const struct capacity *entry,
		  const struct trial *trial, enum part part)
{
	if (!(trial->latency_us[chart->term] > 0) || trial != capacity_trial(entry, trial->copies))
		return false; /* not measured, or tried again */
	if (part == PART_ANSWER)
		return trial == capacity_trial(entry, entry->finding.holds);
	if (part == PART_LIMIT)
		return trial == capacity_trial(entry, entry->finding.fails);
	return (trial->outcome == TRIAL_SPOILT) == (part == PART_SPOILT);
}

static size_t count_points(const struct capacity_chart *chart, const struct capacity *entry,
			   enum part part)
{
	size_t i, count = 0;

	for (i = 0; i < entry->count; i++)
		count += is_in(chart, entry, &entry->trials[i], part);
	return count;
}

static void find_ranges(struct capacity_chart *chart)
{
	size_t i, j;

	chart->desktops = chart->latency = (struct axis){.lowest = INFINITY};
	for (i = 0; i < chart->ranking->count; i++) {
		const struct capacity *entry = &chart->ranking->entries[i];

		for (j = 0; j < entry->count; j++) {
			const struct trial *trial = &entry->trials[j];

			if (!is_in(chart, entry, trial, PART_CURVE) &&
			    !is_in(chart, entry, trial, PART_SPOILT))
				continue;
			axis_include(&chart->desktops, trial->desktops);
			axis_include(&chart->latency, trial->latency_us[chart->term]);
		}
	}
	axis_include(&chart->latency, chart->ranking->sla.terms[chart->term].limit_us);
	axis_finish_rate(&chart->desktops, false);
	axis_finish_latency(&chart->latency);
}

/* What was not reached by the end stands at the upper edge. */
static double height_of(const struct capacity_chart *chart, const struct trial *trial)
{
	return fmin(trial->latency_us[chart->term] / chart->latency.divisor, chart->latency.to);
}

/* Desktops, response time, and the number as all tables write it. */
static void put_block(const struct capacity_chart *chart, const struct capacity *entry,
		      enum part part, FILE *out)
{
	static const char *const words[PARTS] = {"all", "the most that hold", "the first to fail",
						 "spoilt by the machine"};
	char number[NUMBER_ROOM];
	size_t i;

	if (!count_points(chart, entry, part))
		return; /* gnuplot does not count empty blocks */
	fprintf(out, "# %s: %s\n", entry->result->drive, words[part]);
	for (i = 0; i < entry->count; i++) {
		const struct trial *trial = &entry->trials[i];

		if (is_in(chart, entry, trial, part))
			fprintf(out, "%u %.10g %s # %s%s\n", trial->desktops,
				height_of(chart, trial), number_whole(trial->desktops, number),
				trial_word(trial->outcome),
				isinf(trial->latency_us[chart->term]) ? ", not reached" : "");
	}
	fputs("\n\n", out);
}

static void write_data(const void *of, FILE *out)
{
	const struct capacity_chart *chart = of;
	enum part part;
	char name[32];
	size_t i;

	fprintf(out, "# desktops   %s of the response time (%s)\n\n\n",
		sla_name(&chart->ranking->sla.terms[chart->term], name, sizeof(name)),
		chart->latency.unit);
	for (i = 0; i < chart->ranking->count; i++)
		for (part = PART_CURVE; part < PARTS; part++)
			put_block(chart, &chart->ranking->entries[i], part, out);
}

/* ---- script -----------------------------------------------------------------------------------
 */

static void put_labels(const struct capacity_chart *chart, FILE *out)
{
	const struct capacity_ranking *ranking = chart->ranking;
	const struct sla_term *term = &ranking->sla.terms[chart->term];
	char text[256], row[192], name[32], time[NUMBER_ROOM];

	row_title(ranking->row, row, sizeof(row));
	snprintf(text, sizeof(text), "%.120s: response time over desktops at once", row);
	paper_label("title", text, out);
	snprintf(text, sizeof(text), "Desktops at once (begun within %s, %.60s)",
		 time_text(ranking->stagger_s * 1e6, time), ranking->protocol);
	paper_label("xlabel", text, out);
	snprintf(text, sizeof(text), "Response time, %s (%s%s)", sla_name(term, name, sizeof(name)),
		 chart->latency.unit, chart->latency.logarithmic ? ", logarithmic" : "");
	paper_label("ylabel", text, out);
}

static void put_promise(const struct capacity_chart *chart, FILE *out)
{
	const struct sla_term *term = &chart->ranking->sla.terms[chart->term];
	double at = term->limit_us / chart->latency.divisor;
	char time[NUMBER_ROOM], name[32];

	fprintf(out,
		"set arrow 1 from graph 0, first %.10g to graph 1, first %.10g nohead "
		"lc rgb '" CHART_LINE "' lw 1.2 dt (8,5) back\n"
		"set label 1 'promise: %s within %s' at graph 0.01, first %.10g left offset 0,0.55 "
		"tc rgb '" CHART_LINE "' noenhanced\n",
		at, at, sla_name(term, name, sizeof(name)), time_text(term->limit_us, time), at);
}

static void put_curve(const struct capacity *entry, const char *colour, size_t index, FILE *out)
{
	char title[256];

	fprintf(out, "with linespoints lc rgb '%s' lw 2.2 pt %d ps 0.7 title ", colour,
		paper_shape(index));
	snprintf(title, sizeof(title), "%s%s%s", entry->result->drive,
		 entry->result->simulated ? ", simulated" : "",
		 entry->stand_in ? ", stand-in" : "");
	paper_quoted(title, out);
}

static void put_part(const struct capacity_chart *chart, const struct capacity *entry,
		     enum part part, size_t block, FILE *out)
{
	size_t index;
	const char *colour = palette_colour(chart->palette, entry->result->drive, &index);

	paper_quoted(chart->name, out);
	fprintf(out, ".'.dat' index %zu using 1:2%s ", block, part == PART_ANSWER ? ":3" : "");
	if (part == PART_CURVE)
		put_curve(entry, colour, index, out);
	else if (part == PART_ANSWER)
		fprintf(out, "with labels right offset -0.8,0.7 tc rgb '%s' notitle", colour);
	else
		fprintf(out, "with points lc rgb '%s' lw 2 pt %d ps %s notitle", colour,
			part == PART_LIMIT ? 6 : 2, part == PART_LIMIT ? "1.9" : "1.1");
}

/* What the marks mean, in no drive's colour. */
static void put_keys(bool spoilt, FILE *out)
{
	fprintf(out, ", \\\n     NaN with points lc rgb '" CHART_LINE "' lw 2 pt 6 ps 1.9 "
		     "title 'first number to fail'");
	if (spoilt)
		fprintf(out, ", \\\n     NaN with points lc rgb '" CHART_LINE "' lw 2 pt 2 ps 1.1 "
			     "title 'spoilt by the machine'");
	fputc('\n', out);
}

/* False when there is not a single point. */
static bool put_plot(const struct capacity_chart *chart, FILE *out)
{
	size_t i, block = 0;
	bool spoilt = false;
	enum part part;

	for (i = 0; i < chart->ranking->count; i++)
		for (part = PART_CURVE; part < PARTS; part++) {
			const struct capacity *entry = &chart->ranking->entries[i];

			if (!count_points(chart, entry, part))
				continue;
			fputs(block ? ", \\\n     " : "plot ", out);
			put_part(chart, entry, part, block++, out);
			spoilt |= part == PART_SPOILT;
		}
	if (block)
		put_keys(spoilt, out);
	return block > 0;
}

static void write_script(const void *of, FILE *out)
{
	const struct capacity_chart *chart = of;
	struct paper paper = {chart->terminals, chart->name,
			      paper_height(chart->ranking->count + 2)};

	paper_begin(&paper, out);
	put_labels(chart, out);
	axis_write(&chart->desktops, 'x', out);
	axis_write(&chart->latency, 'y', out);
	put_promise(chart, out);
	paper_first(&paper, out);
	if (!put_plot(chart, out))
		paper_no_data(out);
	paper_end(&paper, out);
}

/* ---- files ------------------------------------------------------------------------------------
 */

/* Rankings of one row are told apart by a number. */
void capacity_chart_name(const struct capacity_ranking *list, size_t index, unsigned term,
			 char *name, size_t room)
{
	char row[120], share[32], number[16] = "";
	unsigned before = 0;
	size_t i;

	for (i = 0; i < index; i++)
		before += !strcmp(list[i].row, list[index].row);
	if (before)
		snprintf(number, sizeof(number), ".%u", before + 1);
	chart_plain_name(list[index].row, row, sizeof(row));
	snprintf(name, room, "%s.desktops-%s%s", row,
		 sla_name(&list[index].sla.terms[term], share, sizeof(share)), number);
}

static int draw(const struct capacity_ranking *list, size_t index, unsigned term,
		struct capacity_chart *chart, const char *folder, struct error *err)
{
	chart->ranking = &list[index];
	chart->term = term;
	capacity_chart_name(list, index, term, chart->name, sizeof(chart->name));
	find_ranges(chart);
	if (chart_write_part(chart, write_data, folder, chart->name, ".dat", err) ||
	    chart_write_part(chart, write_script, folder, chart->name, ".gp", err))
		return -1;
	return chart_draw(folder, chart->name, err);
}

int capacity_charts_make(const struct capacity_ranking *list, size_t count,
			 const struct palette *palette, const char *folder, struct error *err)
{
	struct terminals terminals;
	struct capacity_chart chart = {.palette = palette, .terminals = &terminals};
	unsigned term;
	int drawn = 0;
	size_t i;

	if (!count)
		return 0;
	if (terminals_probe(&terminals, err) || folder_make(folder, err))
		return -1;
	for (i = 0; i < count; i++)
		for (term = 0; term < list[i].sla.count; term++, drawn++)
			if (draw(list, i, term, &chart, folder, err))
				return -1;
	return drawn;
}
