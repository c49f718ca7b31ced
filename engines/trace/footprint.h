/* SPDX-License-Identifier: GPL-2.0-only */
/* How much of a target one clone of a replay takes, and how many clones a region holds. */
#ifndef SSDREVIEW_FOOTPRINT_H
#define SSDREVIEW_FOOTPRINT_H

#include "engines/trace/replay.h"

/*
 * As many clones as a region of any size gets by itself (our own choice): each reads the trace on a
 * way of its own, which takes up to half a MB of memory.
 */
#define REPLAY_MOST_CLONES 128

/* Space in whole pieces of 256 KiB, as fit=compact hands it out. */
struct replay_footprint {
	uint64_t shared_bytes; /* once: what linked clones read; 0 for full ones */
	uint64_t clone_bytes;  /* of each clone: what it touches, linked: what it writes */
	bool is_cut;	       /* one clone takes more than the region: counted so far */
};

/*
 * Reads once what the options choose of the trace (stream, phase, window, block and region count,
 * clones and speed do not). Ends as soon as one clone takes more than the region: memory is bounded
 * by it. 0, or -1 with err.
 */
int replay_footprint(struct trace *trace, const struct replay_options *options,
		     struct replay_footprint *footprint, struct error *err);

/* How many clones the region holds side by side: at least 1, at most REPLAY_MOST_CLONES. */
unsigned replay_clones_held(const struct replay_footprint *footprint, uint64_t region_bytes);

#endif
