/* SPDX-License-Identifier: GPL-2.0-only */
/* What importers of binary traces with records of one length share. */
#include "engines/trace/import_binary.h"

int binary_want(struct trace_import *import, size_t want, const unsigned char **data, bool *there,
		struct error *err)
{
	struct trace_source *source = import->sources[0];
	size_t got;

	if (trace_source_peek(source, want, data, &got, err))
		return -1;
	*there = got == want;
	if (*there || !got)
		return 0;
	if (trace_import_bad(import, source, "the last record is cut short", err))
		return -1;
	trace_source_skip(source, got);
	return 0;
}

int binary_import(struct trace_import *import, size_t record_bytes, binary_record_fn *take,
		  void *context, struct error *err)
{
	const unsigned char *record;
	bool there;

	for (;;) {
		if (binary_want(import, record_bytes, &record, &there, err))
			return -1;
		if (!there)
			return 0;
		if (take(context, record, err))
			return -1;
		trace_source_skip(import->sources[0], record_bytes);
	}
}

int binary_row(struct trace_import *import, struct trace_record *record, struct error *err)
{
	struct trace_row row = {.pid = -1};
	char name[TRACE_NAME_BYTES];
	int device;

	if (record->op == TRACE_FLUSH)
		record->offset = record->length = 0;
	if (record->op != TRACE_FLUSH && !record->length) {
		trace_import_skip(import, import->sources[0], "zero bytes, and no flush");
		return 0;
	}
	op_file_name(import->sources[0], name, sizeof(name));
	device = trace_import_device(import, name, 0, err);
	if (device < 0)
		return -1;
	record->stream = (uint16_t)device;
	row.record = *record;
	return trace_import_row(import, import->sources[0], &row, err);
}
