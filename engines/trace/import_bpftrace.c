/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bpftrace one-liner on block_rq_issue that prints ts_ns,dev,rwbs,sector,nr_sector,bytes,comm.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "bpftrace block_rq_issue",
	.map = "time_ns,stream,op_rwbs,offset_sector,len_sector,-,process,...",
	.header = "ts_ns,dev,rwbs,sector,nr_sector,bytes,comm",
	.after_header = true,
	.time_unit = "ns since boot",
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

const struct trace_importer import_bpftrace = {
	.name = "bpftrace",
	.description = "bpftrace: ts_ns,dev,rwbs,sector,nr_sector,bytes,comm",
	.recognise = recognise,
	.import = import_rows,
};
