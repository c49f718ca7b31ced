/* SPDX-License-Identifier: GPL-2.0-only */
/* The live line of a run; a plain line for each step where nobody looks at a terminal. */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"
#include "review/review.h"

static double seconds_since(uint64_t then_ns)
{
	return (double)(monotonic_ns() - then_ns) / 1e9;
}

static int longest_name(const struct plan *plan)
{
	size_t longest = strlen("fill");
	unsigned i;

	for (i = 0; i < plan->row_count; i++)
		if (strlen(plan->rows[i].row->name) > longest)
			longest = strlen(plan->rows[i].row->name);
	return (int)longest;
}

void progress_start(struct progress *progress, FILE *out, const struct plan *plan, double total_s)
{
	memset(progress, 0, sizeof(*progress));
	progress->out = out;
	progress->terminal = isatty(fileno(out));
	progress->started_ns = monotonic_ns();
	progress->total_s = total_s;
	progress->row_width = longest_name(plan);
	progress->searches = plan->profile->searches;
	progress->has_rates = !plan_runs_once(plan);
}

void progress_step(struct progress *progress, const char *row, const char *point, double step_s)
{
	snprintf(progress->row, sizeof(progress->row), "%s", row);
	snprintf(progress->point, sizeof(progress->point), "%s", point);
	progress->step_s = step_s;
	progress->step_started_ns = monotonic_ns();
	progress_tick(progress);
}

static double seconds_left(const struct progress *progress, double step_done_s)
{
	return progress->total_s - progress->done_s - step_done_s;
}

static void times_text(const struct progress *progress, double step_done_s, char *text, size_t room)
{
	char elapsed[NUMBER_ROOM], rest[NUMBER_ROOM];

	snprintf(text, room, "elapsed %s, left %s",
		 number_duration(seconds_since(progress->started_ns), elapsed),
		 number_duration(seconds_left(progress, step_done_s), rest));
}

/* A line longer than the terminal would wrap, and stay behind. */
static int terminal_width(const struct progress *progress)
{
	struct winsize size;

	if (ioctl(fileno(progress->out), TIOCGWINSZ, &size) || size.ws_col < 20)
		return 79;
	return size.ws_col - 1;
}

void progress_tick(void *user)
{
	struct progress *progress = user;
	double done = seconds_since(progress->step_started_ns);
	char line[512], times[80];

	if (!progress->terminal)
		return;
	times_text(progress, done < progress->step_s ? done : progress->step_s, times,
		   sizeof(times));
	snprintf(line, sizeof(line), "%s %s  %s%s%s", progress->row, progress->point, times,
		 progress->last[0] ? "  last: " : "", progress->last);
	fprintf(progress->out, "\r\033[K%.*s", terminal_width(progress), line);
	fflush(progress->out);
}

/* The columns of a plain line would waste the live one. */
static void keep_last(struct progress *progress, const char *outcome)
{
	size_t used = 0;

	for (; *outcome && used + 1 < sizeof(progress->last); outcome++)
		if (*outcome != ' ' || (used && progress->last[used - 1] != ' '))
			progress->last[used++] = *outcome;
	progress->last[used] = '\0';
}

static void print_line(const struct progress *progress, const char *row, const char *point,
		       const char *outcome, const char *left)
{
	bool searches = progress->searches;

	fprintf(progress->out, "%-*s %-*s %-*s %s\n", progress->row_width, row, searches ? 16 : 6,
		point, searches ? 48 : 59, outcome, left);
}

static void print_heading(struct progress *progress)
{
	char columns[80];

	if (progress->headed)
		return;
	progress->headed = true;
	if (progress->searches)
		snprintf(columns, sizeof(columns), SEARCH_COLUMNS, "IOPS", "response time",
			 "promise");
	else if (!progress->has_rates)
		snprintf(columns, sizeof(columns), "what was done");
	else
		snprintf(columns, sizeof(columns), OUTCOME_COLUMNS, "IOPS", "asked", "clat mean",
			 "verdict");
	print_line(progress, "Row", "Point", columns, "left");
}

void progress_end_step(struct progress *progress, const char *outcome)
{
	char left[NUMBER_ROOM];

	progress->done_s += progress->step_s;
	keep_last(progress, outcome);
	if (progress->terminal)
		fprintf(progress->out, "\r\033[K");
	print_heading(progress);
	print_line(progress, progress->row, progress->point, outcome,
		   number_duration(seconds_left(progress, 0), left));
	fflush(progress->out);
}
