/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A mix of patterns with shares of the I/Os, as mix= of openloop and of a profile's row has it:
 *
 *     80:randread:8k,19:randwrite:8k,1:write:64k
 *     40:randread:4k/67+8k/33:0-5/50+5-20/30+20-100/20,60:randwrite:4k
 *
 * A pattern is SHARE:RW:SIZES[:PLACES], shares in percent of all I/Os, together 100. RW is read,
 * write, trim (in order), randread, randwrite or randtrim. SIZES are block sizes in bytes (k, m:
 * 1024-based), PLACES parts of the region as FROM-TO in percent of it (default: all of it); of
 * several, joined by +, each has its share in percent of the pattern's I/Os behind a slash.
 *
 * Knows no fio. Patterns, sizes and places are chosen by a stratified choice (strata.h), so shares
 * hold over short spans; places of random patterns are drawn independently of each other.
 */
#ifndef SSDREVIEW_MIX_H
#define SSDREVIEW_MIX_H

#include "base/base.h"

#define MIX_PATTERNS 16
#define MIX_SIZES    16
#define MIX_PLACES   8

#define MIX_LONGEST_BYTES (16u << 20)

enum mix_op { MIX_READ, MIX_WRITE, MIX_TRIM };

struct mix_pattern {
	enum mix_op op;
	bool is_random; /* else in order, with a cursor of its own */
	double share;	/* of all I/Os, 0..1; those below are shares of the pattern's */
	unsigned size_count, place_count;
	uint32_t sizes[MIX_SIZES];
	double size_shares[MIX_SIZES];
	double from[MIX_PLACES], to[MIX_PLACES]; /* of the region, 0..1 */
	double place_shares[MIX_PLACES];
};

struct mix {
	struct mix_pattern patterns[MIX_PATTERNS];
	unsigned count;
};

/* 0, or -1 with a sentence that names the byte, counted from 1. */
int mix_parse(const char *text, struct mix *mix, struct error *err);

/* Does any pattern do it? */
bool mix_does(const struct mix *mix, enum mix_op op);

/* "randread", as in the text; a constant. */
const char *mix_word(const struct mix_pattern *pattern);

uint32_t mix_longest_bytes(const struct mix *mix);
/* Whether all its sizes are multiples of a drive's blocks. */
bool mix_fits_blocks(const struct mix *mix, uint32_t block_bytes);

/* The mean bytes of an I/O of the mix; those that it writes. */
double mix_mean_bytes(const struct mix *mix);
double mix_written_bytes(const struct mix *mix);

/* ---- drawing I/Os --------------------------------------------------------------------------- */

struct mix_io {
	enum mix_op op;
	uint32_t bytes;
	uint64_t offset;	       /* from the start of the region */
	unsigned pattern, size, place; /* which of the mix and of its pattern it is */
};

struct mix_draw;

/* Which I/Os: the same for the same figures. */
struct mix_draw_options {
	uint64_t region_bytes;
	uint32_t align_bytes;	/* where random I/Os begin; 0: a multiple of their size */
	unsigned clone, clones; /* from 0; clones draw different I/Os, cursors begin apart */
	uint64_t seed;
};

/* NULL with err when memory is short or a place of the region is too small for its blocks. */
struct mix_draw *mix_draw_open(const struct mix *mix, const struct mix_draw_options *options,
			       struct error *err);
void mix_draw_next(struct mix_draw *draw, struct mix_io *io);
void mix_draw_close(struct mix_draw *draw);

#endif
