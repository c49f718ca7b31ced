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

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return columns_recognise(&format, data, bytes) * 95 / 100;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	return columns_import(import, &format, err);
}

const struct trace_importer import_blkreplay = {
	.name = "blkreplay",
	.description = "blkreplay .load: seconds; sector; sectors; operation",
	.recognise = recognise,
	.import = import_rows,
};
