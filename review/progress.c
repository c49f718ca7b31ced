/* SPDX-License-Identifier: GPL-2.0-only */
/* The live line of a run; a plain line for each step where nobody looks at a terminal. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "review/review.h"

static double seconds_since(uint64_t then_ns)
{
	return (double)(monotonic_ns() - then_ns) / 1e9;
}

void progress_start(struct progress *progress, FILE *out, double total_s)
{
	memset(progress, 0, sizeof(*progress));
	progress->out = out;
	progress->terminal = isatty(fileno(out));
	progress->started_ns = monotonic_ns();
	progress->total_s = total_s;
}

void progress_step(struct progress *progress, const char *row, const char *point, double step_s)
{
	snprintf(progress->label, sizeof(progress->label), "%-14s %-6s", row, point);
	progress->step_s = step_s;
	progress->step_started_ns = monotonic_ns();
	progress_tick(progress);
}

static void print_times(const struct progress *progress, double step_done_s)
{
	double left = progress->total_s - progress->done_s - step_done_s;
	char elapsed[32], rest[32];

	fprintf(progress->out, "  elapsed %s, left %s",
		text_duration(seconds_since(progress->started_ns), elapsed, sizeof(elapsed)),
		text_duration(left, rest, sizeof(rest)));
}

void progress_tick(void *user)
{
	struct progress *progress = user;
	double done = seconds_since(progress->step_started_ns);

	if (!progress->terminal)
		return;
	fprintf(progress->out, "\r\033[K%s", progress->label);
	if (progress->last[0])
		fprintf(progress->out, " (before: %s)", progress->last);
	print_times(progress, done < progress->step_s ? done : progress->step_s);
	fflush(progress->out);
}

void progress_end_step(struct progress *progress, const char *outcome)
{
	progress->done_s += progress->step_s;
	snprintf(progress->last, sizeof(progress->last), "%s", outcome);
	fprintf(progress->out, "%s%s %s", progress->terminal ? "\r\033[K" : "", progress->label,
		outcome);
	print_times(progress, 0);
	fprintf(progress->out, "\n");
	fflush(progress->out);
}
