/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a drive in virtual time, and what its parts offer one another. One flat piece of
 * memory: this struct, the small tables of garbage collection, then one record per granule
 * (64 pages) that are holes of a sparse file until the drive is used for the first time.
 *
 * Every queue is a clock: the time at which its server is free. Shared servers are reserved in
 * order of submission, before private ones: a shared server reserved at a future time would hold up
 * I/Os that could pass now.
 *
 * Times are ns of drive time without stalls; pages are 4 KiB.
 */
#ifndef SSDREVIEW_SIM_STATE_H
#define SSDREVIEW_SIM_STATE_H

#include "engines/sim/params.h"

#define STATE_MAGIC    0x31656d6974647373ULL
#define GRANULE_PAGES  64
#define TAIL_STEPS     1024
#define BLOCK_PAGES    64 /* pages of a block of the miniature FTL */
#define BUCKETS	       (BLOCK_PAGES + 1)
#define ONE_Q16	       65536u
#define NO_BLOCK       UINT32_MAX
#define READ_RUNS      16 /* sequential readers that are told apart */
#define DRAIN_FRACTION 4  /* drain times are in 1/16 ns */

/* Time a page takes to leave the write buffer, in 1/16 ns. */
struct drain {
	uint64_t clock; /* when the buffer will be empty, 1/16 ns */
	uint64_t random_page, sequential_page, slc_full_page;
	uint64_t buffer_pages;
	uint64_t unit_pages; /* written and not yet part of a program */
	uint32_t next_die;
};

struct slc {
	uint64_t static_pages, dynamic_pages; /* both 0: no cache */
	uint64_t full_until_pages, none_from_pages;
	uint64_t used, head, tail;   /* pages: held; ever appended; ever folded, as a stamp */
	uint64_t idle_ns, fold_page; /* onset; 1/16 ns a page */
};

/*
 * Host writes and moved pages fill blocks of their own, so that overwriting a region in order
 * leaves whole blocks stale.
 */
enum ftl_stream { STREAM_HOST, STREAM_MOVED };

/* A greedy FTL of a sample of the pages: one of each 2^group_shift, blocks of BLOCK_PAGES. */
struct ftl {
	uint32_t pages, blocks; /* pages 0: no garbage collection */
	uint32_t group_shift;
	uint32_t free_blocks, free_head;
	struct {
		uint32_t block, pages; /* pages: filled so far */
	} open[2];		       /* of enum ftl_stream */
	uint32_t bucket[BUCKETS];      /* closed blocks by number of valid pages */
	uint32_t reclaim_below;	       /* blocks */
	uint32_t reclaim_floor;	       /* blocks */
	uint32_t credit_q16;	       /* blocks to be reclaimed */
	uint32_t window_host, window_moved;
	uint32_t waf_q16;
	uint64_t map_at, reverse_at, blocks_at; /* from the state's start */
};

struct ftl_block {
	uint32_t next, previous;
	uint16_t valid;
	uint16_t closed; /* in a bucket */
};

struct sim_state {
	uint64_t magic, bytes, scale, seed;
	uint64_t pages, capacity_bytes, granules;
	uint64_t mapped_at, slc_at; /* per granule: uint64_t; struct slc_granule */

	uint64_t latest;     /* last submission */
	uint64_t busy_until; /* last completion */
	uint64_t controller, link_read, link_write;
	uint64_t mapped_pages, host_written_bytes;
	uint64_t read_op_ns, write_op_ns; /* without the mean of the hiccups */

	/* Events: time frozen so far, the next stall, the throttle episode and its next change. */
	uint64_t stalled_ns, next_stall_at, next_stall_ns;
	uint64_t throttle_change_at;
	uint32_t slow_q8; /* 256: full speed */
	int32_t throttle; /* index of the event, -1: none */

	uint64_t read_run_end[READ_RUNS]; /* page behind the last read of each */
	uint32_t next_read_run;		  /* the one forgotten next */

	struct drain drain;
	struct slc slc;
	struct ftl ftl;
	uint64_t die_free[SIM_MAX_DIES], die_program[SIM_MAX_DIES];
	uint32_t read_tail_ns[TAIL_STEPS], write_tail_ns[TAIL_STEPS];
};

/* Pages in SLC, and when one of them was last written (in pages appended, so it orders folding). */
struct slc_granule {
	uint64_t pages, stamp;
};

/* One I/O on its way through the model. */
struct io {
	uint64_t page, pages; /* first, number */
	uint64_t now, random;
	uint64_t ready;	  /* reached the link */
	uint64_t through; /* left the link */
};

static inline uint64_t *state_mapped(struct sim_state *state)
{
	return (uint64_t *)((char *)state + state->mapped_at);
}

static inline struct slc_granule *state_slc(struct sim_state *state)
{
	return (struct slc_granule *)((char *)state + state->slc_at);
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A cost during a throttle episode. */
static inline uint64_t slowed(const struct sim_state *state, uint64_t cost)
{
	return (cost * state->slow_q8) >> 8;
}

static inline bool has_slc(const struct sim_state *state)
{
	return state->slc.static_pages + state->slc.dynamic_pages > 0;
}

/* Bits of the pages of one granule: `pages` pages from `page` on, all inside it. */
static inline uint64_t granule_mask(uint64_t page, uint64_t pages)
{
	return (pages == GRANULE_PAGES ? ~0ULL : (1ULL << pages) - 1) << (page % GRANULE_PAGES);
}

/* Pages of [page, end) in the granule of page. */
static inline uint64_t granule_run(uint64_t page, uint64_t end)
{
	uint64_t next = (page / GRANULE_PAGES + 1) * GRANULE_PAGES;

	return (next < end ? next : end) - page;
}

/* mapping.c: which pages hold data. */
uint64_t mapping_count(struct sim_state *state, uint64_t page, uint64_t pages);
void mapping_set(struct sim_state *state, uint64_t page, uint64_t pages);
void mapping_clear(struct sim_state *state, uint64_t page, uint64_t pages);

/* dies.c */
uint64_t dies_read(struct sim_state *state, const struct sim_params *params, const struct io *io);
void dies_program(struct sim_state *state, const struct sim_params *params, uint64_t pages,
		  uint64_t start);

/* buffer.c: takes a write into the buffer; returns when it is acknowledged. */
uint64_t buffer_write(struct sim_state *state, const struct sim_params *params, const struct io *io,
		      bool *waited);

/* slc.c */
void slc_init(struct sim_state *state, const struct sim_params *params);
void slc_recover(struct sim_state *state, uint64_t now);
uint64_t slc_write(struct sim_state *state, uint64_t page, uint64_t pages); /* pages not absorbed */
bool slc_holds(struct sim_state *state, uint64_t page);
void slc_forget(struct sim_state *state, uint64_t page, uint64_t pages);
uint64_t slc_size_pages(const struct sim_state *state);

/* gc.c */
void ftl_plan(struct ftl *ftl, const struct sim_params *params, uint64_t pages);
void ftl_reset(struct sim_state *state);
void ftl_rebuild(struct sim_state *state);
void ftl_write(struct sim_state *state, uint64_t page, uint64_t pages);
void ftl_trim(struct sim_state *state, uint64_t page, uint64_t pages);
/* True, or false with the offset in the state of the first thing that cannot be. */
bool ftl_is_sound(struct sim_state *state, uint64_t *offset);

/* events.c: drive time without stalls at `now`, and back; throttling is set on the way in. */
void events_init(struct sim_state *state, const struct sim_params *params);
uint64_t events_enter(struct sim_state *state, const struct sim_params *params, uint64_t now);
uint64_t events_leave(const struct sim_state *state, const struct sim_params *params,
		      uint64_t done);

/* tails.c: latencies of a truncated Pareto distribution by inverse table. */
void tail_table(uint32_t *table, int64_t least_ns, int64_t most_ns, int64_t shape_milli);

/* state.c: for the state file. */
bool state_is_sound(struct sim_state *state, const struct sim_model *model, unsigned scale,
		    uint64_t *offset);
void state_repair(struct sim_state *state);  /* after a user died inside a call */
void state_restart(struct sim_state *state); /* purge, with the granules already zero */
/* Bytes before the granules: those that must exist from the start. */
uint64_t state_solid_bytes(const struct sim_model *model, unsigned scale);

#endif
