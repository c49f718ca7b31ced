/* SPDX-License-Identifier: GPL-2.0-only */
/* The job file of one point: its row's job file with this point's drive, rate, times and depth. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "device/facts.h"
#include "review/review.h"

/* ---- reading ------------------------------------------------------------------------------- */

static char *trim(char *text)
{
	size_t length;

	text += strspn(text, " \t\r");
	for (length = strlen(text); length && strchr(" \t\r", text[length - 1]); length--)
		text[length - 1] = '\0';
	return text;
}

static struct job_line *add_line(struct job_file *job)
{
	struct job_line *lines = reallocarray(job->lines, job->count + 1, sizeof(*lines));

	if (!lines)
		return NULL;
	job->lines = lines;
	memset(&lines[job->count], 0, sizeof(*lines));
	return &lines[job->count++];
}

static int take_pair(struct job_file *job, const char *section, unsigned number, char *text,
		     struct error *err)
{
	char *equals = strchr(text, '='), *value = "";
	struct job_line *line = add_line(job);

	if (!line)
		return error_set(err, "no memory for a job file");
	if (equals) {
		*equals = '\0';
		value = trim(equals + 1);
	}
	line->has_value = equals != NULL;
	line->number = number;
	if (snprintf(line->section, sizeof(line->section), "%s", section) >=
		    (int)sizeof(line->section) ||
	    snprintf(line->key, sizeof(line->key), "%s", trim(text)) >= (int)sizeof(line->key) ||
	    snprintf(line->value, sizeof(line->value), "%s", value) >= (int)sizeof(line->value))
		return error_set(err, "the line is too long");
	return 0;
}

/* fio's own rules: [section], key=value or key alone, comments begin with # or ;. */
static int take_line(struct job_file *job, char *section, size_t room, unsigned number, char *line,
		     struct error *err)
{
	char *text = trim(line), *end;

	if (!*text || *text == '#' || *text == ';')
		return 0;
	if (*text != '[')
		return *section ? take_pair(job, section, number, text, err)
				: error_set(err, "\"%s\" stands before the first [section]", text);
	end = strchr(text, ']');
	if (!end || end - text > (long)room)
		return error_set(err, "\"%s\" is not a [section]", text);
	*end = '\0';
	snprintf(section, room, "%s", text + 1);
	return 0;
}

int job_file_read(const char *path, struct job_file *job, struct error *err)
{
	char section[64] = "", *data, *line, *rest;
	unsigned number = 0;
	size_t bytes;
	int failed = 0;

	memset(job, 0, sizeof(*job));
	if (file_read(path, &data, &bytes, err))
		return -1;
	rest = data;
	while (!failed && (line = strsep(&rest, "\n"))) {
		number++;
		failed = take_line(job, section, sizeof(section), number, line, err);
	}
	free(data);
	if (!failed)
		return 0;
	job_file_free(job);
	return error_prefix(err, "%s:%u", path, number);
}

void job_file_free(struct job_file *job)
{
	free(job->lines);
	memset(job, 0, sizeof(*job));
}

const struct job_line *job_file_line(const struct job_file *job, const char *section,
				     const char *key)
{
	const struct job_line *global = NULL;
	size_t i;

	for (i = 0; i < job->count; i++) {
		const struct job_line *line = &job->lines[i];

		if (strcmp(line->key, key))
			continue;
		if (!strcmp(line->section, section))
			return line;
		if (!strcmp(line->section, "global"))
			global = line;
	}
	return global;
}

const char *job_file_get(const struct job_file *job, const char *section, const char *key)
{
	const struct job_line *line = job_file_line(job, section, key);

	return line ? line->value : NULL;
}

const char *job_file_next_section(const struct job_file *job, const char *section)
{
	bool passed = !section;
	size_t i;

	for (i = 0; i < job->count; i++) {
		const char *own = job->lines[i].section;
		bool is_it = section && !strcmp(own, section);

		if (passed && !is_it && strcmp(own, "global"))
			return own;
		passed |= is_it;
	}
	return NULL;
}

const char *job_file_section(const struct job_file *job)
{
	const char *first = job_file_next_section(job, NULL);

	return first ? first : "global";
}

/* ---- writing ------------------------------------------------------------------------------- */

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

int job_value_check(const char *value, struct error *err)
{
	const char *at = strpbrk(value, "#;$");
	size_t i, length = strlen(value);

	if (!fact_is_utf8(value))
		return error_set(err, "\"%s\" is not UTF-8; give it another name", value);
	for (i = 0; i < length; i++)
		if ((unsigned char)value[i] < ' ' || value[i] == 0x7f)
			return error_set(err,
					 "\"%s\" holds a control character; give it another name",
					 value);
	if (at)
		return error_set(err, "%s: fio does not take '%c' in a name; give it another one",
				 value, *at);
	if (length && value[length - 1] == ' ')
		return error_set(err,
				 "\"%s\" ends with a space, which fio drops; give it another name",
				 value);
	/* Half of the room: a colon takes two characters. */
	return length < JOB_VALUE_ROOM / 2 ? 0 : error_set(err, "%s: the name is too long", value);
}

/* The line of a key that stands in [global] or in the point's section, else a new one. */
static struct job_line *line_of(struct job_file *job, const char *section, const char *key)
{
	struct job_line *line;
	size_t i;

	for (i = 0; i < job->count; i++)
		if (!strcmp(job->lines[i].key, key))
			return &job->lines[i];
	line = add_line(job);
	if (!line)
		return NULL;
	snprintf(line->section, sizeof(line->section), "%s", section);
	snprintf(line->key, sizeof(line->key), "%s", key);
	return line;
}

/* Whether all went well is asked once, at the end: job->is_unfit. */
__attribute__((format(printf, 4, 5))) static void set_key(struct job_file *job, const char *section,
							  const char *key, const char *format, ...)
{
	struct job_line *line = line_of(job, section, key);
	va_list args;

	if (!line) {
		job->is_unfit = true;
		error_set(&job->problem, "no memory for a job file");
		return;
	}
	line->has_value = true;
	va_start(args, format);
	vsnprintf(line->value, sizeof(line->value), format, args);
	va_end(args);
	if (job_value_check(line->value, job->is_unfit ? NULL : &job->problem))
		job->is_unfit = true;
}

int job_file_set(struct job_file *job, const char *key, const char *value, struct error *err)
{
	set_key(job, "global", key, "%s", value);
	return job->is_unfit ? error_set(err, "%s", job->problem.text) : 0;
}

static void drop_key(struct job_file *job, const char *key)
{
	size_t from, to = 0;

	for (from = 0; from < job->count; from++)
		if (strcmp(job->lines[from].key, key))
			job->lines[to++] = job->lines[from];
	job->count = to;
}

/* [global] and the point's own section, of which the later lines win. */
static void pick_lines(const struct job_file *from, const char *section, struct job_file *to)
{
	struct job_line *line;
	size_t i;

	for (i = 0; i < from->count; i++) {
		const char *of = from->lines[i].section;

		if (strcmp(of, "global") && strcmp(of, section))
			continue;
		drop_key(to, from->lines[i].key);
		line = add_line(to);
		if (!line) {
			to->is_unfit = true;
			error_set(&to->problem, "no memory for a job file");
			return;
		}
		*line = from->lines[i];
	}
	drop_key(to, "stonewall");
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
		set_key(job, section, key, "%u", (unsigned)seconds);
	else
		set_key(job, section, key, "%.0fus", seconds * 1e6);
}

static void set_region(struct job_file *job, const struct job_point *point)
{
	unsigned parts = point->sequential ? point->region_files : 1;
	unsigned long long part = point->region_bytes / parts;

	set_key(job, point->point, "offset", "0");
	set_key(job, point->point, "size", "%llu", part);
	if (parts > 1)
		set_key(job, point->point, "offset_increment", "%llu", part);
}

/* Every point and repeat draws offsets and due times of its own; by default they are the same. */
static void set_seed(struct job_file *job, const struct job_point *point)
{
	const char *seed = job_file_get(job, point->point, "randseed");
	unsigned long base = seed ? strtoul(seed, NULL, 10) : 1 + point->percent;

	base += 10000UL * (point->repeat - 1) + point->round;
	base += 100UL * point->load.threads * point->load.queue;
	/* Without it fio 3.33 draws the same offsets whatever the seed. */
	set_key(job, point->point, "randrepeat", "0");
	set_key(job, point->point, "randseed", "%lu", base);
	set_key(job, point->point, "seed", "%lu", base);
}

static void set_rate(struct job_file *job, const struct job_point *point)
{
	char stem[32], max[32];

	point_stem(point->point, point->repeat, stem, sizeof(stem));
	point_stem("max", point->repeat, max, sizeof(max));
	set_key(job, point->point, "stats_file", "%s.stats.json", stem);
	if (point->percent) {
		set_key(job, point->point, "iorate", "%u%%", point->percent);
		set_key(job, point->point, "max_from", "%s.stats.json", max);
	}
}

/* fio runs in the row's folder: engine and trace get their full paths. */
static void set_parts(struct job_file *job, const struct job_point *point)
{
	char path[PATH_MAX];

	job_engine(job, point->point, point->engine, path);
	set_key(job, point->point, "ioengine", "external:%s", path);
	if (job_trace(job, point->point, path))
		set_key(job, point->point, "trace", "%s", path);
}

static void set_point(struct job_file *job, const struct job_point *point)
{
	unsigned clones = job_point_clones(point);
	char target[PATH_MAX];

	escape_colons(point->target, target, sizeof(target));
	set_parts(job, point);
	set_key(job, point->point, "filename", "%s", target);
	set_region(job, point);
	set_seed(job, point);
	set_rate(job, point);
	if (point->simulated) { /* it keeps no data: filling buffers would only cost CPU time */
		drop_key(job, "refill_buffers");
		set_key(job, point->point, "scramble_buffers", "0");
	}
	if (point->in_flight)
		set_key(job, point->point, "iodepth", "%u", point->in_flight / clones);
	if (clones > 1 || job_file_get(job, point->point, "numjobs"))
		set_key(job, point->point, "numjobs", "%u", clones);
	if (point->clones) {
		set_key(job, point->point, "clones", "%u", point->clones);
		set_seconds(job, point->point, "stagger", point->stagger_s);
	}
	if (point->cache_from)
		set_key(job, point->point, "cache_from", "%s", point->cache_from);
	else
		drop_key(job, "cache_from");
	if (point->sample_s > 0)
		set_seconds(job, point->point, "stats_interval", point->sample_s);
	if (point->idle_s > 0) { /* fio's thinktime is in us */
		set_key(job, point->point, "thinktime", "%.0fus", point->idle_s * 1e6);
		set_key(job, point->point, "thinktime_iotime", "%.0fus", point->work_s * 1e6);
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
	pick_lines(job, point->section ? point->section : point->point, &own);
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
