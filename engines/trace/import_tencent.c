/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tencent CBS (SNIA IOTTA): timestamp in whole seconds, offset, size, type, volume, no header.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "Tencent CBS",
	.map = "time_s,offset_sector,len_sector,op_write1,stream",
	.stream_prefix = "volume",
	.whole_seconds = true,
	.clock = TRACE_CLOCK_UNIX,
	.time_unit = "whole s since 1970",
	.time_meaning = "issue",
	.offset_unit = "sectors of 512 B",
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

const struct trace_importer import_tencent = {
	.name = "tencent",
	.description = "Tencent CSV: seconds,sector,sectors,0|1,volume",
	.recognise = recognise,
	.import = import_rows,
};
