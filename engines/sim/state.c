/* SPDX-License-Identifier: GPL-2.0-only */
/* A drive's state: its layout, its birth, its end by purge, and what is told about it. */
#include <string.h>

#include "engines/sim/state.h"

/* A buffer that is large against the cache or the spare area would blur their edges on a small
 * scale. */
#define BUFFER_PART  200
#define BUFFER_LEAST 64

static uint64_t align_up(uint64_t bytes, uint64_t to)
{
	return (bytes + to - 1) / to * to;
}

static uint64_t place(uint64_t *end, uint64_t bytes, uint64_t alignment)
{
	uint64_t at = align_up(*end, alignment);

	*end = at + bytes;
	return at;
}

/* Where everything lies, for a model at a scale. Granules come last and begin on their own page. */
static void plan_layout(struct sim_state *state, const struct sim_params *params, unsigned scale)
{
	struct ftl *ftl = &state->ftl;
	uint64_t end = sizeof(*state);

	state->magic = STATE_MAGIC;
	state->scale = scale;
	state->capacity_bytes = scaled_capacity_bytes(params, scale);
	state->pages = state->capacity_bytes / SIM_PAGE_BYTES;
	state->granules = (state->pages + GRANULE_PAGES - 1) / GRANULE_PAGES;
	ftl_plan(ftl, params, state->pages);
	ftl->map_at = place(&end, (uint64_t)ftl->pages * sizeof(uint32_t), 64);
	ftl->reverse_at = place(&end, (uint64_t)ftl->blocks * BLOCK_PAGES * sizeof(uint32_t), 64);
	ftl->blocks_at = place(&end, (uint64_t)ftl->blocks * sizeof(struct ftl_block), 64);
	slc_init(state, params);
	state->mapped_at =
		place(&end, params->ideal ? 0 : state->granules * sizeof(uint64_t), 4096);
	state->slc_at = place(
		&end, has_slc(state) ? state->granules * sizeof(struct slc_granule) : 0, 4096);
	state->bytes = align_up(end, 4096);
}

size_t sim_state_bytes(const struct sim_model *model, unsigned scale)
{
	struct sim_state plan = {0};

	plan_layout(&plan, &model->params, scale);
	return plan.bytes;
}

uint64_t state_solid_bytes(const struct sim_model *model, unsigned scale)
{
	struct sim_state plan = {0};

	plan_layout(&plan, &model->params, scale);
	return plan.mapped_at;
}

/* Drain time of a page in 1/16 ns at a speed in kB/s; 0 kB/s: no time. */
static uint64_t page_time(int64_t kbps)
{
	return kbps ? (uint64_t)SIM_PAGE_BYTES * (1000000 << DRAIN_FRACTION) / (uint64_t)kbps : 0;
}

static uint64_t buffer_size(const struct sim_state *state, const struct sim_params *params)
{
	uint64_t pages = (uint64_t)params->buffer_pages, limit = pages;
	uint64_t slc = state->slc.static_pages + state->slc.dynamic_pages;
	uint64_t spare = (uint64_t)((double)state->pages * (double)params->spare_share / 1e6);

	if (slc && slc / BUFFER_PART < limit)
		limit = slc / BUFFER_PART;
	if (spare && spare / BUFFER_PART < limit)
		limit = spare / BUFFER_PART;
	return limit > BUFFER_LEAST ? limit : BUFFER_LEAST;
}

static uint64_t without_hiccups(const struct sim_params *params, int64_t op_ns)
{
	return (uint64_t)op_ns -
	       (((uint64_t)params->hiccup_chance * (uint64_t)params->hiccup_ns) >> 32);
}

static void init_speeds(struct sim_state *state, const struct sim_params *params)
{
	struct drain *drain = &state->drain;

	state->read_op_ns = without_hiccups(params, params->read_op_ns);
	state->write_op_ns = without_hiccups(params, params->write_op_ns);
	drain->random_page = page_time(params->random_kbps);
	drain->sequential_page = page_time(params->sequential_kbps);
	drain->slc_full_page = page_time(params->slc_after_kbps);
	drain->buffer_pages = buffer_size(state, params);
	state->slc.fold_page = page_time(params->slc_fold_kbps);
	if (params->read_tail_chance)
		tail_table(state->read_tail_ns, params->read_tail_min_ns, params->read_tail_max_ns,
			   params->read_tail_shape);
	if (params->write_tail_chance)
		tail_table(state->write_tail_ns, params->write_tail_min_ns,
			   params->write_tail_max_ns, params->write_tail_shape);
}

int sim_state_init(struct sim_state *state, const struct sim_model *model, unsigned scale,
		   uint64_t seed, struct error *err)
{
	const struct sim_params *params = &model->params;

	if (!scale || (uint64_t)params->capacity_bytes / scale < (1 << 20))
		return error_set(err, "scale %u leaves less than 1 MiB of the drive '%s'", scale,
				 params->word);
	plan_layout(state, params, scale);
	state->seed = seed;
	init_speeds(state, params);
	events_init(state, params);
	ftl_reset(state);
	return 0;
}

void state_restart(struct sim_state *state)
{
	state->mapped_pages = state->host_written_bytes = 0;
	state->slc.used = state->slc.head = state->slc.tail = 0;
	state->drain.unit_pages = 0;
	ftl_reset(state);
}

void sim_state_purge(struct sim_state *state)
{
	memset((char *)state + state->mapped_at, 0, state->bytes - state->mapped_at);
	state_restart(state);
}

void state_repair(struct sim_state *state)
{
	ftl_rebuild(state);
}

/* What a call indexes or counts by. */
static bool running_is_sound(const struct sim_state *state, const struct sim_params *params,
			     uint64_t *offset)
{
	*offset = offsetof(struct sim_state, mapped_pages);
	if (state->mapped_pages > state->pages)
		return false;
	*offset = offsetof(struct sim_state, throttle);
	if (state->throttle < -1 || state->throttle >= params->event_count)
		return false;
	*offset = offsetof(struct sim_state, next_read_run);
	if (state->next_read_run >= READ_RUNS)
		return false;
	*offset = offsetof(struct sim_state, drain.next_die);
	if (!params->ideal && state->drain.next_die >= params->dies)
		return false;
	*offset = offsetof(struct sim_state, drain.unit_pages);
	return state->drain.unit_pages <= state->pages;
}

/* Compares the fixed part of the layout with what the model asks for. */
bool state_is_sound(struct sim_state *state, const struct sim_model *model, unsigned scale,
		    uint64_t *offset)
{
	struct sim_state plan = {0};

	plan_layout(&plan, &model->params, scale);
	*offset = offsetof(struct sim_state, magic);
	if (state->magic != plan.magic || state->bytes != plan.bytes || state->scale != plan.scale)
		return false;
	*offset = offsetof(struct sim_state, pages);
	if (state->pages != plan.pages || state->capacity_bytes != plan.capacity_bytes ||
	    state->granules != plan.granules || state->mapped_at != plan.mapped_at ||
	    state->slc_at != plan.slc_at)
		return false;
	if (!running_is_sound(state, &model->params, offset))
		return false;
	*offset = offsetof(struct sim_state, ftl);
	if (state->ftl.pages != plan.ftl.pages || state->ftl.blocks != plan.ftl.blocks ||
	    state->ftl.map_at != plan.ftl.map_at || state->ftl.reverse_at != plan.ftl.reverse_at ||
	    state->ftl.blocks_at != plan.ftl.blocks_at)
		return false;
	return ftl_is_sound(state, offset);
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

void sim_state_status(const struct sim_state *state, const struct sim_model *model,
		      struct sim_status *status)
{
	const struct sim_params *params = &model->params;
	bool throttled = state->throttle >= 0;

	*status = (struct sim_status){
		.drive_time_ns = state->latest + state->stalled_ns,
		.host_written_bytes = state->host_written_bytes,
		.fill_share = share(state->mapped_pages, state->pages),
		.waf = (double)state->ftl.waf_q16 / ONE_Q16,
		.spare_share =
			state->ftl.blocks ? share(state->ftl.free_blocks, state->ftl.blocks) : 1,
		.slc_used_bytes = state->slc.used * SIM_PAGE_BYTES,
		.slc_size_bytes = slc_size_pages(state) * SIM_PAGE_BYTES,
		.temperature_c = (double)params->temperature_mc / 1000,
		.throttled = throttled,
	};
	if (throttled)
		status->temperature_c = params->events[state->throttle].temperature_c;
}
