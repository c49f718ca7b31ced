/* SPDX-License-Identifier: GPL-2.0-only */
/* What the three commands share: their options, the results they load, how they complain. */
#ifndef SSDREVIEW_COMMAND_H
#define SSDREVIEW_COMMAND_H

#include "postprocess/cache.h"
#include "postprocess/capacity.h"
#include "postprocess/enterprise.h"

enum command { COMMAND_TABLE = 1, COMMAND_CHART = 2, COMMAND_REPORT = 4 };

struct command_options {
	enum table_format format;
	enum sort_by sort;
	const char *format_word, *sort_word, *row, *out, *title;
	bool published, over_time;
	const char **paths; /* the RESULT arguments */
	unsigned path_count;
};

/* The results a command works on; all are freed together. */
struct loaded {
	struct result **results; /* the user's, then the published ones */
	size_t count, own;	 /* own: the user's alone */
	/* What those that searched carry. */
	struct capacity_ranking *capacities;
	size_t capacity_count;
	struct cache_list caches;     /* of those that ran on the SLC cache */
	struct enterprise enterprise; /* of those with rounds and ladders */
	bool damaged;		      /* something named could not be read: exit code 1 */
};

/*
 * Loads what the paths name; statistics files are taken off the paths, but for those of runs on the
 * SLC cache. -1 when there is something to show, else an exit code.
 */
int load_all(struct command_options *options, struct loaded *loaded);
void loaded_free(struct loaded *loaded);

/* Charts over time of what is ranked, or of statistics files alone; the exit code. */
int over_time_of_rankings(const struct command_options *options, const struct loaded *loaded,
			  const struct ranking *rankings, size_t count);
int over_time_of_statistics(const struct command_options *options);

/* Whether all paths are statistics files; of runs on the SLC cache only with --over-time. */
bool are_statistics(const struct command_options *options);

/* What a command does with results that are loaded and ranked; returns its exit code. */
typedef int command_work(const struct command_options *options, const struct loaded *loaded,
			 const struct ranking *rankings, size_t count);

/*
 * A command from its arguments to its exit code: options (or --help), results, ranking, work. What
 * is wrong is said on the way; a result that cannot be read does not keep the others from being
 * shown, but makes the exit code 1.
 */
int command_run(enum command command, int argc, char **argv, command_work *work);

#endif
