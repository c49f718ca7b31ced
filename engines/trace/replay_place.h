/* SPDX-License-Identifier: GPL-2.0-only */
/* Where an I/O of a clone goes on the target. */
#ifndef SSDREVIEW_REPLAY_PLACE_H
#define SSDREVIEW_REPLAY_PLACE_H

#include "engines/trace/replay.h"

#define PLACE_PIECE_BYTES  262144ULL
#define PLACE_LONGEST_SPAN (1ULL << 63)
#define PLACE_BLOCK_BYTES  4096ULL /* what a linked clone writes is remembered in blocks of this */

struct places {
	enum replay_fit fit;
	bool linked;
	unsigned clones;
	uint64_t region_bytes, span_bytes; /* span: one clone's address space */
	uint64_t all_bytes;		   /* of all clones, behind each other; not compact */
	unsigned block_bytes;
	/*
	 * Pieces of 256 KiB in the order in which they got their places. Large traces touch
	 * millions: each holds 16 bytes and an entry of the index.
	 */
	uint64_t *keys;	   /* address space and piece */
	uint64_t *written; /* bit i: block i was written by this clone; linked clones only */
	uint32_t *index;   /* piece number + 1 by key, 0: free; a power of two */
	size_t index_room;
	uint32_t used, room;	    /* pieces */
	uint32_t first_slot, slots; /* this part's share of the region, in pieces */
	uint64_t folded;
};

/* span_bytes: PLACE_LONGEST_SPAN at most. */
int places_init(struct places *places, const struct replay_options *options, uint64_t span_bytes,
		struct error *err);
void places_free(struct places *places);

/*
 * Where the beginning of [address, address + bytes) of a clone goes: *offset in the region, and how
 * many bytes lie there in one piece. Returns 0, or -1 when memory ran out.
 */
int places_find(struct places *places, unsigned clone, uint64_t address, uint64_t bytes,
		bool is_write, uint64_t *offset, uint64_t *piece_bytes);

#endif
