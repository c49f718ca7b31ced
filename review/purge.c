/* SPDX-License-Identifier: GPL-2.0-only */
/* Purging a target, for the command and for a review: one way for both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "engines/sim/sim.h"
#include "review/purge.h"

/* ---- what it came to ------------------------------------------------------------------------- */

static void say_done(const struct purge_result *result, struct purge_done *done)
{
	char time[NUMBER_ROOM];

	snprintf(done->text, sizeof(done->text), "%s by %s in %s; %s",
		 result->was_running ? "waited for, purged" : "purged", done->word,
		 number_duration(result->seconds, time), result->check.text);
}

static void say_stopped(const struct purge_result *result, struct purge_done *done)
{
	char bytes[NUMBER_ROOM], all[NUMBER_ROOM];

	if (result->method == PURGE_DEALLOCATE)
		snprintf(done->text, sizeof(done->text),
			 "Stopped: %s of %s are trimmed, the rest holds what it held; the same "
			 "command begins again.",
			 number_bytes((double)result->trimmed_bytes, bytes),
			 number_bytes((double)result->before.bytes, all));
	else
		snprintf(done->text, sizeof(done->text),
			 "Stopped looking: the drive goes on with %s by itself; the same command "
			 "finds it and waits for its end.",
			 done->word);
}

static enum run_end conclude(enum purge_end end, const struct target *target,
			     const struct purge_drive *drive, enum purge_method asked,
			     const struct purge_result *result, struct purge_done *done,
			     const struct error *err)
{
	const char *failed = end == PURGE_FAILED ? err->text : NULL;

	snprintf(done->word, sizeof(done->word), "%s", purge_method_word(result->method));
	if (end == PURGE_DONE)
		say_done(result, done);
	if (end == PURGE_STOPPED)
		say_stopped(result, done);
	done->record = purge_record(target, drive, asked, result,
				    end == PURGE_STOPPED ? done->text : failed);
	if (done->refused)
		json_object_set(done->record, "refused", done->refused);
	return end == PURGE_DONE ? RUN_FINE : end == PURGE_STOPPED ? RUN_STOPPED : RUN_FAILED;
}

/* Chooses anew after a refusal; false: it was asked for by name, or there is nothing else. */
static bool take_next(struct purge_drive *drive, struct purge_choice *choice,
		      const struct purge_result *result, struct purge_done *done,
		      const struct error *err)
{
	if (!result->refused || choice->asked != PURGE_AUTO)
		return false;
	if (!done->refused)
		done->refused = json_array();
	json_array_append_new(done->refused,
			      json_pack("{s:s, s:s}", "method", purge_method_word(choice->method),
					"why", err->text));
	drive->can[choice->method] = false;
	return !purge_choose(drive, PURGE_AUTO, choice->all_namespaces, &choice->method, NULL);
}

enum run_end purge_drive_now(struct purge_drive *drive, const struct target *target, int held_fd,
			     struct purge_choice choice, const struct purge_hooks *hooks,
			     struct purge_done *done, struct error *err)
{
	struct purge_result result;
	enum purge_end end;

	do
		end = purge_run(drive, held_fd, choice.method, hooks, &result, err);
	while (end == PURGE_FAILED && take_next(drive, &choice, &result, done, err));
	return conclude(end, target, drive, choice.asked, &result, done, err);
}

void purge_done_free(struct purge_done *done)
{
	json_decref(done->record);
	json_decref(done->refused);
	done->record = done->refused = NULL;
}

enum run_end purge_drive_await(struct purge_drive *drive, const struct target *target,
			       const struct purge_hooks *hooks, struct purge_done *done,
			       struct error *err)
{
	struct purge_result result;
	enum purge_end end = purge_await(drive, hooks, &result, err);

	return conclude(end, target, drive, PURGE_AUTO, &result, done, err);
}

int purge_simulated(const struct target *target, struct purge_done *done, struct error *err)
{
	if (sim_drive_purge(target->path, err))
		return -1;
	snprintf(done->word, sizeof(done->word), PURGE_SIMULATED);
	snprintf(done->text, sizeof(done->text), "purged: nothing is mapped, its caches are empty");
	done->record = purge_record_simulated(target);
	return 0;
}

/* ---- in a review ----------------------------------------------------------------------------- */

void purge_plan_text(const struct target *target, char *text, size_t room)
{
	enum purge_method method, better;
	struct purge_drive drive;
	char others[200];

	snprintf(text, room, "%s", target->kind == TARGET_FILE ? "not purged (a file)" : "purged");
	if (target->kind != TARGET_DEVICE || purge_open(target->path, &drive, NULL))
		return;
	if (purge_choose(&drive, PURGE_AUTO, false, &method, NULL)) {
		snprintf(text, room, "not purged (the device takes no trims)");
	} else {
		better = purge_left_out(&drive, method);
		purge_list_others(&drive, others, sizeof(others));
		snprintf(text, room, "purged (%s%s%s%s%s%s%s)", purge_method_word(method),
			 better ? "; " : "", better ? purge_method_word(better) : "",
			 better ? " would erase " : "", better ? others : "",
			 drive.no_nvme[0] ? "; the drive cannot be asked: " : "",
			 drive.no_nvme_reason);
	}
	purge_close(&drive);
}

static void show_in_run(void *user, const struct purge_progress *progress)
{
	struct run *run = user;

	if (!isnan(progress->share))
		snprintf(run->progress.point, sizeof(run->progress.point), "purge %.0f %%",
			 progress->share * 100);
	progress_tick(&run->progress);
}

static bool wait_in_run(void *user, double seconds)
{
	struct run *run = user;

	stop_wait(&run->stop, seconds);
	return run->stop;
}

static enum run_end purge_device(struct run *run, struct purge_done *done, struct error *err)
{
	const struct purge_hooks hooks = {show_in_run, wait_in_run, run};
	struct purge_choice choice = {.asked = PURGE_AUTO};
	struct purge_drive drive;
	enum run_end end = RUN_FINE;

	if (purge_open(run->target.path, &drive, err))
		return RUN_FAILED;
	if (!purge_choose(&drive, PURGE_AUTO, false, &choice.method, NULL))
		end = purge_drive_now(&drive, &run->target, run->held_fd, choice, &hooks, done,
				      err);
	purge_close(&drive);
	return end;
}

static int keep_record(struct run *run, const char *folder, struct purge_done *done,
		       struct error *err)
{
	char in[PATH_MAX], path[PATH_MAX],
		*text = json_dumps(done->record, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	int failed;

	if (!text)
		return error_set(err, "no memory for purge.json");
	path_format(in, "%s/%s", run->folder, folder);
	path_format(path, "%s/purge.json", in);
	failed = folder_make(in, err) || file_write_atomic(path, text, strlen(text), err);
	free(text);
	return failed;
}

/* A failure is kept with its reason; the reason stays in err. */
static enum run_end keep(struct run *run, const char *folder, enum run_end end,
			 struct purge_done *done, struct error *err)
{
	struct error unheard;

	if (done->record && keep_record(run, folder, done, end == RUN_FAILED ? &unheard : err) &&
	    end == RUN_FINE)
		return RUN_FAILED;
	if (end == RUN_FINE && index_set_purged(&run->index, done->word, err))
		return RUN_FAILED;
	return end;
}

enum run_end purge_in_run(struct run *run, const char *row, const char *folder, struct error *err)
{
	struct purge_done done = {0};
	enum run_end end = RUN_FINE;

	if (run->target.kind == TARGET_FILE)
		return RUN_FINE;
	progress_step(&run->progress, row, "purge", 0);
	if (run->target.kind == TARGET_SIM)
		end = purge_simulated(&run->target, &done, err) ? RUN_FAILED : RUN_FINE;
	else
		end = purge_device(run, &done, err);
	if (!done.word[0] && end == RUN_FINE)
		return RUN_FINE;
	snprintf(run->progress.point, sizeof(run->progress.point), "purge");
	end = keep(run, folder, end, &done, err);
	purge_done_free(&done);
	if (end == RUN_FINE && run->target.kind != TARGET_SIM)
		progress_end_step(&run->progress, done.text);
	if (end == RUN_STOPPED)
		fprintf(run->progress.out, "\n%s\n", done.text);
	if (end == RUN_FAILED)
		error_prefix(err, "%s purge", row);
	return end;
}
