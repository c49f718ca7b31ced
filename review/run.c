/* SPDX-License-Identifier: GPL-2.0-only */
/* The loop: every point of every row, one after the other, each kept before the next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postprocess/postprocess.h"
#include "review/review.h"

#define ONCE_TAKES_LONGER 20 /* than thought: a drive may be far slower than was assumed */

/* ---- pauses --------------------------------------------------------------------------------- */

double run_pause_s(const struct run *run)
{
	if (run->load_ended.boot_s > 0)
		return clocks_now().boot_s - run->load_ended.boot_s;
	return run->index.rested_s;
}

bool run_pause_is_long(const struct run *run)
{
	double pause_s = run_pause_s(run);

	return !(pause_s >= 0 && pause_s <= run->profile.longest_pause_s);
}

/* ---- one step ------------------------------------------------------------------------------- */

void point_defaults(const struct run *run, struct job_point *point)
{
	point->engine = run->engine;
	point->target = run->target.path;
	point->simulated = run->target.kind == TARGET_SIM;
	point->jobs = run->options->jobs;
	point->region_files = run->profile.region_files;
	point->region_bytes = run->plan.region_bytes;
}

static int write_job(const char *folder, const char *stem, const struct job_file *job,
		     const struct job_point *point, struct error *err)
{
	char path[PATH_MAX], *text;
	int failed;

	path_format(path, "%s/%s.fio", folder, stem);
	if (folder_make(folder, err) || job_text(job, point, &text, err))
		return -1;
	failed = file_write_atomic(path, text, strlen(text), err);
	free(text);
	return failed;
}

static void step_folder(const struct run *run, const char *row, char folder[PATH_MAX])
{
	path_format(folder, "%s/%s", run->folder, row);
}

enum run_end run_step(struct run *run, const struct job_file *job, const struct job_point *point,
		      double planned_s, double limit_s, struct error *err)
{
	char folder[PATH_MAX], stem[32];
	struct fio_step step = {.fio = run->fio, .folder = folder, .stem = stem};
	struct clocks before;
	enum run_end end;

	if (target_check(&run->target, err))
		return RUN_FAILED;
	run->pause_s = run_pause_s(run);
	before = clocks_now();
	step_folder(run, point->row, folder);
	point_stem(point->point, point->repeat, stem, sizeof(stem));
	point_files_remove(folder, stem);
	if (write_job(folder, stem, job, point, err))
		return RUN_FAILED;
	progress_step(&run->progress, point->row, stem, planned_s);
	step.limit_s = limit_s;
	step.stop = &run->stop;
	step.tick = watch_tick;
	step.user = run;
	watch_begin(run);
	end = fio_run(&step, err);
	run->load_ended = clocks_now();
	run->slept_s = clocks_gap(&before, &run->load_ended).suspended_s;
	watch_end(run, point->row, stem);
	if (end == RUN_STOPPED)
		point_files_remove(folder, stem);
	if (end == RUN_FAILED && !target_check(&run->target, err)) /* else that is the reason */
		watch_explain(run, err);
	return end;
}

/* ---- one point ------------------------------------------------------------------------------ */

unsigned point_stats_paths(const struct run *run, const struct job_point *point,
			   char paths[][PATH_MAX], const char **list)
{
	unsigned clones = job_point_clones(point), clone;
	char stem[32], name[64];

	point_stem(point->point, point->repeat, stem, sizeof(stem));
	for (clone = 0; clone < clones; clone++) {
		point_stats_name(stem, clone + 1, clones, name, sizeof(name));
		path_format(paths[clone], "%s/%s/%s", run->folder, point->row, name);
		list[clone] = paths[clone];
	}
	return clones;
}

void point_result(const struct run *run, const struct job_point *point, struct point *result)
{
	char json[PATH_MAX], stem[32], paths[MAX_CLONES][PATH_MAX];
	const char *stats[MAX_CLONES];
	unsigned clones = point_stats_paths(run, point, paths, stats);

	point_stem(point->point, point->repeat, stem, sizeof(stem));
	path_format(json, "%s/%s/%s.json", run->folder, point->row, stem);
	point_read(json, stats, clones, point->label ? "max" : point->point, NAN, result);
	point_take_telemetry(run->watched, result);
}

/* What the index says of it beside what it says of every point. */
static json_t *point_more(const struct run *run, const struct job_point *point, const char *failed)
{
	json_t *more = step_describe(run, point, failed);

	if (!more)
		more = json_object();
	json_object_set(more, "telemetry", run->watched ? run->watched : json_null());
	return more;
}

static int keep_point(struct run *run, const struct job_point *point, const char *failed,
		      struct error *err)
{
	unsigned rested = run->rested_min;

	run->rested_min = 0;
	return index_add_point(
		&run->index,
		&(struct index_point){.row = point->row,
				      .name = point->label ? point->label : point->point,
				      .files = point->point,
				      .repeat = point->repeat,
				      .clones = job_point_clones(point),
				      .rested_min = rested,
				      .failed = failed,
				      .more = point_more(run, point, failed)},
		err);
}

/* A failed point is kept with its reason; the reason stays in err. */
static enum run_end fail_point(struct run *run, const struct job_point *point, struct error *err)
{
	struct error reason = *err;

	progress_end_step(&run->progress, "failed");
	if (!keep_point(run, point, reason.text, err))
		*err = reason;
	error_prefix(err, "%s %s", point->row, point->point);
	return RUN_FAILED;
}

/* A machine that slept measured its own sleep, and left the drive without power. */
static int check_awake(struct run *run, struct error *err)
{
	if (run->slept_s <= 0)
		return 0;
	index_set_conditioned(&run->index, NULL, NULL);
	return error_set(err, "the machine slept for %.0f s while it was measured", run->slept_s);
}

enum run_end measure_point(struct run *run, const struct job_file *job,
			   const struct job_point *point, struct point *result, struct error *err)
{
	double planned_s = point->wait_s + point->measure_s + point->once_s + FIO_START_S;
	double limit_s =
		point->once_s > 0 ? planned_s * ONCE_TAKES_LONGER + 3600 : planned_s * 2 + 60;
	enum run_end end = run_step(run, job, point, planned_s, limit_s, err);

	if (end == RUN_STOPPED)
		return end;
	if (end == RUN_FAILED || check_awake(run, err))
		return fail_point(run, point, err);
	point_result(run, point, result);
	if (result->verdict == POINT_FAILED) {
		error_set(err, "%s", result->reason);
		return fail_point(run, point, err);
	}
	return keep_point(run, point, NULL, err) ? RUN_FAILED : RUN_FINE;
}

enum run_end run_point(struct run *run, const struct job_file *job, const struct job_point *point,
		       struct error *err)
{
	struct point result;
	enum run_end end = measure_point(run, job, point, &result, err);
	char text[128];

	if (end != RUN_FINE)
		return end;
	outcome_text(&result, text, sizeof(text));
	progress_end_step(&run->progress, text);
	return RUN_FINE;
}

/* ---- one row -------------------------------------------------------------------------------- */

static bool row_is_done(const struct run *run, const struct plan_row *row)
{
	if (run->profile.searches)
		return search_is_done(run, row);
	return index_row_points(&run->index, row->row->name) == plan_row_points(&run->plan, row);
}

static void row_point(const struct run *run, const struct plan_row *row, unsigned step,
		      struct job_point *point)
{
	point_defaults(run, point);
	point->row = row->row->name;
	point->percent = step ? run->profile.steps_percent[step - 1] : 0;
	point->sequential = row->sequential;
	if (row->replays)
		point->jobs = 1;
	point->in_flight = row->in_flight;
	point->wait_s = run->plan.wait_s;
	point->measure_s = run->plan.measure_s;
}

static enum run_end run_curve(struct run *run, const struct plan_row *row,
			      const struct job_file *job, unsigned repeat, struct error *err)
{
	enum run_end end = RUN_FINE;
	unsigned step;

	for (step = 0; step <= run->profile.step_count && end == RUN_FINE; step++) {
		struct job_point point = {.repeat = repeat};
		char name[8];

		plan_point_name(&run->plan, step, name);
		point.point = name;
		row_point(run, row, step, &point);
		if (index_has_point(&run->index, point.row, name, repeat))
			continue;
		end = run_point(run, job, &point, err);
		if (end == RUN_FINE)
			end = rest(run, point.row, "cool", run->plan.cooldown_s);
	}
	return end;
}

static bool row_was_begun(const struct run *run, const struct profile_row *row)
{
	char path[PATH_MAX];

	path_format(path, "%s/%s/%s.fio", run->folder, row->name,
		    row->steps == STEPS_ONCE ? ONCE_POINT : "max");
	return index_row_points(&run->index, row->name) || !access(path, F_OK);
}

/*
 * A write row changes the drive as it goes: cut in the middle, it cannot simply go on. A search
 * plays the same trace into the same places every time, and can. A row that is run once begins with
 * its preparation anyway.
 */
static enum run_end restart_cut_row(struct run *run, const struct plan_row *row, struct error *err)
{
	const char *name = row->row->name;
	bool refill;

	if (run->profile.searches || !row->writes || !run->index.resumed ||
	    !row_was_begun(run, row->row))
		return RUN_FINE;
	refill = run->plan.fills && row->row->steps != STEPS_ONCE;
	fprintf(run->progress.out, "%s was cut; it starts again%s.\n", name,
		refill ? " from its fill" : "");
	index_drop_row(&run->index, name);
	if (index_save(&run->index, err))
		return RUN_FAILED;
	return refill ? prepare(run, name, run->plan.region_bytes, 1, NULL, err) : RUN_FINE;
}

/* A row that is run once, as often as was asked. */
static enum run_end run_repeats(struct run *run, const struct plan_row *row, struct error *err)
{
	enum run_end end = RUN_FINE;
	unsigned repeat;

	for (repeat = 1; repeat <= run->options->repeat && end == RUN_FINE; repeat++)
		end = once_run(run, row, repeat, err);
	return end;
}

int row_job_read(const struct profile_row *row, struct job_file *job, struct error *err)
{
	if (job_file_read(row->jobfile, job, err))
		return -1;
	if (!row->mix[0] || !job_file_set(job, "mix", row->mix, err))
		return 0;
	job_file_free(job);
	return -1;
}

static enum run_end run_curves(struct run *run, const struct plan_row *row, struct error *err)
{
	struct job_file job;
	enum run_end end = RUN_FINE;
	unsigned repeat;

	if (row_job_read(row->row, &job, err))
		return RUN_FAILED;
	if (run->profile.searches)
		end = run_search(run, row, &job, err);
	for (repeat = 1;
	     !run->profile.searches && repeat <= run->options->repeat && end == RUN_FINE; repeat++)
		end = run_curve(run, row, &job, repeat, err);
	job_file_free(&job);
	return end;
}

static enum run_end run_row(struct run *run, const struct plan_row *row, struct error *err)
{
	enum run_end end;

	if (row->row->steps == STEPS_ROUNDS)
		return rounds_run(run, row, err);
	if (row->row->steps == STEPS_LADDER)
		return ladder_run(run, row, err);
	if (index_set_conditioned(&run->index, NULL, err))
		return RUN_FAILED;
	end = restart_cut_row(run, row, err);
	if (end != RUN_FINE)
		return end;
	return row->row->steps == STEPS_ONCE ? run_repeats(run, row, err)
					     : run_curves(run, row, err);
}

/* ---- all rows ------------------------------------------------------------------------------- */

static uint64_t first_fill_bytes(const struct run *run)
{
	if (!run->plan.fills)
		return 0;
	return run->profile.fill == FILL_WHOLE ? run->target.bytes / MIB * MIB
					       : run->plan.region_bytes;
}

static enum run_end fill_once(struct run *run, struct error *err)
{
	json_t *fill = json_null();
	enum run_end end;

	if (!run->plan.prepares || plan_runs_once(&run->plan) || index_is_filled(&run->index))
		return RUN_FINE;
	end = prepare(run, FILL_FOLDER, first_fill_bytes(run), 1, &fill, err);
	json_object_set_new(run->index.root, "fill", fill);
	if (end == RUN_FINE && index_set_filled(&run->index, true, err))
		end = RUN_FAILED;
	return end;
}

enum run_end run_rows(struct run *run, struct error *err)
{
	enum run_end end = fill_once(run, err);
	unsigned i;
	bool first = true;

	for (i = 0; i < run->plan.row_count && end == RUN_FINE; i++) {
		const struct plan_row *row = &run->plan.rows[i];

		if (row_is_done(run, row))
			continue;
		if (plan_refills(&run->plan, row) && !row_was_begun(run, row->row))
			end = refill(run, row, err);
		if (end == RUN_FINE && !first && row->row->steps == STEPS_CURVE)
			end = rest(run, row->row->name, "idle", run->plan.idle_s);
		first = false;
		if (end == RUN_FINE)
			end = run_row(run, row, err);
	}
	if (end == RUN_FINE && run->failed_steps) {
		error_set(err, "%u step%s failed; the others were taken", run->failed_steps,
			  run->failed_steps == 1 ? "" : "s");
		end = RUN_FAILED;
	}
	return end;
}
