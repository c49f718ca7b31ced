/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The SLC cache of the drive as an earlier review found it: what a run has to do with it is said
 * before anything is written.
 */
#include <dirent.h>
#include <string.h>

#include "base/number.h"
#include "engines/qlc/qlc.h"
#include "review/review.h"

/* Without a probe, for estimates: what the largest caches come to, and what QLC flash writes. */
#define ASSUMED_CACHE_SHARE	 0.25
#define ASSUMED_SLOW_BYTES_PER_S 250e6

/* ---- finding a probe ------------------------------------------------------------------------ */

/* What is searched for, and what was found so far. */
struct search {
	const char *identity;
	struct known_cache *cache;
	char newest[32]; /* when the review of the cache found was last at work */
};

static bool take_stats(const char *folder, const json_t *point, struct known_cache *cache)
{
	const char *name = json_string_value(json_array_get(json_object_get(point, "stats"), 0));
	struct qlc_probe probe;
	char path[PATH_MAX];

	if (!name || !json_is_null(json_object_get(point, "failed")))
		return false;
	path_format(path, "%s/%s", folder, name);
	if (qlc_read_probe(path, &probe, NULL)) {
		if (probe.is_spoilt)
			snprintf(cache->spoilt, sizeof(cache->spoilt), "%s", folder);
		return false;
	}
	cache->bytes = probe.cache_bytes;
	cache->fast = probe.fast;
	cache->slow = probe.slow;
	snprintf(cache->from, sizeof(cache->from), "%s", folder);
	return realpath(path, cache->stats) != NULL;
}

/* The first run of a row that knows of a cliff. After a spoilt one none is: it may go by that. */
static bool take_rows(const char *folder, const json_t *rows, struct known_cache *cache)
{
	const json_t *row, *point;
	size_t i, at;

	json_array_foreach(rows, i, row)
	{
		if (!json_is_string(json_object_get(row, "steps")))
			continue;
		json_array_foreach(json_object_get(row, "points"), at, point)
		{
			if (take_stats(folder, point, cache) || cache->spoilt[0])
				return !cache->spoilt[0];
		}
	}
	return false;
}

static void look_into(struct search *search, const char *folder)
{
	struct known_cache cache = {0};
	char path[PATH_MAX];
	const char *identity, *updated;
	json_t *index;

	path_format(path, "%s/review.json", folder);
	index = json_load_file(path, 0, NULL);
	identity = json_string_value(json_object_get(index, "identity"));
	updated = json_string_value(json_object_get(index, "updated"));
	if (identity && updated && !strcmp(identity, search->identity) &&
	    strcmp(updated, search->newest) > 0) {
		if (take_rows(folder, json_object_get(index, "rows"), &cache)) {
			*search->cache = cache;
			snprintf(search->newest, sizeof(search->newest), "%s", updated);
		} else if (cache.spoilt[0]) {
			path_format(search->cache->spoilt, "%s", cache.spoilt);
		}
	}
	json_decref(index);
}

static void assume(const struct plan *plan, struct known_cache *cache)
{
	cache->bytes = (uint64_t)((double)plan->target->bytes * ASSUMED_CACHE_SHARE);
	cache->fast = ASSUMED_BYTES_PER_S;
	cache->slow = ASSUMED_SLOW_BYTES_PER_S;
}

void known_cache_find(struct plan *plan)
{
	char identity[PATH_MAX + 64], path[PATH_MAX];
	struct search search = {.identity = identity, .cache = &plan->cache};
	const char *out = plan->options->out;
	DIR *folder = out ? opendir(out) : NULL;
	struct dirent *entry;

	target_identity(plan->target, identity, sizeof(identity));
	assume(plan, &plan->cache);
	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		path_format(path, "%s/%s", out, entry->d_name);
		look_into(&search, path);
	}
	if (folder)
		closedir(folder);
}

/* ---- saying it ------------------------------------------------------------------------------ */

static void print_assumed(const struct known_cache *cache, FILE *out)
{
	char bytes[NUMBER_ROOM], fast[NUMBER_ROOM], slow[NUMBER_ROOM];

	fprintf(out, "Cache       %s, %s inside and %s past it: ",
		number_bytes((double)cache->bytes, bytes), number_mbps(cache->fast, fast),
		number_mbps(cache->slow, slow));
	if (cache->from[0])
		fprintf(out, "the probe in %s\n", cache->from);
	else if (cache->spoilt[0])
		fprintf(out, "assumed, for a busy machine spoilt the probe in %s\n", cache->spoilt);
	else
		fprintf(out, "assumed, for this drive was not probed yet\n");
}

static unsigned rows_that_write(const struct plan *plan)
{
	unsigned rows = 0, i;

	for (i = 0; i < plan->row_count; i++)
		rows += plan->rows[i].writes;
	return rows;
}

/* "the fill and 4 rows that write come to about 2.10 TB" */
static void print_total(const struct plan *plan, FILE *out)
{
	unsigned rows = rows_that_write(plan);
	char bytes[NUMBER_ROOM];

	if (plan->fills)
		fprintf(out, "the fill%s", rows ? " and " : "");
	if (rows)
		fprintf(out, "%u row%s that write%s", rows, rows == 1 ? "" : "s",
			rows == 1 ? "s" : "");
	fprintf(out, " will write %s %s", plan->target->kind == TARGET_SIM ? "about" : "at most",
		number_bytes(plan->written_bytes, bytes));
}

static void print_comparison(const struct plan *plan, FILE *out)
{
	const struct known_cache *cache = &plan->cache;
	bool whole = plan->profile->fill == FILL_WHOLE && plan->fills;
	uint64_t live = whole ? plan->target->bytes : plan->region_bytes;
	bool fits = live <= cache->bytes;
	char data[NUMBER_ROOM], bytes[NUMBER_ROOM];

	fprintf(out, "Cache       the %s of %s %s the cache of %s (probe in %s);\n            ",
		whole ? "filled drive" : "region", number_bytes((double)live, data),
		fits ? "fits" : "does not fit", number_bytes((double)cache->bytes, bytes),
		cache->from);
	print_total(plan, out);
	fprintf(out, "%s\n",
		!fits ? ": the drive writes past its cliff"
		: plan->written_bytes <= (double)cache->bytes
			? ": the drive stays in SLC"
			: ":\n            the drive stays in SLC only if it reclaims overwritten "
			  "SLC");
}

void known_cache_print(const struct plan *plan, FILE *out)
{
	if (plan_runs_once(plan))
		print_assumed(&plan->cache, out);
	else if (plan->cache.from[0] && plan->writes)
		print_comparison(plan, out);
	else if (plan->cache.spoilt[0] && plan->writes)
		fprintf(out, "Cache       not known, for a busy machine spoilt the probe in %s\n",
			plan->cache.spoilt);
}
