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

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return columns_recognise(&format, data, bytes) * 90 / 100;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	return columns_import(import, &format, err);
}

const struct trace_importer import_alibaba = {
	.name = "alibaba",
	.description = "Alibaba CSV: device,R|W,offset,length,us",
	.recognise = recognise,
	.import = import_rows,
};
