/* SPDX-License-Identifier: GPL-2.0-only */
/* The folder a review leaves behind (docs/results.md). */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postprocess/json_reader.h"
#include "postprocess/point.h"
#include "postprocess/result.h"

static void take_text(const json_t *object, const char *key, char *text, size_t room)
{
	const char *value = json_string_value(json_object_get(object, key));

	text_clean(value ? value : "", value ? strlen(value) : 0, text, room);
}

static unsigned take_unsigned(const json_t *object, const char *key, unsigned fallback)
{
	const json_t *value = json_object_get(object, key);
	json_int_t number = json_integer_value(value);

	return json_is_integer(value) && number >= 0 && number < 1u << 30 ? (unsigned)number
									  : fallback;
}

static double take_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static void take_head(const json_t *index, struct result *result)
{
	take_text(index, "name", result->name, sizeof(result->name));
	take_text(index, "drive", result->drive, sizeof(result->drive));
	take_text(index, "profile", result->profile, sizeof(result->profile));
	take_text(index, "protocol", result->protocol, sizeof(result->protocol));
	take_text(index, "region", result->region, sizeof(result->region));
	take_text(index, "purged", result->purged, sizeof(result->purged));
	fill_words(json_object_get(index, "fill"), result->filled, sizeof(result->filled));
	take_text(index, "target", result->target, sizeof(result->target));
	take_text(index, "started", result->started, sizeof(result->started));
	take_text(index, "finished", result->finished, sizeof(result->finished));
	result->simulated = json_is_true(json_object_get(index, "simulated"));
	result->quick = json_is_true(json_object_get(index, "quick"));
	result->searches = json_is_string(json_object_get(index, "search"));
	result->scale = take_unsigned(index, "scale", 1);
	result->repeat = take_unsigned(index, "repeat", 1);
	result->jobs = take_unsigned(index, "jobs", 1);
	result->wait_s = take_number(index, "wait_s");
	result->measure_s = take_number(index, "measure_s");
	if (!result->drive[0])
		snprintf(result->drive, sizeof(result->drive), "%.100s", result->name);
	if (!result->drive[0])
		text_clean(result->path, strlen(result->path), result->drive,
			   sizeof(result->drive));
}

static char *path_in(const char *folder, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Paths of the statistics files; the list and its strings are the caller's. */
static size_t stats_paths(const char *folder, const json_t *entry, char **paths)
{
	const json_t *list = json_object_get(entry, "stats");
	size_t i, count = 0;

	for (i = 0; i < json_array_size(list) && count < MAX_STATS_FILES; i++) {
		const char *name = json_string_value(json_array_get(list, i));

		if (name && (paths[count] = path_in(folder, name)))
			count++;
	}
	return count;
}

static void read_files(const char *folder, const json_t *entry, const char *name, double nominal,
		       struct point *point)
{
	const char *json_name = json_string_value(json_object_get(entry, "json"));
	char *json_path = json_name ? path_in(folder, json_name) : NULL;
	char *paths[MAX_STATS_FILES];
	size_t count, i;

	if (!json_path) {
		point_fail(point, "the index names no file for it");
		return;
	}
	if (access(json_path, R_OK)) {
		point_fail(point, "%s: %s", json_name, strerror(errno));
		free(json_path);
		return;
	}
	count = stats_paths(folder, entry, paths);
	point_read(json_path, (const char *const *)paths, count, name, nominal, point);
	for (i = 0; i < count; i++)
		free(paths[i]);
	free(json_path);
}

static void take_measure(const json_t *measures, const char *key, double *values)
{
	const json_t *measure = json_object_get(measures, key);

	values[MINUTE_IOPS] = take_number(measure, "iops");
	values[MINUTE_MEAN] = take_number(measure, "mean_ns") / 1000;
	values[MINUTE_MAX] = take_number(measure, "max_ns") / 1000;
	values[MINUTE_STDDEV] = take_number(measure, "stddev_ns") / 1000;
}

static void take_measures(const json_t *entry, struct point *point)
{
	const json_t *measures = json_object_get(entry, "measures");

	take_measure(measures, "read", point->measures[IO_READ]);
	take_measure(measures, "write", point->measures[IO_WRITE]);
	take_measure(measures, "both", point->measures[IO_BOTH]);
}

static void read_point(const json_t *entry, struct result *result, struct curve *curve)
{
	const char *failed = json_string_value(json_object_get(entry, "failed"));
	char name[32];
	double nominal;
	struct point *point;

	take_text(entry, "point", name, sizeof(name));
	nominal = curve_nominal_iops(curve, name);
	point = curve_add_point(curve, name);
	if (!point)
		return;
	read_files(result->path, entry, name, nominal, point);
	point->repeat = take_unsigned(entry, "repeat", 1);
	point->rested_min = take_unsigned(entry, "rested_min", 0);
	point->simulated |= result->simulated;
	point->own_engine = true; /* reviews use no other */
	take_measures(entry, point);
	point_take_telemetry(json_object_get(entry, "telemetry"), point);
	if (failed)
		point_fail(point, "%s", failed);
	else if (point->verdict == POINT_FAILED)
		result_warn(result, "%s, point %s failed: %s", curve->row, name, point->reason);
}

/* A row of rounds has a file of its own; a ladder names its steps, taken or not. */
static int take_kind(const json_t *entry, struct result *result, struct curve *curve)
{
	const char *steps = json_string_value(json_object_get(entry, "steps"));
	const char *rounds = json_string_value(json_object_get(entry, "rounds"));
	const json_t *ladder = json_object_get(entry, "ladder"), *step;
	size_t i;

	if (steps && !strcmp(steps, "rounds"))
		curve->kind = CURVE_OF_ROUNDS;
	if (curve->kind == CURVE_OF_ROUNDS && rounds)
		snprintf(curve->rounds_path, sizeof(curve->rounds_path), "%s/%.200s", result->path,
			 rounds);
	if (!steps || strcmp(steps, "ladder"))
		return 0;
	curve->kind = CURVE_OF_LADDER;
	take_text(entry, "after", curve->after, sizeof(curve->after));
	curve->ladder = calloc(json_array_size(ladder) + 1, sizeof(*curve->ladder));
	if (!curve->ladder)
		return -1;
	curve->ladder_count = json_array_size(ladder);
	json_array_foreach(ladder, i, step) if (json_is_string(step))
		snprintf(curve->ladder[i], sizeof(curve->ladder[i]), "%s", json_string_value(step));
	return 0;
}

/* all_stand_in: the whole review is one. */
static int read_row(const json_t *entry, bool all_stand_in, struct result *result)
{
	const json_t *points = json_object_get(entry, "points"), *point;
	struct curve *curve;
	char row[192];
	size_t i;

	take_text(entry, "row", row, sizeof(row));
	curve = result_add_curve(result, row);
	if (!curve)
		return -1;
	curve->in_flight = take_unsigned(entry, "in_flight", 0);
	curve->writes = json_is_true(json_object_get(entry, "writes"));
	curve->stand_in = all_stand_in || json_is_true(json_object_get(entry, "stand_in"));
	if (take_kind(entry, result, curve))
		return -1;
	if (curve->kind != CURVE_OF_ROUNDS)
		json_array_foreach(points, i, point) read_point(point, result, curve);
	return 0;
}

static bool has_point(const struct curve *curve, const char *name, unsigned repeat)
{
	size_t i;

	for (i = 0; i < curve->count; i++)
		if (!strcmp(curve->points[i].name, name) && curve->points[i].repeat == repeat)
			return true;
	return false;
}

/* The smallest repeat after another one; 0 for none. */
static unsigned next_repeat(const struct curve *curve, unsigned after)
{
	unsigned next = 0;
	size_t i;

	for (i = 0; i < curve->count; i++)
		if (curve->points[i].repeat > after && (!next || curve->points[i].repeat < next))
			next = curve->points[i].repeat;
	return next;
}

/* What a curve lacks of one repeat of another: " max 010", or "; repeat 2: max 010". */
static void list_missing(const struct curve *curve, const struct curve *longest, unsigned repeat,
			 FILE *out)
{
	bool first = true;
	size_t i;

	for (i = 0; i < longest->count; i++) {
		const struct point *point = &longest->points[i];

		if (point->repeat != repeat || has_point(curve, point->name, repeat))
			continue;
		if (first && repeat > 1)
			fprintf(out, "%s repeat %u:", ftell(out) ? ";" : "", repeat);
		fprintf(out, " %s", point->name);
		first = false;
	}
}

/* Points that another row of the review has and this one lacks. */
static void name_missing(struct result *result, const struct curve *curve,
			 const struct curve *longest)
{
	char *missing = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&missing, &bytes);
	unsigned repeat;

	if (!out)
		return;
	for (repeat = next_repeat(longest, 0); repeat; repeat = next_repeat(longest, repeat))
		list_missing(curve, longest, repeat, out);
	fclose(out);
	if (bytes)
		result_warn(result, "%s has no point%s; run the review again to go on", curve->row,
			    missing);
	free(missing);
}

static void name_what_is_missing(struct result *result)
{
	const struct curve *longest = NULL;
	size_t i;

	for (i = 0; i < result->count; i++)
		if (result->curves[i].kind == CURVE_OF_RATES &&
		    (!longest || result->curves[i].count > longest->count))
			longest = &result->curves[i];
	for (i = 0; longest && !result->searches && i < result->count; i++)
		if (result->curves[i].kind == CURVE_OF_RATES)
			name_missing(result, &result->curves[i], longest);
	if (!result->finished[0])
		result_warn(result, "the review is not finished");
}

/* What a review says of its drive and its machine; without it the figures stand all the same. */
static void check_conditions(const char *name, struct result *result)
{
	char *path = path_in(result->path, name);
	json_error_t fault;
	json_t *object;

	if (!path || access(path, F_OK)) {
		free(path);
		return;
	}
	object = json_load_file(path, 0, &fault);
	if (!object)
		result_warn(result, "%s is damaged at line %d and left out: %s", path,
			    fault.line > 0 ? fault.line : 1, fault.text);
	json_decref(object);
	free(path);
}

static int read_index(const json_t *index, struct result *result, struct error *err)
{
	const json_t *rows = json_object_get(index, "rows"), *entry;
	bool all_stand_in = json_is_true(json_object_get(index, "stand_in"));
	size_t i;

	if (take_unsigned(index, "version", 0) != 1)
		return error_set(err, "%s/review.json has version %d, this program reads version 1",
				 result->path,
				 (int)json_integer_value(json_object_get(index, "version")));
	take_head(index, result);
	json_array_foreach(json_object_get(index, "warnings"), i, entry) if (json_is_string(entry))
		result_warn(result, "%s", json_string_value(entry));
	json_array_foreach(rows, i, entry)
	{
		if (read_row(entry, all_stand_in, result))
			return error_set(err, "%s: not enough memory", result->path);
	}
	check_conditions("drive.json", result);
	check_conditions("host.json", result);
	name_what_is_missing(result);
	return 0;
}

int result_read_review(const char *folder, struct result *result, struct error *err)
{
	char *path = path_in(folder, "review.json");
	json_error_t fault;
	json_t *index;
	int status;

	if (!path)
		return error_set(err, "%s: not enough memory", folder);
	if (access(path, R_OK)) {
		error_set(err, "%s is no review: %s cannot be read (%s)", folder, path,
			  strerror(errno));
		free(path);
		return -1;
	}
	index = json_load_file(path, 0, &fault);
	if (!index)
		error_set(err, "%s is damaged at line %d: %s", path, fault.line, fault.text);
	free(path);
	if (!index)
		return -1;
	status = read_index(index, result, err);
	json_decref(index);
	return status;
}
