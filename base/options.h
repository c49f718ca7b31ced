/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line: a table of options a command, read by one loop that names the nearest word. */
#ifndef SSDREVIEW_OPTIONS_H
#define SSDREVIEW_OPTIONS_H

#include <stdio.h>

#include "base/base.h"

enum option_kind { OPTION_TEXT, OPTION_FLAG, OPTION_COUNT, OPTION_SIZE, OPTION_LIST };

/* An option that may stand several times. */
struct option_list {
	const char *items[16];
	unsigned count;
};

/*
 * One option of a command: where its value goes (const char *, bool, unsigned, uint64_t or struct
 * option_list).
 */
struct option_spec {
	const char *name; /* "--target", or "-o, --out" for both */
	enum option_kind kind;
	size_t offset; /* in the struct given to options_parse() */
	const char *value, *help;
};

/*
 * Reads "--name value", "--name=value" and up to `words_wanted` plain words (argv[0] is skipped).
 * The words stand in words[], "--help" sets *help. An unknown option is named with the nearest one;
 * an empty word is refused, for it names nothing. What follows "--" are words.
 */
int options_parse(int argc, char **argv, const struct option_spec *specs, size_t count,
		  void *values, const char **words, unsigned words_wanted, bool *help,
		  struct error *err);
/*
 * The same for a command with any number of words, used of them; free() the array. NULL with err.
 */
const char **options_parse_words(int argc, char **argv, const struct option_spec *specs,
				 size_t count, void *values, unsigned *used, bool *help,
				 struct error *err);
/* A line an option. */
void options_print(const struct option_spec *specs, size_t count, FILE *out);

/* "20G", "1.5 TB", "4096": K, M, G, T are powers of 1024, as fio has them; KB ... TB of 1000. */
int size_parse(const char *text, uint64_t *bytes, struct error *err);

#endif
