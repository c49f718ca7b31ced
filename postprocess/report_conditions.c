/* SPDX-License-Identifier: GPL-2.0-only */
/* Under which conditions each result was made: its index, drive.json and host.json. */
#include <ctype.h>
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

/* Keys whose words are not simply the key's own. */
static const struct {
	const char *key, *term;
} terms[] = {{"aspm_policy", "ASPM policy"},
	     {"block_bytes", "Logical block"},
	     {"cpu", "CPU"},
	     {"current_link_speed", "Link speed now"},
	     {"current_link_width", "Link width now"},
	     {"fio", "fio"},
	     {"max_link_speed", "Link speed at most"},
	     {"max_link_width", "Link width at most"},
	     {"nvme", "NVMe"},
	     {"ocp", "OCP log"},
	     {"os", "OS"},
	     {"sim_model", "Simulated by model"},
	     {"smart", "SMART"},
	     {"ssdreview", "ssdreview"}};

/* Endings of keys that are units. */
static const struct {
	const char *ending, *unit;
} units[] = {{"_bytes", NULL}, {"_c", "°C"}, {"_s", "s"},
	     {"_min", "min"},  {"_h", "h"},  {"_percent", "%"}};

/* Which unit the key ends in; COUNT(units) for none. */
static size_t find_unit(const char *key)
{
	size_t i, length = strlen(key);

	for (i = 0; i < COUNT(units); i++) {
		size_t ending = strlen(units[i].ending);

		if (length > ending && !strcmp(key + length - ending, units[i].ending))
			break;
	}
	return i;
}

/* "rated_endurance_bytes" -> "Rated endurance"; the unit stands in the value. */
static void key_words(const char *key, char *term, size_t room)
{
	size_t unit = find_unit(key), i;

	for (i = 0; i < COUNT(terms); i++)
		if (!strcmp(terms[i].key, key)) {
			snprintf(term, room, "%s", terms[i].term);
			return;
		}
	snprintf(term, room, "%s", key);
	if (unit < COUNT(units) && strlen(key) < room)
		term[strlen(key) - strlen(units[unit].ending)] = '\0';
	for (i = 0; term[i]; i++)
		if (term[i] == '_')
			term[i] = ' ';
	term[0] = (char)toupper((unsigned char)term[0]);
}

static void put_number(const char *key, const char *term, double value, FILE *out)
{
	char text[NUMBER_ROOM + 8];
	size_t unit = find_unit(key);

	if (unit < COUNT(units) && !units[unit].unit) {
		put_item(term, number_bytes(value, text), out);
		return;
	}
	/* Numbers that are whole have no digits behind the point. */
	(floor(value) == value ? number_whole : number_count)(value, text);
	if (unit < COUNT(units))
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " %s", units[unit].unit);
	put_item(term, text, out);
}

/* Long lists about a drive that drive.json has; the page does without. */
static bool is_left_out(const char *key)
{
	static const char *const keys[] = {"formats",	 "power_states",   "errors",
					   "self_tests", "firmware_slots", "commands",
					   "erase",	 "transitions",	   "version"};
	size_t i;

	for (i = 0; i < COUNT(keys); i++)
		if (!strcmp(keys[i], key))
			return true;
	return false;
}

/* A value under its key; `before` is the term of what it is a part of. */
static void put_value(const char *before, const char *key, const json_t *value, unsigned depth,
		      FILE *out);

static void put_members(const char *before, const json_t *object, unsigned depth, FILE *out)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value)
	{
		if (!is_left_out(key))
			put_value(before, key, value, depth, out);
	}
}

static void put_value(const char *before, const char *key, const json_t *value, unsigned depth,
		      FILE *out)
{
	char words[128], term[256];
	const json_t *item;
	size_t i;

	key_words(key, words, sizeof(words));
	snprintf(term, sizeof(term), "%.120s%s%s", before, before[0] ? ", " : "", words);
	if (json_is_string(value))
		put_item(term, json_string_value(value), out);
	else if (json_is_number(value))
		put_number(key, term, json_number_value(value), out);
	else if (json_is_boolean(value))
		put_item(term, json_is_true(value) ? "yes" : "no", out);
	else if (json_is_null(value))
		put_item(term, "n/a", out);
	else if (json_is_object(value) && depth < 8)
		put_members(term, value, depth + 1, out);
	else if (depth < 8)
		json_array_foreach(value, i, item) put_value(before, key, item, depth + 1, out);
}

/* A file of conditions, whatever it holds; NULL for a result without it. */
static json_t *read_file(const struct result *result, const char *name)
{
	char path[PATH_MAX];

	if (result->kind != RESULT_REVIEW ||
	    snprintf(path, sizeof(path), "%s/%s", result->path, name) >= (int)sizeof(path))
		return NULL;
	return json_load_file(path, 0, NULL);
}

/* The first result before this one with the same file; NULL for none. */
static const struct result *same_before(const struct report *report, size_t at, const char *name,
					const json_t *object)
{
	bool same = false;
	json_t *other;
	size_t i;

	for (i = 0; i < at && !same; i++) {
		other = read_file(report->results[i], name);
		same = other && json_equal(other, object);
		json_decref(other);
	}
	return same ? report->results[i - 1] : NULL;
}

/* What was shown before is not shown again. */
static void put_file(const struct report *report, size_t at, const char *name, const char *heading,
		     FILE *out)
{
	json_t *object = read_file(report->results[at], name);
	const struct result *before;

	if (!object)
		return;
	before = same_before(report, at, name, object);
	fprintf(out, "<h3>%s</h3>\n", heading);
	if (before) {
		fputs("<p class=\"soft\">The same as for ", out);
		html_text(before->drive, out);
		fputs(".</p>\n", out);
	} else {
		fputs("<dl>\n", out);
		put_members("", object, 0, out);
		fputs("</dl>\n", out);
	}
	json_decref(object);
}

static void put_seconds(const char *term, double seconds, FILE *out)
{
	char text[NUMBER_ROOM + 4];

	if (isnan(seconds))
		return;
	snprintf(text, sizeof(text), "%.3g s", fmin(seconds, 1e6));
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
	put_item("Profile", result->profile, out);
	put_item("Region", result->region, out);
	put_item("Purge", result->purged, out);
	put_item("Filled", result->filled, out);
	put_item("Target", result->target, out);
	put_item("Simulated", result->simulated ? "yes" : "no", out);
	if (result->scale > 1) {
		snprintf(text, sizeof(text), "1 : %u", result->scale);
		put_item("Scale", text, out);
	}
	if (result->repeat > 1)
		put_count("Repeats of every row", result->repeat, out);
	if (result->jobs > 1)
		put_count("Jobs of fio in a random row", result->jobs, out);
	if (result->quick)
		put_item("Quick", "yes: short times, not for publication", out);
	put_seconds("Waited before each average", result->wait_s, out);
	put_seconds("Measured for each point", result->measure_s, out);
	put_item("Started", result->started, out);
	put_item("Finished", result->finished, out);
	fputs("</dl>\n", out);
}

static void put_fio_file(const struct result *result, FILE *out)
{
	size_t i;

	fputs("<dl>\n", out);
	put_item("File", result->path, out);
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
		if (result->kind == RESULT_REVIEW && result->name[0]) {
			fputs(" (", out);
			html_text(result->name, out);
			fputs(")", out);
		}
		fputs("</summary>\n", out);
		if (result->kind == RESULT_REVIEW) {
			put_run(result, out);
			put_file(report, i, "drive.json", "Drive", out);
			put_file(report, i, "host.json", "Machine", out);
		} else {
			put_fio_file(result, out);
		}
		fputs("</details>\n", out);
	}
}
