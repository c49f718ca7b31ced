/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The published figures as results. Only figures of a drive are taken (rate, latency of the same
 * point, 1 ms reading), no ranks and no gaps. Bandwidth is the computed, decimal one: the reviews'
 * own "GB/s" of the 64K rows is 1000 MiB/s.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/grow.h"
#include "postprocess/published_csv.h"
#include "postprocess/result.h"

/* Under which profile's protocol a review was made. */
static const struct {
	const char *review, *protocol;
} protocols[] = {{"intel-670p", "client-qlc"},
		 {"intel-760p", "client-20g"},
		 {"intel-p3700", "enterprise"},
		 {"intel-p4510", "enterprise"}};

struct published {
	struct result **list;
	size_t count;
};

static const char *protocol_of(const char *review)
{
	size_t i;

	for (i = 0; i < COUNT(protocols); i++)
		if (!strcmp(protocols[i].review, review))
			return protocols[i].protocol;
	return "";
}

static struct result *find_or_add(struct published *published, char **cells)
{
	struct result **larger, *result;
	size_t i;

	for (i = 0; i < published->count; i++) {
		result = published->list[i];
		if (!strcmp(result->drive, cells[PUBLISHED_DRIVE]) &&
		    !strcmp(result->name, cells[PUBLISHED_SOURCE]))
			return result;
	}
	larger = list_grow(published->list, published->count, sizeof(*larger));
	if (!larger)
		return NULL;
	published->list = larger;
	result = result_new(RESULT_PUBLISHED, "published figures");
	if (!result)
		return NULL;
	larger[published->count++] = result;
	snprintf(result->name, sizeof(result->name), "%s", cells[PUBLISHED_SOURCE]);
	snprintf(result->drive, sizeof(result->drive), "%s", cells[PUBLISHED_DRIVE]);
	snprintf(result->protocol, sizeof(result->protocol), "%s",
		 protocol_of(cells[PUBLISHED_REVIEW]));
	return result;
}

/* The row's curve, with its one point. */
static struct curve *curve_of(struct result *result, const char *row)
{
	size_t i;

	for (i = 0; i < result->count; i++)
		if (!strcmp(result->curves[i].row, row))
			return &result->curves[i];
	if (!result_add_curve(result, row))
		return NULL;
	return curve_add_point(&result->curves[i], "peak") ? &result->curves[i] : NULL;
}

static double latency_us(const char *unit, double value)
{
	return !strcmp(unit, "ms") ? value * 1000 : value;
}

static bool is_figure(char **cells)
{
	static const char *const metrics[] = {"iops",
					      "latency_avg",
					      "bandwidth_computed",
					      "submillisecond_iops",
					      "iops_after_peak",
					      "bandwidth"};
	size_t i;

	if (!cells[PUBLISHED_VALUE][0] || !strncmp(cells[PUBLISHED_WORKLOAD], "spec-", 5))
		return false;
	if (!strcmp(cells[PUBLISHED_METRIC], "bandwidth"))
		return !strncmp(cells[PUBLISHED_WORKLOAD], "blackmagic", 10);
	for (i = 0; i < COUNT(metrics); i++)
		if (!strcmp(cells[PUBLISHED_METRIC], metrics[i]))
			return true;
	return false;
}

/* What belongs to preconditioning, main tests and ladders, ranks of the text left out. */
static bool is_stated(char **cells)
{
	static const char *const workloads[] = {"4k-precondition-", "4k-steady-", "8k-7030"};
	size_t i;

	for (i = 0; i < COUNT(workloads); i++)
		if (!strncmp(cells[PUBLISHED_WORKLOAD], workloads[i], strlen(workloads[i])))
			return cells[PUBLISHED_VALUE][0] &&
			       strcmp(cells[PUBLISHED_UNIT], "position");
	return false;
}

static int take_stated(char **cells, struct result *result)
{
	struct stated *larger = list_grow(result->stated, result->stated_count, sizeof(*larger));

	if (!larger)
		return -1;
	result->stated = larger;
	larger += result->stated_count++;
	*larger = (struct stated){
		.value = latency_us(cells[PUBLISHED_UNIT], atof(cells[PUBLISHED_VALUE])),
		.about = published_is_about(cells)};
	snprintf(larger->row, sizeof(larger->row), "%s", cells[PUBLISHED_WORKLOAD]);
	snprintf(larger->metric, sizeof(larger->metric), "%s", cells[PUBLISHED_METRIC]);
	return 0;
}

static void take_kind(char **cells, struct point *point)
{
	if (published_is_about(cells))
		snprintf(point->warning, sizeof(point->warning), "about");
}

static void take_figure(char **cells, struct curve *curve)
{
	struct point *point = &curve->points[0];
	double value = atof(cells[PUBLISHED_VALUE]);

	if (!strcmp(cells[PUBLISHED_METRIC], "iops")) {
		point->iops = value;
		take_kind(cells, point);
	} else if (!strcmp(cells[PUBLISHED_METRIC], "latency_avg")) {
		point->clat.mean_us = latency_us(cells[PUBLISHED_UNIT], value);
	} else if (!strcmp(cells[PUBLISHED_METRIC], "submillisecond_iops")) {
		curve->stated_one_ms_iops = value;
	} else if (!strcmp(cells[PUBLISHED_METRIC], "iops_after_peak")) {
		curve->stated_after_peak_iops = value;
	} else {
		point->bytes_per_s = value * 1e6;
	}
}

/* A latency or a 1 ms reading without its rate is no point. */
static void drop_incomplete(struct result *result)
{
	size_t i, kept = 0;

	for (i = 0; i < result->count; i++) {
		struct curve *curve = &result->curves[i];
		struct point *point = &curve->points[0];

		if (isnan(point->iops) && isnan(point->bytes_per_s)) {
			free(curve->points);
			continue;
		}
		if (point->bytes_per_s > 0 && point->iops > 0)
			point->block_bytes = point->bytes_per_s / point->iops;
		result->curves[kept++] = *curve;
	}
	result->count = kept;
}

static int take_line(char **cells, void *context)
{
	struct published *published = context;
	struct result *result;
	struct curve *curve;

	if (!is_stated(cells) && !is_figure(cells))
		return 0;
	result = find_or_add(published, cells);
	if (!result)
		return 1;
	if (is_stated(cells))
		return take_stated(cells, result) ? 1 : 0;
	curve = curve_of(result, cells[PUBLISHED_WORKLOAD]);
	if (!curve)
		return 1;
	take_figure(cells, curve);
	return 0;
}

int published_load(const char *path, struct result ***results, size_t *count, struct error *err)
{
	struct published published = {NULL, 0};
	int failed = published_each(path, take_line, &published, err);
	size_t i;

	if (failed) {
		published_free(published.list, published.count);
		return failed < 0 ? -1 : error_set(err, "the published figures: not enough memory");
	}
	for (i = 0; i < published.count; i++)
		drop_incomplete(published.list[i]);
	*results = published.list;
	*count = published.count;
	return 0;
}

void published_free(struct result **results, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		result_free(results[i]);
	free(results);
}
