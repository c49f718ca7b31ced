/* SPDX-License-Identifier: GPL-2.0-only */
/* Percentiles of response time from the histograms of statistics files, of all clones together. */
#include <math.h>
#include <stdlib.h>

#include "postprocess/measures.h"

struct bin {
	double upper_ns, count;
};

struct bins {
	struct bin *list;
	size_t count, room;
};

static int add_bin(struct bins *bins, double upper_ns, double count)
{
	if (bins->count == bins->room) {
		size_t room = bins->room ? bins->room * 2 : 1024;
		struct bin *larger = reallocarray(bins->list, room, sizeof(*larger));

		if (!larger)
			return -1;
		bins->list = larger;
		bins->room = room;
	}
	bins->list[bins->count++] = (struct bin){upper_ns, count};
	return 0;
}

static int add_histogram(struct bins *bins, const json_t *histogram)
{
	const json_t *pair;
	size_t i;

	json_array_foreach(histogram, i, pair)
	{
		double upper_ns = json_number_value(json_array_get(pair, 0));
		double count = json_number_value(json_array_get(pair, 1));

		if (upper_ns > 0 && count > 0 && add_bin(bins, upper_ns, count))
			return -1;
	}
	return 0;
}

static int add_file(struct bins *bins, const char *path, size_t intervals, struct error *err)
{
	json_error_t fault;
	json_t *stats = json_load_file(path, 0, &fault), *interval;
	int failed = 0;
	size_t i;

	if (!stats)
		return error_set(err, "%s cannot be read: %s", path, fault.text);
	json_array_foreach(json_object_get(stats, "intervals"), i, interval)
	{
		if (i < intervals)
			failed |= add_histogram(bins, json_object_get(interval, "histogram"));
	}
	json_decref(stats);
	return failed ? error_set(err, "no memory for the histograms of %s", path) : 0;
}

static int by_upper(const void *a, const void *b)
{
	double left = ((const struct bin *)a)->upper_ns, right = ((const struct bin *)b)->upper_ns;

	return left < right ? -1 : left > right;
}

static void take(const struct bins *bins, const double *shares, size_t share_count,
		 double *values_ns)
{
	double total = 0, passed = 0;
	size_t i, next = 0;

	for (i = 0; i < bins->count; i++)
		total += bins->list[i].count;
	for (i = 0; i < bins->count; i++) {
		passed += bins->list[i].count;
		while (next < share_count && passed >= shares[next] * total)
			values_ns[next++] = bins->list[i].upper_ns;
	}
	while (next < share_count)
		values_ns[next++] = bins->count ? bins->list[bins->count - 1].upper_ns : NAN;
}

int measures_read_percentiles(const char *const *paths, size_t count, size_t intervals,
			      const double *shares, size_t share_count, double *values_ns,
			      struct error *err)
{
	struct bins bins = {.count = 0};
	int failed = 0;
	size_t i;

	for (i = 0; i < count && !failed; i++)
		failed = add_file(&bins, paths[i], intervals, err);
	if (!failed && bins.count)
		qsort(bins.list, bins.count, sizeof(*bins.list), by_upper);
	if (!failed)
		take(&bins, shares, share_count, values_ns);
	free(bins.list);
	return failed;
}
