/* SPDX-License-Identifier: GPL-2.0-only */
/* The one run of a row that is no curve, and what its engine says of it. */
#include <string.h>

#include "base/number.h"
#include "engines/qlc/qlc.h"
#include "postprocess/postprocess.h"
#include "review/review.h"

/* ---- the probe it goes by ------------------------------------------------------------------- */

/*
 * The statistics of the probe a row goes by: in[] is where it lies, seen[] what its job file calls
 * it. That of this review, which may be moved as a whole; else of an earlier one of the drive.
 * False: there is none.
 */
static bool find_probe(const struct run *run, const struct profile_row *row, char in[PATH_MAX],
		       char seen[PATH_MAX])
{
	bool is_own = row->cache_from[0] && plan_find_row(&run->plan, row->cache_from);

	path_format(in, "%s", run->plan.cache.stats);
	path_format(seen, "%s", in);
	if (is_own) {
		path_format(in, "%s/%s/%s.stats.json", run->folder, row->cache_from, ONCE_POINT);
		path_format(seen, "../%s/%s.stats.json", row->cache_from, ONCE_POINT);
	}
	return is_own || (row->cache_from[0] && in[0]);
}

/* -1: the row cannot be run, for a sentence in err: there is nothing to go by. */
static int check_probe(const struct profile_row *row, const char *path, struct error *err)
{
	struct qlc_probe probe;

	if (!qlc_read_probe(path, &probe, NULL))
		return 0;
	if (probe.is_spoilt)
		return error_set(err, "not run: a busy machine spoilt the row %s, twice",
				 row->cache_from);
	return error_set(err, "not run: the row %s found no cliff to go by", row->cache_from);
}

/* Do other rows go by what this one finds? Then it matters whether the machine spoilt it. */
static bool is_gone_by(const struct run *run, const char *row)
{
	unsigned i;

	for (i = 0; i < run->plan.row_count; i++)
		if (!strcmp(run->plan.rows[i].row->cache_from, row))
			return true;
	return false;
}

static bool is_spoilt(const struct run *run, const struct job_point *point)
{
	struct qlc_probe probe;
	char path[PATH_MAX];

	path_format(path, "%s/%s/%s.stats.json", run->folder, point->row, point->point);
	return qlc_read_probe(path, &probe, NULL) && probe.is_spoilt;
}

/* ---- what is said of it --------------------------------------------------------------------- */

/* The engine's own sentences; "" when it has none. The JSON tree is to be kept while it is used. */
static const char *qlc_text(const json_t *stats, const char *key)
{
	const char *text = json_string_value(json_object_get(json_object_get(stats, "qlc"), key));

	return text ? text : "";
}

static double written_bytes(const json_t *stats)
{
	const json_t *steps = json_object_get(json_object_get(stats, "qlc"), "steps"), *step;
	double bytes = 0;
	size_t i;

	json_array_foreach(steps, i, step)
	{
		const char *what = json_string_value(json_object_get(step, "step"));

		if (what && strcmp(what, "trim") && strcmp(what, "idle"))
			bytes += json_number_value(json_object_get(step, "bytes"));
	}
	return bytes;
}

static void say_once(struct run *run, const struct job_point *point, const struct point *result)
{
	char path[PATH_MAX], stem[32], text[128], bytes[NUMBER_ROOM], time[NUMBER_ROOM];
	json_t *stats;

	point_stem(point->point, point->repeat, stem, sizeof(stem));
	path_format(path, "%s/%s/%s.stats.json", run->folder, point->row, stem);
	stats = json_load_file(path, 0, NULL);
	if (json_object_get(stats, "qlc")) {
		snprintf(text, sizeof(text), "%s written in %s%s%s",
			 number_bytes(written_bytes(stats), bytes),
			 number_duration(result->runtime_s, time), result->brief[0] ? ", " : "",
			 result->brief);
		progress_end_step(&run->progress, text);
		fprintf(run->progress.out, "  %s%s%s\n", qlc_text(stats, "verdict"),
			*qlc_text(stats, "caveat") ? " " : "", qlc_text(stats, "caveat"));
	} else {
		outcome_text(result, text, sizeof(text));
		progress_end_step(&run->progress, text);
	}
	fflush(run->progress.out);
	json_decref(stats);
}

/* ---- the run -------------------------------------------------------------------------------- */

/* A drive without a cliff is no failure: the row is kept with the reason, and the review goes on.
 */
static enum run_end leave_out(struct run *run, const struct job_point *point, struct error *err)
{
	struct error reason = *err;

	fprintf(run->progress.out, "%s: %s\n", point->row, reason.text);
	return index_add_point(&run->index,
			       &(struct index_point){.row = point->row,
						     .name = point->point,
						     .repeat = point->repeat,
						     .clones = 1,
						     .failed = reason.text},
			       err)
		       ? RUN_FAILED
		       : RUN_FINE;
}

static enum run_end measure_once(struct run *run, const struct plan_row *row,
				 const struct job_point *point, struct error *err)
{
	struct job_point own = *point;
	struct job_file job;
	struct point result;
	enum run_end end;

	if (once_job_read(&run->plan, row->row, &job, err))
		return RUN_FAILED;
	own.section = job_file_section(&job);
	end = measure_point(run, &job, &own, &result, err);
	job_file_free(&job);
	if (end == RUN_FINE)
		say_once(run, &own, &result);
	return end;
}

static enum run_end take_once(struct run *run, const struct plan_row *row,
			      const struct job_point *point, struct error *err)
{
	enum run_end end = prepare_once(run, row->row, err);

	return end == RUN_FINE ? measure_once(run, row, point, err) : end;
}

/* What other rows go by is taken once more when the machine spoilt it: the first of the repeats. */
static enum run_end take_again(struct run *run, const struct plan_row *row,
			       const struct job_point *point, struct error *err)
{
	if (point->repeat != 1 || !is_gone_by(run, point->row) || !is_spoilt(run, point))
		return RUN_FINE;
	fprintf(run->progress.out,
		"%s: the CPU was the limit, not the drive, and other rows go by it: once more.\n",
		point->row);
	index_drop_row(&run->index, point->row);
	return index_save(&run->index, err) ? RUN_FAILED : take_once(run, row, point, err);
}

enum run_end once_run(struct run *run, const struct plan_row *row, unsigned repeat,
		      struct error *err)
{
	struct job_point point = {.point = ONCE_POINT, .repeat = repeat};
	char probe[PATH_MAX], seen[PATH_MAX];
	enum run_end end;

	point_defaults(run, &point);
	point.row = row->row->name;
	point.jobs = 1;
	point.in_flight = row->in_flight;
	point.once_s = row->once_s;
	if (index_has_point(&run->index, point.row, point.point, repeat))
		return RUN_FINE;
	if (find_probe(run, row->row, probe, seen)) {
		point.cache_from = seen;
		if (check_probe(row->row, probe, err))
			return leave_out(run, &point, err);
	}
	end = take_once(run, row, &point, err);
	return end == RUN_FINE ? take_again(run, row, &point, err) : end;
}
