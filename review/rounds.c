/* SPDX-License-Identifier: GPL-2.0-only */
/* The rounds of a row, one after the other, each kept before the next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "postprocess/postprocess.h"
#include "review/rounds.h"

#define NOTED_PAUSE_S 5 /* shorter ones are fio's own start and end */

static void rounds_path(const struct run *run, const struct plan_row *row, char path[PATH_MAX])
{
	path_format(path, "%s/%s/" ROUNDS_FILE, run->folder, row->row->name);
}

/* ---- one load ------------------------------------------------------------------------------- */

static void make_point(const struct run *run, const struct plan_row *row, unsigned load,
		       unsigned round, char stem[32], struct job_point *point)
{
	const struct plan_load *own = &row->rounds.loads[load];

	if (row->rounds.load_count == 1)
		snprintf(stem, 32, "r%03u", round);
	else
		snprintf(stem, 32, "r%03u-%s", round, own->name);
	point_defaults(run, point);
	point->row = row->row->name;
	point->point = stem;
	point->section = own->name;
	point->repeat = 1;
	point->round = round;
	point->region_bytes = row->region.bytes;
	point->region_files = 1;
	point->in_flight = row->in_flight;
	/* One stream in order: several would read and write the same places. */
	point->sequential = !own->random;
	point->jobs = own->random ? plan_jobs(&run->plan, row) : 1;
	point->sample_s = own->sample_s;
	point->measure_s = own->load_s;
	point->work_s = own->work_s;
	point->idle_s = own->idle_s;
	/* fio idles for the first time after a whole cycle of work. */
	point->wait_s = own->work_s + own->idle_s;
}

static int read_load(const struct run *run, const struct job_point *point, struct round_load *load,
		     struct error *err)
{
	char paths[MAX_CLONES][PATH_MAX];
	const char *list[MAX_CLONES];
	unsigned clones = point_stats_paths(run, point, paths, list);
	struct measures total;
	double shares[ROUND_PERCENTILES];
	size_t i;

	for (i = 0; i < ROUND_PERCENTILES; i++)
		shares[i] = round_percentiles[i].share;
	if (measures_read_samples(list, clones, &load->samples, &load->sample_count, err) ||
	    measures_read_total(list, clones, &total, err) ||
	    measures_read_percentiles(list, clones, load->sample_count, shares, ROUND_PERCENTILES,
				      load->percentiles_ns, err))
		return -1;
	load->written_bytes = total.write.bytes;
	for (i = 0; i < load->sample_count; i++)
		measures_append(&load->measures, &load->samples[i]);
	return load->sample_count ? 0
				  : error_set(err, "%s %s ended before its first sample was whole",
					      point->row, point->point);
}

/* As all that a round leaves is kept; where that fails, it stays as it is. */
static void compress_telemetry(const struct run *run, json_t *watched)
{
	const char *file = json_string_value(json_object_get(watched, "file"));
	char path[PATH_MAX], packed[PATH_MAX];

	if (!file)
		return;
	path_format(path, "%s/%s", run->folder, file);
	path_format(packed, "%s.gz", file);
	if (!file_compress(path, NULL))
		json_object_set_new(watched, "file", json_string(packed));
}

static enum run_end run_load(struct run *run, const struct job_file *job,
			     const struct job_point *point, struct round_load *load,
			     struct error *err)
{
	double planned_s = point->wait_s + point->measure_s + FIO_START_S;
	enum run_end end = run_step(run, job, point, planned_s, planned_s * 2 + 60, err);
	struct point result;

	if (end != RUN_FINE)
		return end;
	point_result(run, point, &result);
	if (result.verdict == POINT_FAILED) {
		error_set(err, "%s", result.reason);
		return RUN_FAILED;
	}
	compress_telemetry(run, run->watched);
	load->telemetry = json_incref(run->watched);
	if (result.by_machine)
		snprintf(load->machine, sizeof(load->machine), "%s", result.reason);
	if (result.verdict == POINT_INVALID)
		snprintf(load->invalid, sizeof(load->invalid), "%s", result.brief);
	return read_load(run, point, load, err) ? RUN_FAILED : RUN_FINE;
}

/* ---- one round ------------------------------------------------------------------------------ */

static void free_round(struct round_result *round)
{
	unsigned i;

	for (i = 0; i < round->count; i++) {
		free(round->loads[i].samples);
		json_decref(round->loads[i].telemetry);
	}
}

static enum run_end take_round(struct run *run, const struct plan_row *row,
			       const struct job_file *job, unsigned number,
			       struct round_result *round, struct error *err)
{
	struct clocks before = run->load_ended.boot_s > 0 ? run->load_ended : clocks_now();
	enum run_end end = RUN_FINE;
	unsigned i;

	round->started = time(NULL);
	round->is_whole = true;
	for (i = 0; i < row->rounds.load_count && end == RUN_FINE; i++) {
		struct job_point point = {0};
		char stem[32];

		if (i)
			run->progress.done_s += run->progress.step_s;
		make_point(run, row, i, number, stem, &point);
		round->count = i + 1;
		end = run_load(run, job, &point, &round->loads[i], err);
		round->is_whole &=
			(double)round->loads[i].sample_count >=
			row->rounds.loads[i].load_s / row->rounds.loads[i].sample_s - 0.5;
	}
	round->gap = clocks_gap(&before, &run->load_ended);
	return end;
}

/* What is in rounds.json is kept compressed. That it cannot be is no reason to stop. */
static void compress_round(const struct run *run, const struct plan_row *row, unsigned number)
{
	unsigned i, clone;

	for (i = 0; i < row->rounds.load_count; i++) {
		char paths[MAX_CLONES][PATH_MAX], json[PATH_MAX], stem[32];
		const char *list[MAX_CLONES];
		struct job_point point = {0};
		unsigned clones;

		make_point(run, row, i, number, stem, &point);
		clones = point_stats_paths(run, &point, paths, list);
		path_format(json, "%s/%s/%s.json", run->folder, row->row->name, stem);
		file_compress(json, NULL);
		for (clone = 0; clone < clones; clone++)
			file_compress(list[clone], NULL);
	}
}

/* "invalid: CPU 97 %", "2 of 56 loads invalid: CPU 97 %", or how near to steady it is. */
static void round_words(const json_t *root, const struct plan_row *row,
			const struct round_result *round, char *text, size_t room)
{
	const char *why = NULL;
	unsigned i, invalid = 0;

	for (i = 0; i < round->count; i++) {
		if (!round->loads[i].invalid[0])
			continue;
		why = why ? why : round->loads[i].invalid;
		invalid++;
	}
	text[0] = '\0';
	if (!invalid) {
		rounds_words(root, row, text, room);
		return;
	}
	if (round->count > 1)
		text_append(text, room, "%u of %u loads ", invalid, round->count);
	text_append(text, room, "invalid: %s, %.2f fills", why, rounds_fills(root));
}

static void say_round(struct run *run, const json_t *root, const struct plan_row *row,
		      const struct round_result *round)
{
	const struct round_load *load = &round->loads[row->rounds.tracked[0]];
	char text[160], words[96], iops[NUMBER_ROOM], latency[NUMBER_ROOM];

	snprintf(run->progress.point, sizeof(run->progress.point), "r%03u", rounds_taken(root));
	round_words(root, row, round, words, sizeof(words));
	snprintf(text, sizeof(text), OUTCOME_COLUMNS,
		 number_count(measures_value(&load->measures, "iops"), iops), "max",
		 number_us(measures_value(&load->measures, "mean") / 1000, latency), words);
	progress_end_step(&run->progress, text);
}

/* Adds a round to what is kept. True in *finished when it was the last one. */
static int keep_round(struct run *run, const struct plan_row *row, const struct round_result *round,
		      bool *finished, struct error *err)
{
	char path[PATH_MAX];
	json_t *root;
	int failed;

	rounds_path(run, row, path);
	if (rounds_load(path, &root, err))
		return -1;
	rounds_add(root, row, round, run->target.scale);
	rounds_judge(root, row);
	failed = rounds_save(path, root, err);
	say_round(run, root, row, round);
	*finished = rounds_are_finished(root);
	if (*finished)
		fprintf(run->progress.out, "  %s\n",
			json_string_value(
				json_object_get(json_object_get(root, "steady"), "text")));
	json_decref(root);
	return failed;
}

static enum run_end run_round(struct run *run, const struct plan_row *row,
			      const struct job_file *job, unsigned number, bool *finished,
			      struct error *err)
{
	struct round_result *round = calloc(1, sizeof(*round));
	enum run_end end;

	if (!round) {
		error_set(err, "no memory for a round");
		return RUN_FAILED;
	}
	end = take_round(run, row, job, number, round, err);
	if (end == RUN_FAILED)
		error_prefix(err, "%s round %u", row->row->name, number);
	if (end == RUN_FINE && keep_round(run, row, round, finished, err))
		end = RUN_FAILED;
	if (end == RUN_FINE)
		compress_round(run, row, number);
	free_round(round);
	free(round);
	return end;
}

/* ---- the beginning -------------------------------------------------------------------------- */

/* Filled, and nothing kept of rounds before. */
static enum run_end begin_anew(struct run *run, const struct plan_row *row, struct error *err)
{
	char path[PATH_MAX], folder[PATH_MAX];
	json_t *fill = json_null(), *root;
	enum run_end end = RUN_FINE;

	rounds_path(run, row, path);
	path_format(folder, "%s/%s", run->folder, row->row->name);
	unlink(path);
	if (row->row->ladder.after[0])
		end = be_conditioned(run, row, err);
	if (end != RUN_FINE)
		return end;
	if (index_set_conditioned(&run->index, NULL, err))
		return RUN_FAILED;
	if (row->rounds.fill_bytes || row->row->purge)
		end = prepare(run, row->row->name, row->rounds.fill_bytes, row->row->fill_passes,
			      &fill, err);
	if (end != RUN_FINE)
		return end;
	root = rounds_new(run, row, fill);
	if (folder_make(folder, err) || rounds_save(path, root, err))
		end = RUN_FAILED;
	json_decref(root);
	return end;
}

static enum run_end begin_again(struct run *run, const struct plan_row *row, double pause_s,
				struct error *err)
{
	char pause[NUMBER_ROOM];

	fprintf(run->progress.out, "%s was interrupted for %s; it begins again%s.\n",
		row->row->name,
		pause_s >= 0 ? number_duration(pause_s, pause) : "a time that is not known",
		row->rounds.fill_bytes ? " from its fill" : "");
	index_add_restart(&run->index, row->row->name);
	return begin_anew(run, row, err);
}

static int note_pause(struct run *run, const struct plan_row *row, json_t *root, double pause_s,
		      struct error *err)
{
	char path[PATH_MAX], text[160], pause[NUMBER_ROOM];

	if (pause_s <= NOTED_PAUSE_S || !rounds_taken(root))
		return 0;
	snprintf(text, sizeof(text),
		 "Preconditioning was interrupted for %s after round %u; the rounds before it are "
		 "not judged together with those after it.",
		 number_duration(pause_s, pause), rounds_taken(root));
	fprintf(run->progress.out, "%s: %s\n", row->row->name, text);
	rounds_add_gap(root, pause_s, "interrupted", text);
	rounds_path(run, row, path);
	return rounds_save(path, root, err);
}

/* Goes on where it was cut, if the drive did not rest too long. */
static enum run_end begin(struct run *run, const struct plan_row *row, unsigned *taken,
			  bool *finished, struct error *err)
{
	double pause_s = run_pause_s(run);
	enum run_end end = RUN_FINE;
	char path[PATH_MAX];
	json_t *root = NULL;

	rounds_path(run, row, path);
	if (access(path, F_OK))
		return begin_anew(run, row, err);
	if (rounds_load(path, &root, err))
		return RUN_FAILED;
	*taken = rounds_taken(root);
	*finished = rounds_are_finished(root);
	if (!*finished && (run_pause_is_long(run) || row->row->rounds.is_sequence)) {
		*taken = 0;
		end = begin_again(run, row, pause_s, err);
	} else if (!*finished && note_pause(run, row, root, pause_s, err)) {
		end = RUN_FAILED;
	}
	json_decref(root);
	return end;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* failed: NULL, or the reason. */
static int keep_row(struct run *run, const struct plan_row *row, const char *failed,
		    struct error *err)
{
	return index_add_point(&run->index,
			       &(struct index_point){.row = row->row->name,
						     .name = "rounds",
						     .repeat = 1,
						     .failed = failed,
						     .has_no_output = true},
			       err);
}

static enum run_end fail_row(struct run *run, const struct plan_row *row, struct error *err)
{
	struct error reason = *err;

	keep_row(run, row, reason.text, err);
	*err = reason;
	return RUN_FAILED;
}

/* The estimate is replaced by what it took. */
static void settle_time(struct run *run, const struct plan_row *row, double done_before_s)
{
	run->progress.total_s += run->progress.done_s - done_before_s - row->rounds.estimate_s;
}

static enum run_end run_to_the_end(struct run *run, const struct plan_row *row,
				   const struct job_file *job, struct error *err)
{
	double done_s = run->progress.done_s;
	bool finished = false;
	unsigned taken = 0;
	enum run_end end = begin(run, row, &taken, &finished, err);

	while (end == RUN_FINE && !finished)
		end = run_round(run, row, job, ++taken, &finished, err);
	if (end == RUN_FAILED)
		return fail_row(run, row, err);
	if (end != RUN_FINE)
		return end;
	settle_time(run, row, done_s);
	if (index_set_conditioned(&run->index, row->row->name, err) ||
	    keep_row(run, row, NULL, err))
		return RUN_FAILED;
	return RUN_FINE;
}

enum run_end rounds_run(struct run *run, const struct plan_row *row, struct error *err)
{
	struct job_file job;
	enum run_end end;

	if (row_job_read(row->row, &job, err))
		return RUN_FAILED;
	end = run_to_the_end(run, row, &job, err);
	job_file_free(&job);
	return end;
}

enum run_end rounds_run_again(struct run *run, const struct plan_row *row, struct error *err)
{
	char path[PATH_MAX];

	rounds_path(run, row, path);
	unlink(path);
	index_drop_row(&run->index, row->row->name);
	index_add_restart(&run->index, row->row->name);
	run->progress.total_s += row->rounds.estimate_s;
	return rounds_run(run, row, err);
}
