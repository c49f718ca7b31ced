/* SPDX-License-Identifier: GPL-2.0-only */
/* One word chooses a command from a table. */
#include <stdio.h>
#include <string.h>

#include "review/review.h"

#define MOST_COMMANDS 32

void commands_print(const char *name, const struct command *commands, size_t count, FILE *out)
{
	size_t i;

	fprintf(out, "Usage: %s COMMAND ...\n\n", name);
	for (i = 0; i < count; i++)
		fprintf(out, "  %-9s %s\n", commands[i].word, commands[i].help);
	fprintf(out, "\n%s COMMAND --help says more about one command.\n", name);
}

static int unknown_command(const char *word, const struct command *commands, size_t count)
{
	const char *words[MOST_COMMANDS];
	struct error err;
	size_t i;

	for (i = 0; i < count && i < MOST_COMMANDS; i++)
		words[i] = commands[i].word;
	error_unknown(&err, "command", word, words, i);
	return complain(&err, EXIT_USAGE);
}

int commands_run(const char *name, const struct command *commands, size_t count, int argc,
		 char **argv)
{
	size_t i;

	if (argc < 2) {
		commands_print(name, commands, count, stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		commands_print(name, commands, count, stdout);
		return EXIT_FINE;
	}
	for (i = 0; i < count; i++)
		if (!strcmp(commands[i].word, argv[1]))
			return commands[i].run(argc - 1, argv + 1);
	return unknown_command(argv[1], commands, count);
}
