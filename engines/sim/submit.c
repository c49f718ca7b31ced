/* SPDX-License-Identifier: GPL-2.0-only */
/* One I/O through the drive: controller, link, then dies (read) or buffer (write), then delays. */
#include <assert.h>

#include "base/random.h"
#include "engines/sim/state.h"

/* One server for both directions; now and then a command takes much longer. */
static void pass_controller(struct sim_state *state, const struct sim_params *params, struct io *io,
			    uint64_t cost)
{
	if (params->hiccup_chance && io->random >> 32 < (uint64_t)params->hiccup_chance)
		cost += (uint64_t)params->hiccup_ns;
	io->ready = later(io->now, state->controller) + slowed(state, cost);
	state->controller = io->ready;
}

/* Reserved now, in order of submission, not when the data is there. */
static void pass_link(const struct sim_state *state, uint64_t *link, struct io *io, int64_t page_ns,
		      int64_t setup_ns)
{
	uint64_t cost = io->pages * (uint64_t)page_ns + (io->pages > 1 ? (uint64_t)setup_ns : 0);

	io->ready = later(io->ready, *link);
	io->through = io->ready + slowed(state, cost);
	*link = io->through;
}

/* Does a read go on where one of the last ended? Then the drive was reading ahead. */
static bool is_read_ahead(struct sim_state *state, const struct io *io)
{
	uint32_t run = 0;

	while (run < READ_RUNS && state->read_run_end[run] != io->page)
		run++;
	if (run < READ_RUNS) {
		state->read_run_end[run] = io->page + io->pages;
		return true;
	}
	state->read_run_end[state->next_read_run] = io->page + io->pages;
	state->next_read_run = (state->next_read_run + 1) % READ_RUNS;
	return false;
}

/* What a page of a read costs the link. */
static int64_t read_page_cost(struct sim_state *state, const struct sim_params *params,
			      const struct io *io)
{
	if (!params->link_read_jump_page_ns || is_read_ahead(state, io) || io->pages == 1)
		return params->link_read_page_ns;
	return params->link_read_page_ns + params->link_read_jump_page_ns;
}

static uint64_t tail(int64_t chance, const uint32_t *table, struct io *io)
{
	if (!chance)
		return 0;
	io->random = mix64(io->random + 1);
	if (io->random >> 32 >= (uint64_t)chance)
		return 0;
	return table[io->random % TAIL_STEPS];
}

static uint64_t read_pages(struct sim_state *state, const struct sim_params *params, struct io *io)
{
	uint64_t done;

	pass_controller(state, params, io, state->read_op_ns);
	pass_link(state, &state->link_read, io, read_page_cost(state, params, io),
		  params->link_read_setup_ns);
	if (!mapping_count(state, io->page, io->pages))
		return io->through + (uint64_t)params->unmapped_ns;
	done = dies_read(state, params, io) + (uint64_t)params->read_ns +
	       io->pages * (uint64_t)params->read_page_ns;
	return done + tail(params->read_tail_chance, state->read_tail_ns, io);
}

static uint64_t write_pages(struct sim_state *state, const struct sim_params *params, struct io *io)
{
	uint64_t done;
	bool waited;

	pass_controller(state, params, io, state->write_op_ns);
	pass_link(state, &state->link_write, io, params->link_write_page_ns,
		  params->link_write_setup_ns);
	mapping_set(state, io->page, io->pages);
	if (state->ftl.pages)
		ftl_write(state, io->page, io->pages);
	done = buffer_write(state, params, io, &waited) + (uint64_t)params->write_ns +
	       io->pages * (uint64_t)params->write_page_ns;
	if (waited)
		done += tail(params->write_tail_chance, state->write_tail_ns, io);
	return done;
}

/*
 * A write with FUA. A buffer without power protection drains in the order it was filled, so the
 * data is on the medium when everything up to it has drained: what a flush behind it waits for.
 */
static uint64_t write_through(struct sim_state *state, const struct sim_params *params,
			      struct io *io)
{
	uint64_t done = write_pages(state, params, io), drained;

	if (params->power_protected)
		return done;
	drained = state->drain.clock >> DRAIN_FRACTION;
	return later(done, drained + (uint64_t)params->write_ns);
}

/* TRIM and write zeroes: nothing crosses the link, the pages are unmapped. */
static uint64_t unmap_pages(struct sim_state *state, const struct sim_params *params, struct io *io)
{
	pass_controller(state, params, io, state->write_op_ns);
	if (io->pages) {
		mapping_clear(state, io->page, io->pages);
		if (has_slc(state))
			slc_forget(state, io->page, io->pages);
		if (state->ftl.pages)
			ftl_trim(state, io->page, io->pages);
	}
	return io->ready + (uint64_t)params->unmapped_ns;
}

/* Without power protection a flush waits until the buffer is empty. */
static uint64_t flush(struct sim_state *state, const struct sim_params *params, struct io *io)
{
	uint64_t empty = params->power_protected ? 0 : state->drain.clock >> DRAIN_FRACTION;

	pass_controller(state, params, io, state->write_op_ns);
	return later(io->ready, empty) + (uint64_t)params->write_ns;
}

/* Pages an I/O touches; for an unmapping one those it covers in full. */
static void io_pages(struct io *io, enum sim_op op, uint64_t offset, uint64_t bytes)
{
	uint64_t end = offset + bytes;

	io->page = offset >> SIM_PAGE_SHIFT;
	io->pages = ((end + SIM_PAGE_BYTES - 1) >> SIM_PAGE_SHIFT) - io->page;
	if (op != SIM_TRIM && op != SIM_WRITE_ZEROES)
		return;
	io->page = (offset + SIM_PAGE_BYTES - 1) >> SIM_PAGE_SHIFT;
	end >>= SIM_PAGE_SHIFT;
	io->pages = end > io->page ? end - io->page : 0;
}

static uint64_t ideal_io(const struct sim_params *params, enum sim_op op, uint64_t now)
{
	return now + (uint64_t)(op == SIM_READ ? params->read_ns : params->write_ns);
}

static uint64_t model_io(struct sim_state *state, const struct sim_params *params, enum sim_op op,
			 struct io *io)
{
	if (has_slc(state))
		slc_recover(state, io->now);
	switch (op) {
	case SIM_READ:
		return read_pages(state, params, io);
	case SIM_WRITE:
		return write_pages(state, params, io);
	case SIM_WRITE_FUA:
		return write_through(state, params, io);
	case SIM_TRIM:
	case SIM_WRITE_ZEROES:
		return unmap_pages(state, params, io);
	case SIM_FLUSH:
		break;
	}
	return flush(state, params, io);
}

static void assert_inside(const struct sim_state *state, const struct sim_params *params,
			  enum sim_op op, uint64_t offset, uint64_t bytes)
{
	uint64_t mask = (uint64_t)params->block_bytes - 1;

	assert(!((offset | bytes) & mask));
	assert(bytes || op == SIM_FLUSH);
	assert(offset <= state->capacity_bytes && bytes <= state->capacity_bytes - offset);
}

uint64_t sim_state_submit(struct sim_state *state, const struct sim_model *model, enum sim_op op,
			  uint64_t offset, uint64_t bytes, uint64_t now_ns, uint64_t *random)
{
	const struct sim_params *params = &model->params;
	struct io io;
	uint64_t done;

	assert_inside(state, params, op, offset, bytes);
	io.now = later(events_enter(state, params, now_ns), state->latest);
	state->latest = io.now;
	if (op == SIM_WRITE || op == SIM_WRITE_FUA)
		state->host_written_bytes += bytes;
	if (params->ideal) {
		done = ideal_io(params, op, io.now);
	} else {
		io.random = random_next(random);
		io_pages(&io, op, offset, bytes);
		done = model_io(state, params, op, &io);
		state->busy_until = later(state->busy_until, done);
	}
	done = events_leave(state, params, done);
	return done > now_ns ? done : now_ns + 1;
}
