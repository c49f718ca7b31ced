/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What zstd packs: times become differences, then byte 0 of every record stands together, then
 * byte 1 of every record, and so on; most of these planes are nearly constant.
 */
#include "engines/trace/vdt_internal.h"

#define WORDS (TRACE_RECORD_BYTES / 8)
#define GROUP 8 /* records moved at once: 8 bytes of 8 records are a square */

typedef unsigned char half __attribute__((vector_size(16))); /* two words */

/* The bytes of a and b in turn: those of their lower halves, of their upper ones. */
static inline half zip_lower(half a, half b)
{
	return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7,
				       23);
}

static inline half zip_upper(half a, half b)
{
	return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30,
				       15, 31);
}

/*
 * Byte i of word j becomes byte j of word i: three times the bytes of the first and the second half
 * of the square in turn, which moves the upper three bits of a byte's place below the lower three.
 */
static inline void transpose(uint64_t *square)
{
	half from[4], to[4];
	unsigned step;

	memcpy(from, square, sizeof(from));
	for (step = 0; step < 3; step++) {
		to[0] = zip_lower(from[0], from[2]);
		to[1] = zip_upper(from[0], from[2]);
		to[2] = zip_lower(from[1], from[3]);
		to[3] = zip_upper(from[1], from[3]);
		memcpy(from, to, sizeof(from));
	}
	memcpy(square, from, sizeof(from));
}

/* The records of one group, word by word as they are stored, with times as differences. */
static inline void take_group(const struct vdt_record *records, size_t count, uint64_t *before,
			      uint64_t square[WORDS][GROUP])
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t now = le64toh(records[i].time_ns);

		square[0][i] = htole64(now - *before);
		square[1][i] = records[i].offset;
		square[2][i] = records[i].length_op;
		square[3][i] = records[i].latency_stream;
		*before = now;
	}
}

static inline void give_group(struct vdt_record *records, size_t count, uint64_t *time_ns,
			      uint64_t square[WORDS][GROUP])
{
	size_t i;

	for (i = 0; i < count; i++) {
		*time_ns += le64toh(square[0][i]);
		records[i].time_ns = htole64(*time_ns);
		records[i].offset = square[1][i];
		records[i].length_op = square[2][i];
		records[i].latency_stream = square[3][i];
	}
}

/* Moves one group's planes between the square and their places; `some` bytes of each. */
static inline void put_planes(uint64_t square[WORDS][GROUP], unsigned char *shuffled, size_t count,
			      size_t some)
{
	size_t word, byte;

	for (word = 0; word < WORDS; word++) {
		transpose(square[word]);
		for (byte = 0; byte < 8; byte++)
			memcpy(shuffled + (word * 8 + byte) * count, &square[word][byte], some);
	}
}

static inline void get_planes(uint64_t square[WORDS][GROUP], const unsigned char *shuffled,
			      size_t count, size_t some)
{
	size_t word, byte;

	for (word = 0; word < WORDS; word++) {
		for (byte = 0; byte < 8; byte++)
			memcpy(&square[word][byte], shuffled + (word * 8 + byte) * count, some);
		transpose(square[word]);
	}
}

void vdt_shuffle(const struct vdt_record *records, size_t count, unsigned char *shuffled)
{
	uint64_t square[WORDS][GROUP] = {{0}}, before = 0;
	size_t at;

	for (at = 0; at + GROUP <= count; at += GROUP) {
		take_group(records + at, GROUP, &before, square);
		put_planes(square, shuffled + at, count, GROUP);
	}
	take_group(records + at, count - at, &before, square);
	put_planes(square, shuffled + at, count, count - at);
}

void vdt_unshuffle(const unsigned char *shuffled, size_t count, struct vdt_record *records)
{
	uint64_t square[WORDS][GROUP] = {{0}}, time_ns = 0;
	size_t at;

	for (at = 0; at + GROUP <= count; at += GROUP) {
		get_planes(square, shuffled + at, count, GROUP);
		give_group(records + at, GROUP, &time_ns, square);
	}
	get_planes(square, shuffled + at, count, count - at);
	give_group(records + at, count - at, &time_ns, square);
}
