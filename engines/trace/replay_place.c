/* SPDX-License-Identifier: GPL-2.0-only */
/* Where an I/O of a clone goes on the target. */
#include <stdlib.h>

#include "engines/trace/replay_place.h"

#define FIRST_ROOM   1024 /* pieces */
#define PIECE_BITS   46	  /* PLACE_LONGEST_SPAN has 2^45 pieces; clones leave bits to spare */
#define SHARED_SPACE 0	  /* of linked clones: the base image; clone c has space c + 1 */

/* Only fit=compact does without an address space for all clones together. */
static int check_space(struct places *places, struct error *err)
{
	bool is_endless = __builtin_mul_overflow(places->span_bytes, (uint64_t)places->clones,
						 &places->all_bytes);

	if (places->linked)
		return error_set(err, "linked clones take their space as they write: they need "
				      "fit=compact");
	if (is_endless || (places->fit == REPLAY_EXACT && places->all_bytes > places->region_bytes))
		return error_set(err,
				 "%u clone%s of %llu bytes do not fit a region of %llu bytes: use "
				 "fewer clones, a larger region, or fit=compact",
				 places->clones, places->clones == 1 ? "" : "s",
				 (unsigned long long)places->span_bytes,
				 (unsigned long long)places->region_bytes);
	return 0;
}

static int check_room(struct places *places, struct error *err)
{
	if (places->fit != REPLAY_COMPACT && check_space(places, err))
		return -1;
	if (!places->slots)
		return error_set(err, "a region of %llu bytes is too small for a replay",
				 (unsigned long long)places->region_bytes);
	return 0;
}

int places_init(struct places *places, const struct replay_options *options, uint64_t span_bytes,
		struct error *err)
{
	uint32_t slots = (uint32_t)(options->region_bytes / PLACE_PIECE_BYTES / options->parts);

	*places = (struct places){
		.fit = options->fit,
		.linked = options->linked,
		.clones = options->clones,
		.region_bytes = options->region_bytes,
		.span_bytes = span_bytes,
		.block_bytes = options->block_bytes,
		.first_slot = options->part * slots,
		.slots = slots,
	};
	return check_room(places, err);
}

void places_free(struct places *places)
{
	free(places->keys);
	free(places->written);
	free(places->index);
	places->keys = places->written = NULL;
	places->index = NULL;
}

static uint64_t key_of(uint64_t space, uint64_t piece)
{
	return (space << PIECE_BITS) + piece;
}

/* Where the piece is or would be in the index: multiplicative hashing (Knuth), folded to its size.
 */
static uint32_t *look_up(const struct places *places, uint64_t key)
{
	size_t at = (size_t)((key * 0x9e3779b97f4a7c15ULL) >> 20) & (places->index_room - 1);

	while (places->index[at] && places->keys[places->index[at] - 1] != key)
		at = (at + 1) & (places->index_room - 1);
	return &places->index[at];
}

static int grow_index(struct places *places)
{
	size_t room = places->index_room ? 2 * places->index_room : FIRST_ROOM;
	uint32_t i;

	free(places->index);
	places->index = calloc(room, sizeof(*places->index));
	places->index_room = places->index ? room : 0;
	if (!places->index)
		return -1;
	for (i = 0; i < places->used; i++)
		*look_up(places, places->keys[i]) = i + 1;
	return 0;
}

static int grow_pieces(struct places *places)
{
	size_t room = places->room + places->room / 4 + FIRST_ROOM;
	uint64_t *keys = realloc(places->keys, room * sizeof(*keys)), *written;

	if (!keys)
		return -1;
	places->keys = keys;
	if (places->linked) {
		written = realloc(places->written, room * sizeof(*written));
		if (!written)
			return -1;
		places->written = written;
	}
	places->room = (uint32_t)room;
	return 0;
}

/* The index stays at most three quarters full. */
static int make_room(struct places *places)
{
	if (places->used == UINT32_MAX - 1)
		return -1;
	if (places->used == places->room && grow_pieces(places))
		return -1;
	return (places->used + 1ULL) * 4 > places->index_room * 3 ? grow_index(places) : 0;
}

/* The number of a piece; -1 when memory ran out. It gets the next one when it is touched first. */
static int64_t find_or_put(struct places *places, uint64_t space, uint64_t piece)
{
	uint64_t key = key_of(space, piece);
	uint32_t *entry;

	if (make_room(places))
		return -1;
	entry = look_up(places, key);
	if (!*entry) {
		places->keys[places->used] = key;
		if (places->linked)
			places->written[places->used] = 0;
		places->folded += places->used >= places->slots;
		*entry = ++places->used;
	}
	return *entry - 1;
}

static uint64_t blocks_mask(uint64_t first, uint64_t count)
{
	return (count >= 64 ? ~0ULL : (1ULL << count) - 1) << first;
}

/* Shortens a read of a linked clone to the blocks that lie in one space, and says in which. */
static uint64_t space_of_read(struct places *places, unsigned clone, uint64_t address,
			      uint64_t *bytes)
{
	uint64_t key = key_of(clone + 1, address / PLACE_PIECE_BYTES);
	uint32_t own = places->index_room ? *look_up(places, key) : 0;
	uint64_t first = address % PLACE_PIECE_BYTES / PLACE_BLOCK_BYTES;
	uint64_t last = (address % PLACE_PIECE_BYTES + *bytes - 1) / PLACE_BLOCK_BYTES;
	uint64_t written = own ? places->written[own - 1] : 0, block;
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
	int64_t number;

	if (*bytes > PLACE_PIECE_BYTES - within)
		*bytes = PLACE_PIECE_BYTES - within;
	if (places->linked && !is_write)
		space = space_of_read(places, clone, address, bytes);
	number = find_or_put(places, space, address / PLACE_PIECE_BYTES);
	if (number < 0)
		return -1;
	if (is_write && places->linked) {
		uint64_t first = within / PLACE_BLOCK_BYTES;
		uint64_t last = (within + *bytes - 1) / PLACE_BLOCK_BYTES;

		places->written[number] |= blocks_mask(first, last - first + 1);
	}
	*offset = (places->first_slot + (uint64_t)number % places->slots) * PLACE_PIECE_BYTES +
		  within;
	return 0;
}

static uint64_t stretch(const struct places *places, uint64_t address)
{
	unsigned __int128 scaled = (unsigned __int128)address * places->region_bytes;
	uint64_t offset = (uint64_t)(scaled / places->all_bytes);

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
