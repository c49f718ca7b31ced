/* SPDX-License-Identifier: GPL-2.0-only */
/* A plan walks through its steps: what begins and ends them, and what becomes of their I/Os. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "engines/qlc/plan_internal.h"

#define WINDOW_NS	(100 * NS_PER_MSEC)
#define SETTLE_WINDOWS	400
#define ENOUGH_CACHES	2   /* written at full speed: the cliff does not come back */
#define SMALLER_CACHE	6   /* a later probe may find less than the first by this */
#define TAIL_WINDOWS	3   /* slow ones at the end of a burst: the cache ran out */
#define WINDOWS_OF_STEP 200 /* of what a step is expected to write, at least */

uint64_t plan_blocks(const struct qlc_plan *plan)
{
	return plan->options.region_bytes / plan->options.block_bytes;
}

void plan_area(struct qlc_plan *plan, uint64_t first_block, uint64_t blocks)
{
	area_begin(&plan->area, first_block, blocks, plan->options.is_random,
		   random_next(&plan->random));
}

const struct step *plan_last(const struct qlc_plan *plan)
{
	return plan->step_count ? &plan->steps[plan->step_count - 1] : NULL;
}

struct qlc_plan *qlc_plan_open(const struct qlc_options *options, qlc_read_heat *read_heat,
			       void *context, struct error *err)
{
	struct qlc_plan *plan;

	if (qlc_check_options(options, err))
		return NULL;
	plan = calloc(1, sizeof(*plan));
	if (!plan) {
		error_set(err, "no memory for the plan of writes");
		return NULL;
	}
	plan->options = *options;
	plan->read_heat = read_heat;
	plan->heat_context = context;
	plan->random = mix64(options->seed);
	plan->cache_bytes = options->cache_bytes;
	plan->fast = options->fast;
	plan->slow = options->slow;
	plan->meter.window_ns = options->window_ns ? options->window_ns : WINDOW_NS;
	plan_area(plan, 0, plan_blocks(plan));
	return plan;
}

void qlc_plan_close(struct qlc_plan *plan)
{
	size_t i;

	if (!plan)
		return;
	for (i = 0; i < plan->step_count; i++)
		free(plan->steps[i].changes);
	free(plan->step.changes);
	free(plan->steps);
	free(plan->meter.windows);
	cliff_finder_free(plan->finder);
	free(plan);
}

/* ---- what ends a step ---- */

static uint64_t settle_bytes(const struct qlc_plan *plan)
{
	const struct qlc_window *last = &plan->meter.windows[plan->meter.count - 1];
	uint64_t windows = SETTLE_WINDOWS * last->bytes;
	struct cliff_verdict verdict;

	if (plan->options.settle_bytes)
		return plan->options.settle_bytes;
	cliff_judge(plan->finder, &verdict);
	if (verdict.cliff && verdict.cliff->at.bytes / 10 > windows)
		return verdict.cliff->at.bytes / 10;
	return windows;
}

static void feed_finder(struct qlc_plan *plan, const struct qlc_window *window)
{
	struct cliff_window seen = {window->bytes, window->duration_ns, window->heat.is_hot};
	struct cliff_verdict verdict;

	if (cliff_finder_add(plan->finder, &seen) != CLIFF_CHANGED)
		return;
	cliff_judge(plan->finder, &verdict);
	if (verdict.shape == CLIFF_FOUND && !plan->settle_from)
		plan->settle_from = plan->step.written;
	else if (verdict.shape != CLIFF_FOUND)
		plan->settle_from = 0; /* it came back: look on */
}

bool plan_goal_is_met(const struct qlc_plan *plan, uint64_t now_ns)
{
	const struct step *step = &plan->step;

	switch (step->goal) {
	case GOAL_BYTES:
		return plan->handed_bytes >= step->bytes;
	case GOAL_TIME:
		return now_ns - step->start_ns >= step->duration_ns;
	case GOAL_CLIFF:
		return plan->settle_from && step->written - plan->settle_from >= settle_bytes(plan);
	default:
		return step->cliff_met || plan->handed_bytes >= ENOUGH_CACHES * plan->cache_bytes;
	}
}

bool plan_is_out_of_places(const struct qlc_plan *plan)
{
	return plan->step.goal == GOAL_CLIFF && plan->area.used >= plan->area.blocks;
}

static SLOW_PATH void take_window(struct qlc_plan *plan, uint64_t now_ns)
{
	struct qlc_window *window = meter_close(&plan->meter, now_ns, plan->origin_ns);

	if (!window)
		return;
	if (plan->read_heat)
		plan->read_heat(plan->heat_context, &window->heat);
	else
		window->heat.temperature_c = NAN;
	if (plan->step.goal == GOAL_CLIFF)
		feed_finder(plan, window);
	if (plan->known.fast > 0.0 && !plan->step.cliff_met &&
	    known_cliff_add(&plan->known, window))
		plan->step.cliff_met = true;
}

/* ---- steps begin and end ---- */

/* What a step writes is cut finely enough to see where its speed changes. */
static uint64_t window_bytes(const struct qlc_plan *plan)
{
	uint64_t bytes = plan->options.region_bytes / WINDOWS_OF_REGION;
	uint64_t expected = plan->step.bytes ? plan->step.bytes : plan->cache_bytes;

	if (plan->options.window_bytes)
		return plan->options.window_bytes;
	if (plan->step.goal == GOAL_CLIFF)
		expected /= SMALLER_CACHE;
	if (expected && expected / WINDOWS_OF_STEP < bytes)
		bytes = expected / WINDOWS_OF_STEP;
	return bytes;
}

bool plan_begin_step(struct qlc_plan *plan, uint64_t now_ns)
{
	struct step *step = &plan->step;

	memset(step, 0, sizeof(*step));
	if (!mode_steps[plan->options.mode](plan, step))
		return false;
	step->start_ns = now_ns;
	step->first_window = plan->meter.count;
	plan->handed_bytes = plan->settle_from = plan->trim_offset = 0;
	plan->is_ending = false;
	plan->meter.window_bytes = window_bytes(plan);
	known_cliff_begin(&plan->known, plan->fast, plan->slow);
	if (step->goal == GOAL_CLIFF) {
		cliff_finder_free(plan->finder);
		plan->finder = cliff_finder_new();
		plan->is_short |= !plan->finder;
		if (!plan->finder)
			return false;
	}
	plan->has_step = true;
	return true;
}

static double mean_speed(struct cliff_place from, struct cliff_place to)
{
	return to.ns > from.ns ? (double)(to.bytes - from.bytes) * 1e9 / (double)(to.ns - from.ns)
			       : 0.0;
}

/*
 * The medians that found the changes become means: what was written in the time it took. A machine
 * that is late to notice completions makes windows uneven, and medians of them wrong, not means.
 * Where the drive was hot for a time they stay.
 */
static void average_levels(const struct cliff_finder *finder, struct cliff_change *changes,
			   size_t count)
{
	struct cliff_place start = {0}, written = cliff_written(finder);
	size_t i;

	for (i = 0; i < count; i++) {
		struct cliff_place next = i + 1 < count ? changes[i + 1].at : written;

		double before = mean_speed(start, changes[i].at);
		double after = mean_speed(changes[i].at, next);

		if ((before > after) == (changes[i].before > changes[i].after)) {
			changes[i].before = before;
			changes[i].after = after;
		}
		start = changes[i].at;
	}
}

/* The first cliff that a plan finds is what its later steps go by. */
static void keep_probe(struct qlc_plan *plan, struct step *step)
{
	const struct cliff_change *changes = cliff_changes(plan->finder, &step->change_count);

	cliff_judge(plan->finder, &step->verdict);
	if (step->cliff_met) /* as met between the speeds that are known: a small cache */
		step->fast_bytes = plan->known.most_bytes;
	step->changes = malloc((step->change_count + 1) * sizeof(*changes));
	if (!step->changes) {
		step->change_count = 0;
		step->verdict.cliff = NULL;
		return;
	}
	if (step->change_count)
		memcpy(step->changes, changes, step->change_count * sizeof(*changes));
	if (step->verdict.hot_share <= 0.0)
		average_levels(plan->finder, step->changes, step->change_count);
	if (!step->verdict.cliff)
		return;
	step->verdict.cliff = step->changes + (step->verdict.cliff - changes);
	if (step->verdict.shape != CLIFF_FOUND)
		return;
	step->cliff_met = true;
	step->fast_bytes = step->verdict.cliff->at.bytes;
	if (plan->cache_bytes)
		return;
	plan->cache_bytes = step->fast_bytes;
	plan->fast = step->verdict.cliff->before;
	plan->slow = step->verdict.cliff->after;
}

/* A burst may end before its slow part is long enough to be sure while it is written. */
static void keep_known(const struct qlc_plan *plan, struct step *step)
{
	uint64_t slow_bytes = step->written - plan->known.most_bytes;

	if (plan->known.since_most >= TAIL_WINDOWS && slow_bytes * 20 > step->written)
		step->cliff_met = true;
	step->fast_bytes = step->cliff_met ? plan->known.most_bytes : step->written;
}

void plan_end_step(struct qlc_plan *plan, uint64_t now_ns)
{
	struct step *step = &plan->step, *larger;
	size_t room = plan->step_room ? 2 * plan->step_room : 16;

	plan->has_step = false;
	plan->run_left = 0;
	step->end_ns = now_ns;
	step->end_window = plan->meter.count;
	meter_drop(&plan->meter);
	if (step->goal == GOAL_CLIFF && step->kind == STEP_WRITE)
		keep_probe(plan, step);
	else if (step->kind == STEP_WRITE && plan->known.fast > 0.0)
		keep_known(plan, step);
	if (plan->step_count == plan->step_room) {
		larger = realloc(plan->steps, room * sizeof(*larger));
		if (!larger) {
			plan->is_short = plan->is_through = true;
			return;
		}
		plan->steps = larger;
		plan->step_room = room;
	}
	plan->steps[plan->step_count++] = *step;
	step->changes = NULL;
}

bool plan_stop(struct qlc_plan *plan, uint64_t now_ns)
{
	bool was_through = plan->is_through && !plan->is_short && !plan->meter.is_short;

	if (plan->has_step) {
		plan->step.is_cut = true;
		plan_end_step(plan, now_ns);
	}
	plan->is_through = true;
	return !was_through;
}

void qlc_plan_completed(struct qlc_plan *plan, enum qlc_op op, uint64_t bytes, uint64_t latency_ns,
			uint64_t now_ns)
{
	plan->in_flight--;
	if (op == QLC_TRIM)
		return;
	if (op == QLC_READ) {
		meter_add_read(&plan->meter, latency_ns);
		return;
	}
	plan->step.written += bytes;
	if (meter_add_write(&plan->meter, bytes, latency_ns, now_ns))
		take_window(plan, now_ns);
}

void qlc_plan_failed(struct qlc_plan *plan)
{
	plan->in_flight--;
	plan->failed++;
}
