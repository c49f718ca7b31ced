/* SPDX-License-Identifier: GPL-2.0-only */
/* What the drive did while a point was measured, as the review's index tells it. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "postprocess/json_reader.h"
#include "postprocess/point.h"

const struct drive_mark drive_marks[DRIVE_MARKS] = {{"reset", "reset"},
						    {"errors", "errors"},
						    {"throttled", "throttled"},
						    {"hot", "hot"},
						    {"link", "slower link"},
						    {"warning", "SMART warning"},
						    {"admin log", "errors logged"}};

bool telemetry_has_mark(const json_t *telemetry, const char *word)
{
	const json_t *mark;
	size_t i;

	json_array_foreach(json_object_get(telemetry, "marks"), i, mark)
	{
		const char *own = json_string_value(json_object_get(mark, "mark"));

		if (own && !strcmp(own, word))
			return true;
	}
	return false;
}

const char *round_load_invalid(const json_t *load)
{
	const char *machine = json_string_value(json_object_get(load, "machine"));
	const json_t *marks = json_object_get(json_object_get(load, "telemetry"), "marks"), *mark;
	size_t i;

	if (machine)
		return machine;
	json_array_foreach(marks, i, mark)
	{
		if (json_is_true(json_object_get(mark, "spoils")))
			return json_string_value(json_object_get(mark, "text"));
	}
	return NULL;
}

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static void take_text(const json_t *mark, const char *key, char *text, size_t room)
{
	const char *value = json_string_value(json_object_get(mark, key));

	text_clean(value ? value : "", value ? strlen(value) : 0, text, room);
}

static void join(char *list, size_t room, const char *between, const char *text)
{
	text_append(list, room, "%s%s", list[0] ? between : "", text);
}

static void spoil(const char *word, const char *text, struct point *point)
{
	if (!point_counts(point))
		return;
	point->verdict = POINT_INVALID;
	snprintf(point->reason, sizeof(point->reason), "%s", text);
	snprintf(point->brief, sizeof(point->brief), "%s", word);
}

static void take_mark(const json_t *mark, struct point *point)
{
	char word[24], text[256];

	take_text(mark, "mark", word, sizeof(word));
	take_text(mark, "text", text, sizeof(text));
	if (!strstr(point->marks, word))
		join(point->marks, sizeof(point->marks), ", ", word);
	join(point->drive_did, sizeof(point->drive_did), "; ", text);
	if (json_is_true(json_object_get(mark, "spoils")))
		spoil(word, text, point);
}

void point_take_telemetry(const json_t *telemetry, struct point *point)
{
	const json_t *mark;
	size_t i;

	point->temperature_mean_c = number(telemetry, "mean_c");
	point->temperature_max_c = number(telemetry, "max_c");
	point->write_amplification = number(telemetry, "write_amplification");
	json_array_foreach(json_object_get(telemetry, "marks"), i, mark) take_mark(mark, point);
	if (point->marks[0] && !point->brief[0])
		snprintf(point->brief, sizeof(point->brief), "%.31s", point->marks);
}
