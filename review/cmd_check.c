/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview check TARGET`: may it be used, and why not? Nothing is written. */
#include <stdio.h>

#include "engines/core/guard.h"
#include "engines/sim/sim.h"
#include "review/review.h"

static int check_state_file(const char *path, struct error *err)
{
	struct sim_info info;

	if (sim_drive_info(path, &info, err))
		return complain(err, EXIT_FAILED);
	printf("%s may be used: a simulated %s.\n", path, info.drive);
	return EXIT_FINE;
}

int cmd_check(int argc, char **argv)
{
	const char *words[1] = {NULL};
	struct error err;
	bool help = false;

	if (options_parse(argc, argv, NULL, 0, NULL, words, 1, &help, &err))
		return complain(&err, EXIT_USAGE);
	if (help) {
		printf("Usage: ssdreview check TARGET\n\n"
		       "Says whether a device, a file or a simulated drive may be tested, and why "
		       "not.\n"
		       "Exit code 0: it may. Nothing is written.\n");
		return EXIT_FINE;
	}
	if (!words[0] || !*words[0])
		return complain(
			(error_set(&err, "name a target: ssdreview check /dev/nvme1n1"), &err),
			EXIT_USAGE);
	if (sim_is_state_file(words[0]))
		return check_state_file(words[0], &err);
	if (guard_check(words[0], &err))
		return complain(&err, EXIT_FAILED);
	printf("%s may be used.\n", words[0]);
	return EXIT_FINE;
}
