/* SPDX-License-Identifier: GPL-2.0-only */
/* The programs: which step comes next. All but the fill levels begin with a probe. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "engines/qlc/plan_internal.h"

#define LONGER	 1.5  /* burst: an idle time that did not do grows by this */
#define SHORTER	 0.85 /* one that did for HELD bursts shrinks */
#define HELD	 3
#define TRIES	 10   /* for each of the bursts that are to stay inside in a row */
#define EMPTYING 1.25 /* fill levels: times what the slow speed takes for the cache */
#define SHORTEST 50   /* a burst needs no idle time when this part of the first one does */

static struct step write_step(const char *what, enum step_goal goal)
{
	return (struct step){.kind = STEP_WRITE, .goal = goal, .what = what};
}

static struct step idle_step(double idle_s)
{
	return (struct step){.kind = STEP_IDLE,
			     .goal = GOAL_TIME,
			     .what = "idle",
			     .duration_ns = (uint64_t)(idle_s * 1e9)};
}

static bool probe_step(struct qlc_plan *plan, struct step *step)
{
	*step = write_step("probe", GOAL_CLIFF);
	return plan->mode.stage++ == 0;
}

/*
 * The probe, or the way to the cliff that is known, while it is to come. What follows writes over
 * what the probe wrote, the oldest first: so the drive gets no fuller, and its cache no smaller,
 * while it is measured.
 */
static bool begins(struct qlc_plan *plan, struct step *step)
{
	if (plan->mode.stage == 0 && plan->options.cache_bytes) {
		*step = write_step("to the cliff", GOAL_KNOWN_CLIFF);
		plan->mode.stage++;
		return true;
	}
	if (plan->mode.stage == 0)
		return probe_step(plan, step);
	if (plan->mode.stage++ == 1 && plan->cache_bytes)
		plan_area(plan, 0,
			  plan->area.used < plan_blocks(plan) ? plan->area.used
							      : plan_blocks(plan));
	return false;
}

static bool sustain_step(struct qlc_plan *plan, struct step *step)
{
	const struct qlc_options *options = &plan->options;

	if (begins(plan, step))
		return true;
	if (!plan->cache_bytes || plan->mode.index++)
		return false;
	*step = write_step("sustain", options->sustain_s > 0.0 ? GOAL_TIME : GOAL_BYTES);
	step->duration_ns = (uint64_t)(options->sustain_s * 1e9);
	step->bytes = options->sustain_bytes ? options->sustain_bytes
					     : CACHES_TO_SUSTAIN * plan->cache_bytes;
	return true;
}

/* Every idle time once, in random order; and again, for every repetition. */
static void shuffle_idles(struct qlc_plan *plan)
{
	struct mode_state *mode = &plan->mode;
	unsigned count = plan->options.idle_count, repeat, i;

	for (repeat = 0; repeat < plan->options.repeats; repeat++) {
		unsigned *order = mode->order + repeat * count;

		for (i = 0; i < count; i++) {
			unsigned other = random_below(random_next(&plan->random), i + 1);

			order[i] = order[other];
			order[other] = i;
		}
	}
	mode->order_count = count * plan->options.repeats;
}

static bool recover_step(struct qlc_plan *plan, struct step *step)
{
	struct mode_state *mode = &plan->mode;

	if (begins(plan, step))
		return true;
	if (!plan->cache_bytes)
		return false;
	if (!mode->order_count)
		shuffle_idles(plan);
	if (mode->index == 2 * mode->order_count)
		return false;
	if (mode->index++ % 2 == 0) {
		mode->idle_s = plan->options.idle_s[mode->order[mode->index / 2]];
		*step = idle_step(mode->idle_s);
		return true;
	}
	*step = write_step("recover", GOAL_KNOWN_CLIFF);
	step->idle_s = mode->idle_s;
	return true;
}

/* How the burst that is over changes the idle time before the next one. */
static void adapt_idle(struct mode_state *mode, const struct step *burst)
{
	if (burst->cliff_met) {
		mode->failed_s = mode->idle_s;
		mode->held = 0;
		mode->idle_s *= LONGER;
		return;
	}
	mode->held++;
	mode->held_s = mode->idle_s;
	if (mode->held % HELD || mode->idle_s * SHORTER <= mode->failed_s ||
	    mode->idle_s * SHORTER < mode->first_s / SHORTEST)
		return;
	mode->idle_s *= SHORTER;
	mode->held = 0;
}

uint64_t plan_burst_bytes(const struct qlc_plan *plan)
{
	uint64_t bytes = plan->options.burst_bytes;

	if (!bytes)
		bytes = (uint64_t)(plan->options.burst_cache_share * (double)plan->cache_bytes);
	bytes -= bytes % plan->options.block_bytes;
	return bytes ? bytes : plan->options.block_bytes;
}

/* Long enough to write the burst at the slow speed. */
static double first_idle_s(const struct qlc_plan *plan)
{
	if (plan->options.idle_count && plan->options.idle_s[0] > 0.0)
		return plan->options.idle_s[0];
	return (double)plan_burst_bytes(plan) / plan->slow;
}

static bool burst_step(struct qlc_plan *plan, struct step *step)
{
	struct mode_state *mode = &plan->mode;

	if (begins(plan, step))
		return true;
	if (!plan->cache_bytes || plan_burst_bytes(plan) > plan->cache_bytes)
		return false;
	if (mode->index == 0)
		mode->idle_s = mode->first_s = first_idle_s(plan);
	if (mode->index++ % 2 == 0) {
		if (mode->index > 1)
			adapt_idle(mode, plan_last(plan));
		if (mode->held >= plan->options.bursts ||
		    mode->index / 2 > TRIES + TRIES * plan->options.bursts)
			return false;
		*step = idle_step(mode->idle_s);
		return true;
	}
	*step = write_step("burst", GOAL_BYTES);
	step->bytes = plan_burst_bytes(plan);
	step->idle_s = mode->idle_s;
	return true;
}

double level_rest_s(double rest_s, uint64_t cache_bytes, double slow)
{
	return cache_bytes ? fmax(rest_s, EMPTYING * (double)cache_bytes / slow) : rest_s;
}

/* For each level: fill up to it, rest, probe what is left, trim that. */
static bool level_step(struct qlc_plan *plan, struct step *step)
{
	struct mode_state *mode = &plan->mode;
	unsigned level = mode->index / 4;
	uint64_t filled;

	if (level == plan->options.level_count)
		return false;
	filled = plan_blocks(plan) * plan->options.level_percent[level] / 100;
	switch (mode->index++ % 4) {
	case 0:
		plan_area(plan, mode->filled_blocks, plan_blocks(plan) - mode->filled_blocks);
		plan->area.is_random = false;
		*step = write_step("fill", GOAL_BYTES);
		step->bytes = (filled - mode->filled_blocks) * plan->options.block_bytes;
		mode->filled_blocks = filled;
		break;
	case 1:
		*step = idle_step(
			level_rest_s(plan->options.rest_s, plan->cache_bytes, plan->slow));
		break;
	case 2:
		plan_area(plan, filled, plan_blocks(plan) - filled);
		*step = write_step("probe", GOAL_CLIFF);
		break;
	default:
		*step = (struct step){.kind = STEP_TRIM, .goal = GOAL_BYTES, .what = "trim"};
		step->bytes = (plan_blocks(plan) - filled) * plan->options.block_bytes;
	}
	step->level_percent = plan->options.level_percent[level];
	return true;
}

mode_step *const mode_steps[QLC_MODES] = {
	[QLC_PROBE] = probe_step,     [QLC_RECOVER] = recover_step,   [QLC_BURST] = burst_step,
	[QLC_SUSTAIN] = sustain_step, [QLC_FILL_LEVELS] = level_step,
};
