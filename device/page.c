/* SPDX-License-Identifier: GPL-2.0-only */
/* One page about a drive, for a terminal of 80 columns. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "device/drive.h"
#include "device/page_internal.h"

#define COLUMNS	     80
#define NAME_COLUMNS 17
#define INDENT	     2

/* ---- lines ----------------------------------------------------------------------------------- */

/*
 * How much of the text goes on one line: up to the last space that fits, but not one behind a
 * digit: a number stays with its unit.
 */
static size_t line_length(const char *text, size_t columns)
{
	size_t length = strcspn(text, "\n"), cut = columns;

	if (length <= columns)
		return length;
	while (cut && (text[cut] != ' ' || isdigit((unsigned char)text[cut - 1])))
		cut--;
	return cut ? cut : columns;
}

static void print_wrapped(const char *first, const char *later, size_t columns, const char *text,
			  FILE *out)
{
	const char *before = first;
	size_t length;

	do {
		length = line_length(text, columns);
		fprintf(out, "%s%.*s\n", before, (int)length, text);
		text += length;
		text += strspn(text, " \n");
		before = later;
	} while (*text);
}

/* Names in a drive are its maker's: what a terminal would obey is not passed on. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text) && *text != '\n')
			*text = '?';
}

void drive_print_entry(const char *name, unsigned name_columns, const char *text, FILE *out)
{
	char first[COLUMNS], later[COLUMNS], copy[ENTRY_BYTES];

	snprintf(copy, sizeof(copy), "%s", text);
	make_printable(copy);
	snprintf(first, sizeof(first), "%*s%-*s", INDENT, "", (int)name_columns, name);
	snprintf(later, sizeof(later), "%*s", (int)(INDENT + name_columns), "");
	print_wrapped(first, later, COLUMNS - INDENT - name_columns, copy, out);
}

void page_line(const char *name, const char *text, FILE *out)
{
	drive_print_entry(name, NAME_COLUMNS, text, out);
}

void page_entry(const char *name, const json_t *fact, const char *text, FILE *out)
{
	page_line(name, fact_is_missing(fact) ? json_string_value(fact) : text, out);
}

static char *page_value(const json_t *facts, const char *key, char *text, size_t room,
			char *(*print)(double, char *))
{
	double value = fact_value(facts, key);
	char number[NUMBER_ROOM];

	if (isnan(value))
		snprintf(text, room, "%s", fact_words(facts, key));
	else
		snprintf(text, room, "%s", print(value, number));
	return text;
}

/* What is whole has no digits after the point. */
static char *whole_or_not(double value, char *text)
{
	return value == floor(value) ? number_whole(value, text) : number_count(value, text);
}

char *page_number(const json_t *facts, const char *key, char *text, size_t room)
{
	return page_value(facts, key, text, room, whole_or_not);
}

char *page_bytes(const json_t *facts, const char *key, char *text, size_t room)
{
	return page_value(facts, key, text, room, number_bytes);
}

void page_list(const json_t *list, char *text, size_t room)
{
	const json_t *item;
	size_t i;

	text[0] = '\0';
	json_array_foreach(list, i, item)
		text_append(text, room, "%s%s", i ? ", " : "", json_string_value(item));
	if (!text[0])
		snprintf(text, room, "none");
}

static void text_entry(const char *name, const json_t *facts, const char *key, FILE *out)
{
	if (fact_words(facts, key)[0])
		page_line(name, fact_words(facts, key), out);
}

/* ---- what the kernel knows ------------------------------------------------------------------- */

static bool is_kind(const json_t *facts, const char *kind)
{
	return !strcmp(fact_words(facts, "kind"), kind);
}

/* A file by its name, a device by what its maker calls the whole disk. */
static void print_title(const json_t *facts, FILE *out)
{
	bool is_file = is_kind(facts, "file"), is_simulated = is_kind(facts, "simulated");
	const json_t *model = json_object_get(facts, "model");
	const json_t *transport = json_object_get(facts, "transport");
	const char *size_of = is_file || is_simulated ? "size_bytes" : "disk_bytes";
	char size[NUMBER_ROOM], title[256];

	snprintf(title, sizeof(title), "%s, %s",
		 is_file || fact_is_missing(model) ? fact_words(facts, "path")
						   : fact_words(facts, "model"),
		 number_bytes(fact_value(facts, size_of), size));
	if (is_file || is_simulated)
		text_append(title, sizeof(title), ", %s", is_file ? "a file" : "simulated");
	else if (!fact_is_missing(transport))
		text_append(title, sizeof(title), ", %s", json_string_value(transport));
	make_printable(title);
	fprintf(out, "%s\n", title);
}

static void print_warnings(const json_t *warnings, FILE *out)
{
	const json_t *warning;
	size_t i;

	json_array_foreach(warnings, i, warning) print_wrapped(i ? "! " : "\n! ", "  ", COLUMNS - 2,
							       json_string_value(warning), out);
}

static void print_capacity(const json_t *facts, FILE *out)
{
	double bytes = fact_value(facts, "size_bytes"), disk = fact_value(facts, "disk_bytes");
	char text[ENTRY_BYTES], size[2][NUMBER_ROOM];

	snprintf(text, sizeof(text), "%s (%s B)", number_bytes(bytes, size[0]),
		 number_whole(bytes, size[1]));
	if (!isnan(disk) && disk != bytes)
		text_append(text, sizeof(text), " on the disk %s of %s", fact_words(facts, "disk"),
			    number_bytes(disk, size[0]));
	page_entry("Capacity", json_object_get(facts, "size_bytes"), text, out);
}

static void print_sata_link(const json_t *facts, FILE *out)
{
	char text[ENTRY_BYTES];

	snprintf(text, sizeof(text), "SATA %s, the port can %s",
		 fact_words(facts, "sata_link_speed"), fact_words(facts, "sata_port_speed"));
	page_entry("Link", json_object_get(facts, "sata_link_speed"), text, out);
}

static void print_link(const json_t *facts, FILE *out)
{
	const json_t *speed = json_object_get(facts, "current_link_speed");
	char text[ENTRY_BYTES], now[64], best[64];

	if (json_object_get(facts, "sata_link_speed")) {
		print_sata_link(facts, out);
	} else if (speed) {
		link_words(facts, "current", now, sizeof(now));
		link_words(facts, "max", best, sizeof(best));
		snprintf(text, sizeof(text), "PCIe %s now, %s at best", now, best);
		page_entry("Link", speed, text, out);
	}
}

static void print_contents(const json_t *holds, FILE *out)
{
	char text[ENTRY_BYTES] = "";
	const json_t *item;
	size_t i;

	if (!holds)
		return;
	json_array_foreach(holds, i, item)
	{
		text_append(text, sizeof(text), "%s%s on %s", i ? "; " : "",
			    fact_words(item, "type"), fact_words(item, "device"));
		if (fact_words(item, "label")[0])
			text_append(text, sizeof(text), " (\"%s\")", fact_words(item, "label"));
	}
	page_entry("Holds", holds, text[0] ? text : "no file system or partition table found", out);
}

/* "none [mq-deadline] kyber" -> "mq-deadline" */
static void scheduler_in_use(const char *line, char *word, size_t room)
{
	const char *open = strchr(line, '[');

	if (open)
		snprintf(word, room, "%.*s", (int)strcspn(open + 1, "]"), open + 1);
	else
		snprintf(word, room, "%s", line);
}

static void print_queue(const json_t *facts, FILE *out)
{
	const json_t *trim = json_object_get(facts, "trim");
	char text[ENTRY_BYTES], number[2][128];

	if (!json_object_get(facts, "logical_block_bytes"))
		return;
	snprintf(text, sizeof(text), "%s B to the host, %s B in the drive",
		 page_number(facts, "logical_block_bytes", number[0], sizeof(number[0])),
		 page_number(facts, "physical_block_bytes", number[1], sizeof(number[1])));
	if (!json_is_object(json_object_get(facts, "nvme")))
		page_entry("Blocks", json_object_get(facts, "logical_block_bytes"), text, out);
	scheduler_in_use(fact_words(facts, "scheduler"), number[0], sizeof(number[0]));
	snprintf(text, sizeof(text), "scheduler %s, write cache %s, trim %s", number[0],
		 fact_words(facts, "write_cache"),
		 json_is_true(trim)	 ? "yes"
		 : fact_is_missing(trim) ? json_string_value(trim)
					 : "no");
	page_line("Kernel", text, out);
}

static void print_use(const json_t *facts, FILE *out)
{
	char text[ENTRY_BYTES] = "yes";

	if (!json_is_true(json_object_get(facts, "may_be_tested")))
		snprintf(text, sizeof(text), "no: %s", fact_words(facts, "why_not"));
	page_line("May be tested", text, out);
}

static void print_drive(const json_t *facts, FILE *out)
{
	const json_t *nvme = json_object_get(facts, "nvme");

	fputs("\nThe drive\n", out);
	text_entry("Path", facts, "path", out);
	text_entry("Model", facts, "model", out);
	text_entry("Serial", facts, "serial", out);
	text_entry("Firmware", facts, "firmware", out);
	if (fact_is_missing(json_object_get(facts, "disk")))
		text_entry("Disk", facts, "disk", out);
	print_capacity(facts, out);
	if (json_is_object(nvme))
		page_identity(nvme, out);
	print_link(facts, out);
	print_queue(facts, out);
	print_use(facts, out);
	print_contents(json_object_get(facts, "holds"), out);
}

void page_sensor(const char *name, const json_t *facts, FILE *out)
{
	char text[ENTRY_BYTES], number[2][128];

	if (!json_object_get(facts, "temperature_c"))
		return;
	snprintf(text, sizeof(text), "%s C",
		 page_number(facts, "temperature_c", number[0], sizeof(number[0])));
	if (!isnan(fact_value(facts, "temperature_limit_c")))
		text_append(
			text, sizeof(text), ", warns at %s C",
			page_number(facts, "temperature_limit_c", number[1], sizeof(number[1])));
	page_entry(name, json_object_get(facts, "temperature_c"), text, out);
}

/* What others are for: these have SMART, but no NVMe commands. */
static bool has_other_smart(const json_t *facts)
{
	const char *transport = fact_words(facts, "transport");

	return !strcmp(transport, "SATA") || !strcmp(transport, "SAS") || !strcmp(transport, "USB");
}

static void print_without_nvme(const json_t *facts, FILE *out)
{
	const json_t *nvme = json_object_get(facts, "nvme");

	if (!nvme)
		return;
	fputs("\nHealth\n", out);
	page_line("SMART",
		  has_other_smart(facts)
			  ? "n/a (only NVMe drives are asked here; smartctl asks others)"
			  : json_string_value(nvme),
		  out);
	page_sensor("Temperature", facts, out);
}

static void print_simulated(const json_t *facts, FILE *out)
{
	char text[ENTRY_BYTES], number[2][128];

	fputs("\nThe simulation\n", out);
	snprintf(text, sizeof(text), "%s, scale 1/%s", fact_words(facts, "sim_model"),
		 page_number(facts, "scale", number[0], sizeof(number[0])));
	page_line("Model file", text, out);
	if (json_object_get(facts, "state")) {
		text_entry("State", facts, "state", out);
		return;
	}
	page_line("Host writes",
		  page_bytes(facts, "host_written_bytes", number[0], sizeof(number[0])), out);
	snprintf(text, sizeof(text), "%s %%",
		 page_number(facts, "filled_percent", number[0], sizeof(number[0])));
	page_line("Filled", text, out);
	snprintf(text, sizeof(text), "%s used of %s",
		 page_bytes(facts, "slc_used_bytes", number[0], sizeof(number[0])),
		 page_bytes(facts, "slc_size_bytes", number[1], sizeof(number[1])));
	page_line("SLC cache", text, out);
	snprintf(text, sizeof(text), "write amplification %.2f now",
		 fact_value(facts, "write_amplification"));
	page_line("Flash writes", text, out);
	page_sensor("Temperature", facts, out);
}

void drive_print(const json_t *facts, FILE *out)
{
	const json_t *nvme = json_object_get(facts, "nvme");

	print_title(facts, out);
	print_warnings(json_object_get(facts, "warnings"), out);
	print_drive(facts, out);
	if (json_object_get(facts, "sim_model")) {
		print_simulated(facts, out);
	} else if (!json_is_object(nvme)) {
		print_without_nvme(facts, out);
	} else {
		page_health(nvme, out);
		page_temperature(facts, nvme, out);
		page_features(nvme, out);
		page_commands(nvme, out);
	}
}

void drive_print_left_to_root(const json_t *facts, FILE *out)
{
	char text[ENTRY_BYTES], left[512];

	drive_left_to_root(facts, left, sizeof(left));
	if (!left[0])
		return;
	snprintf(text, sizeof(text), "As root you also see: %s.", left);
	print_wrapped("\n", "", COLUMNS, text, out);
}
