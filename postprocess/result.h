/* SPDX-License-Identifier: GPL-2.0-only */
/* How results come into being: what the readers of review folders, fio files and the CSV share. */
#ifndef SSDREVIEW_RESULT_H
#define SSDREVIEW_RESULT_H

#include "postprocess/postprocess.h"

#define MAX_STATS_FILES 256 /* of one point */

struct result *result_new(enum result_kind kind, const char *path);

/* A new curve at the end; NULL when memory is short. */
struct curve *result_add_curve(struct result *result, const char *row);

/* A new cleared point at the end of a curve; NULL when memory is short. */
struct point *curve_add_point(struct curve *curve, const char *name);

/* The highest repeat among the points of a curve. */
unsigned curve_repeats(const struct curve *curve);

/* What the curve's max run gives the point called `name`, a percentage; NAN: there is none yet. */
double curve_nominal_iops(const struct curve *curve, const char *name);

/* Statistics of a run on the SLC cache; -1 when memory is short. */
int result_add_cache_file(struct result *result, const char *path);

/* Moves all curves, cache files and warnings of another result into this one. */
int result_take_curves(struct result *result, struct result *other);

/* Whether a curve's points are runs on the SLC cache; whether a result has any such run. */
bool curve_probes_cache(const struct curve *curve);
bool result_probes_cache(const struct result *result);

void result_warn(struct result *result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The path of an argument, and in `name` what stands before it in "NAME=PATH"; "" when nothing
 * does, or a file has the whole text as its name.
 */
const char *result_argument(const char *argument, char *name, size_t room);

/* The kinds of input; the result is filled, or -1 with err. */
int result_read_cache(const char *path, struct result *result, struct error *err);
int result_read_minutes(const char *path, struct result *result, struct error *err);
int result_read_review(const char *folder, struct result *result, struct error *err);
int result_read_fio(const char *path, struct result *result, struct error *err);

/* "010.stats.json", "010.stats.2.json": what an engine writes, no output of fio. */
bool is_stats_file(const char *path);

/* The folder of the review that holds the file in a row's folder; false when it lies in none. */
bool review_of_file(const char *path, char *review, size_t room);

/*
 * The points whose files are named, and no others, as a result of the review that paths[first]
 * lies in; files of other folders are left alone.
 */
int result_load_files(const char *const *paths, size_t count, size_t first, struct result **result,
		      struct error *err);

/*
 * The published figures as results, one for each drive and review, each with a profile's protocol;
 * *results is the caller's, to be freed with published_free(). path NULL: the project's own file,
 * or the one that SSDREVIEW_PUBLISHED names.
 */
int published_load(const char *path, struct result ***results, size_t *count, struct error *err);
void published_free(struct result **results, size_t count);

#endif
