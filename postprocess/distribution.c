/* SPDX-License-Identifier: GPL-2.0-only */
/* Curves of percentiles, with all drives of a row in one chart. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/histogram.h"
#include "postprocess/chart_internal.h"
#include "postprocess/distribution.h"
#include "postprocess/enterprise_internal.h"
#include "postprocess/plot.h"
#include "postprocess/point.h"
#include "postprocess/timeline.h"

#define FIRST_NINES 0.30103 /* p50 */
#define LAST_NINES  5.0	    /* p99.999 */

/* ---- one point ------------------------------------------------------------------------------- */

static void add_file(const char *path, struct histogram *response)
{
	json_t *root = json_load_file(path, 0, NULL);
	const json_t *interval;
	size_t i;

	json_array_foreach(json_object_get(root, "intervals"), i, interval)
		stats_add_interval(interval, response);
	json_decref(root);
}

static void make_tail(const struct histogram *response, struct tail *tail)
{
	double step = (LAST_NINES - FIRST_NINES) / (TAIL_POINTS - 1);
	size_t i;

	tail->count = 0;
	for (i = 0; i < TAIL_POINTS; i++) {
		double at = pow(10, FIRST_NINES + (double)i * step);

		if (at > (double)response->count)
			break;
		tail->points[tail->count++] = (struct tail_point){
			at, (double)histogram_percentile_ns(response, 1 - 1 / at) / 1000};
	}
}

bool tail_read(const char *stats_path, struct tail *tail)
{
	struct histogram *response = calloc(1, sizeof(*response));
	char(*paths)[512] = calloc(MAX_STATS_FILES, sizeof(*paths));
	size_t count = paths && stats_path[0] ? clone_paths(stats_path, paths, MAX_STATS_FILES) : 0;
	size_t i;

	tail->count = 0;
	for (i = 0; response && i < count; i++)
		add_file(paths[i], response);
	if (response)
		make_tail(response, tail);
	free(response);
	free(paths);
	return tail->count > 0;
}

/* ---- one chart ------------------------------------------------------------------------------- */

/* What the charts of one call share. */
struct tails {
	const struct palette *palette;
	const struct terminals *terminals;
	const char *folder;
};

static void add_tail(struct plot *plot, const struct tails *tails, const char *stats_path,
		     const char *drive, const char *title, enum plot_style style)
{
	struct plot_series *series;
	struct tail tail;
	size_t shape, i;
	const char *colour = palette_colour(tails->palette, drive, &shape);

	if (!tail_read(stats_path, &tail))
		return;
	series = plot_add_series(plot, style, title, colour, shape);
	for (i = 0; i < tail.count; i++)
		plot_add_point(plot, series, tail.points[i].at, tail.points[i].us);
}

static void finish_axes(struct plot *plot, const char *protocol)
{
	static const char *const names[] = {"p50", "p90", "p99", "p99.9", "p99.99", "p99.999"};
	size_t i;

	axis_finish_latency(&plot->y);
	snprintf(plot->y_label, sizeof(plot->y_label), "Response time, lat (%s%s)", plot->y.unit,
		 plot->y.logarithmic ? ", logarithmic" : "");
	snprintf(plot->x_label, sizeof(plot->x_label), "Percentile of the I/Os%s%.60s",
		 protocol[0] ? ", " : "", protocol);
	plot->x.divisor = 1;
	plot->x.logarithmic = true;
	plot->x.from = 2;
	plot->x.to = 1e5;
	for (i = 0; i < COUNT(names); i++)
		plot_add_tic(plot, i ? pow(10, (double)i) : 2, names[i]);
}

void distribution_name(const char *row, const char *protocol, char *name, size_t room)
{
	char base[200];

	chart_base_name(row, protocol, base, sizeof(base));
	snprintf(name, room, "%s.distribution", base);
}

/* How many were drawn, 0 or 1; -1 with err. */
static int finish(struct plot *plot, const struct tails *tails, const char *protocol,
		  struct error *err)
{
	bool has_points = plot_has_points(plot);
	int status = 0;

	if (has_points || plot->is_short) {
		finish_axes(plot, protocol);
		status = plot_draw(plot, tails->terminals, tails->folder, err);
	}
	plot_free(plot);
	return status ? -1 : has_points;
}

/*
 * The fastest point that keeps up with what is offered: at a saturated one response times grow with
 * the length of the run, and tell nothing of the drive.
 */
static const struct point *fastest_valid(const struct entry *entry)
{
	const struct point *fastest = NULL;
	size_t i;

	for (i = 0; i < entry->step_count; i++) {
		const struct point *point = &entry->steps[i].point;

		if (point->verdict == POINT_VALID && (!fastest || point->iops > fastest->iops))
			fastest = point;
	}
	return fastest ? fastest : shown_point(entry);
}

static int draw_ranking(const struct tails *tails, const struct ranking *ranking, struct error *err)
{
	char name[256], row[192], label[256];
	struct plot plot;
	size_t i;

	distribution_name(ranking->row, ranking->protocol, name, sizeof(name));
	plot_begin(&plot, name);
	row_title(ranking->row, row, sizeof(row));
	snprintf(plot.title, sizeof(plot.title), "%s: response times before saturation", row);
	for (i = 0; i < ranking->count; i++) {
		const struct point *point = fastest_valid(&ranking->entries[i]);

		if (!point || !point->stats_path[0])
			continue;
		shown_label(&ranking->entries[i], point, label, sizeof(label));
		add_tail(&plot, tails, point->stats_path, ranking->entries[i].result->drive, label,
			 PLOT_LINE);
	}
	return finish(&plot, tails, ranking->protocol, err);
}

/* Of a main test reads are solid and writes dashed; of a ladder the last step is shown. */
static void add_ladder(struct plot *plot, const struct tails *tails, const struct ladder *ladder)
{
	static const char *const words[IO_KINDS] = {", read", ", write", ""};
	const struct ladder_step *step = &ladder->steps[ladder->count - 1];
	char label[256];
	int kind;

	for (kind = 0; kind < IO_KINDS; kind++) {
		const struct point *point = step->points[kind];

		if (!point || !point_counts(point))
			continue;
		snprintf(label, sizeof(label), "%.120s%s%s", ladder->result->drive,
			 point->simulated ? ", simulated" : "", words[kind]);
		add_tail(plot, tails, point->stats_path, ladder->result->drive, label,
			 kind == IO_WRITE ? PLOT_DASHED : PLOT_LINE);
	}
}

static int draw_ladder(const struct tails *tails, const struct ladder_ranking *ranking,
		       struct error *err)
{
	const struct ladder *longest = ladder_longest(ranking);
	char name[256];
	struct plot plot;
	size_t i;

	distribution_name(ranking->row, ranking->protocol, name, sizeof(name));
	plot_begin(&plot, name);
	snprintf(plot.title, sizeof(plot.title), "%.180s: response times%s%s", ranking->title,
		 longest->count > 1 ? " at " : "",
		 longest->count > 1 ? longest->steps[longest->count - 1].name : "");
	for (i = 0; i < ranking->count; i++)
		if (ranking->ladders[i].count)
			add_ladder(&plot, tails, &ranking->ladders[i]);
	return finish(&plot, tails, ranking->protocol, err);
}

int distributions_make(const struct ranking *rankings, size_t ranking_count,
		       const struct enterprise *enterprise, const struct palette *palette,
		       const char *folder, bool *drawn, struct error *err)
{
	struct terminals terminals;
	struct tails tails = {palette, &terminals, folder};
	size_t count = ranking_count + enterprise->ladder_count, i;
	int total = 0, one;

	if (!count)
		return 0;
	if (terminals_probe(&terminals, err) || folder_make(folder, err))
		return -1;
	for (i = 0; i < count; i++) {
		one = i < ranking_count
			      ? draw_ranking(&tails, &rankings[i], err)
			      : draw_ladder(&tails, &enterprise->ladders[i - ranking_count], err);
		if (one < 0)
			return -1;
		total += one;
		if (drawn)
			drawn[i] = one;
	}
	return total;
}
