/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview purge DEV`: brings a drive back to what it was before anything was written to it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "engines/core/guard.h"
#include "review/purge.h"

struct purge_options {
	const char *target, *destroy, *method;
	bool all_namespaces, json;
};

#define AT(member) offsetof(struct purge_options, member)

static const struct option_spec specs[] = {
	{"--destroy", OPTION_TEXT, AT(destroy), "SERIAL",
	 "allow erasing the drive with this serial number"},
	{"--method", OPTION_TEXT, AT(method), "METHOD", "one of those below (auto)"},
	{"--all-namespaces", OPTION_FLAG, AT(all_namespaces), NULL,
	 "also a method that erases the other namespaces of the drive"},
	{"--json", OPTION_FLAG, AT(json), NULL,
	 "what was done, as JSON; words go to standard error"},
};

/* One purge from its options to its end. */
struct purging {
	struct purge_options options;
	struct purge_choice choice;
	struct target target;
	struct purge_drive drive;
	int held[PURGE_MOST_OTHERS + 1]; /* the target, then the others that are erased with it */
	unsigned held_count;
	FILE *out; /* for words */
};

/* ---- what will be done ----------------------------------------------------------------------- */

static void print_others(const struct purging *purging, const char *names)
{
	const struct purge_drive *drive = &purging->drive;
	struct target other = {.kind = TARGET_DEVICE};
	unsigned i;

	fprintf(purging->out, "Also        erases %s\n", names);
	for (i = 0; i < drive->other_count; i++) {
		snprintf(other.path, sizeof(other.path), "/dev/%s", drive->others[i].name);
		if (drive->others[i].name[0])
			print_what_is_lost(&other, purging->out);
	}
}

static void print_method(const struct purging *purging)
{
	const struct purge_drive *drive = &purging->drive;
	enum purge_method left_out = purge_left_out(drive, purging->choice.method);
	double estimate_s = drive->estimate_s[purging->choice.method];
	char text[400], time[NUMBER_ROOM];
	FILE *out = purging->out;

	purge_list_methods(drive, text, sizeof(text));
	fprintf(out, "Supports    %s\n", text);
	if (drive->no_nvme[0])
		fprintf(out, "            %s\n", drive->no_nvme);
	fprintf(out, "Method      %s: %s\n", purge_method_word(purging->choice.method),
		purge_method_meaning(purging->choice.method));
	purge_list_others(drive, text, sizeof(text));
	if (drive->hits_others[purging->choice.method])
		print_others(purging, text);
	else if (left_out && purging->choice.asked == PURGE_AUTO)
		fprintf(out, "            (%s would erase %s too: --all-namespaces)\n",
			purge_method_word(left_out), text);
	if (!isnan(estimate_s))
		fprintf(out, "Time        about %s, says the drive\n",
			number_duration(estimate_s, time));
	if (!drive->is_nvme && !drive->is_file && !purging->target.is_loop)
		fprintf(out, "Note        ATA secure erase is not done: the drive is trimmed\n");
	fflush(out);
}

/* ---- holding --------------------------------------------------------------------------------- */

static int hold_one(struct purging *purging, const char *path, struct error *err)
{
	int fd = guard_hold_erase(path, err);

	if (fd < 0)
		return -1;
	purging->held[purging->held_count++] = fd;
	return 0;
}

/* Whatever is erased with it must be as free as the target itself. */
static int hold_all(struct purging *purging, struct error *err)
{
	const struct purge_drive *drive = &purging->drive;
	char path[sizeof("/dev/") + NVME_NAME_BYTES];
	unsigned i;

	if (hold_one(purging, purging->target.path, err))
		return -1;
	for (i = 0; drive->hits_others[purging->choice.method] && i < drive->other_count; i++) {
		snprintf(path, sizeof(path), "/dev/%s", drive->others[i].name);
		if (drive->others[i].name[0] && hold_one(purging, path, err))
			return error_prefix(err, "%s would be erased too", path);
	}
	return 0;
}

static void let_go(struct purging *purging)
{
	while (purging->held_count) {
		int fd = purging->held[--purging->held_count];

		/* Of the others too the kernel remembers partitions that are gone. */
		if (purging->held_count)
			purge_forget(fd);
		close(fd);
	}
}

/* ---- doing it -------------------------------------------------------------------------------- */

static int print_record(const struct purging *purging, struct purge_done *done, int code,
			struct error *err)
{
	if (purging->options.json && done->record &&
	    (json_dumpf(done->record, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) ||
	     printf("\n") < 0))
		code = complain(
			(error_set(err, "the output cannot be written: %s", strerror(errno)), err),
			EXIT_FAILED);
	purge_done_free(done);
	return code;
}

static void print_refused(const struct purge_done *done, FILE *out)
{
	const json_t *refused;
	size_t i;

	json_array_foreach(done->refused, i, refused) fprintf(
		out, "Not done    %s: %s\n", json_string_value(json_object_get(refused, "method")),
		json_string_value(json_object_get(refused, "why")));
}

static int say_end(struct purging *purging, enum run_end end, struct purge_done *done,
		   struct error *err)
{
	int code = end == RUN_FINE ? EXIT_FINE : EXIT_FAILED;

	print_refused(done, purging->out);
	if (end == RUN_FAILED)
		complain(err, EXIT_FAILED);
	else if (end == RUN_STOPPED)
		fprintf(purging->out, "%s\n", done->text);
	else
		fprintf(purging->out, "%s is %s.\n", purging->target.path, done->text);
	return print_record(purging, done, code, err);
}

static int purge_device(struct purging *purging, struct error *err)
{
	struct purge_done done = {0};
	struct purge_hooks hooks;
	struct purge_show show;
	enum run_end end;

	if (hold_all(purging, err))
		return complain(err, EXIT_FAILED);
	purge_show_begin(&show, purging->out, &hooks);
	end = purge_drive_now(&purging->drive, &purging->target, purging->held[0], purging->choice,
			      &hooks, &done, err);
	purge_show_end(&show);
	return say_end(purging, end, &done, err);
}

static int purge_opened(struct purging *purging, struct error *err)
{
	const struct purge_options *options = &purging->options;
	int refused, code;

	if (purge_choose(&purging->drive, purging->choice.asked, options->all_namespaces,
			 &purging->choice.method, err))
		return complain(err, EXIT_FAILED);
	refused =
		target_allow_writing(&purging->target, options->destroy, false, purging->out, err);
	print_method(purging);
	code = refused ? complain(err, EXIT_USAGE) : purge_device(purging, err);
	let_go(purging);
	return code;
}

static int purge_sim(struct purging *purging, struct error *err)
{
	struct purge_done done = {0};
	int held;

	if (purging->choice.asked != PURGE_AUTO) {
		error_set(err, "--method is for drives; %s is a simulated one",
			  purging->target.path);
		return complain(err, EXIT_USAGE);
	}
	if (target_check_word(&purging->target, purging->options.destroy, err))
		return complain(err, EXIT_USAGE);
	held = target_hold(&purging->target, err);
	if (held < 0)
		return complain(err, EXIT_FAILED);
	if (purge_simulated(&purging->target, &done, err)) {
		close(held);
		return complain(err, EXIT_FAILED);
	}
	close(held);
	return say_end(purging, RUN_FINE, &done, err);
}

/* ---- a sanitize that runs already ------------------------------------------------------------ */

/*
 * What runs was begun by somebody who was allowed to: waiting for it needs no word, but one that is
 * wrong means another drive.
 */
static int await_sanitize(struct purging *purging, const struct sanitize_status *status,
			  struct error *err)
{
	struct purge_done done = {0};
	struct target *target = &purging->target;
	struct purge_hooks hooks;
	struct purge_show show;
	enum run_end end;

	if (target_find_device(purging->drive.path, target, err))
		return complain(err, EXIT_FAILED);
	if (target_check_word(target, purging->options.destroy, err))
		return complain(err, EXIT_USAGE);
	fprintf(purging->out, "A %s runs in %s already, %.1f %% are done; its end is awaited.\n",
		purge_method_word(status->method), purging->drive.path, status->share * 100);
	purge_show_begin(&show, purging->out, &hooks);
	end = purge_drive_await(&purging->drive, target, &hooks, &done, err);
	purge_show_end(&show);
	return say_end(purging, end, &done, err);
}

/* ---- which target ---------------------------------------------------------------------------- */

/* Sets *is_device; a device is opened. Nothing on it is read: that may be what a sanitize forbids.
 */
static int open_first(struct purging *purging, bool *is_device, struct error *err)
{
	char path[PATH_MAX];
	struct stat status;

	if (!realpath(purging->options.target, path))
		return error_set(err, "%s: %s", purging->options.target, strerror(errno));
	*is_device = !stat(path, &status) && S_ISBLK(status.st_mode);
	return *is_device ? purge_open(path, &purging->drive, err) : 0;
}

static int purge_found(struct purging *purging, bool is_open, struct error *err)
{
	const struct run_options asked = {
		.target = purging->options.target, .scale = 1, .erases = true};
	int code = target_find(&asked, "", &purging->target, err);

	if (code)
		return complain(err, code == EXIT_USAGE ? EXIT_USAGE : EXIT_FAILED);
	if (purging->target.kind == TARGET_SIM)
		return purge_sim(purging, err);
	if (!is_open && purge_open(purging->target.path, &purging->drive, err))
		return complain(err, EXIT_FAILED);
	return purge_opened(purging, err);
}

static int purge_target(struct purging *purging, struct error *err)
{
	struct sanitize_status status;
	bool is_device = false;
	int code;

	if (model_word_refuse(purging->options.target, err))
		return complain(err, EXIT_USAGE);
	if (open_first(purging, &is_device, err))
		return complain(err, EXIT_FAILED);
	if (is_device && purge_is_sanitizing(&purging->drive, &status))
		code = await_sanitize(purging, &status, err);
	else
		code = purge_found(purging, is_device, err);
	purge_close(&purging->drive);
	return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

static void print_help(void)
{
	unsigned i;

	printf("Usage: ssdreview purge TARGET --destroy SERIAL [OPTION...]\n\n"
	       "Erases a drive, so that what is written next is written as to a new one, and "
	       "reads back\n"
	       "to see that the old data is gone. TARGET is a block device, a file or the state "
	       "file of a\n"
	       "simulated drive, which is emptied at once. Without --destroy it says what would be "
	       "done, and\n"
	       "ends with exit code 2: nothing is erased.\n\n");
	options_print(specs, COUNT(specs), stdout);
	printf("\nMethods:\n");
	for (i = 0; i < PURGE_METHODS; i++)
		printf("  %-26s %s\n", purge_method_word((enum purge_method)i),
		       purge_method_meaning((enum purge_method)i));
	printf("\nDrives that are no NVMe drives are trimmed; ATA secure erase is not done. A "
	       "sanitize goes on\n"
	       "in the drive when this command ends: the same command finds it and waits.\n");
}

int cmd_purge(int argc, char **argv)
{
	struct purging purging = {.out = stdout};
	const char *words[1] = {NULL};
	bool help = false;
	struct error err;

	if (options_parse(argc, argv, specs, COUNT(specs), &purging.options, words, 1, &help, &err))
		return complain(&err, EXIT_USAGE);
	if (help) {
		print_help();
		return EXIT_FINE;
	}
	if (!words[0]) {
		error_set(&err, "name a drive: ssdreview purge /dev/nvme1n1");
		return complain(&err, EXIT_USAGE);
	}
	purging.options.target = words[0];
	if (purging.options.method &&
	    purge_method_parse(purging.options.method, &purging.choice.asked, &err))
		return complain(&err, EXIT_USAGE);
	if (purging.options.json)
		purging.out = stderr;
	return purge_target(&purging, &err);
}
