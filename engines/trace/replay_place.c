/* SPDX-License-Identifier: GPL-2.0-only */
/* Where an I/O of a clone goes on the target. */
#include <stdlib.h>

#include "engines/trace/replay_place.h"

#define SHARED_SPACE 0 /* of linked clones: the base image; clone c has space c + 1 */

static int check_room(const struct places *places, struct error *err)
{
	uint64_t needed = places->span_bytes;

	if (!places->linked)
		needed *= places->clones;
	if (places->fit == REPLAY_EXACT && needed > places->region_bytes)
		return error_set(err,
				 "%u clones of %llu bytes do not fit a region of %llu bytes: use "
				 "fewer clones, a larger region, or fit=compact",
				 places->clones, (unsigned long long)places->span_bytes,
				 (unsigned long long)places->region_bytes);
	if (places->linked && places->fit != REPLAY_COMPACT)
		return error_set(err, "linked clones take their space as they write: they need "
				      "fit=compact");
	if (places->region_bytes < PLACE_PIECE_BYTES)
		return error_set(err, "a region of %llu bytes is too small for a replay",
				 (unsigned long long)places->region_bytes);
	return 0;
}

int places_init(struct places *places, const struct replay_options *options, uint64_t span_bytes,
		struct error *err)
{
	*places = (struct places){
		.fit = options->fit,
		.linked = options->linked,
		.clones = options->clones,
		.region_bytes = options->region_bytes,
		.span_bytes = span_bytes,
		.block_bytes = options->block_bytes,
		.slots = (uint32_t)(options->region_bytes / PLACE_PIECE_BYTES),
		.room = 1024,
	};
	if (check_room(places, err))
		return -1;
	places->table = calloc(places->room, sizeof(*places->table));
	return places->table ? 0 : error_set(err, "no memory for the places of a replay");
}

void places_free(struct places *places)
{
	free(places->table);
	places->table = NULL;
}

/* Multiplicative hashing (Knuth), folded to the table's size. */
static struct placed *look_up(struct placed *table, size_t room, uint64_t key)
{
	size_t at = (size_t)((key * 0x9e3779b97f4a7c15ULL) >> 20) & (room - 1);

	while (table[at].key && table[at].key != key)
		at = (at + 1) & (room - 1);
	return &table[at];
}

static int grow(struct places *places)
{
	size_t room = places->room * 2, i;
	struct placed *table = calloc(room, sizeof(*table));

	if (!table)
		return -1;
	for (i = 0; i < places->room; i++) {
		if (places->table[i].key)
			*look_up(table, room, places->table[i].key) = places->table[i];
	}
	free(places->table);
	places->table = table;
	places->room = room;
	return 0;
}

static struct placed *find(struct places *places, uint64_t space, uint64_t piece)
{
	return look_up(places->table, places->room, (space << 40) + piece + 1);
}

/* The place of a piece; it gets the next free one when it is touched first. */
static struct placed *find_or_put(struct places *places, uint64_t space, uint64_t piece)
{
	struct placed *placed;

	if (places->used * 2 >= places->room && grow(places))
		return NULL;
	placed = find(places, space, piece);
	if (placed->key)
		return placed;
	*placed = (struct placed){.key = (space << 40) + piece + 1,
				  .slot = places->next_slot % places->slots};
	places->used++;
	places->folded += places->next_slot >= places->slots;
	places->next_slot++;
	return placed;
}

static uint64_t blocks_mask(uint64_t first, uint64_t count)
{
	return (count >= 64 ? ~0ULL : (1ULL << count) - 1) << first;
}

/* Shortens a read of a linked clone to the blocks that lie in one space, and says in which. */
static uint64_t space_of_read(struct places *places, unsigned clone, uint64_t address,
			      uint64_t *bytes)
{
	const struct placed *own = find(places, clone + 1, address / PLACE_PIECE_BYTES);
	uint64_t first = address % PLACE_PIECE_BYTES / PLACE_BLOCK_BYTES;
	uint64_t last = (address % PLACE_PIECE_BYTES + *bytes - 1) / PLACE_BLOCK_BYTES;
	uint64_t written = own->key ? own->written : 0, block;
	bool is_own = written >> first & 1;

	for (block = first; block <= last && (written >> block & 1) == is_own; block++)
		;
	if (block <= last)
		*bytes = block * PLACE_BLOCK_BYTES - address % PLACE_PIECE_BYTES;
	return is_own ? clone + 1 : SHARED_SPACE;
}

static int place_compact(struct places *places, unsigned clone, uint64_t address, bool is_write,
			 uint64_t *offset, uint64_t *bytes)
{
	uint64_t within = address % PLACE_PIECE_BYTES, space = clone + 1;
	struct placed *placed;

	if (*bytes > PLACE_PIECE_BYTES - within)
		*bytes = PLACE_PIECE_BYTES - within;
	if (places->linked && !is_write)
		space = space_of_read(places, clone, address, bytes);
	placed = find_or_put(places, space, address / PLACE_PIECE_BYTES);
	if (!placed)
		return -1;
	if (is_write) {
		uint64_t first = within / PLACE_BLOCK_BYTES;
		uint64_t last = (within + *bytes - 1) / PLACE_BLOCK_BYTES;

		placed->written |= blocks_mask(first, last - first + 1);
	}
	*offset = placed->slot * PLACE_PIECE_BYTES + within;
	return 0;
}

static uint64_t stretch(const struct places *places, uint64_t address)
{
	unsigned __int128 scaled = (unsigned __int128)address * places->region_bytes;
	uint64_t offset = (uint64_t)(scaled / (places->span_bytes * places->clones));

	return offset - offset % places->block_bytes;
}

int places_find(struct places *places, unsigned clone, uint64_t address, uint64_t bytes,
		bool is_write, uint64_t *offset, uint64_t *piece_bytes)
{
	uint64_t linear = clone * places->span_bytes + address;
	uint64_t region = places->region_bytes - places->region_bytes % places->block_bytes;

	*piece_bytes = bytes;
	if (places->fit == REPLAY_COMPACT)
		return place_compact(places, clone, address, is_write, offset, piece_bytes);
	*offset = linear;
	if (places->fit == REPLAY_WRAP)
		*offset = linear % region;
	if (places->fit == REPLAY_STRETCH)
		*offset = stretch(places, linear);
	/* A piece never crosses the end; what is left of it begins again at the other end. */
	if (*offset >= region)
		*offset = 0;
	if (*piece_bytes > region - *offset)
		*piece_bytes = region - *offset;
	return 0;
}
