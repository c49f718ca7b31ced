/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether rounds end: steady, for the time that was asked, or after the most that are allowed. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "review/rounds.h"

/* The last rounds that may be judged together. */
struct window {
	unsigned first, count; /* rounds from 1 */
	double values[PROFILE_MAX_TRACKS][STEADY_MOST_WINDOW];
};

struct judgement {
	struct window window;
	struct steady_fit fits[PROFILE_MAX_TRACKS];
	unsigned tracks;
	bool all_steady;
};

/* How many rounds at the end follow one another without a gap, at most `most`. */
static unsigned count_unbroken(const json_t *rounds, unsigned most)
{
	size_t count = json_array_size(rounds);
	unsigned taken = 0;

	while (taken < most && taken < count) {
		const json_t *round = json_array_get(rounds, count - 1 - taken);

		if (!json_is_true(json_object_get(round, "usable")))
			break;
		taken++;
		if (json_is_true(json_object_get(round, "after_gap")))
			break;
	}
	return taken;
}

static double value_of(const json_t *round, unsigned track)
{
	const json_t *value = json_array_get(json_object_get(round, "values"), track);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static void take_window(const json_t *rounds, const struct plan_row *row, struct window *window)
{
	unsigned i, track, all = (unsigned)json_array_size(rounds);

	window->count = count_unbroken(rounds, row->row->rounds.rule.window);
	window->first = all - window->count + 1;
	for (i = 0; i < window->count; i++)
		for (track = 0; track < row->row->rounds.track_count; track++)
			window->values[track][i] =
				value_of(json_array_get(rounds, all - window->count + i), track);
}

static void judge(const json_t *root, const struct plan_row *row, struct judgement *judgement)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	unsigned i;

	take_window(json_object_get(root, "rounds"), row, &judgement->window);
	judgement->tracks = rounds->track_count;
	judgement->all_steady = true;
	for (i = 0; i < judgement->tracks; i++) {
		steady_fit(judgement->window.values[i], judgement->window.count, &rounds->rule,
			   &judgement->fits[i]);
		judgement->all_steady &= judgement->fits[i].steady;
	}
}

/* ---- in words ------------------------------------------------------------------------------- */

/* What is furthest from steady says it. */
static unsigned worst_track(const struct judgement *judgement)
{
	unsigned worst = 0, i;

	for (i = 0; i < judgement->tracks; i++)
		if (!judgement->fits[i].steady)
			return i;
	return worst;
}

static void round_verdict(const struct judgement *judgement, const struct plan_row *row,
			  double fills, char *text, size_t room)
{
	const struct steady_rule *rule = &row->row->rounds.rule;
	char words[160];

	if (judgement->window.count < rule->window) {
		text[0] = '\0';
		return;
	}
	steady_words(&judgement->fits[worst_track(judgement)], rule, words, sizeof(words));
	if (judgement->all_steady && fills < rule->at_least_fills)
		snprintf(text, room, "%s, but only %.2f of %g drive fills are written", words,
			 fills, rule->at_least_fills);
	else
		snprintf(text, room, "%s", words);
}

void rounds_words(const json_t *root, const struct plan_row *row, char *text, size_t room)
{
	struct judgement judgement = {0};
	const struct steady_fit *fit;

	judge(root, row, &judgement);
	fit = &judgement.fits[worst_track(&judgement)];
	snprintf(text, room, "%.2f fills", rounds_fills(root));
	if (!isnan(fit->mean))
		text_append(text, room, ", %s %.1f %%",
			    fit->range_share > row->row->rounds.rule.range ? "range" : "slope",
			    100 * (fit->range_share > row->row->rounds.rule.range
					   ? fit->range_share
					   : fit->excursion_share));
}

static const char *end_word(enum steady_end end, bool by_time)
{
	return by_time ? "time" : end == STEADY_REACHED ? "steady" : "rounds";
}

static void final_words(const json_t *root, const struct judgement *judgement,
			const struct plan_row *row, const char *ended_by, char *text, size_t room)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	const struct steady_rule *rule = &rounds->rule;
	const struct window *window = &judgement->window;
	unsigned last = window->first + window->count - 1;
	char words[160] = "fewer rounds than a window holds", time[NUMBER_ROOM];

	if (rounds->is_sequence) {
		snprintf(text, room, "A sequence of %u loads in %s, %.2f drive fills written.",
			 row->rounds.load_count, number_duration(rounds_seconds(root), time),
			 rounds_fills(root));
		return;
	}
	if (window->count >= rule->window)
		steady_words(&judgement->fits[worst_track(judgement)], rule, words, sizeof(words));
	snprintf(text, room, "%s after %s and %.2f drive fills (%s): rounds %u to %u, %s.",
		 judgement->all_steady && rounds_fills(root) >= rule->at_least_fills ? "Steady"
										     : "Not steady",
		 number_duration(rounds_seconds(root), time), rounds_fills(root),
		 !strcmp(ended_by, "time")     ? "the time that was asked for"
		 : !strcmp(ended_by, "steady") ? "SNIA's rule"
					       : "the most rounds that are allowed",
		 window->first, last, words);
}

/* ---- the end -------------------------------------------------------------------------------- */

static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *track_json(const struct judgement *judgement, const struct plan_row *row,
			  unsigned track)
{
	const struct steady_fit *fit = &judgement->fits[track];
	const struct window *window = &judgement->window;
	json_t *numbers = json_array(), *values = json_array();
	unsigned i;

	for (i = 0; i < window->count; i++) {
		json_array_append_new(numbers, json_integer(window->first + i));
		json_array_append_new(values, real_or_null(window->values[track][i]));
	}
	return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:[o,o]}", "load",
			 row->rounds.loads[row->rounds.tracked[track]].name, "measure",
			 row->row->rounds.tracks[track].measure, "steady", (int)fit->steady,
			 "rounds", numbers, "values", values, "mean", real_or_null(fit->mean),
			 "range_share", real_or_null(fit->range_share), "slope_per_round",
			 real_or_null(fit->slope_per_round), "excursion_share",
			 real_or_null(fit->excursion_share), "fit", real_or_null(fit->fit_first),
			 real_or_null(fit->fit_last));
}

static void finish(json_t *root, const struct judgement *judgement, const struct plan_row *row,
		   const char *ended_by)
{
	const struct steady_rule *rule = &row->row->rounds.rule;
	json_t *tracks = json_array();
	char text[400], finished[32];
	time_t now = time(NULL);
	struct tm parts;
	unsigned i;

	for (i = 0; i < judgement->tracks; i++)
		json_array_append_new(tracks, track_json(judgement, row, i));
	final_words(root, judgement, row, ended_by, text, sizeof(text));
	json_object_set_new(root, "steady",
			    json_pack("{s:b, s:s, s:i, s:f, s:f, s:o, s:s}", "steady",
				      (int)(judgement->all_steady &&
					    rounds_fills(root) >= rule->at_least_fills),
				      "ended_by", ended_by, "rounds_taken", (int)rounds_taken(root),
				      "fills", rounds_fills(root), "seconds", rounds_seconds(root),
				      "track", tracks, "text", text));
	gmtime_r(&now, &parts);
	strftime(finished, sizeof(finished), "%Y-%m-%dT%H:%M:%SZ", &parts);
	json_object_set_new(root, "finished", json_string(finished));
}

static void note_verdict(json_t *root, const char *verdict)
{
	json_t *rounds = json_object_get(root, "rounds");

	json_object_set_new(json_array_get(rounds, json_array_size(rounds) - 1), "verdict",
			    json_string(verdict));
}

/* It ends with its only round, and says nothing of a steady state. */
static void finish_sequence(json_t *root, const struct plan_row *row)
{
	struct judgement judgement = {.tracks = 0};

	finish(root, &judgement, row, "sequence");
}

void rounds_judge(json_t *root, const struct plan_row *row)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	struct judgement judgement = {0};
	enum steady_end end;
	char verdict[256];

	if (rounds->is_sequence) {
		finish_sequence(root, row);
		return;
	}
	judge(root, row, &judgement);
	round_verdict(&judgement, row, rounds_fills(root), verdict, sizeof(verdict));
	note_verdict(root, verdict);
	end = steady_end(judgement.all_steady, rounds_fills(root), rounds_taken(root),
			 &rounds->rule);
	if (rounds->by_time)
		end = rounds_seconds(root) >= rounds->time_s * 0.999 ? STEADY_REACHED
								     : STEADY_NOT_YET;
	if (end != STEADY_NOT_YET)
		finish(root, &judgement, row, end_word(end, rounds->by_time));
}
