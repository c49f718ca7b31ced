/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FIU (SNIA IOTTA 391): time, pid, process, sector, sectors, W or R, major, minor, and digests of
 * the data, which are left out.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "FIU",
	.map = "time_ns pid process offset_sector len_sector op stream stream ...",
	.time_unit = "ns",
	.time_meaning = "issue",
	.offset_unit = "sectors of 512 B",
};

COLUMNS_IMPORTER(import_fiu, "fiu", "FIU: ns pid process sector sectors R|W major minor digest",
		 format, 90);
