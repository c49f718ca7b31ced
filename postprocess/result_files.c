/* SPDX-License-Identifier: GPL-2.0-only */
/* A review of which files are named one by one, as a shell does for the files of a row. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postprocess/result.h"

bool is_stats_file(const char *path)
{
	const char *at = strstr(path, ".stats."), *next;

	while (at && (next = strstr(at + 1, ".stats.")))
		at = next;
	if (!at)
		return false;
	at += strlen(".stats.");
	at += strspn(at, "0123456789");
	return !strcmp(at, "json") || !strcmp(at, ".json");
}

/* A file's place in a review: OUT/NAME / ROW / FILE. */
struct place {
	char review[PATH_MAX], row[NAME_MAX + 1], file[NAME_MAX + 1];
};

/* The last part of a path is cut off and becomes `name`. */
static void cut_name(char *path, char *name)
{
	char *slash = strrchr(path, '/');

	snprintf(name, NAME_MAX + 1, "%.*s", NAME_MAX, slash ? slash + 1 : path);
	if (slash)
		*slash = '\0';
}

static bool find_place(const char *path, struct place *place)
{
	char index[PATH_MAX + 16];

	if (!realpath(path, place->review))
		return false;
	cut_name(place->review, place->file);
	cut_name(place->review, place->row);
	snprintf(index, sizeof(index), "%s/review.json", place->review);
	return place->row[0] && !access(index, R_OK);
}

bool review_of_file(const char *path, char *review, size_t room)
{
	struct place place;

	return find_place(path, &place) && snprintf(review, room, "%s", place.review) < (int)room;
}

/* The file that the review keeps fio's output of a point in. */
static void point_file(const struct point *point, char *name, size_t room)
{
	if (point->repeat > 1)
		snprintf(name, room, "%s.r%u.json", point->name, point->repeat);
	else
		snprintf(name, room, "%s.json", point->name);
}

/* Whether one of the places is in the row, and is the point's file (NULL: any file). */
static bool is_named(const struct place *places, size_t count, const char *row, const char *file)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(places[i].row, row) && (!file || !strcmp(places[i].file, file)))
			return true;
	return false;
}

static void keep_points(struct curve *curve, const struct place *places, size_t count)
{
	size_t i, kept = 0;
	char file[64];

	for (i = 0; i < curve->count; i++) {
		point_file(&curve->points[i], file, sizeof(file));
		if (is_named(places, count, curve->row, file))
			curve->points[kept++] = curve->points[i];
	}
	curve->count = kept;
}

/* Warnings about a row begin with its name. */
static void drop_warnings(struct result *result, const char *row)
{
	size_t length = strlen(row), i, kept = 0;

	for (i = 0; i < result->warning_count; i++) {
		char *warning = result->warnings[i];

		if (!strncmp(warning, row, length) && strchr(" ,", warning[length]))
			free(warning);
		else
			result->warnings[kept++] = warning;
	}
	result->warning_count = kept;
}

static void keep_rows(struct result *result, const struct place *places, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < result->count; i++) {
		struct curve *curve = &result->curves[i];

		keep_points(curve, places, count);
		if (curve->count) {
			result->curves[kept++] = *curve;
			continue;
		}
		drop_warnings(result, curve->row);
		free(curve->points);
	}
	result->count = kept;
}

int result_load_files(const char *const *paths, size_t count, size_t first, struct result **result,
		      struct error *err)
{
	struct place *places = calloc(count, sizeof(*places));
	size_t i, used = 0;
	int status;

	if (!places)
		return error_set(err, "%s: not enough memory", paths[first]);
	for (i = first; i < count; i++)
		if (find_place(paths[i], &places[used]) &&
		    !strcmp(places[used].review, places[0].review))
			used++;
	status = result_load(places[0].review, result, err);
	if (!status)
		keep_rows(*result, places, used);
	free(places);
	return status;
}
