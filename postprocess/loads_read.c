/* SPDX-License-Identifier: GPL-2.0-only */
/* The loads of a row from its rounds.json. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/json_reader.h"
#include "postprocess/loads.h"
#include "postprocess/point.h"

#define MOST_LOADS   64
#define MOST_SAMPLES 1000000

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static void take_text(const json_t *object, const char *key, char *text, size_t room)
{
	const char *value = json_string_value(json_object_get(object, key));

	text_clean(value ? value : "", value ? strlen(value) : 0, text, room);
}

/* ---- what loads there are -------------------------------------------------------------------- */

static void take_load(const json_t *entry, struct load_sum *load)
{
	take_text(entry, "load", load->name, sizeof(load->name));
	load->block_bytes = number(entry, "block_bytes");
	load->read_percent = number(entry, "read_percent");
	load->random = json_is_true(json_object_get(entry, "random"));
	load->work_s = number(entry, "work_s");
	load->idle_s = number(entry, "idle_s");
	load->work_share = load->work_s > 0 && load->idle_s > 0
				   ? load->work_s / (load->work_s + load->idle_s)
				   : 1;
}

static int take_loads(const json_t *root, struct load_list *list)
{
	const json_t *loads = json_object_get(root, "loads"), *entry;
	size_t i;

	list->loads = calloc(MOST_LOADS, sizeof(*list->loads));
	if (!list->loads)
		return -1;
	json_array_foreach(loads, i, entry)
	{
		if (i >= MOST_LOADS)
			break;
		take_load(entry, &list->loads[list->count++]);
	}
	json_array_foreach(json_object_get(root, "left_out"), i, entry)
	{
		char name[64];

		take_text(entry, "load", name, sizeof(name));
		text_append(list->left_out, sizeof(list->left_out), "%s%s", i ? ", " : "", name);
	}
	return 0;
}

static struct load_sum *find_load(const struct load_list *list, const json_t *entry)
{
	const char *name = json_string_value(json_object_get(entry, "load"));
	size_t i;

	for (i = 0; name && i < list->count; i++)
		if (!strcmp(list->loads[i].name, name))
			return &list->loads[i];
	return NULL;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static const struct load_values unknown = {{NAN, NAN, NAN, NAN, NAN}};

static struct load_values values_of(const json_t *entry, const struct load_sum *load)
{
	const json_t *both = json_object_get(entry, "both");

	return (struct load_values){
		{number(both, "iops") / load->work_share,
		 number(both, "bytes_per_s") / load->work_share, number(both, "mean_ns") / 1000,
		 number(entry, "p99_999_ns") / 1000, number(both, "max_ns") / 1000}};
}

static int make_rounds(struct load_list *list)
{
	size_t i, j;

	for (i = 0; i < list->count; i++) {
		list->loads[i].rounds = calloc(list->rounds + 1, sizeof(struct load_values));
		list->loads[i].invalid = calloc(list->rounds + 1, sizeof(bool));
		if (!list->loads[i].rounds || !list->loads[i].invalid)
			return -1;
		for (j = 0; j < list->rounds; j++)
			list->loads[i].rounds[j] = unknown;
	}
	return 0;
}

static void take_load_round(const json_t *entry, size_t round, struct load_list *list)
{
	struct load_sum *load = find_load(list, entry);
	const char *invalid = round_load_invalid(entry);

	if (!load)
		return;
	load->rounds[round] = values_of(entry, load);
	load->invalid[round] = invalid != NULL;
	if (invalid && !list->invalid_why[0])
		text_clean(invalid, strlen(invalid), list->invalid_why, sizeof(list->invalid_why));
}

static int take_rounds(const json_t *root, struct load_list *list)
{
	const json_t *rounds = json_object_get(root, "rounds"), *round, *entry;
	size_t i, j;

	list->rounds = json_array_size(rounds);
	if (make_rounds(list))
		return -1;
	json_array_foreach(rounds, i, round)
	{
		json_array_foreach(json_object_get(round, "loads"), j, entry)
			take_load_round(entry, i, list);
	}
	return 0;
}

/* A row that ended without a window to judge, for its rounds do not follow one another. */
static void take_last_rounds(const json_t *root, struct load_list *list)
{
	json_int_t window =
		json_integer_value(json_object_get(json_object_get(root, "rule"), "window"));

	if (!list->rounds || window < 2)
		return;
	list->last = (unsigned)list->rounds;
	list->first = window < (json_int_t)list->rounds ? list->last - (unsigned)window + 1 : 1;
	list->is_unjudged = true;
}

/* The window that was judged; of a sequence, which is judged by nothing, its only round. */
static void take_window(const json_t *root, struct load_list *list)
{
	const json_t *steady = json_object_get(root, "steady");
	const json_t *track = json_array_get(json_object_get(steady, "track"), 0);
	const json_t *window = json_object_get(track, "rounds");
	size_t count = json_array_size(window);
	json_int_t first = json_integer_value(json_array_get(window, 0));
	json_int_t last = json_integer_value(json_array_get(window, count - 1));

	if (list->is_sequence && list->rounds)
		first = last = 1;
	else if (json_is_string(json_object_get(steady, "text")) && count < 2) {
		take_last_rounds(root, list);
		return;
	}
	if (first < 1 || last < first || last > (json_int_t)list->rounds)
		return;
	list->first = (unsigned)first;
	list->last = (unsigned)last;
}

/* Of the rounds that count, or of those that are invalid. */
static double over_window(const struct load_list *list, const struct load_sum *load,
			  enum load_value value, bool invalid)
{
	double sum = 0, largest = NAN;
	unsigned i, known = 0;

	for (i = list->first; list->first && i <= list->last; i++) {
		double own = load->rounds[i - 1].values[value];

		if (isnan(own) || load->invalid[i - 1] != invalid)
			continue;
		sum += own;
		largest = fmax(largest, own);
		known++;
	}
	if (value == LOAD_MAX)
		return largest;
	return known ? sum / known : NAN;
}

static unsigned count_invalid(const struct load_list *list, const struct load_sum *load)
{
	unsigned i, count = 0;

	for (i = list->first; list->first && i <= list->last; i++)
		count += load->invalid[i - 1];
	return count;
}

static void sum_up_load(const struct load_list *list, struct load_sum *load)
{
	enum load_value value;
	bool counts = false;

	load->invalid_rounds = count_invalid(list, load);
	for (value = LOAD_IOPS; value < LOAD_VALUES; value++) {
		load->over_window.values[value] = over_window(list, load, value, false);
		counts |= !isnan(load->over_window.values[value]);
	}
	load->left_out = unknown;
	for (value = LOAD_IOPS; !counts && value < LOAD_VALUES; value++)
		load->left_out.values[value] = over_window(list, load, value, true);
}

static void sum_up(struct load_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		sum_up_load(list, &list->loads[i]);
}

/* ---- samples --------------------------------------------------------------------------------- */

static int take_samples(const json_t *root, struct load_list *list)
{
	const json_t *samples = json_object_get(root, "samples"), *entry;
	size_t i;

	if (!list->is_sequence)
		return 0;
	list->samples = calloc(json_array_size(samples) + 1, sizeof(*list->samples));
	if (!list->samples)
		return -1;
	json_array_foreach(samples, i, entry)
	{
		const struct load_sum *load = find_load(list, entry);
		const json_t *both = json_object_get(entry, "both");

		if (!load || i >= MOST_SAMPLES || !(number(entry, "seconds") > 0))
			continue;
		list->samples[list->sample_count++] = (struct load_sample){
			.load = (size_t)(load - list->loads),
			.start_s = number(entry, "start_s"),
			.seconds = number(entry, "seconds"),
			.iops = json_is_null(both) ? 0 : number(both, "iops") / load->work_share,
			.bytes_per_s = json_is_null(both)
					       ? 0
					       : number(both, "bytes_per_s") / load->work_share,
			.mean_us = number(both, "mean_ns") / 1000};
	}
	return 0;
}

/* ---- the file -------------------------------------------------------------------------------- */

static unsigned whole(const json_t *object, const char *key)
{
	double value = number(object, key);

	return value > 0 && value < 1e9 ? (unsigned)value : 0;
}

static int take_all(const json_t *root, struct load_list *list)
{
	const char *until =
		json_string_value(json_object_get(json_object_get(root, "rule"), "until"));

	list->is_sequence = until && !strcmp(until, "sequence");
	list->threads = whole(root, "threads");
	list->queue = whole(root, "queue");
	take_text(root, json_is_string(json_object_get(root, "title")) ? "title" : "row",
		  list->title, sizeof(list->title));
	if (!list->is_sequence && json_array_size(json_object_get(root, "loads")) < 2)
		return 0;
	if (take_loads(root, list) || take_rounds(root, list) || take_samples(root, list))
		return -1;
	take_window(root, list);
	sum_up(list);
	return 0;
}

int loads_read(const char *path, struct load_list *list, struct error *err)
{
	json_error_t fault;
	json_t *root = json_load_file(path, 0, &fault);
	int status = 0;

	*list = (struct load_list){.count = 0};
	if (!root)
		return error_set(err, "%s cannot be read: line %d: %s", path, fault.line,
				 fault.text);
	if (take_all(root, list))
		status = error_set(err, "%s: not enough memory", path);
	json_decref(root);
	if (status)
		loads_free(list);
	return status;
}

void loads_free(struct load_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		free(list->loads[i].rounds);
		free(list->loads[i].invalid);
	}
	free(list->loads);
	free(list->samples);
	*list = (struct load_list){.count = 0};
}

/* ---- matrix ---------------------------------------------------------------------------------- */

/* Keeps a rising list; false when it is full. */
static bool insert(double *values, size_t *count, size_t most, double value)
{
	size_t at = 0;

	while (at < *count && values[at] < value)
		at++;
	if (at < *count && values[at] == value)
		return true;
	if (*count == most)
		return false;
	memmove(values + at + 1, values + at, (*count - at) * sizeof(*values));
	values[at] = value;
	(*count)++;
	return true;
}

static size_t place_of(const double *values, double value)
{
	size_t at = 0;

	while (values[at] != value)
		at++;
	return at;
}

static bool find_axes(const struct load_list *list, struct load_matrix *matrix)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		const struct load_sum *load = &list->loads[i];

		if (!load->random || isnan(load->block_bytes) || isnan(load->read_percent) ||
		    !insert(matrix->blocks, &matrix->block_count, MATRIX_BLOCKS,
			    load->block_bytes) ||
		    !insert(matrix->percents, &matrix->percent_count, MATRIX_SHARES,
			    load->read_percent))
			return false;
	}
	return matrix->block_count > 1 && matrix->percent_count > 1;
}

bool loads_matrix(const struct load_list *list, struct load_matrix *matrix)
{
	size_t i;

	*matrix = (struct load_matrix){.block_count = 0};
	if (list->is_sequence || !find_axes(list, matrix))
		return false;
	for (i = 0; i < list->count; i++) {
		const struct load_sum *load = &list->loads[i];
		const struct load_sum **cell =
			&matrix->cells[place_of(matrix->blocks, load->block_bytes)]
				      [place_of(matrix->percents, load->read_percent)];

		if (*cell)
			return false;
		*cell = load;
	}
	return true;
}
