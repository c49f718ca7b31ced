/* SPDX-License-Identifier: GPL-2.0-only */
/* The job file of one point: its row's job file with this point's drive, rate, times and depth. */
#include <stdlib.h>
#include <string.h>

#include "review/review.h"

void point_stem(const char *point, unsigned repeat, char *stem, size_t room)
{
	if (repeat > 1)
		snprintf(stem, room, "%s.r%u", point, repeat);
	else
		snprintf(stem, room, "%s", point);
}

/* Sequential rows stay one stream a part of the region, whatever --jobs says. */
unsigned job_point_clones(const struct job_point *point)
{
	return point->sequential ? point->region_files : point->jobs;
}

/* fio takes a colon in a file name for the next file. */
static void escape_colons(const char *path, char *escaped, size_t room)
{
	size_t used = 0;

	for (; *path && used + 2 < room; path++) {
		if (*path == ':')
			escaped[used++] = '\\';
		escaped[used++] = *path;
	}
	escaped[used] = '\0';
}

/* fio's times are whole numbers; below a second they need a unit. */
static void set_seconds(struct job_file *job, const char *section, const char *key, double seconds)
{
	if (seconds == (double)(unsigned)seconds)
		job_file_put(job, section, key, "%u", (unsigned)seconds);
	else
		job_file_put(job, section, key, "%.0fus", seconds * 1e6);
}

static void set_region(struct job_file *job, const struct job_point *point)
{
	unsigned parts = point->sequential ? point->region_files : 1;
	unsigned long long part = point->region_bytes / parts;

	job_file_put(job, point->point, "offset", "0");
	job_file_put(job, point->point, "size", "%llu", part);
	if (parts > 1)
		job_file_put(job, point->point, "offset_increment", "%llu", part);
}

/* Every point and repeat draws offsets and due times of its own; by default they are the same. */
static void set_seed(struct job_file *job, const struct job_point *point)
{
	const char *seed = job_file_get(job, point->point, "randseed");
	unsigned long base = seed ? strtoul(seed, NULL, 10) : 1 + point->percent;

	base += 10000UL * (point->repeat - 1) + point->round;
	base += 100UL * point->load.threads * point->load.queue;
	/* Without it fio 3.33 draws the same offsets whatever the seed. */
	job_file_put(job, point->point, "randrepeat", "0");
	job_file_put(job, point->point, "randseed", "%lu", base);
	job_file_put(job, point->point, "seed", "%lu", base);
}

static void set_rate(struct job_file *job, const struct job_point *point)
{
	char stem[32], max[32];

	point_stem(point->point, point->repeat, stem, sizeof(stem));
	point_stem("max", point->repeat, max, sizeof(max));
	job_file_put(job, point->point, "stats_file", "%s.stats.json", stem);
	if (point->percent) {
		job_file_put(job, point->point, "iorate", "%u%%", point->percent);
		job_file_put(job, point->point, "max_from", "%s.stats.json", max);
	}
}

/* fio runs in the row's folder: engine and trace get their full paths. */
static void set_parts(struct job_file *job, const struct job_point *point)
{
	char path[PATH_MAX];

	job_engine(job, point->point, point->engine, path);
	job_file_put(job, point->point, "ioengine", "external:%s", path);
	if (job_trace(job, point->point, path))
		job_file_put(job, point->point, "trace", "%s", path);
}

static void set_point(struct job_file *job, const struct job_point *point)
{
	unsigned clones = job_point_clones(point);
	char target[PATH_MAX];

	escape_colons(point->target, target, sizeof(target));
	set_parts(job, point);
	job_file_put(job, point->point, "filename", "%s", target);
	set_region(job, point);
	set_seed(job, point);
	set_rate(job, point);
	if (point->simulated) { /* it keeps no data: filling buffers would only cost CPU time */
		job_file_drop(job, "refill_buffers");
		job_file_put(job, point->point, "scramble_buffers", "0");
	}
	if (point->in_flight)
		job_file_put(job, point->point, "iodepth", "%u", point->in_flight / clones);
	if (clones > 1 || job_file_get(job, point->point, "numjobs"))
		job_file_put(job, point->point, "numjobs", "%u", clones);
	if (point->clones) {
		job_file_put(job, point->point, "clones", "%u", point->clones);
		set_seconds(job, point->point, "stagger", point->stagger_s);
	}
	if (point->cache_from)
		job_file_put(job, point->point, "cache_from", "%s", point->cache_from);
	else
		job_file_drop(job, "cache_from");
	if (point->sample_s > 0)
		set_seconds(job, point->point, "stats_interval", point->sample_s);
	if (point->idle_s > 0) { /* fio's thinktime is in us */
		job_file_put(job, point->point, "thinktime", "%.0fus", point->idle_s * 1e6);
		job_file_put(job, point->point, "thinktime_iotime", "%.0fus", point->work_s * 1e6);
	}
	if (point->measure_s > 0) {
		set_seconds(job, point->point, "ramp_time", point->wait_s);
		set_seconds(job, point->point, "runtime", point->measure_s);
	}
}

/* All lines of [global], or all others. */
static void print_lines(const struct job_file *job, bool global, FILE *out)
{
	size_t i;

	for (i = 0; i < job->count; i++) {
		const struct job_line *line = &job->lines[i];

		if (!strcmp(line->section, "global") == global)
			fprintf(out, "%s%s%s\n", line->key, line->has_value ? "=" : "",
				line->value);
	}
}

static void print_job(const struct job_file *job, const struct job_point *point, FILE *out)
{
	char stem[32];

	point_stem(point->point, point->repeat, stem, sizeof(stem));
	fprintf(out,
		"# %s %s, written by ssdreview %s. To run it again, in this folder: fio %s.fio\n",
		point->row, point->point, SSDREVIEW_VERSION, stem);
	fprintf(out, "[global]\n");
	print_lines(job, true, out);
	fprintf(out, "\n[%s]\n", point->point);
	print_lines(job, false, out);
}

int job_text(const struct job_file *job, const struct job_point *point, char **text,
	     struct error *err)
{
	struct job_file own = {0};
	size_t bytes;
	FILE *out;

	*text = NULL;
	job_file_pick(job, point->section ? point->section : point->point, &own);
	set_point(&own, point);
	if (own.is_unfit) {
		error_set(err, "%s", own.problem.text);
		job_file_free(&own);
		return -1;
	}
	out = open_memstream(text, &bytes);
	if (out) {
		print_job(&own, point, out);
		fclose(out);
	}
	job_file_free(&own);
	return *text ? 0 : error_set(err, "no memory for the job file of %s", point->point);
}
