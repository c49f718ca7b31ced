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

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return columns_recognise(&format, data, bytes) * 90 / 100;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	return columns_import(import, &format, err);
}

const struct trace_importer import_hfplayer = {
	.name = "hfplayer",
	.description = "hfplayer / NetApp CSV of sixteen columns",
	.recognise = recognise,
	.import = import_rows,
};
