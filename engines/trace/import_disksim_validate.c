/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DiskSim's validation traces: R or W, Hit or Miss, block, blocks, service time, time since the row
 * before, both in us.
 */
#include "engines/trace/import_columns.h"

static const struct columns_format format = {
	.title = "DiskSim validate",
	.map = "op - offset_sector len_sector latency_us gap_us",
	.time_unit = "us since the row before",
	.time_meaning = "issue",
	.offset_unit = "blocks of 512 B",
};

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct piece rest = piece_whole_lines(data, bytes, TRACE_PEEK_BYTES), line, word;

	(void)name;
	if (!piece_line(&rest, &line))
		return 0;
	piece_word(&line);
	word = piece_word(&line);
	if (!piece_is(word, "Hit") && !piece_is(word, "Miss"))
		return 0;
	return columns_recognise(&format, data, bytes) * 95 / 100;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	return columns_import(import, &format, err);
}

const struct trace_importer import_disksim_validate = {
	.name = "disksim-validate",
	.description = "DiskSim validate: R|W Hit|Miss block blocks service_us gap_us",
	.recognise = recognise,
	.import = import_rows,
};
