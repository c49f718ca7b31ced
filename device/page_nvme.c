/* SPDX-License-Identifier: GPL-2.0-only */
/* What an NVMe drive told of itself and its health, in words. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "device/drive.h"
#include "device/page_internal.h"

#define NUMBER_TEXT 128

/* ---- identity -------------------------------------------------------------------------------- */

static void print_namespace(const json_t *nvme, FILE *out)
{
	size_t count = json_array_size(json_object_get(nvme, "namespaces"));
	char text[ENTRY_BYTES], number[NUMBER_TEXT];

	snprintf(text, sizeof(text), "%s", page_number(nvme, "namespace", number, sizeof(number)));
	if (count == 1)
		text_append(text, sizeof(text), ", the only one");
	else if (count > 1)
		text_append(text, sizeof(text), ", one of %zu on this drive", count);
	text_append(text, sizeof(text), "; NVMe %s", fact_words(nvme, "version"));
	page_line("Namespace", text, out);
}

static bool all_perform_alike(const json_t *formats)
{
	const json_t *format;
	const char *first = fact_words(json_array_get(formats, 0), "performance");
	size_t i;

	json_array_foreach(formats, i, format) if (strcmp(fact_words(format, "performance"),
							  first)) return false;
	return true;
}

/* "512 B (in use, good), 512+8 B (good), 4,096 B (best)" */
static void print_formats(const json_t *nvme, FILE *out)
{
	const json_t *formats = json_object_get(nvme, "formats"), *format;
	char text[ENTRY_BYTES] = "", number[NUMBER_ROOM];
	bool alike = all_perform_alike(formats);
	size_t i;

	json_array_foreach(formats, i, format)
	{
		double metadata = fact_value(format, "metadata_bytes");
		bool in_use = json_is_true(json_object_get(format, "in_use"));

		text_append(text, sizeof(text), "%s%s", i ? ", " : "",
			    number_whole(fact_value(format, "block_bytes"), number));
		if (metadata > 0)
			text_append(text, sizeof(text), "+%s", number_whole(metadata, number));
		text_append(text, sizeof(text), " B");
		if (in_use || !alike)
			text_append(text, sizeof(text), " (%s%s%s)", in_use ? "in use" : "",
				    in_use && !alike ? ", " : "",
				    alike ? "" : fact_words(format, "performance"));
	}
	page_entry("LBA formats", formats, text, out);
	if (fact_words(nvme, "protection")[0] && strcmp(fact_words(nvme, "protection"), "none"))
		page_line("Protection", fact_words(nvme, "protection"), out);
}

static void print_transfer(const json_t *nvme, FILE *out)
{
	double bytes = fact_value(nvme, "largest_transfer_bytes");
	char text[ENTRY_BYTES], number[NUMBER_ROOM];

	snprintf(text, sizeof(text), "%s KiB", number_whole(bytes / 1024, number));
	if (isnan(bytes))
		snprintf(text, sizeof(text), "of any size");
	page_line("Largest command", text, out);
}

static void print_firmware(const json_t *nvme, FILE *out)
{
	const json_t *slots = json_object_get(nvme, "firmware_slots");
	char text[ENTRY_BYTES], number[2][NUMBER_TEXT];

	snprintf(text, sizeof(text), "slot %s of %s in use%s",
		 page_number(slots, "active_slot", number[0], sizeof(number[0])),
		 page_number(slots, "slots", number[1], sizeof(number[1])),
		 json_is_true(json_object_get(slots, "activates_without_reset"))
			 ? "; a new one needs no reset"
			 : "");
	if (!isnan(fact_value(slots, "next_slot")))
		text_append(text, sizeof(text), "; slot %.0f comes with the next reset",
			    fact_value(slots, "next_slot"));
	page_entry("Firmware slots", json_object_get(slots, "active_slot"), text, out);
}

void page_identity(const json_t *nvme, FILE *out)
{
	print_firmware(nvme, out);
	print_namespace(nvme, out);
	print_formats(nvme, out);
	print_transfer(nvme, out);
}

/* ---- health ---------------------------------------------------------------------------------- */

static void print_wear(const json_t *smart, FILE *out)
{
	const json_t *critical = json_object_get(smart, "critical");
	char text[ENTRY_BYTES], number[2][NUMBER_TEXT];

	page_list(critical, text, sizeof(text));
	page_line("SMART warnings", text, out);
	snprintf(text, sizeof(text), "%s %% used",
		 page_number(smart, "used_percent", number[0], sizeof(number[0])));
	page_entry("Endurance", json_object_get(smart, "used_percent"), text, out);
	snprintf(text, sizeof(text), "%s %%, warns below %s %%",
		 page_number(smart, "spare_percent", number[0], sizeof(number[0])),
		 page_number(smart, "spare_threshold_percent", number[1], sizeof(number[1])));
	page_entry("Spare", json_object_get(smart, "spare_percent"), text, out);
}

static void print_traffic(const char *name, const json_t *smart, const char *bytes,
			  const char *commands, FILE *out)
{
	char text[ENTRY_BYTES], number[2][NUMBER_TEXT];

	snprintf(text, sizeof(text), "%s in %s commands",
		 page_bytes(smart, bytes, number[0], sizeof(number[0])),
		 page_number(smart, commands, number[1], sizeof(number[1])));
	page_line(name, text, out);
}

static void print_flash_writes(const json_t *nvme, FILE *out)
{
	const json_t *group = json_object_get(nvme, "endurance_group");
	const json_t *ocp = json_object_get(nvme, "ocp");
	const json_t *teller = isnan(fact_value(ocp, "media_written_bytes")) ? group : ocp;
	char text[ENTRY_BYTES], number[NUMBER_TEXT];

	snprintf(text, sizeof(text), "%s (%s): write amplification %.2f",
		 page_bytes(teller, "media_written_bytes", number, sizeof(number)),
		 teller == ocp ? "OCP log" : "endurance group log",
		 fact_value(nvme, "write_amplification"));
	page_entry("Flash writes", json_object_get(nvme, "write_amplification"), text, out);
}

static void print_life(const json_t *smart, FILE *out)
{
	char text[ENTRY_BYTES], number[4][NUMBER_TEXT];

	snprintf(text, sizeof(text), "%s h, busy %s min, %s power cycles, %s unsafe shutdowns",
		 page_number(smart, "power_on_h", number[0], sizeof(number[0])),
		 page_number(smart, "busy_min", number[1], sizeof(number[1])),
		 page_number(smart, "power_cycles", number[2], sizeof(number[2])),
		 page_number(smart, "unsafe_shutdowns", number[3], sizeof(number[3])));
	page_line("Power on", text, out);
	page_line("Media errors", page_number(smart, "media_errors", number[0], sizeof(number[0])),
		  out);
}

static void print_errors(const json_t *nvme, FILE *out)
{
	const json_t *errors = json_object_get(nvme, "errors"), *entry;
	const json_t *smart = json_object_get(nvme, "smart");
	char text[ENTRY_BYTES] = "", number[NUMBER_TEXT];
	size_t i;

	if (!isnan(fact_value(smart, "logged_errors")))
		snprintf(text, sizeof(text), "%s ever",
			 page_number(smart, "logged_errors", number, sizeof(number)));
	if (!json_array_size(errors))
		text_append(text, sizeof(text), "%snothing is in the log", text[0] ? "; " : "");
	json_array_foreach(errors, i, entry)
		text_append(text, sizeof(text), "%sno. %s: %s (%s)", i || text[0] ? "\n" : "",
			    page_number(entry, "error", number, sizeof(number)),
			    fact_words(entry, "words"), fact_words(entry, "status"));
	page_entry("Error log", errors, text, out);
}

static void print_self_tests(const json_t *nvme, FILE *out)
{
	const json_t *tests = json_object_get(nvme, "self_tests"), *test;
	char text[ENTRY_BYTES] = "", number[NUMBER_TEXT];
	size_t i;

	json_array_foreach(tests, i, test)
		text_append(text, sizeof(text), "%s%s, %s, at %s h", i ? "\n" : "",
			    fact_words(test, "kind"), fact_words(test, "result"),
			    page_number(test, "power_on_h", number, sizeof(number)));
	if (!isnan(fact_value(nvme, "self_test_done_percent")))
		text_append(text, sizeof(text), "%sone is at work: %.0f %% done",
			    text[0] ? "\n" : "", fact_value(nvme, "self_test_done_percent"));
	page_entry("Self-tests", tests, text[0] ? text : "never run, or none kept", out);
}

void page_health(const json_t *nvme, FILE *out)
{
	const json_t *smart = json_object_get(nvme, "smart");

	fputs("\nHealth\n", out);
	if (json_is_object(smart)) {
		print_wear(smart, out);
		print_traffic("Host writes", smart, "host_written_bytes", "host_writes", out);
		print_traffic("Host reads", smart, "host_read_bytes", "host_reads", out);
	} else {
		page_entry("SMART", smart, "", out);
	}
	print_flash_writes(nvme, out);
	if (json_is_object(smart))
		print_life(smart, out);
	print_errors(nvme, out);
	print_self_tests(nvme, out);
}

/* ---- temperature ------------------------------------------------------------------------------
 */

static void print_now(const json_t *facts, const json_t *smart, FILE *out)
{
	const json_t *sensors = json_object_get(smart, "sensors_c"), *sensor;
	char text[ENTRY_BYTES], number[NUMBER_TEXT];
	size_t i;

	if (!json_is_object(smart)) {
		page_sensor("Now", facts, out);
		return;
	}
	snprintf(text, sizeof(text), "%s C",
		 page_number(smart, "temperature_c", number, sizeof(number)));
	json_array_foreach(sensors, i, sensor) text_append(
		text, sizeof(text), "%s%.0f C", i ? ", " : "; sensors ", json_number_value(sensor));
	page_entry("Now", json_object_get(smart, "temperature_c"), text, out);
}

static void append_set(char *text, size_t room, const char *words, const json_t *facts,
		       const char *key)
{
	double degrees = fact_value(facts, key);

	if (!isnan(degrees))
		text_append(text, room, "%s%s %.0f C", text[0] ? "; " : "", words, degrees);
}

/* What is not set is not told; what the drive refuses to tell is. */
static void print_set(const json_t *thresholds, FILE *out)
{
	const json_t *alarm = json_object_get(thresholds, "alarm_over_c");
	char text[ENTRY_BYTES] = "";

	append_set(text, sizeof(text), "alarm over", thresholds, "alarm_over_c");
	append_set(text, sizeof(text), "alarm under", thresholds, "alarm_under_c");
	append_set(text, sizeof(text), "throttle lightly over", thresholds, "light_throttle_c");
	append_set(text, sizeof(text), "heavily over", thresholds, "heavy_throttle_c");
	if (text[0] || !strcmp(fact_words(thresholds, "alarm_over_c"), "n/a (not set)"))
		page_line("Set by the host", text[0] ? text : "nothing", out);
	else
		page_entry("Set by the host", alarm, "", out);
}

static void print_limits(const json_t *thresholds, FILE *out)
{
	char text[ENTRY_BYTES], number[2][NUMBER_TEXT];

	snprintf(text, sizeof(text), "%s C",
		 page_number(thresholds, "warning_c", number[0], NUMBER_TEXT));
	page_entry("Warns at", json_object_get(thresholds, "warning_c"), text, out);
	snprintf(text, sizeof(text), "%s C",
		 page_number(thresholds, "critical_c", number[1], NUMBER_TEXT));
	page_entry("Critical at", json_object_get(thresholds, "critical_c"), text, out);
	print_set(thresholds, out);
}

static void print_hot_times(const json_t *smart, FILE *out)
{
	char text[ENTRY_BYTES], number[4][NUMBER_TEXT];

	snprintf(text, sizeof(text), "%s min over warning, %s min over critical",
		 page_number(smart, "warning_temperature_min", number[0], sizeof(number[0])),
		 page_number(smart, "critical_temperature_min", number[1], sizeof(number[1])));
	page_entry("Was too hot", json_object_get(smart, "warning_temperature_min"), text, out);
	snprintf(text, sizeof(text), "lightly %s times, %s s; heavily %s times, %s s",
		 page_number(smart, "light_throttle_count", number[0], sizeof(number[0])),
		 page_number(smart, "light_throttle_s", number[1], sizeof(number[1])),
		 page_number(smart, "heavy_throttle_count", number[2], sizeof(number[2])),
		 page_number(smart, "heavy_throttle_s", number[3], sizeof(number[3])));
	page_entry("Was throttled", json_object_get(smart, "light_throttle_count"), text, out);
}

void page_temperature(const json_t *facts, const json_t *nvme, FILE *out)
{
	const json_t *smart = json_object_get(nvme, "smart");

	fputs("\nTemperature\n", out);
	print_now(facts, smart, out);
	print_limits(json_object_get(nvme, "thresholds"), out);
	if (json_is_object(smart))
		print_hot_times(smart, out);
}
