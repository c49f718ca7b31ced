/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * MSR Cambridge (SNIA IOTTA 388): timestamp, host, disk, type, offset, size, response time, no
 * header. Times are Windows FILETIME, 100 ns since 1601-01-01 UTC.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "MSR Cambridge",
	.map = "time_filetime,stream,stream,op,offset_b,len_b,latency_100ns",
	.join = '_',
	.clock = TRACE_CLOCK_UNIX,
	.time_unit = "100 ns since 1601-01-01 (FILETIME)",
	.time_meaning = "issue",
	.offset_unit = "bytes",
};

COLUMNS_IMPORTER(import_msr, "msr",
		 "MSR Cambridge CSV: FILETIME,host,disk,Read|Write,offset,size,response", format,
		 90);
