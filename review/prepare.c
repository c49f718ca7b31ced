/* SPDX-License-Identifier: GPL-2.0-only */
/* What comes between points: purging, filling, resting. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "engines/sim/sim.h"
#include "postprocess/postprocess.h"
#include "review/purge.h"

/* Slower, and fio is taken to hang. */
#define SLOWEST_FILL_BYTES_PER_S 25e6

/* The name of a file beside the job file of a row. */
static void beside(const struct profile_row *row, const char *name, char path[PATH_MAX])
{
	const char *slash = strrchr(row->jobfile, '/');

	path_format(path, "%.*s%s", slash ? (int)(slash + 1 - row->jobfile) : 0, row->jobfile,
		    name);
}

/* fill.fio beside the job files of the rows, else the one of the corners. */
static int read_fill_job(const struct run *run, struct job_file *job, struct error *err)
{
	char path[PATH_MAX];

	beside(run->plan.rows[0].row, "fill.fio", path);
	if (access(path, R_OK) &&
	    shipped_path(NULL, "jobfiles/corners/fill.fio",
			 SSDREVIEW_DATADIR "/jobfiles/corners/fill.fio", path, sizeof(path), err))
		return -1;
	return job_file_read(path, job, err);
}

/* fio says it is done: its output must say so too, and what else counts. */
static int check_fill(const struct run *run, const char *folder_word, uint64_t bytes,
		      const struct fill_count *before, json_t **report, struct error *err)
{
	char json[PATH_MAX];
	struct point result;

	path_format(json, "%s/%s/fill.json", run->folder, folder_word);
	point_read(json, NULL, 0, "fill", NAN, &result);
	if (result.verdict == POINT_FAILED)
		return error_set(err, "the fill failed: %s", result.reason);
	return fill_check(&run->target, json, (double)bytes, before,
			  fill_smart_bytes(&run->target, run->watched), report, err);
}

static enum run_end run_fill(struct run *run, const char *folder_word, uint64_t bytes,
			     struct error *err)
{
	struct job_point point = {.row = folder_word, .point = "fill", .repeat = 1};
	struct job_file job;
	enum run_end end;

	point_defaults(run, &point);
	point.sequential = true;
	point.region_files = 1;
	point.region_bytes = bytes;
	if (read_fill_job(run, &job, err))
		return RUN_FAILED;
	end = run_step(run, &job, &point, (double)bytes / ASSUMED_BYTES_PER_S + FIO_START_S,
		       (double)bytes / SLOWEST_FILL_BYTES_PER_S + 60, err);
	job_file_free(&job);
	return end;
}

static void say_filled(struct run *run, bool whole)
{
	double smart_bytes = fill_smart_bytes(&run->target, run->watched);
	char text[96], number[NUMBER_ROOM];

	snprintf(text, sizeof(text), "the %s is written", whole ? "whole drive" : "region");
	if (!isnan(smart_bytes))
		text_append(text, sizeof(text), ", %s by SMART", number_bytes(smart_bytes, number));
	progress_end_step(&run->progress, text);
}

static enum run_end fill(struct run *run, const char *folder_word, uint64_t bytes, json_t **report,
			 struct error *err)
{
	bool whole = run->target.kind != TARGET_FILE && bytes == run->target.bytes / MIB * MIB;
	struct fill_count before = fill_count_now(&run->target);
	enum run_end end = run_fill(run, folder_word, bytes, err);

	if (end == RUN_FINE && check_fill(run, folder_word, bytes, &before, report, err))
		end = RUN_FAILED;
	if (end == RUN_FINE)
		say_filled(run, whole);
	return end;
}

/* The report is that of the last pass. */
enum run_end prepare(struct run *run, const char *folder_word, uint64_t fill_bytes, unsigned passes,
		     json_t **report, struct error *err)
{
	bool is_first = !strcmp(folder_word, FILL_FOLDER);
	enum run_end end = RUN_FINE;
	json_t *of_pass = NULL;
	unsigned pass;

	if (run->plan.purges)
		end = purge_in_run(run, folder_word, is_first ? "" : folder_word, err);
	for (pass = 0; end == RUN_FINE && fill_bytes && pass < passes; pass++) {
		json_decref(of_pass);
		of_pass = NULL;
		end = fill(run, folder_word, fill_bytes, &of_pass, err);
	}
	if (of_pass)
		json_object_set_new(of_pass, "passes", json_integer(passes));
	if (report && of_pass)
		*report = json_incref(of_pass);
	json_decref(of_pass);
	return end;
}

enum run_end refill(struct run *run, const struct plan_row *row, struct error *err)
{
	return fill(run, row->row->name, run->plan.region_bytes, NULL, err);
}

enum run_end prepare_once(struct run *run, const struct profile_row *row, struct error *err)
{
	enum run_end end = RUN_FINE;

	if (run->plan.purges)
		end = purge_in_run(run, row->name, row->name, err);
	return end == RUN_FINE ? rest(run, row->name, "idle", run->plan.idle_s) : end;
}

/* Time in which nobody is attached does not exist for a simulated drive: stay attached. */
enum run_end rest(struct run *run, const char *row, const char *word, double seconds)
{
	uint64_t end_ns = monotonic_ns() + (uint64_t)(seconds * 1e9), now;
	struct sim_drive *drive = NULL;

	if (seconds <= 0)
		return RUN_FINE;
	if (run->target.kind == TARGET_SIM && sim_drive_open(run->target.path, &drive, NULL))
		drive = NULL;
	progress_step(&run->progress, row, word, seconds);
	while (!run->stop && (now = monotonic_ns()) < end_ns) {
		double left = (double)(end_ns - now) / 1e9;

		stop_wait(&run->stop, left < 0.5 ? left : 0.5);
		progress_tick(&run->progress);
	}
	run->progress.done_s += seconds;
	if (drive)
		sim_drive_close(drive);
	return run->stop ? RUN_STOPPED : RUN_FINE;
}
