/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview trace gen`. */
#include <stdlib.h>
#include <string.h>

#include "review/cmd_trace.h"

struct gen_options {
	const char *output, *clones, *stagger;
	unsigned desktops, seed;
	bool plain;
};

#define AT(member) offsetof(struct gen_options, member)

static const struct option_spec specs[] = {
	{"-o", OPTION_TEXT, AT(output), "FILE", "the trace to write, such as boot.vdt"},
	{"--clones", OPTION_TEXT, AT(clones), "full|linked",
	 "an image each (full), or one replica and a delta each"},
	{"--desktops", OPTION_COUNT, AT(desktops), "N", "how many (1)"},
	{"--seed", OPTION_COUNT, AT(seed), "N", "of the random numbers (1)"},
	{"--stagger", OPTION_TEXT, AT(stagger), "SECONDS",
	 "mean time between the starts of two desktops; else the workload's"},
	{"--plain", OPTION_FLAG, AT(plain), NULL, "do not pack: larger, a little faster to read"},
};

static void print_help(void)
{
	struct error err;
	char **words;
	size_t i, count;

	printf("Usage: ssdreview trace gen WORKLOAD -o FILE.vdt [OPTION...]\n\n");
	options_print(specs, COUNT(specs), stdout);
	printf("\nWORKLOAD is the path of a .ini file, or one of these words:\n ");
	if (trace_workload_list(&words, &count, &err))
		return;
	for (i = 0; i < count; i++) {
		printf(" %s", words[i]);
		free(words[i]);
	}
	free(words);
	printf("\n");
}

static int gen_parse(const struct gen_options *options, const char *word,
		     struct trace_gen_options *how, struct error *err)
{
	uint64_t stagger_ns;

	if (!word)
		return error_set(err, "name a workload: ssdreview trace gen boot -o boot.vdt");
	if (!options->output)
		return error_set(err, "name the trace to write: -o FILE.vdt");
	if (options->clones && strcmp(options->clones, "full") && strcmp(options->clones, "linked"))
		return error_set(err, "--clones is full or linked, not \"%s\"", options->clones);
	if (options->stagger && seconds_parse(options->stagger, "--stagger", &stagger_ns, err))
		return -1;
	how->workload = word;
	how->linked = options->clones && !strcmp(options->clones, "linked");
	how->desktops = options->desktops;
	how->seed = options->seed;
	how->stagger_s = options->stagger ? (double)stagger_ns / 1e9 : -1;
	how->plain = options->plain;
	how->converter = CONVERTER;
	return 0;
}

int trace_gen_command(int argc, char **argv)
{
	struct gen_options options = {.desktops = 1, .seed = 1};
	struct trace_gen_options how;
	const char *words[1] = {NULL};
	struct error err;
	bool help = false;

	if (options_parse(argc, argv, specs, COUNT(specs), &options, words, 1, &help, &err))
		return complain(&err, EXIT_USAGE);
	if (help) {
		print_help();
		return EXIT_FINE;
	}
	if (gen_parse(&options, words[0], &how, &err))
		return complain(&err, EXIT_USAGE);
	stop_removes_parts(options.output);
	if (trace_generate(&how, options.output, &err) || say_written(options.output, &err))
		return complain(&err, EXIT_FAILED);
	return EXIT_FINE;
}
