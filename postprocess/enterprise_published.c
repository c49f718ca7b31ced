/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What published reviews state of preconditioning, main tests and ladders, beside rows of the same
 * load. They are named by what they do, "4k-precondition-write", not by our rows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise_internal.h"
#include "postprocess/grow.h"

static const struct stated *find_stated(const struct result *result, const char *row,
					const char *metric)
{
	size_t i;

	for (i = 0; i < result->stated_count; i++)
		if (!strcmp(result->stated[i].row, row) &&
		    !strcmp(result->stated[i].metric, metric))
			return &result->stated[i];
	return NULL;
}

static double stated_value(const struct result *result, const char *row, const char *metric)
{
	const struct stated *stated = find_stated(result, row, metric);

	return stated ? stated->value : NAN;
}

static bool is_about(const struct result *result, const char *row, const char *metric)
{
	const struct stated *stated = find_stated(result, row, metric);

	return stated && stated->about;
}

/* ---- preconditioning ------------------------------------------------------------------------- */

/* The published name of a load; NULL where none is published. */
static const char *published_row(const struct precondition *run)
{
	if (run->block_bytes == 4096 && run->read_percent == 0)
		return "4k-precondition-write";
	if (run->block_bytes == 8192 && run->read_percent == 70)
		return "8k-7030-precondition";
	return NULL;
}

/* Spikes are published with their time, seldom with a height. */
static void take_spikes(const struct result *result, const char *row, struct findings *findings)
{
	static const struct {
		const char *metric;
		enum minute_measure measure;
	} spikes[] = {{"latency_avg_spike_time", MINUTE_MEAN},
		      {"latency_max_spike_time", MINUTE_MAX},
		      {"latency_stddev_spike_time", MINUTE_STDDEV}};
	struct spike *larger;
	size_t i;

	for (i = 0; i < COUNT(spikes); i++) {
		double at_min = stated_value(result, row, spikes[i].metric);

		if (isnan(at_min))
			continue;
		larger = list_grow(findings->spikes, findings->spike_count, sizeof(*larger));
		if (!larger)
			return;
		findings->spikes = larger;
		larger[findings->spike_count++] =
			(struct spike){spikes[i].measure, (size_t)at_min, NAN, NAN};
	}
}

bool published_run(const struct precondition_ranking *ranking, const struct result *result,
		   struct precondition *run)
{
	const char *row = ranking->count ? published_row(&ranking->runs[0]) : NULL;

	if (!row || strcmp(result->protocol, ranking->protocol))
		return false;
	*run = (struct precondition){
		.result = result,
		.fills = NAN,
		.capacity_bytes = NAN,
		.block_bytes = ranking->runs[0].block_bytes,
		.read_percent = ranking->runs[0].read_percent,
		.minutes.minute_s = 60,
		.about_burst = is_about(result, row, "iops_start"),
		.about_steady = is_about(result, row, "iops_steady"),
		.findings = {.burst_iops = stated_value(result, row, "iops_start"),
			     .burst_end_s = NAN,
			     .burst_end_fills = NAN,
			     .steady = {stated_value(result, row, "iops_steady"),
					stated_value(result, row, "latency_avg_steady"),
					stated_value(result, row, "latency_max"),
					stated_value(result, row, "latency_stddev_steady")},
			     .steady_since_s = NAN,
			     .steady_since_fills = NAN,
			     .near_share = NAN}};
	if (isnan(run->findings.burst_iops) && isnan(run->findings.steady[MINUTE_IOPS]))
		return false;
	snprintf(run->row, sizeof(run->row), "%s", ranking->row);
	take_spikes(result, row, &run->findings);
	enterprise_mark(result, run->marks, sizeof(run->marks));
	return true;
}

/* ---- main tests and ladders ------------------------------------------------------------------ */

static const char *const step_metrics[MINUTE_MEASURES] = {"iops", "latency_avg", "latency_max",
							  "latency_stddev"};

static int add_main_test(struct ladder_ranking *ranking, const struct result *result)
{
	static const struct {
		const char *row;
		enum io_kind kind;
	} halves[] = {{"4k-steady-read", IO_READ}, {"4k-steady-write", IO_WRITE}};
	struct ladder_step *step = NULL;
	size_t i, measure;

	for (i = 0; i < COUNT(halves); i++)
		for (measure = 0; measure < MINUTE_MEASURES; measure++) {
			double value = stated_value(result, halves[i].row, step_metrics[measure]);
			struct ladder *ladder;

			if (isnan(value))
				continue;
			ladder = ladder_of(ranking, result, ranking->row);
			if (ladder && !step)
				step = ladder_add_step(ladder, ranking->ladders[0].steps[0].name);
			if (!step)
				return -1;
			step->values[halves[i].kind][measure] = value;
		}
	return 0;
}

/* Figures of the whole ladder, in words. */
static void put_stated(const struct result *result, char *text, size_t room)
{
	static const struct {
		const char *metric, *words;
	} figures[] = {{"latency_avg_min", "average latency from"},
		       {"latency_max_typical", "maximum latency about"},
		       {"latency_stddev_min", "standard deviation from"},
		       {"latency_stddev_max", "to"}};
	char number[NUMBER_ROOM];
	size_t i;

	for (i = 0; i < COUNT(figures); i++) {
		double value = stated_value(result, "8k-7030", figures[i].metric);
		bool goes_on = !strcmp(figures[i].words, "to");

		if (isnan(value))
			continue;
		text_append(text, room, "%s%s %s",
			    !text[0]  ? ""
			    : goes_on ? " "
				      : ", ",
			    figures[i].words, number_us(value, number));
	}
}

static int add_ladder(struct ladder_ranking *ranking, const struct result *result)
{
	double last = stated_value(result, "8k-7030", "iops_16t16q");
	char words[320] = "";
	struct ladder *ladder;
	struct ladder_step *step;

	put_stated(result, words, sizeof(words));
	if (isnan(last) && !words[0])
		return 0;
	ladder = ladder_of(ranking, result, ranking->row);
	if (!ladder)
		return -1;
	snprintf(ladder->stated, sizeof(ladder->stated), "%s", words);
	if (isnan(last))
		return 0;
	step = ladder_add_step(ladder, "16T/16Q");
	if (!step)
		return -1;
	step->values[IO_BOTH][MINUTE_IOPS] = last;
	return 0;
}

/* 8K of which 70 % are reads: by what was done, for a row may have any name. */
static bool is_8k_7030(const struct ladder_ranking *ranking)
{
	size_t i, j;

	for (i = 0; i < ranking->count; i++)
		for (j = 0; j < ranking->ladders[i].count; j++) {
			const struct point *point = ranking->ladders[i].steps[j].points[IO_BOTH];

			if (point && fabs(point->block_bytes - 8192) < 100)
				return fabs(point->read_share - 0.7) < 0.02;
		}
	return false;
}

int published_ladder(struct ladder_ranking *ranking, const struct result *result)
{
	if (strcmp(result->protocol, ranking->protocol) || !result->stated_count)
		return 0;
	if (ranking->is_main_test)
		return strncmp(ranking->row, "4k-", 3) ? 0 : add_main_test(ranking, result);
	return is_8k_7030(ranking) ? add_ladder(ranking, result) : 0;
}
