/* SPDX-License-Identifier: GPL-2.0-only */
/* review.json: what was asked, and which points exist. Rewritten whole after every point. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "review/index_internal.h"

/* What must not change between the start of a review and its continuation. */
static const char *const fixed_keys[] = {
	"profile",	  "identity", "region_bytes", "wait_s",	   "measure_s",
	"scale",	  "quick",    "repeat",	      "jobs",	   "read_only",
	"stated_threads", "search",   "sla",	      "stagger_s", "fixed_time",
};

static const char *const row_keys[] = {"row", "in_flight", "desktops", "most",
				       "gap", "measure_s", "steps"};

/* ---- what is kept of it --------------------------------------------------------------------- */

static int differs(const char *key, const json_t *before, const json_t *now, struct error *err)
{
	char *was = json_dumps(before, JSON_ENCODE_ANY), *is = json_dumps(now, JSON_ENCODE_ANY);

	error_set(err,
		  "this review was begun with %s %s, not %s; use the same command, or another "
		  "--name",
		  key, was ? was : "missing", is ? is : "missing");
	free(was);
	free(is);
	return -1;
}

static int compare_keys(const json_t *before, const json_t *now, const char *const *keys,
			size_t count, struct error *err)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const json_t *was = json_object_get(before, keys[i]);
		const json_t *is = json_object_get(now, keys[i]);

		if ((was || is) && !json_equal(was, is))
			return differs(keys[i], was, is, err);
	}
	return 0;
}

static int compare_rows(const json_t *before, const json_t *now, struct error *err)
{
	size_t i;

	if (json_array_size(before) != json_array_size(now))
		return error_set(err,
				 "this review was begun with other rows; use the same command, or "
				 "another --name");
	for (i = 0; i < json_array_size(now); i++) {
		const json_t *was = json_array_get(before, i), *is = json_array_get(now, i);

		if (compare_keys(was, is, row_keys, COUNT(row_keys), err))
			return -1;
	}
	return 0;
}

static int compare(const json_t *before, const json_t *now, struct error *err)
{
	if (compare_keys(before, now, fixed_keys, COUNT(fixed_keys), err))
		return -1;
	return compare_rows(json_object_get(before, "rows"), json_object_get(now, "rows"), err);
}

/* The profile as used stands beside the index; a changed one would mix two kinds of points. */
static int keep_profile(const char *folder, const struct profile *profile, bool resumed,
			struct error *err)
{
	char path[PATH_MAX], *now, *before;
	size_t now_bytes, before_bytes;
	int failed = 0;

	path_format(path, "%s/%s.profile", folder, profile->name);
	if (file_read(profile->path, &now, &now_bytes, err))
		return -1;
	if (!resumed) {
		failed = file_write_atomic(path, now, now_bytes, err);
	} else if (!file_read(path, &before, &before_bytes, err)) {
		if (before_bytes != now_bytes || memcmp(before, now, now_bytes))
			failed =
				error_set(err,
					  "%s has changed since this review was begun; use another "
					  "--name",
					  profile->path);
		free(before);
	} else {
		failed = -1;
	}
	free(now);
	return failed;
}

static void drop_failed_points(json_t *root)
{
	json_t *row;
	size_t i, at;

	json_array_foreach(json_object_get(root, "rows"), i, row)
	{
		json_t *points = json_object_get(row, "points");

		for (at = json_array_size(points); at > 0; at--)
			if (json_is_string(
				    json_object_get(json_array_get(points, at - 1), "failed")))
				json_array_remove(points, at - 1);
	}
}

static unsigned minutes_since(const json_t *text)
{
	struct tm parts = {0};

	if (!json_is_string(text) ||
	    !strptime(json_string_value(text), "%Y-%m-%dT%H:%M:%SZ", &parts))
		return 0;
	return (unsigned)(fmax(difftime(time(NULL), timegm(&parts)), 0) / 60);
}

/* ---- open, save, close ---------------------------------------------------------------------- */

/* Two runs into one folder would write over each other's files. */
static int lock_folder(struct review_index *index, struct error *err)
{
	index->lock_fd = open(index->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (index->lock_fd < 0)
		return error_set(err, "%s cannot be opened: %s", index->folder, strerror(errno));
	if (!flock(index->lock_fd, LOCK_EX | LOCK_NB))
		return 0;
	close(index->lock_fd);
	return error_set(err, "another ssdreview is at work in %s", index->folder);
}

/* Points need a place, or they would be lost without a word. */
static bool has_rows(const json_t *root)
{
	const json_t *rows = json_object_get(root, "rows");
	size_t i;

	for (i = 0; i < json_array_size(rows); i++)
		if (!json_is_array(json_object_get(json_array_get(rows, i), "points")))
			return false;
	return json_is_array(rows);
}

static int load(struct review_index *index, struct error *err)
{
	json_error_t problem;

	index->root = json_load_file(index->path, 0, &problem);
	if (!index->root)
		return error_set(err, "%s:%d: %s", index->path, problem.line, problem.text);
	if (!has_rows(index->root))
		return error_set(err, "%s is not the index of a review", index->path);
	index->resumed = true;
	index->rested_min = minutes_since(json_object_get(index->root, "updated"));
	index->rested_s = folder_rest_s(index->folder);
	return 0;
}

static int open_locked(struct review_index *index, const struct plan *plan, struct error *err)
{
	json_t *asked = index_describe(plan);
	int failed;

	if (access(index->path, F_OK)) {
		index->root = asked;
		return keep_profile(index->folder, plan->profile, false, err) ||
		       index_save(index, err);
	}
	failed = load(index, err) || compare(index->root, asked, err) ||
		 keep_profile(index->folder, plan->profile, true, err);
	json_decref(asked);
	if (!failed)
		drop_failed_points(index->root);
	return failed;
}

int index_open(struct review_index *index, const char *folder, const struct plan *plan,
	       struct error *err)
{
	memset(index, 0, sizeof(*index));
	snprintf(index->folder, sizeof(index->folder), "%s", folder);
	if (snprintf(index->path, sizeof(index->path), "%s/review.json", folder) >= PATH_MAX)
		return error_set(err, "%s: the name is too long", folder);
	if (folder_make(folder, err) || lock_folder(index, err))
		return -1;
	if (!open_locked(index, plan, err))
		return 0;
	index_close(index);
	return -1;
}

void index_close(struct review_index *index)
{
	json_decref(index->root);
	index->root = NULL;
	close(index->lock_fd);
}

int index_save(struct review_index *index, struct error *err)
{
	char *text = json_dumps(index->root, JSON_INDENT(1));
	int failed;

	if (!text)
		return error_set(err, "no memory for %s", index->path);
	failed = file_write_atomic(index->path, text, strlen(text), err);
	free(text);
	return failed;
}

/* ---- points --------------------------------------------------------------------------------- */

static json_t *row_of(const struct review_index *index, const char *name)
{
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(index->root, "rows"), i, row)
	{
		const char *word = json_string_value(json_object_get(row, "row"));

		if (word && !strcmp(word, name))
			return row;
	}
	return NULL;
}

static json_t *points_of(const struct review_index *index, const char *name)
{
	return json_object_get(row_of(index, name), "points");
}

bool index_has_point(const struct review_index *index, const char *row, const char *name,
		     unsigned repeat)
{
	json_t *point;
	size_t i;

	json_array_foreach(points_of(index, row), i, point)
	{
		const char *word = json_string_value(json_object_get(point, "point"));

		if (word && !strcmp(word, name) &&
		    json_integer_value(json_object_get(point, "repeat")) == repeat)
			return true;
	}
	return false;
}

unsigned index_row_points(const struct review_index *index, const char *row)
{
	return (unsigned)json_array_size(points_of(index, row));
}

void index_drop_row(struct review_index *index, const char *row)
{
	json_array_clear(points_of(index, row));
}

void point_stats_name(const char *stem, unsigned clone, unsigned clones, char *name, size_t room)
{
	if (clones > 1)
		snprintf(name, room, "%s.stats.%u.json", stem, clone);
	else
		snprintf(name, room, "%s.stats.json", stem);
}

static json_t *stats_of(const char *row, const char *stem, unsigned clones)
{
	json_t *stats = json_array();
	char name[64];
	unsigned clone;

	for (clone = 1; clone <= clones; clone++) {
		point_stats_name(stem, clone, clones, name, sizeof(name));
		json_array_append_new(stats, json_sprintf("%s/%s", row, name));
	}
	return stats;
}

static json_t *describe_point(const struct index_point *asked)
{
	json_t *point = json_object();
	char stem[32];

	point_stem(asked->files ? asked->files : asked->name, asked->repeat, stem, sizeof(stem));
	json_object_set_new(point, "point", json_string(asked->name));
	json_object_set_new(point, "repeat", json_integer(asked->repeat));
	json_object_set_new(point, "json",
			    asked->has_no_output ? json_null()
						 : json_sprintf("%s/%s.json", asked->row, stem));
	json_object_set_new(point, "stats", stats_of(asked->row, stem, asked->clones));
	json_object_set_new(point, "rested_min", json_integer(asked->rested_min));
	json_object_set_new(point, "failed",
			    asked->failed ? utf8_json(asked->failed) : json_null());
	if (asked->more)
		json_object_update_new(point, asked->more);
	return point;
}

int index_add_point(struct review_index *index, const struct index_point *point, struct error *err)
{
	json_array_append_new(points_of(index, point->row), describe_point(point));
	json_object_set_new(index->root, "updated", time_json(time(NULL)));
	return index_save(index, err);
}

const char *index_conditioned(const struct review_index *index)
{
	return json_string_value(json_object_get(index->root, "conditioned"));
}

int index_set_conditioned(struct review_index *index, const char *row, struct error *err)
{
	const char *before = index_conditioned(index);

	if (row == before || (row && before && !strcmp(row, before)))
		return 0;
	json_object_set_new(index->root, "conditioned", row ? json_string(row) : json_null());
	return index_save(index, err);
}

unsigned index_restarts(const struct review_index *index, const char *row)
{
	return (unsigned)json_integer_value(json_object_get(row_of(index, row), "restarts"));
}

void index_add_restart(struct review_index *index, const char *row)
{
	json_object_set_new(row_of(index, row), "restarts",
			    json_integer(index_restarts(index, row) + 1));
}

int index_set_filled(struct review_index *index, bool filled, struct error *err)
{
	json_object_set_new(index->root, "filled", json_boolean(filled));
	return index_save(index, err);
}

bool index_is_filled(const struct review_index *index)
{
	return json_is_true(json_object_get(index->root, "filled"));
}

int index_set_purged(struct review_index *index, const char *method, struct error *err)
{
	json_object_set_new(index->root, "purged", json_string(method));
	return index_save(index, err);
}

int index_finish(struct review_index *index, struct error *err)
{
	json_object_set_new(index->root, "finished", time_json(time(NULL)));
	return index_save(index, err);
}

bool index_is_finished(const struct review_index *index)
{
	return json_is_string(json_object_get(index->root, "finished"));
}
