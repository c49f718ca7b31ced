/* SPDX-License-Identifier: GPL-2.0-only */
/* A .vdt file being written: chunks as they fill, then tables, index and header. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "engines/trace/vdt_internal.h"

#define ZSTD_LEVEL 3 /* the shuffled planes gain nothing worth the time from more */

int vdt_write(int fd, const char *path, const void *data, size_t bytes, struct error *err)
{
	const char *at = data;
	ssize_t wrote;

	while (bytes > 0) {
		wrote = write(fd, at, bytes);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return error_set(err, "%s cannot be written: %s", path, strerror(errno));
		at += wrote;
		bytes -= (size_t)wrote;
	}
	return 0;
}

static int allocate(struct vdt_output *output)
{
	output->chunk = malloc(VDT_CHUNK_BYTES);
	if (output->compress) {
		output->shuffled = malloc(VDT_CHUNK_BYTES);
		output->packed = malloc(ZSTD_compressBound(VDT_CHUNK_BYTES));
		output->zstd = ZSTD_createCCtx();
		return output->chunk && output->shuffled && output->packed && output->zstd ? 0 : -1;
	}
	return output->chunk ? 0 : -1;
}

int vdt_output_open(struct vdt_output *output, const char *path, const char *suffix, bool compress,
		    struct error *err)
{
	static const struct vdt_header nothing;

	memset(output, 0, sizeof(*output));
	output->compress = compress;
	output->file.fd = -1;
	if (allocate(output))
		return error_set(err, "%s: out of memory", path);
	if (new_file_open(&output->file, path, suffix, err))
		return -1;
	output->header.file_bytes = sizeof(nothing);
	return vdt_write(output->file.fd, path, &nothing, sizeof(nothing), err);
}

static int index_add(struct vdt_output *output, size_t bytes, const void *stored, struct error *err)
{
	struct vdt_index *entry;

	if (output->chunks == output->index_room) {
		size_t room = output->index_room ? 2 * output->index_room : 64;

		entry = realloc(output->index, room * sizeof(*entry));
		if (!entry)
			return error_set(err, "%s: out of memory", output->file.path);
		output->index = entry;
		output->index_room = room;
	}
	entry = &output->index[output->chunks++];
	*entry = (struct vdt_index){
		.at = htole64(output->header.file_bytes),
		.bytes = htole32((uint32_t)bytes),
		.records = htole32((uint32_t)output->used),
		.first_ns = output->chunk[0].time_ns,
		.crc = htole32(crc32c(0, stored, bytes)),
	};
	return 0;
}

static int chunk_flush(struct vdt_output *output, struct error *err)
{
	const void *stored = output->chunk;
	size_t bytes = output->used * TRACE_RECORD_BYTES;

	if (!output->used)
		return 0;
	if (output->compress) {
		vdt_shuffle(output->chunk, output->used, output->shuffled);
		stored = output->packed;
		bytes = ZSTD_compressCCtx(output->zstd, output->packed,
					  ZSTD_compressBound(VDT_CHUNK_BYTES), output->shuffled,
					  bytes, ZSTD_LEVEL);
		if (ZSTD_isError(bytes))
			return error_set(err, "%s: zstd: %s", output->file.path,
					 ZSTD_getErrorName(bytes));
	}
	if (index_add(output, bytes, stored, err) ||
	    vdt_write(output->file.fd, output->file.path, stored, bytes, err))
		return -1;
	output->header.file_bytes += bytes;
	output->used = 0;
	return 0;
}

static void count_record(struct vdt_output *output, const struct vdt_record *record,
			 struct trace_stream *streams)
{
	uint64_t offset = le64toh(record->offset), word = le64toh(record->length_op);
	uint64_t latency_stream = le64toh(record->latency_stream);
	uint64_t length = word & TRACE_MAX_LENGTH;
	struct trace_stream *stream = &streams[latency_stream >> 48];
	struct vdt_header *header = &output->header;
	unsigned op = (word >> 48) & 255;

	if (!header->records++)
		header->start_ns = le64toh(record->time_ns);
	header->end_ns = le64toh(record->time_ns);
	header->latency_records += (latency_stream & TRACE_NO_LATENCY) != TRACE_NO_LATENCY;
	header->totals[op][0]++;
	header->totals[op][1] += length;
	stream->records++;
	if (length && offset + length > stream->end_bytes)
		stream->end_bytes = offset + length;
	if (length)
		output->address_bits |= offset | length;
}

int vdt_output_append(struct vdt_output *output, const struct vdt_record *record,
		      struct trace_stream *streams, struct error *err)
{
	count_record(output, record, streams);
	output->chunk[output->used++] = *record;
	return output->used == VDT_CHUNK_RECORDS ? chunk_flush(output, err) : 0;
}

/* Writes and goes on with the checksum that covers it. */
static int write_checked(struct vdt_output *output, const void *data, size_t bytes, uint32_t *crc,
			 struct error *err)
{
	*crc = crc32c(*crc, data, bytes);
	output->header.file_bytes += bytes;
	return vdt_write(output->file.fd, output->file.path, data, bytes, err);
}

/* Tables and index can be read in place when they lie on a multiple of 8. */
static int pad(struct vdt_output *output, struct error *err)
{
	static const char zero[8];
	size_t bytes = -output->header.file_bytes & 7;

	output->header.file_bytes += bytes;
	return vdt_write(output->file.fd, output->file.path, zero, bytes, err);
}

static int write_tables(struct vdt_output *output, const struct vdt_tables *tables,
			struct error *err)
{
	uint32_t *crc = &output->header.tables_crc;
	unsigned i;

	if (write_checked(output, tables->provenance, sizeof(*tables->provenance), crc, err))
		return -1;
	for (i = 0; i < tables->stream_count; i++) {
		struct vdt_stream stream = {
			.size_bytes = htole64(tables->streams[i].size_bytes),
			.end_bytes = htole64(tables->streams[i].end_bytes),
			.records = htole64(tables->streams[i].records),
		};

		memcpy(stream.name, tables->streams[i].name, sizeof(stream.name));
		if (write_checked(output, &stream, sizeof(stream), crc, err))
			return -1;
	}
	for (i = 0; i < tables->phase_count; i++) {
		struct vdt_phase phase = {.start_ns = htole64(tables->phases[i].start_ns)};

		memcpy(phase.name, tables->phases[i].name, sizeof(phase.name));
		if (write_checked(output, &phase, sizeof(phase), crc, err))
			return -1;
	}
	return 0;
}

static uint32_t block_bytes(uint64_t address_bits)
{
	uint64_t lowest = address_bits & -address_bits;

	return lowest && lowest < VDT_MAX_BLOCK ? (uint32_t)lowest : VDT_MAX_BLOCK;
}

/* The header as it is stored, from the one that was counted in. */
static struct vdt_header header_encode(const struct vdt_output *output,
				       const struct vdt_tables *tables)
{
	const struct vdt_header *from = &output->header;
	struct vdt_header to = {
		.version = htole32(TRACE_VERSION),
		.header_bytes = htole32(sizeof(to)),
		.file_bytes = htole64(from->file_bytes),
		.records = htole64(from->records),
		.tables_at = htole64(from->tables_at),
		.index_at = htole64(from->index_at),
		.start_ns = htole64(from->start_ns),
		.end_ns = htole64(from->end_ns),
		.latency_records = htole64(from->latency_records),
		.flags = htole32(tables->flags | (output->compress ? VDT_COMPRESSED : 0)),
		.record_bytes = htole32(TRACE_RECORD_BYTES),
		.chunk_records = htole32(VDT_CHUNK_RECORDS),
		.chunks = htole32((uint32_t)output->chunks),
		.block_bytes = htole32(block_bytes(output->address_bits)),
		.streams = htole32(tables->stream_count),
		.phases = htole32(tables->phase_count),
		.tables_crc = htole32(from->tables_crc),
		.index_crc = htole32(from->index_crc),
		.lost = htole32(tables->lost),
	};
	unsigned op;

	memcpy(to.magic, VDT_MAGIC, sizeof(to.magic));
	for (op = 0; op < TRACE_OPS; op++) {
		to.totals[op][0] = htole64(from->totals[op][0]);
		to.totals[op][1] = htole64(from->totals[op][1]);
	}
	to.header_crc = htole32(crc32c(0, &to, offsetof(struct vdt_header, header_crc)));
	return to;
}

int vdt_output_finish(struct vdt_output *output, const struct vdt_tables *tables, struct error *err)
{
	struct vdt_header header;

	if (chunk_flush(output, err) || pad(output, err))
		return -1;
	output->header.tables_at = output->header.file_bytes;
	if (write_tables(output, tables, err))
		return -1;
	output->header.index_at = output->header.file_bytes;
	if (write_checked(output, output->index, output->chunks * sizeof(*output->index),
			  &output->header.index_crc, err))
		return -1;
	header = header_encode(output, tables);
	if (pwrite(output->file.fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header))
		return error_set(err, "%s cannot be written: %s", output->file.path,
				 strerror(errno));
	return 0;
}

void vdt_output_close(struct vdt_output *output)
{
	new_file_close(&output->file);
	ZSTD_freeCCtx(output->zstd);
	free(output->chunk);
	free(output->shuffled);
	free(output->packed);
	free(output->index);
}
