/* SPDX-License-Identifier: GPL-2.0-only */
/* A ranking as a table of text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/table_internal.h"

/* Falls smaller than that are noise. Ours. */
#define SMALL_FALL 0.01

enum { PLACE, DRIVE, PEAK, LATENCY, P99, GAP, ONE_MS, FALL, MARKS };

const char *table_note(enum metric metric)
{
	if (metric == METRIC_LAT)
		return "Latency is lat, from the moment an I/O was due to its completion, mean at "
		       "the peak; at saturated points it grows with the length of the run.";
	return "Latency is clat, the drive's own time from issue to completion, mean at the peak. "
	       "MB/s are decimal. \"At 1 ms\" is the rate at which mean latency reaches 1 ms.";
}

const char *table_stand_in_note(void)
{
	return "Rows marked stand-in ran a trace, or a mix, of another origin than the published "
	       "reviews' own, which are not public: beside published figures their place says how "
	       "near the stand-in comes, not which drive is faster. Among each other they rank as "
	       "all do.";
}

void ranking_title(const struct ranking *ranking, char *title, size_t room)
{
	char row[192];

	row_title(ranking->row, row, sizeof(row));
	snprintf(title, room, "%s (%.50s)", row,
		 ranking->protocol[0] ? ranking->protocol : "own job file");
}

void table_head(struct table *table, const char *const *headings, size_t columns, unsigned texts)
{
	size_t i;

	table->columns = columns;
	for (i = 0; i < columns; i++) {
		table->headings[i] = headings[i];
		table->right[i] = !(texts & TEXT(i));
	}
}

static void fill_headings(const struct ranking *ranking, struct table *table)
{
	static const char *const shared[TABLE_COLUMNS] = {
		"#",	"Drive", NULL, NULL, "p99", "Gap to first", NULL, "Fall after the peak",
		"Marks"};

	table_head(table, shared, TABLE_COLUMNS, TEXT(DRIVE) | TEXT(MARKS));
	table->headings[PEAK] = ranking->by_bytes ? "Peak MB/s" : "Peak IOPS";
	table->headings[LATENCY] = ranking->metric == METRIC_LAT ? "Latency (lat)" : "Latency";
	table->headings[ONE_MS] = ranking->by_bytes ? "MB/s at 1 ms" : "IOPS at 1 ms";
	ranking_title(ranking, table->title, sizeof(table->title));
}

/* A rate without its unit, which stands in the heading. */
static char *rate_text(const struct ranking *ranking, double rate, char *text)
{
	return number_count(ranking->by_bytes ? rate / 1e6 : rate, text);
}

static void one_ms_text(const struct ranking *ranking, const struct entry *entry, char *text)
{
	if (isinf(entry->one_ms))
		strcpy(text, "whole run");
	else if (entry->one_ms == 0)
		strcpy(text, "never below");
	else
		rate_text(ranking, entry->one_ms, text);
}

static void fall_text(const struct ranking *ranking, const struct entry *entry, char *text)
{
	char share[NUMBER_ROOM], to[NUMBER_ROOM];

	if (isnan(entry->fall_share))
		strcpy(text, "n/a");
	else if (entry->fall_share < SMALL_FALL)
		strcpy(text, "none");
	else
		snprintf(text, NUMBER_ROOM * 2, "%s to %s",
			 number_percent(entry->fall_share, share),
			 rate_text(ranking, entry->fall_to, to));
}

static void gap_text(const struct ranking *ranking, const struct entry *entry, char *text)
{
	char gap[NUMBER_ROOM], share[NUMBER_ROOM];

	if (isnan(entry->gap)) {
		strcpy(text, "-");
		return;
	}
	if (ranking->sort == SORT_PEAK)
		rate_text(ranking, entry->gap, gap);
	else
		number_us(entry->gap, gap);
	snprintf(text, NUMBER_ROOM * 2, "%s (%s)", gap, number_percent(entry->gap_share, share));
}

void place_text(unsigned place, bool is_shared, char *text, size_t room)
{
	if (place)
		snprintf(text, room, "%u%s", place, is_shared ? "=" : "");
	else
		snprintf(text, room, "-");
}

static bool is_shared(const struct ranking *ranking, unsigned place)
{
	size_t i, sharing = 0;

	for (i = 0; i < ranking->count; i++)
		sharing += ranking->entries[i].place == place;
	return sharing > 1;
}

/* What does not fit in a number: why a drive is not ranked stands in its place. */
static void cell_text(const void *list, size_t row, int column, char *text, size_t room)
{
	const struct ranking *ranking = list;
	const struct entry *entry = &ranking->entries[row];

	if (column == PLACE)
		place_text(entry->place, is_shared(ranking, entry->place), text, room);
	else if (column == DRIVE)
		snprintf(text, room, "%s", entry->result->drive);
	else if (column == MARKS)
		snprintf(text, room, "%s%s%s", entry->missing,
			 entry->missing[0] && entry->marks[0] ? "; " : "", entry->marks);
	else if (!entry->peak)
		strcpy(text, "-");
	else if (column == PEAK)
		entry_rate_text(ranking, entry, text, room);
	else if (column == LATENCY)
		number_us(entry->latency_us, text);
	else if (column == P99)
		number_us(entry->p99_us, text);
	else if (column == GAP)
		gap_text(ranking, entry, text);
	else if (column == ONE_MS)
		one_ms_text(ranking, entry, text);
	else
		fall_text(ranking, entry, text);
}

int table_make(const struct ranking *ranking, struct table *table)
{
	*table = (struct table){.rows = 0};
	fill_headings(ranking, table);
	return table_fill(table, ranking, ranking->count, cell_text);
}

int table_fill(struct table *table, const void *list, size_t rows, table_cell *cell)
{
	char text[512];
	size_t i;
	int column;

	table->cells = calloc(rows + 1, sizeof(*table->cells));
	for (i = 0; table->cells && i < rows; i++) {
		table->rows = i + 1;
		for (column = 0; column < (int)table->columns; column++) {
			cell(list, i, column, text, sizeof(text));
			table->cells[i][column] = strdup(text);
			if (!table->cells[i][column]) {
				table_free(table);
				return -1;
			}
		}
	}
	return table->cells ? 0 : -1;
}

void sentences_write(const void *list, size_t rows, table_sentence *sentence,
		     enum table_format format, FILE *out)
{
	char text[2048];
	size_t i;

	fputs(format == FORMAT_HTML ? "<ul class=\"says\">\n" : "", out);
	for (i = 0; i < rows; i++) {
		sentence(list, i, text, sizeof(text));
		if (format == FORMAT_MD) {
			fputs("- ", out);
			md_text(text, out);
			fputc('\n', out);
		} else if (format == FORMAT_HTML) {
			fputs("<li>", out);
			html_text(text, out);
			fputs("</li>\n", out);
		} else {
			fprintf(out, "  %s\n", text);
		}
	}
	fputs(format == FORMAT_HTML ? "</ul>\n" : "", out);
}

void table_free(struct table *table)
{
	size_t i, column;

	for (i = 0; i < table->rows; i++)
		for (column = 0; column < TABLE_ROOM; column++)
			free(table->cells[i][column]);
	free(table->cells);
	*table = (struct table){.rows = 0};
}
