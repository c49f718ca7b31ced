/* SPDX-License-Identifier: GPL-2.0-only */
/* Under which conditions each result was made: its index, drive.json and host.json. */
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/report.h"

static void put_item(const char *term, const char *text, FILE *out)
{
	if (!text[0])
		return;
	fputs("<dt>", out);
	html_text(term, out);
	fputs("</dt><dd>", out);
	html_text(text, out);
	fputs("</dd>\n", out);
}

/* "size_bytes" -> "size"; the unit goes into the value. */
static void put_number(const char *key, double value, FILE *out)
{
	char term[128], text[NUMBER_ROOM];
	size_t length = strlen(key);

	snprintf(term, sizeof(term), "%s", key);
	if (length > 6 && length < sizeof(term) && !strcmp(key + length - 6, "_bytes")) {
		term[length - 6] = '\0';
		number_bytes(value, text);
	} else {
		number_count(value, text);
	}
	put_item(term, text, out);
}

static void put_value(const char *key, const json_t *value, unsigned depth, FILE *out);

static void put_members(const char *prefix, const json_t *object, unsigned depth, FILE *out)
{
	const char *key;
	json_t *value;
	char term[256];

	json_object_foreach((json_t *)object, key, value)
	{
		snprintf(term, sizeof(term), "%s%s%s", prefix, prefix[0] ? ", " : "", key);
		put_value(term, value, depth, out);
	}
}

static void put_value(const char *key, const json_t *value, unsigned depth, FILE *out)
{
	const json_t *item;
	size_t i;

	if (json_is_string(value))
		put_item(key, json_string_value(value), out);
	else if (json_is_number(value))
		put_number(key, json_number_value(value), out);
	else if (json_is_boolean(value))
		put_item(key, json_is_true(value) ? "yes" : "no", out);
	else if (json_is_null(value))
		put_item(key, "n/a", out);
	else if (json_is_object(value) && depth < 8)
		put_members(key, value, depth + 1, out);
	else if (depth < 8)
		json_array_foreach(value, i, item) put_value(key, item, depth + 1, out);
}

/* A file of conditions, whatever it holds; a result without it has none. */
static void put_file(const struct result *result, const char *name, const char *heading, FILE *out)
{
	char path[PATH_MAX];
	json_t *object;

	if (snprintf(path, sizeof(path), "%s/%s", result->path, name) >= (int)sizeof(path))
		return;
	object = json_load_file(path, 0, NULL);
	if (!object)
		return;
	fprintf(out, "<h3>%s</h3>\n<dl>\n", heading);
	put_members("", object, 0, out);
	fputs("</dl>\n", out);
	json_decref(object);
}

static void put_seconds(const char *term, double seconds, FILE *out)
{
	char text[NUMBER_ROOM + 4];

	if (isnan(seconds))
		return;
	number_count(seconds, text);
	strcat(text, " s");
	put_item(term, text, out);
}

static void put_count(const char *term, unsigned count, FILE *out)
{
	char text[NUMBER_ROOM];

	put_item(term, number_whole(count, text), out);
}

static void put_run(const struct result *result, FILE *out)
{
	char text[64];

	fputs("<dl>\n", out);
	put_item("profile", result->profile, out);
	put_item("region", result->region, out);
	put_item("target", result->target, out);
	put_item("simulated", result->simulated ? "yes" : "no", out);
	if (result->scale > 1) {
		snprintf(text, sizeof(text), "1 : %u", result->scale);
		put_item("scale", text, out);
	}
	if (result->repeat > 1)
		put_count("repeats of every row", result->repeat, out);
	if (result->jobs > 1)
		put_count("fio jobs of a random row", result->jobs, out);
	if (result->quick)
		put_item("quick", "yes: short times, not for publication", out);
	put_seconds("waited before each average", result->wait_s, out);
	put_seconds("measured for each point", result->measure_s, out);
	put_item("started", result->started, out);
	put_item("finished", result->finished, out);
	fputs("</dl>\n", out);
}

static void put_fio_file(const struct result *result, FILE *out)
{
	size_t i;

	fputs("<dl>\n", out);
	put_item("file", result->path, out);
	for (i = 0; i < result->count && i < 8; i++)
		put_item(result->curves[i].row, result->curves[i].description, out);
	fputs("</dl>\n", out);
}

void report_conditions(const struct report *report, FILE *out)
{
	size_t i;

	fputs("<h2 id=\"conditions\">Conditions</h2>\n", out);
	for (i = 0; i < report->own; i++) {
		const struct result *result = report->results[i];

		fputs("<details><summary>", out);
		html_text(result->drive, out);
		fputs("</summary>\n", out);
		if (result->kind == RESULT_REVIEW) {
			put_run(result, out);
			put_file(result, "drive.json", "Drive", out);
			put_file(result, "host.json", "Machine", out);
		} else {
			put_fio_file(result, out);
		}
		fputs("</details>\n", out);
	}
}
