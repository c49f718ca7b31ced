/* SPDX-License-Identifier: GPL-2.0-only */
/* What comes next in a step: an I/O, a wait, or its end. */
#include "base/random.h"
#include "engines/qlc/plan_internal.h"

#define TRIM_BYTES (1ULL << 30) /* of one trim */
#define RUN_BLOCKS 16

/*
 * Writes in order are decided on some at a time, the first of which was handed out: up to the goal,
 * or the end of the area.
 */
static void begin_run(struct qlc_plan *plan, const struct qlc_io *first)
{
	uint64_t block_bytes = plan->options.block_bytes;
	uint64_t place = plan->area.used % plan->area.blocks;
	uint64_t blocks = place ? plan->area.blocks - place : 0, left;

	if (blocks > RUN_BLOCKS)
		blocks = RUN_BLOCKS;
	if (plan->step.goal == GOAL_BYTES) {
		left = plan->step.bytes > plan->handed_bytes ? plan->step.bytes - plan->handed_bytes
							     : 0;
		left = (left + block_bytes - 1) / block_bytes;
		blocks = left < blocks ? left : blocks;
	}
	plan->run_left = (unsigned)blocks;
	plan->run_offset = first->offset + block_bytes;
	plan->area.used += blocks;
	plan->handed_bytes += blocks * block_bytes;
}

static enum qlc_turn run_turn(struct qlc_plan *plan, struct qlc_io *io)
{
	*io = (struct qlc_io){QLC_WRITE, plan->run_offset, plan->options.block_bytes};
	plan->run_offset += plan->options.block_bytes;
	plan->run_left--;
	plan->in_flight++;
	return QLC_SEND;
}

static enum qlc_turn write_turn(struct qlc_plan *plan, uint64_t now_ns, struct qlc_io *io)
{
	uint64_t block_bytes = plan->options.block_bytes;

	if (plan_goal_is_met(plan, now_ns) || plan_is_out_of_places(plan)) {
		plan->is_ending = true;
		return QLC_DRAIN;
	}
	meter_begin(&plan->meter, now_ns);
	if (plan->options.read_share > 0.0 && plan->area.used &&
	    random_share(random_next(&plan->random)) < plan->options.read_share) {
		*io = (struct qlc_io){
			QLC_READ, area_any(&plan->area, random_next(&plan->random)) * block_bytes,
			block_bytes};
		return QLC_SEND;
	}
	*io = (struct qlc_io){QLC_WRITE, area_next(&plan->area) * block_bytes, block_bytes};
	plan->handed_bytes += block_bytes;
	if (!plan->options.is_random && !(plan->options.read_share > 0.0))
		begin_run(plan, io);
	return QLC_SEND;
}

static enum qlc_turn trim_turn(struct qlc_plan *plan, struct qlc_io *io)
{
	uint64_t left = plan->step.bytes - plan->trim_offset;

	if (!left) {
		plan->is_ending = true;
		return QLC_DRAIN;
	}
	*io = (struct qlc_io){QLC_TRIM,
			      plan->area.first * plan->options.block_bytes + plan->trim_offset,
			      left < TRIM_BYTES ? left : TRIM_BYTES};
	plan->trim_offset += io->bytes;
	return QLC_SEND;
}

static enum qlc_turn step_turn(struct qlc_plan *plan, uint64_t now_ns, struct qlc_io *io,
			       uint64_t *idle_until_ns)
{
	if (plan->step.kind == STEP_WRITE)
		return write_turn(plan, now_ns, io);
	if (plan->step.kind == STEP_TRIM)
		return trim_turn(plan, io);
	*idle_until_ns = plan->step.start_ns + plan->step.duration_ns;
	if (now_ns < *idle_until_ns)
		return QLC_IDLE;
	plan->is_ending = true;
	return QLC_DRAIN;
}

static SLOW_PATH enum qlc_turn next_turn(struct qlc_plan *plan, uint64_t now_ns, struct qlc_io *io,
					 uint64_t *idle_until_ns)
{
	enum qlc_turn turn;

	if (!plan->origin_ns)
		plan->origin_ns = now_ns;
	for (;;) {
		if (plan->is_through)
			return plan->in_flight ? QLC_DRAIN : QLC_END;
		if (!plan->has_step && !plan_begin_step(plan, now_ns)) {
			plan->is_through = true;
			continue;
		}
		turn = plan->is_ending ? QLC_DRAIN : step_turn(plan, now_ns, io, idle_until_ns);
		if (turn == QLC_SEND)
			plan->in_flight++;
		if (turn != QLC_DRAIN || plan->in_flight)
			return turn;
		plan_end_step(plan, now_ns);
	}
}

enum qlc_turn qlc_plan_next(struct qlc_plan *plan, uint64_t now_ns, struct qlc_io *io,
			    uint64_t *idle_until_ns)
{
	if (plan->run_left)
		return run_turn(plan, io);
	return next_turn(plan, now_ns, io, idle_until_ns);
}
