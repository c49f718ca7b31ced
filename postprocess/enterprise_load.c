/* SPDX-License-Identifier: GPL-2.0-only */
/* Which preconditioning runs and ladders stand side by side, and in which order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/enterprise_internal.h"
#include "postprocess/grow.h"
#include "postprocess/json_reader.h"

#define MINUTES_ROW "by-minutes" /* what --row calls runs that no review made */

/* ---- marks ----------------------------------------------------------------------------------- */

void enterprise_mark(const struct result *result, char *marks, size_t room)
{
	if (result->kind == RESULT_PUBLISHED) {
		snprintf(marks, room, "published");
		return;
	}
	snprintf(marks, room, "%s", result->simulated ? "simulated" : "measured");
	if (result->simulated && result->scale > 1)
		text_append(marks, room, ", scale %u", result->scale);
	if (result->quick)
		text_append(marks, room, ", quick");
}

static void mark_run(struct precondition *run)
{
	size_t gaps = run->findings.gap_count, i;

	enterprise_mark(run->result, run->marks, sizeof(run->marks));
	if (run->result->kind == RESULT_PUBLISHED)
		return;
	if (run->round_count && !run->verdict[0])
		text_append(run->marks, sizeof(run->marks), ", still at work");
	else if (run->round_count && !run->window.steady && !run->window.invalid)
		text_append(run->marks, sizeof(run->marks), ", not steady");
	else if (isnan(run->findings.steady[MINUTE_IOPS]))
		text_append(run->marks, sizeof(run->marks), ", no steady level");
	if (run->invalid_rounds)
		text_append(run->marks, sizeof(run->marks), ", invalid: %zu of %zu rounds",
			    run->invalid_rounds, run->round_count);
	for (i = 0; i < DRIVE_MARKS; i++)
		if (run->marked_rounds[i])
			text_append(run->marks, sizeof(run->marks), ", %s in %zu of %zu rounds",
				    drive_marks[i].shown, run->marked_rounds[i], run->round_count);
	if (gaps)
		text_append(run->marks, sizeof(run->marks), ", %zu gap%s", gaps,
			    gaps == 1 ? "" : "s");
}

/* ---- runs ------------------------------------------------------------------------------------ */

static struct precondition_ranking *find_runs(struct enterprise *enterprise, const char *row,
					      const char *protocol)
{
	struct precondition_ranking *larger;
	size_t i;

	for (i = 0; i < enterprise->precondition_count; i++)
		if (!strcmp(enterprise->preconditions[i].row, row) &&
		    !strcmp(enterprise->preconditions[i].protocol, protocol))
			return &enterprise->preconditions[i];
	larger = list_grow(enterprise->preconditions, enterprise->precondition_count,
			   sizeof(*larger));
	if (!larger)
		return NULL;
	enterprise->preconditions = larger;
	larger += enterprise->precondition_count++;
	*larger = (struct precondition_ranking){.count = 0};
	snprintf(larger->row, sizeof(larger->row), "%s", row);
	snprintf(larger->protocol, sizeof(larger->protocol), "%s", protocol);
	return larger;
}

static int keep_run(struct precondition_ranking *ranking, struct precondition *run)
{
	struct precondition *larger =
		ranking ? list_grow(ranking->runs, ranking->count, sizeof(*larger)) : NULL;

	if (!larger) {
		precondition_free(run);
		return -1;
	}
	ranking->runs = larger;
	larger[ranking->count++] = *run;
	return 0;
}

static int add_run(struct enterprise *enterprise, const struct result *result, const char *row,
		   struct precondition *run)
{
	run->result = result;
	snprintf(run->row, sizeof(run->row), "%s", row);
	mark_run(run);
	return keep_run(find_runs(enterprise, row, result->protocol), run);
}

/* Names of charts tell them apart. */
static unsigned count_twins(const struct enterprise *enterprise, const struct load_list *list)
{
	unsigned twins = 0;
	size_t i;

	for (i = 0; i < enterprise->load_count; i++)
		twins += !strcmp(enterprise->loads[i].row, list->row) &&
			 !strcmp(enterprise->loads[i].result->protocol, list->result->protocol) &&
			 !strcmp(enterprise->loads[i].result->drive, list->result->drive);
	return twins;
}

/* Rows of several loads, and sequences; others leave an empty list, which is not kept. */
static int add_loads(struct enterprise *enterprise, struct result *result,
		     const struct curve *curve, bool *is_sequence)
{
	struct load_list list, *larger;
	struct error err;

	*is_sequence = false;
	if (loads_read(curve->rounds_path, &list, &err))
		return 0; /* the reader of rounds says it */
	*is_sequence = list.is_sequence;
	if (!list.count) {
		loads_free(&list);
		return 0;
	}
	list.result = result;
	snprintf(list.row, sizeof(list.row), "%s", curve->row);
	list.twins = count_twins(enterprise, &list);
	enterprise_mark(result, list.marks, sizeof(list.marks));
	larger = list_grow(enterprise->loads, enterprise->load_count, sizeof(*larger));
	if (!larger) {
		loads_free(&list);
		return -1;
	}
	enterprise->loads = larger;
	larger[enterprise->load_count++] = list;
	return 0;
}

/* A file that cannot be read is a warning of its result; the others go on. */
static int add_rounds(struct enterprise *enterprise, struct result *result,
		      const struct curve *curve)
{
	struct precondition run;
	struct error err;
	bool is_sequence;

	if (!curve->rounds_path[0])
		return 0;
	if (add_loads(enterprise, result, curve, &is_sequence))
		return -1;
	if (is_sequence) /* judged by nothing */
		return 0;
	if (precondition_read(curve->rounds_path, &run, &err)) {
		result_warn(result, "%s", err.text);
		return 0;
	}
	return add_run(enterprise, result, curve->row, &run);
}

/* Named by its files: "a/p3700_clat.1.log" and "a/p3700.stats.1.json" are of "p3700". */
int result_read_minutes(const char *path, struct result *result, struct error *err)
{
	struct statistics_head head;
	char base[512];
	const char *name, *ending;

	is_by_minutes(path, base, sizeof(base));
	name = strrchr(base, '/') ? strrchr(base, '/') + 1 : base;
	ending = strstr(name, ".stats");
	text_clean(name, ending ? (size_t)(ending - name) : strlen(name), result->drive,
		   sizeof(result->drive));
	if (!is_fio_log(path, base, sizeof(base)) && statistics_head_read(path, &head))
		result->simulated = head.simulated;
	result->minutes_file = strdup(path);
	return result->minutes_file ? 0 : error_set(err, "%s: not enough memory", path);
}

static int read_minutes(const struct result *result, struct minutes *minutes, struct error *err)
{
	char base[512];

	if (is_fio_log(result->minutes_file, base, sizeof(base)))
		return minutes_of_logs(result->minutes_file, 60, minutes, err);
	return minutes_of_run(result->minutes_file, minutes, err);
}

static int add_minutes(struct enterprise *enterprise, struct result *result)
{
	struct precondition run = {
		.fills = NAN, .capacity_bytes = NAN, .block_bytes = NAN, .read_percent = NAN};
	struct error err;

	if (read_minutes(result, &run.minutes, &err)) {
		result_warn(result, "%s", err.text);
		return 0;
	}
	if (run.minutes.note[0])
		result_warn(result, "%s", run.minutes.note);
	if (findings_make(&run.minutes, NAN, NAN, &run.findings)) {
		precondition_free(&run);
		return -1;
	}
	return add_run(enterprise, result, MINUTES_ROW, &run);
}

static bool is_asked(const char *asked, const char *row)
{
	return !asked || !strcmp(asked, row);
}

static int add_result(struct enterprise *enterprise, struct result *result, const char *asked)
{
	size_t i;

	if (result->minutes_file && is_asked(asked, MINUTES_ROW) && add_minutes(enterprise, result))
		return -1;
	for (i = 0; i < result->count; i++) {
		const struct curve *curve = &result->curves[i];

		if (!is_asked(asked, curve->row))
			continue;
		if (curve->kind == CURVE_OF_ROUNDS && add_rounds(enterprise, result, curve))
			return -1;
		if (curve->kind == CURVE_OF_LADDER && ladder_add(enterprise, result, curve))
			return -1;
	}
	return 0;
}

/* ---- places ---------------------------------------------------------------------------------- */

static double steady_rate(const struct precondition *run)
{
	double rate = round(run->findings.steady[MINUTE_IOPS]);

	return rate > 0 ? rate : 0;
}

/* What is not known to have settled stands below, by its name. */
static int by_steady_rate(const void *a, const void *b)
{
	const struct precondition *x = a, *y = b;
	double left = steady_rate(x), right = steady_rate(y);

	if (left != right)
		return left > right ? -1 : 1;
	return strcmp(x->result->drive, y->result->drive);
}

/* The rate of the start: that of the burst, or the level where there was none. */
double precondition_start_iops(const struct precondition *run)
{
	const struct findings *findings = &run->findings;

	if (!isnan(findings->burst_iops) || run->result->kind == RESULT_PUBLISHED)
		return findings->burst_iops;
	return run->minutes.count ? run->minutes.list[0].values[MINUTE_IOPS] : NAN;
}

/* More minutes near the level, in whole percents, then fewer spikes. */
static double evenness(const struct precondition *run)
{
	return round(100 * run->findings.near_share) * 1e6 - (double)run->findings.spike_times;
}

static unsigned place_of(const struct precondition_ranking *ranking, size_t at,
			 double (*value)(const struct precondition *))
{
	double own = value(&ranking->runs[at]);
	unsigned place = 1;
	size_t i;

	if (!(isfinite(own) && own != 0))
		return 0;
	for (i = 0; i < ranking->count; i++)
		place += value(&ranking->runs[i]) > own;
	return place;
}

static void give_places(struct precondition_ranking *ranking)
{
	size_t i;

	qsort(ranking->runs, ranking->count, sizeof(*ranking->runs), by_steady_rate);
	for (i = 0; i < ranking->count; i++) {
		ranking->runs[i].place = place_of(ranking, i, steady_rate);
		ranking->runs[i].place_at_start = place_of(ranking, i, precondition_start_iops);
		ranking->runs[i].place_even = place_of(ranking, i, evenness);
	}
}

/* ---- all ------------------------------------------------------------------------------------- */

static int add_published(struct enterprise *enterprise, const struct result *result)
{
	struct precondition run;
	size_t i;

	for (i = 0; i < enterprise->precondition_count; i++)
		if (published_run(&enterprise->preconditions[i], result, &run) &&
		    keep_run(&enterprise->preconditions[i], &run))
			return -1;
	for (i = 0; i < enterprise->ladder_count; i++)
		if (published_ladder(&enterprise->ladders[i], result))
			return -1;
	return 0;
}

static int add_all(struct result *const *results, size_t count, const char *row,
		   struct enterprise *enterprise)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (results[i]->kind != RESULT_PUBLISHED && add_result(enterprise, results[i], row))
			return -1;
	for (i = 0; i < enterprise->precondition_count; i++)
		precondition_title(&enterprise->preconditions[i]);
	for (i = 0; i < count; i++)
		if (results[i]->kind == RESULT_PUBLISHED && add_published(enterprise, results[i]))
			return -1;
	return 0;
}

int enterprise_make(struct result *const *results, size_t count, const char *row,
		    struct enterprise *enterprise, struct error *err)
{
	size_t i;

	*enterprise = (struct enterprise){.precondition_count = 0};
	if (add_all(results, count, row, enterprise)) {
		enterprise_free(enterprise);
		return error_set(err, "not enough memory for preconditioning and ladders");
	}
	for (i = 0; i < enterprise->precondition_count; i++)
		give_places(&enterprise->preconditions[i]);
	ladders_finish(enterprise);
	return 0;
}

void enterprise_free(struct enterprise *enterprise)
{
	size_t i, j;

	for (i = 0; i < enterprise->precondition_count; i++) {
		for (j = 0; j < enterprise->preconditions[i].count; j++)
			precondition_free(&enterprise->preconditions[i].runs[j]);
		free(enterprise->preconditions[i].runs);
	}
	for (i = 0; i < enterprise->ladder_count; i++) {
		for (j = 0; j < enterprise->ladders[i].count; j++)
			free(enterprise->ladders[i].ladders[j].steps);
		free(enterprise->ladders[i].ladders);
	}
	for (i = 0; i < enterprise->load_count; i++)
		loads_free(&enterprise->loads[i]);
	free(enterprise->loads);
	free(enterprise->preconditions);
	free(enterprise->ladders);
	*enterprise = (struct enterprise){.precondition_count = 0};
}

bool enterprise_is_empty(const struct enterprise *enterprise)
{
	return !enterprise->precondition_count && !enterprise->ladder_count &&
	       !enterprise->load_count;
}
