/* SPDX-License-Identifier: GPL-2.0-only */
/* Rankings in words: titles of rows, and the sentences a review prints. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/ranking.h"

#define LEVEL_SHARE 0.01
#define MOST_NAMES  3

static const struct {
	const char *row, *title;
} titles[] = {{"blackmagic-read", "Blackmagic-style read"},
	      {"blackmagic-write", "Blackmagic-style write"},
	      {"vdi-fc-boot", "VDI full clone, boot"},
	      {"vdi-fc-initial-login", "VDI full clone, initial login"},
	      {"vdi-fc-monday-login", "VDI full clone, Monday login"},
	      {"vdi-lc-boot", "VDI linked clone, boot"},
	      {"vdi-lc-initial-login", "VDI linked clone, initial login"},
	      {"vdi-lc-monday-login", "VDI linked clone, Monday login"},
	      {"sql", "SQL"},
	      {"sql-90-10", "SQL 90-10"},
	      {"sql-80-20", "SQL 80-20"},
	      {"oracle", "Oracle"},
	      {"oracle-90-10", "Oracle 90-10"},
	      {"oracle-80-20", "Oracle 80-20"},
	      {"jesd219-enterprise", "JESD219, enterprise"},
	      {"jesd219-client", "JESD219-like, client"},
	      {"tpcc-sqlserver-io", "TPC-C-like I/O"}};

static const struct {
	const char *word, *title;
} patterns[] = {{"randread", "random read"},
		{"randwrite", "random write"},
		{"seqread", "sequential read"},
		{"seqwrite", "sequential write"},
		{"read", "read"},
		{"write", "write"}};

/* "4k-randread" -> "4K random read"; false for other shapes. */
static bool block_title(const char *row, char *text, size_t room)
{
	size_t digits = strspn(row, "0123456789"), i;

	if (!digits || (row[digits] != 'k' && row[digits] != 'm') || row[digits + 1] != '-')
		return false;
	for (i = 0; i < COUNT(patterns); i++) {
		if (strcmp(row + digits + 2, patterns[i].word))
			continue;
		snprintf(text, room, "%.*s%c %s", (int)digits, row, toupper(row[digits]),
			 patterns[i].title);
		return true;
	}
	return false;
}

void row_title(const char *row, char *text, size_t room)
{
	size_t i;

	if (block_title(row, text, room))
		return;
	for (i = 0; i < COUNT(titles); i++)
		if (!strcmp(titles[i].row, row))
			row = titles[i].title;
	snprintf(text, room, "%s", row);
}

char *entry_rate_text(const struct ranking *ranking, const struct entry *entry, char *text,
		      size_t room)
{
	char rate[NUMBER_ROOM];

	number_count(ranking->by_bytes ? entry->rate / 1e6 : entry->rate, rate);
	snprintf(text, room, "%s%s", entry->above_peak ? "at least " : "", rate);
	return text;
}

const char *ranking_unit(const struct ranking *ranking)
{
	return ranking->by_bytes ? "MB/s" : "IOPS";
}

/* A published drive may be the same as one that was measured, which may have had other work. */
static void append_drive(const struct entry *entry, char *text, size_t room)
{
	text_append(text, room, "%s%s%s", entry->result->drive,
		    entry->result->kind == RESULT_PUBLISHED ? " (published)" : "",
		    entry_is_stand_in(entry) ? " (stand-in)" : "");
}

enum relation { BEHIND, LEVEL, AHEAD };

static enum relation relation(const struct entry *entry, const struct entry *other)
{
	if (fabs(entry->value - other->value) < LEVEL_SHARE * fabs(other->value))
		return LEVEL;
	return entry->place < other->place ? AHEAD : BEHIND;
}

static bool relates(const struct ranking *ranking, const struct entry *entry, size_t i,
		    enum relation wanted)
{
	const struct entry *other = &ranking->entries[i];

	return other != entry && other->place && relation(entry, other) == wanted;
}

/* The names on one side, in order of place; long lists are cut. */
static void append_names(const struct ranking *ranking, const struct entry *entry,
			 enum relation wanted, const char *words, char *text, size_t room)
{
	unsigned total = 0, named = 0;
	size_t i;

	for (i = 0; i < ranking->count; i++)
		total += relates(ranking, entry, i, wanted);
	for (i = 0; i < ranking->count; i++) {
		if (!relates(ranking, entry, i, wanted))
			continue;
		if (named == 0)
			text_append(text, room, ", %s ", words);
		else
			text_append(text, room, "%s", named + 1 == total ? " and " : ", ");
		if (named == MOST_NAMES && total > MOST_NAMES + 1) {
			text_append(text, room, "%u others", total - MOST_NAMES);
			break;
		}
		append_drive(&ranking->entries[i], text, room);
		named++;
	}
}

static void append_gap(const struct ranking *ranking, const struct entry *entry, char *text,
		       size_t room)
{
	char gap[NUMBER_ROOM], share[NUMBER_ROOM];

	number_percent(entry->gap_share, share);
	if (ranking->sort != SORT_PEAK)
		text_append(text, room, ", %s (%s) above the first", number_us(entry->gap, gap),
			    share);
	else if (ranking->by_bytes)
		text_append(text, room, ", %s (%s) short of the first",
			    number_mbps(entry->gap, gap), share);
	else
		text_append(text, room, ", %s IOPS (%s) short of the first",
			    number_count(entry->gap, gap), share);
}

void entry_sentence(const struct ranking *ranking, const struct entry *entry, char *text,
		    size_t room)
{
	unsigned ranked = 0;
	size_t i;

	text[0] = '\0';
	append_drive(entry, text, room);
	text_append(text, room, ": ");
	if (!entry->place) {
		text_append(text, room, "%s.", entry->missing);
		return;
	}
	for (i = 0; i < ranking->count; i++)
		ranked += ranking->entries[i].place > 0;
	text_append(text, room, "place %u of %u", entry->place, ranked);
	append_names(ranking, entry, BEHIND, "behind", text, room);
	append_names(ranking, entry, LEVEL, "level with", text, room);
	append_names(ranking, entry, AHEAD, "ahead of", text, room);
	if (entry->place > 1)
		append_gap(ranking, entry, text, room);
	text_append(text, room, ".");
}
