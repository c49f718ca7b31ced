/* SPDX-License-Identifier: GPL-2.0-only */
/* gzip, xz and zstd, each as one step: so much input in, so much output out. */
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "engines/trace/source_internal.h"

#define XZ_MEMORY_LIMIT (256ULL << 20) /* the largest dictionary that xz -9 makes needs 65 MiB */

static void input_use(struct source_input *input, size_t bytes)
{
	input->at += bytes;
	input->taken += bytes;
}

static void *copy_begin(void)
{
	return malloc(1);
}

static int copy_step(void *state, struct source_input *input, unsigned char *out, size_t room,
		     size_t *made, const char **why)
{
	size_t left = input->end - input->at;

	(void)state;
	(void)why;
	*made = left < room ? left : room;
	memcpy(out, input->bytes + input->at, *made);
	input_use(input, *made);
	return !(input->ended && *made == 0);
}

struct gzip {
	z_stream stream;
	bool between; /* after a member's end: another may follow */
};

static void *gzip_begin(void)
{
	struct gzip *gzip = calloc(1, sizeof(*gzip));

	if (gzip && inflateInit2(&gzip->stream, 15 + 16) != Z_OK) {
		free(gzip);
		return NULL;
	}
	return gzip;
}

static int gzip_step(void *state, struct source_input *input, unsigned char *out, size_t room,
		     size_t *made, const char **why)
{
	struct gzip *gzip = state;
	int result;

	*made = 0;
	if (input->ended && input->at == input->end) {
		*why = "the gzip data ends before its end mark";
		return gzip->between ? 0 : -1;
	}
	if (gzip->between)
		inflateReset(&gzip->stream);
	gzip->between = false;
	gzip->stream.next_in = input->bytes + input->at;
	gzip->stream.avail_in = (uInt)(input->end - input->at);
	gzip->stream.next_out = out;
	gzip->stream.avail_out = (uInt)room;
	result = inflate(&gzip->stream, Z_NO_FLUSH);
	input_use(input, input->end - input->at - gzip->stream.avail_in);
	*made = room - gzip->stream.avail_out;
	gzip->between = result == Z_STREAM_END;
	*why = "the gzip data is damaged";
	return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR ? 1 : -1;
}

static void gzip_end(void *state)
{
	struct gzip *gzip = state;

	inflateEnd(&gzip->stream);
	free(gzip);
}

static void *xz_begin(void)
{
	lzma_stream *stream = malloc(sizeof(*stream));

	if (!stream)
		return NULL;
	*stream = (lzma_stream)LZMA_STREAM_INIT;
	if (lzma_stream_decoder(stream, XZ_MEMORY_LIMIT, LZMA_CONCATENATED) != LZMA_OK) {
		free(stream);
		return NULL;
	}
	return stream;
}

static int xz_step(void *state, struct source_input *input, unsigned char *out, size_t room,
		   size_t *made, const char **why)
{
	lzma_stream *stream = state;
	lzma_ret result;

	stream->next_in = input->bytes + input->at;
	stream->avail_in = input->end - input->at;
	stream->next_out = out;
	stream->avail_out = room;
	result = lzma_code(stream, input->ended ? LZMA_FINISH : LZMA_RUN);
	input_use(input, input->end - input->at - stream->avail_in);
	*made = room - stream->avail_out;
	if (result == LZMA_STREAM_END)
		return *made ? 1 : 0;
	*why = "the xz data is damaged";
	if (result == LZMA_BUF_ERROR && input->ended)
		*why = "the xz data ends before its end mark";
	else if (result == LZMA_MEMLIMIT_ERROR)
		*why = "the xz data wants over 256 MiB of memory; unpack it with xz -d first";
	return result == LZMA_OK || (result == LZMA_BUF_ERROR && !input->ended) ? 1 : -1;
}

static void xz_end(void *state)
{
	lzma_end(state);
	free(state);
}

struct zstd {
	ZSTD_DStream *stream;
	bool between; /* after a frame's end: another may follow */
};

static void *zstd_begin(void)
{
	struct zstd *zstd = calloc(1, sizeof(*zstd));

	if (zstd)
		zstd->stream = ZSTD_createDStream();
	if (zstd && !zstd->stream) {
		free(zstd);
		return NULL;
	}
	return zstd;
}

static int zstd_step(void *state, struct source_input *input, unsigned char *out, size_t room,
		     size_t *made, const char **why)
{
	struct zstd *zstd = state;
	ZSTD_inBuffer in = {input->bytes + input->at, input->end - input->at, 0};
	ZSTD_outBuffer to = {out, room, 0};
	size_t result;

	*made = 0;
	if (input->ended && !in.size && zstd->between)
		return 0;
	result = ZSTD_decompressStream(zstd->stream, &to, &in);
	input_use(input, in.pos);
	*made = to.pos;
	*why = "the zstd data is damaged";
	if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
		*why = "the zstd data wants over 128 MiB of memory; unpack it with zstd -d "
		       "--long=31 first";
	if (ZSTD_isError(result))
		return -1;
	zstd->between = result == 0;
	*why = "the zstd data ends before its end mark";
	return input->ended && !in.size && !to.pos && !zstd->between ? -1 : 1;
}

static void zstd_end(void *state)
{
	struct zstd *zstd = state;

	ZSTD_freeDStream(zstd->stream);
	free(zstd);
}

static const struct source_codec codecs[] = {
	{"gzip", {0x1f, 0x8b}, 2, gzip_begin, gzip_step, gzip_end},
	{"xz", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, xz_begin, xz_step, xz_end},
	{"zstd", {0x28, 0xb5, 0x2f, 0xfd}, 4, zstd_begin, zstd_step, zstd_end},
	{"plain", {0}, 0, copy_begin, copy_step, free},
};

const struct source_codec *source_codec_find(const struct source_input *input)
{
	const struct source_codec *codec = codecs;

	while (input->end < codec->magic_bytes ||
	       memcmp(input->bytes, codec->magic, codec->magic_bytes) != 0)
		codec++;
	return codec;
}
