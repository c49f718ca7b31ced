/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sysinternals DiskMon logs: number, time, duration, disk, Read or Write, sector, sectors.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "DiskMon",
	.map = "- time_s latency_s stream op offset_sector len_sector",
	.stream_prefix = "disk",
	.time_unit = "s from the start",
	.time_meaning = "issue (DiskMon does not say)",
	.offset_unit = "sectors of 512 B",
};

COLUMNS_IMPORTER(import_diskmon, "diskmon", "Sysinternals DiskMon log", format, 90);
