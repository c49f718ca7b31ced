/* SPDX-License-Identifier: GPL-2.0-only */
/* Places to write to. Random ones are a permutation: no block comes twice before all came once. */
#include "base/random.h"
#include "engines/qlc/plan_internal.h"

#define ROUNDS 4

void area_begin(struct area *area, uint64_t first, uint64_t blocks, bool is_random, uint64_t seed)
{
	*area = (struct area){
		.first = first, .blocks = blocks, .seed = seed, .is_random = is_random};
}

/* Bits of half a number, so that 4^bits >= blocks. */
static unsigned half_bits(uint64_t blocks)
{
	unsigned bits = 1;

	while (bits < 32 && (1ULL << (2 * bits)) < blocks)
		bits++;
	return bits;
}

/* A Feistel network permutes a square; numbers outside the area are permuted again. */
static uint64_t permute(uint64_t number, uint64_t blocks, uint64_t seed)
{
	unsigned bits = half_bits(blocks), round;
	uint64_t mask = (1ULL << bits) - 1;

	do {
		for (round = 0; round < ROUNDS; round++) {
			uint64_t right = number & mask;
			uint64_t mixed = mix64(right + seed + ((uint64_t)round << 56)) & mask;

			number = (right << bits) | ((number >> bits) ^ mixed);
		}
	} while (number >= blocks);
	return number;
}

static uint64_t block_at(const struct area *area, uint64_t use)
{
	uint64_t number = use % area->blocks;

	if (area->is_random)
		number = permute(number, area->blocks, mix64(area->seed + use / area->blocks));
	return area->first + number;
}

uint64_t area_next(struct area *area)
{
	return block_at(area, area->used++);
}

uint64_t area_any(const struct area *area, uint64_t random)
{
	uint64_t uses = area->used < area->blocks ? area->used : area->blocks;
	uint64_t before = area->used - uses;

	return block_at(area, before + random % uses);
}
