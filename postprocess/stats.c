/* SPDX-License-Identifier: GPL-2.0-only */
/* The statistics files the engines write, one a clone, taken together for a point. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "postprocess/point.h"

/* A number of a statistics file; NAN for null and for what is missing. */
static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static double number_or_zero(const json_t *object, const char *key)
{
	double value = number(object, key);

	return isnan(value) ? 0 : value;
}

/* The first reason of the first clone whose replay its engine calls invalid. */
static void take_fault(struct point_stats *stats, const json_t *verdict)
{
	const json_t *reasons = json_object_get(verdict, "reasons");
	const char *reason = json_string_value(json_array_get(reasons, 0));

	if (json_is_false(json_object_get(verdict, "valid")) && !stats->replay_fault[0])
		snprintf(stats->replay_fault, sizeof(stats->replay_fault), "%s",
			 reason ? reason : "it gives no reason");
}

static void stats_add(struct point_stats *stats, const json_t *clone)
{
	const json_t *free_slot = json_object_get(clone, "lateness_free_slot");
	const json_t *at_limit = json_object_get(clone, "lateness_at_limit");
	const char *job = json_string_value(json_object_get(clone, "job"));

	snprintf(stats->job, sizeof(stats->job), "%s", job ? job : "");
	stats->simulated |= json_is_true(json_object_get(clone, "simulated"));
	stats->synthetic |=
		json_is_true(json_object_get(json_object_get(clone, "replay"), "synthetic"));
	stats->probes_cache |= json_is_object(json_object_get(clone, "qlc"));
	stats->nominal_iops += number(clone, "nominal_iops");
	stats->offered_iops += number_or_zero(clone, "offered_iops");
	stats->achieved_iops += number_or_zero(clone, "achieved_iops");
	stats->offered += number_or_zero(clone, "offered");
	stats->unsent += number_or_zero(json_object_get(clone, "unsent"), "count");
	stats->late_at_limit += number_or_zero(at_limit, "count");
	stats->free_slot_p99_us =
		fmax(stats->free_slot_p99_us, number_or_zero(free_slot, "p99_ns") / 1000);
	take_fault(stats, json_object_get(clone, "verdict"));
	stats->busy_share = fmax(stats->busy_share, number(clone, "busy_share"));
	stats->cpu_wait_share = fmax(stats->cpu_wait_share, number(clone, "cpu_wait_share"));
}

/* A bin is named by the largest value that falls into it. */
void stats_add_interval(const json_t *interval, struct histogram *response)
{
	const json_t *bins = json_object_get(interval, "histogram"), *bin;
	double stated = number_or_zero(interval, "max_ns"), most = 0;
	size_t i;

	json_array_foreach(bins, i, bin)
	{
		double upper = json_number_value(json_array_get(bin, 0));
		double count = json_number_value(json_array_get(bin, 1));

		if (!(upper >= 0 && upper < 9e18 && count > 0 && count < UINT32_MAX))
			continue;
		response->count += (uint64_t)count;
		response->buckets[histogram_bucket((uint64_t)upper)] += (uint32_t)count;
		most = fmax(most, upper);
	}
	if (stated > 0 && stated < most)
		most = stated;
	if ((uint64_t)most > response->max_ns)
		response->max_ns = (uint64_t)most;
}

static int add_file(const char *path, struct point_stats *stats, struct error *err)
{
	json_error_t fault;
	json_t *clone = json_load_file(path, 0, &fault);

	if (!clone)
		return error_set(err, "%s cannot be read: %s", path, fault.text);
	if (!json_is_object(clone) || !json_object_get(clone, "achieved_iops")) {
		json_decref(clone);
		return error_set(err, "%s is no statistics file of an engine", path);
	}
	stats_add(stats, clone);
	json_decref(clone);
	return 0;
}

int point_stats_read(const char *const *paths, size_t count, struct point_stats *stats,
		     struct error *err)
{
	size_t i;

	*stats = (struct point_stats){.busy_share = NAN, .cpu_wait_share = NAN};
	if (!count)
		return error_set(err, "there is no statistics file");
	for (i = 0; i < count; i++)
		if (add_file(paths[i], stats, err))
			return -1;
	return 0;
}
