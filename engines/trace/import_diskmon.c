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

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return columns_recognise(&format, data, bytes) * 90 / 100;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	return columns_import(import, &format, err);
}

const struct trace_importer import_diskmon = {
	.name = "diskmon",
	.description = "Sysinternals DiskMon log",
	.recognise = recognise,
	.import = import_rows,
};
