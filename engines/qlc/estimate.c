/* SPDX-License-Identifier: GPL-2.0-only */
/* What a plan comes to before it begins: bytes and time, on a drive whose cache is known or
 * assumed. */
#include <math.h>

#include "engines/qlc/plan_internal.h"

#define WINDOW_S     0.1
#define WINDOWS_PAST 600 /* to confirm the cliff and to measure the speed past it */
#define SETTLE_SHARE 0.1 /* of the cache */
#define BURSTS_TO_FIND                                                                             \
	3 /* for each of the bursts that must stay inside: the idle time is searched for */

static void add(struct qlc_amount *amount, double bytes, double speed)
{
	amount->bytes += bytes;
	amount->seconds += bytes / speed;
}

/* Inside the cache, then past it. */
static void add_written(const struct qlc_options *options, double bytes, struct qlc_amount *amount)
{
	double inside = fmin(bytes, (double)options->cache_bytes);

	add(amount, inside, options->fast);
	add(amount, bytes - inside, options->slow);
}

/* A probe of a region: until the cliff and past it, or to the region's end. */
static void add_probe(const struct qlc_options *options, double region_bytes,
		      struct qlc_amount *amount)
{
	double cache = (double)options->cache_bytes;
	double window =
		fmin((double)options->region_bytes / WINDOWS_OF_REGION, options->slow * WINDOW_S);
	double past = options->settle_bytes ? (double)options->settle_bytes : SETTLE_SHARE * cache;

	add_written(options, fmin(cache + fmax(past, WINDOWS_PAST * window), region_bytes), amount);
}

static void add_recover(const struct qlc_options *options, struct qlc_amount *amount)
{
	unsigned i;

	for (i = 0; i < options->idle_count; i++) {
		double idle_s = options->idle_s[i];
		double back = fmin((double)options->cache_bytes, idle_s * options->slow);

		add(amount, options->repeats * back, options->fast);
		amount->seconds += options->repeats * idle_s;
	}
}

static void add_bursts(const struct qlc_options *options, struct qlc_amount *amount)
{
	double burst = options->burst_bytes
			       ? (double)options->burst_bytes
			       : options->burst_cache_share * (double)options->cache_bytes;
	double bytes = BURSTS_TO_FIND * options->bursts * burst;

	add(amount, bytes, options->fast);
	amount->seconds += bytes / options->slow;
}

static void add_sustained(const struct qlc_options *options, struct qlc_amount *amount)
{
	double bytes = options->sustain_s * options->slow;

	if (options->sustain_bytes)
		bytes = (double)options->sustain_bytes;
	else if (!bytes)
		bytes = CACHES_TO_SUSTAIN * (double)options->cache_bytes;
	add(amount, bytes, options->slow);
}

static void add_levels(const struct qlc_options *options, struct qlc_amount *amount)
{
	double region = (double)options->region_bytes, filled = 0.0;
	unsigned i;

	for (i = 0; i < options->level_count; i++) {
		double level = options->level_percent[i] / 100.0;

		add_written(options, (level - filled) * region, amount);
		amount->seconds +=
			level_rest_s(options->rest_s, i ? options->cache_bytes : 0, options->slow);
		add_probe(options, (1.0 - level) * region, amount);
		filled = level;
	}
}

struct qlc_amount qlc_estimate(const struct qlc_options *options)
{
	struct qlc_amount amount = {0};

	if (options->mode == QLC_FILL_LEVELS)
		add_levels(options, &amount);
	else
		add_probe(options, (double)options->region_bytes, &amount);
	if (options->mode == QLC_RECOVER)
		add_recover(options, &amount);
	if (options->mode == QLC_BURST)
		add_bursts(options, &amount);
	if (options->mode == QLC_SUSTAIN)
		add_sustained(options, &amount);
	return amount;
}
