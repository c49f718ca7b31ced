/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands between an importer and the trace: filters, devices, counts. */
#ifndef SSDREVIEW_TRACE_SINK_INTERNAL_H
#define SSDREVIEW_TRACE_SINK_INTERNAL_H

#include "engines/trace/trace.h"

struct trace_sink {
	const struct trace_importer *importer;
	const char *to;
	struct trace_writer *writer; /* NULL: dry run, or no row yet */
	struct sink_device {
		char *name;
		uint64_t size_bytes;
		bool wanted;
		int stream; /* -1: no row of it was kept yet */
	} * devices;
	unsigned device_count, device_room, device_last;
	unsigned *hash; /* device number + 1, by name; a power of two */
	unsigned hash_room;
	uint64_t bad, earliest_ns, latest_ns;
	struct trace_phase *phases; /* until there is a writer */
	unsigned phase_count;
};

void sink_free(struct trace_sink *sink);
/* Why a record does not fit in a trace, whatever its stream; NULL when it does. */
const char *record_refusal(const struct trace_record *record);

#endif
