/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview run`: reads what is asked, checks that it may be done, and begins or goes on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "review/purge.h"

/* ---- before the first point ----------------------------------------------------------------- */

/* Beside the command in the build folder, else where it is installed. fio runs in other folders. */
static int find_engine(char engine[PATH_MAX], struct error *err)
{
	char path[PATH_MAX];

	if (!shipped_path(NULL, "openloop.so", SSDREVIEW_LIBDIR "/openloop.so", path, sizeof(path),
			  err) &&
	    realpath(path, engine))
		return 0;
	return error_set(err,
			 "the engine openloop.so is neither beside the command nor in %s: build it "
			 "with `make`",
			 SSDREVIEW_LIBDIR);
}

static int write_json(const struct run *run, const char *name, json_t *value, struct error *err)
{
	char path[PATH_MAX], *text = json_dumps(value, JSON_INDENT(1));
	int failed;

	json_decref(value);
	if (!text)
		return error_set(err, "no memory for %s", name);
	path_format(path, "%s/%s", run->folder, name);
	failed = file_write_atomic(path, text, strlen(text), err);
	free(text);
	return failed;
}

/* The drive must be the one, with the data, that the points before were measured on. */
static int check_resumed(const struct run *run, struct error *err)
{
	if (!run->index.resumed || run->target.exists ||
	    !index_row_points(&run->index, run->plan.rows[0].row->name))
		return 0;
	return error_set(err,
			 "%s is gone, and with it the drive of the points measured before; begin "
			 "again with another --name",
			 run->target.path);
}

/* For the whole run; a target still to be made is held as soon as it is there. */
static int hold(struct run *run, struct error *err)
{
	if (run->held_fd < 0 && run->target.exists)
		run->held_fd = target_hold(&run->target, err);
	return run->held_fd < 0 && run->target.exists ? -1 : 0;
}

static void say_going_on(const struct run *run)
{
	printf("Going on with the review in %s", run->folder);
	if (run->index.rested_min)
		printf("; the drive rested %u min", run->index.rested_min);
	printf(".\n");
}

/* The index comes before them: a run that was killed in between has none. */
static bool has_conditions(const struct run *run)
{
	char path[PATH_MAX];

	path_format(path, "%s/host.json", run->folder);
	return !access(path, F_OK);
}

static int set_up(struct run *run, struct error *err)
{
	if (check_resumed(run, err))
		return -1;
	if (run->index.resumed)
		say_going_on(run);
	if (!has_conditions(run) &&
	    (write_json(run, "drive.json", drive_conditions(&run->target), err) ||
	     write_json(run, "host.json", host_conditions(run->fio_version), err)))
		return -1;
	run->rested_min = run->index.rested_min;
	if (!run->target.exists && index_set_filled(&run->index, false, err))
		return -1;
	return target_make(&run->target, err) || hold(run, err);
}

/* ---- from the first point to the last ---- */

/* Time of what is still to do: the plan's, less the points that exist. */
static double seconds_left(const struct run *run)
{
	double left = run->plan.duration_s;
	unsigned i;

	for (i = 0; i < run->plan.row_count; i++)
		left -= plan_point_seconds(&run->plan, &run->plan.rows[i]) *
			index_row_points(&run->index, run->plan.rows[i].row->name);
	return left;
}

static int say_end(struct run *run, enum run_end end, struct error *err)
{
	char quoted[SHELL_WORD_ROOM];

	if (end == RUN_FINE && index_finish(&run->index, err))
		end = RUN_FAILED;
	if (end == RUN_STOPPED)
		printf("\nStopped. What was measured is in %s; the same command again goes on.\n",
		       run->folder);
	if (end == RUN_FAILED)
		complain(err, EXIT_FAILED);
	if (end == RUN_FAILED)
		fprintf(stderr, "What was measured is in %s; the same command again goes on.\n",
			run->folder);
	if (end == RUN_FINE)
		cliff_met_print(&run->plan, run->folder, stdout);
	if (end == RUN_FINE)
		outcome_advise(run->folder, stdout);
	if (end == RUN_FINE)
		printf("Done. The table: ssdreview table %s\n", shell_word(run->folder, quoted));
	return end == RUN_FINE ? EXIT_FINE : EXIT_FAILED;
}

static int run_opened(struct run *run, struct error *err)
{
	enum run_end end = RUN_FAILED;
	char quoted[SHELL_WORD_ROOM];

	if (index_is_finished(&run->index)) {
		printf("This review is finished. The table: ssdreview table %s\n",
		       shell_word(run->folder, quoted));
		return EXIT_FINE;
	}
	stop_begin();
	if (!set_up(run, err)) {
		progress_start(&run->progress, stdout, &run->plan, seconds_left(run));
		end = run_rows(run, err);
	}
	return say_end(run, end, err);
}

static bool was_begun(const struct run *run)
{
	char path[PATH_MAX];

	path_format(path, "%s/review.json", run->folder);
	return !access(path, F_OK);
}

static int check_parts(const struct run *run, struct error *err)
{
	unsigned i;

	for (i = 0; i < run->plan.row_count; i++)
		if (row_check_parts(run->plan.rows[i].row, run->engine, err))
			return -1;
	return 0;
}

/* A word that is wrong names another drive than the one meant, also where nothing is written. */
static int check_word(struct run *run, struct error *err)
{
	const char *destroy = run->options->destroy;

	if (run->options->dry_run && run->plan.writes && run->target.kind == TARGET_DEVICE)
		target_print_device(&run->target, stdout);
	if (run->options->dry_run || !run->plan.writes)
		return target_check_word(&run->target, destroy, err);
	return target_allow_writing(&run->target, destroy, was_begun(run), stdout, err);
}

/* Everything that can refuse the run comes before anything is made or written. */
static int check_all(struct run *run, struct error *err)
{
	if (fio_version(run->fio, run->fio_version, sizeof(run->fio_version), err) ||
	    fio_version_check(run->fio_version, err) || find_engine(run->engine, err) ||
	    check_parts(run, err) || hold(run, err))
		return -1;
	return index_open(&run->index, run->folder, &run->plan, err);
}

static int run_planned(struct run *run, struct error *err)
{
	int code = EXIT_FAILED;

	plan_print(&run->plan, stdout);
	if (check_word(run, err))
		return complain(err, EXIT_USAGE);
	if (run->options->dry_run)
		return EXIT_FINE;
	if (check_all(run, err)) {
		complain(err, code);
	} else {
		code = run_opened(run, err);
		index_close(&run->index);
		watch_close(run);
	}
	if (run->held_fd >= 0)
		close(run->held_fd);
	return code;
}

static int set_folder(struct run *run, struct error *err)
{
	const struct run_options *options = run->options;
	char here[PATH_MAX] = "";
	int length;

	if (options->out[0] != '/' && !getcwd(here, sizeof(here)))
		return error_set(err, "the current folder has no name: %s", strerror(errno));
	length = snprintf(run->folder, sizeof(run->folder), "%s%s%s/%s", here, here[0] ? "/" : "",
			  options->out, options->name);
	return length < (int)sizeof(run->folder) - 128
		       ? 0
		       : error_set(err, "--out %s: the name is too long", options->out);
}

static void print_help(void)
{
	printf("Usage: ssdreview run PROFILE --target TARGET --name NAME [OPTION...]\n\n"
	       "Measures every row of a profile on a drive: the largest rate, then the steps of "
	       "the\n"
	       "curve. Stopped or cut, the same command goes on. PROFILE is one of\n"
	       "  client-qlc    1 %% of the drive     client   5 %%     client-20g   20 GB\n"
	       "  enterprise    the whole drive; then steady state, main tests and a ladder\n"
	       "  snia-pts      SNIA's Performance Test Specification, test by test\n"
	       "  mixed         JESD219 and other mixes, on the whole drive\n"
	       "  vdi           virtual desktops: boot and logins, by trace replay\n"
	       "  vdi-capacity  how many of them at once within a promise (--sla)\n"
	       "  qlc-cache     how large the SLC cache is, how fast inside and past it, what\n"
	       "                brings it back; writes over the whole drive, again and again\n"
	       "or the path of a .profile file. Single applications (jobfiles/apps, such as the\n"
	       "Blackmagic disk speed test) are fio job files to be run with fio itself.\n\n");
	run_options_print(stdout);
	printf("\nFIO=PATH in the environment names another fio.\n");
}

int cmd_run(int argc, char **argv)
{
	struct run_options options;
	struct run run = {.options = &options, .fio = getenv("FIO"), .held_fd = -1};
	struct error err;
	bool help;
	int code;

	if (run_options_parse(argc, argv, &options, &help, &err))
		return complain(&err, EXIT_USAGE);
	if (help) {
		print_help();
		return EXIT_FINE;
	}
	if (!run.fio || !*run.fio)
		run.fio = "fio";
	if (profile_load(options.profile, &run.profile, &err))
		return complain(&err, EXIT_USAGE);
	if (set_folder(&run, &err))
		return complain(&err, EXIT_FAILED);
	if (purge_wait_for_device(options.target, stdout, &err))
		return complain(&err, EXIT_FAILED);
	if ((options.quick && profile_make_quick(&run.profile, &err)) ||
	    (options.fixed_time && profile_fix_time(&run.profile, &err)))
		return complain(&err, EXIT_USAGE);
	code = target_find(&options, run.folder, &run.target, &err);
	if (code)
		return complain(&err, code == EXIT_USAGE ? EXIT_USAGE : EXIT_FAILED);
	if (plan_make(&run.profile, &options, &run.target, &run.plan, &err))
		return complain(&err, EXIT_USAGE);
	return run_planned(&run, &err);
}
