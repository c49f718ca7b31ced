/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of table, chart and report, and the results they name. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "postprocess/command.h"
#include "postprocess/grow.h"

#define AT(member) offsetof(struct command_options, member)
#define ALL	   (COMMAND_TABLE | COMMAND_CHART | COMMAND_REPORT)

static const struct {
	int commands; /* that have it */
	struct option_spec spec;
} option_list[] = {
	{COMMAND_TABLE,
	 {"-f, --format", OPTION_TEXT, AT(format_word), "FORMAT",
	  "term (default), md, csv, json or html"}},
	{COMMAND_CHART | COMMAND_REPORT,
	 {"-o, --out", OPTION_TEXT, AT(out), "FOLDER", "where to write (made if missing)"}},
	{COMMAND_CHART,
	 {"-T, --over-time", OPTION_FLAG, AT(over_time), NULL,
	  "IOPS, response time and lateness over the time of each drive's peak"}},
	{ALL,
	 {"-p, --published", OPTION_FLAG, AT(published), NULL,
	  "add the published figures of the same protocol, marked"}},
	{ALL, {"-r, --row", OPTION_TEXT, AT(row), "ROW", "only this row, such as 4k-randread"}},
	{ALL,
	 {"-s, --sort", OPTION_TEXT, AT(sort_word), "BY",
	  "iops (default): by peak rate; clat or lat: by that latency at the peak"}},
	{COMMAND_REPORT, {"-t, --title", OPTION_TEXT, AT(title), "TITLE", "heading of the page"}},
};

static size_t command_specs(enum command command, struct option_spec *specs)
{
	size_t i, count = 0;

	for (i = 0; i < COUNT(option_list); i++)
		if (option_list[i].commands & (int)command)
			specs[count++] = option_list[i].spec;
	return count;
}

static const struct {
	enum command command;
	const char *word, *what;
} command_list[] = {{COMMAND_TABLE, "table", "Prints ranked tables, one a row and protocol."},
		    {COMMAND_CHART, "chart",
		     "Draws latency over the achieved rate, one chart a row. The .gp and .dat "
		     "files stay beside\n"
		     "the pictures: cd FOLDER && gnuplot ROW.gp draws a chart again. The engines' "
		     "statistics\n"
		     "files as RESULTs are drawn over their time."},
		    {COMMAND_REPORT, "report",
		     "Writes one page, index.html, with tables, charts and conditions."}};

static const char *command_word(enum command command)
{
	size_t i;

	for (i = 0; command_list[i].command != command; i++)
		;
	return command_list[i].word;
}

static void print_help(enum command command, const struct option_spec *specs, size_t count)
{
	size_t i;

	printf("Usage: ssdreview %s RESULT... [OPTION...]\n\n", command_word(command));
	for (i = 0; i < COUNT(command_list); i++)
		if (command_list[i].command == command)
			printf("%s\n\n", command_list[i].what);
	puts("RESULT is the folder of a review, any JSON file of fio, a log of fio (it stands for "
	     "all of its\n"
	     "run), or the statistics of qlc_writer or of a long run; NAME=FILE names the drive of "
	     "such a\n"
	     "file, and files of one NAME are taken together.\n");
	options_print(specs, count, stdout);
}

/* The number of a word, -1 with err. */
static int find_word(const char *what, const char *word, const char *const *words, int count,
		     struct error *err)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp(words[i], word))
			return i;
	return error_unknown(err, what, word, words, (size_t)count);
}

static int take_words(struct command_options *options, struct error *err)
{
	static const char *const formats[] = {"term", "md", "csv", "json", "html"};
	static const char *const sorts[] = {"iops", "clat", "lat"};
	int format = find_word("format", options->format_word, formats, COUNT(formats), err);
	int sort =
		format < 0 ? -1 : find_word("sort", options->sort_word, sorts, COUNT(sorts), err);

	options->format = (enum table_format)format;
	options->sort = (enum sort_by)sort;
	return sort < 0 ? -1 : 0;
}

static int check_complete(enum command command, const struct command_options *options,
			  struct error *err)
{
	if (!options->path_count)
		return error_set(err, "%s wants at least one RESULT; see ssdreview %s --help",
				 command_word(command), command_word(command));
	if (!options->out && command != COMMAND_TABLE)
		return error_set(err, "%s wants -o FOLDER to write to", command_word(command));
	return 0;
}

/* -1 when there is work to do, else the exit code. options->paths is to be freed. */
static int read_options(enum command command, int argc, char **argv,
			struct command_options *options)
{
	struct option_spec specs[COUNT(option_list)];
	size_t count = command_specs(command, specs);
	struct error err;
	bool help;

	*options = (struct command_options){.format_word = "term", .sort_word = "iops"};
	options->paths = options_parse_words(argc, argv, specs, count, options,
					     &options->path_count, &help, &err);
	if (!options->paths)
		return complain(&err, EXIT_USAGE);
	if (help) {
		print_help(command, specs, count);
		return EXIT_FINE;
	}
	if (take_words(options, &err) || check_complete(command, options, &err))
		return complain(&err, EXIT_USAGE);
	return -1;
}

/* The row asked for is in none of the results: name it, and the nearest one that is. */
static int unknown_row(const char *row, const struct loaded *loaded)
{
	const char **words = NULL, **larger;
	size_t count = 0, i, j;
	struct error err;

	for (i = 0; i < loaded->own; i++)
		for (j = 0; j < loaded->results[i]->count; j++) {
			larger = list_grow(words, count, sizeof(*words));
			if (!larger)
				break;
			words = larger;
			words[count++] = loaded->results[i]->curves[j].row;
		}
	error_unknown(&err, "row", row, words, count);
	free(words);
	return complain(&err, EXIT_USAGE);
}

/* Published figures that none of the results can stand beside leave no trace but this. */
static void tell_unused_published(const struct ranking *rankings, size_t count)
{
	struct error err;

	if (rankings_have_published(rankings, count))
		return;
	error_set(&err, "--published added nothing: there are no published figures of these rows "
			"under the same protocol");
	complain(&err, EXIT_FINE);
}

/* The table of caches is a row, too. */
static int make_caches(const struct command_options *options, struct loaded *loaded,
		       struct error *err)
{
	if (options->row && strcmp(options->row, CACHE_ROW))
		return 0;
	return caches_make(loaded->results, loaded->own, &loaded->caches, err);
}

static int rank_and_work(const struct command_options *options, struct loaded *loaded,
			 command_work *work)
{
	struct ranking_options how = {.row = options->row, .sort = options->sort};
	struct ranking *rankings;
	struct error err;
	size_t count;
	int status;

	if (capacities_make(loaded->results, loaded->own, options->row, &loaded->capacities,
			    &loaded->capacity_count, &err) ||
	    make_caches(options, loaded, &err) ||
	    enterprise_make(loaded->results, loaded->count, options->row, &loaded->enterprise,
			    &err) ||
	    rankings_make(loaded->results, loaded->count, &how, &rankings, &count, &err))
		return complain(&err, EXIT_FAILED);
	if (count && options->published)
		tell_unused_published(rankings, count);
	if (count || loaded->capacity_count || loaded->caches.count ||
	    !enterprise_is_empty(&loaded->enterprise)) {
		status = work(options, loaded, rankings, count);
	} else if (options->row) {
		status = unknown_row(options->row, loaded);
	} else {
		error_set(&err, "the results hold no row yet");
		status = complain(&err, EXIT_FAILED);
	}
	rankings_free(rankings, count);
	return status;
}

static int load_and_work(struct command_options *options, command_work *work)
{
	struct loaded loaded;
	int status = load_all(options, &loaded);

	if (status < 0)
		status = rank_and_work(options, &loaded, work);
	if (status == EXIT_FINE && loaded.damaged)
		status = EXIT_FAILED;
	loaded_free(&loaded);
	return status;
}

int command_run(enum command command, int argc, char **argv, command_work *work)
{
	struct command_options options;
	int status = read_options(command, argc, argv, &options);

	if (status < 0 && command == COMMAND_CHART && are_statistics(&options))
		status = over_time_of_statistics(&options);
	else if (status < 0)
		status = load_and_work(&options, work);
	free(options.paths);
	return status;
}
