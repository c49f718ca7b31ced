/* SPDX-License-Identifier: GPL-2.0-only */
/* Text files piece by piece, through zlib, which hands what is not packed on as it is. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "postprocess/minutes_internal.h"

#define BUFFER_BYTES  (256 * 1024)
#define LONGEST_PIECE (64 * 1024 * 1024) /* of a damaged file without ends */

struct pieces {
	gzFile file;
	char *data; /* room + 1 bytes */
	size_t room, at, filled;
	bool is_short;
	char path[512];
};

/* fio packs logs by itself (log_store_compressed=1), in pieces that only fio can join. */
static int check_kind(struct pieces *pieces, struct error *err)
{
	unsigned char head[2] = {0, 0};

	if (gzread(pieces->file, head, 2) == 2 && head[0] == 0x78 && head[1] == 0x9c)
		return error_set(err, "%s is compressed by fio: run fio --inflate-log=%s > LOG",
				 pieces->path, pieces->path);
	if (gzrewind(pieces->file))
		return error_set(err, "%s cannot be read twice: name a file, not a pipe",
				 pieces->path);
	return 0;
}

struct pieces *pieces_open(const char *path, struct error *err)
{
	struct pieces *pieces = calloc(1, sizeof(*pieces));

	if (pieces)
		pieces->data = malloc(BUFFER_BYTES + 1);
	if (!pieces || !pieces->data) {
		free(pieces);
		error_set(err, "%s: not enough memory", path);
		return NULL;
	}
	pieces->room = BUFFER_BYTES;
	snprintf(pieces->path, sizeof(pieces->path), "%s", path);
	pieces->file = gzopen(path, "re");
	if (!pieces->file)
		error_set(err, "%s cannot be opened: %s", path, strerror(errno));
	else
		gzbuffer(pieces->file, BUFFER_BYTES);
	if (pieces->file && !check_kind(pieces, err))
		return pieces;
	pieces_close(pieces, NULL);
	return NULL;
}

/* Reads on behind what is left of the buffer; false at the end. */
static bool refill(struct pieces *pieces)
{
	char *larger;
	int got;

	memmove(pieces->data, pieces->data + pieces->at, pieces->filled - pieces->at);
	pieces->filled -= pieces->at;
	pieces->at = 0;
	if (pieces->filled == pieces->room) {
		larger = pieces->room < LONGEST_PIECE ? realloc(pieces->data, 2 * pieces->room + 1)
						      : NULL;
		pieces->is_short = !larger;
		if (!larger)
			return false;
		pieces->data = larger;
		pieces->room *= 2;
	}
	got = gzread(pieces->file, pieces->data + pieces->filled,
		     (unsigned)(pieces->room - pieces->filled));
	if (got > 0)
		pieces->filled += (size_t)got;
	return got > 0;
}

char *pieces_next(struct pieces *pieces, char last)
{
	char *piece, *end;
	size_t searched = 0;

	for (;;) {
		piece = pieces->data + pieces->at;
		end = memchr(piece + searched, last, pieces->filled - pieces->at - searched);
		if (end)
			break;
		searched = pieces->filled - pieces->at;
		if (refill(pieces))
			continue;
		if (!searched || pieces->is_short)
			return NULL;
		piece = pieces->data + pieces->at;
		end = piece + searched;
		pieces->filled++; /* the last piece needs no end */
		break;
	}
	pieces->at = (size_t)(end + 1 - pieces->data);
	*end = '\0';
	return piece;
}

int pieces_close(struct pieces *pieces, struct error *err)
{
	int fault = Z_OK, status = 0;
	const char *words = pieces->file ? gzerror(pieces->file, &fault) : "";

	if (pieces->is_short)
		status = error_set(err, "%s is no log: one piece of it is longer than 64 MiB",
				   pieces->path);
	else if (fault != Z_OK && fault != Z_STREAM_END)
		status = error_set(err, "%s is damaged: %s", pieces->path,
				   words[0] ? words : "it ends too early");
	if (pieces->file)
		gzclose(pieces->file);
	free(pieces->data);
	free(pieces);
	return status;
}
