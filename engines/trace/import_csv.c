/* SPDX-License-Identifier: GPL-2.0-only */
/* Any text with one I/O a line in columns, by the map given with --columns. Never recognised. */
#include "engines/trace/import_columns.h"

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)data;
	(void)bytes;
	(void)name;
	return 0;
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
	.description = "any columns, named with --columns",
	.recognise = recognise,
	.import = import_rows,
};
