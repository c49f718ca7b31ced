/* SPDX-License-Identifier: GPL-2.0-only */
/* Rounds of a row (docs/results.md, ROW/rounds.json): samples as minutes, rounds, the verdict. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/enterprise.h"
#include "postprocess/grow.h"
#include "postprocess/json_reader.h"
#include "postprocess/point.h"

#define MOST_SAMPLES 1000000

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static unsigned whole(const json_t *object, const char *key)
{
	double value = number(object, key);

	return value > 0 && value < 1e9 ? (unsigned)value : 0;
}

static const char *word(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

static void take_text(const json_t *object, const char *key, char *text, size_t room)
{
	const char *value = word(object, key);

	text_clean(value, strlen(value), text, room);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* No I/O is a rate of 0, and has no latency. */
static struct minute minute_of(const json_t *sample)
{
	const json_t *both = json_object_get(sample, "both");
	struct minute minute = {.start_s = number(sample, "start_s"),
				.length_s = number(sample, "seconds"),
				.fills = number(sample, "fills"),
				.values = {NAN, NAN, NAN, NAN}};

	minute.values[MINUTE_IOPS] = json_is_null(both) ? 0 : number(both, "iops");
	minute.values[MINUTE_MEAN] = number(both, "mean_ns") / 1000;
	minute.values[MINUTE_MAX] = number(both, "max_ns") / 1000;
	minute.values[MINUTE_STDDEV] = number(both, "stddev_ns") / 1000;
	return minute;
}

/* The load of that sample in its round. */
static const json_t *load_of(const json_t *root, const json_t *sample)
{
	const json_t *rounds = json_object_get(root, "rounds"), *load;
	unsigned round = whole(sample, "round");
	size_t i;

	if (!round)
		return NULL;
	json_array_foreach(json_object_get(json_array_get(rounds, round - 1), "loads"), i, load)
	{
		if (!word(load, "load")[0] || !strcmp(word(load, "load"), word(sample, "load")))
			return load;
	}
	return NULL;
}

static void leave_out(struct minute *minute)
{
	int measure;

	minute->is_invalid = true;
	for (measure = 0; measure < MINUTE_MEASURES; measure++) {
		minute->left_out[measure] = minute->values[measure];
		minute->values[measure] = NAN;
	}
}

static int add_minute(struct minutes *minutes, const struct minute *minute)
{
	struct minute *larger = list_grow(minutes->list, minutes->count, sizeof(*larger));

	if (!larger)
		return -1;
	minutes->list = larger;
	larger[minutes->count++] = *minute;
	return 0;
}

/* A pause is left out of the samples' times: an empty minute marks its place. */
static int add_gaps(const json_t *gaps, double from_s, double to_s, struct minutes *minutes)
{
	const json_t *gap;
	size_t i;

	json_array_foreach(gaps, i, gap)
	{
		struct minute empty = {.start_s = number(gap, "at_s"),
				       .fills = NAN,
				       .values = {NAN, NAN, NAN, NAN}};

		if (empty.start_s >= from_s && empty.start_s < to_s && add_minute(minutes, &empty))
			return -1;
	}
	return 0;
}

static int take_samples(const json_t *root, struct precondition *run)
{
	const json_t *gaps = json_object_get(root, "gaps"), *sample;
	double reached_s = 0;
	size_t i;

	json_array_foreach(json_object_get(root, "samples"), i, sample)
	{
		struct minute minute = minute_of(sample);

		if (i >= MOST_SAMPLES || !(minute.start_s >= 0) || !(minute.length_s > 0) ||
		    (run->load[0] && strcmp(run->load, word(sample, "load"))))
			continue;
		if (round_load_invalid(load_of(root, sample)))
			leave_out(&minute);
		if (add_gaps(gaps, reached_s, minute.start_s + 0.001, &run->minutes) ||
		    add_minute(&run->minutes, &minute))
			return -1;
		reached_s = minute.start_s + 0.001;
	}
	return 0;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static bool is_tracked(const json_t *root, const json_t *load)
{
	const json_t *tracks = json_object_get(json_object_get(root, "rule"), "track"), *track;
	size_t i;

	json_array_foreach(tracks, i, track)
	{
		if (!strcmp(word(track, "load"), word(load, "load")))
			return true;
	}
	return false;
}

/* Why a round does not count: by what is followed, or by its only load. NULL: it does. */
static const char *round_invalid(const json_t *root, const json_t *round)
{
	const json_t *loads = json_object_get(round, "loads"), *load;
	const char *why = json_string_value(json_object_get(round, "invalid"));
	size_t i;

	json_array_foreach(loads, i, load)
	{
		if (!why && (json_array_size(loads) == 1 || is_tracked(root, load)))
			why = round_load_invalid(load);
	}
	return why;
}

static bool was_the_machine(const json_t *root, const json_t *round)
{
	const json_t *loads = json_object_get(round, "loads"), *load;
	size_t i;

	json_array_foreach(loads, i, load)
	{
		if (json_is_string(json_object_get(load, "machine")) &&
		    (json_array_size(loads) == 1 || is_tracked(root, load)))
			return true;
	}
	return false;
}

static void note_invalid(const json_t *root, const json_t *entry, struct round *round,
			 struct precondition *run)
{
	const char *why = round_invalid(root, entry);

	round->invalid = why != NULL;
	round->usable &= !round->invalid;
	run->invalid_rounds += round->invalid;
	run->machine_rounds += was_the_machine(root, entry);
	if (why && !run->invalid_why[0])
		text_clean(why, strlen(why), run->invalid_why, sizeof(run->invalid_why));
}

/* Did the drive throttle, say, during one of its loads? */
static bool did(const json_t *round, const char *word)
{
	const json_t *load;
	size_t i;

	json_array_foreach(json_object_get(round, "loads"), i, load)
	{
		if (telemetry_has_mark(json_object_get(load, "telemetry"), word))
			return true;
	}
	return false;
}

static int take_rounds(const json_t *root, struct precondition *run)
{
	const json_t *list = json_object_get(root, "rounds"), *entry;
	size_t i, mark;

	run->rounds = calloc(json_array_size(list) + 1, sizeof(*run->rounds));
	if (!run->rounds)
		return -1;
	json_array_foreach(list, i, entry)
	{
		const json_t *value = json_array_get(json_object_get(entry, "values"), 0);
		struct round *round = &run->rounds[run->round_count++];

		*round = (struct round){.number = whole(entry, "round"),
					.start_s = number(entry, "start_s"),
					.seconds = number(entry, "seconds"),
					.fills = number(entry, "fills"),
					.value = json_is_number(value) ? json_number_value(value)
								       : NAN,
					.usable = !json_is_false(json_object_get(entry, "usable"))};
		note_invalid(root, entry, round, run);
		for (mark = 0; mark < DRIVE_MARKS; mark++)
			run->marked_rounds[mark] += did(entry, drive_marks[mark].word);
		if (round->fills > 0)
			run->fills = round->fills;
	}
	return 0;
}

static void take_window(const json_t *root, struct precondition *run)
{
	const json_t *rule = json_object_get(root, "rule"),
		     *steady = json_object_get(root, "steady");
	const json_t *track = json_array_get(json_object_get(steady, "track"), 0);
	const json_t *rounds = json_object_get(track, "rounds");
	const json_t *fit = json_object_get(track, "fit");
	struct steady_window *window = &run->window;

	*window = (struct steady_window){
		.known = json_array_size(rounds) > 1 && json_array_size(fit) == 2,
		.steady =
			json_is_true(json_object_get(track, "steady")) && number(track, "mean") > 0,
		.first = (unsigned)json_integer_value(json_array_get(rounds, 0)),
		.last = (unsigned)json_integer_value(
			json_array_get(rounds, json_array_size(rounds) - 1)),
		.mean = number(track, "mean"),
		.range_share = number(track, "range_share"),
		.slope_per_round = number(track, "slope_per_round"),
		.excursion_share = number(track, "excursion_share"),
		.fit_first = json_number_value(json_array_get(fit, 0)),
		.fit_last = json_number_value(json_array_get(fit, 1)),
		.range_limit = number(rule, "range")};
	window->known &= isfinite(window->mean);
	take_text(json_array_get(json_object_get(rule, "track"), 0), "measure", window->measure,
		  sizeof(window->measure));
	take_text(steady, "text", run->verdict, sizeof(run->verdict));
}

/* The load that is tracked first, where the rounds have several. */
static void take_load(const json_t *root, struct precondition *run)
{
	const json_t *loads = json_object_get(root, "loads"), *load = json_array_get(loads, 0);
	const json_t *track = json_object_get(json_object_get(root, "rule"), "track"), *other;
	const char *tracked = word(json_array_get(track, 0), "load");
	size_t i;

	json_array_foreach(loads, i, other) if (!strcmp(word(other, "load"), tracked)) load = other;
	run->block_bytes = number(load, "block_bytes");
	run->read_percent = number(load, "read_percent");
	if (json_array_size(loads) > 1)
		take_text(load, "load", run->load, sizeof(run->load));
}

/* ---- the file -------------------------------------------------------------------------------- */

static const struct round *find_round(const struct precondition *run, unsigned number)
{
	size_t i;

	for (i = 0; i < run->round_count; i++)
		if (run->rounds[i].number == number)
			return &run->rounds[i];
	return NULL;
}

/* How long each gap was; the minutes hold only its place. */
static void measure_gaps(const json_t *root, struct precondition *run)
{
	const json_t *gap;
	size_t i, j;

	for (i = 0; i < run->findings.gap_count; i++)
		run->findings.gaps[i].seconds = NAN;
	json_array_foreach(json_object_get(root, "gaps"), i, gap)
	{
		for (j = 0; j < run->findings.gap_count; j++)
			if (fabs(run->findings.gaps[j].at_s - number(gap, "at_s")) < 0.5)
				run->findings.gaps[j].seconds = number(gap, "seconds");
	}
}

static bool window_is_invalid(const struct precondition *run)
{
	size_t i;

	for (i = 0; i < run->round_count; i++)
		if (run->rounds[i].invalid && run->rounds[i].number >= run->window.first &&
		    run->rounds[i].number <= run->window.last)
			return run->window.known;
	return false;
}

static int find(const json_t *root, struct precondition *run)
{
	const struct round *first = find_round(run, run->window.first);
	const struct round *last = find_round(run, run->window.last);
	bool known = run->window.known && run->window.steady && first && last;

	/* Without a verdict, or by it, there is no steady level, however even the last minutes are.
	 */
	if (findings_make(&run->minutes, known ? first->start_s : 0,
			  known ? last->start_s + last->seconds : 0, &run->findings))
		return -1;
	measure_gaps(root, run);
	return 0;
}

static int take_all(const json_t *root, struct precondition *run)
{
	run->minutes.minute_s = number(root, "sample_s");
	if (!(run->minutes.minute_s > 0))
		run->minutes.minute_s = 60;
	run->capacity_bytes = number(root, "capacity_bytes");
	take_text(root, "title", run->title, sizeof(run->title));
	run->threads = whole(root, "threads");
	run->queue = whole(root, "queue");
	fill_words(json_object_get(root, "fill"), run->filled, sizeof(run->filled));
	take_load(root, run);
	if (take_samples(root, run) || take_rounds(root, run))
		return -1;
	take_window(root, run);
	run->window.invalid = window_is_invalid(run);
	run->window.steady &= !run->window.invalid;
	return find(root, run);
}

int precondition_read(const char *path, struct precondition *run, struct error *err)
{
	json_error_t fault;
	json_t *root = json_load_file(path, 0, &fault);
	int status = 0;

	*run = (struct precondition){.fills = NAN, .block_bytes = NAN, .read_percent = NAN};
	if (!root)
		return error_set(err, "%s cannot be read: line %d: %s", path, fault.line,
				 fault.text);
	if (!json_is_array(json_object_get(root, "rounds")))
		status = error_set(err, "%s holds no rounds", path);
	else if (take_all(root, run))
		status = error_set(err, "%s: not enough memory", path);
	json_decref(root);
	if (status)
		precondition_free(run);
	return status;
}

void precondition_free(struct precondition *run)
{
	minutes_free(&run->minutes);
	findings_free(&run->findings);
	free(run->rounds);
	run->rounds = NULL;
	run->round_count = 0;
}

void rounds_count_by_machine(const struct curve *curve, size_t *spoilt, size_t *rounds)
{
	struct precondition run;

	if (!curve->rounds_path[0] || precondition_read(curve->rounds_path, &run, NULL))
		return;
	*spoilt += run.machine_rounds;
	*rounds += run.round_count;
	precondition_free(&run);
}
