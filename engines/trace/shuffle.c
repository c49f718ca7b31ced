/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What zstd packs: times become differences, then byte 0 of every record stands together, then
 * byte 1 of every record, and so on; most of these planes are nearly constant.
 */
#include "engines/trace/vdt_internal.h"

#define WORDS (TRACE_RECORD_BYTES / 8)
#define GROUP 8 /* records moved at once: 8 bytes of 8 records are a square */

/* Exchanges the blocks of `bytes` bytes that lie across the diagonal of the square. */
static void swap_blocks(uint64_t *square, unsigned bytes, uint64_t mask)
{
	unsigned row;

	for (row = 0; row < GROUP; row++) {
		uint64_t *upper = &square[row], *lower = &square[row + bytes], across;

		if (row & bytes)
			continue;
		across = ((*upper >> (8 * bytes)) ^ *lower) & mask;
		*lower ^= across;
		*upper ^= across << (8 * bytes);
	}
}

/* Byte i of word j becomes byte j of word i. */
static void transpose(uint64_t *square)
{
	swap_blocks(square, 4, 0x00000000ffffffffULL);
	swap_blocks(square, 2, 0x0000ffff0000ffffULL);
	swap_blocks(square, 1, 0x00ff00ff00ff00ffULL);
}

/* The records of one group, word by word, as numbers, with times as differences. */
static void take_group(const struct vdt_record *records, size_t count, uint64_t *before,
		       uint64_t square[WORDS][GROUP])
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t now = le64toh(records[i].time_ns);

		square[0][i] = now - *before;
		square[1][i] = le64toh(records[i].offset);
		square[2][i] = le64toh(records[i].length_op);
		square[3][i] = le64toh(records[i].latency_stream);
		*before = now;
	}
}

static void give_group(struct vdt_record *records, size_t count, uint64_t *time_ns,
		       uint64_t square[WORDS][GROUP])
{
	size_t i;

	for (i = 0; i < count; i++) {
		*time_ns += square[0][i];
		records[i].time_ns = htole64(*time_ns);
		records[i].offset = htole64(square[1][i]);
		records[i].length_op = htole64(square[2][i]);
		records[i].latency_stream = htole64(square[3][i]);
	}
}

void vdt_shuffle(const struct vdt_record *records, size_t count, unsigned char *shuffled)
{
	uint64_t square[WORDS][GROUP] = {{0}}, before = 0;
	size_t at, word, byte;

	for (at = 0; at < count; at += GROUP) {
		size_t some = count - at < GROUP ? count - at : GROUP;

		take_group(records + at, some, &before, square);
		for (word = 0; word < WORDS; word++) {
			transpose(square[word]);
			for (byte = 0; byte < 8; byte++) {
				uint64_t plane = htole64(square[word][byte]);

				memcpy(shuffled + (word * 8 + byte) * count + at, &plane, some);
			}
		}
	}
}

void vdt_unshuffle(const unsigned char *shuffled, size_t count, struct vdt_record *records)
{
	uint64_t square[WORDS][GROUP], time_ns = 0;
	size_t at, word, byte;

	for (at = 0; at < count; at += GROUP) {
		size_t some = count - at < GROUP ? count - at : GROUP;

		for (word = 0; word < WORDS; word++) {
			for (byte = 0; byte < 8; byte++) {
				uint64_t plane = 0;

				memcpy(&plane, shuffled + (word * 8 + byte) * count + at, some);
				square[word][byte] = le64toh(plane);
			}
			transpose(square[word]);
		}
		give_group(records + at, some, &time_ns, square);
	}
}
