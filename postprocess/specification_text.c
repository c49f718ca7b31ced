/* SPDX-License-Identifier: GPL-2.0-only */
/* Rated and published figures in words. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/specification.h"
#include "postprocess/ranking.h"

/* What is rated beside the rows of a review. */
static const struct {
	const char *what, *title;
} titles[] = {{"seqread", "Sequential read"},
	      {"seqwrite", "Sequential write"},
	      {"4k-7030", "4K random, 70/30"},
	      {"latency-read", "Read latency"},
	      {"latency-write", "Write latency"},
	      {"power-active", "Power, active"},
	      {"power-active-read", "Power, reading"},
	      {"power-active-write", "Power, writing"},
	      {"power-idle", "Power, idle"},
	      {"nand-layers", "NAND layers"},
	      {"slc-cache", "SLC cache"},
	      {"afr", "Failures a year"},
	      {"mtbf", "MTBF"}};

/* Units in the words of this project. */
static const struct {
	const char *unit, *word;
} units[] = {{"degC", "C"}, {"percent", "%"}, {"layers", ""}};

/* Which of several figures of one thing it is; others are told apart by their unit. */
static const struct {
	const char *figure, *word;
} figures[] = {{"temp_min", "at least"},
	       {"temp_max", "at most"},
	       {"temp_case_max", "case at most"},
	       {"cache_total", "in all"},
	       {"cache_dynamic", "dynamic"},
	       {"cache_static", "static"},
	       {"iops_intro", "by its introduction"},
	       {"power_max", "at most"},
	       {"latency_p99", "p99"}};

static const char *text_of(const json_t *figure, const char *key)
{
	const char *text = json_string_value(json_object_get(figure, key));

	return text ? text : "";
}

static void title_of(const char *what, char *title, size_t room)
{
	size_t i;

	for (i = 0; i < COUNT(titles); i++)
		if (!strcmp(titles[i].what, what)) {
			snprintf(title, room, "%s", titles[i].title);
			return;
		}
	row_title(what, title, room);
	if (!strchr(what, '-'))
		title[0] = (char)toupper((unsigned char)title[0]);
}

static const char *unit_of(const json_t *figure)
{
	const char *unit = text_of(figure, "unit");
	size_t i;

	for (i = 0; i < COUNT(units); i++)
		if (!strcmp(units[i].unit, unit))
			return units[i].word;
	return unit;
}

/* Whole numbers have no digits after the point, small ones all that were stated. */
static const char *value_text(double value, char *number)
{
	if (value == floor(value))
		return number_whole(value, number);
	if (value >= 1)
		return number_count(value, number);
	snprintf(number, NUMBER_ROOM, "%g", value);
	return number;
}

static void append_figure(const json_t *figure, char *text, size_t room)
{
	double value = json_number_value(json_object_get(figure, "value"));
	const char *unit = unit_of(figure);
	char number[NUMBER_ROOM];
	size_t i;

	text_append(text, room, "%s%s%s%s%s", text[0] ? ", " : "",
		    json_is_true(json_object_get(figure, "about")) ? "about " : "",
		    value_text(value, number), unit[0] ? " " : "", unit);
	for (i = 0; i < COUNT(figures); i++)
		if (!strcmp(figures[i].figure, text_of(figure, "figure")))
			text_append(text, room, " %s", figures[i].word);
}

size_t specification_text(const json_t *list, size_t first, char *title, size_t title_room,
			  char *text, size_t room)
{
	const char *what = text_of(json_array_get(list, first), "what");
	size_t i = first;

	title_of(what, title, title_room);
	text[0] = '\0';
	while (i < json_array_size(list) && !strcmp(text_of(json_array_get(list, i), "what"), what))
		append_figure(json_array_get(list, i++), text, room);
	return i;
}
