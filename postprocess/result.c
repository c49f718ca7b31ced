/* SPDX-License-Identifier: GPL-2.0-only */
/* Results: made, filled, found, freed. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "postprocess/cache.h"
#include "postprocess/grow.h"
#include "postprocess/json_reader.h"
#include "postprocess/minutes.h"
#include "postprocess/point.h"
#include "postprocess/result.h"

struct result *result_new(enum result_kind kind, const char *path)
{
	struct result *result = calloc(1, sizeof(*result));

	if (!result)
		return NULL;
	result->kind = kind;
	result->scale = result->repeat = result->jobs = 1;
	result->wait_s = result->measure_s = NAN;
	snprintf(result->path, sizeof(result->path), "%s", path);
	return result;
}

void result_free(struct result *result)
{
	size_t i;

	if (!result)
		return;
	for (i = 0; i < result->count; i++) {
		free(result->curves[i].points);
		free(result->curves[i].ladder);
	}
	free(result->minutes_file);
	free(result->stated);
	for (i = 0; i < result->warning_count; i++)
		free(result->warnings[i]);
	for (i = 0; i < result->cache_file_count; i++)
		free(result->cache_files[i]);
	free(result->cache_files);
	free(result->curves);
	free(result->warnings);
	free(result);
}

struct curve *result_add_curve(struct result *result, const char *row)
{
	struct curve *larger, *curve;

	larger = list_grow(result->curves, result->count, sizeof(*larger));
	if (!larger)
		return NULL;
	result->curves = larger;
	curve = &larger[result->count++];
	*curve = (struct curve){.stated_one_ms_iops = NAN, .stated_after_peak_iops = NAN};
	snprintf(curve->row, sizeof(curve->row), "%s", row);
	return curve;
}

struct point *curve_add_point(struct curve *curve, const char *name)
{
	struct point *larger = list_grow(curve->points, curve->count, sizeof(*larger));

	if (!larger)
		return NULL;
	curve->points = larger;
	point_clear(&larger[curve->count], name);
	return &larger[curve->count++];
}

unsigned curve_repeats(const struct curve *curve)
{
	unsigned most = 1;
	size_t i;

	for (i = 0; i < curve->count; i++)
		if (curve->points[i].repeat > most)
			most = curve->points[i].repeat;
	return most;
}

double curve_nominal_iops(const struct curve *curve, const char *name)
{
	double percent = atof(name);
	size_t i;

	for (i = 0; i < curve->count && percent > 0; i++)
		if (point_is_max(&curve->points[i]))
			return curve->points[i].iops * percent / 100;
	return NAN;
}

int result_add_cache_file(struct result *result, const char *path)
{
	char **larger = list_grow(result->cache_files, result->cache_file_count, sizeof(*larger));

	if (!larger)
		return -1;
	result->cache_files = larger;
	larger[result->cache_file_count] = strdup(path);
	return larger[result->cache_file_count++] ? 0 : -1;
}

int result_take_curves(struct result *result, struct result *other)
{
	struct curve *curve;
	size_t i;

	for (i = 0; i < other->count; i++) {
		curve = result_add_curve(result, other->curves[i].row);
		if (!curve)
			return -1;
		*curve = other->curves[i];
		other->curves[i].points = NULL;
		other->curves[i].ladder = NULL;
	}
	for (i = 0; i < other->cache_file_count; i++)
		if (result_add_cache_file(result, other->cache_files[i]))
			return -1;
	result->simulated |= other->simulated;
	for (i = 0; i < other->warning_count; i++)
		result_warn(result, "%s", other->warnings[i]);
	return 0;
}

bool curve_probes_cache(const struct curve *curve)
{
	size_t i;

	for (i = 0; i < curve->count; i++)
		if (curve->points[i].probes_cache)
			return true;
	return false;
}

bool result_probes_cache(const struct result *result)
{
	size_t i;

	for (i = 0; i < result->count; i++)
		if (curve_probes_cache(&result->curves[i]))
			return true;
	return result->cache_file_count > 0;
}

void result_warn(struct result *result, const char *format, ...)
{
	char **larger = list_grow(result->warnings, result->warning_count, sizeof(*larger));
	va_list args;
	char *text;

	if (!larger)
		return;
	result->warnings = larger;
	va_start(args, format);
	if (vasprintf(&text, format, args) >= 0)
		larger[result->warning_count++] = text;
	va_end(args);
}

const struct curve *result_find_curve(const struct result *result, const char *row)
{
	size_t i;

	for (i = 0; i < result->count; i++)
		if (!strcmp(result->curves[i].row, row))
			return &result->curves[i];
	return NULL;
}

const char *result_argument(const char *argument, char *name, size_t room)
{
	const char *equals = strchr(argument, '=');
	struct stat about;

	name[0] = '\0';
	if (!equals || equals == argument || !stat(argument, &about))
		return argument;
	snprintf(name, room, "%.*s", (int)(equals - argument), argument);
	return equals + 1;
}

int result_load(const char *argument, struct result **result, struct error *err)
{
	char name[128], base[512];
	const char *path = result_argument(argument, name, sizeof(name));
	struct stat about;
	int status;

	if (stat(path, &about))
		return error_set(err, "%s: there is no such result (%m)", path);
	*result = result_new(S_ISDIR(about.st_mode) ? RESULT_REVIEW : RESULT_FIO, path);
	if (!*result)
		return error_set(err, "%s: not enough memory", path);
	if (S_ISDIR(about.st_mode))
		status = result_read_review(path, *result, err);
	else if (is_by_minutes(path, base, sizeof(base)))
		status = result_read_minutes(path, *result, err);
	else if (is_cache_statistics(path))
		status = result_read_cache(path, *result, err);
	else
		status = result_read_fio(path, *result, err);
	if (status) {
		result_free(*result);
		*result = NULL;
	} else if (name[0]) {
		text_clean(name, strlen(name), (*result)->drive, sizeof((*result)->drive));
	}
	return status;
}
