/* SPDX-License-Identifier: GPL-2.0-only */
/* The intervals of statistics files, those of a point's clones taken together. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/histogram.h"
#include "postprocess/json_reader.h"
#include "postprocess/point.h"
#include "postprocess/result.h"
#include "postprocess/timeline.h"

#define MOST_INTERVALS 1000000 /* eleven days of seconds */

/* The files of a point's clones while they are read. */
struct clones {
	json_t *roots[MAX_STATS_FILES];
	size_t count;
};

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static double count_of(const json_t *object, const char *key)
{
	double value = number(object, key);

	return value > 0 ? value : 0;
}

static bool has_intervals(const json_t *root)
{
	return json_is_string(json_object_get(root, "engine")) &&
	       json_is_array(json_object_get(root, "intervals"));
}

bool is_statistics(const char *path)
{
	json_t *root = json_load_file(path, 0, NULL);
	bool found = has_intervals(root);

	json_decref(root);
	return found;
}

/* ---- one interval ---------------------------------------------------------------------------- */

/* Sums over clones while a moment is made. */
struct sums {
	double count, total_us, late_count, late_total_us;
	struct histogram response;
};

static void add_interval(const json_t *interval, struct moment *moment, struct sums *sums)
{
	double count = count_of(interval, "count"), late = count_of(interval, "late_count");

	moment->start_s = number(interval, "start_ns") / 1e9;
	moment->length_s = fmax(moment->length_s, count_of(interval, "length_ns") / 1e9);
	sums->count += count;
	sums->total_us += count * count_of(interval, "mean_ns") / 1000;
	stats_add_interval(interval, &sums->response);
	if (!late)
		return;
	sums->late_count += late;
	sums->late_total_us += late * count_of(interval, "late_mean_ns") / 1000;
	moment->late_p99_us = fmax(moment->late_p99_us, number(interval, "late_p99_ns") / 1000);
}

/* Old files do not say how long an interval was: as long as all. */
static void finish_moment(const struct sums *sums, double interval_s, struct moment *moment)
{
	if (!(moment->length_s > 0))
		moment->length_s = interval_s;
	moment->iops = sums->count / moment->length_s;
	if (sums->count > 0)
		moment->mean_us = sums->total_us / sums->count;
	if (sums->response.count)
		moment->p99_us = (double)histogram_percentile_ns(&sums->response, 0.99) / 1000;
	if (sums->late_count > 0)
		moment->late_mean_us = sums->late_total_us / sums->late_count;
}

static double interval_of(const struct clones *clones)
{
	double interval_s = number(clones->roots[0], "interval_ns") / 1e9;

	return interval_s > 0 ? interval_s : 1;
}

static int take_moment(const struct clones *clones, size_t at, struct moment *moment)
{
	struct sums *sums = calloc(1, sizeof(*sums));
	size_t i;

	if (!sums)
		return -1;
	*moment = (struct moment){.start_s = NAN,
				  .mean_us = NAN,
				  .p99_us = NAN,
				  .late_mean_us = NAN,
				  .late_p99_us = NAN,
				  .temperature_c = NAN};
	for (i = 0; i < clones->count; i++) {
		const json_t *list = json_object_get(clones->roots[i], "intervals");

		if (at < json_array_size(list))
			add_interval(json_array_get(list, at), moment, sums);
	}
	finish_moment(sums, interval_of(clones), moment);
	free(sums);
	return 0;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static size_t longest(const struct clones *clones)
{
	size_t most = 0, i;

	for (i = 0; i < clones->count; i++) {
		size_t count = json_array_size(json_object_get(clones->roots[i], "intervals"));

		most = count > most ? count : most;
	}
	return most < MOST_INTERVALS ? most : MOST_INTERVALS;
}

/* "a/b/fc-boot.vdt" -> "vdi-fc-boot"; a run that is no replay is called by its job. */
static void name_row(const json_t *root, struct timeline *timeline)
{
	const json_t *replay = json_object_get(root, "replay");
	const char *trace = json_string_value(json_object_get(replay, "trace"));
	const char *job = json_string_value(json_object_get(root, "job"));
	const char *slash = trace ? strrchr(trace, '/') : NULL;
	char text[256];

	timeline->replays = json_is_object(replay);
	timeline->synthetic = json_is_true(json_object_get(replay, "synthetic"));
	timeline->simulated = json_is_true(json_object_get(root, "simulated"));
	trace = slash ? slash + 1 : trace;
	if (trace)
		snprintf(text, sizeof(text), "vdi-%.*s", (int)strcspn(trace, "."), trace);
	else
		snprintf(text, sizeof(text), "%s", job ? job : "run");
	text_clean(text, strlen(text), timeline->row, sizeof(timeline->row));
}

static bool is_any_invalid(const struct clones *clones)
{
	size_t i;

	for (i = 0; i < clones->count; i++) {
		const json_t *verdict = json_object_get(clones->roots[i], "verdict");

		if (json_is_false(json_object_get(verdict, "valid")))
			return true;
	}
	return false;
}

/*
 * What completed after the window stands in the last interval; a rest of less than a tenth of an
 * interval is too short for a rate (our own choice).
 */
static bool cut_to_window(double window_s, double interval_s, struct moment *moment)
{
	double rest_s = window_s - moment->start_s;

	if (isnan(window_s) || moment->start_s + moment->length_s <= window_s)
		return true;
	if (rest_s <= 0 || (moment->start_s > 0 && rest_s < interval_s / 10))
		return false;
	moment->iops *= moment->length_s / rest_s;
	moment->length_s = rest_s;
	return true;
}

static int take_moments(const struct clones *clones, struct timeline *timeline)
{
	double window_s = number(clones->roots[0], "window_s");
	size_t i, count = longest(clones);

	timeline->moments = calloc(count + 1, sizeof(*timeline->moments));
	if (!timeline->moments)
		return -1;
	for (i = 0; i < count; i++) {
		struct moment *moment = &timeline->moments[timeline->count];

		if (take_moment(clones, i, moment))
			return -1;
		if (!(moment->start_s >= 0 && moment->length_s > 0) ||
		    !cut_to_window(window_s, interval_of(clones), moment))
			continue;
		timeline->count++;
		timeline->has_lateness |= !isnan(moment->late_mean_us);
	}
	return 0;
}

static int load_clone(const char *path, struct clones *clones, struct error *err)
{
	json_error_t fault;
	json_t *root = json_load_file(path, 0, &fault);

	if (!root)
		return error_set(err, "%s cannot be read: %s", path, fault.text);
	clones->roots[clones->count++] = root;
	if (has_intervals(root))
		return 0;
	return error_set(err, "%s is no statistics file of an engine, or holds no intervals", path);
}

/* "x.stats.1.json" begins those of several clones, which may be packed one by one. */
size_t clone_paths(const char *first, char (*paths)[512], size_t most)
{
	const char *slash = strrchr(first, '/');
	const char *dot = strstr(slash ? slash : first, ".1.json");
	size_t count = 1;

	snprintf(paths[0], sizeof(paths[0]), "%s", first);
	for (; dot && count < most; count++) {
		int stem = (int)(dot - first);

		snprintf(paths[count], sizeof(paths[0]), "%.*s.%zu.json", stem, first, count + 1);
		if (access(paths[count], R_OK))
			snprintf(paths[count], sizeof(paths[0]), "%.*s.%zu.json.gz", stem, first,
				 count + 1);
		if (access(paths[count], R_OK))
			break;
	}
	return count;
}

static int load_all_clones(const char *path, struct clones *clones, struct error *err)
{
	char(*paths)[512] = calloc(MAX_STATS_FILES, sizeof(*paths));
	size_t count = paths ? clone_paths(path, paths, MAX_STATS_FILES) : 0, i;
	int failed = paths ? 0 : error_set(err, "%s: not enough memory", path);

	for (i = 0; !failed && i < count; i++)
		failed = load_clone(paths[i], clones, err);
	free(paths);
	return failed;
}

int timeline_read(const char *path, struct timeline *timeline, struct error *err)
{
	struct clones clones = {.count = 0};
	int failed;
	size_t i;

	*timeline = (struct timeline){.count = 0};
	failed = load_all_clones(path, &clones, err);
	if (!failed) {
		name_row(clones.roots[0], timeline);
		timeline->invalid = is_any_invalid(&clones);
		failed = take_moments(&clones, timeline);
		if (failed)
			error_set(err, "%s: not enough memory", path);
		else
			timeline_take_heat(path, timeline);
	}
	for (i = 0; i < clones.count; i++)
		json_decref(clones.roots[i]);
	if (failed)
		timeline_free(timeline);
	return failed ? -1 : 0;
}

void timeline_free(struct timeline *timeline)
{
	free(timeline->moments);
	timeline->moments = NULL;
	timeline->count = 0;
}
