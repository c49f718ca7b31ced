/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The chunks that cursors stand in: each is checked, and unpacked when it is packed, once for all
 * cursors that are there, so that memory grows with the places in use and not with the cursors.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "engines/trace/trace_internal.h"

#define READ_AHEAD (1u << 20)

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

static bool has_unpacker(struct trace *trace)
{
	if (!trace->zstd)
		trace->zstd = ZSTD_createDCtx();
	if (!trace->shuffled)
		trace->shuffled = malloc(VDT_CHUNK_BYTES);
	return trace->zstd && trace->shuffled;
}

static int unpack(struct trace *trace, uint32_t chunk, struct vdt_record *records,
		  struct error *err)
{
	const struct vdt_index *entry = &trace->index[chunk];
	size_t bytes = le32toh(entry->records) * (size_t)TRACE_RECORD_BYTES;
	size_t got = ZSTD_decompressDCtx(trace->zstd, trace->shuffled, VDT_CHUNK_BYTES,
					 trace->map + le64toh(entry->at), le32toh(entry->bytes));

	if (ZSTD_isError(got))
		return damaged(trace, chunk, ZSTD_getErrorName(got), err);
	if (got != bytes)
		return damaged(trace, chunk, "they unpack to another length", err);
	vdt_unshuffle(trace->shuffled, le32toh(entry->records), records);
	return 0;
}

/* Room for one chunk, the one that was left last if there is one. */
static struct vdt_record *new_room(struct trace *trace)
{
	struct vdt_record *room = trace->spare;

	trace->spare = NULL;
	return room ? room : malloc(VDT_CHUNK_BYTES);
}

static void free_room(struct trace *trace, struct vdt_record *room)
{
	if (trace->spare)
		free(room);
	else
		trace->spare = room;
}

/* Fills an empty place. */
static int load(struct trace *trace, uint32_t chunk, struct loaded *loaded, struct error *err)
{
	const struct vdt_index *entry = &trace->index[chunk];
	const unsigned char *stored = trace->map + le64toh(entry->at);

	read_ahead(trace, le64toh(entry->at) + le32toh(entry->bytes));
	if (crc32c(0, stored, le32toh(entry->bytes)) != le32toh(entry->crc))
		return damaged(trace, chunk, "they are damaged", err);
	loaded->records = (const void *)stored;
	if (trace->header.compressed) {
		if (has_unpacker(trace))
			loaded->room = new_room(trace);
		if (!loaded->room)
			return error_set(err, "%s: out of memory", trace->path);
		if (unpack(trace, chunk, loaded->room, err))
			return -1;
		loaded->records = loaded->room;
	}
	return check_records(trace, chunk, loaded->records, err);
}

static void unload(struct trace *trace, struct loaded *loaded)
{
	if (loaded->room)
		free_room(trace, loaded->room);
	*loaded = (struct loaded){0};
}

const unsigned char *chunk_enter(struct trace *trace, uint32_t chunk, struct error *err)
{
	struct loaded *loaded;

	if (!trace->loaded)
		trace->loaded = calloc(trace->chunks, sizeof(*trace->loaded));
	if (!trace->loaded) {
		error_set(err, "%s: out of memory", trace->path);
		return NULL;
	}
	loaded = &trace->loaded[chunk];
	if (!loaded->cursors && load(trace, chunk, loaded, err)) {
		unload(trace, loaded);
		return NULL;
	}
	loaded->cursors++;
	return (const unsigned char *)loaded->records;
}

void chunk_leave(struct trace *trace, uint32_t chunk)
{
	if (!--trace->loaded[chunk].cursors)
		unload(trace, &trace->loaded[chunk]);
}

void chunks_free(struct trace *trace)
{
	ZSTD_freeDCtx(trace->zstd);
	free(trace->shuffled);
	free(trace->spare);
	free(trace->loaded);
}
