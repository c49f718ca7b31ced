/* SPDX-License-Identifier: GPL-2.0-only */
/* The pieces that one clone of a trace touches, counted without keeping its records. */
#include <stdlib.h>

#include "engines/trace/footprint.h"
#include "engines/trace/replay_place.h"

#define WAS_READ    1
#define WAS_WRITTEN 2

/* Pieces by number: number + 1 and two flags in each entry; open addressing, a power of two. */
struct pieces {
	uint64_t *table;
	size_t room, used, read, written;
};

/* Multiplicative hashing (Knuth), folded to the table's size. */
static uint64_t *look_up(uint64_t *table, size_t room, uint64_t piece)
{
	size_t at = (size_t)((piece * 0x9e3779b97f4a7c15ULL) >> 20) & (room - 1);

	while (table[at] && table[at] >> 2 != piece + 1)
		at = (at + 1) & (room - 1);
	return &table[at];
}

static int grow(struct pieces *pieces)
{
	size_t room = pieces->room ? pieces->room * 2 : 1024, i;
	uint64_t *table = calloc(room, sizeof(*table));

	if (!table)
		return -1;
	for (i = 0; i < pieces->room; i++)
		if (pieces->table[i])
			*look_up(table, room, (pieces->table[i] >> 2) - 1) = pieces->table[i];
	free(pieces->table);
	pieces->table = table;
	pieces->room = room;
	return 0;
}

static int touch(struct pieces *pieces, uint64_t piece, unsigned flag)
{
	uint64_t *entry;

	if (pieces->used * 2 >= pieces->room && grow(pieces))
		return -1;
	entry = look_up(pieces->table, pieces->room, piece);
	if (!*entry) {
		*entry = (piece + 1) << 2;
		pieces->used++;
	}
	pieces->read += flag == WAS_READ && !(*entry & WAS_READ);
	pieces->written += flag == WAS_WRITTEN && !(*entry & WAS_WRITTEN);
	*entry |= flag;
	return 0;
}

static int touch_item(struct pieces *pieces, const struct replay_item *item)
{
	unsigned flag = item->op == TRACE_READ ? WAS_READ : WAS_WRITTEN;
	uint64_t piece = item->offset / PLACE_PIECE_BYTES;

	for (; item->bytes && piece <= (item->offset + item->bytes - 1) / PLACE_PIECE_BYTES;
	     piece++)
		if (touch(pieces, piece, flag))
			return -1;
	return 0;
}

/* One clone, once, unmoved, on a target without an end. */
static struct replay_options one_clone(const struct replay_options *options)
{
	struct replay_options one = *options;

	one.clones = one.parts = one.loops = 1;
	one.dependent = false;
	one.part = 0;
	one.stagger_ns = 0;
	one.linked = false;
	one.speed = 1.0;
	one.fit = REPLAY_EXACT;
	one.region_bytes = UINT64_MAX / options->block_bytes * options->block_bytes;
	return one;
}

static size_t pieces_of_one(const struct pieces *pieces, bool linked)
{
	return linked ? pieces->read + pieces->written : pieces->used;
}

static int count_pieces(struct replay *replay, const struct replay_options *options,
			struct pieces *pieces, bool *is_cut, struct error *err)
{
	uint64_t limit = options->region_bytes / PLACE_PIECE_BYTES;
	struct replay_item item;
	int got;

	*is_cut = false;
	while (!*is_cut && (got = replay_next(replay, &item, err)) != 0) {
		if (got < 0)
			return -1;
		if (touch_item(pieces, &item))
			return error_set(err, "no memory to count what a clone touches");
		*is_cut = pieces_of_one(pieces, options->linked) > limit;
	}
	return 0;
}

int replay_footprint(struct trace *trace, const struct replay_options *options,
		     struct replay_footprint *footprint, struct error *err)
{
	struct replay_options one = one_clone(options);
	struct pieces pieces = {0};
	struct replay *replay;
	int failed;

	if (replay_open(trace, &one, &replay, err))
		return -1;
	failed = count_pieces(replay, options, &pieces, &footprint->is_cut, err);
	footprint->shared_bytes = options->linked ? pieces.read * PLACE_PIECE_BYTES : 0;
	footprint->clone_bytes =
		(options->linked ? pieces.written : pieces.used) * PLACE_PIECE_BYTES;
	replay_close(replay);
	free(pieces.table);
	return failed;
}

unsigned replay_clones_held(const struct replay_footprint *footprint, uint64_t region_bytes)
{
	uint64_t held = REPLAY_MOST_CLONES;

	if (footprint->is_cut || footprint->shared_bytes >= region_bytes)
		return 1;
	if (footprint->clone_bytes)
		held = (region_bytes - footprint->shared_bytes) / footprint->clone_bytes;
	if (held > REPLAY_MOST_CLONES)
		return REPLAY_MOST_CLONES;
	return held ? (unsigned)held : 1;
}
