/* SPDX-License-Identifier: GPL-2.0-only */
/* Measures from the statistics files of our engines (docs/results.md), one a clone. */
#include <math.h>
#include <stdlib.h>

#include "postprocess/measures.h"

static double number(const json_t *object, const char *key)
{
	double value = json_number_value(json_object_get(object, key));

	return isfinite(value) && value > 0 ? value : 0;
}

static uint64_t whole(const json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value > 0 ? (uint64_t)value : 0;
}

static struct measure read_measure(const json_t *object)
{
	return (struct measure){.count = whole(object, "count"),
				.bytes = whole(object, "bytes"),
				.max_ns = whole(object, "max_ns"),
				.mean_ns = number(object, "mean_ns"),
				.m2_ns2 = number(object, "m2_ns2")};
}

static void read_directions(const json_t *object, struct measures *measures)
{
	measures->read = read_measure(json_object_get(object, "read"));
	measures->write = read_measure(json_object_get(object, "write"));
}

static json_t *load_stats(const char *path, struct error *err)
{
	json_error_t fault;
	json_t *stats = json_load_file(path, 0, &fault);

	if (!stats)
		error_set(err, "%s cannot be read: %s", path, fault.text);
	else if (!json_is_object(json_object_get(stats, "read")) ||
		 !json_is_array(json_object_get(stats, "intervals")))
		error_set(err,
			  "%s does not tell reads from writes: it is no statistics file of "
			  "this version of the engines",
			  path);
	else
		return stats;
	json_decref(stats);
	return NULL;
}

/* ---- samples -------------------------------------------------------------------------------- */

/* A thread that did not run at the end of its window leaves a last interval that is a bit short. */
#define WHOLE_ENOUGH 0.5

/* How many intervals are whole, and lie in the window. */
static size_t count_whole(const json_t *stats)
{
	const json_t *intervals = json_object_get(stats, "intervals");
	double least_ns = number(stats, "interval_ns") * WHOLE_ENOUGH;
	double window_ns = number(stats, "window_s") * 1e9;
	size_t i;

	for (i = 0; i < json_array_size(intervals); i++) {
		const json_t *interval = json_array_get(intervals, i);

		if (number(interval, "length_ns") < least_ns ||
		    number(interval, "start_ns") + least_ns > window_ns)
			break;
	}
	return i;
}

static void add_samples(const json_t *stats, struct measures *samples, size_t count)
{
	const json_t *intervals = json_object_get(stats, "intervals");
	size_t i;

	for (i = 0; i < count; i++) {
		const json_t *interval = json_array_get(intervals, i);
		struct measures own = {.seconds = number(interval, "length_ns") / 1e9};

		read_directions(interval, &own);
		measures_merge(&samples[i], &own);
	}
}

/* The first clone says how many there are, later ones can only take some away. */
static int add_clone(const char *path, bool first, struct measures **samples, size_t *count,
		     struct error *err)
{
	json_t *stats = load_stats(path, err);
	size_t own;

	if (!stats)
		return -1;
	own = count_whole(stats);
	if (first)
		*samples = calloc(own ? own : 1, sizeof(**samples));
	if (first || own < *count)
		*count = own;
	if (*samples)
		add_samples(stats, *samples, *count);
	json_decref(stats);
	return *samples ? 0 : error_set(err, "no memory for %zu samples", own);
}

int measures_read_samples(const char *const *paths, size_t count, struct measures **samples,
			  size_t *sample_count, struct error *err)
{
	size_t i;

	*samples = NULL;
	*sample_count = 0;
	for (i = 0; i < count; i++) {
		if (!add_clone(paths[i], !i, samples, sample_count, err))
			continue;
		free(*samples);
		*samples = NULL;
		return -1;
	}
	return count ? 0 : error_set(err, "there is no statistics file");
}

/* ---- the whole window ----------------------------------------------------------------------- */

/*
 * The latencies hold I/Os that completed just after the window, the rate does not: the time is that
 * in which so many complete at this rate.
 */
int measures_read_total(const char *const *paths, size_t count, struct measures *total,
			struct error *err)
{
	double achieved_iops = 0;
	size_t i;

	*total = (struct measures){0};
	for (i = 0; i < count; i++) {
		json_t *stats = load_stats(paths[i], err);
		struct measures own = {0};

		if (!stats)
			return -1;
		read_directions(stats, &own);
		measures_merge(total, &own);
		achieved_iops += number(stats, "achieved_iops");
		json_decref(stats);
	}
	if (achieved_iops > 0)
		total->seconds = (double)(total->read.count + total->write.count) / achieved_iops;
	return count ? 0 : error_set(err, "there is no statistics file");
}
