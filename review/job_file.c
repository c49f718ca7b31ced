/* SPDX-License-Identifier: GPL-2.0-only */
/* fio's job files as pairs of section, key and value: read, looked up, changed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "review/job_file.h"

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

/* ---- changing ----------------------------------------------------------------------------- */

int job_value_check(const char *value, struct error *err)
{
	const char *at = strpbrk(value, "#;$");
	size_t i, length = strlen(value);

	if (!utf8_is(value))
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

void job_file_put(struct job_file *job, const char *section, const char *key, const char *format,
		  ...)
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
	job_file_put(job, "global", key, "%s", value);
	return job->is_unfit ? error_set(err, "%s", job->problem.text) : 0;
}

void job_file_drop(struct job_file *job, const char *key)
{
	size_t from, to = 0;

	for (from = 0; from < job->count; from++)
		if (strcmp(job->lines[from].key, key))
			job->lines[to++] = job->lines[from];
	job->count = to;
}

void job_file_pick(const struct job_file *from, const char *section, struct job_file *to)
{
	struct job_line *line;
	size_t i;

	for (i = 0; i < from->count; i++) {
		const char *of = from->lines[i].section;

		if (strcmp(of, "global") && strcmp(of, section))
			continue;
		job_file_drop(to, from->lines[i].key);
		line = add_line(to);
		if (!line) {
			to->is_unfit = true;
			error_set(&to->problem, "no memory for a job file");
			return;
		}
		*line = from->lines[i];
	}
	job_file_drop(to, "stonewall");
}
