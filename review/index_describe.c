/* SPDX-License-Identifier: GPL-2.0-only */
/* What was asked of a review, as the index keeps it. */
#include <time.h>

#include "base/utf8.h"
#include "review/index_internal.h"

#define INDEX_VERSION 1

/* What a search needs to go on, and the tables to judge it. */
static void describe_search(const struct plan_row *row, json_t *object)
{
	json_object_set_new(object, "desktops", json_integer(row->row->desktops));
	json_object_set_new(object, "verb", json_string(row->row->verb));
	json_object_set_new(object, "apart", json_integer(row->apart));
	json_object_set_new(object, "most", json_integer(row->rules.most));
	json_object_set_new(object, "most_why", json_string(row->most_why));
	json_object_set_new(object, "gap", json_integer(row->rules.gap));
	json_object_set_new(object, "measure_s", json_real(row->measure_s));
}

static json_t *ladder_words(const struct profile_ladder *ladder)
{
	json_t *words = json_array();
	unsigned i;

	for (i = 0; i < ladder->count; i++)
		json_array_append_new(words, json_sprintf("%uT/%uQ", ladder->steps[i].threads,
							  ladder->steps[i].queue));
	return words;
}

/* A row of rounds, or a ladder. */
static void describe_steady(const struct plan *plan, const struct plan_row *row, json_t *object)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	const struct profile_ladder *ladder = &row->row->ladder;
	bool has_rounds = row->row->steps == STEPS_ROUNDS;

	json_object_set_new(object, "steps", json_string(has_rounds ? "rounds" : "ladder"));
	json_object_set_new(object, "region_bytes", json_integer((json_int_t)row->region.bytes));
	json_object_set_new(object, "region", json_string(row->region.words));
	json_object_set_new(object, "after",
			    ladder->after[0] ? json_string(ladder->after) : json_null());
	if (has_rounds) {
		json_object_set_new(object, "threads", json_integer(rounds->load.threads));
		json_object_set_new(object, "queue", json_integer(rounds->load.queue));
		json_object_set_new(object, "fio_jobs", json_integer(plan_jobs(plan, row)));
		json_object_set_new(object, "rounds",
				    json_sprintf("%s/" ROUNDS_FILE, row->row->name));
		return;
	}
	json_object_set_new(object, "ladder", ladder_words(ladder));
	json_object_set_new(object, "wait_s", json_real(row->wait_s));
	json_object_set_new(object, "measure_s", json_real(row->measure_s));
}

static json_t *describe_rows(const struct plan *plan)
{
	json_t *rows = json_array();
	unsigned i;

	for (i = 0; i < plan->row_count; i++) {
		const struct plan_row *row = &plan->rows[i];
		bool stand_in = row->row->stand_in || plan->profile->stand_in;

		json_t *object = json_pack("{s:s, s:i, s:b, s:b, s:[]}", "row", row->row->name,
					   "in_flight", (int)row->in_flight, "writes",
					   (int)row->writes, "stand_in", (int)stand_in, "points");

		if (plan->profile->searches)
			describe_search(row, object);
		if (row->row->steps == STEPS_ONCE)
			json_object_set_new(object, "steps", json_string("once"));
		if (row->row->steps == STEPS_ROUNDS || row->row->steps == STEPS_LADDER)
			describe_steady(plan, row, object);
		json_array_append_new(rows, object);
	}
	return rows;
}

static void describe_target(const struct plan *plan, json_t *root)
{
	const struct target *target = plan->target;
	bool simulated = target->kind == TARGET_SIM;
	char drive[128], identity[PATH_MAX + 64];

	target_drive_name(target, plan->options->name, drive, sizeof(drive));
	target_identity(target, identity, sizeof(identity));
	json_object_set_new(root, "drive", utf8_json(drive));
	json_object_set_new(root, "target", utf8_json(target->path));
	json_object_set_new(root, "target_kind", json_string(target_kind_word(target)));
	json_object_set_new(root, "identity", utf8_json(identity));
	json_object_set_new(root, "simulated", json_boolean(simulated));
	json_object_set_new(root, "scale", json_integer(target->scale));
	json_object_set_new(root, "stand_in", json_boolean(plan->profile->stand_in));
}

/* Rows like with like: the stated thread counts make another protocol. */
static json_t *protocol_of(const struct plan *plan)
{
	return json_sprintf("%s%s", plan->profile->name,
			    plan->options->stated_threads ? "-stated" : "");
}

json_t *index_describe(const struct plan *plan)
{
	const struct run_options *options = plan->options;
	json_t *root = json_object();

	json_object_set_new(root, "version", json_integer(INDEX_VERSION));
	json_object_set_new(root, "name", json_string(options->name));
	json_object_set_new(root, "profile", json_string(plan->profile->name));
	json_object_set_new(root, "protocol", protocol_of(plan));
	describe_target(plan, root);
	json_object_set_new(root, "quick", json_boolean(options->quick));
	json_object_set_new(root, "read_only", json_boolean(options->read_only));
	if (options->fixed_time)
		json_object_set_new(root, "fixed_time", json_true());
	json_object_set_new(root, "stated_threads", json_boolean(options->stated_threads));
	json_object_set_new(root, "region_bytes", json_integer((json_int_t)plan->region_bytes));
	json_object_set_new(root, "region", json_string(plan->region));
	json_object_set_new(root, "wait_s", json_real(plan->wait_s));
	json_object_set_new(root, "measure_s", json_real(plan->measure_s));
	if (plan->profile->searches) {
		json_object_set_new(root, "search", json_string("clones"));
		json_object_set_new(root, "sla", json_string(plan->sla.text));
		json_object_set_new(root, "stagger_s", json_real(plan->stagger_s));
	}
	json_object_set_new(root, "repeat", json_integer(options->repeat));
	json_object_set_new(root, "jobs", json_integer(options->jobs));
	json_object_set_new(root, "started", time_json(time(NULL)));
	json_object_set_new(root, "updated", time_json(time(NULL)));
	json_object_set_new(root, "finished", json_null());
	json_object_set_new(root, "filled", json_false());
	json_object_set_new(root, "purged", json_null());
	json_object_set_new(root, "warnings", plan_warnings(plan));
	json_object_set_new(root, "rows", describe_rows(plan));
	return root;
}
