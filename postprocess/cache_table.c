/* SPDX-License-Identifier: GPL-2.0-only */
/* SLC caches as tables: for people, and for programs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/cache.h"
#include "postprocess/table_internal.h"

enum { PLACE, DRIVE, FIRST_FIGURE, MARKS = FIRST_FIGURE + CACHE_FIGURES, COLUMNS };

/* ---- for people ------------------------------------------------------------------------------ */

static bool is_shared(const struct cache_list *list, unsigned place)
{
	size_t i, sharing = 0;

	for (i = 0; i < list->count; i++)
		sharing += list->caches[i].place == place;
	return sharing > 1;
}

static void cell_text(const void *from, size_t row, int column, char *text, size_t room)
{
	const struct cache_list *list = from;
	const struct cache *cache = &list->caches[row];

	if (column == PLACE)
		place_text(cache->place, is_shared(list, cache->place), text, room);
	else if (column == DRIVE)
		snprintf(text, room, "%s", cache->result->drive);
	else if (column == MARKS)
		snprintf(text, room, "%s", cache->marks);
	else
		cache_figure_text(cache, (enum cache_figure)(column - FIRST_FIGURE), text, room);
}

static void fill_headings(struct table *table)
{
	static const char *const headings[COLUMNS] = {
		"#",	 "Drive",	    "Cache",  "Inside",	   "After",
		"Ratio", "Half back after", "Bursts", "Sustained", "Reads past / inside",
		"Marks"};

	snprintf(table->title, sizeof(table->title), "%s", cache_title());
	table_head(table, headings, COLUMNS, TEXT(DRIVE) | TEXT(MARKS));
}

int cache_table_make(const struct cache_list *list, struct table *table)
{
	*table = (struct table){.rows = 0};
	fill_headings(table);
	return table_fill(table, list, list->count, cell_text);
}

static void sentence(const void *list, size_t row, char *text, size_t room)
{
	cache_sentence(&((const struct cache_list *)list)->caches[row], text, room);
}

void cache_sentences_write(const struct cache_list *list, enum table_format format, FILE *out)
{
	sentences_write(list, list->count, sentence, format, out);
}

int cache_tables_write(const struct cache_list *list, enum table_format format, FILE *out)
{
	struct table table;

	if (!list->count)
		return 0;
	if (cache_table_make(list, &table))
		return -1;
	table_write(&table, format, out);
	table_free(&table);
	if (format == FORMAT_HTML)
		return 0;
	cache_sentences_write(list, format, out);
	fprintf(out, "\n%s\n\n", cache_note());
	return 0;
}

/* ---- for programs ---------------------------------------------------------------------------- */

#define FIELDS 14

static void record(const struct cache *cache, struct field *fields)
{
	static const char *const names[CACHE_FIGURES] = {
		"cache_bytes", "inside_bytes_per_s", "after_bytes_per_s",     "ratio",
		"half_back_s", "bursts_bytes_per_s", "sustained_bytes_per_s", "read_p99_ratio",
	};
	enum cache_figure figure;

	fields[0] = text_field("row", CACHE_ROW);
	fields[1] = number_field("place", cache->place ? cache->place : NAN);
	fields[2] = text_field("drive", cache->result->drive);
	for (figure = 0; figure < CACHE_FIGURES; figure++)
		fields[3 + figure] = number_field(names[figure], cache->figures[figure]);
	fields[11] = number_field("cache_at_least_bytes", cache->at_least);
	fields[12] = text_field("marks", cache->marks);
	fields[13] = text_field("not_ranked", cache->place ? ""
					      : cache->by_machine[CACHE_BYTES]
						      ? "the CPU was the limit of the probe"
						      : cache->why[CACHE_BYTES]);
}

int cache_records(const struct cache_list *list, struct records *records)
{
	struct field fields[FIELDS];
	size_t i;

	records_begin(records);
	for (i = 0; i < list->count; i++) {
		record(&list->caches[i], fields);
		if (records_add(records, fields, FIELDS))
			return -1;
	}
	return 0;
}
