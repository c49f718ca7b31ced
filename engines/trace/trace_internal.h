/* SPDX-License-Identifier: GPL-2.0-only */
/* An open trace, as its cursors see it. */
#ifndef SSDREVIEW_TRACE_INTERNAL_H
#define SSDREVIEW_TRACE_INTERNAL_H

#include "engines/trace/vdt_internal.h"

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
};

#endif
