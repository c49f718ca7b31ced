/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of table, chart and report, and the results they name. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/command.h"
#include "postprocess/grow.h"

struct option_help {
	const char *name;
	int letter;
	const char *argument; /* NULL: takes none */
	int commands;	      /* which commands have it */
	const char *help;
};

#define ALL (COMMAND_TABLE | COMMAND_CHART | COMMAND_REPORT)

static const struct option_help option_list[] = {
	{"format", 'f', "FORMAT", COMMAND_TABLE, "term (default), md, csv, json or html"},
	{"out", 'o', "FOLDER", COMMAND_CHART | COMMAND_REPORT, "where to write (made if missing)"},
	{"over-time", 'T', NULL, COMMAND_CHART,
	 "IOPS, response time and lateness over the time of each drive's peak"},
	{"published", 'p', NULL, ALL, "add the published figures of the same protocol, marked"},
	{"row", 'r', "ROW", ALL, "only this row, such as 4k-randread"},
	{"sort", 's', "BY", ALL,
	 "iops (default): by peak rate; clat or lat: by that latency at the peak, lower is better"},
	{"title", 't', "TITLE", COMMAND_REPORT, "heading of the page"},
	{"help", 'h', NULL, ALL, "this text"}};

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

static void print_help(enum command command)
{
	char left[64];
	size_t i;

	printf("Usage: ssdreview %s RESULT... [OPTION...]\n\n", command_word(command));
	for (i = 0; i < 3; i++)
		if (command_list[i].command == command)
			printf("%s\n\n", command_list[i].what);
	puts("RESULT is the folder of a review, any JSON file of fio, a log of fio (it stands for "
	     "all of its\n"
	     "run), or the statistics of qlc_writer or of a long run; NAME=FILE names the drive of "
	     "such a\n"
	     "file, and files of one NAME are taken together.\n");
	for (i = 0; i < COUNT(option_list); i++) {
		const struct option_help *option = &option_list[i];

		if (!(option->commands & (int)command))
			continue;
		snprintf(left, sizeof(left), "-%c, --%s%s%s", option->letter, option->name,
			 option->argument ? "=" : "", option->argument ? option->argument : "");
		printf("  %-22s %s\n", left, option->help);
	}
}

/* What getopt wants, made from the one list. */
static void getopt_tables(enum command command, struct option *longs, char *shorts)
{
	size_t i, used = 0;

	*shorts++ = ':';
	for (i = 0; i < COUNT(option_list); i++) {
		const struct option_help *option = &option_list[i];

		if (!(option->commands & (int)command))
			continue;
		longs[used++] = (struct option){option->name,
						option->argument ? required_argument : no_argument,
						NULL, option->letter};
		*shorts++ = (char)option->letter;
		if (option->argument)
			*shorts++ = ':';
	}
	*shorts = '\0';
	longs[used] = (struct option){0};
}

static int unknown_word(const char *what, const char *word, const char *const *words, size_t count)
{
	struct error err;

	error_unknown(&err, what, word, words, count);
	return complain(&err, EXIT_USAGE);
}

static int unknown_option(enum command command, const char *word)
{
	const char *names[COUNT(option_list)];
	char plain[64];
	size_t i, count = 0;

	for (i = 0; i < COUNT(option_list); i++)
		if (option_list[i].commands & (int)command)
			names[count++] = option_list[i].name;
	word += strspn(word, "-");
	snprintf(plain, sizeof(plain), "%.*s", (int)strcspn(word, "="), word);
	return unknown_word("option", plain, names, count);
}

static int find_word(const char *word, const char *const *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(words[i], word))
			return (int)i;
	return -1;
}

static int take_format(const char *word, struct command_options *options)
{
	static const char *const words[] = {"term", "md", "csv", "json", "html"};
	int found = find_word(word, words, 5);

	if (found < 0)
		return unknown_word("format", word, words, 5);
	options->format = (enum table_format)found;
	return -1;
}

static int take_sort(const char *word, struct command_options *options)
{
	static const char *const words[] = {"iops", "clat", "lat"};
	int found = find_word(word, words, 3);

	if (found < 0)
		return unknown_word("sort", word, words, 3);
	options->sort = (enum sort_by)found;
	return -1;
}

static int take_option(enum command command, int letter, char **argv,
		       struct command_options *options)
{
	struct error err;

	switch (letter) {
	case 'f':
		return take_format(optarg, options);
	case 's':
		return take_sort(optarg, options);
	case 'o':
		options->out = optarg;
		return -1;
	case 'p':
		options->published = true;
		return -1;
	case 'T':
		options->over_time = true;
		return -1;
	case 'r':
		options->row = optarg;
		return -1;
	case 't':
		options->title = optarg;
		return -1;
	case 'h':
		print_help(command);
		return EXIT_FINE;
	case ':':
		error_set(&err, "option %s wants a value", argv[optind - 1]);
		return complain(&err, EXIT_USAGE);
	default:
		return unknown_option(command, argv[optind - 1]);
	}
}

static int check_complete(enum command command, const struct command_options *options)
{
	struct error err;

	if (!options->path_count)
		error_set(&err, "%s wants at least one RESULT; see ssdreview %s --help",
			  command_word(command), command_word(command));
	else if (!options->out && command != COMMAND_TABLE)
		error_set(&err, "%s wants -o FOLDER to write to", command_word(command));
	else
		return -1;
	return complain(&err, EXIT_USAGE);
}

static int read_options(enum command command, int argc, char **argv,
			struct command_options *options)
{
	struct option longs[COUNT(option_list) + 1];
	char shorts[2 * COUNT(option_list) + 2];
	int letter, status = -1;

	*options = (struct command_options){.format = FORMAT_TERM};
	getopt_tables(command, longs, shorts);
	opterr = 0;
	optind = 0; /* getopt keeps state between calls: start anew */
	while (status < 0 && (letter = getopt_long(argc, argv, shorts, longs, NULL)) != -1)
		status = take_option(command, letter, argv, options);
	if (status >= 0)
		return status;
	options->paths = argv + optind;
	options->path_count = (size_t)(argc - optind);
	return check_complete(command, options);
}

/* The row asked for is in none of the results: name it, and the nearest one that is. */
static int unknown_row(const char *row, const struct loaded *loaded)
{
	const char **words = NULL, **larger;
	size_t count = 0, i, j;
	int status;

	for (i = 0; i < loaded->own; i++)
		for (j = 0; j < loaded->results[i]->count; j++) {
			larger = list_grow(words, count, sizeof(*words));
			if (!larger)
				break;
			words = larger;
			words[count++] = loaded->results[i]->curves[j].row;
		}
	status = unknown_word("row", row, words, count);
	free(words);
	return status;
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

int command_run(enum command command, int argc, char **argv, command_work *work)
{
	struct command_options options;
	struct loaded loaded;
	int status = read_options(command, argc, argv, &options);

	if (status >= 0)
		return status;
	if (command == COMMAND_CHART && are_statistics(&options))
		return over_time_of_statistics(&options);
	status = load_all(&options, &loaded);
	if (status < 0)
		status = rank_and_work(&options, &loaded, work);
	if (status == EXIT_FINE && loaded.damaged)
		status = EXIT_FAILED;
	loaded_free(&loaded);
	return status;
}
