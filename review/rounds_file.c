/* SPDX-License-Identifier: GPL-2.0-only */
/* rounds.json: what is kept of the rounds of a row. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"
#include "review/rounds.h"

#define ROUNDS_VERSION 1

/* JSON has no NAN. */
static json_t *number_json(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

const struct round_percentile round_percentiles[ROUND_PERCENTILES] = {{0.5, "p50_ns"},
								      {0.99, "p99_ns"},
								      {0.999, "p99_9_ns"},
								      {0.9999, "p99_99_ns"},
								      {0.99999, "p99_999_ns"}};

/* ---- a new one ------------------------------------------------------------------------------ */

static json_t *loads_json(const struct plan_row *row, double scale)
{
	json_t *loads = json_array();
	unsigned i;

	for (i = 0; i < row->rounds.load_count; i++) {
		const struct plan_load *load = &row->rounds.loads[i];

		json_array_append_new(
			loads,
			json_pack("{s:s, s:i, s:i, s:b, s:f, s:f, s:f, s:f}", "load", load->name,
				  "block_bytes", load->block_bytes, "read_percent",
				  load->read_percent, "random", (int)load->random, "load_s",
				  load->load_s * scale, "sample_s", load->sample_s * scale,
				  "work_s", load->work_s * scale, "idle_s", load->idle_s * scale));
	}
	return loads;
}

static json_t *left_json(const struct plan_row *row)
{
	json_t *left = json_array();
	unsigned i;

	for (i = 0; i < row->rounds.left_count; i++)
		json_array_append_new(left, json_pack("{s:s, s:i}", "load",
						      row->rounds.left_out[i].name, "block_bytes",
						      row->rounds.left_out[i].block_bytes));
	return left;
}

static json_t *tracks_json(const struct plan_row *row)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	json_t *tracks = json_array();
	unsigned i;

	for (i = 0; i < rounds->track_count; i++)
		json_array_append_new(tracks,
				      json_pack("{s:s, s:s}", "load",
						row->rounds.loads[row->rounds.tracked[i]].name,
						"measure", rounds->tracks[i].measure));
	return tracks;
}

static json_t *rule_json(const struct plan_row *row)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	const struct steady_rule *rule = &rounds->rule;
	static const char *const words[] = {
		[UNTIL_STEADY] = "steady", [UNTIL_TIME] = "time", [UNTIL_WRITTEN] = "written"};

	return json_pack("{s:s, s:f, s:i, s:f, s:f, s:f, s:i, s:o}", "until",
			 rounds->is_sequence ? "sequence" : words[rounds->until], "time_s",
			 rounds->time_s, "window", rule->window, "range", rule->range, "slope",
			 rule->slope, "at_least_fills", rule->at_least_fills, "at_most_rounds",
			 rule->at_most_rounds, "track", tracks_json(row));
}

json_t *rounds_new(const struct run *run, const struct plan_row *row, json_t *fill)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	double scale = run->target.scale;
	json_t *root = json_pack(
		"{s:i, s:s, s:b, s:i, s:I, s:i, s:i, s:i, s:o, s:f, s:f, s:o}", "version",
		ROUNDS_VERSION, "row", row->row->name, "simulated",
		(int)(run->target.kind == TARGET_SIM), "scale", (int)run->target.scale,
		"capacity_bytes", (json_int_t)row->region.bytes, "threads", rounds->load.threads,
		"queue", rounds->load.queue, "fio_jobs", plan_jobs(&run->plan, row), "loads",
		loads_json(row, scale), "load_s", row->rounds.loads[0].load_s * scale, "sample_s",
		row->rounds.loads[0].sample_s * scale, "rule", rule_json(row));

	if (row->row->title[0])
		json_object_set_new(root, "title", json_string(row->row->title));
	json_object_set_new(root, "left_out", left_json(row));
	json_object_set_new(root, "rounds", json_array());
	json_object_set_new(root, "samples", json_array());
	json_object_set_new(root, "gaps", json_array());
	json_object_set_new(root, "restarts",
			    json_integer(index_restarts(&run->index, row->row->name)));
	json_object_set_new(root, "fill", fill);
	json_object_set_new(root, "finished", json_null());
	json_object_set_new(root, "steady", json_null());
	return root;
}

/* ---- file ----------------------------------------------------------------------------------- */

int rounds_load(const char *path, json_t **root, struct error *err)
{
	json_error_t fault;

	*root = json_load_file(path, 0, &fault);
	if (!*root)
		return error_set(err, "%s:%d: %s", path, fault.line, fault.text);
	if (json_integer_value(json_object_get(*root, "version")) == ROUNDS_VERSION &&
	    json_is_array(json_object_get(*root, "rounds")) &&
	    json_is_array(json_object_get(*root, "samples")) &&
	    json_is_array(json_object_get(*root, "gaps")))
		return 0;
	json_decref(*root);
	*root = NULL;
	return error_set(err, "%s holds no rounds of this version; begin with another --name",
			 path);
}

int rounds_save(const char *path, const json_t *root, struct error *err)
{
	char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(12));
	int failed;

	if (!text)
		return error_set(err, "no memory for %s", path);
	failed = file_write_atomic(path, text, strlen(text), err);
	free(text);
	return failed;
}

/* ---- what it holds -------------------------------------------------------------------------- */

unsigned rounds_taken(const json_t *root)
{
	return (unsigned)json_array_size(json_object_get(root, "rounds"));
}

static const json_t *last_round(const json_t *root)
{
	const json_t *rounds = json_object_get(root, "rounds");
	size_t count = json_array_size(rounds);

	return count ? json_array_get(rounds, count - 1) : NULL;
}

/* In whole bytes: a sum of fractions would fall short of what they make up. */
double rounds_fills(const json_t *root)
{
	const json_t *rounds = json_object_get(root, "rounds"), *round;
	json_int_t written = 0;
	size_t i;

	json_array_foreach(rounds, i, round) written +=
		json_integer_value(json_object_get(round, "written_bytes"));
	return (double)written / json_number_value(json_object_get(root, "capacity_bytes"));
}

double rounds_seconds(const json_t *root)
{
	const json_t *last = last_round(root);

	return json_number_value(json_object_get(last, "start_s")) +
	       json_number_value(json_object_get(last, "seconds"));
}

bool rounds_are_finished(const json_t *root)
{
	return json_is_object(json_object_get(root, "steady"));
}

void rounds_add_gap(json_t *root, double seconds, const char *why, const char *text)
{
	json_array_append_new(json_object_get(root, "gaps"),
			      json_pack("{s:i, s:f, s:f, s:s, s:s}", "after_round",
					(int)rounds_taken(root), "at_s", rounds_seconds(root),
					"seconds", seconds, "why", why, "text", text));
}

/* ---- one round more ------------------------------------------------------------------------- */

/* Does the last gap lie right before the next round? */
static bool is_after_gap(const json_t *root)
{
	const json_t *gaps = json_object_get(root, "gaps"), *gap;
	size_t i;

	json_array_foreach(gaps, i, gap)
	{
		const char *why = json_string_value(json_object_get(gap, "why"));

		if (json_integer_value(json_object_get(gap, "after_round")) == rounds_taken(root) &&
		    why && strcmp(why, "clock"))
			return true;
	}
	return false;
}

/* Where the next sample begins, in the drive's time and in drive fills. */
struct place {
	double capacity_bytes, start_s, fills;
};

static void add_sample(json_t *samples, unsigned round, const char *load,
		       const struct measures *sample, double scale, struct place *place)
{
	json_t *object = measures_json(sample);

	place->fills += (double)sample->write.bytes / place->capacity_bytes;
	json_object_set_new(object, "round", json_integer(round));
	json_object_set_new(object, "load", json_string(load));
	json_object_set_new(object, "start_s", json_real(place->start_s));
	json_object_set_new(object, "seconds", json_real(sample->seconds * scale));
	json_object_set_new(object, "fills", json_real(place->fills));
	json_array_append_new(samples, object);
	place->start_s += sample->seconds * scale;
}

static json_t *load_json(const char *name, const struct round_load *load, double scale)
{
	json_t *object = measures_json(&load->measures);

	unsigned i;

	for (i = 0; i < ROUND_PERCENTILES; i++)
		json_object_set_new(object, round_percentiles[i].word,
				    number_json(load->percentiles_ns[i]));
	json_object_set_new(object, "load", json_string(name));
	json_object_set_new(object, "seconds", json_real(load->measures.seconds * scale));
	json_object_set_new(object, "machine",
			    load->machine[0] ? utf8_json(load->machine) : json_null());
	json_object_set(object, "telemetry", load->telemetry ? load->telemetry : json_null());
	return object;
}

static bool is_tracked(const struct plan_row *row, unsigned load)
{
	unsigned i;

	for (i = 0; i < row->row->rounds.track_count; i++)
		if (row->rounds.tracked[i] == load)
			return true;
	return false;
}

/*
 * Why a round is no round of the drive: it was reset or answered with errors, or the machine was
 * the limit of what is followed. NULL: it is one.
 */
static const char *round_invalid(const struct plan_row *row, const struct round_result *round)
{
	unsigned i;

	for (i = 0; i < round->count; i++) {
		const struct round_load *load = &round->loads[i];
		const char *spoilt = watch_spoils(load->telemetry);

		if (spoilt)
			return spoilt;
		if (load->machine[0] && is_tracked(row, i))
			return load->machine;
	}
	return NULL;
}

static json_t *values_json(const struct plan_row *row, const struct round_result *round)
{
	json_t *values = json_array();
	unsigned i;

	for (i = 0; i < row->row->rounds.track_count; i++) {
		const struct round_load *load = &round->loads[row->rounds.tracked[i]];

		json_array_append_new(
			values, number_json(measures_value(&load->measures,
							   row->row->rounds.tracks[i].measure)));
	}
	return values;
}

static void note_gap(json_t *root, const struct clock_gap *gap)
{
	char text[200];

	if (gap->suspended_s > 0) {
		snprintf(text, sizeof(text),
			 "The machine slept for %.0f s during round %u, which does not count.",
			 gap->suspended_s, rounds_taken(root) + 1);
		rounds_add_gap(root, gap->suspended_s, "suspended", text);
	}
	if (gap->set_s != 0) {
		snprintf(text, sizeof(text),
			 "The clock on the wall was set by %+.0f s during round %u; what is "
			 "measured does not go by it.",
			 gap->set_s, rounds_taken(root) + 1);
		rounds_add_gap(root, fabs(gap->set_s), "clock", text);
	}
}

void rounds_add(json_t *root, const struct plan_row *row, const struct round_result *round,
		double scale)
{
	json_t *samples = json_object_get(root, "samples"), *loads = json_array();
	struct place place = {.capacity_bytes = (double)row->region.bytes,
			      .start_s = rounds_seconds(root),
			      .fills = rounds_fills(root)};
	double start_s = place.start_s, fills = place.fills;
	bool after_gap = is_after_gap(root);
	uint64_t written = 0;
	unsigned i, number = rounds_taken(root) + 1;
	const char *invalid = round_invalid(row, round);
	size_t at;

	note_gap(root, &round->gap);
	for (i = 0; i < round->count; i++) {
		const struct round_load *load = &round->loads[i];

		for (at = 0; at < load->sample_count; at++)
			add_sample(samples, number, row->rounds.loads[i].name, &load->samples[at],
				   scale, &place);
		json_array_append_new(loads, load_json(row->rounds.loads[i].name, load, scale));
		written += load->written_bytes;
	}
	json_array_append_new(
		json_object_get(root, "rounds"),
		json_pack("{s:i, s:o, s:f, s:f, s:I, s:f, s:o, s:b, s:o, s:b, s:s, s:o}", "round",
			  number, "started", time_json(round->started), "start_s", start_s,
			  "seconds", place.start_s - start_s, "written_bytes", (json_int_t)written,
			  "fills", fills + (double)written / place.capacity_bytes, "values",
			  values_json(row, round), "usable",
			  (int)(round->is_whole && round->gap.suspended_s <= 0 && !invalid),
			  "invalid", invalid ? json_string_nocheck(invalid) : json_null(),
			  "after_gap", (int)after_gap, "verdict", "", "loads", loads));
}
