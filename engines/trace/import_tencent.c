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

COLUMNS_IMPORTER(import_tencent, "tencent", "Tencent CSV: seconds,sector,sectors,0|1,volume",
		 format, 90);
