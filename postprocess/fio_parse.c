/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One JSON document of fio into jobs. The global section of a client is an array since 3.39, one
 * object a server; "client_stats" takes the place of "jobs" there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/fiojson_internal.h"
#include "postprocess/grow.h"

/* "fio-3.28-261-gc3773-dirty" -> 3, 28 */
static void parse_version(struct fio_output *output, struct json_span span)
{
	span_text(span, output->version, sizeof(output->version));
	if (sscanf(output->version, "fio-%u.%u", &output->major, &output->minor) != 2)
		output->major = output->minor = 0;
}

/* Whether "attained" means anything: a dead drive gives a criterion of -nan and no IOPS at all. */
static void parse_steady(struct json_reader *reader, struct fio_job *job)
{
	struct json_span key;
	char criterion[64] = "";
	bool attained = false, dead = false;

	if (!reader_enter(reader, '{'))
		return;
	while (reader_member(reader, &key)) {
		if (span_is(key, "attained")) {
			attained = reader_number(reader).value == 1;
		} else if (span_is(key, "criterion")) {
			span_text(reader_string(reader), criterion, sizeof(criterion));
		} else if (span_is(key, "data") && reader_enter(reader, '{')) {
			while (reader_member(reader, &key))
				if (span_is(key, "iops_mean"))
					dead = !(reader_number(reader).value > 0);
				else
					reader_skip(reader);
		} else if (!span_is(key, "data")) {
			reader_skip(reader);
		}
	}
	attained = attained && !dead && !strstr(criterion, "nan") && !strstr(criterion, "inf");
	job->steady = attained ? FIO_STEADY_YES : FIO_STEADY_NO;
}

static struct fio_row *row_of(struct fio_job *job, struct json_span key)
{
	static const char *const words[FIO_DIRECTIONS] = {"read", "write", "trim", "mixed"};
	size_t i;

	for (i = 0; i < FIO_DIRECTIONS; i++)
		if (span_is(key, words[i]))
			return &job->rows[i];
	return NULL;
}

static int take_text(struct json_reader *reader, char **text)
{
	free(*text);
	*text = span_text_alloc(reader_string(reader));
	return *text ? 0 : -1;
}

static int parse_job_member(struct json_reader *reader, const struct fio_output *output,
			    struct fio_job *job, struct json_span key)
{
	struct fio_row *row = row_of(job, key);

	if (row && !row->present)
		return fio_row_parse(reader, output, row);
	if (span_is(key, "jobname"))
		return take_text(reader, &job->name);
	if (span_is(key, "hostname"))
		return take_text(reader, &job->host);
	if (span_is(key, "job options"))
		return fio_options_parse(reader, &job->options);
	if (span_is(key, "port"))
		job->port = (long)reader_number(reader).integer;
	else if (span_is(key, "error"))
		job->error = (int)reader_number(reader).integer;
	else if (span_is(key, "job_runtime"))
		job->runtime_ms = reader_number(reader).value;
	else if (span_is(key, "steadystate"))
		parse_steady(reader, job);
	else
		reader_skip(reader);
	return 0;
}

static void job_free(struct fio_job *job)
{
	size_t i;

	free(job->name);
	free(job->host);
	fio_options_free(&job->options);
	for (i = 0; i < FIO_DIRECTIONS; i++) {
		fio_latency_free(&job->rows[i].slat);
		fio_latency_free(&job->rows[i].clat);
		fio_latency_free(&job->rows[i].lat);
	}
}

/* The name as the user wrote it: "jobname" is cut at 127 characters, the option is not. */
static int settle_job(struct fio_job *job)
{
	size_t i, length;

	if (!job->name && !(job->name = strdup("")))
		return -1;
	if (!job->host && !(job->host = strdup("")))
		return -1;
	length = strlen(job->name);
	for (i = 0; i < job->options.count; i++) {
		const struct fio_option *option = &job->options.list[i];

		if (strcmp(option->key, "name") || strncmp(option->value, job->name, length) ||
		    !option->value[length])
			continue;
		free(job->name);
		job->name = strdup(option->value);
		return job->name ? 0 : -1;
	}
	return 0;
}

static int parse_job(struct json_reader *reader, struct fio_output *output)
{
	struct fio_job job = {0}, *larger;
	struct json_span key;
	int status = 0;

	if (!reader_enter(reader, '{'))
		return 0;
	while (status == 0 && reader_member(reader, &key))
		status = parse_job_member(reader, output, &job, key);
	if (status == 0)
		status = settle_job(&job);
	if (status || reader->fault || !strcmp(job.name, "All clients")) {
		job_free(&job);
		return status;
	}
	larger = list_grow(output->jobs, output->job_count, sizeof(*larger));
	if (!larger) {
		job_free(&job);
		return -1;
	}
	output->jobs = larger;
	larger[output->job_count++] = job;
	return 0;
}

static int parse_globals(struct json_reader *reader, struct fio_output *output)
{
	struct fio_options *larger;

	larger = list_grow(output->globals, output->global_count, sizeof(*larger));
	if (!larger)
		return -1;
	output->globals = larger;
	larger[output->global_count] = (struct fio_options){0};
	return fio_options_parse(reader, &larger[output->global_count++]);
}

static int parse_list(struct json_reader *reader, struct fio_output *output,
		      int (*parse)(struct json_reader *, struct fio_output *))
{
	int status = 0;

	if (reader_peek(reader) == '{')
		return parse(reader, output);
	if (!reader_enter(reader, '['))
		return 0;
	while (status == 0 && reader_element(reader))
		status = parse(reader, output);
	return status;
}

/* Units depend on the release: its key is looked for first, with a reader of its own. */
static void find_version(struct json_reader reader, struct fio_output *output)
{
	struct json_span key;

	reader_enter(&reader, '{');
	while (reader_member(&reader, &key)) {
		if (span_is(key, "fio version")) {
			parse_version(output, reader_string(&reader));
			return;
		}
		reader_skip(&reader);
	}
}

int fio_document_parse(struct json_reader *reader, struct fio_output *output)
{
	struct json_span key;
	int status = 0;

	find_version(*reader, output);
	if (!reader_enter(reader, '{'))
		return 0;
	while (status == 0 && reader_member(reader, &key)) {
		if (span_is(key, "global options"))
			status = parse_list(reader, output, parse_globals);
		else if (span_is(key, "jobs") || span_is(key, "client_stats"))
			status = parse_list(reader, output, parse_job);
		else
			reader_skip(reader);
	}
	return status;
}

bool fio_row_counts(const struct fio_job *job, enum fio_direction direction)
{
	bool apart = job->rows[FIO_READ].present || job->rows[FIO_WRITE].present;

	if (!job->rows[direction].present)
		return false;
	return direction == FIO_MIXED ? !apart : apart;
}

void fio_output_free(struct fio_output *output)
{
	size_t i;

	for (i = 0; i < output->job_count; i++)
		job_free(&output->jobs[i]);
	for (i = 0; i < output->global_count; i++)
		fio_options_free(&output->globals[i]);
	free(output->jobs);
	free(output->globals);
	free(output->diagnostics);
	*output = (struct fio_output){0};
}
