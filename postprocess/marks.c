/* SPDX-License-Identifier: GPL-2.0-only */
/* What must be said beside a figure. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/point.h"
#include "postprocess/ranking_internal.h"

static void add_mark(struct entry *entry, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_mark(struct entry *entry, const char *format, ...)
{
	size_t used = strlen(entry->marks);
	va_list args;

	if (used && used + 2 < sizeof(entry->marks))
		used += (size_t)snprintf(entry->marks + used, sizeof(entry->marks) - used, ", ");
	va_start(args, format);
	vsnprintf(entry->marks + used, sizeof(entry->marks) - used, format, args);
	va_end(args);
}

static bool any_simulated(const struct entry *entry)
{
	size_t i;

	for (i = 0; i < entry->curve->count; i++)
		if (entry->curve->points[i].simulated)
			return true;
	return entry->result->simulated;
}

/* The row says so, or the trace that was played. */
bool entry_is_stand_in(const struct entry *entry)
{
	size_t i;

	for (i = 0; entry->curve && i < entry->curve->count; i++)
		if (entry->curve->points[i].synthetic)
			return true;
	return entry->curve && entry->curve->stand_in;
}

/*
 * Steps that count because nothing but fio's output was there to judge them: our engines write
 * statistics, without which a busy CPU cannot be told from a slow drive.
 */
static unsigned count_unjudged(const struct entry *entry, unsigned *counting)
{
	unsigned unjudged = 0;
	size_t i;

	*counting = 0;
	for (i = 0; i < entry->step_count; i++) {
		const struct point *point = &entry->steps[i].point;

		if (!point_counts(point))
			continue;
		(*counting)++;
		unjudged += point->own_engine && !point->has_stats;
	}
	return unjudged;
}

static bool is_unjudged(const struct entry *entry)
{
	unsigned counting, unjudged = count_unjudged(entry, &counting);

	return counting && unjudged == counting;
}

const char *entry_origin(const struct entry *entry)
{
	if (entry->result->kind == RESULT_PUBLISHED)
		return "published";
	if (entry->curve ? any_simulated(entry) : entry->result->simulated)
		return "simulated";
	return is_unjudged(entry) ? "not judged" : "measured";
}

static void mark_unjudged(struct entry *entry)
{
	unsigned counting, unjudged = count_unjudged(entry, &counting);

	if (unjudged && unjudged < counting)
		add_mark(entry, "%u point%s not judged", unjudged, unjudged == 1 ? "" : "s");
	else if (unjudged && any_simulated(entry))
		add_mark(entry, "not judged");
}

/* Where a figure comes from; more than one mark can hold. */
static void mark_origin(struct entry *entry)
{
	const struct result *result = entry->result;

	if (result->kind == RESULT_PUBLISHED)
		add_mark(entry, "published (%s)", result->name);
	else
		add_mark(entry, "%s", entry_origin(entry));
	mark_unjudged(entry);
	if (entry_is_stand_in(entry))
		add_mark(entry, "stand-in");
	if (result->quick)
		add_mark(entry, "quick");
	if (result->scale > 1)
		add_mark(entry, "scale %u", result->scale);
}

static void mark_peak(struct entry *entry)
{
	const struct point *point = &entry->peak->point;
	char text[NUMBER_ROOM];

	if (entry->result->kind == RESULT_PUBLISHED && point->warning[0])
		add_mark(entry, "%s", point->warning);
	if (entry->peak->repeats > 1)
		add_mark(entry, "median of %u, spread %s", entry->peak->repeats,
			 number_percent(entry->peak->spread, text));
	if (point->clat.percentiles_are_largest)
		add_mark(entry, "p99 of the slowest job");
}

/* The drive is like that: such points count all the same. */
void entry_drive_marks(const struct entry *entry, char *text, size_t room)
{
	size_t i, j;

	text[0] = '\0';
	for (i = 0; i < DRIVE_MARKS; i++) {
		unsigned points = 0;

		for (j = 0; entry->curve && j < entry->curve->count; j++)
			points += point_counts(&entry->curve->points[j]) &&
				  strstr(entry->curve->points[j].marks, drive_marks[i].word);
		if (points)
			text_append(text, room, "%s%s at %u point%s", text[0] ? ", " : "",
				    drive_marks[i].shown, points, points == 1 ? "" : "s");
	}
}

static void mark_drive(struct entry *entry)
{
	char text[128];

	entry_drive_marks(entry, text, sizeof(text));
	if (text[0])
		add_mark(entry, "%s", text);
}

/* Points that do not count: how many, and where to look. */
static void mark_left_out(struct entry *entry)
{
	unsigned left_out = 0;
	size_t i;

	for (i = 0; i < entry->curve->count; i++)
		left_out += !point_counts(&entry->curve->points[i]);
	if (left_out)
		add_mark(entry, "%u point%s left out", left_out, left_out == 1 ? "" : "s");
}

void entry_mark(struct entry *entry)
{
	mark_origin(entry);
	if (entry->peak)
		mark_peak(entry);
	mark_drive(entry);
	mark_left_out(entry);
}

/* Drives of one ranking with unlike numbers in flight are told apart. */
void ranking_mark_in_flight(struct ranking *ranking)
{
	unsigned first = 0;
	bool unlike = false;
	size_t i;

	for (i = 0; i < ranking->count; i++) {
		unsigned number =
			ranking->entries[i].curve ? ranking->entries[i].curve->in_flight : 0;

		if (!number)
			continue;
		unlike |= first && number != first;
		first = number;
	}
	for (i = 0; unlike && i < ranking->count; i++)
		if (ranking->entries[i].curve && ranking->entries[i].curve->in_flight)
			add_mark(&ranking->entries[i], "%u in flight",
				 ranking->entries[i].curve->in_flight);
}
