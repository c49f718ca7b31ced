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

/* What ended them. */
enum rounds_end {
	ROUNDS_GO_ON,
	ROUNDS_STEADY,
	ROUNDS_TIME,
	ROUNDS_WRITTEN,
	ROUNDS_MOST, /* that are allowed */
	ROUNDS_SEQUENCE,
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

/* Why a round, by its number from 1, is invalid; NULL: it is not. */
static const char *invalid_round(const json_t *root, size_t number)
{
	const json_t *round = json_array_get(json_object_get(root, "rounds"), number - 1);

	return json_string_value(json_object_get(round, "invalid"));
}

static void round_verdict(const json_t *root, const struct judgement *judgement,
			  const struct plan_row *row, char *text, size_t room)
{
	const struct steady_rule *rule = &row->row->rounds.rule;
	const char *invalid = invalid_round(root, rounds_taken(root));
	double fills = rounds_fills(root);
	char words[160];

	text[0] = '\0';
	if (invalid)
		snprintf(text, room, "invalid: %s", invalid);
	if (judgement->window.count < rule->window)
		return;
	steady_words(&judgement->fits[worst_track(judgement)], rule, words, sizeof(words));
	snprintf(text, room, "%s", words);
	if (judgement->all_steady && fills < rule->at_least_fills)
		text_append(text, room, ", but only %.2f of %g drive fills are written", fills,
			    rule->at_least_fills);
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

static const char *end_word(enum rounds_end end)
{
	static const char *const words[] = {[ROUNDS_STEADY] = "steady",
					    [ROUNDS_TIME] = "time",
					    [ROUNDS_WRITTEN] = "written",
					    [ROUNDS_MOST] = "rounds",
					    [ROUNDS_SEQUENCE] = "sequence"};

	return words[end];
}

/* Why it ended: of what comes first, what came and what did not. */
static void append_reason(const struct profile_rounds *rounds, enum rounds_end end, char *text,
			  size_t room)
{
	double fills = rounds->rule.at_least_fills;
	char time[NUMBER_ROOM];

	number_duration(rounds->time_s, time);
	if (end == ROUNDS_WRITTEN)
		text_append(text, room, "%g drive fill%s, written before %s were over", fills,
			    fills == 1 ? "" : "s", time);
	else if (end == ROUNDS_TIME && rounds->until == UNTIL_WRITTEN)
		text_append(text, room, "%s, over before %g drive fill%s were written", time, fills,
			    fills == 1 ? "" : "s");
	else
		text_append(text, room, "%s",
			    end == ROUNDS_TIME	   ? "the time that was asked for"
			    : end == ROUNDS_STEADY ? "SNIA's rule"
						   : "the most rounds that are allowed");
}

static void append_window(const struct judgement *judgement, const struct steady_rule *rule,
			  char *text, size_t room)
{
	const struct window *window = &judgement->window;
	char words[160];

	if (window->count < rule->window) {
		text_append(text, room,
			    "no %u usable rounds follow one another at its end, only %u",
			    rule->window, window->count);
		return;
	}
	steady_words(&judgement->fits[worst_track(judgement)], rule, words, sizeof(words));
	text_append(text, room, "rounds %u to %u, %s", window->first,
		    window->first + window->count - 1, words);
}

/* Of a row that ends by what is written its state is told whatever that came to. */
static bool is_steady(const json_t *root, const struct judgement *judgement,
		      const struct plan_row *row)
{
	const struct profile_rounds *rounds = &row->row->rounds;

	return judgement->all_steady && (rounds->until == UNTIL_WRITTEN ||
					 rounds_fills(root) >= rounds->rule.at_least_fills);
}

static void append_invalid(const json_t *root, char *text, size_t room)
{
	unsigned taken = rounds_taken(root), invalid = 0, i;
	const char *why = NULL;

	for (i = 1; i <= taken; i++) {
		if (!invalid_round(root, i))
			continue;
		why = why ? why : invalid_round(root, i);
		invalid++;
	}
	if (invalid)
		text_append(text, room, " %u of %u rounds %s invalid: %s.", invalid, taken,
			    invalid == 1 ? "is" : "are", why);
}

static void final_words(const json_t *root, const struct judgement *judgement,
			const struct plan_row *row, enum rounds_end end, char *text, size_t room)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	char time[NUMBER_ROOM];

	number_duration(rounds_seconds(root), time);
	if (rounds->is_sequence) {
		snprintf(text, room, "A sequence of %u loads in %s, %.2f drive fills written.",
			 row->rounds.load_count, time, rounds_fills(root));
		return;
	}
	snprintf(text, room, "%s after %s and %.2f drive fills (",
		 is_steady(root, judgement, row) ? "Steady" : "Not steady", time,
		 rounds_fills(root));
	append_reason(rounds, end, text, room);
	text_append(text, room, "): ");
	append_window(judgement, &rounds->rule, text, room);
	text_append(text, room, ".");
	append_invalid(root, text, room);
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
		   enum rounds_end end)
{
	json_t *tracks = json_array();
	char text[800];
	unsigned i;

	for (i = 0; i < judgement->tracks; i++)
		json_array_append_new(tracks, track_json(judgement, row, i));
	final_words(root, judgement, row, end, text, sizeof(text));
	json_object_set_new(root, "steady",
			    json_pack("{s:b, s:s, s:i, s:f, s:f, s:o, s:s}", "steady",
				      (int)is_steady(root, judgement, row), "ended_by",
				      end_word(end), "rounds_taken", (int)rounds_taken(root),
				      "fills", rounds_fills(root), "seconds", rounds_seconds(root),
				      "track", tracks, "text", text));
	json_object_set_new(root, "finished", time_json(time(NULL)));
}

static void note_verdict(json_t *root, const char *verdict)
{
	json_t *rounds = json_object_get(root, "rounds");

	json_object_set_new(json_array_get(rounds, json_array_size(rounds) - 1), "verdict",
			    json_string_nocheck(verdict));
}

/* It ends with its only round, and says nothing of a steady state. */
static void finish_sequence(json_t *root, const struct plan_row *row)
{
	struct judgement judgement = {.tracks = 0};

	finish(root, &judgement, row, ROUNDS_SEQUENCE);
}

static enum rounds_end rounds_end(const json_t *root, const struct judgement *judgement,
				  const struct profile_rounds *rounds)
{
	double fills = rounds_fills(root);
	bool is_over = rounds_seconds(root) >= rounds->time_s * 0.999;

	if (rounds->until == UNTIL_WRITTEN && fills >= rounds->rule.at_least_fills)
		return ROUNDS_WRITTEN;
	if (rounds->until != UNTIL_STEADY)
		return is_over ? ROUNDS_TIME : ROUNDS_GO_ON;
	switch (steady_end(judgement->all_steady, fills, rounds_taken(root), &rounds->rule)) {
	case STEADY_REACHED:
		return ROUNDS_STEADY;
	case STEADY_GIVEN_UP:
		return ROUNDS_MOST;
	default:
		return ROUNDS_GO_ON;
	}
}

void rounds_judge(json_t *root, const struct plan_row *row)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	struct judgement judgement = {0};
	enum rounds_end end;
	char verdict[480];

	if (rounds->is_sequence) {
		finish_sequence(root, row);
		return;
	}
	judge(root, row, &judgement);
	round_verdict(root, &judgement, row, verdict, sizeof(verdict));
	note_verdict(root, verdict);
	end = rounds_end(root, &judgement, rounds);
	if (end != ROUNDS_GO_ON)
		finish(root, &judgement, row, end);
}
