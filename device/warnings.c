/* SPDX-License-Identifier: GPL-2.0-only */
/* What a reviewer should know of a drive before a test. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "device/device_internal.h"

#define USED_UP_PERCENT 100

static void warn(json_t *warnings, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(json_t *warnings, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	json_array_append_new(warnings, json_string(text));
}

/* The number a text begins with; 0 for "n/a". */
static double leading_number(const json_t *facts, const char *key)
{
	return strtod(fact_words(facts, key), NULL);
}

static void warn_links(const json_t *facts, json_t *warnings)
{
	double speed = leading_number(facts, "current_link_speed");
	double width = leading_number(facts, "current_link_width");
	double most_speed = leading_number(facts, "max_link_speed");
	double most_width = leading_number(facts, "max_link_width");
	double sata = leading_number(facts, "sata_link_speed");
	char now[64], best[64];

	link_words(facts, "current", now, sizeof(now));
	link_words(facts, "max", best, sizeof(best));
	if (speed * width > 0 && (speed < most_speed || width < most_width))
		warn(warnings, "The PCIe link runs at %s, the drive can %s.", now, best);
	if (sata > 0 && sata < leading_number(facts, "sata_port_speed"))
		warn(warnings, "The SATA link runs at %s, the port can %s.",
		     fact_words(facts, "sata_link_speed"), fact_words(facts, "sata_port_speed"));
}

static void warn_health(const json_t *smart, const json_t *thresholds, json_t *warnings)
{
	const json_t *item, *critical = json_object_get(smart, "critical");
	double degrees = fact_value(smart, "temperature_c");
	double errors = fact_value(smart, "media_errors");
	double used = fact_value(smart, "used_percent");
	char text[NUMBER_ROOM];
	size_t i;

	json_array_foreach(critical, i, item)
		warn(warnings, "SMART warns: %s.", json_string_value(item));
	if (used >= USED_UP_PERCENT)
		warn(warnings, "The drive's rated endurance is used up: %.0f %%.", used);
	if (errors > 0)
		warn(warnings, "The drive counts %s media error%s.", number_whole(errors, text),
		     errors == 1 ? "" : "s");
	if (degrees >= fact_value(thresholds, "warning_c"))
		warn(warnings, "It is hot: %.0f C, its warning temperature is %.0f C.", degrees,
		     fact_value(thresholds, "warning_c"));
}

/* The place of a format in the drive's own order; the words are those of nvme_formats.c. */
static int performance_rank(const json_t *format)
{
	static const char *const words[] = {"best", "better", "good", "degraded"};
	const char *word = fact_words(format, "performance");
	int rank = 0;

	while (rank < (int)COUNT(words) && strcmp(words[rank], word))
		rank++;
	return rank;
}

static bool same_metadata(const json_t *a, const json_t *b)
{
	return fact_value(a, "metadata_bytes") == fact_value(b, "metadata_bytes");
}

static void warn_format(const json_t *formats, json_t *warnings)
{
	const json_t *format, *now = NULL, *best = NULL;
	char size[2][NUMBER_ROOM];
	size_t i;

	json_array_foreach(formats, i, format) if (json_is_true(json_object_get(format, "in_use")))
		now = format;
	json_array_foreach(formats, i, format) if (now && same_metadata(format, now) &&
						   performance_rank(format) <
							   performance_rank(best ? best : now))
		best = format;
	if (best)
		warn(warnings,
		     "Blocks of %s B are in use (\"%s\"); the drive calls its format of %s B "
		     "\"%s\".",
		     number_whole(fact_value(now, "block_bytes"), size[0]),
		     fact_words(now, "performance"),
		     number_whole(fact_value(best, "block_bytes"), size[1]),
		     fact_words(best, "performance"));
}

static void warn_features(const json_t *features, json_t *warnings)
{
	const json_t *memory = json_object_get(features, "host_memory_buffer");

	if (!strcmp(fact_words(features, "volatile_write_cache"), "off"))
		warn(warnings, "The volatile write cache is switched off.");
	if (!strcmp(fact_words(memory, "state"), "off"))
		warn(warnings, "The drive wants memory of the host (HMB) and has none.");
	if (fact_value(features, "power_state") > 0)
		warn(warnings, "The drive is set to power state %.0f, not to its fastest.",
		     fact_value(features, "power_state"));
}

static void warn_self_test(const json_t *tests, json_t *warnings)
{
	const json_t *newest = json_array_get(tests, 0);

	if (json_is_true(json_object_get(newest, "failed")))
		warn(warnings, "The newest self-test (%s) %s.", fact_words(newest, "kind"),
		     fact_words(newest, "result"));
}

json_t *drive_warnings(const json_t *facts)
{
	const json_t *nvme = json_object_get(facts, "nvme");
	json_t *warnings = json_array();

	warn_links(facts, warnings);
	warn_health(json_object_get(nvme, "smart"), json_object_get(nvme, "thresholds"), warnings);
	warn_format(json_object_get(nvme, "formats"), warnings);
	warn_features(json_object_get(nvme, "features"), warnings);
	warn_self_test(json_object_get(nvme, "self_tests"), warnings);
	return warnings;
}
