/* SPDX-License-Identifier: GPL-2.0-only */
/* What the three commands share: their options, the results they load, how they complain. */
#ifndef SSDREVIEW_COMMAND_H
#define SSDREVIEW_COMMAND_H

#include "postprocess/table.h"

#define EXIT_USAGE 2

enum command { COMMAND_TABLE = 1, COMMAND_CHART = 2, COMMAND_REPORT = 4 };

struct command_options {
	enum table_format format;
	enum sort_by sort;
	const char *row, *out, *title;
	bool published;
	char **paths; /* the RESULT arguments, in argv */
	size_t path_count;
};

/* The results a command works on; all are freed together. */
struct loaded {
	struct result **results; /* the user's, then the published ones */
	size_t count, own;	 /* own: the user's alone */
	bool damaged;		 /* something named could not be read: exit code 1 */
};

/*
 * Reads the options of a command. Returns -1 to go on, else the exit code (--help was printed, or
 * what is wrong was said).
 */
int command_options(enum command command, int argc, char **argv, struct command_options *options);

/* Loads all results; unreadable ones are said and left out. -1 to go on, else the exit code. */
int command_load(const struct command_options *options, struct loaded *loaded);
void loaded_free(struct loaded *loaded);

/* Ranks what was loaded; -1 to go on, else the exit code. */
int command_rank(const struct command_options *options, const struct loaded *loaded,
		 struct ranking **rankings, size_t *count);

#endif
