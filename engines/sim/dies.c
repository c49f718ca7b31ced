/* SPDX-License-Identifier: GPL-2.0-only */
/* The dies: reads sense and transfer on them, programs stand in their way. */
#include "base/random.h"
#include "engines/sim/state.h"

/*
 * One die serves a read from `ready` on: after earlier reads, or after the rest of a program (at
 * most a slice of it, then it is suspended). Returns when the transfer has ended.
 */
static uint64_t die_serve(struct sim_state *state, const struct sim_params *params,
			  const struct io *io, uint64_t die, uint64_t service)
{
	uint64_t *program = &state->die_program[die];
	uint64_t begin = io->ready, rest;

	if (state->die_free[die] > begin) {
		begin = state->die_free[die];
	} else if (*program > begin) {
		rest = *program - begin;
		if (rest > (uint64_t)params->suspend_slice_ns)
			rest = (uint64_t)params->suspend_slice_ns;
		begin += (rest * (io->random & 0xffff)) >> 16;
	}
	if (*program > io->ready)
		*program += service;
	state->die_free[die] = begin + service;
	return state->die_free[die];
}

/* More stripes than dies: each die serves its share at once. */
static uint64_t read_all_dies(struct sim_state *state, const struct sim_params *params,
			      const struct io *io, uint64_t stripes, uint64_t sense)
{
	uint64_t dies = (uint64_t)params->dies, die, done = 0;
	uint64_t share = (io->pages + dies - 1) / dies, senses = (stripes + dies - 1) / dies;
	uint64_t service = senses * sense + share * (uint64_t)params->die_transfer_ns;

	for (die = 0; die < dies; die++)
		done = later(done, die_serve(state, params, io, die, service));
	return done + share * (uint64_t)params->link_read_page_ns;
}

static inline uint64_t stripe_die(const struct sim_params *params, uint64_t stripe)
{
	if (params->placement == PLACE_STRIPE)
		return stripe % (uint64_t)params->dies;
	return random_below(mix64(stripe), (uint32_t)params->dies);
}

/* Returns when the last page has crossed the link: transfer is pipelined with sensing. */
uint64_t dies_read(struct sim_state *state, const struct sim_params *params, const struct io *io)
{
	uint64_t size = (uint64_t)params->stripe_pages, page = io->page, end = page + io->pages;
	uint64_t transfer = (uint64_t)params->die_transfer_ns, done, next, service;
	uint64_t stripe_shift = (uint64_t)__builtin_ctzll(size);
	uint64_t stripes = ((end - 1) >> stripe_shift) - (page >> stripe_shift) + 1;
	uint64_t sense =
		(uint64_t)(has_slc(state) && slc_holds(state, page) ? params->die_slc_read_ns
								    : params->die_read_ns);

	if (state->drain.clock > io->now << DRAIN_FRACTION)
		state->drain.clock += ((stripes * sense + io->pages * transfer) << DRAIN_FRACTION) /
				      (uint64_t)params->dies;
	done = io->through + sense + transfer;
	if (stripes > (uint64_t)params->dies)
		return later(done, read_all_dies(state, params, io, stripes, sense));
	for (; page < end; page = next) {
		next = ((page >> stripe_shift) + 1) << stripe_shift;
		if (next > end)
			next = end;
		service = sense + (next - page) * transfer;
		done = later(done, die_serve(state, params, io,
					     stripe_die(params, page >> stripe_shift), service) +
					   (next - page) * (uint64_t)params->link_read_page_ns);
	}
	return done;
}

/*
 * Programs that reads meet: each unit of host pages goes to the next die, which is never more than
 * a few programs behind the buffer's drain.
 */
void dies_program(struct sim_state *state, const struct sim_params *params, uint64_t pages,
		  uint64_t start)
{
	struct drain *drain = &state->drain;
	uint64_t unit = (uint64_t)params->program_unit_pages;
	uint64_t length = ((uint64_t)params->program_ns * state->ftl.waf_q16) >> 16;
	uint64_t limit = (drain->clock >> DRAIN_FRACTION) + 4 * (uint64_t)params->program_ns, end;

	for (drain->unit_pages += pages; drain->unit_pages >= unit; drain->unit_pages -= unit) {
		end = later(start, state->die_program[drain->next_die]) + length;
		state->die_program[drain->next_die] = end < limit ? end : limit;
		drain->next_die = drain->next_die + 1 == params->dies ? 0 : drain->next_die + 1;
	}
}
