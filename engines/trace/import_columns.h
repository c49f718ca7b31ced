/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text traces that hold one I/O a line in columns. An importer of such a format is a column map and
 * the sentences its report shows; --columns is the same map in the user's hand.
 *
 * A map names the columns from the left, separated as the file's are (comma, semicolon, tab,
 * blank):
 *
 *   time_UNIT issue, end_UNIT completion, gap_UNIT since the row before, latency_UNIT from issue to
 *   completion; UNIT: s ms us ns 100ns, filetime (100 ns since 1601)
 *   offset_UNIT, len_UNIT; UNIT: b (bytes) sector (512 B) kib hex (bytes)
 *   op: R W read write trim flush; op_rwbs: letters of the kernel; op_scsi: SCSI command, hex;
 *   op_read1: 1 reads, 0 writes; op_write1: 0 reads, 1 writes, 2 trims
 *   flags: the sum of enum trace_flag, as our own CSV has it
 *   stream (several are joined), process, pid, - (ignored), ... (anything may follow)
 */
#ifndef SSDREVIEW_TRACE_IMPORT_COLUMNS_H
#define SSDREVIEW_TRACE_IMPORT_COLUMNS_H

#include "engines/trace/import_lines.h"

#define COLUMNS_MAX 64

enum column_kind {
	COLUMN_SKIP,
	COLUMN_TIME,
	COLUMN_END,
	COLUMN_GAP,
	COLUMN_LATENCY,
	COLUMN_OFFSET,
	COLUMN_LENGTH,
	COLUMN_FLAGS,
	COLUMN_NUMBERS, /* the kinds between SKIP and this hold numbers */
	COLUMN_PID = COLUMN_NUMBERS,
	COLUMN_OP,
	COLUMN_STREAM,
	COLUMN_PROCESS,
};

enum column_code {
	CODE_DECIMAL,
	CODE_HEX,
	CODE_FILETIME,
	CODE_WORD,
	CODE_RWBS,
	CODE_SCSI,
	CODE_READ1,
	CODE_WRITE1
};

struct column {
	enum column_kind kind;
	enum column_code code;
	unsigned scale; /* a time's power of ten to ns; a size's factor to bytes */
};

struct columns {
	struct column column[COLUMNS_MAX];
	unsigned count;
	char separator;	    /* ' ' also stands for several blanks and tabs */
	bool more;	    /* columns beyond count are allowed */
	char join;	    /* between the parts of a stream's name */
	const char *prefix; /* before a stream's name */
};

/* Reads a map. Refused: an unknown word (with the nearest), no time, op, offset or length. */
int columns_parse(const char *map, struct columns *columns, struct error *err);

/* One line taken apart, sizes in bytes and times in ns. */
struct columns_row {
	uint64_t number[COLUMN_NUMBERS + 1];
	unsigned have; /* bit 1 << enum column_kind */
	struct import_op op;
	struct piece op_text;
	char device[TRACE_NAME_BYTES], process[64];
	size_t device_length, process_length;
};

/* Takes a line apart; *reason says why it is no row. */
enum line_kind columns_read(const struct columns *columns, struct piece line,
			    struct columns_row *row, const char **reason);

/* What an importer tells of its format. */
struct columns_format {
	const char *title; /* for the report: "MSR Cambridge" */
	const char *map;
	const char *header;	   /* how a header line begins; NULL: there is none */
	const char *stream_prefix; /* before the stream's name; NULL: nothing */
	char join;		   /* between parts of a stream's name; 0: ',' */
	bool after_header;	   /* what stands before the header line is no row */
	bool first_may_be_header;  /* a first line that is no row is taken for a header */
	bool whole_seconds;	   /* times are whole seconds: the rows of one are spread over it */
	enum trace_clock clock;
	const char *time_unit, *time_meaning, *offset_unit;
};

/* Imports the one source of `import`. */
int columns_import(struct trace_import *import, const struct columns_format *format,
		   struct error *err);

/* The same with the format that choose() finds in the first bytes of the source. */
typedef const struct columns_format *columns_choose_fn(const unsigned char *data, size_t bytes);
int columns_import_chosen(struct trace_import *import, columns_choose_fn *choose,
			  struct error *err);

/* The share of rows among the first lines that fit the map, in percent; 0 when none does. */
int columns_recognise(const struct columns_format *format, const unsigned char *data, size_t bytes);

/* The importer of a format that its map says all about; `sureness` when all rows fit, in percent.
 */
#define COLUMNS_IMPORTER(symbol, format_name, sentence, format, sureness)                          \
	static int recognise(const unsigned char *data, size_t bytes, const char *name)            \
	{                                                                                          \
		(void)name;                                                                        \
		return columns_recognise(&(format), data, bytes) * (sureness) / 100;               \
	}                                                                                          \
	static int import_rows(struct trace_import *import, struct error *err)                     \
	{                                                                                          \
		return columns_import(import, &(format), err);                                     \
	}                                                                                          \
	const struct trace_importer symbol = {                                                     \
		.name = format_name,                                                               \
		.description = sentence,                                                           \
		.recognise = recognise,                                                            \
		.import = import_rows,                                                             \
	}

/* Time of the first and last row within data, and how many rows it holds; raw, in the map's unit.
 */
struct columns_span {
	uint64_t rows, first, last;
};
void columns_span(const struct columns *columns, const unsigned char *data, size_t bytes,
		  struct columns_span *span);

#endif
