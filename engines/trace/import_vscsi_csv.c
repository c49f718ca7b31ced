/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * VMware's vscsiStats -e: two comment lines, then serial number, bytes, scatter-gather entries,
 * read or write, block, time in us of the host's clock. One virtual disk a file.
 */
#include "engines/trace/import_columns.h"

#define TITLE "#Vscsi Cmd Trace. (Trace Format Version "

static const struct columns_format format = {
	.title = "vscsiStats CSV v1",
	.map = "-,len_b,-,op,offset_sector,time_us",
	.time_unit = "us of the host's clock",
	.time_meaning = "issue",
	.offset_unit = "sectors of 512 B",
};

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	if (piece_starts(piece_whole_lines(data, bytes, TRACE_PEEK_BYTES), "#Vscsi Cmd Trace"))
		return 100;
	return columns_recognise(&format, data, bytes) * 80 / 100;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	const unsigned char *data;
	struct piece text;
	size_t bytes;

	if (trace_source_peek(import->sources[0], sizeof(TITLE) + 1, &data, &bytes, err))
		return -1;
	text = (struct piece){(const char *)data, (const char *)data + bytes};
	if (piece_starts(text, TITLE) && !piece_starts(text, TITLE "1)"))
		return error_set(err, "%s:1: trace format version %.*s...: only version 1 is known",
				 trace_source_name(import->sources[0]),
				 (int)(piece_length(text) - strlen(TITLE)),
				 text.at + strlen(TITLE));
	return columns_import(import, &format, err);
}

const struct trace_importer import_vscsi_csv = {
	.name = "vscsi-csv",
	.description = "VMware vscsiStats -e CSV",
	.recognise = recognise,
	.import = import_rows,
};
