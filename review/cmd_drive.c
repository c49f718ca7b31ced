/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview drive DEV`: one page about a drive. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/drive.h"
#include "engines/core/guard.h"
#include "engines/sim/sim.h"
#include "review/review.h"

struct drive_options {
	bool json;
};

static const struct option_spec specs[] = {
	{"--json", OPTION_FLAG, offsetof(struct drive_options, json), NULL,
	 "the same as JSON, for programs"},
};

/* The guard's reason without the name before it, which the page has; NULL: it may be tested. */
static const char *ask_guard(const char *path, struct error *why)
{
	static const char before[] = " cannot be a target: ";
	const char *reason;
	int held;

	if (!sim_is_state_file(path)) {
		if (!guard_check(path, why))
			return NULL;
		reason = strstr(why->text, before);
		return reason ? reason + strlen(before) : why->text;
	}
	held = sim_drive_hold(path, why);
	if (held < 0)
		return why->text;
	close(held);
	return NULL;
}

static int show(const char *path, const struct drive_options *options, struct error *err)
{
	struct error why;
	json_t *facts = drive_facts(path, ask_guard(path, &why), err);

	if (!facts)
		return EXIT_FAILED;
	if (options->json) {
		json_dumpf(facts, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
		putchar('\n');
	} else {
		drive_print(facts, stdout);
		drive_print_left_to_root(facts, stdout);
	}
	json_decref(facts);
	return EXIT_FINE;
}

static void print_help(void)
{
	printf("Usage: ssdreview drive DEVICE [OPTION...]\n\n"
	       "One page about a drive: what it is, how it is and what it can. DEVICE is a block\n"
	       "device, the character device of an NVMe namespace (/dev/ng0n1), a file, or the\n"
	       "state file of a simulated drive. Nothing is written. Any user may ask; the last\n"
	       "line says what root would see in addition.\n\n");
	options_print(specs, COUNT(specs), stdout);
}

int cmd_drive(int argc, char **argv)
{
	struct drive_options options = {.json = false};
	const char *words[1] = {NULL};
	struct error err;
	bool help = false;
	int code = EXIT_USAGE;

	if (options_parse(argc, argv, specs, COUNT(specs), &options, words, 1, &help, &err))
		return complain(&err, EXIT_USAGE);
	if (help) {
		print_help();
		return EXIT_FINE;
	}
	if (!words[0])
		error_set(&err, "name a drive: ssdreview drive /dev/nvme1n1");
	else
		code = show(words[0], &options, &err);
	return code == EXIT_FINE ? code : complain(&err, code);
}
