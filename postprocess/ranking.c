/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is first, and by how much. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/grow.h"
#include "postprocess/point.h"
#include "postprocess/ranking.h"
#include "postprocess/ranking_internal.h"

/* From this block size on a row is about bandwidth. */
#define LARGE_BLOCK_BYTES 65536

/* fio's mean size of an I/O is off by what was in flight when its average began. */
#define MEAN_SIZE_SHARE 0.95

/* "64k-seqread" -> 65536; 0 when the word does not begin with a size. */
static double stated_block_bytes(const char *word)
{
	char *end;
	double size = strtod(word, &end);

	if (end == word || (*end != 'k' && *end != 'm') || end[1] != '-')
		return 0;
	return size * (*end == 'k' ? 1024 : 1048576);
}

/* By its points; one that has no figures, by its name. */
static bool is_large_block(const struct curve *curve)
{
	size_t i;

	for (i = 0; i < curve->count; i++)
		if (curve->points[i].bytes_per_s > 0)
			return isnan(curve->points[i].block_bytes) ||
			       curve->points[i].block_bytes >= MEAN_SIZE_SHARE * LARGE_BLOCK_BYTES;
	return !strncmp(curve->row, "blackmagic-", 11) ||
	       stated_block_bytes(curve->row) >= LARGE_BLOCK_BYTES ||
	       stated_block_bytes(curve->description) >= LARGE_BLOCK_BYTES;
}

static void set_missing(struct entry *entry, const char *why)
{
	snprintf(entry->missing, sizeof(entry->missing), "%s", why);
}

static double peak_rate(const struct step *step, bool by_bytes)
{
	return by_bytes ? step->point.bytes_per_s : step->point.iops;
}

static void find_fall(struct entry *entry)
{
	double lowest = entry->curve->stated_after_peak_iops;

	if (isnan(lowest))
		lowest = steps_lowest_after(entry->steps, entry->step_count, entry->peak);
	entry->fall_to = lowest;
	entry->fall_share = fmax(0, 1 - lowest / entry->peak->point.iops);
	if (isnan(lowest))
		entry->fall_share = NAN;
}

/* A peak that is not known is no rank, and nothing that is measured from it is known either. */
static void forget_peak(struct entry *entry)
{
	snprintf(entry->missing, sizeof(entry->missing),
		 "peak not known: %u higher point%s left out", entry->above_peak,
		 entry->above_peak == 1 ? "" : "s");
	entry->fall_share = entry->fall_to = NAN;
	if (isinf(entry->one_ms))
		entry->one_ms = NAN;
}

static void read_curve(const struct ranking *ranking, struct entry *entry)
{
	const struct curve *curve = entry->curve;
	const struct latency *latency;

	entry->steps = curve_steps(curve, &entry->step_count);
	entry->peak = steps_peak(entry->steps, entry->step_count, ranking->by_bytes);
	if (!entry->peak) {
		set_missing(entry, entry->step_count ? "no point counts" : "no points");
		return;
	}
	latency =
		ranking->metric == METRIC_LAT ? &entry->peak->point.lat : &entry->peak->point.clat;
	entry->rate = peak_rate(entry->peak, ranking->by_bytes);
	entry->latency_us = latency->mean_us;
	entry->p99_us = latency->p99_us;
	entry->one_ms = curve->stated_one_ms_iops;
	if (isnan(entry->one_ms) && entry->result->kind != RESULT_PUBLISHED)
		entry->one_ms = steps_one_ms_iops(entry->steps, entry->step_count, ranking->metric);
	find_fall(entry);
	if (ranking->by_bytes) {
		entry->one_ms *= entry->peak->point.block_bytes;
		entry->fall_to *= entry->peak->point.block_bytes;
	}
	entry->value = ranking->sort == SORT_PEAK ? entry->rate : entry->latency_us;
	entry->above_peak =
		steps_above_peak(entry->steps, entry->step_count, entry->peak, ranking->by_bytes);
	if (entry->above_peak)
		forget_peak(entry);
	else if (isnan(entry->value))
		set_missing(entry, "latency not known");
}

static void fill_entry(const struct ranking *ranking, const struct result *result,
		       struct entry *entry)
{
	*entry = (struct entry){.result = result,
				.curve = result_find_curve(result, ranking->row),
				.value = NAN,
				.gap = NAN,
				.gap_share = NAN,
				.rate = NAN,
				.latency_us = NAN,
				.p99_us = NAN,
				.one_ms = NAN,
				.fall_share = NAN,
				.fall_to = NAN};
	if (entry->curve)
		read_curve(ranking, entry);
	else
		set_missing(entry, "no result for this row");
	if (!entry->curve)
		return;
	entry_mark(entry);
}

/* What is equal as printed is equal: rates to a whole unit, latencies to a tenth of a us. */
static double rounded(const struct ranking *ranking, double value)
{
	if (ranking->sort != SORT_PEAK)
		return round(value * 10) / 10;
	return ranking->by_bytes ? round(value / 1e6) * 1e6 : round(value);
}

static bool is_ranked(const struct entry *entry)
{
	return !entry->missing[0];
}

/* Ranked ones first; then by value, and by name where values are level. */
static int by_value(const void *a, const void *b, void *context)
{
	const struct ranking *ranking = context;
	const struct entry *x = a, *y = b;
	double left = rounded(ranking, x->value), right = rounded(ranking, y->value);
	int order = (left > right) - (left < right);

	if (is_ranked(x) != is_ranked(y))
		return is_ranked(x) ? -1 : 1;
	if (is_ranked(x) && order)
		return ranking->sort == SORT_PEAK ? -order : order;
	return strcmp(x->result->drive, y->result->drive);
}

static void give_places(struct ranking *ranking)
{
	const struct entry *first = &ranking->entries[0];
	size_t i;

	for (i = 0; i < ranking->count && is_ranked(&ranking->entries[i]); i++) {
		struct entry *entry = &ranking->entries[i];
		double value = rounded(ranking, entry->value);

		entry->place = (unsigned)i + 1;
		if (i && value == rounded(ranking, entry[-1].value))
			entry->place = entry[-1].place;
		if (entry->place == 1)
			continue;
		entry->gap = fabs(first->value - entry->value);
		entry->gap_share = entry->gap / first->value;
	}
}

/*
 * Results are compared within one protocol. That of the disk speed test is the test itself: a file
 * of 5 GB, whatever part of the drive other rows use.
 */
static const char *protocol_of(const struct result *result, const char *row)
{
	return strncmp(row, "blackmagic-", 11) ? result->protocol : "5 GB file";
}

static bool belongs(const struct ranking *ranking, const struct result *result)
{
	if (result->searches || strcmp(protocol_of(result, ranking->row), ranking->protocol))
		return false;
	return result->kind != RESULT_PUBLISHED || result_find_curve(result, ranking->row);
}

static int fill(struct ranking *ranking, struct result *const *results, size_t count)
{
	size_t i;

	ranking->entries = calloc(count, sizeof(*ranking->entries));
	if (!ranking->entries)
		return -1;
	for (i = 0; i < count; i++)
		if (belongs(ranking, results[i]))
			fill_entry(ranking, results[i], &ranking->entries[ranking->count++]);
	ranking_mark_in_flight(ranking);
	qsort_r(ranking->entries, ranking->count, sizeof(*ranking->entries), by_value, ranking);
	give_places(ranking);
	return 0;
}

struct rankings {
	struct ranking *list;
	size_t count;
};

static struct ranking *find_ranking(const struct rankings *rankings, const char *row,
				    const char *protocol)
{
	size_t i;

	for (i = 0; i < rankings->count; i++)
		if (!strcmp(rankings->list[i].row, row) &&
		    !strcmp(rankings->list[i].protocol, protocol))
			return &rankings->list[i];
	return NULL;
}

/* A ranking for a curve's row and its result's protocol, unless there is one. */
static int open_ranking(struct rankings *rankings, const struct result *result,
			const struct curve *curve, const struct ranking_options *options)
{
	const char *protocol = protocol_of(result, curve->row);
	struct ranking *larger = find_ranking(rankings, curve->row, protocol);

	if (larger) {
		larger->by_bytes |= is_large_block(curve);
		return 0;
	}
	larger = list_grow(rankings->list, rankings->count, sizeof(*larger));
	if (!larger)
		return -1;
	rankings->list = larger;
	larger += rankings->count++;
	*larger = (struct ranking){.by_bytes = is_large_block(curve),
				   .sort = options->sort,
				   .metric = options->sort == SORT_LAT ? METRIC_LAT : METRIC_CLAT};
	snprintf(larger->row, sizeof(larger->row), "%s", curve->row);
	snprintf(larger->protocol, sizeof(larger->protocol), "%s", protocol);
	snprintf(larger->description, sizeof(larger->description), "%s", curve->description);
	return 0;
}

static int open_all(struct rankings *rankings, const struct result *result,
		    const struct ranking_options *options)
{
	size_t i;

	if (result->kind == RESULT_PUBLISHED || result->searches)
		return 0;
	for (i = 0; i < result->count; i++) {
		const struct curve *curve = &result->curves[i];

		/* Runs on the SLC cache, rounds and ladders stand in tables of their own. */
		if ((options->row && strcmp(options->row, curve->row)) ||
		    curve_probes_cache(curve) || curve->kind != CURVE_OF_RATES)
			continue;
		if (open_ranking(rankings, result, curve, options))
			return -1;
	}
	return 0;
}

int rankings_make(struct result *const *results, size_t count,
		  const struct ranking_options *options, struct ranking **list,
		  size_t *ranking_count, struct error *err)
{
	struct rankings rankings = {NULL, 0};
	int status = 0;
	size_t i;

	for (i = 0; status == 0 && i < count; i++)
		status = open_all(&rankings, results[i], options);
	for (i = 0; status == 0 && i < rankings.count; i++)
		status = fill(&rankings.list[i], results, count);
	if (status) {
		rankings_free(rankings.list, rankings.count);
		return error_set(err, "not enough memory to rank the results");
	}
	*list = rankings.list;
	*ranking_count = rankings.count;
	return 0;
}

const struct entry *ranking_find(const struct ranking *ranking, const struct result *result)
{
	size_t i;

	for (i = 0; i < ranking->count; i++)
		if (ranking->entries[i].result == result)
			return &ranking->entries[i];
	return NULL;
}

bool rankings_have_published(const struct ranking *rankings, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < rankings[i].count; j++)
			if (rankings[i].entries[j].result->kind == RESULT_PUBLISHED)
				return true;
	return false;
}

bool rankings_have_stand_in(const struct ranking *rankings, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < rankings[i].count; j++)
			if (entry_is_stand_in(&rankings[i].entries[j]))
				return true;
	return false;
}

void rankings_free(struct ranking *rankings, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < rankings[i].count; j++)
			free(rankings[i].entries[j].steps);
		free(rankings[i].entries);
	}
	free(rankings);
}
