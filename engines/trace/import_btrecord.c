/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btrecord's .replay files, little-endian: u64 version 0x10000, u64 genesis, u64 bunches, u64
 * packets; then bunches of u64 packets, u64 ns; a packet is u64 sector, u64 bytes, u32 read (1) or
 * write (0), u32 unused. The counts in the file header are often wrong: it is read to its end.
 */
#include "engines/trace/import_binary.h"

#define VERSION	     0x10000
#define HEADER_BYTES 32
#define BUNCH_BYTES  16
#define PACKET_BYTES 24
#define PACKETS_MAX  512 /* of one bunch, in btrecord itself */

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	uint64_t packets;

	(void)name;
	if (bytes < HEADER_BYTES || binary_le64(data) != VERSION)
		return 0;
	if (bytes < HEADER_BYTES + BUNCH_BYTES)
		return 60;
	packets = binary_le64(data + HEADER_BYTES);
	return packets >= 1 && packets <= PACKETS_MAX ? 95 : 0;
}

static int take_packet(struct trace_import *import, uint64_t time_ns, const unsigned char *packet,
		       struct error *err)
{
	struct trace_record record = {
		.time_ns = time_ns,
		.length = binary_le64(packet + 8),
		.latency_ns = TRACE_NO_LATENCY,
		.op = binary_le32(packet + 16) ? TRACE_READ : TRACE_WRITE,
	};

	if (binary_le32(packet + 16) > 1)
		return trace_import_bad(import, import->sources[0],
					"neither read (1) nor write (0)", err);
	if (__builtin_mul_overflow(binary_le64(packet), 512, &record.offset))
		return trace_import_bad(import, import->sources[0], "sector beyond 2^54", err);
	return binary_row(import, &record, err);
}

/* 1: a bunch was read; 0: end of the file; -1: err. */
static int take_bunch(struct trace_import *import, struct error *err)
{
	struct trace_source *source = import->sources[0];
	uint64_t packets, time_ns;
	const unsigned char *data;
	bool there;

	if (binary_want(import, BUNCH_BYTES, &data, &there, err))
		return -1;
	if (!there)
		return 0;
	packets = binary_le64(data);
	time_ns = binary_le64(data + 8);
	if (!packets || packets > PACKETS_MAX)
		return error_set(
			err, "%s: byte %llu: a bunch of %llu packets; 1 to %d are possible",
			trace_source_name(source), (unsigned long long)trace_source_offset(source),
			(unsigned long long)packets, PACKETS_MAX);
	trace_source_skip(source, BUNCH_BYTES);
	while (packets--) {
		if (binary_want(import, PACKET_BYTES, &data, &there, err))
			return -1;
		if (!there)
			return 0;
		if (take_packet(import, time_ns, data, err))
			return -1;
		trace_source_skip(source, PACKET_BYTES);
	}
	return 1;
}

static void describe(struct trace_import *import, uint64_t stated)
{
	static const struct import_facts facts = {
		.format = "btrecord",
		.time_unit = "ns",
		.time_meaning = "issue of the bunch",
		.events = "queue (Q), in bunches",
		.offset_unit = "sectors of 512 B",
	};
	struct trace_report *report = import->report;

	op_report(import, &facts);
	trace_report_note(report, "timing inside a bunch is lost: its I/Os have one time");
	if (stated != report->rows_in)
		trace_report_note(report, "the file's header counts %llu I/Os; there are %llu",
				  (unsigned long long)stated, (unsigned long long)report->rows_in);
}

static int import_bunches(struct trace_import *import, struct error *err)
{
	const unsigned char *header;
	uint64_t stated;
	bool there;
	int got;

	if (binary_want(import, HEADER_BYTES, &header, &there, err))
		return -1;
	if (!there || binary_le64(header) != VERSION)
		return error_set(err, "%s: byte 0: no btrecord header of version 1.0",
				 trace_source_name(import->sources[0]));
	stated = binary_le64(header + 24);
	trace_source_skip(import->sources[0], HEADER_BYTES);
	do
		got = take_bunch(import, err);
	while (got > 0);
	describe(import, stated);
	return got;
}

const struct trace_importer import_btrecord = {
	.name = "btrecord",
	.description = "btrecord .replay files",
	.binary = true,
	.recognise = recognise,
	.import = import_bunches,
};
