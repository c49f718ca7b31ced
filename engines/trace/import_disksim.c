/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DiskSim ASCII traces: time, device, block, blocks, flags (bit 0 set reads). DiskSim writes ms
 * with a decimal point; SSDsim and MQSim write whole ns in the same columns, and never say so.
 */
#include <stdlib.h>

#include "engines/trace/import_columns.h"

static const struct columns_format format_ms = {
	.title = "DiskSim ASCII",
	.map = "time_ms stream offset_sector len_sector op_read1",
	.time_unit = "ms, as the decimal point (or steps of no more than 1000) says",
	.time_meaning = "issue",
	.offset_unit = "blocks of 512 B",
};

static const struct columns_format format_ns = {
	.title = "DiskSim ASCII (SSDsim, MQSim)",
	.map = "time_ns stream offset_sector len_sector op_read1",
	.time_unit = "ns, as whole numbers in steps of mostly more than 1000 say",
	.time_meaning = "issue",
	.offset_unit = "blocks of 512 B",
};

#define STEPS_MAX 256

static int compare_steps(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* The time of a line; false when it is none, *fraction when it has a decimal point. */
static bool line_time(struct piece line, uint64_t *time, bool *fraction)
{
	struct piece word = piece_word(&line);

	*fraction = memchr(word.at, '.', piece_length(word));
	return piece_scaled(word, 0, time);
}

/* Half of the steps from one row to the next are longer than 1000, and no time has a fraction. */
static bool is_ns(const unsigned char *data, size_t bytes)
{
	struct piece rest = piece_whole_lines(data, bytes, TRACE_PEEK_BYTES), line;
	uint64_t steps[STEPS_MAX], before = 0, time;
	bool first = true, fraction;
	size_t count = 0;

	while (count < STEPS_MAX && piece_line(&rest, &line)) {
		if (!line_time(line, &time, &fraction))
			continue;
		if (fraction)
			return false;
		if (!first && time >= before)
			steps[count++] = time - before;
		before = time;
		first = false;
	}
	qsort(steps, count, sizeof(steps[0]), compare_steps);
	return count && steps[count / 2] > 1000;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return columns_recognise(&format_ms, data, bytes) * 80 / 100;
}

static const struct columns_format *choose(const unsigned char *data, size_t bytes)
{
	return is_ns(data, bytes) ? &format_ns : &format_ms;
}

static int import_rows(struct trace_import *import, struct error *err)
{
	return columns_import_chosen(import, choose, err);
}

const struct trace_importer import_disksim = {
	.name = "disksim",
	.description = "DiskSim, SSDsim, MQSim ASCII: time device block blocks flags",
	.recognise = recognise,
	.import = import_rows,
};
