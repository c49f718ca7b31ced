/* SPDX-License-Identifier: GPL-2.0-only */
/* What the importers of biosnoop and iosnoop share. */
#include "engines/trace/import_snoop.h"

static void copy(char *to, size_t room, struct piece from)
{
	snprintf(to, room, "%.*s", (int)piece_length(from), from.at);
}

const char *snoop_read_io(struct piece *rest, bool device_first, struct snoop_row *row)
{
	struct piece bytes = piece_last_word(rest), sector = piece_last_word(rest),
		     second = piece_last_word(rest), first = piece_last_word(rest),
		     pid = piece_last_word(rest);
	struct trace_record *record = &row->row.record;
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
	row->row.pid = (int64_t)number;
	record->op = op.op;
	record->flags = op.flags;
	if (op.op == TRACE_FLUSH)
		record->offset = record->length = 0;
	copy(row->device, sizeof(row->device), device_first ? first : second);
	copy(row->process, sizeof(row->process), piece_trim(*rest));
	return NULL;
}

static int take_row(struct trace_import *import, struct snoop_row *row, struct error *err)
{
	int device;

	if (row->row.record.op != TRACE_FLUSH && !row->row.record.length) {
		trace_import_skip(import, import->sources[0], "zero bytes, and no flush");
		return 0;
	}
	device = trace_import_device(import, row->device, 0, err);
	if (device < 0)
		return -1;
	row->row.process = row->process;
	row->row.record.stream = (uint16_t)device;
	return trace_import_row(import, import->sources[0], &row->row, err);
}

int snoop_import(struct trace_import *import, snoop_read_fn *read, void *state, struct error *err)
{
	struct trace_source *source = import->sources[0];
	struct snoop_row row;
	const char *reason;
	size_t length;
	char *line;
	int got;

	while ((got = trace_source_line(source, &line, &length, err)) > 0) {
		int result = 0;

		switch (read(state, (struct piece){line, line + length}, &row, &reason)) {
		case SNOOP_ROW:
			result = take_row(import, &row, err);
			break;
		case SNOOP_TEXT:
			trace_import_skip(import, source, reason);
			break;
		case SNOOP_BAD:
			result = trace_import_bad(import, source, reason, err);
		}
		if (result)
			return -1;
	}
	return got;
}

int snoop_recognise(snoop_read_fn *read, void *state, const unsigned char *data, size_t bytes)
{
	struct piece rest = piece_whole_lines(data, bytes, TRACE_PEEK_BYTES), line;
	unsigned rows = 0, bad = 0;
	struct snoop_row row;
	const char *reason;

	while (rows < 200 && piece_line(&rest, &line)) {
		enum snoop_line found = read(state, line, &row, &reason);

		rows += found == SNOOP_ROW;
		bad += found == SNOOP_BAD;
	}
	return rows ? (int)(100 * rows / (rows + bad)) : 0;
}
