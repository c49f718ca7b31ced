/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bytes of a running capture: records of blktrace between which the kernel prints lines of its
 * own, and the records that the capture adds to say what it knows.
 */
#include "engines/trace/import_blktrace.h"

#define MAGIC_V7 0x65617407U

/* The header of version 7 in this machine's byte order, as the kernel writes it. */
struct header_v7 {
	uint32_t magic, sequence;
	uint64_t time_ns, sector;
	uint32_t bytes, action, pid, device, cpu;
	uint16_t error, data_bytes;
};
_Static_assert(sizeof(struct header_v7) == BLK_HEADER_V7, "struct blk_io_trace has no holes");

static void count_record(const struct blk_record *record, char event, struct trace_capture *counts)
{
	struct import_op op;

	if (record->category & BLK_CAT_NOTIFY ||
	    record->act != (event == 'Q' ? BLK_ACT_QUEUE : BLK_ACT_ISSUE))
		return;
	blk_record_op(record, &op);
	if (op.none || (op.op != TRACE_FLUSH && !record->bytes))
		return;
	counts->ios++;
	counts->bytes += op.op == TRACE_FLUSH ? 0 : record->bytes;
}

size_t trace_capture_scan(unsigned char *bytes, size_t count, char event,
			  struct trace_capture *counts, size_t *rest)
{
	size_t at = 0, kept = 0, length;
	struct blk_record record;

	while (at < count) {
		enum blk_found found = blk_record_read(bytes + at, count - at, &record);

		if (found == BLK_NEWER)
			counts->unknown_version = record.version;
		if (found == BLK_NO_RECORD || found == BLK_NEWER) {
			at++;
			continue;
		}
		length = record.header_bytes + record.data_bytes;
		if (found == BLK_CUT_SHORT || length > count - at)
			break;
		count_record(&record, event, counts);
		memmove(bytes + kept, bytes + at, length);
		at += length;
		kept += length;
	}
	*rest = at;
	return kept;
}

size_t trace_capture_message(uint64_t time_ns, const char *text, unsigned char *record)
{
	size_t length = strnlen(text, TRACE_MESSAGE_BYTES);
	struct header_v7 header = {
		.magic = MAGIC_V7,
		.time_ns = time_ns,
		.action = (uint32_t)BLK_CAT_NOTIFY << 16 | BLK_NOTIFY_MESSAGE,
		.data_bytes = (uint16_t)length,
	};

	memcpy(record, &header, sizeof(header));
	memcpy(record + sizeof(header), text, length);
	return sizeof(header) + length;
}
