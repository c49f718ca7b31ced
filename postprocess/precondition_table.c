/* SPDX-License-Identifier: GPL-2.0-only */
/* Preconditioning as a table for people; of rounds of several loads their verdicts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise_internal.h"
#include "postprocess/table_internal.h"

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
			 window->steady	   ? "steady"
			 : window->invalid ? "invalid"
			 : run->verdict[0] ? "not steady"
					   : "still at work");
	else
		snprintf(text, room, "%s", run->marks);
}

static int followed_table_make(const struct precondition_ranking *ranking, struct table *table)
{
	static const char *const headings[FOLLOWED_COLUMNS] = {"Drive", "Rounds",  "Mean", "Range",
							       "Slope", "Verdict", "Marks"};

	enterprise_table_begin(ranking->title, ranking->protocol, headings, FOLLOWED_COLUMNS,
			       TEXT(FOLLOWED_DRIVE) | TEXT(VERDICT) | TEXT(FOLLOWED_MARKS), table);
	return table_fill(table, ranking, ranking->count, followed_cell);
}

int precondition_table_make(const struct precondition_ranking *ranking, struct table *table)
{
	static const char *const headings[COLUMNS] = {
		"#",	   "Drive", "At the start", "Until", "Steady IOPS", "Since",
		"Average", "Max.",  "Std dev",	    "Even",  "Marks"};

	if (ranking->several_loads)
		return followed_table_make(ranking, table);
	enterprise_table_begin(ranking->title, ranking->protocol, headings, COLUMNS,
			       TEXT(DRIVE) | TEXT(MARKS), table);
	return table_fill(table, ranking, ranking->count, run_cell);
}
