/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Any text with one I/O a line in columns, by the map given with --columns. Recognised is only our
 * own, as `trace export` writes it, by its header line.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format own_format = {
	.title = "CSV of ssdreview trace export",
	.map = "time_ns,stream,op,offset_b,len_b,flags,latency_ns",
	.header = TRACE_CSV_HEADER,
	.time_unit = "ns since the first record",
	.time_meaning = "issue",
	.offset_unit = "bytes",
};

static bool is_own(const unsigned char *data, size_t bytes)
{
	struct piece whole = {(const char *)data, (const char *)data + bytes};

	return piece_starts(whole, TRACE_CSV_HEADER);
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return is_own(data, bytes) ? 100 : 0;
}

static const char *time_meaning(const struct columns *columns)
{
	for (unsigned i = 0; i < columns->count; i++)
		if (columns->column[i].kind == COLUMN_END)
			return "completion; issue = time - latency";
	return "issue";
}

static int import_rows(struct trace_import *import, struct error *err)
{
	struct columns_format format = {
		.title = "columns of the user",
		.map = import->options->columns,
		.first_may_be_header = true,
		.time_unit = "as --columns says",
		.offset_unit = "as --columns says",
	};
	struct columns columns;
	const unsigned char *data;
	size_t bytes;

	if (trace_source_peek(import->sources[0], TRACE_PEEK_BYTES, &data, &bytes, err))
		return -1;
	if (!format.map && is_own(data, bytes))
		return columns_import(import, &own_format, err);
	if (!format.map)
		return error_set(err, "--format csv needs --columns, such as "
				      "time_us,op,offset_b,len_b");
	if (columns_parse(format.map, &columns, err))
		return -1;
	format.time_meaning = time_meaning(&columns);
	return columns_import(import, &format, err);
}

const struct trace_importer import_csv = {
	.name = "csv",
	.description = "CSV of trace export, or any columns, named with --columns",
	.recognise = recognise,
	.import = import_rows,
};
