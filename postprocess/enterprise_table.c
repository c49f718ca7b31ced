/* SPDX-License-Identifier: GPL-2.0-only */
/* Preconditioning, main tests and ladders as tables for people. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise_internal.h"
#include "postprocess/table_internal.h"

static void begin_table(const char *title, const char *protocol, const char *const *headings,
			size_t columns, struct table *table)
{
	*table = (struct table){.columns = columns};
	enterprise_heading(title, protocol, table->title, sizeof(table->title));
	memcpy(table->headings, headings, columns * sizeof(*headings));
}

/* ---- preconditioning ------------------------------------------------------------------------- */

enum { PLACE, DRIVE, START, UNTIL, STEADY, SINCE, MEAN, MAX, STDDEV, EVEN, MARKS, COLUMNS };

/* Whether it is the best of its column, of several. */
static bool is_best_run(const struct precondition_ranking *ranking, const struct precondition *run,
			enum minute_measure measure)
{
	double own = run->findings.steady[measure];
	size_t i, known = 0;

	for (i = 0; i < ranking->count; i++) {
		double other = ranking->runs[i].findings.steady[measure];

		known += !isnan(other);
		if (measure == MINUTE_IOPS ? other > own : other < own)
			return false;
	}
	return !isnan(own) && known > 1;
}

static void steady_cell(const struct precondition_ranking *ranking, const struct precondition *run,
			enum minute_measure measure, char *text, size_t room)
{
	char number[NUMBER_ROOM];
	double value = run->findings.steady[measure];

	if (isnan(value))
		snprintf(text, room, "-");
	else
		snprintf(text, room, "%s%s%s",
			 measure == MINUTE_IOPS && run->about_steady ? "about " : "",
			 measure_text(measure, value, number),
			 is_best_run(ranking, run, measure) ? " *" : "");
}

static void time_cell(double at_s, double fills, char *text, size_t room)
{
	if (isnan(at_s))
		snprintf(text, room, "-");
	else if (isnan(fills))
		snprintf(text, room, "%.0f min", at_s / 60);
	else
		snprintf(text, room, "%.0f min, %.2f fills", at_s / 60, fills);
}

static void start_cell(const struct precondition_ranking *ranking, const struct precondition *run,
		       char *text, size_t room)
{
	double start = precondition_start_iops(run);
	char number[NUMBER_ROOM];

	if (isnan(start))
		snprintf(text, room, "-");
	else
		snprintf(text, room, "%s%s%s", run->about_burst ? "about " : "",
			 number_count(start, number),
			 ranking->count > 1 && run->place_at_start == 1 ? " *" : "");
}

static void even_cell(const struct precondition_ranking *ranking, const struct precondition *run,
		      char *text, size_t room)
{
	const struct findings *findings = &run->findings;
	char share[NUMBER_ROOM];

	if (isnan(findings->near_share))
		snprintf(text, room, "-");
	else
		snprintf(text, room, "%s, %zu spike%s%s",
			 number_percent(findings->near_share, share), findings->spike_times,
			 findings->spike_times == 1 ? "" : "s",
			 ranking->count > 1 && run->place_even == 1 ? " *" : "");
}

static bool shares_place(const struct precondition_ranking *ranking, const struct precondition *run)
{
	size_t i, sharing = 0;

	for (i = 0; i < ranking->count; i++)
		sharing += ranking->runs[i].place == run->place;
	return sharing > 1;
}

static void run_cell(const void *list, size_t row, int column, char *text, size_t room)
{
	const struct precondition_ranking *ranking = list;
	const struct precondition *run = &ranking->runs[row];
	const struct findings *findings = &run->findings;

	if (column == PLACE)
		place_text(run->place, shares_place(ranking, run), text, room);
	else if (column == DRIVE)
		snprintf(text, room, "%s", run->result->drive);
	else if (column == START)
		start_cell(ranking, run, text, room);
	else if (column == UNTIL)
		time_cell(findings->burst_end_s, findings->burst_end_fills, text, room);
	else if (column == SINCE)
		time_cell(findings->steady_since_s, findings->steady_since_fills, text, room);
	else if (column == EVEN)
		even_cell(ranking, run, text, room);
	else if (column == MARKS)
		snprintf(text, room, "%s", run->marks);
	else
		steady_cell(ranking, run,
			    column == STEADY ? MINUTE_IOPS
					     : (enum minute_measure)(MINUTE_MEAN + column - MEAN),
			    text, room);
}

/* ---- rounds of several loads: what was followed, and whether it was steady --------------------
 */

enum {
	FOLLOWED_DRIVE,
	ROUNDS,
	MEAN_OF_ROUNDS,
	RANGE,
	SLOPE,
	VERDICT,
	FOLLOWED_MARKS,
	FOLLOWED_COLUMNS
};

static void mean_cell(const struct steady_window *window, char *text, size_t room)
{
	char number[NUMBER_ROOM];

	if (!window->known)
		snprintf(text, room, "-");
	else if (strstr(window->measure, "bytes_per_s"))
		snprintf(text, room, "%s", number_mbps(window->mean, number));
	else if (strstr(window->measure, "iops"))
		snprintf(text, room, "%s IOPS", number_count(window->mean, number));
	else
		snprintf(text, room, "%s", number_us(window->mean / 1000, number));
}

static void share_cell(bool known, double share, char *text, size_t room)
{
	char number[NUMBER_ROOM];

	snprintf(text, room, "%s", known ? number_percent(share, number) : "-");
}

static void followed_cell(const void *list, size_t row, int column, char *text, size_t room)
{
	const struct precondition *run = &((const struct precondition_ranking *)list)->runs[row];
	const struct steady_window *window = &run->window;

	if (column == FOLLOWED_DRIVE)
		snprintf(text, room, "%s", run->result->drive);
	else if (column == ROUNDS && window->known)
		snprintf(text, room, "%u to %u", window->first, window->last);
	else if (column == ROUNDS)
		snprintf(text, room, "%zu", run->round_count);
	else if (column == MEAN_OF_ROUNDS)
		mean_cell(window, text, room);
	else if (column == RANGE)
		share_cell(window->known, window->range_share, text, room);
	else if (column == SLOPE)
		share_cell(window->known, window->excursion_share, text, room);
	else if (column == VERDICT)
		snprintf(text, room, "%s",
			 window->steady	 ? "steady"
			 : window->known ? "not steady"
					 : "none yet");
	else
		snprintf(text, room, "%s", run->marks);
}

static int followed_table_make(const struct precondition_ranking *ranking, struct table *table)
{
	static const char *const headings[FOLLOWED_COLUMNS] = {"Drive", "Rounds",  "Mean", "Range",
							       "Slope", "Verdict", "Marks"};
	int column;

	begin_table(ranking->title, ranking->protocol, headings, FOLLOWED_COLUMNS, table);
	for (column = ROUNDS; column <= SLOPE; column++)
		table->right[column] = true;
	return table_fill(table, ranking, ranking->count, followed_cell);
}

int precondition_table_make(const struct precondition_ranking *ranking, struct table *table)
{
	static const char *const headings[COLUMNS] = {
		"#",	   "Drive", "At the start", "Until", "Steady IOPS", "Since",
		"Average", "Max.",  "Std dev",	    "Even",  "Marks"};
	int column;

	if (ranking->several_loads)
		return followed_table_make(ranking, table);
	begin_table(ranking->title, ranking->protocol, headings, COLUMNS, table);
	for (column = 0; column < COLUMNS; column++)
		table->right[column] = column != DRIVE && column != MARKS;
	return table_fill(table, ranking, ranking->count, run_cell);
}

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
	snprintf(text, room, "%s%s%.200s", ladder->marks,
		 !step->why[0]				       ? ""
		 : isnan(step->left_out[IO_BOTH][MINUTE_IOPS]) ? ", "
							       : ", invalid: ",
		 step->why);
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
	size_t i;

	begin_table(ranking->title, ranking->protocol, headings, MAIN_COLUMNS, table);
	for (i = MAIN_VALUES; i < MAIN_MARKS; i++)
		table->right[i] = true;
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

	begin_table(ranking->title, ranking->protocol, headings, STEP_COLUMNS, table);
	for (i = STEP_VALUES; i <= GAP; i++)
		table->right[i] = true;
	table->right[STEP_PLACE] = true;
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

/* ---- all ------------------------------------------------------------------------------------- */

/* What is said further of a drive stands below its first sentence. */
static void put_sentence(const char *text, bool further, enum table_format format, FILE *out)
{
	if (!text[0])
		return;
	fputs(further ? "  " : "", out);
	fputs(format == FORMAT_MD ? "- " : "  ", out);
	if (format == FORMAT_MD)
		md_text(text, out);
	else
		fputs(text, out);
	fputc('\n', out);
}

static void run_sentences(const struct precondition_ranking *ranking, enum table_format format,
			  FILE *out)
{
	char text[2048];
	unsigned number;
	size_t i;

	for (i = 0; i < ranking->count; i++)
		for (number = 0;
		     precondition_sentence(ranking, &ranking->runs[i], number, text, sizeof(text));
		     number++)
			put_sentence(text, number > 0, format, out);
	fputc('\n', out);
}

static void lead_sentences(const struct ladder_ranking *ranking, enum table_format format,
			   FILE *out)
{
	char text[1024];
	unsigned number;

	for (number = 0; ladder_sentence(ranking, number, text, sizeof(text)); number++)
		put_sentence(text, false, format, out);
	fputc('\n', out);
}

int enterprise_tables_write(const struct enterprise *enterprise, enum table_format format,
			    FILE *out)
{
	struct table table;
	size_t i;

	for (i = 0; i < enterprise->precondition_count; i++) {
		if (precondition_table_make(&enterprise->preconditions[i], &table))
			return -1;
		table_write(&table, format, out);
		table_free(&table);
		if (format != FORMAT_HTML)
			run_sentences(&enterprise->preconditions[i], format, out);
	}
	for (i = 0; i < enterprise->ladder_count; i++) {
		if (ladder_table_make(&enterprise->ladders[i], &table))
			return -1;
		table_write(&table, format, out);
		table_free(&table);
		if (format != FORMAT_HTML)
			lead_sentences(&enterprise->ladders[i], format, out);
	}
	if (!enterprise_is_empty(enterprise) && format != FORMAT_HTML)
		fprintf(out, "%s\n\n", enterprise_note());
	return 0;
}
