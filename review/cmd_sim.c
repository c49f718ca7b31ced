/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview sim`: make a simulated drive, look at it, erase it, list the models. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "engines/sim/sim.h"
#include "review/review.h"

struct sim_options {
	const char *output;
	unsigned scale, seed;
	struct option_list events;
};

static const struct option_spec new_specs[] = {
	{"-o", OPTION_TEXT, offsetof(struct sim_options, output), "FILE", "the state file to make"},
	{"--scale", OPTION_COUNT, offsetof(struct sim_options, scale), "N",
	 "1/N of the capacity, caches and policy times"},
	{"--seed", OPTION_COUNT, offsetof(struct sim_options, seed), "N",
	 "of its random numbers (1)"},
	{"--event", OPTION_LIST, offsetof(struct sim_options, events), "TEXT",
	 "such as stall:at_s=5,duration_ms=1000; may stand several times"},
};

static int parse_events(const struct option_list *list, struct sim_event *events, struct error *err)
{
	unsigned i;

	for (i = 0; i < list->count; i++)
		if (sim_event_parse(list->items[i], &events[i], err))
			return -1;
	return 0;
}

static int sim_new(const char *model, const struct sim_options *options, struct error *err)
{
	struct sim_event events[SIM_MAX_EVENTS];
	struct sim_model *known;
	struct sim_info made;
	char text[NUMBER_ROOM];

	if (!options->output) {
		error_set(err, "name the state file to make: -o FILE");
		return EXIT_USAGE;
	}
	if (parse_events(&options->events, events, err) || sim_model_load(model, &known, err))
		return EXIT_USAGE;
	sim_model_free(known);
	if (sim_drive_create(options->output, model, options->scale, options->seed, events,
			     options->events.count, err) ||
	    sim_drive_info(options->output, &made, err))
		return EXIT_FAILED;
	printf("%s: a simulated %s, %s\n", options->output, made.drive,
	       number_bytes((double)made.capacity_bytes, text));
	return EXIT_FINE;
}

static int print_status(const char *path, struct error *err)
{
	struct sim_drive *drive;
	struct sim_status status;
	char text[NUMBER_ROOM];

	if (sim_drive_open(path, &drive, err))
		return EXIT_FAILED;
	sim_drive_status(drive, &status);
	printf("Lived       %s\n", number_duration((double)status.drive_time_ns / 1e9, text));
	printf("Written     %s\n", number_bytes((double)status.host_written_bytes, text));
	printf("Filled      %.1f %%\n", status.fill_share * 100);
	printf("SLC         %s", number_bytes((double)status.slc_used_bytes, text));
	printf(" of %s\n", number_bytes((double)status.slc_size_bytes, text));
	printf("WAF         %.2f (write amplification, now)\n", status.waf);
	sim_drive_close(drive);
	return EXIT_FINE;
}

static void print_events(const struct sim_info *info)
{
	char text[160];
	unsigned i;

	for (i = 0; i < info->event_count; i++) {
		sim_event_text(&info->events[i], text, sizeof(text));
		printf("%s%s\n", i ? "            " : "Events      ", text);
	}
}

static int sim_show(const char *path, struct error *err)
{
	struct sim_info info;
	char text[NUMBER_ROOM];

	if (sim_drive_info(path, &info, err))
		return EXIT_FAILED;
	printf("Drive       %s (simulated)\n", info.drive);
	printf("Model       %s, scale 1/%u, seed %llu\n", info.model, info.scale,
	       (unsigned long long)info.seed);
	printf("Size        %s\n", number_bytes((double)info.capacity_bytes, text));
	print_events(&info);
	return print_status(path, err);
}

/* A drive under review is not erased between two of its points. */
static int sim_purge(const char *path, struct error *err)
{
	int held = sim_drive_hold(path, err), failed;

	if (held < 0)
		return EXIT_FAILED;
	failed = sim_drive_purge(path, err);
	close(held);
	if (failed)
		return EXIT_FAILED;
	printf("%s is purged: nothing is mapped, its caches are empty.\n", path);
	return EXIT_FINE;
}

static int sim_models(struct error *err)
{
	char **words, text[NUMBER_ROOM];
	size_t count, i;

	if (sim_model_list(&words, &count, err))
		return EXIT_FAILED;
	for (i = 0; i < count; i++) {
		struct sim_model *model;
		struct sim_info info;

		if (!sim_model_load(words[i], &model, err)) {
			sim_model_info(model, 1, &info);
			printf("%-16s %s, %s\n", words[i], info.drive,
			       number_bytes((double)info.capacity_bytes, text));
			sim_model_free(model);
		}
		free(words[i]);
	}
	free(words);
	return EXIT_FINE;
}

static int unknown_sim_command(const char *word, struct error *err)
{
	static const char *const words[] = {"new", "info", "models", "purge"};

	error_unknown(err, "command of sim", word, words, COUNT(words));
	return EXIT_USAGE;
}

static int sim_command(const char *word, const char *argument, const struct sim_options *options,
		       struct error *err)
{
	bool takes_argument =
		!strcmp(word, "new") || !strcmp(word, "info") || !strcmp(word, "purge");

	if (!strcmp(word, "models"))
		return sim_models(err);
	if (!takes_argument)
		return unknown_sim_command(word, err);
	if (!argument) {
		error_set(err, "sim %s needs %s", word, *word == 'n' ? "a MODEL" : "a FILE");
		return EXIT_USAGE;
	}
	if (!strcmp(word, "new"))
		return sim_new(argument, options, err);
	if (model_word_refuse(argument, err))
		return EXIT_USAGE;
	if (!strcmp(word, "info"))
		return sim_show(argument, err);
	return sim_purge(argument, err);
}

static void print_help(void)
{
	printf("Usage: ssdreview sim new MODEL -o FILE [OPTION...]   make a simulated drive\n"
	       "       ssdreview sim info FILE                       say what it is and holds\n"
	       "       ssdreview sim purge FILE                      erase it\n"
	       "       ssdreview sim models                          list the models\n\n");
	options_print(new_specs, COUNT(new_specs), stdout);
	printf("\nFILE is then a target for fio (filename=) and for ssdreview run.\n");
}

int cmd_sim(int argc, char **argv)
{
	struct sim_options options = {.scale = 1, .seed = 1};
	const char *words[2] = {NULL, NULL};
	struct error err;
	bool help = false;
	int code = EXIT_USAGE;

	if (!options_parse(argc, argv, new_specs, COUNT(new_specs), &options, words, 2, &help,
			   &err)) {
		if (help || !words[0]) {
			print_help();
			return help ? EXIT_FINE : EXIT_USAGE;
		}
		code = sim_command(words[0], words[1], &options, &err);
	}
	return code == EXIT_FINE ? code : complain(&err, code);
}
