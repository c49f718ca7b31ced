/* SPDX-License-Identifier: GPL-2.0-only */
/* An open trace, as its cursors see it. */
#ifndef SSDREVIEW_TRACE_INTERNAL_H
#define SSDREVIEW_TRACE_INTERNAL_H

#include "engines/trace/vdt_internal.h"

/* A chunk that cursors stand in, as the index orders them; cursors 0: nobody is there. */
struct loaded {
	const struct vdt_record *records;
	struct vdt_record *room; /* of unpacked records; else they are in the map */
	size_t cursors;
};

struct trace {
	char path[4096];
	const unsigned char *map;
	uint64_t map_bytes;
	struct trace_header header;
	uint64_t end_ns; /* of the last record, on the capture's clock */
	struct trace_stream *streams;
	struct trace_phase *phases;
	const struct vdt_index *index; /* in the map */
	unsigned chunks;
	struct loaded *loaded; /* by chunk; NULL: no cursor has moved yet */
	struct ZSTD_DCtx_s *zstd;
	unsigned char *shuffled;
	struct vdt_record *spare; /* room of the chunk that was left last */
};

/*
 * The packed records of a chunk, checked, for a cursor that stands there until chunk_leave(); NULL
 * with err when they are damaged.
 */
const unsigned char *chunk_enter(struct trace *trace, uint32_t chunk, struct error *err);
void chunk_leave(struct trace *trace, uint32_t chunk);
void chunks_free(struct trace *trace);

#endif
