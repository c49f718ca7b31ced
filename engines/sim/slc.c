/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The SLC cache: a static part, and a dynamic part that shrinks as the drive fills. It holds unique
 * pages, so overwriting a page that is in it takes no room. Pages leave it in the order they came
 * (folding to QLC), at once when it is full and in idle time.
 */
#include "engines/sim/state.h"

/* Static + dynamic, the dynamic part falling linearly from full_until to none_from. */
uint64_t slc_size_pages(const struct sim_state *state)
{
	const struct slc *slc = &state->slc;
	uint64_t mapped = state->mapped_pages, span = slc->none_from_pages - slc->full_until_pages;

	if (mapped <= slc->full_until_pages)
		return slc->static_pages + slc->dynamic_pages;
	if (mapped >= slc->none_from_pages)
		return slc->static_pages;
	return slc->static_pages +
	       (uint64_t)((double)slc->dynamic_pages * (double)(slc->none_from_pages - mapped) /
			  (double)span);
}

static uint64_t scaled_pages(int64_t bytes, uint64_t scale)
{
	return (uint64_t)bytes / scale / SIM_PAGE_BYTES;
}

static uint64_t share_of(uint64_t pages, int64_t millionths)
{
	return (uint64_t)((double)pages * (double)millionths / 1e6);
}

void slc_init(struct sim_state *state, const struct sim_params *params)
{
	struct slc *slc = &state->slc;

	slc->static_pages = scaled_pages(params->slc_static_bytes, state->scale);
	slc->dynamic_pages = scaled_pages(params->slc_dynamic_bytes, state->scale);
	slc->full_until_pages = share_of(state->pages, params->slc_full_until);
	slc->none_from_pages = share_of(state->pages, params->slc_none_from);
	slc->idle_ns = (uint64_t)params->slc_idle_ns / state->scale;
}

bool slc_holds(struct sim_state *state, uint64_t page)
{
	const struct slc_granule *granule = &state_slc(state)[page / GRANULE_PAGES];

	return granule->stamp > state->slc.tail && (granule->pages >> (page % GRANULE_PAGES) & 1);
}

/* The oldest `pages` leave. Stamps are spread evenly over what is held. */
static void slc_fold(struct slc *slc, uint64_t pages)
{
	if (pages >= slc->used) {
		slc->used = 0;
		slc->tail = slc->head;
		return;
	}
	slc->tail +=
		(uint64_t)((double)pages * (double)(slc->head - slc->tail) / (double)slc->used);
	slc->used -= pages;
}

/* Once idle for long enough, the drive folds until the next I/O comes. */
void slc_recover(struct sim_state *state, uint64_t now)
{
	struct slc *slc = &state->slc;
	uint64_t begin = state->busy_until + slc->idle_ns;

	if (!slc->used || now <= begin)
		return;
	slc_fold(slc, ((now - begin) << DRAIN_FRACTION) / slc->fold_page);
}

/* Pages of one granule enter; returns how many were not there. */
static uint64_t granule_enter(struct slc *slc, struct slc_granule *granule, uint64_t mask)
{
	uint64_t fresh;

	if (granule->stamp <= slc->tail)
		granule->pages = 0;
	fresh = (uint64_t)__builtin_popcountll(mask & ~granule->pages);
	granule->pages |= mask;
	slc->head += fresh;
	granule->stamp = slc->head;
	slc->used += fresh;
	return fresh;
}

/*
 * Pages go into the cache. When it is full, older ones are folded to make room; the pages that had
 * to wait for that are returned.
 */
uint64_t slc_write(struct sim_state *state, uint64_t page, uint64_t pages)
{
	struct slc *slc = &state->slc;
	uint64_t end = page + pages, run, fresh = 0, size, excess;

	for (; page < end; page += run) {
		run = granule_run(page, end);
		fresh += granule_enter(slc, &state_slc(state)[page / GRANULE_PAGES],
				       granule_mask(page, run));
	}
	size = slc_size_pages(state);
	if (slc->used <= size)
		return 0;
	excess = slc->used - size;
	/* A cache that shrank gives back twice what is written, not all at once. */
	slc_fold(slc, excess < 2 * fresh ? excess : 2 * fresh);
	return fresh < excess ? fresh : excess;
}

void slc_forget(struct sim_state *state, uint64_t page, uint64_t pages)
{
	struct slc *slc = &state->slc;
	uint64_t end = page + pages, run, mask, gone;
	struct slc_granule *granule;

	for (; page < end; page += run) {
		run = granule_run(page, end);
		mask = granule_mask(page, run);
		granule = &state_slc(state)[page / GRANULE_PAGES];
		if (!(granule->pages & mask))
			continue;
		gone = granule->stamp > slc->tail
			       ? (uint64_t)__builtin_popcountll(granule->pages & mask)
			       : 0;
		granule->pages &= ~mask;
		slc->used -= gone < slc->used ? gone : slc->used;
	}
}
