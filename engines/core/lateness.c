/* SPDX-License-Identifier: GPL-2.0-only */
/* How late I/Os left, and whether the drive or the machine was the cause. */
#include "engines/core/lateness.h"

/* An I/O that leaves later than this with a free slot met a thread that did not run. */
#define STALL_NS NS_PER_MSEC

/* An I/O left this late although a slot was free: for so long the thread stood still. */
static SLOW_PATH void note_stall(struct engine *engine, const struct io_slot *slot)
{
	uint64_t late_ns = slot->issue_ns - slot->due_ns;

	if (slot->due_ns >= engine->stall_end_ns || late_ns > engine->stall_ns)
		engine->stall_ns = late_ns;
	engine->stall_end_ns = slot->issue_ns;
}

/*
 * I/Os that pile up while the thread stands still meet the limit when it goes on. They, and those
 * that fall due before all have left, are late by the stall and not by the drive, as long as they
 * are no later than it was long.
 */
static SLOW_PATH bool is_behind_stall(struct engine *engine, const struct io_slot *slot)
{
	if (slot->issue_ns - slot->due_ns > engine->stall_ns)
		return false;
	engine->stall_end_ns = slot->issue_ns;
	return true;
}

/*
 * Lateness that the in-flight limit caused is the drive's, lateness with a free slot is our own: an
 * I/O was held by the limit when a slot came free only after it was due.
 */
static inline bool is_held_by_limit(struct engine *engine, const struct io_slot *slot)
{
	return slot->due_ns < engine->released_ns &&
	       (slot->due_ns >= engine->stall_end_ns || !is_behind_stall(engine, slot));
}

static void account_lateness(struct engine *engine, const struct io_slot *slot, bool at_limit)
{
	struct engine_stats *stats = engine->stats;
	uint64_t late_ns = slot->issue_ns - slot->due_ns;

	if (slot->due_ns >= stats->window_start_ns)
		stats->due_and_sent++;
	if (at_limit) {
		histogram_add(&stats->late_at_limit, late_ns);
		return;
	}
	histogram_add(&stats->late_free_slot, late_ns);
	if (late_ns > STALL_NS)
		note_stall(engine, slot);
}

static void account_one(struct engine *engine, const struct io_u *io_u)
{
	const struct io_slot *slot = &engine->slots[io_u->index];
	bool at_limit = engine->load->paced && is_held_by_limit(engine, slot);

	if (slot->is_counted && engine->load->paced)
		account_lateness(engine, slot, at_limit);
	if (engine->load->ops->left)
		engine->load->ops->left(engine->load, io_u, slot, at_limit);
}

SLOW_PATH void account_prepared(struct engine *engine)
{
	unsigned i;

	for (i = 0; i < engine->prepared_count; i++)
		account_one(engine, engine->prepared[i]);
}
