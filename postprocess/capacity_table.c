/* SPDX-License-Identifier: GPL-2.0-only */
/* What drives carry, as tables: for people, and for programs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/capacity.h"
#include "postprocess/table_internal.h"

enum { PLACE, DRIVE, DESKTOPS, LATENCY, IOPS, GAP, FAILS, FAILS_LATENCY, MARKS };

/* ---- for people -------------------------------------------------------------------------------
 */

static bool is_shared(const struct capacity_ranking *ranking, unsigned place)
{
	size_t i, sharing = 0;

	for (i = 0; i < ranking->count; i++)
		sharing += ranking->entries[i].place == place;
	return sharing > 1;
}

static void gap_text(const struct capacity *entry, char *text, size_t room)
{
	unsigned desktops = entry->finding.holds * entry->desktops_a_copy;
	char gap[NUMBER_ROOM], share[NUMBER_ROOM];

	if (entry->place < 2)
		snprintf(text, room, "-");
	else
		snprintf(text, room, "%s (%s)", number_whole(entry->gap, gap),
			 number_percent((double)entry->gap / (entry->gap + desktops), share));
}

/* Why its number is not known. */
static const char *limit_words(const struct capacity *entry)
{
	if (entry->finding.end == SEARCH_NO_LIMIT)
		return entry->most_why;
	if (entry->finding.end == SEARCH_SPOILT)
		return "the machine was the limit";
	return entry->finding.end == SEARCH_GOES_ON ? "not finished" : "";
}

/* What was measured at a number of copies. */
static void trial_text(const struct capacity *entry, unsigned copies, int column, char *text,
		       size_t room)
{
	const struct trial *trial = capacity_trial(entry, copies);

	if (!trial)
		snprintf(text, room, "-");
	else if (column == IOPS)
		number_count(trial->iops, text);
	else if (column == FAILS)
		number_whole(trial->desktops, text);
	else
		trial_latencies(trial, &entry->sla, text, room);
}

static void cell_text(const void *list, size_t row, int column, char *text, size_t room)
{
	const struct capacity_ranking *ranking = list;
	const struct capacity *entry = &ranking->entries[row];
	const char *limit = limit_words(entry);

	if (column == PLACE)
		place_text(entry->place, is_shared(ranking, entry->place), text, room);
	else if (column == DRIVE)
		snprintf(text, room, "%s", entry->result->drive);
	else if (column == DESKTOPS)
		capacity_count_text(entry, text, room);
	else if (column == GAP)
		gap_text(entry, text, room);
	else if (column == LATENCY || column == IOPS)
		trial_text(entry, entry->finding.holds, column, text, room);
	else if (column != MARKS)
		trial_text(entry, entry->finding.fails, column, text, room);
	else
		snprintf(text, room, "%s%s%s", limit, limit[0] ? "; " : "", entry->marks);
}

int capacity_table_make(const struct capacity_ranking *ranking, struct table *table)
{
	static const char *const headings[TABLE_COLUMNS] = {
		"#",	"Drive",	"Desktops",	 "Response time",
		"IOPS", "Gap to first", "First to fail", "Its response",
		"Marks"};

	*table = (struct table){.rows = 0};
	table_head(table, headings, TABLE_COLUMNS, TEXT(DRIVE) | TEXT(MARKS));
	capacity_title(ranking, table->title, sizeof(table->title));
	return table_fill(table, ranking, ranking->count, cell_text);
}

static void sentence(const void *list, size_t row, char *text, size_t room)
{
	capacity_sentence(&((const struct capacity_ranking *)list)->entries[row], text, room);
}

void capacity_sentences_write(const struct capacity_ranking *ranking, enum table_format format,
			      FILE *out)
{
	sentences_write(ranking, ranking->count, sentence, format, out);
}

int capacity_tables_write(const struct capacity_ranking *list, size_t count,
			  enum table_format format, FILE *out)
{
	struct table table;
	size_t i;

	for (i = 0; i < count; i++) {
		if (capacity_table_make(&list[i], &table))
			return -1;
		table_write(&table, format, out);
		table_free(&table);
		if (format == FORMAT_HTML)
			continue;
		capacity_sentences_write(&list[i], format, out);
		fputc('\n', out);
	}
	if (count && format != FORMAT_HTML)
		fprintf(out, "%s\n\n", capacity_note());
	return 0;
}

/* ---- for programs -----------------------------------------------------------------------------
 */

#define FIELDS 16

static const char *end_word(enum search_end end)
{
	static const char *const words[] = {"not finished", "found", "not one", "no limit",
					    "machine"};

	return words[end];
}

/* Of the first term of the promise. */
static double latency_at(const struct capacity *entry, unsigned copies)
{
	const struct trial *trial = capacity_trial(entry, copies);

	return trial ? trial->latency_us[0] : NAN;
}

static double desktops_or_none(const struct capacity *entry, unsigned copies)
{
	return copies ? (double)copies * entry->desktops_a_copy : NAN;
}

static void record(const struct capacity_ranking *ranking, const struct capacity *entry,
		   struct field *fields)
{
	const struct finding *finding = &entry->finding;
	const struct trial *trial = capacity_trial(entry, finding->holds);
	bool known = entry->place > 0;

	fields[0] = text_field("row", ranking->row);
	fields[1] = text_field("protocol", ranking->protocol);
	fields[2] = text_field("sla", entry->sla.text);
	fields[3] = number_field("stagger_s", entry->stagger_s);
	fields[4] = number_field("place", known ? entry->place : NAN);
	fields[5] = text_field("drive", entry->result->drive);
	fields[6] = number_field("desktops", (double)finding->holds * entry->desktops_a_copy);
	fields[7] = text_field("desktops_known", known ? "yes" : "no");
	fields[8] = number_field("latency_us", latency_at(entry, finding->holds));
	fields[9] = number_field("iops", trial ? trial->iops : NAN);
	fields[10] = number_field("first_to_fail", desktops_or_none(entry, finding->fails));
	fields[11] = number_field("latency_there_us", latency_at(entry, finding->fails));
	fields[12] = number_field("held_above", desktops_or_none(entry, finding->odd));
	fields[13] = text_field("ended", end_word(finding->end));
	fields[14] = text_field("marks", entry->marks);
	fields[15] = text_field("not_ranked", limit_words(entry));
}

int capacity_records(const struct capacity_ranking *list, size_t count, struct records *records)
{
	struct field fields[FIELDS];
	size_t i, j;

	records_begin(records);
	for (i = 0; i < count; i++)
		for (j = 0; j < list[i].count; j++) {
			record(&list[i], &list[i].entries[j], fields);
			if (records_add(records, fields, FIELDS))
				return -1;
		}
	return 0;
}
