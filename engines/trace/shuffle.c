/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What zstd packs: times become differences, then byte 0 of every record stands together, then
 * byte 1 of every record, and so on; most of these planes are nearly constant.
 */
#include "engines/trace/vdt_internal.h"

#define WORDS (TRACE_RECORD_BYTES / 8)

void vdt_shuffle(const struct vdt_record *records, size_t count, unsigned char *shuffled)
{
	uint64_t before = 0;
	size_t i, word, byte;

	for (i = 0; i < count; i++) {
		const uint64_t now = le64toh(records[i].time_ns);
		const uint64_t words[WORDS] = {now - before, le64toh(records[i].offset),
					       le64toh(records[i].length_op),
					       le64toh(records[i].latency_stream)};

		before = now;
		for (word = 0; word < WORDS; word++)
			for (byte = 0; byte < 8; byte++)
				shuffled[(word * 8 + byte) * count + i] =
					(unsigned char)(words[word] >> (8 * byte));
	}
}

void vdt_unshuffle(const unsigned char *shuffled, size_t count, struct vdt_record *records)
{
	uint64_t time_ns = 0;
	size_t i, word, byte;

	for (i = 0; i < count; i++) {
		uint64_t words[WORDS] = {0};

		for (word = 0; word < WORDS; word++)
			for (byte = 0; byte < 8; byte++)
				words[word] |= (uint64_t)shuffled[(word * 8 + byte) * count + i]
					       << (8 * byte);
		time_ns += words[0];
		records[i].time_ns = htole64(time_ns);
		records[i].offset = htole64(words[1]);
		records[i].length_op = htole64(words[2]);
		records[i].latency_stream = htole64(words[3]);
	}
}
