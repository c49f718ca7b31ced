/* SPDX-License-Identifier: GPL-2.0-only */
/* The file of published figures, line by line. */
#ifndef SSDREVIEW_PUBLISHED_CSV_H
#define SSDREVIEW_PUBLISHED_CSV_H

#include "base/base.h"

/* Of every line, in the order of the file. */
enum published_column {
	PUBLISHED_REVIEW,
	PUBLISHED_WORKLOAD,
	PUBLISHED_DRIVE,
	PUBLISHED_METRIC,
	PUBLISHED_VALUE,
	PUBLISHED_UNIT,
	PUBLISHED_KIND,
	PUBLISHED_SOURCE,
	PUBLISHED_NOTE,
	PUBLISHED_COLUMNS
};

/* 0, or a number that ends the reading. The cells live as long as the call. */
typedef int published_visit(char **cells, void *context);

/*
 * Calls visit for every line that has all columns, the headings too. path NULL: the project's own
 * file, or the one that SSDREVIEW_PUBLISHED names. 0, -1 with err when it cannot be read, or what
 * ended the reading.
 */
int published_each(const char *path, published_visit *visit, void *context, struct error *err);

/* Is the figure of a line an approximate one? */
bool published_is_about(char **cells);

#endif
