/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vdbench's flatfile.bin (Swat): big-endian records of seven 8-byte words: u16 0xeeee, u8 type 5,
 * u8 version 0, u8, u24 words (7); start; response; device; byte address; u32 bytes, u32 pid; u8
 * flag (0 write, 1 read). Start and response are in us, whatever the comments of its source say.
 */
#include "engines/trace/import_binary.h"

#define RECORD_BYTES 56

static bool is_record(const unsigned char *record)
{
	return binary_be32(record) == 0xeeee0500 && (binary_be32(record + 4) & 0xffffff) == 7;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return bytes >= 8 && is_record(data) ? 100 : 0;
}

static int take_record(void *context, const unsigned char *record, struct error *err)
{
	struct trace_import *import = context;
	struct trace_source *source = import->sources[0];
	uint64_t response = binary_be64(record + 16);
	struct trace_row row = {.pid = binary_be32(record + 44)};
	char name[32];
	int device;

	if (!is_record(record))
		return trace_import_bad(import, source, "no flatfile record here", err);
	if (record[48] > 1)
		return trace_import_bad(import, source, "neither read (1) nor write (0)", err);
	if (!binary_be32(record + 40)) {
		trace_import_skip(import, source, "zero bytes, and no flush");
		return 0;
	}
	snprintf(name, sizeof(name), "device%llu", (unsigned long long)binary_be64(record + 24));
	device = trace_import_device(import, name, 0, err);
	if (device < 0)
		return -1;
	row.record = (struct trace_record){
		.offset = binary_be64(record + 32),
		.length = binary_be32(record + 40),
		.latency_ns = response < TRACE_NO_LATENCY / NS_PER_USEC ? response * NS_PER_USEC
									: TRACE_NO_LATENCY,
		.stream = (uint16_t)device,
		.op = record[48] ? TRACE_READ : TRACE_WRITE,
	};
	if (__builtin_mul_overflow(binary_be64(record + 8), NS_PER_USEC, &row.record.time_ns))
		return trace_import_bad(import, source, "start time beyond 2^63 ns", err);
	return trace_import_row(import, source, &row, err);
}

static int import_records(struct trace_import *import, struct error *err)
{
	static const struct import_facts facts = {
		.format = "vdbench flatfile",
		.time_unit = "us, as vdbench's code has it (its comment says ns)",
		.time_meaning = "issue",
		.events = "one record for each I/O",
		.offset_unit = "bytes",
	};

	op_report(import, &facts);
	return binary_import(import, RECORD_BYTES, take_record, import, err);
}

const struct trace_importer import_vdbench = {
	.name = "vdbench",
	.description = "vdbench / Swat flatfile.bin, also gzip'ed",
	.binary = true,
	.recognise = recognise,
	.import = import_records,
};
