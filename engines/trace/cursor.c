/* SPDX-License-Identifier: GPL-2.0-only */
/* Walking a trace: a chunk is checked, and unpacked when it is packed, before its first record. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "engines/trace/trace_internal.h"

#define NO_CHUNK   UINT32_MAX
#define READ_AHEAD (1u << 20)

/* A chunk that may be walked. */
struct slot {
	uint32_t chunk; /* NO_CHUNK: none */
	const struct vdt_record *records;
	struct vdt_record *room; /* for unpacked records */
};

struct trace_cursor_state {
	struct trace *trace;
	ZSTD_DCtx *zstd;
	unsigned char *shuffled;
	struct slot slots[2]; /* the present chunk, and one prepared */
	unsigned present;
};

static int damaged(const struct trace *trace, uint32_t chunk, const char *why, struct error *err)
{
	const struct vdt_index *entry = &trace->index[chunk];

	return error_set(err, "%s: records %llu to %llu, bytes %llu to %llu: %s", trace->path,
			 (unsigned long long)chunk * VDT_CHUNK_RECORDS,
			 (unsigned long long)chunk * VDT_CHUNK_RECORDS + le32toh(entry->records) -
				 1,
			 (unsigned long long)le64toh(entry->at),
			 (unsigned long long)le64toh(entry->at) + le32toh(entry->bytes) - 1, why);
}

/* Every record must be one that the writer would have taken, in order. */
static int check_records(const struct trace *trace, uint32_t chunk,
			 const struct vdt_record *records, struct error *err)
{
	const struct vdt_index *entry = &trace->index[chunk];
	uint64_t before = le64toh(entry->first_ns);
	uint32_t i;

	if (le64toh(records[0].time_ns) != before || before < trace->header.start_ns)
		return damaged(trace, chunk, "they do not begin when the index says", err);
	for (i = 0; i < le32toh(entry->records); i++) {
		uint64_t now = le64toh(records[i].time_ns), offset = le64toh(records[i].offset);
		uint64_t word = le64toh(records[i].length_op);

		if (now < before || now > trace->end_ns)
			return damaged(trace, chunk, "they are not in the order of time", err);
		if (((word >> 48) & 255) >= TRACE_OPS || (word >> 56) & ~VDT_FLAGS)
			return damaged(trace, chunk, "an unknown operation or flag", err);
		if (le64toh(records[i].latency_stream) >> 48 >= trace->header.streams)
			return damaged(trace, chunk, "an unknown stream", err);
		if (offset >= VDT_MAX_END || offset + (word & TRACE_MAX_LENGTH) > VDT_MAX_END)
			return damaged(trace, chunk, "an address beyond 2^63", err);
		before = now;
	}
	return 0;
}

/* Asks for what will be read soon, so that a disk need not be waited for. */
static void read_ahead(const struct trace *trace, uint64_t at)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), from = at / page * page;
	uint64_t bytes = trace->map_bytes - from;

	madvise((void *)(uintptr_t)(trace->map + from), bytes < READ_AHEAD ? bytes : READ_AHEAD,
		MADV_WILLNEED);
}

static int unpack(struct trace_cursor_state *state, uint32_t chunk, struct slot *slot,
		  struct error *err)
{
	const struct trace *trace = state->trace;
	const struct vdt_index *entry = &trace->index[chunk];
	size_t bytes = le32toh(entry->records) * (size_t)TRACE_RECORD_BYTES;
	size_t got = ZSTD_decompressDCtx(state->zstd, state->shuffled, VDT_CHUNK_BYTES,
					 trace->map + le64toh(entry->at), le32toh(entry->bytes));

	if (ZSTD_isError(got))
		return damaged(trace, chunk, ZSTD_getErrorName(got), err);
	if (got != bytes)
		return damaged(trace, chunk, "they unpack to another length", err);
	vdt_unshuffle(state->shuffled, le32toh(entry->records), slot->room);
	slot->records = slot->room;
	return 0;
}

static int load(struct trace_cursor_state *state, uint32_t chunk, struct slot *slot,
		struct error *err)
{
	const struct trace *trace = state->trace;
	const struct vdt_index *entry = &trace->index[chunk];
	const unsigned char *stored = trace->map + le64toh(entry->at);

	if (slot->chunk == chunk)
		return 0;
	slot->chunk = NO_CHUNK;
	read_ahead(trace, le64toh(entry->at) + le32toh(entry->bytes));
	if (crc32c(0, stored, le32toh(entry->bytes)) != le32toh(entry->crc))
		return damaged(trace, chunk, "they are damaged", err);
	slot->records = (const void *)stored;
	if (trace->header.compressed && unpack(state, chunk, slot, err))
		return -1;
	if (check_records(trace, chunk, slot->records, err))
		return -1;
	slot->chunk = chunk;
	return 0;
}

static int allocate(struct trace_cursor_state *state)
{
	state->slots[0].chunk = state->slots[1].chunk = NO_CHUNK;
	if (!state->trace->header.compressed)
		return 0;
	state->zstd = ZSTD_createDCtx();
	state->shuffled = malloc(VDT_CHUNK_BYTES);
	state->slots[0].room = malloc(VDT_CHUNK_BYTES);
	state->slots[1].room = malloc(VDT_CHUNK_BYTES);
	return state->zstd && state->shuffled && state->slots[0].room && state->slots[1].room ? 0
											      : -1;
}

int trace_cursor_open(struct trace *trace, struct trace_cursor *cursor, struct error *err)
{
	memset(cursor, 0, sizeof(*cursor));
	cursor->state = calloc(1, sizeof(*cursor->state));
	if (!cursor->state)
		return error_set(err, "%s: out of memory", trace->path);
	cursor->state->trace = trace;
	cursor->start_ns = trace->header.start_ns;
	if (allocate(cursor->state)) {
		trace_cursor_close(cursor);
		return error_set(err, "%s: out of memory", trace->path);
	}
	return 0;
}

void trace_cursor_close(struct trace_cursor *cursor)
{
	struct trace_cursor_state *state = cursor->state;

	if (!state)
		return;
	ZSTD_freeDCtx(state->zstd);
	free(state->shuffled);
	free(state->slots[0].room);
	free(state->slots[1].room);
	free(state);
	cursor->state = NULL;
}

int trace_cursor_fill(struct trace_cursor *cursor)
{
	struct trace_cursor_state *state = cursor->state;
	struct trace *trace = state->trace;
	uint64_t chunk = cursor->number / VDT_CHUNK_RECORDS;
	const struct slot *slot;

	if (cursor->number >= trace->header.records)
		return 0;
	if (state->slots[!state->present].chunk == chunk)
		state->present = !state->present;
	slot = &state->slots[state->present];
	if (load(state, (uint32_t)chunk, &state->slots[state->present], &cursor->error))
		return -1;
	cursor->at = (const void *)(slot->records + cursor->number % VDT_CHUNK_RECORDS);
	cursor->end = (const void *)(slot->records + le32toh(trace->index[chunk].records));
	return 1;
}

int trace_prepare(struct trace_cursor *cursor)
{
	struct trace_cursor_state *state = cursor->state;
	uint64_t left = (uint64_t)(cursor->end - cursor->at) / TRACE_RECORD_BYTES;
	uint64_t next = cursor->number + left;

	if (next >= state->trace->header.records)
		return 0;
	return load(state, (uint32_t)(next / VDT_CHUNK_RECORDS), &state->slots[!state->present],
		    &cursor->error)
		       ? -1
		       : 1;
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
	const struct trace *trace = cursor->state->trace;
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
