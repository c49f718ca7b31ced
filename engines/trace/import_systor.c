/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SYSTOR '17 virtual desktops (SNIA IOTTA 4928 and on): an hour of a LUN a file, a header line in
 * each, a quarter of the rows out of order, operations and responses blank where packets were
 * lost.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "SYSTOR '17 VDI",
	.map = "time_s,latency_s,op,stream,offset_b,len_b",
	.header = "Timestamp,Response,IOType,LUN,Offset,Size",
	.stream_prefix = "LUN",
	.clock = TRACE_CLOCK_UNIX,
	.time_unit = "s since 1970, exact to 1 us",
	.time_meaning = "issue",
	.offset_unit = "bytes",
};

COLUMNS_IMPORTER(import_systor, "systor17",
		 "SYSTOR '17 CSV: Timestamp,Response,IOType,LUN,Offset,Size", format, 90);
