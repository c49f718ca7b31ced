/* SPDX-License-Identifier: GPL-2.0-only */
/* The temperature of a drive in the intervals of a run, from its record of telemetry. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "postprocess/timeline.h"

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* "a/030.stats.1.json" -> "a/030.telemetry.json"; NULL: there is none, or it cannot be read. */
static json_t *load_record(const char *stats_path)
{
	const char *slash = strrchr(stats_path, '/');
	const char *ending = strstr(slash ? slash : stats_path, ".stats.");
	char path[640];

	if (!ending)
		return NULL;
	snprintf(path, sizeof(path), "%.*s.telemetry.json", (int)(ending - stats_path), stats_path);
	return json_load_file(path, 0, NULL);
}

/* The last sample that begins no later; *at is where the search goes on. */
static double temperature_at(const json_t *samples, double at_s, size_t *at)
{
	double degrees = NAN;

	for (; *at < json_array_size(samples); (*at)++) {
		const json_t *sample = json_array_get(samples, *at);

		if (!(json_number_value(json_array_get(sample, 0)) <= at_s))
			break;
	}
	if (*at)
		degrees = json_number_value(json_array_get(json_array_get(samples, *at - 1), 1));
	return degrees;
}

/* Samples count from the start of fio, intervals from when the average begins; both end together.
 */
void timeline_take_heat(const char *stats_path, struct timeline *timeline)
{
	json_t *record = load_record(stats_path);
	const json_t *samples = json_object_get(json_object_get(record, "temperature"), "samples");
	double later_s = 0;
	size_t i, at = 0;

	if (timeline->count && json_array_size(samples)) {
		const struct moment *last = &timeline->moments[timeline->count - 1];

		later_s = fmax(number(record, "seconds") - last->start_s - last->length_s, 0);
		timeline->has_temperature = true;
	}
	for (i = 0; i < timeline->count; i++) {
		struct moment *moment = &timeline->moments[i];

		moment->temperature_c = temperature_at(
			samples, moment->start_s + moment->length_s / 2 + later_s, &at);
	}
	json_decref(record);
}
