/* SPDX-License-Identifier: GPL-2.0-only */
/* The formats that can be imported: one line each, one file each. */
#include "engines/trace/trace.h"

extern const struct trace_importer import_blktrace, import_btrecord, import_vscsi, import_vdbench,
	import_iolog, import_blkparse, import_tracepoint, import_biosnoop, import_iosnoop,
	import_bpftrace, import_xperf, import_diskmon, import_vscsi_csv, import_cloudphysics,
	import_cydonia, import_systor, import_msr, import_spc, import_fiu, import_alibaba,
	import_tencent, import_hfplayer, import_blkreplay, import_disksim_validate, import_disksim,
	import_csv;

const struct trace_importer *const trace_importers[] = {
	&import_blktrace,  &import_btrecord,	 &import_vscsi,	     &import_vdbench,
	&import_iolog,	   &import_blkparse,	 &import_tracepoint, &import_biosnoop,
	&import_iosnoop,   &import_bpftrace,	 &import_xperf,	     &import_diskmon,
	&import_vscsi_csv, &import_cloudphysics, &import_cydonia,    &import_systor,
	&import_msr,	   &import_spc,		 &import_fiu,	     &import_alibaba,
	&import_tencent,   &import_hfplayer,	 &import_blkreplay,  &import_disksim_validate,
	&import_disksim,   &import_csv,
};

const unsigned trace_importer_count = sizeof(trace_importers) / sizeof(trace_importers[0]);
