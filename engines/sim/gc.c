/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Garbage collection by a miniature FTL. Of each group of 2^group_shift consecutive pages one,
 * chosen by a hash, is simulated by a real page-mapped FTL with greedy collection (spatial
 * sampling, as in Waldspurger et al., "Cache Modeling and Optimization using Miniature
 * Simulations", 2017). Its write amplification is taken for the whole drive's. It knows sequential
 * from random writes, small regions, TRIM and purge without special cases.
 *
 * The map alone is the truth; all other tables can be built from it again.
 */
#include <string.h>

#include "base/random.h"
#include "engines/sim/state.h"

#define LARGEST_SAMPLE (1u << 18)
#define WINDOW_BLOCKS  16 /* write amplification is smoothed over so many */
#define LAST_BLOCKS    3  /* collect always when no more are free */

static uint32_t *ftl_map(struct sim_state *state)
{
	return (uint32_t *)((char *)state + state->ftl.map_at);
}

/* Physical to sampled page + 1; 0: free or stale. */
static uint32_t *ftl_reverse(struct sim_state *state)
{
	return (uint32_t *)((char *)state + state->ftl.reverse_at);
}

static struct ftl_block *ftl_blocks(struct sim_state *state)
{
	return (struct ftl_block *)((char *)state + state->ftl.blocks_at);
}

/* Sizes; the sample is rounded before the blocks are counted, so that spare keeps its share. */
void ftl_plan(struct ftl *ftl, const struct sim_params *params, uint64_t pages)
{
	uint32_t least;

	ftl->waf_q16 = ONE_Q16;
	if (!params->spare_share)
		return;
	while (pages >> ftl->group_shift > LARGEST_SAMPLE)
		ftl->group_shift++;
	ftl->pages = (uint32_t)((pages + (1ULL << ftl->group_shift) - 1) >> ftl->group_shift);
	ftl->blocks = (uint32_t)((double)ftl->pages * (1 + (double)params->spare_share / 1e6) /
					 BLOCK_PAGES +
				 1.5);
	least = ftl->pages / BLOCK_PAGES + 2 + LAST_BLOCKS;
	if (ftl->blocks < least)
		ftl->blocks = least;
	ftl->reclaim_below = (uint32_t)((double)ftl->blocks * (double)params->reclaim_below / 1e6);
	ftl->reclaim_floor = ftl->blocks / 100;
}

static void block_free(struct sim_state *state, uint32_t block)
{
	struct ftl_block *blocks = ftl_blocks(state);

	blocks[block].next = state->ftl.free_head;
	blocks[block].closed = 0;
	state->ftl.free_head = block;
	state->ftl.free_blocks++;
}

static void bucket_insert(struct sim_state *state, uint32_t block)
{
	struct ftl_block *blocks = ftl_blocks(state);
	uint32_t *head = &state->ftl.bucket[blocks[block].valid];

	blocks[block].closed = 1;
	blocks[block].previous = NO_BLOCK;
	blocks[block].next = *head;
	if (*head != NO_BLOCK)
		blocks[*head].previous = block;
	*head = block;
}

static void bucket_remove(struct sim_state *state, uint32_t block)
{
	struct ftl_block *blocks = ftl_blocks(state), *here = &blocks[block];

	if (here->previous == NO_BLOCK)
		state->ftl.bucket[here->valid] = here->next;
	else
		blocks[here->previous].next = here->next;
	if (here->next != NO_BLOCK)
		blocks[here->next].previous = here->previous;
}

/* A full block goes to its bucket, or is free at once when nothing in it is valid any more. */
static void block_close(struct sim_state *state, uint32_t block)
{
	if (ftl_blocks(state)[block].valid)
		bucket_insert(state, block);
	else
		block_free(state, block);
}

static void open_next(struct sim_state *state, enum ftl_stream stream)
{
	struct ftl *ftl = &state->ftl;

	ftl->open[stream].block = ftl->free_head;
	ftl->open[stream].pages = 0;
	ftl->free_head = ftl_blocks(state)[ftl->free_head].next;
	ftl->free_blocks--;
}

static void ftl_invalidate(struct sim_state *state, uint32_t page)
{
	uint32_t place = ftl_map(state)[page], block;
	struct ftl_block *here;

	if (!place)
		return;
	ftl_map(state)[page] = 0;
	ftl_reverse(state)[place - 1] = 0;
	block = (place - 1) / BLOCK_PAGES;
	here = &ftl_blocks(state)[block];
	if (!here->closed) {
		here->valid--;
		return;
	}
	bucket_remove(state, block);
	here->valid--;
	block_close(state, block);
}

/* Puts a page at the end of a stream's open block; a full one is closed and the next opened. */
static void ftl_append(struct sim_state *state, uint32_t page, enum ftl_stream stream)
{
	uint32_t block = state->ftl.open[stream].block;
	uint32_t place = block * BLOCK_PAGES + state->ftl.open[stream].pages;

	ftl_reverse(state)[place] = page + 1;
	ftl_map(state)[page] = place + 1;
	ftl_blocks(state)[block].valid++;
	if (++state->ftl.open[stream].pages < BLOCK_PAGES)
		return;
	block_close(state, block);
	open_next(state, stream);
}

static uint32_t emptiest_block(const struct ftl *ftl)
{
	uint32_t valid;

	for (valid = 1; valid < BLOCK_PAGES; valid++)
		if (ftl->bucket[valid] != NO_BLOCK)
			return ftl->bucket[valid];
	return NO_BLOCK;
}

/* Moves what is valid out of the emptiest block. False when no block would give anything. */
static bool collect(struct sim_state *state)
{
	struct ftl *ftl = &state->ftl;
	uint32_t victim = emptiest_block(ftl), i, page;
	uint32_t *reverse = ftl_reverse(state);

	if (victim == NO_BLOCK)
		return false;
	bucket_remove(state, victim);
	for (i = 0; i < BLOCK_PAGES; i++) {
		page = reverse[victim * BLOCK_PAGES + i];
		if (!page)
			continue;
		reverse[victim * BLOCK_PAGES + i] = 0;
		ftl_append(state, page - 1, STREAM_MOVED);
		ftl->window_moved++;
	}
	ftl_blocks(state)[victim].valid = 0;
	block_free(state, victim);
	return true;
}

/* Blocks to reclaim per block written: more the fewer are free, at most 1.5. */
static uint32_t reclaim_rate_q16(const struct ftl *ftl)
{
	uint64_t rate;

	if (ftl->free_blocks >= ftl->reclaim_below)
		return 0;
	rate = (uint64_t)(ftl->reclaim_below - ftl->free_blocks) * ONE_Q16 /
	       (ftl->reclaim_below - ftl->reclaim_floor);
	return rate < ONE_Q16 * 3 / 2 ? (uint32_t)rate : ONE_Q16 * 3 / 2;
}

static void measure_amplification(struct ftl *ftl)
{
	uint32_t now = ONE_Q16 + ftl->window_moved * (ONE_Q16 / BLOCK_PAGES);

	ftl->waf_q16 += ((int32_t)now - (int32_t)ftl->waf_q16) / WINDOW_BLOCKS;
	ftl->window_host = ftl->window_moved = 0;
}

static void reclaim(struct sim_state *state)
{
	struct ftl *ftl = &state->ftl;

	for (ftl->credit_q16 += reclaim_rate_q16(ftl); ftl->credit_q16 >= ONE_Q16;
	     ftl->credit_q16 -= ONE_Q16)
		if (!collect(state))
			break;
}

static void sampled_write(struct sim_state *state, uint32_t page)
{
	struct ftl *ftl = &state->ftl;

	ftl_invalidate(state, page);
	ftl_append(state, page, STREAM_HOST);
	if (++ftl->window_host == BLOCK_PAGES) {
		reclaim(state);
		measure_amplification(ftl);
	}
	while (ftl->free_blocks <= LAST_BLOCKS && collect(state))
		;
}

/* The page of a group that is simulated. */
static uint64_t sampled_page(const struct sim_state *state, uint64_t group)
{
	uint64_t mask = (1ULL << state->ftl.group_shift) - 1;

	return (group << state->ftl.group_shift) + (mix64(group ^ state->seed) & mask);
}

void ftl_write(struct sim_state *state, uint64_t page, uint64_t pages)
{
	uint32_t shift = state->ftl.group_shift;
	uint64_t group, sample;

	for (group = page >> shift; group <= (page + pages - 1) >> shift; group++) {
		sample = sampled_page(state, group);
		if (sample >= page && sample < page + pages)
			sampled_write(state, (uint32_t)group);
	}
}

void ftl_trim(struct sim_state *state, uint64_t page, uint64_t pages)
{
	uint32_t shift = state->ftl.group_shift;
	uint64_t group, sample;

	for (group = page >> shift; group <= (page + pages - 1) >> shift; group++) {
		sample = sampled_page(state, group);
		if (sample >= page && sample < page + pages)
			ftl_invalidate(state, (uint32_t)group);
	}
}

/* Everything but the map, as if no page were mapped. */
static void forget_places(struct sim_state *state)
{
	struct ftl *ftl = &state->ftl;
	uint32_t i;

	memset(ftl_reverse(state), 0, (size_t)ftl->blocks * BLOCK_PAGES * sizeof(uint32_t));
	memset(ftl_blocks(state), 0, (size_t)ftl->blocks * sizeof(struct ftl_block));
	memset(ftl->bucket, 0xff, sizeof(ftl->bucket));
	ftl->free_blocks = 0;
	ftl->free_head = NO_BLOCK;
	ftl->credit_q16 = ftl->window_host = ftl->window_moved = 0;
	for (i = ftl->blocks; i-- > 0;)
		block_free(state, i);
}

void ftl_reset(struct sim_state *state)
{
	if (!state->ftl.pages)
		return;
	memset(ftl_map(state), 0, (size_t)state->ftl.pages * sizeof(uint32_t));
	forget_places(state);
	state->ftl.waf_q16 = ONE_Q16;
	open_next(state, STREAM_HOST);
	open_next(state, STREAM_MOVED);
}

/* Marks each place the map names; one that cannot be, or is taken, is dropped. */
static void mark_places(struct sim_state *state)
{
	uint32_t *map = ftl_map(state), *reverse = ftl_reverse(state), page;
	uint32_t places = state->ftl.blocks * BLOCK_PAGES;

	for (page = 0; page < state->ftl.pages; page++) {
		if (!map[page])
			continue;
		if (map[page] > places || reverse[map[page] - 1]) {
			map[page] = 0;
			continue;
		}
		reverse[map[page] - 1] = page + 1;
		ftl_blocks(state)[(map[page] - 1) / BLOCK_PAGES].valid++;
	}
}

void ftl_rebuild(struct sim_state *state)
{
	struct ftl *ftl = &state->ftl;
	uint32_t i;

	if (!ftl->pages)
		return;
	forget_places(state);
	mark_places(state);
	ftl->free_blocks = 0;
	ftl->free_head = NO_BLOCK;
	for (i = ftl->blocks; i-- > 0;)
		block_close(state, i);
	open_next(state, STREAM_HOST);
	open_next(state, STREAM_MOVED);
}

static bool block_is_sound(const struct ftl *ftl, const struct ftl_block *block)
{
	return (block->next < ftl->blocks || block->next == NO_BLOCK) &&
	       (!block->closed || block->previous < ftl->blocks || block->previous == NO_BLOCK) &&
	       block->valid <= BLOCK_PAGES;
}

/* The first number above the limit, or count. */
static uint32_t first_above(const uint32_t *numbers, uint32_t count, uint32_t limit)
{
	uint32_t i;

	for (i = 0; i < count && numbers[i] <= limit; i++)
		;
	return i;
}

static bool heads_are_sound(const struct ftl *ftl)
{
	uint32_t i;

	for (i = 0; i < BUCKETS; i++)
		if (ftl->bucket[i] >= ftl->blocks && ftl->bucket[i] != NO_BLOCK)
			return false;
	for (i = 0; i < 2; i++)
		if (ftl->open[i].block >= ftl->blocks || ftl->open[i].pages >= BLOCK_PAGES)
			return false;
	return ftl->free_blocks <= ftl->blocks &&
	       (ftl->free_head < ftl->blocks || ftl->free_head == NO_BLOCK);
}

bool ftl_is_sound(struct sim_state *state, uint64_t *offset)
{
	const struct ftl *ftl = &state->ftl;
	uint32_t places = ftl->blocks * BLOCK_PAGES, i;

	if (!ftl->pages)
		return true;
	*offset = offsetof(struct sim_state, ftl.free_blocks);
	if (!heads_are_sound(ftl))
		return false;
	i = first_above(ftl_map(state), ftl->pages, places);
	*offset = ftl->map_at + i * sizeof(uint32_t);
	if (i < ftl->pages)
		return false;
	i = first_above(ftl_reverse(state), places, ftl->pages);
	*offset = ftl->reverse_at + i * sizeof(uint32_t);
	if (i < places)
		return false;
	for (i = 0; i < ftl->blocks && block_is_sound(ftl, &ftl_blocks(state)[i]); i++)
		;
	*offset = ftl->blocks_at + i * sizeof(struct ftl_block);
	return i == ftl->blocks;
}
