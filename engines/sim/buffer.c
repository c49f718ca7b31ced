/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The DRAM write buffer as a fluid: one clock says when it will be empty. (A ring of releases tied
 * to real programs would lock all dies into one phase and make bursts out of nothing.)
 */
#include "engines/sim/state.h"

#define SEQUENTIAL_PAGES 8 /* a write at least this large drains at the sequential speed */

static uint64_t page_drain(const struct sim_state *state, const struct io *io)
{
	const struct drain *drain = &state->drain;
	uint64_t page = io->pages < SEQUENTIAL_PAGES ? drain->random_page : drain->sequential_page;

	return slowed(state, (page * state->ftl.waf_q16) >> 16);
}

uint64_t buffer_write(struct sim_state *state, const struct sim_params *params, const struct io *io,
		      bool *waited)
{
	struct drain *drain = &state->drain;
	uint64_t arrived = io->through << DRAIN_FRACTION;
	uint64_t page = page_drain(state, io), slow = 0, acknowledged, room;

	if (has_slc(state))
		slow = slc_write(state, io->page, io->pages);
	if (drain->clock < arrived)
		drain->clock = arrived;
	drain->clock += (io->pages - slow) * page;
	if (slow) {
		page = slowed(state, drain->slc_full_page);
		drain->clock += slow * page;
	}
	room = drain->buffer_pages * page;
	*waited = drain->clock - arrived > room;
	acknowledged = io->through;
	if (*waited)
		acknowledged += (drain->clock - arrived - room) >> DRAIN_FRACTION;
	dies_program(state, params, io->pages, acknowledged);
	return acknowledged;
}
