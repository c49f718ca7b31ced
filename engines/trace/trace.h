/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Block traces: the .vdt file (reader, writer), what importers are made of, the generator and the
 * inspector. docs/vdt.5 documents the file byte by byte. Knows no fio and no engine, prints
 * nothing.
 *
 * All functions that can fail return 0, or -1 with err filled, unless they say otherwise.
 */
#ifndef SSDREVIEW_TRACE_H
#define SSDREVIEW_TRACE_H

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

#define TRACE_VERSION	   1
#define TRACE_RECORD_BYTES 32
#define TRACE_NAME_BYTES   256 /* of a stream, its final 0 counted */
#define TRACE_PHASE_BYTES  120 /* of a phase's name, its final 0 counted */
#define TRACE_MAX_STREAMS  65535
#define TRACE_MAX_PHASES   4096
#define TRACE_NO_LATENCY   ((1ULL << 48) - 1)
#define TRACE_MAX_LENGTH   ((1ULL << 48) - 1) /* bytes of one record */

/* ---- what a trace holds -------------------------------------------------------------------- */

enum trace_op { TRACE_READ, TRACE_WRITE, TRACE_TRIM, TRACE_FLUSH, TRACE_WRITE_ZEROES, TRACE_OPS };

enum trace_flag {
	TRACE_SYNC = 1,	      /* somebody waits for it */
	TRACE_FUA = 2,	      /* on the medium before it completes */
	TRACE_PREFLUSH = 4,   /* the cache is flushed before this record's data is written */
	TRACE_META = 8,	      /* file system metadata */
	TRACE_READAHEAD = 16, /* nobody waits for it yet */
};

/* "read", "write", "trim", "flush", "write zeroes". */
const char *trace_op_name(enum trace_op op);

struct trace_record {
	uint64_t time_ns; /* from the first record of the trace (reader); on any clock (writer) */
	uint64_t offset;  /* bytes, in the stream's own address space */
	uint64_t length;  /* bytes; 0 for a flush alone */
	uint64_t latency_ns; /* issue to completion; TRACE_NO_LATENCY: the capture did not say */
	uint16_t stream;
	uint8_t op;    /* enum trace_op */
	uint8_t flags; /* enum trace_flag */
};

/* One disk or one virtual machine of the trace. */
struct trace_stream {
	char name[TRACE_NAME_BYTES];
	uint64_t size_bytes; /* capacity of the disk; 0: the capture did not say */
	uint64_t end_bytes;  /* first byte that no record touches; counted by the writer */
	uint64_t records;    /* counted by the writer */
};

/* A phase begins at its mark and ends at the next one. */
struct trace_phase {
	char name[TRACE_PHASE_BYTES];
	uint64_t start_ns; /* same clock as the records */
};

enum trace_clock { TRACE_CLOCK_UNKNOWN, TRACE_CLOCK_UNIX };

/* Where a trace comes from; empty strings where nothing is known. */
struct trace_provenance {
	char source[512];     /* files it was made from */
	char format[64];      /* "blktrace binary v7", "synthetic" */
	char event_class[64]; /* "issue (D)", "queue (Q)", ... */
	char converter[64];   /* program and version */
	char note[320];	      /* "synthetic, calibrated to ..." */
};

struct trace_totals {
	uint64_t records[TRACE_OPS], bytes[TRACE_OPS];
};

struct trace_header {
	uint32_t version;
	bool compressed, synthetic;
	uint32_t block_bytes; /* largest power of two that divides every offset and length, to 1 MiB
			       */
	uint64_t records, file_bytes;
	uint64_t latency_records; /* how many of them have a latency */
	uint32_t lost;		  /* events that the capture lost: the trace is not whole */
	uint64_t start_ns;	  /* time of the first record on the capture's clock */
	uint64_t duration_ns;	  /* from the first record to the last */
	enum trace_clock clock;
	struct trace_totals totals;
	unsigned streams, phases;
	struct trace_provenance provenance;
};

/* ---- reading ------------------------------------------------------------------------------- */

struct trace; /* an open .vdt file, mapped; one thread reads it, with any number of cursors */

/*
 * Opens path: checks header, tables and chunk index, not the records, so that the cost does not
 * grow with them. A file that is damaged, cut short or newer is refused with the byte.
 */
int trace_open(const char *path, struct trace **trace, struct error *err);
void trace_close(struct trace *trace);
bool trace_is_file(const char *path); /* begins like a .vdt file? */

const char *trace_path(const struct trace *trace); /* as it was opened */
const struct trace_header *trace_header(const struct trace *trace);
const struct trace_stream *trace_stream(const struct trace *trace, unsigned number);
/* start_ns counts from the first record here, as the times of records that are read do. */
const struct trace_phase *trace_phase(const struct trace *trace, unsigned number);
/* Window [*from_ns, *to_ns) of a phase by name; an unknown name gets the nearest one named. */
int trace_phase_window(const struct trace *trace, const char *name, uint64_t *from_ns,
		       uint64_t *to_ns, struct error *err);
/* Number of the stream with this name, or of this decimal number; -1 with err when there is none.
 */
int trace_stream_find(const struct trace *trace, const char *name, struct error *err);

/* A position in a trace. Fields are private to the inline functions below. */
struct trace_cursor {
	const unsigned char *at, *end; /* packed records of the present chunk */
	const unsigned char *records;  /* the first of them */
	uint32_t chunk;
	uint64_t start_ns;
	uint64_t number; /* of the record that comes next */
	struct error error;
	struct trace *trace;
};

void trace_cursor_open(struct trace *trace, struct trace_cursor *cursor);
/* Due before trace_close(). */
void trace_cursor_close(struct trace_cursor *cursor);
/* The next record read is number `record`, or the end when there is none such. */
int trace_seek(struct trace_cursor *cursor, uint64_t record);
/* The next record read is the first with time_ns >= time_ns. */
int trace_seek_time(struct trace_cursor *cursor, uint64_t time_ns);
/* Moves to the next chunk; use trace_next(). */
int trace_cursor_fill(struct trace_cursor *cursor);

static inline uint64_t trace_le64(const unsigned char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return le64toh(word);
}

/* 1: *record is the next one. 0: there is none. -1: the file is damaged, see cursor->error. */
static inline int trace_next(struct trace_cursor *cursor, struct trace_record *record)
{
	uint64_t word;

	if (cursor->at == cursor->end) {
		int got = trace_cursor_fill(cursor);

		if (got <= 0)
			return got;
	}
	record->time_ns = trace_le64(cursor->at) - cursor->start_ns;
	record->offset = trace_le64(cursor->at + 8);
	word = trace_le64(cursor->at + 16);
	record->length = word & TRACE_MAX_LENGTH;
	record->op = (uint8_t)(word >> 48);
	record->flags = (uint8_t)(word >> 56);
	word = trace_le64(cursor->at + 24);
	record->latency_ns = word & TRACE_NO_LATENCY;
	record->stream = (uint16_t)(word >> 48);
	cursor->at += TRACE_RECORD_BYTES;
	cursor->number++;
	return 1;
}

/* Reads everything: every chunk, the order, and that the header's figures are the records'. */
int trace_verify(struct trace *trace, struct error *err);

/* ---- writing ------------------------------------------------------------------------------- */

struct trace_writer;

struct trace_writer_options {
	bool compress;	/* zstd frames */
	bool synthetic; /* goes into the header */
	enum trace_clock clock;
	size_t memory_bytes; /* for sorting; 0: 64 MiB */
};

/*
 * What a file is called while it is written where it must have a name: PATH.part, and PATH.part2
 * of a second one. A writer that is stopped by a signal leaves them.
 */
#define TRACE_PART_SUFFIX "part"

/*
 * Begins a trace that appears at path when it is finished. Records may come in any order; equal
 * times keep theirs. Memory stays bounded: what does not fit is sorted in a temporary file beside
 * path.
 */
int trace_writer_open(const char *path, const struct trace_writer_options *options,
		      struct trace_writer **writer, struct error *err);
/* Number of the new stream, or -1. A name is made unique by the caller. size_bytes 0: unknown. */
int trace_writer_stream(struct trace_writer *writer, const char *name, uint64_t size_bytes,
			struct error *err);
/* Marks come in any order, on the clock of the records. */
int trace_writer_phase(struct trace_writer *writer, const char *name, uint64_t start_ns,
		       struct error *err);
/* The same; where a phase of another name begins then, both become one: "boot + steady". */
int trace_writer_join_phase(struct trace_writer *writer, const char *name, uint64_t start_ns,
			    struct error *err);
void trace_writer_provenance(struct trace_writer *writer, const struct trace_provenance *from);
/* The capture lost so many events more. */
void trace_writer_lost(struct trace_writer *writer, uint64_t events);
/*
 * Refused with a sentence: an unknown op or stream, time or offset + length beyond 2^63, a length
 * over TRACE_MAX_LENGTH. A latency too long to store is stored as the longest there is.
 */
int trace_writer_append(struct trace_writer *writer, const struct trace_record *record,
			struct error *err);
uint64_t trace_writer_records(const struct trace_writer *writer);
/* Writes what is left, syncs, and puts the file in its place. Frees the writer in any case. */
int trace_writer_finish(struct trace_writer *writer, struct error *err);
/* Opens what was written without putting it in its place: it goes when *trace is closed. Frees the
 * writer in any case. */
int trace_writer_reopen(struct trace_writer *writer, struct trace **trace, struct error *err);
/* Leaves nothing behind. */
void trace_writer_abandon(struct trace_writer *writer);

/* ---- importing ----------------------------------------------------------------------------- */

/*
 * A file, or standard input ("-"), read forward once; gz, xz and zst are unpacked on the way.
 * What it hands out is valid until the next call.
 */
struct trace_source;

int trace_source_open(const char *path, struct trace_source **source, struct error *err);
void trace_source_close(struct trace_source *source);
const char *trace_source_name(const struct trace_source *source);
/* The number of the line read last, from 1; and the (unpacked) byte that is read next. */
uint64_t trace_source_line_number(const struct trace_source *source);
uint64_t trace_source_offset(const struct trace_source *source);
/*
 * Points *data at the next `want` bytes (at most TRACE_PEEK_BYTES) without using them up; *got is
 * less only at the end of the file.
 */
#define TRACE_PEEK_BYTES 65536
int trace_source_peek(struct trace_source *source, size_t want, const unsigned char **data,
		      size_t *got, struct error *err);
/* Uses up bytes that were peeked. */
void trace_source_skip(struct trace_source *source, size_t bytes);
/*
 * The next line, without its LF or CR LF, ending with a 0 byte that may be written over. 1: there
 * is one; 0: end of file; -1: unreadable, or no end of line within TRACE_PEEK_BYTES.
 */
int trace_source_line(struct trace_source *source, char **line, size_t *length, struct error *err);

/* What an import decided and counted. Reasons and strings given must live as long as the report. */
#define TRACE_REASONS 48
#define TRACE_NOTES   16

struct trace_reason {
	const char *reason; /* "zero bytes", "not a number: time" */
	bool bad;	    /* a damaged row, rather than one that is no I/O */
	uint64_t rows;
	char first[320]; /* "file:line" or "file: byte N" of the first */
};

struct trace_report {
	char format[64];
	char time_unit[160];   /* "us, as vscsiStats writes them" */
	char time_meaning[64]; /* "issue" or "completion; issue = time - latency" */
	char event_class[64];
	char offset_unit[64]; /* "sectors of 512 B" */
	uint64_t rows_in, rows_out;
	uint64_t reordered; /* rows with a time before that of one that came earlier */
	uint64_t flushes, trims, split, clipped, filtered;
	unsigned reasons, notes, devices;
	struct trace_reason reason[TRACE_REASONS];
	char note[TRACE_NOTES][200];
};

/* A sentence for the reader of the report; more than TRACE_NOTES are left out. */
void trace_report_note(struct trace_report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What is kept of a trace; a struct of zeros keeps all. Windows are [from, to), to 0: no limit. */
struct trace_cut {
	const char *const *streams; /* names or numbers */
	unsigned stream_count;
	const char *phase;	     /* this one only */
	uint64_t from_ns, to_ns;     /* from the first record; in the phase when one is named */
	uint64_t from_byte, to_byte; /* records that begin in it */
	bool plain;		     /* no zstd frames in what is written */
};

struct trace_import_options {
	const char *format;	 /* an importer's name; NULL: by content */
	const char *columns;	 /* --columns of a CSV file */
	const char *line_format; /* blkparse's -f */
	const char *event;	 /* "Q", "D" or "C"; NULL: D, else Q, else C */
	const char *time_unit;	 /* "s", "ms", "us", "ns" against the importer's judgement */
	const char *const *devices, *const *processes; /* keep these alone; names or numbers */
	unsigned device_count, process_count;
	const char *converter;		  /* program and version, for the provenance */
	const char *note;		  /* for the provenance; NULL: none */
	const struct trace_phase *phases; /* marks; start_ns counts from the first record */
	unsigned phase_count;
	const struct trace_cut *cut; /* keep this part alone; NULL: all */
	uint64_t expected_ns; /* stated duration; a span over 100 times of it is refused; 0: none */
	bool strict;	      /* stop at the first bad row */
	bool dry_run;	      /* write nothing */
	bool plain;	      /* no zstd frames */
};

/* One row as the importer read it. */
struct trace_row {
	struct trace_record record; /* .stream: number from trace_import_device() */
	const char *process;	    /* name; NULL: unknown */
	int64_t pid;		    /* -1: unknown */
};

/* A running import, handed to an importer. */
struct trace_import {
	struct trace_source *
		*sources; /* of one format; one, unless the importer takes them together */
	unsigned source_count;
	const struct trace_import_options *options;
	struct trace_report *report;
	struct trace_sink *sink;
	enum trace_clock clock;	       /* the importer sets it before its first row */
	struct trace_provenance given; /* texts that the capture holds itself, else empty */
	uint64_t lost;		       /* events, as the capture says */
	bool lost_said;		       /* it says so, if only that there are none */
};

/*
 * Number for a device, LUN or volume of that name, new or known; -1 with err when there are too
 * many. Cheap when the name is the one of the call before. size_bytes 0: unknown.
 */
int trace_import_device(struct trace_import *import, const char *name, uint64_t size_bytes,
			struct error *err);
/*
 * Hands over one row, counts it in and out (or as filtered, or as bad when it does not fit the
 * format); times may come in any order. source says where it was read.
 */
int trace_import_row(struct trace_import *import, struct trace_source *source,
		     const struct trace_row *row, struct error *err);
/* A row that is no I/O (comment, plug, blank operation, zero bytes): counted in, not out. */
void trace_import_skip(struct trace_import *import, struct trace_source *source,
		       const char *reason);
/*
 * A damaged row: counted in, not out. -1 with err ("file:line: reason") when the import must stop:
 * at once when strict, else when more than one row in a hundred is bad.
 */
int trace_import_bad(struct trace_import *import, struct trace_source *source, const char *reason,
		     struct error *err);
/* Marks the beginning of a phase. */
int trace_import_phase(struct trace_import *import, const char *name, uint64_t start_ns,
		       struct error *err);

struct trace_importer {
	const char *name;	 /* for --format: "blktrace", "msr" */
	const char *description; /* one line */
	bool binary;		 /* places in it are bytes, not lines */
	bool together;		 /* several files are parts of one capture (blktrace, one a CPU) */
	/*
	 * How surely the file that begins with these (unpacked) bytes is of this format, 0 (not) to
	 * 100. name is the file's, for a hint only.
	 */
	int (*recognise)(const unsigned char *data, size_t bytes, const char *name);
	/* Reads import->sources to their end; fills the report's strings. */
	int (*import)(struct trace_import *import, struct error *err);
};

/* The importers, in import_table.c; the surest wins, the earlier one among equals. */
extern const struct trace_importer *const trace_importers[];
extern const unsigned trace_importer_count;

/*
 * Imports files to the trace at `to`. The report is filled in any case, as far as it came. 0
 * records are an error.
 */
int trace_import_files(const char *const *paths, unsigned count, const char *to,
		       const struct trace_import_options *options, struct trace_report *report,
		       struct error *err);
void trace_report_print(const struct trace_report *report, FILE *out);

/* ---- capturing ----------------------------------------------------------------------------- */

/*
 * A capture keeps what the kernel gives, records of blktrace, and adds messages of its own: the
 * importer needs nothing else. "phase: NAME"; "disk: MAJOR,MINOR START SIZE NAME" in bytes, START
 * of a partition on its disk; "clock: NS" from the records' clock to Unix time; "source: TEXT",
 * "note: TEXT"; "lost: EVENTS" when it is over. All but phases stand before the first record.
 */
#define TRACE_MESSAGE_PHASE  "phase: "
#define TRACE_MESSAGE_DISK   "disk: "
#define TRACE_MESSAGE_CLOCK  "clock: "
#define TRACE_MESSAGE_SOURCE "source: "
#define TRACE_MESSAGE_NOTE   "note: "
#define TRACE_MESSAGE_LOST   "lost: "
#define TRACE_MESSAGE_BYTES  640 /* of a text */
#define TRACE_MESSAGE_RECORD (TRACE_MESSAGE_BYTES + 48)

/* A record with a message at a time of the records' clock; returns its bytes. */
size_t trace_capture_message(uint64_t time_ns, const char *text, unsigned char *record);

struct trace_capture {
	uint64_t ios, bytes;	  /* seen so far */
	unsigned unknown_version; /* of a record that cannot be read; 0: none */
};

/*
 * Leaves only whole records at bytes, drops what the kernel prints between them, and counts the
 * I/Os by their events ('D' or 'Q'). Returns the bytes of the records; those from *rest on begin a
 * record that has not come to its end.
 */
size_t trace_capture_scan(unsigned char *bytes, size_t count, char event,
			  struct trace_capture *counts, size_t *rest);

/* ---- looking into a trace ------------------------------------------------------------------ */

/* What is counted for a whole trace, for each of its phases and for each of its streams. */
struct trace_figures {
	uint64_t records[TRACE_OPS], bytes[TRACE_OPS];
	uint64_t sequential; /* reads and writes that go on where one of the 8 before ended */
	uint64_t first_ns, last_ns;
};

/* Records in bins of one width. */
#define TRACE_BURST_SCALES 6
struct trace_burst {
	uint64_t bin_ns;
	uint64_t bins, most; /* whole bins; the most records in one */
	double dispersion;   /* variance over mean of the records a bin: 1 for a Poisson process */
};

#define TRACE_COMMON_SIZES 8
struct trace_common_size {
	uint64_t bytes, records;
};

/*
 * A characterisation. Blocks are of 4 KiB, whole or in part; when there are more than fit in memory
 * a sample of them stands for all (sample_share < 1).
 */
struct trace_info {
	struct trace_figures all;
	struct trace_figures *phases, *streams;		     /* as many as the header says */
	struct trace_common_size common[TRACE_COMMON_SIZES]; /* of reads and writes, most first */
	uint64_t unaligned;				     /* reads and writes not on 4 KiB */
	double touched_bytes, read_bytes, written_bytes;     /* distinct blocks */
	double sample_share;
	double rewrite_share;	    /* block writes to a block written before, of all */
	double rewrite_median_s;    /* time between two writes of a block */
	double hot_share;	    /* of block writes, on the 1 % of blocks written most */
	double gap_mean_s, gap_cv2; /* time between records, its squared coefficient of variation */
	struct trace_burst bursts[TRACE_BURST_SCALES];
	double in_flight_mean; /* these need latencies; until the last completion */
	uint64_t in_flight_most;
	double latency_mean_s[TRACE_OPS], latency_p50_s[TRACE_OPS], latency_p99_s[TRACE_OPS];
};

/* Reads the whole trace. trace_info_free() is due when it worked. */
int trace_info_collect(struct trace *trace, struct trace_info *info, struct error *err);
void trace_info_free(struct trace_info *info);
/* One page. */
void trace_info_print(const struct trace *trace, const struct trace_info *info, FILE *out);

/* ---- changing, joining and exporting traces ------------------------------------------------ */

/* Writes what is kept of a trace to the file `to`. Nothing kept is an error. */
int trace_cut(struct trace *trace, const struct trace_cut *cut, const char *to, struct error *err);
/*
 * Joins traces, stream beside stream: on the clock of their captures when `by_clock`, else so that
 * all begin together. Streams of one name in several traces get the number of the trace; phases
 * that begin together become one.
 */
int trace_merge(struct trace *const *traces, unsigned count, bool by_clock, const char *to,
		struct error *err);

/* The first line of the CSV; import knows it by this. */
#define TRACE_CSV_HEADER "time_ns,device,op,offset_b,len_b,flags,latency_ns"

struct trace_export {
	uint64_t records; /* written */
	uint64_t empty;	  /* reads and writes of 0 bytes, left out */
	uint64_t pieces;  /* more than one for a record too long for the format */
	uint64_t rounded; /* widened to whole sectors */
	uint64_t zeroes;  /* write zeroes, exported as writes */
	/* What the format has no place for. */
	unsigned phases;
	uint64_t latencies;
};
/*
 * Writes a trace as text: "iolog" (of fio, version 3), "csv", "blkparse". filename replaces the
 * streams' names in an iolog; NULL keeps them.
 */
int trace_export(struct trace *trace, const char *format, const char *filename, FILE *out,
		 struct trace_export *counts, struct error *err);
/* The same to a file, which appears when it is whole. */
int trace_export_file(struct trace *trace, const char *format, const char *filename,
		      const char *path, struct trace_export *counts, struct error *err);

/* ---- making traces ------------------------------------------------------------------------- */

struct trace_gen_options {
	const char *workload; /* "boot", "initial-login", ... or the path of a .ini file */
	bool linked;	      /* clones share a replica; else each desktop has its own image */
	unsigned desktops;
	uint64_t seed;
	double stagger_s; /* mean time between the starts of two desktops; < 0: the workload's */
	bool plain;	  /* no zstd frames */
	const char *converter;
};

/* Writes a synthetic trace; the same options give the same bytes. */
int trace_generate(const struct trace_gen_options *options, const char *to, struct error *err);
/*
 * Does a trace made with these options have the figures that the workload's file promises (its
 * expect_... lines)? -1: err names the first that is out of its range.
 */
int trace_gen_check(const struct trace_gen_options *options, const struct trace *trace,
		    const struct trace_info *info, struct error *err);
/* The words of the workloads that come with the project; free() each and the array. */
int trace_workload_list(char ***words, size_t *count, struct error *err);

#endif
