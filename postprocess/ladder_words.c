/* SPDX-License-Identifier: GPL-2.0-only */
/* Main tests and ladders in words: who leads in what. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise_internal.h"

/* The best two of one measure; NULL where there are no two. */
struct lead {
	const struct ladder *first, *second;
	double best, next;
};

static bool is_better(enum minute_measure measure, double value, double than)
{
	return isnan(than) || (measure == MINUTE_IOPS ? value > than : value < than);
}

static struct lead lead_of(const struct ladder_ranking *ranking, const char *step,
			   enum io_kind kind, enum minute_measure measure)
{
	struct lead lead = {NULL, NULL, NAN, NAN};
	size_t i;

	for (i = 0; i < ranking->count; i++) {
		struct ladder *ladder = &ranking->ladders[i];
		const struct ladder_step *found = ladder_find_step(ladder, step);
		double value = found ? found->values[kind][measure] : NAN;

		if (isnan(value))
			continue;
		if (is_better(measure, value, lead.best)) {
			lead = (struct lead){ladder, lead.first, value, lead.best};
		} else if (is_better(measure, value, lead.next)) {
			lead.second = ladder;
			lead.next = value;
		}
	}
	return lead;
}

static void append_drive(const struct result *result, char *text, size_t room)
{
	text_append(text, room, "%s%s", result->drive,
		    result->kind == RESULT_PUBLISHED ? " (published)" : "");
}

static bool lead_sentence(const struct lead *lead, const char *what, enum minute_measure measure,
			  char *text, size_t room)
{
	char number[NUMBER_ROOM], share[NUMBER_ROOM];
	double gap = fabs(lead->best - lead->next);

	if (!lead->second)
		return false;
	text_append(text, room, "%s, %s: ", what, measure_title(measure));
	append_drive(lead->first->result, text, room);
	text_append(text, room, gap > 0 ? " leads with %s%s, " : " and ",
		    measure_text(measure, lead->best, number),
		    measure == MINUTE_IOPS ? " IOPS" : "");
	if (gap > 0) {
		text_append(text, room, "%s (%s) ahead of ", measure_text(measure, gap, number),
			    number_percent(gap / lead->next, share));
		append_drive(lead->second->result, text, room);
		text_append(text, room, ".");
	} else {
		append_drive(lead->second->result, text, room);
		text_append(text, room, " are level with %s.",
			    measure_text(measure, lead->best, number));
	}
	return true;
}

/* Reads and writes of a main test apart; of a ladder its first and last step. */
static bool one_lead(const struct ladder_ranking *ranking, unsigned number, char *text, size_t room)
{
	static const char *const words[] = {"Reads", "Writes"};
	enum minute_measure measure = number % MINUTE_MEASURES;
	unsigned part = number / MINUTE_MEASURES;
	const struct ladder *first = &ranking->ladders[0];
	struct lead lead;
	const char *step;

	if (!first->count)
		return false;
	step = first->steps[ranking->is_main_test || !part ? 0 : first->count - 1].name;
	lead = lead_of(ranking, step, ranking->is_main_test ? (enum io_kind)part : IO_BOTH,
		       measure);
	return lead_sentence(&lead, ranking->is_main_test ? words[part] : step, measure, text,
			     room);
}

#define LEADS (2 * MINUTE_MEASURES)

bool ladder_sentence(const struct ladder_ranking *ranking, unsigned number, char *text, size_t room)
{
	const struct ladder *ladder;

	text[0] = '\0';
	if (number < LEADS) {
		one_lead(ranking, number, text, room);
		return true;
	}
	number -= LEADS;
	if (number >= ranking->count)
		return false;
	ladder = &ranking->ladders[number];
	if (ladder->stated[0]) {
		append_drive(ladder->result, text, room);
		text_append(text, room, ": %s.", ladder->stated);
	}
	return true;
}
