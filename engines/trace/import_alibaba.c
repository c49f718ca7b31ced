/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Alibaba cloud block traces: device, opcode, offset, length, timestamp, no header.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "Alibaba",
	.map = "stream,op,offset_b,len_b,time_us",
	.stream_prefix = "volume",
	.clock = TRACE_CLOCK_UNIX,
	.time_unit = "us since 1970",
	.time_meaning = "issue",
	.offset_unit = "bytes",
};

COLUMNS_IMPORTER(import_alibaba, "alibaba", "Alibaba CSV: device,R|W,offset,length,us", format, 90);
