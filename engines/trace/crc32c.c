/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CRC-32C, reflected polynomial 0x82f63b78, as in RFC 3720 appendix B.4; with the processor's own
 * instruction where there is one.
 */
#include "engines/trace/vdt_internal.h"

#define POLYNOMIAL 0x82f63b78u

/* A byte at a time; the table costs little beside the 128 KiB of a chunk. */
static uint32_t crc_portable(uint32_t crc, const unsigned char *data, size_t bytes)
{
	uint32_t table[256];
	unsigned i, bit;

	for (i = 0; i < 256; i++) {
		table[i] = i;
		for (bit = 0; bit < 8; bit++)
			table[i] = (table[i] >> 1) ^ (table[i] & 1 ? POLYNOMIAL : 0);
	}
	for (; bytes > 0; bytes--)
		crc = (crc >> 8) ^ table[(crc ^ *data++) & 255];
	return crc;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) static uint32_t
crc_instruction(uint32_t crc, const unsigned char *data, size_t bytes)
{
	uint64_t wide = crc, word;

	for (; bytes >= 8; bytes -= 8, data += 8) {
		memcpy(&word, data, 8);
		wide = __builtin_ia32_crc32di(wide, word);
	}
	crc = (uint32_t)wide;
	for (; bytes > 0; bytes--)
		crc = __builtin_ia32_crc32qi(crc, *data++);
	return crc;
}
#endif

uint32_t crc32c(uint32_t crc, const void *data, size_t bytes)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("sse4.2"))
		return ~crc_instruction(~crc, data, bytes);
#endif
	return ~crc_portable(~crc, data, bytes);
}
