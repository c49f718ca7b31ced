/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening a .vdt file: everything but the records is checked, each fault named with its byte. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "engines/trace/trace_internal.h"

#define FIELD(name) ((unsigned)offsetof(struct vdt_header, name))

static int map_file(struct trace *trace, struct error *err)
{
	struct stat st;
	int fd = open(trace->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO would wait */
	void *map = MAP_FAILED;

	if (fd < 0 || fstat(fd, &st)) {
		error_set(err, "%s cannot be opened: %s", trace->path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	if (!S_ISREG(st.st_mode)) {
		close(fd);
		return error_set(err,
				 "%s is no file: a trace is mapped, so it must be a regular file",
				 trace->path);
	}
	if (st.st_size >= (off_t)sizeof(struct vdt_header))
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (st.st_size < (off_t)sizeof(struct vdt_header))
		return error_set(
			err, "%s ends at byte %lld: a .vdt file begins with %zu bytes of header",
			trace->path, (long long)st.st_size, sizeof(struct vdt_header));
	if (map == MAP_FAILED)
		return error_set(err, "%s cannot be read: %s", trace->path, strerror(errno));
	trace->map = map;
	trace->map_bytes = (uint64_t)st.st_size;
	return 0;
}

/* What must be right before the rest of the header can be believed. */
static int check_identity(const struct trace *trace, const struct vdt_header *raw,
			  struct error *err)
{
	uint32_t version = le32toh(raw->version);
	uint64_t file_bytes = le64toh(raw->file_bytes);

	if (memcmp(raw->magic, VDT_MAGIC, VDT_MAGIC_BYTES) != 0)
		return error_set(err,
				 "%s: byte 0: this is no .vdt file; ssdreview trace import makes "
				 "one of a capture",
				 trace->path);
	if (version > TRACE_VERSION)
		return error_set(err,
				 "%s: byte %u: version %u; this ssdreview reads up to %d, "
				 "take a newer one",
				 trace->path, FIELD(version), version, TRACE_VERSION);
	if (le32toh(raw->header_crc) != crc32c(0, raw, FIELD(header_crc)))
		return error_set(err, "%s: the header, bytes 0 to %zu, is damaged", trace->path,
				 sizeof(*raw) - 1);
	if (file_bytes > trace->map_bytes)
		return error_set(err, "%s is cut at byte %llu of %llu; copy it again", trace->path,
				 (unsigned long long)trace->map_bytes,
				 (unsigned long long)file_bytes);
	if (file_bytes < trace->map_bytes)
		return error_set(err, "%s: byte %llu: something follows the end of the trace",
				 trace->path, (unsigned long long)file_bytes);
	return 0;
}

static int bad_field(const struct trace *trace, unsigned byte, const char *what, struct error *err)
{
	return error_set(err, "%s: byte %u: %s", trace->path, byte, what);
}

static uint64_t all_records(const struct vdt_header *raw)
{
	uint64_t sum = 0;
	unsigned op;

	for (op = 0; op < TRACE_OPS; op++)
		sum += le64toh(raw->totals[op][0]);
	return sum;
}

static int check_numbers(const struct trace *trace, const struct vdt_header *raw, struct error *err)
{
	static const unsigned char zero[sizeof(raw->zero)];
	uint64_t records = le64toh(raw->records);
	uint32_t block = le32toh(raw->block_bytes);

	if (le32toh(raw->version) != TRACE_VERSION)
		return bad_field(trace, FIELD(version), "there is no such version", err);
	if (le32toh(raw->header_bytes) != sizeof(*raw))
		return bad_field(trace, FIELD(header_bytes), "not the header's length", err);
	if (!records || all_records(raw) != records)
		return bad_field(trace, FIELD(records), "not the number of its records", err);
	if (le64toh(raw->start_ns) > le64toh(raw->end_ns) || le64toh(raw->end_ns) >= VDT_MAX_END)
		return bad_field(trace, FIELD(start_ns), "the trace ends before it starts", err);
	if (le64toh(raw->latency_records) > records)
		return bad_field(trace, FIELD(latency_records), "more latencies than records", err);
	if (le32toh(raw->flags) & ~VDT_KNOWN)
		return bad_field(trace, FIELD(flags), "a flag of a newer version", err);
	if (le32toh(raw->record_bytes) != TRACE_RECORD_BYTES)
		return bad_field(trace, FIELD(record_bytes), "not the length of a record", err);
	if (le32toh(raw->chunk_records) != VDT_CHUNK_RECORDS)
		return bad_field(trace, FIELD(chunk_records), "not the records of a chunk", err);
	if (le32toh(raw->chunks) != (records + VDT_CHUNK_RECORDS - 1) / VDT_CHUNK_RECORDS)
		return bad_field(trace, FIELD(chunks), "not the number of chunks", err);
	if (!block || block > VDT_MAX_BLOCK || (block & (block - 1)))
		return bad_field(trace, FIELD(block_bytes), "no block size", err);
	if (memcmp(raw->zero, zero, sizeof(zero)) != 0)
		return bad_field(trace, FIELD(zero), "not zero", err);
	return 0;
}

/* Places, from what the header counts; 64 bits hold them, for every count has 32. */
static int check_places(const struct trace *trace, const struct vdt_header *raw, struct error *err)
{
	uint64_t tables_at = le64toh(raw->tables_at), index_at = le64toh(raw->index_at);
	uint64_t tables = sizeof(struct trace_provenance) +
			  (uint64_t)le32toh(raw->streams) * sizeof(struct vdt_stream) +
			  (uint64_t)le32toh(raw->phases) * sizeof(struct vdt_phase);
	uint64_t index = (uint64_t)le32toh(raw->chunks) * sizeof(struct vdt_index);

	if (!raw->streams || le32toh(raw->streams) > TRACE_MAX_STREAMS)
		return bad_field(trace, FIELD(streams), "not a number of streams", err);
	if (le32toh(raw->phases) > TRACE_MAX_PHASES)
		return bad_field(trace, FIELD(phases), "not a number of phases", err);
	if (index_at > trace->map_bytes || trace->map_bytes - index_at != index)
		return bad_field(trace, FIELD(index_at), "not the place of the index", err);
	if (tables_at < sizeof(*raw) || tables_at % 8 || tables_at > index_at ||
	    index_at - tables_at != tables)
		return bad_field(trace, FIELD(tables_at), "not the place of the tables", err);
	if (crc32c(0, trace->map + tables_at, tables) != le32toh(raw->tables_crc))
		return error_set(err, "%s: the tables, bytes %llu to %llu, are damaged",
				 trace->path, (unsigned long long)tables_at,
				 (unsigned long long)index_at - 1);
	if (crc32c(0, trace->map + index_at, index) != le32toh(raw->index_crc))
		return error_set(err, "%s: the index, bytes %llu to %llu, is damaged", trace->path,
				 (unsigned long long)index_at,
				 (unsigned long long)trace->map_bytes - 1);
	return 0;
}

static void take_header(struct trace *trace, const struct vdt_header *raw)
{
	struct trace_header *header = &trace->header;
	uint32_t flags = le32toh(raw->flags);
	unsigned op;

	header->version = le32toh(raw->version);
	header->compressed = flags & VDT_COMPRESSED;
	header->synthetic = flags & VDT_SYNTHETIC;
	header->clock = flags & VDT_CLOCK_UNIX ? TRACE_CLOCK_UNIX : TRACE_CLOCK_UNKNOWN;
	header->block_bytes = le32toh(raw->block_bytes);
	header->records = le64toh(raw->records);
	header->file_bytes = le64toh(raw->file_bytes);
	header->latency_records = le64toh(raw->latency_records);
	header->lost = le32toh(raw->lost);
	header->start_ns = le64toh(raw->start_ns);
	trace->end_ns = le64toh(raw->end_ns);
	header->duration_ns = trace->end_ns - header->start_ns;
	header->streams = le32toh(raw->streams);
	header->phases = le32toh(raw->phases);
	for (op = 0; op < TRACE_OPS; op++) {
		header->totals.records[op] = le64toh(raw->totals[op][0]);
		header->totals.bytes[op] = le64toh(raw->totals[op][1]);
	}
	trace->chunks = le32toh(raw->chunks);
	trace->index = (const void *)(trace->map + le64toh(raw->index_at));
}

/* A text that fills its field without an end, or would steer a terminal. */
static bool bad_text(const char *text, size_t room)
{
	size_t i, length = strnlen(text, room);

	for (i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 127)
			return true;
	return length == room;
}

static bool bad_name(const char *name, size_t room)
{
	return !name[0] || bad_text(name, room);
}

static int take_provenance(struct trace *trace, const unsigned char *at, struct error *err)
{
	struct trace_provenance *to = &trace->header.provenance;

	memcpy(to, at, sizeof(*to));
	if (!bad_text(to->source, sizeof(to->source)) &&
	    !bad_text(to->format, sizeof(to->format)) &&
	    !bad_text(to->event_class, sizeof(to->event_class)) &&
	    !bad_text(to->converter, sizeof(to->converter)) &&
	    !bad_text(to->note, sizeof(to->note)))
		return 0;
	return error_set(err, "%s: byte %lld: a text of the provenance makes no sense", trace->path,
			 (long long)(at - trace->map));
}

static int take_streams(struct trace *trace, const unsigned char *at, struct error *err)
{
	uint64_t records = 0;
	unsigned i;

	trace->streams = calloc(trace->header.streams, sizeof(*trace->streams));
	if (!trace->streams)
		return error_set(err, "%s: out of memory", trace->path);
	for (i = 0; i < trace->header.streams; i++, at += sizeof(struct vdt_stream)) {
		struct trace_stream *to = &trace->streams[i];
		struct vdt_stream raw;

		memcpy(&raw, at, sizeof(raw));
		memcpy(to->name, raw.name, sizeof(to->name));
		to->size_bytes = le64toh(raw.size_bytes);
		to->end_bytes = le64toh(raw.end_bytes);
		to->records = le64toh(raw.records);
		records += to->records;
		if (bad_name(raw.name, sizeof(raw.name)) || to->end_bytes > VDT_MAX_END ||
		    to->records > trace->header.records)
			return error_set(err, "%s: byte %lld: stream %u makes no sense",
					 trace->path, (long long)(at - trace->map), i);
	}
	if (records != trace->header.records)
		return error_set(
			err, "%s: byte %lld: the streams have %llu records, the trace %llu",
			trace->path, (long long)(at - trace->map), (unsigned long long)records,
			(unsigned long long)trace->header.records);
	return 0;
}

static int take_phases(struct trace *trace, const unsigned char *at, struct error *err)
{
	uint64_t start_ns = trace->header.start_ns, last_ns = 0;
	unsigned i;

	trace->phases = calloc(trace->header.phases + 1, sizeof(*trace->phases));
	if (!trace->phases)
		return error_set(err, "%s: out of memory", trace->path);
	for (i = 0; i < trace->header.phases; i++, at += sizeof(struct vdt_phase)) {
		struct vdt_phase raw;
		uint64_t phase_ns;

		memcpy(&raw, at, sizeof(raw));
		phase_ns = le64toh(raw.start_ns);
		if (bad_name(raw.name, sizeof(raw.name)) || phase_ns < last_ns ||
		    phase_ns >= VDT_MAX_END)
			return error_set(err, "%s: byte %lld: phase %u makes no sense", trace->path,
					 (long long)(at - trace->map), i);
		memcpy(trace->phases[i].name, raw.name, sizeof(raw.name));
		trace->phases[i].start_ns = phase_ns > start_ns ? phase_ns - start_ns : 0;
		last_ns = phase_ns;
	}
	return 0;
}

/* Chunks must lie one behind the other, and all but the last be full. */
static int check_index(const struct trace *trace, uint64_t tables_at, struct error *err)
{
	static const unsigned char padding[8];
	uint64_t at = sizeof(struct vdt_header), left = trace->header.records, last_ns = 0;
	size_t most =
		trace->header.compressed ? ZSTD_compressBound(VDT_CHUNK_BYTES) : VDT_CHUNK_BYTES;
	unsigned i;

	for (i = 0; i < trace->chunks; i++) {
		const struct vdt_index *entry = &trace->index[i];
		uint32_t records = left < VDT_CHUNK_RECORDS ? (uint32_t)left : VDT_CHUNK_RECORDS;
		uint32_t bytes = le32toh(entry->bytes);
		bool sized = trace->header.compressed ? bytes > 0 && bytes <= most
						      : bytes == records * TRACE_RECORD_BYTES;

		if (le64toh(entry->at) != at || le32toh(entry->records) != records || !sized ||
		    le64toh(entry->first_ns) < last_ns || entry->zero || bytes > tables_at - at)
			return error_set(err, "%s: byte %lld: entry %u of the index makes no sense",
					 trace->path,
					 (long long)((const unsigned char *)entry - trace->map), i);
		at += bytes;
		left -= records;
		last_ns = le64toh(entry->first_ns);
	}
	if (tables_at - at < 8 && !memcmp(trace->map + at, padding, tables_at - at))
		return 0;
	return error_set(err, "%s: byte %llu: bytes that belong to no chunk", trace->path,
			 (unsigned long long)at);
}

static int open_mapped(struct trace *trace, struct error *err)
{
	const struct vdt_header *raw = (const void *)trace->map;
	const unsigned char *tables;

	if (check_identity(trace, raw, err) || check_numbers(trace, raw, err) ||
	    check_places(trace, raw, err))
		return -1;
	take_header(trace, raw);
	tables = trace->map + le64toh(raw->tables_at);
	if (check_index(trace, le64toh(raw->tables_at), err) || take_provenance(trace, tables, err))
		return -1;
	tables += sizeof(struct trace_provenance);
	if (take_streams(trace, tables, err))
		return -1;
	return take_phases(trace, tables + trace->header.streams * sizeof(struct vdt_stream), err);
}

int trace_open(const char *path, struct trace **out, struct error *err)
{
	struct trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return error_set(err, "%s: out of memory", path);
	snprintf(trace->path, sizeof(trace->path), "%s", path);
	if (map_file(trace, err) || open_mapped(trace, err)) {
		trace_close(trace);
		return -1;
	}
	*out = trace;
	return 0;
}

void trace_close(struct trace *trace)
{
	if (trace->map)
		munmap((void *)(uintptr_t)trace->map, trace->map_bytes);
	chunks_free(trace);
	free(trace->streams);
	free(trace->phases);
	free(trace);
}
