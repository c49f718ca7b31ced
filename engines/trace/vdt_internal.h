/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a .vdt file lies on disk; docs/vdt.5 says the same in words. All numbers are little-endian:
 *
 *	header | chunks of records | tables: provenance, streams, phases | chunk index
 *
 * A chunk is VDT_CHUNK_RECORDS records (the last one fewer): as they are, or shuffled and packed in
 * one zstd frame. The index has one entry a chunk, with the CRC-32C of its stored bytes.
 */
#ifndef SSDREVIEW_VDT_INTERNAL_H
#define SSDREVIEW_VDT_INTERNAL_H

#include <assert.h>

#include "engines/trace/trace.h"

#define VDT_MAGIC	  "\x89VDT\r\n\x1a\n" /* a transfer as text, or of 7 bits, shows */
#define VDT_MAGIC_BYTES	  8
#define VDT_CHUNK_RECORDS 4096u
#define VDT_CHUNK_BYTES	  (VDT_CHUNK_RECORDS * TRACE_RECORD_BYTES)
#define VDT_FLAGS	  31u /* of a record: every enum trace_flag */
#define VDT_MAX_BLOCK	  (1u << 20)
#define VDT_MAX_END	  (1ULL << 63) /* times and addresses stay below */

enum vdt_header_flag { VDT_COMPRESSED = 1, VDT_SYNTHETIC = 2, VDT_CLOCK_UNIX = 4, VDT_KNOWN = 7 };

struct vdt_header {
	char magic[VDT_MAGIC_BYTES];
	uint32_t version, header_bytes;
	uint64_t file_bytes, records;
	uint64_t tables_at, index_at; /* bytes from the start of the file */
	uint64_t start_ns, end_ns;    /* of the first and the last record */
	uint64_t latency_records;
	uint64_t totals[TRACE_OPS][2]; /* records, bytes */
	uint32_t flags, record_bytes, chunk_records, chunks, block_bytes, streams, phases;
	uint32_t tables_crc, index_crc;
	uint32_t lost; /* events of the capture */
	unsigned char zero[60];
	uint32_t header_crc; /* of all before it */
};

struct vdt_record {
	uint64_t time_ns, offset;
	uint64_t length_op;	 /* length 48 bits, op 8, flags 8 */
	uint64_t latency_stream; /* latency 48 bits, stream 16 */
};

struct vdt_stream {
	char name[TRACE_NAME_BYTES];
	uint64_t size_bytes, end_bytes, records;
	unsigned char zero[40];
};

struct vdt_phase {
	uint64_t start_ns;
	char name[TRACE_PHASE_BYTES];
};

struct vdt_index {
	uint64_t at; /* byte of the chunk */
	uint32_t bytes, records;
	uint64_t first_ns;
	uint32_t crc, zero;
};

static_assert(sizeof(struct vdt_header) == 256, "the header has no holes");
static_assert(sizeof(struct vdt_record) == TRACE_RECORD_BYTES, "nor has a record");
static_assert(sizeof(struct vdt_stream) == 320, "nor has a stream");
static_assert(sizeof(struct vdt_phase) == 128, "nor has a phase");
static_assert(sizeof(struct vdt_index) == 32, "nor has an index entry");
static_assert(sizeof(struct trace_provenance) == 1024, "the provenance is stored as it is");

/* CRC-32C (Castagnoli) of bytes, continued from crc; 0 begins. */
uint32_t crc32c(uint32_t crc, const void *data, size_t bytes);

/* Records of one chunk in the order that packs well; both hold count * TRACE_RECORD_BYTES. */
void vdt_shuffle(const struct vdt_record *records, size_t count, unsigned char *shuffled);
void vdt_unshuffle(const unsigned char *shuffled, size_t count, struct vdt_record *records);

/* ---- a file that appears when it is whole (new_file.c) -------------------------------------- */

#define NEW_FILE_PART "." TRACE_PART_SUFFIX

struct new_file {
	int fd;
	char path[4096]; /* where it will appear */
	char part[4096]; /* what it is called until then; "": it has no name */
};

/*
 * Begins a file that will be at path; suffix tells apart two that one process writes for one path.
 * new_file_close() is due after a failure, too.
 */
int new_file_open(struct new_file *file, const char *path, const char *suffix, struct error *err);
/* A name by which this process can open it. */
void new_file_name(const struct new_file *file, char *name, size_t room);
/* Syncs it and puts it at its path, in the place of an older file. */
int new_file_publish(struct new_file *file, struct error *err);
/* Removes it unless it was published. */
void new_file_close(struct new_file *file);
/* A file in the folder of path that goes when it is closed; -1 with errno. */
int unnamed_file(const char *path);

/* ---- a file being written, records in order (output.c) ------------------------------------- */

struct vdt_output {
	struct new_file file;
	bool compress;
	struct ZSTD_CCtx_s *zstd;
	struct vdt_record *chunk; /* the one being filled */
	unsigned char *shuffled, *packed;
	size_t used; /* records in chunk */
	struct vdt_index *index;
	size_t chunks, index_room;
	struct vdt_header header; /* host byte order until it is finished */
	uint64_t address_bits;	  /* every offset and length, or-ed */
};

/* Begins the file, see new_file_open(). vdt_output_close() is due after a failure, too. */
int vdt_output_open(struct vdt_output *output, const char *path, const char *suffix, bool compress,
		    struct error *err);
/* streams' counts are kept up to date here, so that a second pass counts again. */
int vdt_output_append(struct vdt_output *output, const struct vdt_record *record,
		      struct trace_stream *streams, struct error *err);
struct vdt_tables {
	const struct trace_provenance *provenance;
	const struct trace_stream *streams;
	const struct trace_phase *phases;
	unsigned stream_count, phase_count;
	uint32_t flags; /* enum vdt_header_flag, but VDT_COMPRESSED */
	uint32_t lost;
};
/* Writes tables, index and header; the file is whole and still to be published. */
int vdt_output_finish(struct vdt_output *output, const struct vdt_tables *tables,
		      struct error *err);
/* Frees; removes the file unless it has been published. */
void vdt_output_close(struct vdt_output *output);

/* ---- records out of order (late.c) --------------------------------------------------------- */

/* Sorts by time, equal times as they were. scratch holds half of count. */
void vdt_sort(struct vdt_record *records, size_t count, struct vdt_record *scratch);

/* Records that came after later ones had been written: sorted runs in a temporary file. */
struct vdt_late {
	int fd; /* -1: none yet */
	struct vdt_record *buffer, *scratch;
	size_t used, room;
	struct vdt_run {
		uint64_t at, records;
	} * runs;
	size_t run_count;
	uint64_t written;
};

int vdt_late_add(struct vdt_late *late, const char *path, const struct vdt_record *record,
		 struct error *err);
/* Merges an ordered trace, first among equal times, and the late records into output. */
int vdt_late_merge(struct vdt_late *late, const char *path, const char *ordered,
		   struct vdt_output *output, struct trace_stream *streams, struct error *err);
void vdt_late_free(struct vdt_late *late);

/* Writes all of it, or says why not. */
int vdt_write(int fd, const char *path, const void *data, size_t bytes, struct error *err);

#endif
