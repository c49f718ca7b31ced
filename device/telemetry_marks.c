/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must be said of a point for what the drive did meanwhile. A mark that spoils makes its
 * figures no figures of the drive: it was reset, or answered with errors. The others are the
 * drive's own way to be, such as throttling: its figures are ranked, with the mark beside them.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "device/telemetry_internal.h"

static void mark(json_t *marks, const char *word, bool spoils, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void mark(json_t *marks, const char *word, bool spoils, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	json_array_append_new(marks, json_pack("{s:s, s:s, s:b}", "mark", word, "text", text,
					       "spoils", (int)spoils));
}

/* 0 when it is not known. */
static double rise(const json_t *change, const char *key)
{
	double value = fact_value(change, key);

	return value > 0 ? value : 0;
}

static char *times(double count, const char *what, char *text, size_t room)
{
	char number[NUMBER_ROOM];

	snprintf(text, room, "%s %s%s", number_whole(count, number), what, count == 1 ? "" : "s");
	return text;
}

/* ---- reset ---------------------------------------------------------------------------------- */

/* What only a drive without power, or another drive, can do. */
static bool has_fallen(const json_t *change)
{
	static const char *const keys[] = {"host_read_bytes", "host_written_bytes", "host_reads",
					   "host_writes",     "power_cycles",	    "power_on_h",
					   "media_errors",    "logged_errors"};
	size_t i;

	for (i = 0; i < COUNT(keys); i++)
		if (!strcmp(fact_words(change, keys[i]), "n/a (the counter fell)"))
			return true;
	return false;
}

static void mark_reset(const json_t *after, const json_t *change, const struct telemetry_seen *seen,
		       json_t *marks)
{
	const json_t *disk = json_object_get(after, "disk");

	if (seen->is_gone ||
	    !strcmp(json_string_value(disk) ? json_string_value(disk) : "", "n/a (it is gone)"))
		mark(marks, "reset", true, "the drive was gone");
	else if (rise(change, "unsafe_shutdowns") || rise(change, "power_cycles"))
		mark(marks, "reset", true, "the drive lost its power");
	else if (has_fallen(change))
		mark(marks, "reset", true,
		     "the drive's counters fell: it lost its power, or is another one");
	else if (seen->state[0])
		mark(marks, "reset", true, "the drive was not at work: its state was \"%s\"",
		     seen->state);
}

/* ---- errors --------------------------------------------------------------------------------- */

/* The newest entry that came meanwhile and is of an I/O; NULL: all of them are of other commands.
 */
static const json_t *newest_io_error(const json_t *after, double before_count, unsigned *others)
{
	const json_t *errors = json_object_get(json_object_get(after, "nvme"), "errors"), *entry;
	size_t i;

	*others = 0;
	json_array_foreach(errors, i, entry)
	{
		if (fact_value(entry, "error") <= before_count)
			continue;
		if (fact_value(entry, "queue") > 0)
			return entry;
		(*others)++;
	}
	return NULL;
}

/* Queue 0 is that of administrative commands: a monitor that asks for what the drive lacks. */
static void mark_logged(const json_t *before, const json_t *after, const json_t *change,
			json_t *marks)
{
	double rose = rise(change, "logged_errors");
	double before_count = json_number_value(telemetry_fact(before, "smart", "logged_errors"));
	const json_t *entry;
	unsigned others;
	char text[64];

	if (!rose)
		return;
	entry = newest_io_error(after, before_count, &others);
	times(rose, "error", text, sizeof(text));
	if (entry)
		mark(marks, "errors", true, "the drive logged %s, the newest of an I/O: %s", text,
		     fact_words(entry, "words"));
	else if (others >= rose)
		mark(marks, "admin log", false,
		     "the drive logged %s, of administrative commands, not of I/O", text);
	else
		mark(marks, "errors", true, "the drive logged %s", text);
}

static void mark_errors(const json_t *before, const json_t *after, const json_t *change,
			json_t *marks)
{
	char text[64];

	if (rise(change, "media_errors"))
		mark(marks, "errors", true, "the drive counted %s",
		     times(rise(change, "media_errors"), "media error", text, sizeof(text)));
	else if (rise(change, "kernel_errors"))
		mark(marks, "errors", true, "the kernel counted %s of the drive",
		     times(rise(change, "kernel_errors"), "error", text, sizeof(text)));
	mark_logged(before, after, change, marks);
}

/* ---- heat ----------------------------------------------------------------------------------- */

static void mark_throttled(const json_t *after, const json_t *change, json_t *marks)
{
	double seconds = rise(change, "light_throttle_s") + rise(change, "heavy_throttle_s");
	double count = rise(change, "light_throttle_count") + rise(change, "heavy_throttle_count") +
		       rise(change, "ocp_throttle_events");
	char often[64], duration[NUMBER_ROOM];

	times(count, "time", often, sizeof(often));
	if (seconds && count)
		mark(marks, "throttled", false, "the drive throttled %s, for %s", often,
		     number_duration(seconds, duration));
	else if (seconds)
		mark(marks, "throttled", false, "the drive throttled for %s",
		     number_duration(seconds, duration));
	else if (count)
		mark(marks, "throttled", false, "the drive throttled %s", often);
	else if (json_is_true(json_object_get(json_object_get(after, "simulated"), "throttled")))
		mark(marks, "throttled", false, "the simulated drive throttled");
}

static void mark_hot(const json_t *change, const struct telemetry_seen *seen, json_t *marks)
{
	double minutes = rise(change, "warning_temperature_min");
	double critical = rise(change, "critical_temperature_min");
	char duration[NUMBER_ROOM];

	if (critical)
		mark(marks, "hot", false, "it was over its critical temperature for %s",
		     number_duration(critical * 60, duration));
	else if (minutes)
		mark(marks, "hot", false, "it was over its warning temperature for %s",
		     number_duration(minutes * 60, duration));
	else if (seen->hottest_c >= seen->limit_c)
		mark(marks, "hot", false, "it reached %.0f C; its warning temperature is %.0f C",
		     seen->hottest_c, seen->limit_c);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void mark_link(const struct telemetry_seen *seen, json_t *marks)
{
	if (telemetry_link_is_less(&seen->lowest, &seen->best))
		mark(marks, "link", false, "the link fell to %s; it ran at %s before",
		     seen->lowest.words, seen->best.words);
}

static bool has_text(const json_t *list, const char *text)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i, item) if (!strcmp(json_string_value(item), text)) return true;
	return false;
}

/* What SMART warns of now and did not before. */
static void mark_warnings(const json_t *before, const json_t *after, json_t *marks)
{
	const json_t *was = telemetry_fact(before, "smart", "critical");
	const json_t *is = telemetry_fact(after, "smart", "critical"), *item;
	size_t i;

	json_array_foreach(is, i,
			   item) if (json_is_array(was) && !has_text(was, json_string_value(item)))
		mark(marks, "warning", false, "SMART warns since: %s", json_string_value(item));
}

json_t *telemetry_marks(const json_t *before, const json_t *after, const json_t *change,
			const struct telemetry_seen *seen)
{
	json_t *marks = json_array();

	mark_reset(after, change, seen, marks);
	mark_errors(before, after, change, marks);
	mark_throttled(after, change, marks);
	mark_hot(change, seen, marks);
	mark_link(seen, marks);
	mark_warnings(before, after, marks);
	return marks;
}
