/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview drive DEV`: one page about a drive. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "device/drive.h"
#include "device/facts.h"
#include "engines/core/guard.h"
#include "engines/sim/sim.h"
#include "engines/trace/trace.h"
#include "postprocess/specification.h"
#include "review/review.h"

#define FIGURE_COLUMNS 32 /* of the longest row's title */

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
		if (!guard_check(path, why) && !trace_is_file(path))
			return NULL;
		if (trace_is_file(path))
			return "it is a trace, which would be written over";
		reason = strstr(why->text, before);
		return reason ? reason + strlen(before) : why->text;
	}
	held = sim_drive_hold(path, why);
	if (held < 0)
		return why->text;
	close(held);
	return NULL;
}

/* ---- beside it: what its maker says, and what reviews found --------------------------------- */

/* So far, in bytes; NAN when not known. A simulated drive is a small part of the one it stands for.
 */
static double written_bytes(const json_t *facts)
{
	const json_t *smart = json_object_get(json_object_get(facts, "nvme"), "smart");
	double scale = fact_value(facts, "scale");

	if (!isnan(scale))
		return fact_value(facts, "host_written_bytes") * scale;
	return fact_value(smart, "host_written_bytes");
}

/* "740 TBW" is worth more beside what was written. */
static void append_written(const json_t *facts, const json_t *figure, char *text, size_t room)
{
	double rated = fact_value(figure, "value") * 1e12, written = written_bytes(facts);
	char bytes[NUMBER_ROOM], share[NUMBER_ROOM];

	if (strcmp(fact_words(figure, "figure"), "tbw") || isnan(written))
		return;
	text_append(text, room, "; %s written so far: %s", number_bytes(written, bytes),
		    number_percent(written / rated, share));
}

static void print_figures(const char *heading, const json_t *facts, const json_t *list)
{
	char title[128], text[512];
	size_t at = 0, first;

	if (!json_array_size(list))
		return;
	printf("\n%s\n", heading);
	while (at < json_array_size(list)) {
		first = at;
		at = specification_text(list, first, title, sizeof(title), text, sizeof(text));
		append_written(facts, json_array_get(list, first), text, sizeof(text));
		drive_print_entry(title, FIGURE_COLUMNS, text, stdout);
	}
}

/* "Rated for the Intel 670p 2TB (Intel 670p review)" */
static void print_list(const char *how, const json_t *facts, const char *key)
{
	const json_t *specification = json_object_get(facts, "specification");
	const json_t *list = json_object_get(specification, key);
	char heading[256];

	snprintf(heading, sizeof(heading), "%s for the %s (%s)", how,
		 fact_words(specification, "drive"), fact_words(json_array_get(list, 0), "source"));
	print_figures(heading, facts, list);
}

/* A simulated drive stands for one of full size. */
static void add_specification(json_t *facts)
{
	double scale = fact_value(facts, "scale"), bytes = fact_value(facts, "disk_bytes");
	json_t *found;
	struct error err;

	if (!isnan(scale))
		bytes = fact_value(facts, "size_bytes") * scale;
	found = specification_find(NULL, fact_words(facts, "model"), bytes, &err);
	if (found)
		json_object_set_new(facts, "specification", found);
	else
		fact_missing(facts, "specification", err.text);
}

static int show(const char *path, const struct drive_options *options, struct error *err)
{
	struct error why;
	json_t *facts = drive_facts(path, ask_guard(path, &why), err);

	if (!facts)
		return EXIT_FAILED;
	add_specification(facts);
	if (options->json) {
		json_dumpf(facts, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
		putchar('\n');
	} else {
		drive_print(facts, stdout);
		print_list("Rated", facts, "rated");
		print_list("Published", facts, "published");
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
	else if (!model_word_refuse(words[0], &err))
		code = show(words[0], &options, &err);
	return code == EXIT_FINE ? code : complain(&err, code);
}
