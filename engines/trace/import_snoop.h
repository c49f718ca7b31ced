/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the importers of biosnoop and iosnoop share: rows that are read from the right, because
 * programs' names hold blanks, in text that people put around them.
 */
#ifndef SSDREVIEW_TRACE_IMPORT_SNOOP_H
#define SSDREVIEW_TRACE_IMPORT_SNOOP_H

#include "engines/trace/import_lines.h"

/* The row of the present line; an importer's context begins with it. */
struct snoop {
	struct trace_import *import;
	struct trace_row row;
	char device[64], process[32];
};

/* give() of a line_reader whose context begins with a struct snoop. */
int snoop_give(void *context, struct error *err);

/*
 * Reads "NAME PID TYPE DEVICE SECTOR BYTES" off the end of *rest, iosnoop's order, or with
 * device_first "NAME PID DEVICE TYPE SECTOR BYTES", biosnoop's. NULL, or the reason.
 */
const char *snoop_read_io(struct piece *rest, bool device_first, struct snoop *snoop);

#endif
