/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Any fio JSON file as a result. Jobs called "max", "010", "020" ... are the steps of one curve
 * (our job files for one row write such files); of all other files every job is a curve of one
 * point.
 */
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postprocess/json_reader.h"
#include "postprocess/point.h"
#include "postprocess/result.h"

/* The jobs of one point while it is put together. */
struct job_set {
	const struct fio_output *output;
	const struct fio_job **jobs;
	size_t count;
	const char *path; /* of the file they come from */
};

static bool is_step_name(const char *name)
{
	size_t digits = strspn(name, "0123456789");

	return !strcmp(name, "max") || (digits == 3 && !name[digits]);
}

static bool is_curve(const struct fio_output *output)
{
	size_t i;

	for (i = 0; i < output->job_count; i++)
		if (!is_step_name(output->jobs[i].name))
			return false;
	return output->job_count > 0;
}

static const char *option(const struct job_set *set, const char *key)
{
	return fio_option(set->output, set->jobs[0], key);
}

static unsigned in_flight(const struct job_set *set)
{
	const char *depth = option(set, "iodepth"), *clones = option(set, "numjobs");
	double each = depth ? atof(depth) : 1, jobs = clones ? atof(clones) : 1;

	if ((double)set->count > jobs)
		jobs = (double)set->count;
	return each >= 1 && each * jobs < 1e6 ? (unsigned)(each * jobs) : 0;
}

/* The statistics file of a clone: the name in the option, before its ending the clone's number. */
static char *stats_path(const char *folder, const char *name, unsigned clone)
{
	const char *dot = strrchr(name, '.');
	int stem = dot ? (int)(dot - name) : (int)strlen(name);
	char number[16] = "", *path;

	if (clone)
		snprintf(number, sizeof(number), ".%u", clone);
	if (name[0] == '/')
		folder = "";
	if (asprintf(&path, "%s%s%.*s%s%s", folder, folder[0] ? "/" : "", stem, name, number,
		     dot ? dot : "") < 0)
		return NULL;
	return path;
}

static size_t find_stats(const char *folder, const char *name, char **paths)
{
	size_t count = 0;
	unsigned clone;

	for (clone = 0; clone < MAX_STATS_FILES; clone++) {
		char *path = stats_path(folder, name, clone);

		if (path && !access(path, R_OK)) {
			paths[count++] = path;
			continue;
		}
		free(path);
		if (clone)
			break;
	}
	return count;
}

/* A later run may have overwritten the statistics: they must tell of the same job and rate. */
static bool are_of_this_run(const struct point_stats *stats, const struct job_set *set)
{
	double iops = 0;
	size_t i, j;

	for (i = 0; i < set->count; i++)
		for (j = 0; j < FIO_DIRECTIONS; j++)
			if (fio_row_counts(set->jobs[i], (enum fio_direction)j))
				iops += set->jobs[i]->rows[j].iops;
	return !strcmp(stats->job, set->jobs[0]->name) &&
	       (stats->probes_cache || fabs(stats->achieved_iops - iops) <= 0.02 * iops);
}

static bool read_stats_in(const char *folder, const char *name, const struct job_set *set,
			  struct point_stats *stats, char *path, size_t room)
{
	char *paths[MAX_STATS_FILES];
	size_t count = find_stats(folder, name, paths), i;
	bool found = count && !point_stats_read((const char *const *)paths, count, stats, NULL) &&
		     are_of_this_run(stats, set);

	snprintf(path, room, "%s", found ? paths[0] : "");
	for (i = 0; i < count; i++)
		free(paths[i]);
	return found;
}

/* Beside the JSON file, or where fio was started, which may be here; path: where it was found. */
static bool read_stats(const struct job_set *set, struct point_stats *stats, char *path,
		       size_t room)
{
	const char *name = option(set, "stats_file");
	char copy[PATH_MAX];

	if (!name || !name[0])
		return false;
	snprintf(copy, sizeof(copy), "%s", set->path);
	return read_stats_in(dirname(copy), name, set, stats, path, room) ||
	       read_stats_in(".", name, set, stats, path, room);
}

static void read_point(const struct job_set *set, struct point *point)
{
	struct point_stats stats;
	bool has_stats = read_stats(set, &stats, point->stats_path, sizeof(point->stats_path));

	point_from_jobs(set->output, set->jobs, set->count, has_stats ? &stats : NULL, point);
}

static void describe(const struct job_set *set, const struct point *point, struct curve *curve)
{
	const char *engine = option(set, "ioengine");
	char word[96];

	workload_word(set->output, set->jobs[0], point, word, sizeof(word));
	curve->in_flight = in_flight(set);
	curve->writes = !(point->read_share == 1);
	snprintf(curve->description, sizeof(curve->description), "%s%s%s", word, engine ? ", " : "",
		 engine ? engine : "");
}

/* All jobs of one name, clones and servers, make one point of the curve. */
static size_t jobs_named(const struct fio_output *output, const char *name, struct job_set *set)
{
	size_t i;

	set->count = 0;
	for (i = 0; i < output->job_count; i++)
		if (!strcmp(output->jobs[i].name, name))
			set->jobs[set->count++] = &output->jobs[i];
	return set->count;
}

static bool named_before(const struct fio_output *output, size_t at)
{
	size_t i;

	for (i = 0; i < at; i++)
		if (!strcmp(output->jobs[i].name, output->jobs[at].name))
			return true;
	return false;
}

static int read_curve(struct result *result, struct job_set *set)
{
	const struct fio_output *output = set->output;
	struct curve *curve = result_add_curve(result, "");
	struct point *point;
	double nominal;
	size_t i;

	for (i = 0; curve && i < output->job_count; i++) {
		const char *name = output->jobs[i].name;

		if (named_before(output, i))
			continue;
		nominal = curve_nominal_iops(curve, name);
		point = curve_add_point(curve, name);
		if (!point)
			return -1;
		jobs_named(output, name, set);
		point->nominal_iops = point_is_max(point) ? NAN : nominal;
		read_point(set, point);
		result->simulated |= point->simulated;
		if (curve->count > 1)
			continue;
		describe(set, point, curve);
		workload_word(output, set->jobs[0], point, curve->row, sizeof(curve->row));
	}
	return curve ? 0 : -1;
}

/* A row's name is its job's, with the server and a number when it is not the only one. */
static void row_name(const struct result *result, const struct fio_job *job, char *row, size_t room)
{
	char plain[160];
	unsigned number = 1;

	snprintf(plain, sizeof(plain), "%.100s%s%.50s", job->name, job->host[0] ? "@" : "",
		 job->host);
	snprintf(row, room, "%s", plain);
	while (result_find_curve(result, row))
		snprintf(row, room, "%s (%u)", plain, ++number);
}

static int read_jobs(struct result *result, struct job_set *set)
{
	const struct fio_output *output = set->output;
	struct curve *curve;
	struct point *point;
	char row[192];
	size_t i;

	for (i = 0; i < output->job_count; i++) {
		row_name(result, &output->jobs[i], row, sizeof(row));
		curve = result_add_curve(result, row);
		point = curve ? curve_add_point(curve, "") : NULL;
		if (!point)
			return -1;
		set->jobs[0] = &output->jobs[i];
		set->count = 1;
		read_point(set, point);
		result->simulated |= point->simulated;
		describe(set, point, curve);
	}
	return 0;
}

/* "results/my drive.json" -> "my drive" */
static void drive_from_path(const char *path, struct result *result)
{
	char copy[PATH_MAX];
	char *base, *dot;

	snprintf(copy, sizeof(copy), "%s", path);
	base = basename(copy);
	dot = strrchr(base, '.');
	if (dot && dot != base)
		*dot = '\0';
	text_clean(base, strlen(base), result->drive, sizeof(result->drive));
	text_clean(base, strlen(base), result->name, sizeof(result->name));
}

/* What fio printed before its result, unless a failed point tells of it already. */
static void take_diagnostic(const struct fio_output *output, struct result *result)
{
	char line[160];
	size_t i;

	for (i = 0; i < output->job_count; i++)
		if (output->jobs[i].error)
			return;
	fio_diagnostic(output, line, sizeof(line));
	if (line[0])
		result_warn(result, "fio said: %s", line);
}

static void take_warnings(const struct fio_output *output, struct result *result)
{
	size_t i, j;

	take_diagnostic(output, result);
	if (output->documents > 1)
		result_warn(result, "%zu snapshots of one run in the file, the last one is shown",
			    output->documents);
	for (i = 0; i < result->count; i++)
		for (j = 0; j < result->curves[i].count; j++) {
			const struct point *point = &result->curves[i].points[j];

			if (point->warning[0])
				result_warn(result, "%s", point->warning);
		}
}

int result_read_fio(const char *path, struct result *result, struct error *err)
{
	struct fio_output output;
	struct job_set set = {.output = &output, .path = path};
	int status;

	if (fio_output_read(path, &output, err))
		return -1;
	drive_from_path(path, result);
	set.jobs = calloc(output.job_count + 1, sizeof(const struct fio_job *));
	if (!output.job_count)
		status = error_set(err, "%s: no job in it has a result", path);
	else if (!set.jobs ||
		 (is_curve(&output) ? read_curve(result, &set) : read_jobs(result, &set)))
		status = error_set(err, "%s: not enough memory", path);
	else
		status = 0;
	if (status == 0)
		take_warnings(&output, result);
	free(set.jobs);
	fio_output_free(&output);
	return status;
}
