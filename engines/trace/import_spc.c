/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SPC trace files (Storage Performance Council, revision 1.0.1), as in the UMass repository: ASU,
 * LBA, size, opcode, timestamp, then anything. Each ASU is a disk of its own.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "SPC / UMass",
	.map = "stream,offset_sector,len_b,op,time_s,...",
	.stream_prefix = "ASU",
	.time_unit = "s from the start",
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

const struct trace_importer import_spc = {
	.name = "spc",
	.description = "SPC / UMass: ASU,LBA,size,R|W,seconds",
	.recognise = recognise,
	.import = import_rows,
};
