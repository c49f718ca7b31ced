/* SPDX-License-Identifier: GPL-2.0-only */
/* The runs of each drive, and the drives by the size of their caches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/cache.h"
#include "postprocess/grow.h"
#include "postprocess/json_reader.h"

static bool has_run(const struct cache *cache, const char *path)
{
	size_t i;

	for (i = 0; i < cache->count; i++)
		if (!strcmp(cache->runs[i].path, path))
			return true;
	return false;
}

/* A file may be named itself and beside fio's output: it counts once. */
static int add_run(struct cache *cache, const char *path)
{
	char *whole = realpath(path, NULL);
	struct cache_run run, *larger;
	bool is_new = whole && !has_run(cache, whole) && cache_run_read(whole, &run);

	free(whole);
	if (!is_new)
		return 0;
	larger = list_grow(cache->runs, cache->count, sizeof(*larger));
	if (!larger) {
		cache_run_free(&run);
		return -1;
	}
	cache->runs = larger;
	larger[cache->count++] = run;
	return 0;
}

static int add_runs(const struct result *result, struct cache *cache)
{
	size_t i, j;

	for (i = 0; i < result->cache_file_count; i++)
		if (add_run(cache, result->cache_files[i]))
			return -1;
	for (i = 0; i < result->count; i++)
		for (j = 0; j < result->curves[i].count; j++) {
			const struct point *point = &result->curves[i].points[j];

			if (point->probes_cache && point->stats_path[0] &&
			    add_run(cache, point->stats_path))
				return -1;
		}
	return 0;
}

/* "a/670p.probe.stats.json" -> "670p.probe" */
static void file_stem(const char *path, char *stem, size_t room)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *ending = strstr(name, ".stats.");

	if (!ending)
		ending = strrchr(name, '.');
	text_clean(name, ending && ending != name ? (size_t)(ending - name) : strlen(name), stem,
		   room);
}

/* A simulated drive tells its name, and so all its files are taken together. */
int result_read_cache(const char *path, struct result *result, struct error *err)
{
	struct cache_run run;

	if (!cache_run_read(path, &run))
		return error_set(err, "%s holds no statistics of a run on the SLC cache", path);
	result->simulated = run.simulated;
	if (run.drive[0])
		snprintf(result->drive, sizeof(result->drive), "%s", run.drive);
	else
		file_stem(path, result->drive, sizeof(result->drive));
	cache_run_free(&run);
	if (!result_add_cache_file(result, path))
		return 0;
	return error_set(err, "%s: not enough memory", path);
}

static void free_runs(struct cache *cache)
{
	size_t i;

	for (i = 0; i < cache->count; i++)
		cache_run_free(&cache->runs[i]);
	free(cache->runs);
}

static int add_cache(const struct result *result, struct cache_list *list)
{
	struct cache cache = {.result = result}, *larger;

	if (add_runs(result, &cache)) {
		free_runs(&cache);
		return -1;
	}
	if (!cache.count)
		return 0;
	larger = list_grow(list->caches, list->count, sizeof(*larger));
	if (!larger) {
		free_runs(&cache);
		return -1;
	}
	cache_find(&cache);
	list->caches = larger;
	larger[list->count++] = cache;
	return 0;
}

/* What is known of the size. */
static double size_of(const struct cache *cache)
{
	double size = fmax(cache->figures[CACHE_BYTES], cache->at_least);

	return isnan(size) ? 0 : size;
}

static int by_size(const void *a, const void *b)
{
	const struct cache *x = a, *y = b;

	if (size_of(x) != size_of(y))
		return size_of(x) > size_of(y) ? -1 : 1;
	return strcmp(x->result->drive, y->result->drive);
}

/*
 * "At least" has no place, for it may be more, and neither has what a busy machine spoilt; but they
 * are ahead of every smaller one.
 */
static void give_places(struct cache_list *list)
{
	size_t i, ahead = 0;

	if (list->count)
		qsort(list->caches, list->count, sizeof(*list->caches), by_size);
	for (i = 0; i < list->count; i++) {
		while (size_of(&list->caches[ahead]) > size_of(&list->caches[i]))
			ahead++;
		if (list->caches[i].figures[CACHE_BYTES] > 0 &&
		    !list->caches[i].by_machine[CACHE_BYTES])
			list->caches[i].place = (unsigned)ahead + 1;
	}
}

int caches_make(struct result *const *results, size_t count, struct cache_list *list,
		struct error *err)
{
	size_t i;

	*list = (struct cache_list){.count = 0};
	for (i = 0; i < count; i++)
		if (add_cache(results[i], list)) {
			caches_free(list);
			return error_set(err, "not enough memory for the SLC caches");
		}
	give_places(list);
	return 0;
}

void caches_free(struct cache_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		free_runs(&list->caches[i]);
	free(list->caches);
	*list = (struct cache_list){.count = 0};
}
