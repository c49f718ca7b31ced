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

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return columns_recognise(&format, data, bytes) * 90 / 100;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	return columns_import(import, &format, err);
}

const struct trace_importer import_fiu = {
	.name = "fiu",
	.description = "FIU: ns pid process sector sectors R|W major minor digest",
	.recognise = recognise,
	.import = import_rows,
};
