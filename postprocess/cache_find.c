/* SPDX-License-Identifier: GPL-2.0-only */
/* From the runs of a drive: its figures, each with the reason when it is not known, and its marks.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/cache.h"
#include "postprocess/point.h"
#include "postprocess/sla.h"

#define LEAST_WINDOWS 5 /* that a percentile of reads is told from */

static void set_why(struct cache *cache, enum cache_figure figure, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void set_why(struct cache *cache, enum cache_figure figure, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(cache->why[figure], sizeof(cache->why[0]), format, args);
	va_end(args);
}

/* ---- the probe ------------------------------------------------------------------------------- */

/* Reads in between slow writes down, and live data makes a cache smaller. */
static unsigned worth(const struct cache_run *run)
{
	const struct cache_step *probe = cache_run_probe(run);

	return (probe ? 64 : 0) + (cache_run_has_reads(run) ? 0 : 32) +
	       (run->cache_bytes > 0 ? 16 : 0) + (cache_run_is_by_machine(run) ? 0 : 8) +
	       (run->partial ? 0 : 4) + (probe && probe->level_percent > 0 ? 0 : 2) +
	       !strcmp(run->mode, "probe");
}

static void find_probe(struct cache *cache)
{
	size_t i;

	for (i = 0; i < cache->count; i++)
		if (!cache->probe || worth(&cache->runs[i]) > worth(cache->probe))
			cache->probe = &cache->runs[i];
}

/* Why no cliff was found. */
static void find_no_cliff(struct cache *cache)
{
	const struct cache_step *probe = cache->probe ? cache_run_probe(cache->probe) : NULL;
	char bytes[NUMBER_ROOM];

	if (!probe)
		set_why(cache, CACHE_BYTES, "no probe");
	else if (!strcmp(probe->shape, "periodic"))
		set_why(cache, CACHE_BYTES, "speed falls and comes back, again and again");
	else if (!strcmp(probe->shape, "episode"))
		set_why(cache, CACHE_BYTES, "speed fell once and came back");
	else if (!(probe->bytes > 0))
		set_why(cache, CACHE_BYTES, "the probe is damaged");
	else {
		cache->at_least = probe->bytes;
		set_why(cache, CACHE_BYTES, "no cliff in the %s written",
			number_bytes(probe->bytes, bytes));
	}
}

static void take_probe(struct cache *cache)
{
	const struct cache_run *probe = cache->probe;

	if (!probe || !(probe->cache_bytes > 0)) {
		find_no_cliff(cache);
	} else {
		cache->figures[CACHE_BYTES] = probe->cache_bytes;
		cache->figures[CACHE_INSIDE] = probe->fast;
		cache->figures[CACHE_AFTER] = probe->slow;
		cache->figures[CACHE_RATIO] = probe->fast / probe->slow;
	}
	if (probe && cache_run_is_by_machine(probe))
		cache->by_machine[CACHE_BYTES] = cache->by_machine[CACHE_INSIDE] =
			cache->by_machine[CACHE_AFTER] = cache->by_machine[CACHE_RATIO] = true;
	set_why(cache, CACHE_INSIDE, "no cliff is known");
	set_why(cache, CACHE_AFTER, "no cliff is known");
	set_why(cache, CACHE_RATIO, "no cliff is known");
}

/* ---- what other runs tell -------------------------------------------------------------------- */

/* Rather a complete run, and one that the machine did not spoil. */
static bool is_better(const struct cache_run *run, const struct cache_run *other)
{
	if (!other || run->partial != other->partial)
		return !other || other->partial;
	return cache_run_is_by_machine(other) && !cache_run_is_by_machine(run);
}

/* A run of a mode. */
static const struct cache_run *find_mode(const struct cache *cache, const char *mode)
{
	const struct cache_run *found = NULL;
	size_t i;

	for (i = 0; i < cache->count; i++)
		if (!strcmp(cache->runs[i].mode, mode) && is_better(&cache->runs[i], found))
			found = &cache->runs[i];
	return found;
}

static void take_half_time(struct cache *cache)
{
	const struct cache_run *run = find_mode(cache, "recover");
	double longest = 0;
	char time[NUMBER_ROOM];
	size_t i;

	if (!run) {
		set_why(cache, CACHE_HALF_TIME, "no run with mode=recover");
		return;
	}
	cache->figures[CACHE_HALF_TIME] = run->half_time_s;
	cache->by_machine[CACHE_HALF_TIME] = cache_run_is_by_machine(run);
	for (i = 0; i < run->regain_count; i++)
		longest = fmax(longest, run->regains[i].idle_s);
	if (run->partial)
		set_why(cache, CACHE_HALF_TIME, "the run with mode=recover ended too early");
	else if (longest > 0)
		set_why(cache, CACHE_HALF_TIME, "less than half was back after %s",
			time_text(longest * 1e6, time));
	else
		set_why(cache, CACHE_HALF_TIME, "the run with mode=recover found none");
}

static void take_sustained(struct cache *cache, const char *mode, enum cache_figure figure)
{
	const struct cache_run *run = find_mode(cache, mode);

	if (run) {
		cache->figures[figure] = run->sustained;
		cache->by_machine[figure] = cache_run_is_by_machine(run);
	}
	if (!run)
		set_why(cache, figure, "no run with mode=%s", mode);
	else if (run->partial)
		set_why(cache, figure, "the run with mode=%s ended too early", mode);
	else
		set_why(cache, figure, "the run with mode=%s found none", mode);
}

/* ---- what folding costs reads ---------------------------------------------------------------- */

struct percentiles {
	double *list[2]; /* inside, past */
	size_t count[2];
};

/* Where a window of a write step lies: 0 inside the cache, 1 past it, -1 neither for sure. */
static int side_of(const struct cache_step *step, double written)
{
	if (!strcmp(step->what, "sustain"))
		return 1;
	if (!step->cliff_met)
		return !strcmp(step->what, "burst") || !strcmp(step->shape, "none") ? 0 : -1;
	return written > step->fast_bytes;
}

static void gather_step(const struct cache_run *run, const struct cache_step *step,
			struct percentiles *gathered)
{
	const struct cache_window *windows;
	size_t count = cache_step_windows(run, step, &windows), i;
	double written = 0;

	for (i = 0; i < count; i++) {
		int side = side_of(step, written += windows[i].bytes);

		if (side >= 0 && windows[i].reads > 0 && windows[i].read_p99_us > 0)
			gathered->list[side][gathered->count[side]++] = windows[i].read_p99_us;
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double cache_median(double *list, size_t count)
{
	if (!count)
		return NAN;
	qsort(list, count, sizeof(*list), by_value);
	return list[count / 2];
}

/* Too few windows tell nothing. */
static double side_p99(const struct percentiles *gathered, int side)
{
	if (gathered->count[side] < LEAST_WINDOWS)
		return NAN;
	return cache_median(gathered->list[side], gathered->count[side]);
}

static double read_cost(const struct cache_run *run)
{
	struct percentiles gathered = {.count = {0}};
	double cost = NAN;
	size_t i;

	for (i = 0; i < 2; i++)
		gathered.list[i] = calloc(run->window_count + 1, sizeof(double));
	for (i = 0; gathered.list[0] && gathered.list[1] && i < run->step_count; i++)
		if (strcmp(run->steps[i].what, "fill"))
			gather_step(run, &run->steps[i], &gathered);
	if (gathered.list[0] && gathered.list[1])
		cost = side_p99(&gathered, 1) / side_p99(&gathered, 0);
	free(gathered.list[0]);
	free(gathered.list[1]);
	return cost;
}

static void take_read_cost(struct cache *cache)
{
	const struct cache_run *best = NULL;
	bool has_reads = false;
	double cost;
	size_t i;

	for (i = 0; i < cache->count; i++) {
		const struct cache_run *run = &cache->runs[i];

		if (!cache_run_has_reads(run))
			continue;
		has_reads = true;
		cost = read_cost(run);
		if (isnan(cost) || !is_better(run, best))
			continue;
		best = run;
		cache->figures[CACHE_READ_COST] = cost;
		cache->by_machine[CACHE_READ_COST] = cache_run_is_by_machine(run);
	}
	set_why(cache, CACHE_READ_COST,
		has_reads ? "no run reads inside and past the cache"
			  : "no run mixes reads in (rwmixread=)");
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void add_mark(struct cache *cache, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_mark(struct cache *cache, const char *format, ...)
{
	size_t used = strlen(cache->marks);
	va_list args;

	if (used && used + 2 < sizeof(cache->marks))
		used += (size_t)snprintf(cache->marks + used, sizeof(cache->marks) - used, ", ");
	va_start(args, format);
	vsnprintf(cache->marks + used, sizeof(cache->marks) - used, format, args);
	va_end(args);
}

static void mark_probe(struct cache *cache)
{
	const struct cache_step *probe = cache->probe ? cache_run_probe(cache->probe) : NULL;
	char share[NUMBER_ROOM];

	if (!probe)
		return;
	if (cache_run_has_reads(cache->probe))
		add_mark(cache, "probed between reads");
	if (probe->level_percent > 0)
		add_mark(cache, "probed behind %.0f %% of live data", probe->level_percent);
	if (probe->hot_share > 0)
		add_mark(cache, "slowed down by heat for %s of the probe",
			 number_percent(probe->hot_share, share));
}

/* Is there a run of the same kind before it that the machine spoilt? */
static bool is_marked(const struct cache *cache, size_t number)
{
	const struct cache_run *run = &cache->runs[number];
	size_t i;

	for (i = 0; i < number; i++)
		if (cache_run_is_by_machine(&cache->runs[i]) &&
		    !strcmp(cache->runs[i].mode, run->mode) &&
		    cache_run_has_reads(&cache->runs[i]) == cache_run_has_reads(run))
			return true;
	return false;
}

/*
 * Speeds and latencies are then the machine's, and a simulated drive makes room in its cache
 * whenever the machine keeps it waiting.
 */
static void mark_machine(struct cache *cache)
{
	const char *before = "the CPU was the limit: ";
	char text[160] = "", word[32];
	size_t i, used = 0;

	for (i = 0; i < cache->count && used < sizeof(text); i++) {
		const struct cache_run *run = &cache->runs[i];

		if (!cache_run_is_by_machine(run) || is_marked(cache, i))
			continue;
		snprintf(word, sizeof(word), "%s%s", run->mode,
			 cache_run_has_reads(run) ? " with reads" : "");
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", before, word);
		before = ", ";
	}
	if (used)
		add_mark(cache, "%s", text);
}

static void mark(struct cache *cache)
{
	double scale = 1;
	bool simulated = cache->result->simulated;
	size_t i;

	for (i = 0; i < cache->count; i++) {
		simulated |= cache->runs[i].simulated;
		scale = fmax(scale, cache->runs[i].scale);
	}
	add_mark(cache, simulated ? "simulated" : "measured");
	if (scale > 1)
		add_mark(cache, "scale %.0f", scale);
	if (cache->result->quick)
		add_mark(cache, "quick");
	mark_probe(cache);
	mark_machine(cache);
	for (i = 0; i < cache->count; i++)
		if (cache->runs[i].partial)
			add_mark(cache, "%s: partial%s%s", cache->runs[i].mode,
				 cache->runs[i].fault[0] ? ", " : "", cache->runs[i].fault);
}

void cache_find(struct cache *cache)
{
	enum cache_figure figure;

	for (figure = 0; figure < CACHE_FIGURES; figure++)
		cache->figures[figure] = NAN;
	cache->at_least = NAN;
	find_probe(cache);
	take_probe(cache);
	take_half_time(cache);
	take_sustained(cache, "burst", CACHE_BURSTS);
	take_sustained(cache, "sustain", CACHE_PAST);
	take_read_cost(cache);
	mark(cache);
}
