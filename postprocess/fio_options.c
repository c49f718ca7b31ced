/* SPDX-License-Identifier: GPL-2.0-only */
/* Job options in fio's output: the job's own, those of the global section, sizes and times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/fiojson_internal.h"
#include "postprocess/grow.h"

static int options_add(struct fio_options *options, struct json_span key, struct json_span value)
{
	struct fio_option *larger = list_grow(options->list, options->count, sizeof(*larger));
	struct fio_option *option;

	if (!larger)
		return -1;
	options->list = larger;
	option = &options->list[options->count++];
	option->key = span_text_alloc(key);
	option->value = span_text_alloc(value);
	return option->key && option->value ? 0 : -1;
}

/* Values are strings, but for the port of a server: that is taken as it stands. */
static struct json_span option_value(struct json_reader *reader)
{
	const char *start;

	if (reader_peek(reader) == '"')
		return reader_string(reader);
	start = reader->data + reader->at;
	reader_skip(reader);
	return (struct json_span){start, (size_t)(reader->data + reader->at - start)};
}

int fio_options_parse(struct json_reader *reader, struct fio_options *options)
{
	struct json_span key, value;

	if (!reader_enter(reader, '{'))
		return 0;
	while (reader_member(reader, &key)) {
		value = option_value(reader);
		if (!reader->fault && options_add(options, key, value))
			return -1;
	}
	return 0;
}

void fio_options_free(struct fio_options *options)
{
	size_t i;

	for (i = 0; i < options->count; i++) {
		free(options->list[i].key);
		free(options->list[i].value);
	}
	free(options->list);
	*options = (struct fio_options){0};
}

static const char *find(const struct fio_options *options, const char *key)
{
	size_t i;

	for (i = 0; i < options->count; i++)
		if (!strcmp(options->list[i].key, key))
			return options->list[i].value;
	return NULL;
}

/* Options that have two names, the one fio prints depending on the one the user wrote. */
static const char *other_name(const char *key)
{
	static const char *const pairs[][2] = {
		{"rw", "readwrite"}, {"bs", "blocksize"}, {"filename", "file"}};
	size_t i;

	for (i = 0; i < COUNT(pairs); i++)
		if (!strcmp(pairs[i][0], key))
			return pairs[i][1];
	return NULL;
}

static const char *find_either(const struct fio_options *options, const char *key)
{
	const char *value = find(options, key), *other = other_name(key);

	return value || !other ? value : find(options, other);
}

/* A global section that names a server speaks for that server's jobs alone. */
static bool speaks_for(const struct fio_options *globals, const struct fio_job *job)
{
	const char *host = find(globals, "hostname"), *port = find(globals, "port");

	if (!host || !job->host[0])
		return true;
	return !strcmp(host, job->host) && (!port || atol(port) == job->port);
}

const char *fio_option(const struct fio_output *output, const struct fio_job *job, const char *key)
{
	const char *value = find_either(&job->options, key);
	size_t i;

	for (i = 0; !value && i < output->global_count; i++)
		if (speaks_for(&output->globals[i], job))
			value = find_either(&output->globals[i], key);
	return value;
}

/* fio's units: k, kB, Ki are 1024-based, and kib is 1000-based (kb_base=1024 is its default). */
static double unit_factor(const char *unit)
{
	static const char letters[] = "kmgtp";
	const char *letter = unit[0] ? strchr(letters, unit[0] | 0x20) : NULL;
	double base;

	if (!unit[0] || !strcasecmp(unit, "b"))
		return 1;
	if (!letter)
		return NAN;
	base = !strcasecmp(unit + 1, "ib") ? 1000 : 1024;
	if (base == 1024 && unit[1] && strcasecmp(unit + 1, "b") && strcasecmp(unit + 1, "i"))
		return NAN;
	return pow(base, (double)(letter - letters + 1));
}

double fio_size(const char *text)
{
	char *end;
	double value;

	if (!text || text[0] < '0' || text[0] > '9')
		return NAN;
	value = strtod(text, &end);
	return value * unit_factor(end);
}

double fio_seconds(const char *text)
{
	double us;
	const char *end = text ? duration_parse(text, &us) : NULL;

	return end && !*end ? us / 1e6 : NAN;
}
