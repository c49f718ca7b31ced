/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run comes to, in words, before it begins. */
#include <string.h>

#include "base/number.h"
#include "review/purge.h"

static void print_preparation_once(const struct plan *plan, FILE *out)
{
	char idle[NUMBER_ROOM], purge[PURGE_TEXT_ROOM] = "not purged";

	if (plan->purges)
		purge_plan_text(plan->target, purge, sizeof(purge));
	if (plan->idle_s < 1)
		time_text(plan->idle_s * 1e6, idle);
	else
		number_duration(plan->idle_s, idle);
	fprintf(out, "Before      each row: %s, then %s of idle time\n", purge, idle);
}

static void print_preparation(const struct plan *plan, FILE *out)
{
	char purge[PURGE_TEXT_ROOM] = "";

	if (plan->purges)
		purge_plan_text(plan->target, purge, sizeof(purge));
	if (!plan->options->read_only && !plan->prepares)
		fprintf(out, "Before      rounds: %s%sfilled where their row says so\n", purge,
			plan->purges ? ", then " : "");
	else if (plan->options->read_only)
		fprintf(out,
			"Before      nothing: --read-only reads what the drive holds; blocks never "
			"written answer without flash\n");
	else
		fprintf(out, "Before      %s%s%s\n", purge, plan->purges ? ", " : "",
			plan->profile->fill == FILL_WHOLE    ? "the whole drive is filled once"
			: plan->profile->fill == FILL_REGION ? "the region is written once in full"
							     : "nothing is written");
	if (plan->fills && plan->profile->refill)
		fprintf(out, "            then the region again before each further row that "
			     "writes\n");
}

static int longest_row_name(const struct plan *plan)
{
	size_t longest = 0;
	unsigned i;

	for (i = 0; i < plan->row_count; i++)
		if (strlen(plan->rows[i].row->name) > longest)
			longest = strlen(plan->rows[i].row->name);
	return (int)longest;
}

/* ", 2 streams", ", 4 jobs", ", 36 clones, stand-in" */
static void print_row_details(const struct plan *plan, const struct plan_row *row, FILE *out)
{
	char bytes[NUMBER_ROOM], time[NUMBER_ROOM];
	unsigned jobs = plan_jobs(plan, row);

	if (row->row->steps == STEPS_ROUNDS || row->row->steps == STEPS_LADDER) {
		steady_print(row, out);
		return;
	}
	if (row->row->steps == STEPS_ONCE)
		fprintf(out, ", once: about %s in %s", number_bytes(row->once_bytes, bytes),
			number_duration(row->once_s, time));
	if (row->sequential)
		fprintf(out, ", %u stream%s", jobs, jobs > 1 ? "s" : "");
	else if (jobs > 1)
		fprintf(out, ", %u jobs", jobs);
	if (row->trace_clones)
		fprintf(out, ", %u clone%s", row->trace_clones, row->trace_clones > 1 ? "s" : "");
	if (row->row->stand_in || plan->profile->stand_in)
		fprintf(out, ", stand-in");
}

static void print_rows(const struct plan *plan, FILE *out)
{
	int width = longest_row_name(plan);
	char in_flight[NUMBER_ROOM];
	unsigned i;

	for (i = 0; i < plan->row_count; i++) {
		const struct plan_row *row = &plan->rows[i];

		fprintf(out, "%s%-*s %5s in flight, %s", i ? "            " : "Rows        ", width,
			row->row->name, number_whole(row->in_flight, in_flight),
			row->writes ? "writes" : "reads");
		print_row_details(plan, row, out);
		fprintf(out, "\n");
	}
}

static void print_left(const struct plan *plan, FILE *out)
{
	if (plan->left_rows[0])
		fprintf(out, "Left out    %s: blocks smaller than the drive's, %u bytes\n",
			plan->left_rows, plan->target->block_bytes);
}

static void print_amount(const struct plan *plan, FILE *out)
{
	const struct target *target = plan->target;
	char text[NUMBER_ROOM];

	if (!plan->writes) {
		fprintf(out, "Writes      nothing\n");
		return;
	}
	fprintf(out, "Writes      %s %s",
		target->kind == TARGET_SIM || plan_runs_once(plan) ? "about" : "at most",
		number_bytes(plan->written_bytes, text));
	if (target->kind != TARGET_SIM && !plan_runs_once(plan))
		fprintf(out, " (if the drive takes %s)", number_mbps(ASSUMED_BYTES_PER_S, text));
	if (target->endurance_bytes > 0)
		fprintf(out, ", %.2g %% of the rated endurance\n",
			plan->written_bytes * target->scale / target->endurance_bytes * 100);
	else
		fprintf(out, "; the rated endurance is not known\n");
}

static void print_warnings(const struct plan *plan, FILE *out)
{
	json_t *warnings = plan_warnings(plan), *warning;
	size_t i;

	json_array_foreach(warnings, i, warning)
		fprintf(out, "Warning     %s\n", json_string_value(warning));
	json_decref(warnings);
}

static void print_points(const struct plan *plan, FILE *out)
{
	const struct run_options *options = plan->options;

	fprintf(out, "Points      max and %u steps a row, %.3g s wait and %.3g s measured each%s",
		plan->profile->step_count, plan->wait_s, plan->measure_s,
		options->quick ? " (quick)" : "");
	if (options->repeat > 1)
		fprintf(out, ", %u times", options->repeat);
	fputc('\n', out);
}

static bool has_steps(const struct plan *plan, enum row_steps steps)
{
	unsigned i;

	for (i = 0; i < plan->row_count; i++)
		if (plan->rows[i].row->steps == steps)
			return true;
	return false;
}

static void print_threads(const struct plan *plan, FILE *out)
{
	if (plan->target->kind == TARGET_SIM &&
	    (has_steps(plan, STEPS_ROUNDS) || has_steps(plan, STEPS_LADDER)))
		fprintf(out,
			"Threads     16T/16Q: 16 threads with 16 in flight each; on a simulated "
			"drive one fio job with 256\n");
}

void plan_print(const struct plan *plan, FILE *out)
{
	const struct run_options *options = plan->options;
	char drive[128], size[NUMBER_ROOM], time[NUMBER_ROOM];

	target_drive_name(plan->target, options->name, drive, sizeof(drive));
	fprintf(out, "Review      %s: %s\n", options->name, plan->profile->title);
	fprintf(out, "Target      %s%s, %s (%s)\n", drive,
		plan->target->kind == TARGET_SIM ? " (simulated)" : "",
		number_bytes((double)plan->target->bytes, size), plan->target->path);
	if (plan->target->scale > 1)
		fprintf(out, "Scale       1/%u of the capacity, the caches and the times\n",
			plan->target->scale);
	fprintf(out, "Region      %s\n", plan->region);
	if (plan_runs_once(plan))
		print_preparation_once(plan, out);
	else
		print_preparation(plan, out);
	print_rows(plan, out);
	print_left(plan, out);
	print_threads(plan, out);
	if (plan->profile->searches)
		search_print(plan, out);
	else if (has_steps(plan, STEPS_CURVE))
		print_points(plan, out);
	fprintf(out, "Time        about %s\n", number_duration(plan->duration_s, time));
	print_amount(plan, out);
	known_cache_print(plan, out);
	print_warnings(plan, out);
	fflush(out);
}
