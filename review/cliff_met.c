/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Did speed fall for good while a row that writes was measured? Only what was written as fast as
 * the drive took it can tell: the max run and the saturated steps, in the order they were run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "engines/qlc/qlc.h"
#include "postprocess/postprocess.h"
#include "postprocess/timeline.h"
#include "review/review.h"

/*
 * The finder wants windows of about this length: an interval of a second counts as so many, all of
 * one speed. A change is then seen when it lasts ten seconds, after five on the level before.
 */
#define WINDOW_S      0.05
#define LEAST_SECONDS 15

/* What a row wrote at full speed. */
struct full_speed {
	struct cliff_finder *finder;
	double seconds, block_bytes; /* of an I/O: what is written of it */
	double write_share;
};

/* ---- feeding the finder --------------------------------------------------------------------- */

static bool is_full_speed(const struct point *point)
{
	return point->verdict == POINT_SATURATED ||
	       (point->verdict == POINT_VALID && !strcmp(point->name, "max"));
}

static void add_moment(struct full_speed *full, const struct moment *moment)
{
	struct cliff_window window = {
		.bytes = (uint64_t)(moment->iops * full->block_bytes * WINDOW_S),
		.duration_ns = (uint64_t)(WINDOW_S * 1e9)};
	unsigned windows = (unsigned)(moment->length_s / WINDOW_S), i;

	for (i = 0; i < windows && window.bytes; i++)
		cliff_finder_add(full->finder, &window);
	full->seconds += moment->length_s;
}

static void add_point(struct full_speed *full, const struct point *point)
{
	struct timeline timeline;
	size_t i;

	if (!is_full_speed(point) || timeline_read(point->stats_path, &timeline, NULL))
		return;
	full->block_bytes = point->block_bytes * full->write_share;
	for (i = 0; i < timeline.count; i++)
		add_moment(full, &timeline.moments[i]);
	timeline_free(&timeline);
}

/* ---- saying it ------------------------------------------------------------------------------ */

static void say_fall(const char *row, const struct cliff_verdict *verdict, FILE *out)
{
	char at[NUMBER_ROOM], before[NUMBER_ROOM], after[NUMBER_ROOM];

	if (verdict->shape == CLIFF_FOUND)
		fprintf(out,
			"%s met a cliff after %s at full speed: %s before it, %s after. Its points "
			"are of two states of the drive.\n",
			row, number_bytes((double)verdict->cliff->at.bytes, at),
			number_mbps(verdict->cliff->before, before),
			number_mbps(verdict->cliff->after, after));
	else
		fprintf(out, "%s: speed fell and came back while it was measured at full speed.\n",
			row);
}

/* asks: the cache is known, so that "none" and "not known" are news too. */
static void say_row(const char *row, const struct full_speed *full, bool asks, FILE *out)
{
	struct cliff_verdict verdict;

	cliff_judge(full->finder, &verdict);
	if (verdict.shape != CLIFF_NONE)
		say_fall(row, &verdict, out);
	else if (asks && full->seconds < LEAST_SECONDS)
		fprintf(out,
			"%s: %.3g s at full speed are too short to tell whether a cliff was met.\n",
			row, full->seconds);
	else if (asks)
		fprintf(out, "%s: no cliff was met in %.0f s at full speed.\n", row, full->seconds);
}

/* Repeats were run one after the other, each from its max run on. */
static void judge_row(const struct plan_row *row, const struct curve *curve,
		      const struct plan *plan, FILE *out)
{
	struct full_speed full = {.finder = cliff_finder_new(), .write_share = row->mix_writes};
	unsigned repeat;
	size_t i;

	if (!full.finder)
		return;
	for (repeat = 1; repeat <= plan->options->repeat; repeat++)
		for (i = 0; i < curve->count; i++)
			if (curve->points[i].repeat == repeat)
				add_point(&full, &curve->points[i]);
	say_row(row->row->name, &full, plan->cache.from[0], out);
	cliff_finder_free(full.finder);
}

void cliff_met_print(const struct plan *plan, const char *folder, FILE *out)
{
	struct result *result;
	unsigned i;

	if (!profile_has_curves(plan->profile) || result_load(folder, &result, NULL))
		return;
	for (i = 0; i < plan->row_count; i++) {
		const struct plan_row *row = &plan->rows[i];
		const struct curve *curve = result_find_curve(result, row->row->name);

		if (!row->writes || row->row->steps != STEPS_CURVE || !curve)
			continue;
		if (!row->replays)
			judge_row(row, curve, plan, out);
		else if (plan->cache.from[0])
			fprintf(out,
				"%s: a trace has no even speed, so a cliff in it cannot be told.\n",
				row->row->name);
	}
	result_free(result);
}
