/* SPDX-License-Identifier: GPL-2.0-only */
/* What a file is that no importer reads. */
#include "engines/trace/import_cause.h"
#include "engines/trace/import_piece.h"

struct known_start {
	size_t at;
	const char *magic;
	size_t bytes;
	const char *cause;
};

#define START(text, cause)                                                                         \
	{                                                                                          \
		0, text, sizeof(text) - 1, cause                                                   \
	}
#define AT(place, text, cause)                                                                     \
	{                                                                                          \
		place, text, sizeof(text) - 1, cause                                               \
	}

static const struct known_start starts[] = {
	START("\x89VDT", "a .vdt trace already; it needs no import"),
	START("\x1f\x8b", "packed with gzip twice; unpack it once"),
	START("BZh", "packed with bzip2; unpack it first, or pipe it in and name it -"),
	START("PK\003\004", "a zip archive; unpack it first"),
	START("7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
	AT(257, "ustar", "a tar archive; unpack it first, or pipe a member in with tar -xO"),
	START("PERFILE2", "perf's own file; turn it into text with perf script"),
	START("\x17\x08\x44tracing",
	      "trace-cmd's own file; turn it into text with trace-cmd report"),
	START("Histogram", "vscsiStats histograms, which hold no single I/Os; capture with "
			   "vscsiStats -s -t"),
	START("\"(PDH-CSV", "interval averages of esxtop or Windows, which hold no single I/Os"),
	START("version https://git-lfs", "a pointer of git-lfs; the trace itself was not fetched"),
	START("<!DOCTYPE", "a web page; the download went wrong"),
	START("<html", "a web page; the download went wrong"),
	START("{", "JSON, perhaps fio's output; it holds no single I/Os"),
	START("\x7f"
	      "ELF",
	      "a program"),
	START("SQLite format 3", "a SQLite data base"),
	START("\xff\xfe", "UTF-16 text; convert it with iconv -f UTF-16 -t UTF-8"),
	START("\xfe\xff", "UTF-16 text; convert it with iconv -f UTF-16 -t UTF-8"),
};

/* Records that begin with the magic of blktrace, somewhere behind the start. */
static bool holds_blktrace(const unsigned char *data, size_t bytes)
{
	return memmem(data, bytes, "\x07tae", 4) || memmem(data, bytes, "eat\x07", 4) ||
	       memmem(data, bytes, "\x08tae", 4) || memmem(data, bytes, "eat\x08", 4);
}

/* "rw, offset, length" or "msec, value, rw, bytes": numbers and commas alone. */
static unsigned number_columns(const unsigned char *data, size_t bytes)
{
	struct piece rest = piece_whole_lines(data, bytes, TRACE_PEEK_BYTES), line;
	unsigned columns = 0;
	uint64_t number;

	if (!piece_line(&rest, &line))
		return 0;
	for (line = piece_trim(line); line.at < line.end; columns++)
		if (!piece_u64(piece_field(&line, ','), &number))
			return 0;
	return columns;
}

const char *import_cause(const unsigned char *data, size_t bytes)
{
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (bytes >= starts[i].at + starts[i].bytes &&
		    !memcmp(data + starts[i].at, starts[i].magic, starts[i].bytes))
			return starts[i].cause;
	if (holds_blktrace(data, bytes))
		return "a blktrace file whose beginning is missing or damaged; --format blktrace "
		       "reads what is left";
	if (memchr(data, 0, bytes))
		return "binary data of no known format";
	switch (number_columns(data, bytes)) {
	case 3:
		return "perhaps a fio iolog of version 1, which has no times; --columns describes "
		       "other columns";
	case 4:
		return "perhaps a fio bandwidth or latency log, which has no addresses; --columns "
		       "describes other columns";
	}
	return NULL;
}
