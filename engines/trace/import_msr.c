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

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return columns_recognise(&format, data, bytes) * 90 / 100;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	return columns_import(import, &format, err);
}

const struct trace_importer import_msr = {
	.name = "msr",
	.description = "MSR Cambridge CSV: FILETIME,host,disk,Read|Write,offset,size,response",
	.recognise = recognise,
	.import = import_rows,
};
