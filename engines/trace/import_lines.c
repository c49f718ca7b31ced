/* SPDX-License-Identifier: GPL-2.0-only */
/* The way through the lines of a text trace. */
#include "engines/trace/import_lines.h"

#define RECOGNISE_ROWS	200
#define RECOGNISE_LINES 1000

/* Some Windows programs put the three bytes of a byte order mark before the first line. */
static struct piece without_mark(const struct trace_source *source, char *line, size_t length)
{
	struct piece piece = {line, line + length};

	if (trace_source_line_number(source) == 1 && piece_starts(piece, "\xef\xbb\xbf"))
		piece.at += 3;
	return piece;
}

int lines_import(struct trace_import *import, const struct line_reader *reader, void *context,
		 struct error *err)
{
	struct trace_source *source = import->sources[0];
	const char *reason;
	size_t length;
	char *line;
	int got;

	while ((got = trace_source_line(source, &line, &length, err)) > 0) {
		int result = 0;

		switch (reader->read(context, without_mark(source, line, length), &reason)) {
		case LINE_ROW:
			result = reader->give(context, err);
			break;
		case LINE_OTHER:
			trace_import_skip(import, source, reason);
			break;
		case LINE_BAD:
			result = trace_import_bad(import, source, reason, err);
			break;
		}
		if (result)
			return -1;
	}
	return got;
}

int lines_recognise(const struct line_reader *reader, void *context, const unsigned char *data,
		    size_t bytes)
{
	struct piece rest = piece_whole_lines(data, bytes, TRACE_PEEK_BYTES), line;
	unsigned rows = 0, bad = 0, lines = 0;
	const char *reason;

	while (rows + bad < RECOGNISE_ROWS && lines++ < RECOGNISE_LINES &&
	       piece_line(&rest, &line)) {
		enum line_kind kind = reader->read(context, line, &reason);

		rows += kind == LINE_ROW;
		bad += kind == LINE_BAD;
	}
	return rows ? (int)(100 * rows / (rows + bad)) : 0;
}
