/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the importers of biosnoop and iosnoop share: rows that are read from the right, because
 * programs' names hold blanks, in text that people put around them.
 */
#ifndef SSDREVIEW_TRACE_IMPORT_SNOOP_H
#define SSDREVIEW_TRACE_IMPORT_SNOOP_H

#include "engines/trace/import_op.h"

enum snoop_line { SNOOP_ROW, SNOOP_TEXT, SNOOP_BAD };

struct snoop_row {
	struct trace_row row;
	char device[64], process[32];
};

/* Takes one line apart; *reason is set for the other two. state is the importer's. */
typedef enum snoop_line snoop_read_fn(void *state, struct piece line, struct snoop_row *row,
				      const char **reason);

int snoop_import(struct trace_import *import, snoop_read_fn *read, void *state, struct error *err);

/* How many percent of the lines that look like rows are rows. */
int snoop_recognise(snoop_read_fn *read, void *state, const unsigned char *data, size_t bytes);

/*
 * Reads "NAME PID TYPE DEVICE SECTOR BYTES" off the end of *rest, iosnoop's order, or with
 * device_first "NAME PID DEVICE TYPE SECTOR BYTES", biosnoop's. NULL, or the reason.
 */
const char *snoop_read_io(struct piece *rest, bool device_first, struct snoop_row *row);

#endif
