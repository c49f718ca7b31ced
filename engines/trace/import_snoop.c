/* SPDX-License-Identifier: GPL-2.0-only */
/* What the importers of biosnoop and iosnoop share. */
#include "engines/trace/import_snoop.h"

static void copy(char *to, size_t room, struct piece from)
{
	snprintf(to, room, "%.*s", (int)piece_length(from), from.at);
}

const char *snoop_read_io(struct piece *rest, bool device_first, struct snoop *snoop)
{
	struct piece bytes = piece_last_word(rest), sector = piece_last_word(rest),
		     second = piece_last_word(rest), first = piece_last_word(rest),
		     pid = piece_last_word(rest);
	struct trace_record *record = &snoop->row.record;
	struct import_op op;
	uint64_t number;

	if (!piece_u64(bytes, &record->length) || !piece_u64(sector, &number))
		return "sector or bytes is not an unsigned number";
	if (__builtin_mul_overflow(number, 512, &record->offset))
		record->offset = UINT64_MAX;
	if (!op_from_rwbs(device_first ? second : first, record->length, &op))
		return "operation is no RWBS";
	if (!piece_u64(pid, &number))
		return "pid is not a number";
	snoop->row.pid = (int64_t)number;
	record->op = op.op;
	record->flags = op.flags;
	if (op.op == TRACE_FLUSH)
		record->offset = record->length = 0;
	copy(snoop->device, sizeof(snoop->device), device_first ? first : second);
	copy(snoop->process, sizeof(snoop->process), piece_trim(*rest));
	return NULL;
}

int snoop_give(void *context, struct error *err)
{
	struct snoop *snoop = context;
	struct trace_import *import = snoop->import;
	int device;

	if (snoop->row.record.op != TRACE_FLUSH && !snoop->row.record.length) {
		trace_import_skip(import, import->sources[0], "zero bytes, and no flush");
		return 0;
	}
	device = trace_import_device(import, snoop->device, 0, err);
	if (device < 0)
		return -1;
	snoop->row.process = snoop->process;
	snoop->row.record.stream = (uint16_t)device;
	return trace_import_row(import, import->sources[0], &snoop->row, err);
}
