/* SPDX-License-Identifier: GPL-2.0-only */
/* Which rated and published figures are those of a drive. */
#include "postprocess/specification.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/published_csv.h"

#define CAPACITY_TOLERANCE 0.05
#define MODEL_BYTES	   256

/* Part numbers, and the words they stand for. */
static const struct {
	const char *pattern, *words;
} part_numbers[] = {
	{"SSDPEKNU*", "Intel 670p"},
	{"SSDPEKNW???[GT]9*", "Intel 665p"},
	{"SSDPEKNW???[GT]8*", "Intel 660p"},
	{"SSDPEKKW???[GT]8*", "Intel 760p"},
	{"SSDPE2KX???[GT]8*", "Intel P4510 U.2"},
	{"SSDPE2MD*", "Intel P3700 2.5-inch"},
	{"SSDPEDMD*", "Intel P3700 AIC"},
	{"SSDPE2ME*", "Intel P3600"},
	{"SSDPEDME*", "Intel P3600"},
	{"SSDPECME*", "Intel P3608"},
	{"MZWEI*", "Samsung XS1715"},
};

/* "2TB", "512GB": decimal bytes; 0 for a word that is no capacity. */
static double capacity_of(const char *word, size_t length)
{
	char copy[32], *end;
	double value;

	snprintf(copy, sizeof(copy), "%.*s", (int)length, word);
	value = strtod(copy, &end);
	if (end == copy || value <= 0)
		return 0;
	if (!strcasecmp(end, "GB"))
		return value * 1e9;
	return strcasecmp(end, "TB") ? 0 : value * 1e12;
}

static bool has_word(const char *text, const char *word, size_t length)
{
	const char *at = text;
	size_t here;

	while (*(at += strspn(at, " "))) {
		here = strcspn(at, " ");
		if (here == length && !strncasecmp(at, word, length))
			return true;
		at += here;
	}
	return false;
}

static bool has_digit(const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (isdigit((unsigned char)word[i]))
			return true;
	return false;
}

/* The model with the words that its part number stands for. */
static void widen(const char *model, char *words, size_t room)
{
	char copy[MODEL_BYTES], *word, *save = NULL;
	size_t i;

	snprintf(words, room, "%s", model);
	snprintf(copy, sizeof(copy), "%s", model);
	for (word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		for (i = 0; i < COUNT(part_numbers); i++)
			if (!fnmatch(part_numbers[i].pattern, word, 0))
				text_append(words, room, " %s", part_numbers[i].words);
}

bool specification_fits(const char *name, const char *model, double capacity_bytes)
{
	char words[MODEL_BYTES * 2];
	const char *at = name;
	bool telling = false;
	double capacity;
	size_t length;

	if (strpbrk(name, "()"))
		return false;
	widen(model, words, sizeof(words));
	while (*(at += strspn(at, " "))) {
		length = strcspn(at, " ");
		capacity = capacity_of(at, length);
		if (capacity > 0 && !(fabs(capacity_bytes / capacity - 1) <= CAPACITY_TOLERANCE))
			return false;
		if (capacity == 0 && !has_word(words, at, length))
			return false;
		telling |= capacity == 0 && has_digit(at, length);
		at += length;
	}
	return telling;
}

/* ---- the figures -------------------------------------------------------------------------------
 */

struct search {
	const char *model;
	double capacity_bytes;
	char drive[128]; /* the longest name that fits */
	json_t *rated, *published;
};

static json_t *whole_or_real(double value)
{
	return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *figure(char **cells, const char *what)
{
	return json_pack("{s:s, s:s, s:o, s:s, s:b, s:s, s:s}", "what", what, "figure",
			 cells[PUBLISHED_METRIC], "value",
			 whole_or_real(atof(cells[PUBLISHED_VALUE])), "unit", cells[PUBLISHED_UNIT],
			 "about", published_is_about(cells), "drive", cells[PUBLISHED_DRIVE],
			 "source", cells[PUBLISHED_SOURCE]);
}

/* Behind the last one of the same thing, wherever the file has it. */
static void add_figure(json_t *list, char **cells, const char *what)
{
	const json_t *other;
	size_t i, place = json_array_size(list);

	json_array_foreach(list, i,
			   other) if (!strcmp(json_string_value(json_object_get(other, "what")),
					      what)) place = i + 1;
	json_array_insert_new(list, place, figure(cells, what));
}

/* Places, gaps and moments in a curve are the review's, not the drive's. */
static bool is_result(char **cells)
{
	static const char *const metrics[] = {"iops", "latency_avg", "bandwidth_computed",
					      "tps",  "seconds",     "latency_p99"};
	size_t i;

	for (i = 0; i < COUNT(metrics); i++)
		if (!strcmp(cells[PUBLISHED_METRIC], metrics[i]))
			return true;
	return !strcmp(cells[PUBLISHED_METRIC], "bandwidth") &&
	       !strncmp(cells[PUBLISHED_WORKLOAD], "blackmagic", strlen("blackmagic"));
}

static int take_line(char **cells, void *context)
{
	static const char rating[] = "spec-";
	struct search *search = context;
	const char *workload = cells[PUBLISHED_WORKLOAD], *name = cells[PUBLISHED_DRIVE];
	bool rated = !strncmp(workload, rating, strlen(rating));

	if (!cells[PUBLISHED_VALUE][0] || (!rated && !is_result(cells)) ||
	    !specification_fits(name, search->model, search->capacity_bytes))
		return 0;
	if (strlen(name) > strlen(search->drive))
		snprintf(search->drive, sizeof(search->drive), "%s", name);
	if (rated)
		add_figure(search->rated, cells, workload + strlen(rating));
	else
		add_figure(search->published, cells, workload);
	return 0;
}

json_t *specification_find(const char *path, const char *model, double capacity_bytes,
			   struct error *err)
{
	struct search search = {.model = model, .capacity_bytes = capacity_bytes};
	json_t *found = NULL;

	search.rated = json_array();
	search.published = json_array();
	if (published_each(path, take_line, &search, err))
		found = NULL;
	else if (!search.drive[0])
		found = json_null();
	else
		found = json_pack("{s:s, s:O, s:O}", "drive", search.drive, "rated", search.rated,
				  "published", search.published);
	json_decref(search.rated);
	json_decref(search.published);
	return found;
}
