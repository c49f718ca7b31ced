/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parameters of a simulated drive, as a model file gives them: plain numbers in fixed units and
 * no pointers, so that a state file can carry a copy. Speeds are effective ones: several sets of
 * die counts and times describe the same drive equally well.
 */
#ifndef SSDREVIEW_SIM_PARAMS_H
#define SSDREVIEW_SIM_PARAMS_H

#include "engines/sim/sim.h"

#define SIM_PAGE_SHIFT 12 /* the mapping unit of every model: 4 KiB */
#define SIM_PAGE_BYTES (1u << SIM_PAGE_SHIFT)
#define SIM_MAX_DIES   256

enum sim_placement { PLACE_HASH, PLACE_STRIPE };

/* A chance is in units of 2^-32, a share in millionths, a speed in kB/s, a shape in thousandths. */
struct sim_params {
	char word[64], drive[96];
	int64_t capacity_bytes, block_bytes, endurance_bytes;
	int64_t ideal; /* 1: only [latency] read, write, and events count */

	/* Controller: one server for both directions. */
	int64_t read_op_ns, write_op_ns, hiccup_chance, hiccup_ns;

	/*
	 * Link: one server a direction. The set-up belongs to commands longer than a page, the
	 * jump to each page of such a read that does not go on where an earlier one ended.
	 */
	int64_t link_read_page_ns, link_write_page_ns, link_read_setup_ns, link_write_setup_ns;
	int64_t link_read_jump_page_ns;

	/* Dies. */
	int64_t dies, stripe_pages, placement;
	int64_t die_read_ns, die_slc_read_ns, die_transfer_ns;
	int64_t program_unit_pages, program_ns, suspend_slice_ns;

	/* Pure delays, after all queues. */
	int64_t read_ns, write_ns, read_page_ns, write_page_ns, unmapped_ns;
	int64_t read_tail_chance, read_tail_min_ns, read_tail_max_ns, read_tail_shape;
	int64_t write_tail_chance, write_tail_min_ns, write_tail_max_ns, write_tail_shape;

	/* Write buffer and the speeds at which it drains. */
	int64_t buffer_pages, random_kbps, sequential_kbps, power_protected;

	/* SLC cache; both sizes 0: the drive has none. */
	int64_t slc_static_bytes, slc_dynamic_bytes, slc_full_until, slc_none_from;
	int64_t slc_after_kbps, slc_fold_kbps, slc_idle_ns;

	/* Garbage collection; spare 0: none. */
	int64_t spare_share, reclaim_below;

	int64_t temperature_mc; /* thousandths of a degree, when not throttled */

	struct sim_event events[SIM_MAX_EVENTS];
	int64_t event_count;
};

/* Whole pages: the capacity of a drive at a scale. */
static inline uint64_t scaled_capacity_bytes(const struct sim_params *params, uint64_t scale)
{
	return (uint64_t)params->capacity_bytes / scale & -(uint64_t)SIM_PAGE_BYTES;
}

struct sim_model {
	struct sim_params params;
	struct sim_published *published;
	size_t published_count;
};

/*
 * Sets a key of an object by its name in a section of a model file: struct sim_event for "event
 * NAME", struct sim_published for "published NAME", struct sim_params for all others.
 */
int model_key_set(const char *section, const char *name, const char *value, void *object,
		  struct error *err);

/* Checks what single keys cannot: keys that must be there, sizes that must fit one another. */
int params_check(const struct sim_params *params, struct error *err);
int event_check(const struct sim_event *event, struct error *err);

#endif
