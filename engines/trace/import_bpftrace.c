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

COLUMNS_IMPORTER(import_bpftrace, "bpftrace",
		 "bpftrace: ts_ns,dev,rwbs,sector,nr_sector,bytes,comm", format, 95);
