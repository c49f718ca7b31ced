/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview check TARGET`: may it be used, and why not? What is it, and what would be lost? */
#include <stdio.h>
#include <unistd.h>

#include "base/number.h"
#include "engines/sim/sim.h"
#include "review/review.h"

/* A drive under review, or attached by anybody, is in use. */
static int check_state_file(const char *path, struct error *err)
{
	int held = sim_drive_hold(path, err);

	if (held < 0)
		return -1;
	close(held);
	return 0;
}

static int check_existing(const struct target *target, struct error *err)
{
	char size[NUMBER_ROOM];

	if (target->kind == TARGET_SIM && target->exists && check_state_file(target->path, err))
		return EXIT_FAILED;
	if (target->kind == TARGET_SIM)
		printf("%s may be used: a simulated %s%s.\n",
		       target->exists ? target->path : target->sim_model, target->model,
		       target->exists ? "" : ", still to be made");
	else
		printf("%s may be used: %s, %s.\n", target->path,
		       target->is_loop		       ? "a loop device, which is a file"
		       : target->kind == TARGET_DEVICE ? "a block device"
						       : "a file",
		       number_bytes((double)target->bytes, size));
	if (target->kind == TARGET_DEVICE)
		target_print_device(target, stdout);
	return EXIT_FINE;
}

static int check_target(const char *word, struct error *err)
{
	/* A file that is still to be made needs a size, which does not matter here. */
	struct run_options options = {
		.target = word, .size_bytes = access(word, F_OK) ? 1 : 0, .scale = 1};
	struct target target;
	int code = target_find(&options, "", &target, err);

	if (code)
		return code == EXIT_USAGE ? EXIT_USAGE : EXIT_FAILED;
	if (target.kind != TARGET_FILE || target.exists)
		return check_existing(&target, err);
	printf("%s may be used: a file, still to be made.\n", word);
	return EXIT_FINE;
}

int cmd_check(int argc, char **argv)
{
	const char *words[1] = {NULL};
	struct error err;
	bool help = false;
	int code = EXIT_USAGE;

	if (options_parse(argc, argv, NULL, 0, NULL, words, 1, &help, &err))
		return complain(&err, EXIT_USAGE);
	if (help) {
		printf("Usage: ssdreview check TARGET\n\n"
		       "Says whether a device, a file or a simulated drive may be tested, and why "
		       "not; of a\n"
		       "device also what it is, what would be lost, and what allows writing over "
		       "it.\n"
		       "Exit code 0: it may. Nothing is written.\n");
		return EXIT_FINE;
	}
	if (!words[0])
		error_set(&err, "name a target: ssdreview check /dev/nvme1n1");
	else
		code = check_target(words[0], &err);
	return code == EXIT_FINE ? code : complain(&err, code);
}
