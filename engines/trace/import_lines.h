/* SPDX-License-Identifier: GPL-2.0-only */
/* What importers of text traces share: the way through the lines of a file. */
#ifndef SSDREVIEW_TRACE_IMPORT_LINES_H
#define SSDREVIEW_TRACE_IMPORT_LINES_H

#include "engines/trace/import_op.h"

enum line_kind {
	LINE_ROW,   /* an I/O, or an event of one */
	LINE_OTHER, /* no I/O: a heading, a comment, another event */
	LINE_BAD,   /* damaged */
};

/* What an importer does with a line; context is its own. */
struct line_reader {
	/* Takes a line apart and keeps the row in context. *reason: why it is none. */
	enum line_kind (*read)(void *context, struct piece line, const char **reason);
	/* Hands over the row that read() kept; -1 with err stops the import. */
	int (*give)(void *context, struct error *err);
};

/* For read(): return line_bad(reason, "..."). The sentence must live as long as the report. */
static inline enum line_kind line_bad(const char **reason, const char *why)
{
	*reason = why;
	return LINE_BAD;
}

static inline enum line_kind line_other(const char **reason, const char *why)
{
	*reason = why;
	return LINE_OTHER;
}

/* Reads the import's one source to its end. */
int lines_import(struct trace_import *import, const struct line_reader *reader, void *context,
		 struct error *err);

/*
 * How many percent of the lines that look like rows are rows, among the first of a file; 0 when
 * there is none. Calls read() alone.
 */
int lines_recognise(const struct line_reader *reader, void *context, const unsigned char *data,
		    size_t bytes);

#endif
