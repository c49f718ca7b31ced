/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blkreplay's .load files: text, then a line that begins the table, then start, sector, length,
 * operation and two results of a replay, which are left out.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "blkreplay",
	.map = "time_s;offset_sector;len_sector;op_rwbs;...",
	.header = "start ;",
	.after_header = true,
	.time_unit = "s from the start",
	.time_meaning = "issue",
	.offset_unit = "sectors of 512 B",
};

COLUMNS_IMPORTER(import_blkreplay, "blkreplay",
		 "blkreplay .load: seconds; sector; sectors; operation", format, 95);
