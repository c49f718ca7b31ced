/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which blocks a trace touches and writes again. A table holds the blocks whose hash ends in so
 * many zeros; when it is full one more zero is asked for, so that memory is bounded and every
 * figure is an unbiased estimate (sampling in space, as SHARDS does it: Waldspurger et al., FAST
 * 2015).
 */
#include <stdlib.h>

#include "engines/trace/info_internal.h"

#define BLOCK_BITS    12
#define FIRST_ENTRIES (1u << 12)
#define MOST_ENTRIES  (1u << 21) /* the table is never more than half full */
#define MOST_BLOCKS   16384 /* of one I/O: 64 MiB; what is larger is no I/O of an application */

/* A bijection that mixes well (the finaliser of MurmurHash3); never 0. */
static uint64_t mix(uint64_t key)
{
	key ^= key >> 33;
	key *= 0xff51afd7ed558ccdULL;
	key ^= key >> 33;
	key *= 0xc4ceb9fe1a85ec53ULL;
	key ^= key >> 33;
	return key ? key : 1;
}

static bool is_sampled(const struct blocks *blocks, uint64_t key)
{
	return !(key & ((1ULL << blocks->sample_bits) - 1));
}

static struct block *find(struct block *table, size_t room, uint64_t key)
{
	size_t at = (key >> 32) & (room - 1);

	while (table[at].key && table[at].key != key)
		at = (at + 1) & (room - 1);
	return &table[at];
}

int blocks_begin(struct blocks *blocks)
{
	memset(blocks, 0, sizeof(*blocks));
	blocks->room = FIRST_ENTRIES;
	blocks->table = calloc(blocks->room, sizeof(*blocks->table));
	return blocks->table ? 0 : -1;
}

void blocks_free(struct blocks *blocks)
{
	free(blocks->table);
}

/* A table of so many entries for the blocks that are sampled; the old one stays without memory. */
static int rebuild(struct blocks *blocks, size_t room)
{
	struct block *old = blocks->table, *table = calloc(room, sizeof(*table));
	size_t i;

	if (!table)
		return -1;
	blocks->used = 0;
	for (i = 0; i < blocks->room; i++) {
		if (!old[i].key || !is_sampled(blocks, old[i].key))
			continue;
		*find(table, room, old[i].key) = old[i];
		blocks->used++;
	}
	blocks->table = table;
	blocks->room = room;
	free(old);
	return 0;
}

/* Twice the table, or half the blocks: what those counted is taken to be half of all as well. */
static int make_room(struct blocks *blocks)
{
	if (blocks->room < MOST_ENTRIES)
		return rebuild(blocks, 2 * blocks->room);
	blocks->sample_bits++;
	blocks->block_writes /= 2;
	blocks->rewrites /= 2;
	return rebuild(blocks, blocks->room);
}

static void touch(struct blocks *blocks, uint64_t key, const struct trace_record *record)
{
	struct block *block = find(blocks->table, blocks->room, key);

	if (!block->key) {
		block->key = key;
		blocks->used++;
	}
	if (record->op == TRACE_READ) {
		block->read = true;
		return;
	}
	blocks->block_writes++;
	if (block->writes++) {
		blocks->rewrites++;
		histogram_add(&blocks->intervals_ns, record->time_ns - block->written_ns);
	}
	block->written_ns = record->time_ns;
}

int blocks_add(struct blocks *blocks, const struct trace_record *record)
{
	uint64_t block = record->offset >> BLOCK_BITS, end;

	if (!record->length || record->op > TRACE_WRITE)
		return 0;
	end = ((record->offset + record->length - 1) >> BLOCK_BITS) + 1;
	if (end - block > MOST_BLOCKS)
		end = block + MOST_BLOCKS;
	for (; block < end; block++) {
		uint64_t key = mix(block ^ (uint64_t)record->stream << 48);

		if (is_sampled(blocks, key))
			touch(blocks, key, record);
		if (blocks->used == blocks->room / 2 && make_room(blocks))
			return -1;
	}
	return 0;
}

static int by_writes(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? 1 : -(left > right);
}

/* The share of writes on the hundredth of the written blocks that is written most. */
static int hot_share(const struct blocks *blocks, double *share)
{
	uint32_t *writes = malloc((blocks->used + 1) * sizeof(*writes));
	double sum = 0, hot = 0;
	size_t count = 0, i;

	if (!writes)
		return -1;
	for (i = 0; i < blocks->room; i++)
		if (blocks->table[i].writes)
			writes[count++] = blocks->table[i].writes;
	qsort(writes, count, sizeof(*writes), by_writes);
	for (i = 0; i < count; i++) {
		sum += writes[i];
		hot += i < (count + 99) / 100 ? writes[i] : 0;
	}
	*share = sum > 0 ? hot / sum : 0;
	free(writes);
	return 0;
}

int blocks_end(struct blocks *blocks, struct trace_info *info)
{
	double scale = (double)(1ULL << blocks->sample_bits) * (1 << BLOCK_BITS);
	size_t i, read = 0, written = 0;

	for (i = 0; i < blocks->room; i++) {
		read += blocks->table[i].read;
		written += blocks->table[i].writes > 0;
	}
	info->sample_share = 1 / (double)(1ULL << blocks->sample_bits);
	info->touched_bytes = (double)blocks->used * scale;
	info->read_bytes = (double)read * scale;
	info->written_bytes = (double)written * scale;
	if (blocks->block_writes)
		info->rewrite_share = (double)blocks->rewrites / (double)blocks->block_writes;
	info->rewrite_median_s = histogram_quantile(&blocks->intervals_ns, 0.5) / 1e9;
	return hot_share(blocks, &info->hot_share);
}
