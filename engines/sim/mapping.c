/* SPDX-License-Identifier: GPL-2.0-only */
/* Which pages hold data: one bit a page. All zero in a new or purged drive, so that it may be
 * holes. */
#include "engines/sim/state.h"

uint64_t mapping_count(struct sim_state *state, uint64_t page, uint64_t pages)
{
	const uint64_t *mapped = state_mapped(state);
	uint64_t end = page + pages, count = 0, run;

	for (; page < end; page += run) {
		run = granule_run(page, end);
		count += (uint64_t)__builtin_popcountll(mapped[page / GRANULE_PAGES] &
							granule_mask(page, run));
	}
	return count;
}

void mapping_set(struct sim_state *state, uint64_t page, uint64_t pages)
{
	uint64_t *mapped = state_mapped(state);
	uint64_t end = page + pages, run, fresh;

	for (; page < end; page += run) {
		run = granule_run(page, end);
		fresh = granule_mask(page, run) & ~mapped[page / GRANULE_PAGES];
		if (!fresh)
			continue;
		mapped[page / GRANULE_PAGES] |= fresh;
		state->mapped_pages += (uint64_t)__builtin_popcountll(fresh);
	}
}

void mapping_clear(struct sim_state *state, uint64_t page, uint64_t pages)
{
	uint64_t *mapped = state_mapped(state);
	uint64_t end = page + pages, run, gone, count;

	for (; page < end; page += run) {
		run = granule_run(page, end);
		gone = granule_mask(page, run) & mapped[page / GRANULE_PAGES];
		if (!gone)
			continue;
		mapped[page / GRANULE_PAGES] &= ~gone;
		/* A count that a killed user left short must not pass zero. */
		count = (uint64_t)__builtin_popcountll(gone);
		state->mapped_pages -= count < state->mapped_pages ? count : state->mapped_pages;
	}
}
