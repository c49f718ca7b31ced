/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside of a source: raw bytes come in, a codec unpacks them. */
#ifndef SSDREVIEW_SOURCE_INTERNAL_H
#define SSDREVIEW_SOURCE_INTERNAL_H

#include "engines/trace/trace.h"

#define SOURCE_INPUT_BYTES 65536

/* The file as it is stored. */
struct source_input {
	int fd;
	bool ended;
	size_t at, end;
	uint64_t taken; /* bytes of the file before `at` */
	unsigned char bytes[SOURCE_INPUT_BYTES];
};

struct source_codec {
	const char *name;
	unsigned char magic[6];
	size_t magic_bytes;
	/* State for one file, or NULL when there is no memory. */
	void *(*begin)(void);
	/*
	 * Unpacks from input into room bytes at out. 1: *made bytes came, go on. 0: the data ended.
	 * -1: *why says what is wrong.
	 */
	int (*step)(void *state, struct source_input *input, unsigned char *out, size_t room,
		    size_t *made, const char **why);
	void (*end)(void *state);
};

/* The codec of the input, which must hold its first bytes; one that copies when none fits. */
const struct source_codec *source_codec_find(const struct source_input *input);

#endif
