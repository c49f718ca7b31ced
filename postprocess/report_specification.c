/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The specification table: what each drive said of itself when its review began (drive.json), and
 * what is rated for a drive of its model. One column a drive, one line a fact; lines that no drive
 * has are left out.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/report.h"
#include "postprocess/specification.h"

#define CELL_BYTES 256

/* A column of the table. */
struct sheet {
	const char *name;
	json_t *drive;	       /* drive.json; NULL: there is none */
	json_t *specification; /* NULL or JSON null: none is known */
};

struct sheets {
	struct sheet *list;
	size_t count;
};

/* ---- what the drive said ----------------------------------------------------------------------
 */

static double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* "" for what is missing. */
static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text && strncmp(text, "n/a", 3) ? text : "";
}

static const json_t *smart_of(const json_t *drive)
{
	return json_object_get(json_object_get(drive, "nvme"), "smart");
}

static void say_model(const json_t *drive, char *text)
{
	snprintf(text, CELL_BYTES, "%s", text_of(drive, "model"));
}

static void say_firmware(const json_t *drive, char *text)
{
	snprintf(text, CELL_BYTES, "%s", text_of(drive, "firmware"));
}

/* Of a simulated drive that of the one it stands for. */
static double capacity_of(const json_t *drive)
{
	double scale = number_of(drive, "scale"), disk = number_of(drive, "disk_bytes");
	double bytes = isnan(disk) ? number_of(drive, "size_bytes") : disk;

	return bytes * (isnan(scale) ? 1 : scale);
}

static void say_bytes(double bytes, char *text)
{
	char number[NUMBER_ROOM];

	if (!isnan(bytes))
		snprintf(text, CELL_BYTES, "%s", number_bytes(bytes, number));
}

static void say_capacity(const json_t *drive, char *text)
{
	say_bytes(capacity_of(drive), text);
}

static void say_blocks(const json_t *drive, char *text)
{
	char number[NUMBER_ROOM];

	if (!isnan(number_of(drive, "block_bytes")))
		snprintf(text, CELL_BYTES, "%s B",
			 number_whole(number_of(drive, "block_bytes"), number));
}

static void say_link(const json_t *drive, char *text)
{
	const char *speed = text_of(drive, "current_link_speed");

	if (speed[0])
		snprintf(text, CELL_BYTES, "%s x%s", speed, text_of(drive, "current_link_width"));
	else
		snprintf(text, CELL_BYTES, "%s", text_of(drive, "sata_link_speed"));
}

static void say_percent(double percent, char *text)
{
	if (!isnan(percent))
		snprintf(text, CELL_BYTES, "%.0f %%", percent);
}

static void say_used(const json_t *drive, char *text)
{
	say_percent(number_of(smart_of(drive), "used_percent"), text);
}

static void say_spare(const json_t *drive, char *text)
{
	say_percent(number_of(smart_of(drive), "spare_percent"), text);
}

static void say_written(const json_t *drive, char *text)
{
	say_bytes(number_of(smart_of(drive), "host_written_bytes"), text);
}

static void say_hours(const json_t *drive, char *text)
{
	double hours = number_of(smart_of(drive), "power_on_h");
	char number[NUMBER_ROOM];

	if (!isnan(hours))
		snprintf(text, CELL_BYTES, "%s h", number_whole(hours, number));
}

/* What the first power state takes at most. */
static void say_power(const json_t *drive, char *text)
{
	const json_t *states = json_object_get(json_object_get(drive, "nvme"), "power_states");
	double watts = number_of(json_array_get(states, 0), "most_w");

	if (!isnan(watts))
		snprintf(text, CELL_BYTES, "%.3g W", watts);
}

static void say_warning(const json_t *drive, char *text)
{
	const json_t *limits = json_object_get(json_object_get(drive, "nvme"), "thresholds");
	double degrees = number_of(limits, "warning_c");

	if (!isnan(degrees))
		snprintf(text, CELL_BYTES, "%.0f °C", degrees);
}

static const struct {
	const char *title;
	void (*say)(const json_t *drive, char *text);
} facts[] = {{"Model", say_model},	 {"Firmware", say_firmware},
	     {"Capacity", say_capacity}, {"Logical block", say_blocks},
	     {"Link", say_link},	 {"Endurance used", say_used},
	     {"Spare", say_spare},	 {"Written by hosts", say_written},
	     {"Power on", say_hours},	 {"Most power", say_power},
	     {"Warns at", say_warning}};

/* ---- what is rated ----------------------------------------------------------------------------
 */

static const json_t *rated_of(const struct sheet *sheet)
{
	return json_object_get(sheet->specification, "rated");
}

/* The figures under a title; "" when the drive has none. */
static void rated_text(const struct sheet *sheet, const char *title, char *text)
{
	const json_t *rated = rated_of(sheet);
	char found[128];
	size_t at = 0;

	while (at < json_array_size(rated)) {
		at = specification_text(rated, at, found, sizeof(found), text, CELL_BYTES);
		if (!strcmp(found, title))
			return;
	}
	text[0] = '\0';
}

static bool has_title(const struct sheet *sheet, const char *title)
{
	char text[CELL_BYTES];

	rated_text(sheet, title, text);
	return text[0] != '\0';
}

/* ---- the table --------------------------------------------------------------------------------
 */

static void put_cell(const char *heading, const char *text, FILE *out)
{
	const char *shown = text[0] ? text : "-";

	fprintf(out, "<td%s data-l=\"", html_class(shown, false));
	html_text(heading, out);
	fputs("\">", out);
	html_text(shown, out);
	fputs("</td>", out);
}

static void put_fact(const struct sheets *sheets, size_t fact, FILE *out)
{
	char text[CELL_BYTES];
	bool any = false;
	size_t i;

	for (i = 0; i < sheets->count && !any; i++) {
		text[0] = '\0';
		facts[fact].say(sheets->list[i].drive, text);
		any = text[0] != '\0';
	}
	if (!any)
		return;
	fprintf(out, "<tr><th scope=\"row\">%s</th>", facts[fact].title);
	for (i = 0; i < sheets->count; i++) {
		text[0] = '\0';
		facts[fact].say(sheets->list[i].drive, text);
		put_cell(sheets->list[i].name, text, out);
	}
	fputs("</tr>\n", out);
}

static void put_rated_line(const struct sheets *sheets, const char *title, FILE *out)
{
	char text[CELL_BYTES];
	size_t i;

	fputs("<tr><th scope=\"row\">Rated: ", out);
	html_text(title, out);
	fputs("</th>", out);
	for (i = 0; i < sheets->count; i++) {
		rated_text(&sheets->list[i], title, text);
		put_cell(sheets->list[i].name, text, out);
	}
	fputs("</tr>\n", out);
}

/* Every title once, where the first drive that has it is. */
static void put_rated(const struct sheets *sheets, FILE *out)
{
	char title[128], text[CELL_BYTES];
	size_t i, j, at;

	for (i = 0; i < sheets->count; i++) {
		const json_t *rated = rated_of(&sheets->list[i]);

		for (at = 0; at < json_array_size(rated);) {
			at = specification_text(rated, at, title, sizeof(title), text,
						sizeof(text));
			for (j = 0; j < i && !has_title(&sheets->list[j], title); j++)
				;
			if (j == i)
				put_rated_line(sheets, title, out);
		}
	}
}

static void put_table(const struct sheets *sheets, FILE *out)
{
	size_t i;

	fputs("<h2 id=\"drives\">The drives</h2>\n"
	      "<p class=\"soft\">What each drive said of itself when its review began, and what is "
	      "rated for its model.</p>\n"
	      "<div class=\"scroll\"><table class=\"cards\"><thead><tr><th></th>",
	      out);
	for (i = 0; i < sheets->count; i++) {
		fputs("<th>", out);
		html_text(sheets->list[i].name, out);
		fputs("</th>", out);
	}
	fputs("</tr></thead><tbody>\n", out);
	for (i = 0; i < COUNT(facts); i++)
		put_fact(sheets, i, out);
	put_rated(sheets, out);
	fputs("</tbody></table></div>\n", out);
}

/* ---- the drives -------------------------------------------------------------------------------
 */

static bool is_there(const struct sheets *sheets, const char *name)
{
	size_t i;

	for (i = 0; i < sheets->count; i++)
		if (!strcmp(sheets->list[i].name, name))
			return true;
	return false;
}

static json_t *read_drive(const struct result *result)
{
	char path[PATH_MAX];

	if (result->kind != RESULT_REVIEW ||
	    snprintf(path, sizeof(path), "%s/drive.json", result->path) >= (int)sizeof(path))
		return NULL;
	return json_load_file(path, 0, NULL);
}

/* By what the drive calls itself, else by the name that its user gave it. */
static json_t *find_specification(const struct result *result, const json_t *drive)
{
	double bytes = capacity_of(drive);
	json_t *found = specification_find(NULL, text_of(drive, "model"), bytes, NULL);

	if (found && !json_is_null(found))
		return found;
	json_decref(found);
	return specification_find(NULL, result->drive, bytes, NULL);
}

/* A drive of which nothing is known has no column. */
static void add_sheet(struct sheets *sheets, const struct result *result)
{
	struct sheet *sheet = &sheets->list[sheets->count];

	if (is_there(sheets, result->drive))
		return;
	sheet->name = result->drive;
	sheet->drive = read_drive(result);
	sheet->specification = find_specification(result, sheet->drive);
	if (sheet->drive || json_is_object(sheet->specification))
		sheets->count++;
	else
		json_decref(sheet->specification);
}

static bool make_sheets(const struct report *report, struct sheets *sheets)
{
	size_t i;

	sheets->count = 0;
	sheets->list = calloc(report->own + 1, sizeof(*sheets->list));
	for (i = 0; sheets->list && i < report->own; i++)
		add_sheet(sheets, report->results[i]);
	return sheets->count > 0;
}

static void free_sheets(struct sheets *sheets)
{
	size_t i;

	for (i = 0; i < sheets->count; i++) {
		json_decref(sheets->list[i].drive);
		json_decref(sheets->list[i].specification);
	}
	free(sheets->list);
}

void report_specification_contents(const struct report *report, FILE *out)
{
	struct sheets sheets;

	if (make_sheets(report, &sheets))
		fputs("<a href=\"#drives\">The drives</a>\n", out);
	free_sheets(&sheets);
}

void report_specification(const struct report *report, FILE *out)
{
	struct sheets sheets;

	if (make_sheets(report, &sheets))
		put_table(&sheets, out);
	free_sheets(&sheets);
}
