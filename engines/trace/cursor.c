/* SPDX-License-Identifier: GPL-2.0-only */
/* Walking a trace, chunk by chunk. */
#include "engines/trace/trace_internal.h"

#define NO_CHUNK UINT32_MAX

void trace_cursor_open(struct trace *trace, struct trace_cursor *cursor)
{
	memset(cursor, 0, sizeof(*cursor));
	cursor->trace = trace;
	cursor->chunk = NO_CHUNK;
	cursor->start_ns = trace->header.start_ns;
}

static void leave(struct trace_cursor *cursor)
{
	if (cursor->chunk != NO_CHUNK)
		chunk_leave(cursor->trace, cursor->chunk);
	cursor->chunk = NO_CHUNK;
}

void trace_cursor_close(struct trace_cursor *cursor)
{
	if (cursor->trace)
		leave(cursor);
	cursor->trace = NULL;
}

/* Stands in that chunk from now on. */
static int enter(struct trace_cursor *cursor, uint32_t chunk)
{
	if (cursor->chunk == chunk)
		return 0;
	leave(cursor);
	cursor->records = chunk_enter(cursor->trace, chunk, &cursor->error);
	if (!cursor->records)
		return -1;
	cursor->chunk = chunk;
	return 0;
}

int trace_cursor_fill(struct trace_cursor *cursor)
{
	const struct trace *trace = cursor->trace;
	uint32_t chunk = (uint32_t)(cursor->number / VDT_CHUNK_RECORDS);

	if (cursor->number >= trace->header.records)
		return 0;
	if (enter(cursor, chunk))
		return -1;
	cursor->at = cursor->records + cursor->number % VDT_CHUNK_RECORDS * TRACE_RECORD_BYTES;
	cursor->end = cursor->records + le32toh(trace->index[chunk].records) * TRACE_RECORD_BYTES;
	return 1;
}

int trace_seek(struct trace_cursor *cursor, uint64_t record)
{
	cursor->at = cursor->end = NULL;
	cursor->number = record;
	return 0;
}

/* The last chunk that begins before time_ns on the capture's clock; the first if none does. */
static uint32_t chunk_before(const struct trace *trace, uint64_t time_ns)
{
	uint32_t low = 0, high = trace->chunks;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (le64toh(trace->index[middle].first_ns) < time_ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int trace_seek_time(struct trace_cursor *cursor, uint64_t time_ns)
{
	const struct trace *trace = cursor->trace;
	struct trace_record record;
	int got;

	if (time_ns > trace->header.duration_ns)
		return trace_seek(cursor, trace->header.records);
	trace_seek(cursor,
		   (uint64_t)chunk_before(trace, time_ns + cursor->start_ns) * VDT_CHUNK_RECORDS);
	do
		got = trace_next(cursor, &record);
	while (got > 0 && record.time_ns < time_ns);
	if (got > 0) {
		cursor->at -= TRACE_RECORD_BYTES;
		cursor->number--;
	}
	return got < 0 ? -1 : 0;
}
