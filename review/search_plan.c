/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a search may try: how many copies of a trace the region holds, each in a place of its own,
 * and how long they are all at work together.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "engines/trace/footprint.h"
#include "postprocess/capacity.h"
#include "review/review.h"

#define QUICK_STAGGER_S 0.5 /* as the other quick times: ours */
#define SHORTEST_S	0.1
#define BLOCK_BYTES	4096

/* What a copy of a trace takes of the region, how long it lasts, what it writes. */
struct copy {
	struct replay_footprint footprint;
	double lasts_s, write_share;
};

/* ---- the trace --------------------------------------------------------------------------------
 */

/* Keys that would make a copy something else than the trace, once, at its own pace. */
static int check_keys(const struct job_file *job, struct error *err)
{
	static const char *const keys[] = {"window", "speed", "loop", "iorate", "pacing"};
	size_t i;

	for (i = 0; i < COUNT(keys); i++)
		if (job_file_get(job, SEARCH_SECTION, keys[i]))
			return error_set(err, "%s= cannot stand in the job file of a search",
					 keys[i]);
	return 0;
}

static int find_length(struct trace *trace, const char *phase, double *lasts_s, struct error *err)
{
	uint64_t from_ns = 0, to_ns = trace_header(trace)->duration_ns;

	if (phase && trace_phase_window(trace, phase, &from_ns, &to_ns, err))
		return -1;
	*lasts_s = (double)(to_ns - from_ns) / 1e9;
	return 0;
}

static double write_share(const struct trace_totals *totals)
{
	double written = (double)totals->bytes[TRACE_WRITE], all = 0;
	unsigned op;

	for (op = 0; op < TRACE_OPS; op++)
		all += (double)totals->bytes[op];
	return all > 0 ? written / all : 0;
}

static int measure_copy(struct trace *trace, const struct job_file *job, uint64_t region_bytes,
			struct copy *copy, struct error *err)
{
	const char *kind = job_file_get(job, SEARCH_SECTION, "clone_kind");
	struct replay_options options = {.stream = job_file_get(job, SEARCH_SECTION, "stream"),
					 .phase = job_file_get(job, SEARCH_SECTION, "phase"),
					 .linked = kind && !strcmp(kind, "linked"),
					 .region_bytes = region_bytes,
					 .block_bytes = BLOCK_BYTES,
					 .longest_bytes = REPLAY_LONGEST_BYTES};

	copy->write_share = write_share(&trace_header(trace)->totals);
	if (find_length(trace, options.phase, &copy->lasts_s, err))
		return -1;
	return replay_footprint(trace, &options, &copy->footprint, err);
}

static int read_trace(const struct job_file *job, uint64_t region_bytes, struct copy *copy,
		      struct error *err)
{
	char path[PATH_MAX];
	struct trace *trace;
	int failed;

	if (check_keys(job, err))
		return -1;
	if (!job_trace(job, SEARCH_SECTION, path))
		return error_set(err, "its job file names no trace");
	if (trace_open(path, &trace, err))
		return -1;
	failed = measure_copy(trace, job, region_bytes, copy, err);
	trace_close(trace);
	return failed;
}

/* ---- how many ---------------------------------------------------------------------------------
 */

/* Copies the region holds, each in places of its own. */
static unsigned copies_apart(const struct plan *plan, const struct replay_footprint *footprint)
{
	uint64_t copies = REPLAY_CLONES_LIMIT;

	if (footprint->is_cut || footprint->shared_bytes >= plan->region_bytes)
		return 0;
	if (footprint->clone_bytes)
		copies = (plan->region_bytes - footprint->shared_bytes) / footprint->clone_bytes;
	return copies < REPLAY_CLONES_LIMIT ? (unsigned)copies : REPLAY_CLONES_LIMIT;
}

/* Takes a limit when it is lower than the one before. */
static void limit(struct plan_row *row, unsigned most, const char *why)
{
	if (most >= row->rules.most)
		return;
	row->rules.most = most;
	snprintf(row->most_why, sizeof(row->most_why), "%s", why);
}

static int limit_copies(const struct plan *plan, const struct copy *copy, struct plan_row *row,
			struct error *err)
{
	const struct run_options *options = plan->options;
	unsigned desktops = row->row->desktops;
	char region[NUMBER_ROOM];

	row->apart = copies_apart(plan, &copy->footprint);
	row->rules.gap = (options->precision + desktops - 1) / desktops;
	row->rules.most = REPLAY_CLONES_LIMIT;
	snprintf(row->most_why, sizeof(row->most_why), "more copies of a trace are not played");
	if (options->own_places)
		limit(row, row->apart, "the region holds no more in places of their own");
	if (options->max_desktops)
		limit(row, options->max_desktops / desktops, "no more were tried");
	if (row->rules.most)
		return 0;
	if (options->own_places && !row->apart)
		return error_set(err,
				 "a region of %s does not hold a copy of its trace: give "
				 "--size, or leave out --own-places",
				 number_bytes((double)plan->region_bytes, region));
	return error_set(err, "--max-desktops %u: its trace holds %u desktops",
			 options->max_desktops, desktops);
}

/* ---- how long ---------------------------------------------------------------------------------
 */

static int choose_stagger(struct plan *plan, struct error *err)
{
	const char *asked = plan->options->stagger, *rest;
	double us;

	plan->stagger_s = plan->options->quick ? QUICK_STAGGER_S : plan->profile->stagger_s;
	if (asked) {
		rest = duration_parse(asked, &us);
		if (!rest || *rest || !(us >= 1000 && us <= 86400e6))
			return error_set(err,
					 "--stagger: \"%s\" is not a time from 1ms to a day, "
					 "such as 20s",
					 asked);
		plan->stagger_s = us / 1e6;
	}
	plan->stagger_s /= plan->target->scale;
	return 0;
}

/*
 * From the last beginning to the first end all copies are at work; when they begin over a longer
 * time than the trace lasts, from the first end to the last beginning as many as there ever are.
 */
static int choose_times(const struct plan *plan, const struct copy *copy, struct plan_row *row,
			struct error *err)
{
	double lasts_s = copy->lasts_s, stagger_s = plan->stagger_s;
	char stagger[NUMBER_ROOM], lasts[NUMBER_ROOM];

	row->wait_s = fmin(stagger_s, lasts_s);
	row->measure_s = fmin(plan->measure_s, fabs(lasts_s - stagger_s));
	if (row->measure_s >= SHORTEST_S)
		return 0;
	return error_set(
		err,
		"its trace lasts %s and desktops begin within %s: there is no time in which "
		"all are at work; choose another --stagger",
		time_text(lasts_s * 1e6, lasts), time_text(stagger_s * 1e6, stagger));
}

static int plan_row(const struct plan *plan, struct plan_row *row, struct error *err)
{
	struct job_file job;
	struct copy copy;
	int failed;

	if (job_file_read(row->row->jobfile, &job, err))
		return -1;
	failed = read_trace(&job, plan->region_bytes, &copy, err);
	job_file_free(&job);
	if (failed || limit_copies(plan, &copy, row, err))
		return -1;
	row->write_share = copy.write_share;
	return choose_times(plan, &copy, row, err);
}

int search_plan(struct plan *plan, struct error *err)
{
	unsigned i;

	plan->sla = plan->profile->sla;
	if (plan->options->sla && sla_parse(plan->options->sla, &plan->sla, err))
		return error_prefix(err, "--sla");
	if (choose_stagger(plan, err))
		return -1;
	plan->wait_s = plan->stagger_s;
	for (i = 0; i < plan->row_count; i++)
		if (plan_row(plan, &plan->rows[i], err))
			return error_prefix(err, "the row %s cannot be run",
					    plan->rows[i].row->name);
	return 0;
}

void search_print(const struct plan *plan, FILE *out)
{
	unsigned i, precision = plan->options->precision;
	char promise[320], stagger[NUMBER_ROOM], number[NUMBER_ROOM], gap[64] = "2 % of them";

	sla_words(&plan->sla, promise, sizeof(promise));
	if (precision)
		snprintf(gap, sizeof(gap), "%u", precision);
	fprintf(out, "Promise     %s\n", promise);
	for (i = 0; i < plan->row_count; i++) {
		const struct plan_row *row = &plan->rows[i];

		fprintf(out, "%s%-20s up to %s desktops, ", i ? "            " : "Search      ",
			row->row->name,
			number_whole((double)row->rules.most * row->row->desktops, number));
		fprintf(out, "%s in places of their own\n",
			row->apart >= row->rules.most
				? "all"
				: number_whole((double)row->apart * row->row->desktops, number));
	}
	fprintf(out,
		"Points      about %d a row: doubled until the promise fails, then halved to %s;\n"
		"            desktops begin within %s, %.3g s measured each%s\n",
		SEARCH_POINTS, gap, time_text(plan->stagger_s * 1e6, stagger), plan->measure_s,
		plan->options->quick ? " (quick)" : "");
}
