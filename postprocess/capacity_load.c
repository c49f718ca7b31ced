/* SPDX-License-Identifier: GPL-2.0-only */
/* What each drive carries, from the folders of its reviews; drives by place. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/capacity.h"
#include "postprocess/grow.h"
#include "postprocess/json_reader.h"

static void take_text(const json_t *object, const char *key, char *text, size_t room)
{
	const char *value = json_string_value(json_object_get(object, key));

	text_clean(value ? value : "", value ? strlen(value) : 0, text, room);
}

static unsigned take_count(const json_t *object, const char *key)
{
	json_int_t number = json_integer_value(json_object_get(object, key));

	return number > 0 && number < 1 << 30 ? (unsigned)number : 1;
}

/* ---- trials -----------------------------------------------------------------------------------
 */

static const struct point *find_point(const struct curve *curve, const char *name, unsigned repeat)
{
	size_t i;

	for (i = 0; i < curve->count; i++)
		if (!strcmp(curve->points[i].name, name) && curve->points[i].repeat == repeat)
			return &curve->points[i];
	return NULL;
}

static void judge_files(const struct capacity *capacity, const json_t *entry,
			const struct point *point, struct trial *trial)
{
	const json_t *list = json_object_get(entry, "stats");
	char *paths[MAX_STATS_FILES];
	size_t count = 0, i;

	for (i = 0; i < json_array_size(list) && count < MAX_STATS_FILES; i++) {
		const char *name = json_string_value(json_array_get(list, i));

		if (name && asprintf(&paths[count], "%s/%s", capacity->result->path, name) >= 0)
			count++;
	}
	trial_judge(point, (const char *const *)paths, count, &capacity->sla, trial);
	for (i = 0; i < count; i++)
		free(paths[i]);
}

/* A point that failed says nothing: it is measured again when the review goes on. */
static int add_trial(struct capacity *capacity, const struct curve *curve, const json_t *entry)
{
	struct trial trial = {.repeat = take_count(entry, "repeat")}, *larger;
	const struct point *point;
	char name[32];

	take_text(entry, "point", name, sizeof(name));
	trial.desktops = trial_desktops(name);
	trial.copies = trial.desktops / capacity->desktops_a_copy;
	point = find_point(curve, name, trial.repeat);
	if (!trial.copies || !point || json_is_string(json_object_get(entry, "failed")))
		return 0;
	larger = list_grow(capacity->trials, capacity->count, sizeof(*larger));
	if (!larger)
		return -1;
	capacity->trials = larger;
	judge_files(capacity, entry, point, &trial);
	larger[capacity->count++] = trial;
	return 0;
}

static int by_desktops(const void *a, const void *b)
{
	const struct trial *x = a, *y = b;

	if (x->desktops != y->desktops)
		return x->desktops < y->desktops ? -1 : 1;
	return (x->repeat > y->repeat) - (x->repeat < y->repeat);
}

const struct trial *capacity_trial(const struct capacity *capacity, unsigned copies)
{
	const struct trial *found = NULL;
	size_t i;

	for (i = 0; copies && i < capacity->count; i++)
		if (capacity->trials[i].copies == copies &&
		    (!found || found->outcome == TRIAL_SPOILT))
			found = &capacity->trials[i];
	return found;
}

/* ---- one row of one drive ---------------------------------------------------------------------
 */

static bool is_simulated(const struct capacity *capacity, const struct curve *curve)
{
	size_t i;

	for (i = 0; i < curve->count; i++)
		if (curve->points[i].simulated)
			return true;
	return capacity->result->simulated;
}

static void mark(struct capacity *capacity, const struct curve *curve)
{
	const struct result *result = capacity->result;
	char scale[32] = "", odd[80] = "", shared[80] = "";

	if (result->scale > 1)
		snprintf(scale, sizeof(scale), ", scale %u", result->scale);
	if (capacity->finding.odd)
		snprintf(odd, sizeof(odd), "; %u held all the same",
			 capacity->finding.odd * capacity->desktops_a_copy);
	if (capacity->finding.holds > capacity->apart && capacity->apart)
		snprintf(shared, sizeof(shared), ", places shared beyond %u",
			 capacity->apart * capacity->desktops_a_copy);
	else if (capacity->finding.holds > capacity->apart)
		snprintf(shared, sizeof(shared), ", places shared");
	snprintf(capacity->marks, sizeof(capacity->marks), "%s%s%s%s%s%s",
		 is_simulated(capacity, curve) ? "simulated" : "measured",
		 capacity->stand_in ? ", stand-in" : "", result->quick ? ", quick" : "", scale,
		 shared, odd);
}

static void take_row(const json_t *index, const json_t *row, struct capacity *capacity)
{
	take_text(row, "row", capacity->row, sizeof(capacity->row));
	take_text(row, "verb", capacity->verb, sizeof(capacity->verb));
	take_text(row, "most_why", capacity->most_why, sizeof(capacity->most_why));
	capacity->stagger_s = json_number_value(json_object_get(index, "stagger_s"));
	capacity->in_flight = take_count(row, "in_flight");
	capacity->desktops_a_copy = take_count(row, "desktops");
	capacity->apart = (unsigned)json_integer_value(json_object_get(row, "apart"));
	capacity->rules.most = take_count(row, "most");
	capacity->rules.gap = (unsigned)json_integer_value(json_object_get(row, "gap"));
	capacity->stand_in = json_is_true(json_object_get(index, "stand_in")) ||
			     json_is_true(json_object_get(row, "stand_in"));
}

static int read_row(const json_t *index, const json_t *row, struct capacity *capacity)
{
	const json_t *points = json_object_get(row, "points"), *entry;
	const struct curve *curve;
	size_t i;

	take_row(index, row, capacity);
	curve = result_find_curve(capacity->result, capacity->row);
	json_array_foreach(points, i, entry)
	{
		if (curve && add_trial(capacity, curve, entry))
			return -1;
	}
	if (capacity->count)
		qsort(capacity->trials, capacity->count, sizeof(*capacity->trials), by_desktops);
	search_look(&capacity->rules, capacity->trials, capacity->count, &capacity->finding);
	if (curve)
		mark(capacity, curve);
	return 0;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

struct capacity_list {
	struct capacity_ranking *rankings;
	size_t count;
	const char *row; /* only this one; NULL: all */
};

static struct capacity_ranking *find_ranking(struct capacity_list *list,
					     const struct capacity *capacity)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		struct capacity_ranking *ranking = &list->rankings[i];

		if (!strcmp(ranking->row, capacity->row) &&
		    !strcmp(ranking->protocol, capacity->result->protocol) &&
		    !strcmp(ranking->sla.text, capacity->sla.text) &&
		    ranking->stagger_s == capacity->stagger_s)
			return ranking;
	}
	return NULL;
}

static struct capacity_ranking *add_ranking(struct capacity_list *list,
					    const struct capacity *capacity)
{
	struct capacity_ranking *larger = list_grow(list->rankings, list->count, sizeof(*larger));

	if (!larger)
		return NULL;
	list->rankings = larger;
	larger += list->count++;
	*larger = (struct capacity_ranking){.sla = capacity->sla, .stagger_s = capacity->stagger_s};
	snprintf(larger->row, sizeof(larger->row), "%s", capacity->row);
	snprintf(larger->protocol, sizeof(larger->protocol), "%s", capacity->result->protocol);
	return larger;
}

static int add_capacity(struct capacity_list *list, const struct capacity *capacity)
{
	struct capacity_ranking *ranking = find_ranking(list, capacity);
	struct capacity *larger;

	if (!ranking)
		ranking = add_ranking(list, capacity);
	if (!ranking)
		return -1;
	larger = list_grow(ranking->entries, ranking->count, sizeof(*larger));
	if (!larger)
		return -1;
	ranking->entries = larger;
	larger[ranking->count++] = *capacity;
	return 0;
}

static int add_rows(struct capacity_list *list, const struct result *result, const json_t *index,
		    const struct sla *sla)
{
	const json_t *rows = json_object_get(index, "rows"), *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		const char *name = json_string_value(json_object_get(row, "row"));
		struct capacity capacity = {.result = result, .sla = *sla};

		if (!name || (list->row && strcmp(list->row, name)))
			continue;
		if (read_row(index, row, &capacity) || add_capacity(list, &capacity)) {
			free(capacity.trials);
			return -1;
		}
	}
	return 0;
}

static int add_result(struct capacity_list *list, const struct result *result, struct error *err)
{
	char path[sizeof(result->path) + 16];
	const char *promise;
	json_error_t fault;
	struct sla sla;
	json_t *index;
	int status;

	snprintf(path, sizeof(path), "%s/review.json", result->path);
	index = json_load_file(path, 0, &fault);
	if (!index)
		return error_set(err, "%s is damaged at line %d: %s", path, fault.line, fault.text);
	promise = json_string_value(json_object_get(index, "sla"));
	status = sla_parse(promise ? promise : "", &sla, err);
	if (status)
		error_prefix(err, "%s, \"sla\"", path);
	else if (add_rows(list, result, index, &sla))
		status = error_set(err, "not enough memory for %s", path);
	json_decref(index);
	return status;
}

/* ---- places -----------------------------------------------------------------------------------
 */

static bool is_known(const struct capacity *capacity)
{
	return capacity->finding.end == SEARCH_FOUND || capacity->finding.end == SEARCH_NOT_ONE;
}

static unsigned desktops_of(const struct capacity *capacity)
{
	return capacity->finding.holds * capacity->desktops_a_copy;
}

/* Most desktops first, known or "at least"; by name where they are level. */
static int by_place(const void *a, const void *b)
{
	const struct capacity *x = a, *y = b;

	if (desktops_of(x) != desktops_of(y))
		return desktops_of(x) > desktops_of(y) ? -1 : 1;
	return strcmp(x->result->drive, y->result->drive);
}

/* "At least" has no place, for it may be more; but it is ahead of every smaller number. */
static void give_places(struct capacity_ranking *ranking)
{
	struct capacity *first = ranking->entries;
	size_t i, ahead = 0;

	qsort(first, ranking->count, sizeof(*first), by_place);
	for (i = 0; i < ranking->count; i++) {
		while (desktops_of(&first[ahead]) > desktops_of(&first[i]))
			ahead++;
		if (is_known(&first[i]))
			first[i].place = (unsigned)ahead + 1;
		first[i].gap = desktops_of(first) - desktops_of(&first[i]);
	}
}

int capacities_make(struct result *const *results, size_t count, const char *row,
		    struct capacity_ranking **rankings, size_t *ranking_count, struct error *err)
{
	struct capacity_list list = {.row = row};
	size_t i;

	*rankings = NULL;
	*ranking_count = 0;
	for (i = 0; i < count; i++) {
		if (!results[i]->searches || !add_result(&list, results[i], err))
			continue;
		capacities_free(list.rankings, list.count);
		return -1;
	}
	for (i = 0; i < list.count; i++)
		give_places(&list.rankings[i]);
	*rankings = list.rankings;
	*ranking_count = list.count;
	return 0;
}

void capacities_free(struct capacity_ranking *list, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < list[i].count; j++)
			free(list[i].entries[j].trials);
		free(list[i].entries);
	}
	free(list);
}
