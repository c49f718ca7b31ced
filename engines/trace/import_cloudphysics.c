/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CloudPhysics traces exported to CSV: version, time, SCSI command in hex, size, block. The time is
 * in us; a widely copied export has it cut to whole seconds, which nothing in the file says. Read
 * as us such a file has more I/Os a second than any disk of its time; that gives it away.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format_us = {
	.title = "CloudPhysics CSV",
	.map = "-,time_us,op_scsi,len_b,offset_sector",
	.header = "version,time,op,size,lbn",
	.after_header = true,
	.time_unit = "us",
	.time_meaning = "issue",
	.offset_unit = "sectors of 512 B",
};

static const struct columns_format format_s = {
	.title = "CloudPhysics CSV",
	.map = "-,time_s,op_scsi,len_b,offset_sector",
	.header = "version,time,op,size,lbn",
	.after_header = true,
	.whole_seconds = true,
	.time_unit = "whole s: read as us there would be over 1,000,000 I/Os a second",
	.time_meaning = "issue",
	.offset_unit = "sectors of 512 B",
};

/* Over a hundred rows, and more than one in each us. */
static bool is_seconds(const unsigned char *data, size_t bytes)
{
	struct columns_span span;
	struct columns columns;

	if (columns_parse(format_us.map, &columns, NULL))
		return false;
	columns_span(&columns, data, bytes, &span);
	return span.rows > 100 && (span.last - span.first) / NS_PER_USEC < span.rows;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return columns_recognise(&format_us, data, bytes) * 95 / 100;
}

static const struct columns_format *choose(const unsigned char *data, size_t bytes)
{
	return is_seconds(data, bytes) ? &format_s : &format_us;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	return columns_import_chosen(import, choose, err);
}

const struct trace_importer import_cloudphysics = {
	.name = "cloudphysics",
	.description = "CloudPhysics CSV: version,time,op,size,lbn",
	.recognise = recognise,
	.import = import_rows,
};
