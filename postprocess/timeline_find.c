/* SPDX-License-Identifier: GPL-2.0-only */
/* Which runs stand in the charts over time: of every drive that of its peak. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/grow.h"
#include "postprocess/point.h"
#include "postprocess/timeline.h"

/* A run at a rate says more over time than the max run, which was asked for none. */
static bool tells_more(const struct point *point, const struct point *other)
{
	if (!other || point_is_max(point) != point_is_max(other))
		return !other || point_is_max(other);
	return point->iops > other->iops;
}

/* The peak; where no point counts, the fastest step that did any I/O. */
const struct point *shown_point(const struct entry *entry)
{
	const struct point *fastest = NULL;
	size_t i;

	if (entry->peak)
		return &entry->peak->point;
	for (i = 0; i < entry->step_count; i++) {
		const struct point *point = &entry->steps[i].point;

		if (point->verdict != POINT_FAILED && tells_more(point, fastest))
			fastest = point;
	}
	return fastest;
}

/* "at 90 %", "at max"; "" for a point without a name. */
static void point_words(const struct point *point, char *text, size_t room)
{
	char *end;
	unsigned long percent = strtoul(point->name, &end, 10);

	text[0] = '\0';
	if (point->name[0] && !*end)
		snprintf(text, room, ", at %lu %%", percent);
	else if (point->name[0])
		snprintf(text, room, ", at %s", point->name);
}

void shown_label(const struct entry *entry, const struct point *point, char *text, size_t room)
{
	char at[64];

	point_words(point, at, sizeof(at));
	snprintf(text, room, "%s%s%s%s%s", entry->result->drive,
		 point->simulated ? ", simulated" : "",
		 entry_is_stand_in(entry) ? ", stand-in" : "", at,
		 point_counts(point) ? "" : ", invalid");
}

int over_time_add(struct over_time *over_time, const struct timeline *timeline)
{
	struct timeline *larger = list_grow(over_time->lines, over_time->count, sizeof(*larger));

	if (!larger)
		return -1;
	over_time->lines = larger;
	larger[over_time->count++] = *timeline;
	over_time->replays |= timeline->replays;
	return 0;
}

static int add_entry(const struct entry *entry, struct over_time *over_time, struct error *err)
{
	const struct point *point = shown_point(entry);
	struct timeline timeline;

	if (!point || !point->stats_path[0])
		return 0;
	/* Old statistics without intervals tell nothing over time: no reason to fail. */
	if (timeline_read(point->stats_path, &timeline, NULL))
		return 0;
	snprintf(timeline.drive, sizeof(timeline.drive), "%s", entry->result->drive);
	shown_label(entry, point, timeline.label, sizeof(timeline.label));
	if (!over_time_add(over_time, &timeline))
		return 0;
	timeline_free(&timeline);
	return error_set(err, "not enough memory for the charts over time");
}

int over_time_of(const struct ranking *ranking, struct over_time *over_time, struct error *err)
{
	size_t i;

	*over_time = (struct over_time){.count = 0};
	snprintf(over_time->row, sizeof(over_time->row), "%s", ranking->row);
	snprintf(over_time->protocol, sizeof(over_time->protocol), "%s", ranking->protocol);
	for (i = 0; i < ranking->count; i++)
		if (add_entry(&ranking->entries[i], over_time, err)) {
			over_time_free(over_time);
			return -1;
		}
	return 0;
}

void over_time_free(struct over_time *over_time)
{
	size_t i;

	for (i = 0; i < over_time->count; i++)
		timeline_free(&over_time->lines[i]);
	free(over_time->lines);
	over_time->lines = NULL;
	over_time->count = 0;
}
