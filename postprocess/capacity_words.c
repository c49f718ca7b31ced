/* SPDX-License-Identifier: GPL-2.0-only */
/* What a drive carries, in words. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/capacity.h"

const char *capacity_note(void)
{
	return "Desktops is the largest number, at once, for which the promise holds; response "
	       "time counts from the moment an I/O was due, in the time in which all desktops are "
	       "at work. A drive whose search was ended by something else stands as \"at "
	       "least\": it has no place, and is ahead of every smaller number.";
}

void capacity_title(const struct capacity_ranking *ranking, char *text, size_t room)
{
	char row[192], stagger[NUMBER_ROOM];

	row_title(ranking->row, row, sizeof(row));
	snprintf(text, room, "%.80s: desktops at once within %.100s (%.40s, begun within %s)", row,
		 ranking->sla.text, ranking->protocol,
		 time_text(ranking->stagger_s * 1e6, stagger));
}

static char *whole(const struct capacity *capacity, unsigned copies, char *text)
{
	return number_whole((double)copies * capacity->desktops_a_copy, text);
}

char *capacity_count_text(const struct capacity *capacity, char *text, size_t room)
{
	const struct finding *finding = &capacity->finding;
	char number[NUMBER_ROOM];
	bool known = finding->end == SEARCH_FOUND || finding->end == SEARCH_NOT_ONE;

	if (!known && !finding->holds)
		snprintf(text, room, "-");
	else
		snprintf(text, room, "%s%s", known ? "" : "at least ",
			 whole(capacity, finding->holds, number));
	return text;
}

/* " (p95 934 us)" */
static void append_latencies(const struct capacity *capacity, unsigned copies, char *text,
			     size_t room)
{
	const struct trial *trial = capacity_trial(capacity, copies);
	char latencies[256];

	if (trial)
		text_append(text, room, " (%s)",
			    trial_latencies(trial, &capacity->sla, latencies, sizeof(latencies)));
}

static void append_limit(const struct capacity *capacity, char *text, size_t room)
{
	const struct finding *finding = &capacity->finding;
	const struct trial *trial;
	char number[NUMBER_ROOM];

	if (finding->fails) {
		text_append(text, room, "; %s fail", whole(capacity, finding->fails, number));
		append_latencies(capacity, finding->fails, text, room);
	}
	if (finding->end == SEARCH_NO_LIMIT)
		text_append(text, room, "; %s", capacity->most_why);
	if (finding->end == SEARCH_GOES_ON)
		text_append(text, room, "; the search is not finished");
	if (finding->end != SEARCH_SPOILT)
		return;
	trial = capacity_trial(capacity, finding->spoilt);
	text_append(text, room, "; the machine, not the drive, is the limit at %s: %s",
		    whole(capacity, finding->spoilt, number), trial ? trial->reason : "");
}

void capacity_sentence(const struct capacity *capacity, char *text, size_t room)
{
	const struct finding *finding = &capacity->finding;
	const char *verb = capacity->verb[0] ? capacity->verb : "carries";
	const char *drive = capacity->result->drive;
	char count[NUMBER_ROOM * 2], promise[320], number[NUMBER_ROOM];

	sla_words(&capacity->sla, promise, sizeof(promise));
	if (!finding->holds && finding->end != SEARCH_NOT_ONE)
		snprintf(text, room, "How many desktops %s %s at once with %s is not known", drive,
			 verb, promise);
	else
		snprintf(text, room, "%s %s %s desktop%s at once with %s", drive, verb,
			 finding->holds ? capacity_count_text(capacity, count, sizeof(count))
					: "no",
			 finding->holds * capacity->desktops_a_copy == 1 ? "" : "s", promise);
	append_latencies(capacity, finding->holds, text, room);
	append_limit(capacity, text, room);
	text_append(text, room, ".");
	if (finding->holds > capacity->apart && capacity->apart)
		text_append(text, room, " Beyond %s they share places of the region.",
			    whole(capacity, capacity->apart, number));
	else if (finding->holds > capacity->apart)
		text_append(text, room, " They share places of the region.");
	if (finding->odd)
		text_append(text, room,
			    " Response time does not rise steadily: %s held all the same.",
			    whole(capacity, finding->odd, number));
}
