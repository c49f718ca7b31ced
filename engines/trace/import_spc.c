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

COLUMNS_IMPORTER(import_spc, "spc", "SPC / UMass: ASU,LBA,size,R|W,seconds", format, 90);
