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

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return columns_recognise(&format, data, bytes) * 90 / 100;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	return columns_import(import, &format, err);
}

const struct trace_importer import_cydonia = {
	.name = "cydonia",
	.description = "Cydonia CSV: us,sector,r|w,bytes",
	.recognise = recognise,
	.import = import_rows,
};
