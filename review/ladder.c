/* SPDX-License-Identifier: GPL-2.0-only */
/* Ladders: threads by number in flight, right after the rows of rounds that they ask for. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/measures.h"
#include "postprocess/postprocess.h"
#include "review/review.h"

/* ---- what a step came to -------------------------------------------------------------------- */

static json_t *step_measures(const struct run *run, const struct job_point *point)
{
	char paths[MAX_CLONES][PATH_MAX];
	const char *list[MAX_CLONES];
	unsigned clones = point_stats_paths(run, point, paths, list);
	struct measures measures;

	return measures_read_total(list, clones, &measures, NULL) ? json_null()
								  : measures_json(&measures);
}

json_t *step_describe(const struct run *run, const struct job_point *point, const char *failed)
{
	if (!point->load.threads)
		return NULL;
	return json_pack("{s:i, s:i, s:i, s:o, s:f}", "threads", point->load.threads, "queue",
			 point->load.queue, "fio_jobs", job_point_clones(point), "measures",
			 failed ? json_null() : step_measures(run, point), "pause_s",
			 isnan(run->pause_s) ? 0.0 : run->pause_s);
}

/* ---- the state the drive must be in --------------------------------------------------------- */

static bool is_conditioned(const struct run *run, const struct plan_row *row)
{
	const char *by = index_conditioned(&run->index);

	return by && !strcmp(by, row->row->ladder.after) && !run_pause_is_long(run);
}

/* Something else was done to the drive, or it rested: it is brought into its state again. */
enum run_end be_conditioned(struct run *run, const struct plan_row *row, struct error *err)
{
	const char *after = row->row->ladder.after;
	double pause_s = run_pause_s(run);
	char pause[NUMBER_ROOM];

	if (!after[0])
		return index_set_conditioned(&run->index, NULL, err) ? RUN_FAILED : RUN_FINE;
	if (is_conditioned(run, row))
		return RUN_FINE;
	fprintf(run->progress.out,
		"%s must come right after %s, which was %s ago%s: that is done again.\n",
		row->row->name, after,
		pause_s >= 0 ? number_duration(pause_s, pause) : "a time that is not known",
		run_pause_is_long(run) ? "" : ", with other loads since");
	return rounds_run_again(run, plan_find_row(&run->plan, after), err);
}

/* ---- one step ------------------------------------------------------------------------------- */

/* "16T/16Q" becomes "16t-16q". */
static void file_stem(const char *label, char stem[32])
{
	size_t i;

	snprintf(stem, 32, "%s", label);
	for (i = 0; stem[i]; i++)
		stem[i] = stem[i] == '/' ? '-' : (char)tolower((unsigned char)stem[i]);
}

static void make_point(const struct run *run, const struct plan_row *row,
		       const struct job_file *job, const struct thread_load *load,
		       struct job_point *point)
{
	point_defaults(run, point);
	point->row = row->row->name;
	point->section = job_file_section(job);
	point->load = *load;
	point->region_bytes = row->region.bytes;
	point->region_files = 1;
	point->in_flight = load->threads * load->queue;
	point->sequential = !row->rounds.loads[0].random;
	point->jobs = point->sequential ? 1 : plan_thread_jobs(&run->plan, load->threads);
	point->wait_s = row->wait_s;
	point->measure_s = row->measure_s;
}

/* A step that fails is kept with its reason, and the others are taken all the same. */
static enum run_end go_on_after(struct run *run, struct error *err)
{
	struct error gone;

	if (target_check(&run->target, &gone)) {
		*err = gone;
		return RUN_FAILED;
	}
	fprintf(run->progress.out, "  %s\n", err->text);
	run->failed_steps++;
	return RUN_FINE;
}

static enum run_end take_step(struct run *run, const struct plan_row *row,
			      const struct job_file *job, const struct thread_load *load,
			      unsigned repeat, struct error *err)
{
	struct job_point point = {.repeat = repeat};
	char label[32], stem[32];
	enum run_end end;

	snprintf(label, sizeof(label), "%uT/%uQ", load->threads, load->queue);
	file_stem(label, stem);
	point.label = label;
	point.point = stem;
	if (index_has_point(&run->index, row->row->name, label, repeat))
		return RUN_FINE;
	end = be_conditioned(run, row, err);
	if (end != RUN_FINE)
		return end;
	make_point(run, row, job, load, &point);
	end = run_point(run, job, &point, err);
	return end == RUN_FAILED ? go_on_after(run, err) : end;
}

static enum run_end run_steps(struct run *run, const struct plan_row *row,
			      const struct job_file *job, struct error *err)
{
	const struct profile_ladder *ladder = &row->row->ladder;
	enum run_end end = RUN_FINE;
	unsigned repeat, i;

	for (repeat = 1; repeat <= run->options->repeat; repeat++)
		for (i = 0; i < ladder->count && end == RUN_FINE; i++)
			end = take_step(run, row, job, &ladder->steps[i], repeat, err);
	return end;
}

enum run_end ladder_run(struct run *run, const struct plan_row *row, struct error *err)
{
	struct job_file job;
	enum run_end end;

	if (row_job_read(row->row, &job, err))
		return RUN_FAILED;
	end = run_steps(run, row, &job, err);
	job_file_free(&job);
	return end;
}
