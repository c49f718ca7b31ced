/* SPDX-License-Identifier: GPL-2.0-only */
/* ssdreview chart --over-time: of rows that are ranked, or of statistics files alone. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/command.h"
#include "postprocess/grow.h"
#include "postprocess/json_reader.h"
#include "postprocess/timeline.h"

/* The rows while they are gathered. */
struct rows {
	struct over_time *list;
	size_t count;
};

static struct over_time *add_row(struct rows *rows, const struct over_time *row)
{
	struct over_time *larger = list_grow(rows->list, rows->count, sizeof(*larger));

	if (!larger)
		return NULL;
	rows->list = larger;
	larger[rows->count] = *row;
	return &larger[rows->count++];
}

static void rows_free(struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		over_time_free(&rows->list[i]);
	free(rows->list);
}

static int draw_rows(const struct rows *rows, const struct palette *palette, const char *folder,
		     struct error *err)
{
	struct terminals terminals;
	int status = 0;
	size_t i;

	if (terminals_probe(&terminals, err) || folder_make(folder, err))
		return -1;
	for (i = 0; status == 0 && i < rows->count; i++)
		status = over_time_draw(&rows->list[i], palette, &terminals, folder, NULL, err);
	return status;
}

/* Draws the rows and frees them; a palette without drives could not be made. */
static int finish(struct rows *rows, struct palette *palette, const char *folder)
{
	struct error err;
	int status = EXIT_FINE;
	size_t i, charts = 0;

	for (i = 0; i < rows->count; i++)
		charts += over_time_charts(&rows->list[i]);
	if (!palette->drives)
		error_set(&err, "not enough memory for the charts");
	if (!palette->drives || draw_rows(rows, palette, folder, &err))
		status = complain(&err, EXIT_FAILED);
	else
		printf("%zu charts in %s\n", charts, folder);
	palette_free(palette);
	rows_free(rows);
	return status;
}

/* The rankings' rows that have statistics; -1 with err. */
static int gather(const struct ranking *rankings, size_t count, struct rows *rows,
		  struct error *err)
{
	struct over_time row;
	size_t i;

	for (i = 0; i < count; i++) {
		if (over_time_of(&rankings[i], &row, err))
			return -1;
		if (row.count && !add_row(rows, &row)) {
			over_time_free(&row);
			return error_set(err, "not enough memory for the charts");
		}
	}
	if (rows->count)
		return 0;
	return error_set(err,
			 "none of the results has statistics with intervals beside it; of runs on "
			 "an SLC cache name the files themselves (ROW/once.stats.json)");
}

int over_time_of_rankings(const struct command_options *options, const struct loaded *loaded,
			  const struct ranking *rankings, size_t count)
{
	struct rows rows = {NULL, 0};
	struct palette palette;
	struct error err;

	if (gather(rankings, count, &rows, &err)) {
		rows_free(&rows);
		return complain(&err, EXIT_FAILED);
	}
	palette_make(rankings, count, loaded->results, loaded->count, &palette);
	return finish(&rows, &palette, options->out);
}

/* ---- statistics files alone -------------------------------------------------------------------
 */

static bool has_drive(const struct palette *palette, const char *drive)
{
	size_t index;

	palette_colour(palette, drive, &index);
	return index < palette->count;
}

/* Drives get their colours by the order in which they come. */
static void make_palette(const struct rows *rows, size_t lines, struct palette *palette)
{
	size_t i, j;

	*palette = (struct palette){.drives = calloc(lines + 1, sizeof(*palette->drives))};
	for (i = 0; palette->drives && i < rows->count; i++)
		for (j = 0; j < rows->list[i].count; j++) {
			const char *drive = rows->list[i].lines[j].drive;

			if (!has_drive(palette, drive))
				palette->drives[palette->count++] = drive;
		}
}

/* "a/030.stats.json" -> "030", unless it was named. */
static void label_by_file(const char *path, const char *name, struct timeline *timeline)
{
	const char *slash = strrchr(path, '/'), *drive = name;
	char copy[NAME_MAX + 1], *ending;

	snprintf(copy, sizeof(copy), "%.*s", NAME_MAX, slash ? slash + 1 : path);
	ending = strstr(copy, ".stats.");
	if (!ending)
		ending = strrchr(copy, '.');
	if (ending && ending != copy)
		*ending = '\0';
	if (!name[0])
		drive = copy;
	text_clean(drive, strlen(drive), timeline->drive, sizeof(timeline->drive));
	snprintf(timeline->label, sizeof(timeline->label), "%s%s%s%s", timeline->drive,
		 timeline->simulated ? ", simulated" : "", timeline->synthetic ? ", stand-in" : "",
		 timeline->invalid ? ", invalid" : "");
}

static struct over_time *row_named(struct rows *rows, const char *name)
{
	struct over_time row = {.count = 0};
	size_t i;

	for (i = 0; i < rows->count; i++)
		if (!strcmp(rows->list[i].row, name))
			return &rows->list[i];
	snprintf(row.row, sizeof(row.row), "%s", name);
	return add_row(rows, &row);
}

static int add_statistics(const char *argument, struct rows *rows, struct error *err)
{
	struct timeline timeline;
	struct over_time *row;
	char name[128];
	const char *path = result_argument(argument, name, sizeof(name));

	if (timeline_read(path, &timeline, err))
		return -1;
	label_by_file(path, name, &timeline);
	row = row_named(rows, timeline.row);
	if (row && !over_time_add(row, &timeline))
		return 0;
	timeline_free(&timeline);
	return error_set(err, "%s: not enough memory", path);
}

bool are_statistics(const struct command_options *options)
{
	char name[128], base[512];
	size_t i;

	for (i = 0; i < options->path_count; i++) {
		const char *path = result_argument(options->paths[i], name, sizeof(name));

		if (!options->over_time && is_by_minutes(path, base, sizeof(base)))
			return false;
		if (!is_statistics(path) || (!options->over_time && is_cache_statistics(path)))
			return false;
	}
	return true;
}

int over_time_of_statistics(const struct command_options *options)
{
	struct rows rows = {NULL, 0};
	struct palette palette;
	struct error err;
	size_t i;

	for (i = 0; i < options->path_count; i++)
		if (add_statistics(options->paths[i], &rows, &err)) {
			rows_free(&rows);
			return complain(&err, EXIT_FAILED);
		}
	make_palette(&rows, options->path_count, &palette);
	return finish(&rows, &palette, options->out);
}
