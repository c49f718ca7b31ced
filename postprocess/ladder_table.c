/* SPDX-License-Identifier: GPL-2.0-only */
/* Main tests and ladders as tables for people. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise_internal.h"
#include "postprocess/table_internal.h"

/* ---- main tests: reads and writes in columns ------------------------------------------------- */

static double value_of(struct ladder *ladder, const char *step, enum io_kind kind,
		       enum minute_measure measure)
{
	const struct ladder_step *found = ladder_find_step(ladder, step);

	return found ? found->values[kind][measure] : NAN;
}

/* Whether it is the best of several drives at that step. */
static bool is_best(const struct ladder_ranking *ranking, const char *step, enum io_kind kind,
		    enum minute_measure measure, double own)
{
	size_t i, known = 0;

	for (i = 0; i < ranking->count; i++) {
		double other = value_of(&ranking->ladders[i], step, kind, measure);

		known += !isnan(other);
		if (measure == MINUTE_IOPS ? other > own : other < own)
			return false;
	}
	return !isnan(own) && known > 1;
}

static void value_cell(const struct ladder_ranking *ranking, const struct ladder_step *step,
		       enum io_kind kind, enum minute_measure measure, char *text, size_t room)
{
	double value = step->values[kind][measure];
	char number[NUMBER_ROOM];

	if (isnan(value) && !isnan(step->left_out[kind][measure]))
		snprintf(text, room, "(%s)",
			 measure_text(measure, step->left_out[kind][measure], number));
	else if (isnan(value))
		snprintf(text, room, "-");
	else
		snprintf(text, room, "%s%s", measure_text(measure, value, number),
			 is_best(ranking, step->name, kind, measure, value) ? " *" : "");
}

enum { MAIN_DRIVE, MAIN_VALUES, MAIN_MARKS = MAIN_VALUES + 2 * MINUTE_MEASURES, MAIN_COLUMNS };

static void marks_cell(const struct ladder *ladder, const struct ladder_step *step, char *text,
		       size_t room)
{
	const struct point *point;
	int kind;

	snprintf(text, room, "%s%s%.200s", ladder->marks,
		 !step->why[0]				       ? ""
		 : isnan(step->left_out[IO_BOTH][MINUTE_IOPS]) ? ", "
							       : ", invalid: ",
		 step->why);
	for (kind = 0; kind < IO_KINDS; kind++) {
		point = step->points[kind];
		if (point && point_counts(point) && point->marks[0])
			text_append(text, room, ", %s", point->marks);
	}
}

static void main_cell(const void *list, size_t row, int column, char *text, size_t room)
{
	const struct ladder_ranking *ranking = list;
	const struct ladder *ladder = &ranking->ladders[row];
	const struct ladder_step *step = &ladder->steps[0];
	int value = column - MAIN_VALUES;

	if (column == MAIN_DRIVE)
		snprintf(text, room, "%s", ladder->result->drive);
	else if (!ladder->count)
		snprintf(text, room, "-");
	else if (column == MAIN_MARKS)
		marks_cell(ladder, step, text, room);
	else
		value_cell(ranking, step, (enum io_kind)(value % 2),
			   (enum minute_measure)(value / 2), text, room);
}

static int main_table_make(const struct ladder_ranking *ranking, struct table *table)
{
	static const char *const headings[MAIN_COLUMNS] = {
		"Drive",     "Read IOPS",  "Write IOPS",   "Read average",  "Write average",
		"Read max.", "Write max.", "Read std dev", "Write std dev", "Marks"};

	enterprise_table_begin(ranking->title, ranking->protocol, headings, MAIN_COLUMNS,
			       TEXT(MAIN_DRIVE) | TEXT(MAIN_MARKS), table);
	return table_fill(table, ranking, ranking->count, main_cell);
}

/* ---- ladders: a block of drives a step ------------------------------------------------------- */

enum {
	STEP,
	STEP_PLACE,
	STEP_DRIVE,
	STEP_VALUES,
	GAP = STEP_VALUES + MINUTE_MEASURES,
	STEP_MARKS,
	STEP_COLUMNS
};

static double best_rate(const struct ladder_ranking *ranking, const char *step)
{
	double best = NAN;
	size_t i;

	for (i = 0; i < ranking->count; i++)
		best = fmax(best, value_of(&ranking->ladders[i], step, IO_BOTH, MINUTE_IOPS));
	return best;
}

static void gap_cell(const struct ladder_ranking *ranking, const struct ladder_step *step,
		     char *text, size_t room)
{
	double best = best_rate(ranking, step->name), own = step->values[IO_BOTH][MINUTE_IOPS];
	char gap[NUMBER_ROOM], share[NUMBER_ROOM];

	if (step->place <= 1)
		snprintf(text, room, "-");
	else
		snprintf(text, room, "%s (%s)", number_count(best - own, gap),
			 number_percent((best - own) / best, share));
}

/* The rows of a ladder's table. */
struct rung {
	const struct ladder *ladder;
	const struct ladder_step *step;
};

struct rungs {
	const struct ladder_ranking *ranking;
	struct rung *list;
	size_t count;
};

static bool shares_rung(const struct ladder_ranking *ranking, const struct ladder_step *step)
{
	size_t i, sharing = 0;

	for (i = 0; i < ranking->count; i++) {
		const struct ladder_step *other =
			ladder_find_step(&ranking->ladders[i], step->name);

		sharing += other && other->place == step->place;
	}
	return sharing > 1;
}

static void step_cell(const void *list, size_t row, int column, char *text, size_t room)
{
	const struct rungs *rungs = list;
	const struct ladder_ranking *ranking = rungs->ranking;
	const struct ladder *ladder = rungs->list[row].ladder;
	const struct ladder_step *step = rungs->list[row].step;

	if (column == STEP)
		snprintf(text, room, "%s", step->name);
	else if (column == STEP_PLACE)
		place_text(step->place, shares_rung(ranking, step), text, room);
	else if (column == STEP_DRIVE)
		snprintf(text, room, "%s", ladder->result->drive);
	else if (column == GAP)
		gap_cell(ranking, step, text, room);
	else if (column == STEP_MARKS)
		marks_cell(ladder, step, text, room);
	else
		value_cell(ranking, step, IO_BOTH, (enum minute_measure)(column - STEP_VALUES),
			   text, room);
}

/* The drives of one step in the order of their places, those without one last. */
static void add_rungs(struct rungs *rungs, const char *name)
{
	const struct ladder_ranking *ranking = rungs->ranking;
	unsigned last = (unsigned)ranking->count + 1, place;
	size_t i;

	for (place = 1; place <= last; place++)
		for (i = 0; i < ranking->count; i++) {
			struct ladder *ladder = &ranking->ladders[i];
			const struct ladder_step *step = ladder_find_step(ladder, name);

			if (step && (step->place ? step->place : last) == place)
				rungs->list[rungs->count++] = (struct rung){ladder, step};
		}
}

/* The ladder with the most steps has them all. */
const struct ladder *ladder_longest(const struct ladder_ranking *ranking)
{
	const struct ladder *longest = &ranking->ladders[0];
	size_t i;

	for (i = 1; i < ranking->count; i++)
		if (ranking->ladders[i].count > longest->count)
			longest = &ranking->ladders[i];
	return longest;
}

static int steps_table_make(const struct ladder_ranking *ranking, struct table *table)
{
	static const char *const headings[STEP_COLUMNS] = {
		"Step", "#", "Drive", "IOPS", "Average", "Max.", "Std dev", "Gap in IOPS", "Marks"};
	const struct ladder *longest = ladder_longest(ranking);
	struct rungs rungs = {.ranking = ranking};
	int status;
	size_t i;

	enterprise_table_begin(ranking->title, ranking->protocol, headings, STEP_COLUMNS,
			       TEXT(STEP) | TEXT(STEP_DRIVE) | TEXT(STEP_MARKS), table);
	rungs.list = calloc(longest->count * ranking->count + 1, sizeof(*rungs.list));
	if (!rungs.list)
		return -1;
	for (i = 0; i < longest->count; i++)
		add_rungs(&rungs, longest->steps[i].name);
	status = table_fill(table, &rungs, rungs.count, step_cell);
	free(rungs.list);
	return status;
}

int ladder_table_make(const struct ladder_ranking *ranking, struct table *table)
{
	return ranking->is_main_test ? main_table_make(ranking, table)
				     : steps_table_make(ranking, table);
}
