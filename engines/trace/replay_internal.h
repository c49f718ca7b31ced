/* SPDX-License-Identifier: GPL-2.0-only */
/* A replay as its two files see it: replay_open.c sets it up, replay.c plays it. */
#ifndef SSDREVIEW_REPLAY_INTERNAL_H
#define SSDREVIEW_REPLAY_INTERNAL_H

#include "engines/trace/info_internal.h"
#include "engines/trace/replay_clone.h"
#include "engines/trace/replay_depend.h"
#include "engines/trace/replay_place.h"

struct replay {
	struct trace *trace;
	struct replay_options options;
	struct replay_part part;
	int stream;	      /* -1: all */
	uint64_t *base_bytes; /* of each stream in a clone's address space */
	struct clone *clones; /* those of this job; dependent: one for each of their streams */
	struct clone **heap;  /* the one that is due first, first; empty when dependent */
	unsigned clone_count, heap_count;
	struct depend *depend; /* NULL: records leave by their time */
	struct places places;
	struct replay_counts counts;
	struct in_flight in_flight; /* by the trace's own latencies */
	struct trace_record rest;   /* of a record that goes in pieces */
	uint64_t rest_due_ns;
	unsigned rest_clone;
	struct depend_ref rest_ref; /* dependent */
	bool has_rest, flush_first;
};

#endif
