/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hfplayer and the NetApp I/O logs it was made for: sixteen columns behind a # header; operation 0
 * reads, 1 writes.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "hfplayer CSV",
	.map = "-,time_us,-,-,-,-,-,stream,op_write1,-,offset_sector,len_sector,-,-,-,latency_us",
	.stream_prefix = "LUN",
	.time_unit = "us from the start",
	.time_meaning = "issue",
	.offset_unit = "blocks of 512 B",
};

COLUMNS_IMPORTER(import_hfplayer, "hfplayer", "hfplayer / NetApp CSV of sixteen columns", format,
		 90);
