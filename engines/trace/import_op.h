/* SPDX-License-Identifier: GPL-2.0-only */
/* The ways traces write an operation: words, the kernel's RWBS letters, SCSI commands. */
#ifndef SSDREVIEW_TRACE_IMPORT_OP_H
#define SSDREVIEW_TRACE_IMPORT_OP_H

#include "engines/trace/import_piece.h"
#include "engines/trace/trace.h"

struct import_op {
	enum trace_op op;
	uint8_t flags; /* enum trace_flag */
	bool none;     /* RWBS only: a command that is none of trace_op */
};

/* "R", "read", "Write", "trim", "flush", ...; false when the word is none of them. */
bool op_from_word(struct piece word, struct import_op *op);

/*
 * The kernel's letters (blk_fill_rwbs() in kernel/trace/blktrace.c): a leading F asks for a flush
 * before the data; then R, W, D discard, F flush, N none; then A read ahead, F FUA, S sync, M
 * metadata. A write of no bytes is a flush, and so is FN; N alone without bytes is none of them.
 * False: not RWBS.
 */
bool op_from_rwbs(struct piece letters, bool has_bytes, struct import_op *op);

/*
 * Issue time of an I/O that was captured at its completion. Captures count from 0, so an hour is
 * put on top of every time (writers count from the first record). False: it would still be before
 * 0.
 */
bool op_issue_time(uint64_t end_ns, uint64_t latency_ns, uint64_t *issue_ns);

/* SCSI operation codes of SBC-3 that move data, trim or flush; false for all others. */
bool op_from_scsi(uint64_t code, struct import_op *op);

/* What an importer's report says of the format, in words; NULL leaves what it says. */
struct import_facts {
	const char *format, *time_unit, *time_meaning, *events, *offset_unit;
	bool any_unit; /* --time-unit is obeyed */
};

void op_report(struct trace_import *import, const struct import_facts *facts);

/* The name of a source's file without its folders: that of the disk, in formats that name none. */
void op_file_name(const struct trace_source *source, char *name, size_t room);

#endif
