/* SPDX-License-Identifier: GPL-2.0-only */
/* The results that a command's arguments name. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/command.h"
#include "postprocess/grow.h"

static int append(struct loaded *loaded, struct result *result)
{
	struct result **larger = list_grow(loaded->results, loaded->count, sizeof(*larger));

	if (!larger)
		return -1;
	loaded->results = larger;
	larger[loaded->count++] = result;
	return 0;
}

/* A fio file of a drive that was named before adds its curves to that drive. */
static struct result *same_drive(const struct loaded *loaded, const struct result *result)
{
	size_t i;

	for (i = 0; result->kind == RESULT_FIO && !result->minutes_file && i < loaded->count; i++)
		if (loaded->results[i]->kind == RESULT_FIO &&
		    !strcmp(loaded->results[i]->drive, result->drive))
			return loaded->results[i];
	return NULL;
}

static void load_one(const char *path, struct loaded *loaded)
{
	struct result *result, *drive;
	struct error err;

	if (result_load(path, &result, &err)) {
		loaded->damaged = complain(&err, EXIT_FAILED);
		return;
	}
	drive = same_drive(loaded, result);
	if (drive ? result_take_curves(drive, result) : append(loaded, result)) {
		error_set(&err, "not enough memory for all results");
		loaded->damaged = complain(&err, EXIT_FAILED);
	} else if (!drive) {
		return;
	}
	result_free(result);
}

static int load_published(struct loaded *loaded)
{
	struct result **list;
	struct error err;
	size_t count, i;

	if (published_load(NULL, &list, &count, &err))
		return complain(&err, EXIT_FAILED);
	for (i = 0; i < count && !append(loaded, list[i]); i++)
		;
	if (i == count) {
		free(list);
		return -1;
	}
	error_set(&err, "not enough memory for the published figures");
	memmove(list, list + i, (count - i) * sizeof(struct result *));
	published_free(list, count - i);
	return complain(&err, EXIT_FAILED);
}

static bool is_of_cache(const char *argument)
{
	char name[128];

	return is_cache_statistics(result_argument(argument, name, sizeof(name)));
}

/* How many of the paths from `from` to `to` lie in the same review as paths[at]. */
static size_t count_beside(const struct command_options *options, size_t at, size_t from, size_t to)
{
	char review[PATH_MAX], other[PATH_MAX];
	size_t i, count = 0;

	if (!review_of_file(options->paths[at], review, sizeof(review)))
		return 0;
	for (i = from; i < to; i++)
		count += review_of_file(options->paths[i], other, sizeof(other)) &&
			 !strcmp(other, review) && !is_of_cache(options->paths[i]);
	return count;
}

/* A shell's *.log names all logs of a run: the first of them stands for the others. */
static bool was_named(const struct command_options *options, size_t at)
{
	char name[128], base[512], other_base[512];
	size_t i;

	if (!is_by_minutes(result_argument(options->paths[at], name, sizeof(name)), base,
			   sizeof(base)))
		return false;
	for (i = 0; i < at; i++)
		if (is_by_minutes(result_argument(options->paths[i], name, sizeof(name)),
				  other_base, sizeof(other_base)) &&
		    !strcmp(base, other_base))
			return true;
	return false;
}

static bool is_of_minutes(const char *argument)
{
	char name[128], base[512];

	return is_by_minutes(result_argument(argument, name, sizeof(name)), base, sizeof(base));
}

/* Files of one review that are named together are points of that review. */
static void load_path(const struct command_options *options, size_t at, struct loaded *loaded)
{
	struct result *result;
	struct error err;

	if (was_named(options, at))
		return;
	if (is_of_minutes(options->paths[at]) || is_of_cache(options->paths[at])) {
		load_one(options->paths[at], loaded);
		return;
	}
	if (count_beside(options, at, 0, at))
		return;
	if (!count_beside(options, at, at + 1, options->path_count)) {
		load_one(options->paths[at], loaded);
		return;
	}
	if (result_load_files(options->paths, options->path_count, at, &result, &err)) {
		loaded->damaged = complain(&err, EXIT_FAILED);
	} else if (append(loaded, result)) {
		result_free(result);
		error_set(&err, "not enough memory for all results");
		loaded->damaged = complain(&err, EXIT_FAILED);
	}
}

static bool are_all_stats(const struct command_options *options)
{
	size_t i;

	for (i = 0; i < options->path_count; i++)
		if (!is_stats_file(options->paths[i]))
			return false;
	return true;
}

/*
 * A shell's *.json names statistics too: they are found by themselves. Only those of runs on the
 * SLC cache and of long runs stand alone, when nothing else is named or they name their drive.
 */
static int drop_stats_files(struct command_options *options)
{
	bool all = are_all_stats(options);
	unsigned i, kept = 0;
	struct error err;

	for (i = 0; i < options->path_count; i++) {
		const char *path = options->paths[i];

		if (!is_stats_file(path) ||
		    ((all || strchr(path, '=')) && (is_of_minutes(path) || is_of_cache(path))))
			options->paths[kept++] = path;
	}
	if (!kept) {
		error_set(&err,
			  "%s holds statistics of an engine: name fio's output or the review's "
			  "folder instead",
			  options->paths[0]);
		return complain(&err, EXIT_FAILED);
	}
	options->path_count = kept;
	return -1;
}

int load_all(struct command_options *options, struct loaded *loaded)
{
	int status = drop_stats_files(options);
	size_t i;

	*loaded = (struct loaded){.results = NULL};
	if (status >= 0)
		return status;
	for (i = 0; i < options->path_count; i++)
		load_path(options, i, loaded);
	loaded->own = loaded->count;
	if (!loaded->count)
		return EXIT_FAILED;
	return options->published ? load_published(loaded) : -1;
}

void loaded_free(struct loaded *loaded)
{
	size_t i;

	for (i = 0; i < loaded->count; i++)
		result_free(loaded->results[i]);
	free(loaded->results);
	capacities_free(loaded->capacities, loaded->capacity_count);
	caches_free(&loaded->caches);
	enterprise_free(&loaded->enterprise);
}
