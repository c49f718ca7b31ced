/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Four columns without header, as block cache studies keep CloudPhysics traces: time in us,
 * sector, r or w, bytes.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "Cydonia CSV",
	.map = "time_us,offset_sector,op,len_b",
	.time_unit = "us",
	.time_meaning = "issue",
	.offset_unit = "sectors of 512 B",
};

COLUMNS_IMPORTER(import_cydonia, "cydonia", "Cydonia CSV: us,sector,r|w,bytes", format, 90);
