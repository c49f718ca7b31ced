/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * VMware's binary vscsi traces, little-endian. Version 1, 32 bytes: u32 serial, u32 bytes, u32
 * scatter-gather entries, u16 SCSI command, u16 version << 8, u64 block, u64 us. Version 2, 40
 * bytes: u16 command, u16 version << 8, u32 serial, u32 bytes, u32 entries, u64 block, u64 us, u64
 * response in us. One virtual disk a file.
 */
#include "engines/trace/import_binary.h"

#define V1_BYTES 32
#define V2_BYTES 40

#define FACTS(version)                                                                             \
	{                                                                                          \
		.format = "vscsi binary " version, .time_unit = "us", .time_meaning = "issue",     \
		.events = "one record for each I/O", .offset_unit = "sectors of 512 B",            \
	}

static const struct import_facts facts[] = {FACTS("v1"), FACTS("v2")};

struct run {
	struct trace_import *import;
	unsigned version;
};

static unsigned command_of(const unsigned char *record, unsigned version)
{
	return binary_le32(record + (version == 1 ? 12 : 0)) & 0xffff;
}

static unsigned version_of(const unsigned char *record, unsigned version)
{
	return binary_le32(record + (version == 1 ? 12 : 0)) >> 24;
}

static int take_record(void *context, const unsigned char *record, struct error *err)
{
	struct run *run = context;
	struct trace_import *import = run->import;
	const unsigned char *tail = record + 16;
	struct trace_record out = {.latency_ns = TRACE_NO_LATENCY};
	struct import_op op;
	uint64_t us = binary_le64(tail + 8), response = 0;

	if (version_of(record, run->version) != run->version)
		return trace_import_bad(import, import->sources[0],
					"record of another version than the first", err);
	if (!op_from_scsi(command_of(record, run->version), &op)) {
		trace_import_skip(import, import->sources[0],
				  "SCSI command that is no read, write or flush");
		return 0;
	}
	out.op = op.op;
	out.length = binary_le32(record + (run->version == 1 ? 4 : 8));
	if (__builtin_mul_overflow(binary_le64(tail), 512, &out.offset) ||
	    __builtin_mul_overflow(us, NS_PER_USEC, &out.time_ns))
		return trace_import_bad(import, import->sources[0], "block or time beyond 2^63",
					err);
	if (run->version == 2)
		response = binary_le64(tail + 16);
	if (run->version == 2 && response < TRACE_NO_LATENCY / NS_PER_USEC)
		out.latency_ns = response * NS_PER_USEC;
	return binary_row(import, &out, err);
}

/* Versions 1 and 2 are told apart by where the version stands; 0 when no record fits. */
static unsigned find_version(const unsigned char *data, size_t bytes)
{
	static const size_t record_bytes[] = {V1_BYTES, V2_BYTES};

	for (unsigned version = 1; version <= 2; version++) {
		size_t step = record_bytes[version - 1], at, fit = 0;

		for (at = 0; at + step <= bytes && at < 64 * step; at += step)
			fit += version_of(data + at, version) == version &&
			       command_of(data + at, version) <= 0xff;
		if (fit && fit == at / step)
			return version;
	}
	return 0;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	(void)name;
	return find_version(data, bytes) ? 85 : 0;
}

static int import_records(struct trace_import *import, struct error *err)
{
	struct run run = {.import = import};
	const unsigned char *data;
	size_t bytes;

	if (trace_source_peek(import->sources[0], TRACE_PEEK_BYTES, &data, &bytes, err))
		return -1;
	run.version = find_version(data, bytes);
	if (!run.version)
		return error_set(err, "%s: byte 0: no vscsi record of version 1 or 2",
				 trace_source_name(import->sources[0]));
	op_report(import, &facts[run.version - 1]);
	return binary_import(import, run.version == 1 ? V1_BYTES : V2_BYTES, take_record, &run,
			     err);
}

const struct trace_importer import_vscsi = {
	.name = "vscsi",
	.description = "VMware vscsi binary v1 and v2",
	.binary = true,
	.recognise = recognise,
	.import = import_records,
};
