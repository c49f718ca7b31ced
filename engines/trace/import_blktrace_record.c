/* SPDX-License-Identifier: GPL-2.0-only */
/* One record of blktrace. */
#include <byteswap.h>

#include "engines/trace/import_blktrace.h"

#define MAGIC	   0x65617400U
#define MAGIC_MASK 0xffffff00U
#define ACT_CGROUP 0x100U

/* The fields after the version 7 magic, in the order of the file; all naturally aligned. */
struct header_v7 {
	uint32_t magic, sequence;
	uint64_t time, sector;
	uint32_t bytes, action, pid, device, cpu;
	uint16_t error, data_bytes;
};

struct header_v8 {
	uint32_t magic, sequence;
	uint64_t time, sector;
	uint32_t bytes, pid;
	uint64_t action;
	uint32_t device, cpu;
	uint16_t error, data_bytes;
	uint8_t pad[12];
};

_Static_assert(sizeof(struct header_v7) == BLK_HEADER_V7, "the kernel's blk_io_trace");
_Static_assert(sizeof(struct header_v8) == BLK_HEADER_V8, "the kernel's blk_io_trace2");

static void take_v7(const unsigned char *data, struct blk_record *record, uint64_t *action)
{
	struct header_v7 header;

	memcpy(&header, data, sizeof(header));
	*action = header.action;
	record->sequence = header.sequence;
	record->time_ns = header.time;
	record->sector = header.sector;
	record->bytes = header.bytes;
	record->pid = header.pid;
	record->device = header.device;
	record->cpu = header.cpu;
	record->data_bytes = header.data_bytes;
	record->header_bytes = sizeof(header);
}

static void take_v8(const unsigned char *data, struct blk_record *record, uint64_t *action)
{
	struct header_v8 header;

	memcpy(&header, data, sizeof(header));
	*action = header.action;
	record->sequence = header.sequence;
	record->time_ns = header.time;
	record->sector = header.sector;
	record->bytes = header.bytes;
	record->pid = header.pid;
	record->device = header.device;
	record->cpu = header.cpu;
	record->data_bytes = header.data_bytes;
	record->header_bytes = sizeof(header);
}

/* Times keep 64 bits and actions 32 or 64, so each field is turned round by its own width. */
static void swap_record(struct blk_record *record, uint64_t *action)
{
	record->sequence = bswap_32(record->sequence);
	record->time_ns = bswap_64(record->time_ns);
	record->sector = bswap_64(record->sector);
	record->bytes = bswap_32(record->bytes);
	record->pid = bswap_32(record->pid);
	record->device = bswap_32(record->device);
	record->cpu = bswap_32(record->cpu);
	record->data_bytes = bswap_16((uint16_t)record->data_bytes);
	*action = record->version == 7 ? bswap_32((uint32_t)*action) : bswap_64(*action);
}

enum blk_found blk_record_read(const unsigned char *data, size_t bytes, struct blk_record *record)
{
	uint64_t action;
	uint32_t magic;

	if (bytes < sizeof(magic))
		return BLK_CUT_SHORT;
	memcpy(&magic, data, sizeof(magic));
	record->swapped = (magic & MAGIC_MASK) != MAGIC;
	if (record->swapped)
		magic = bswap_32(magic);
	if ((magic & MAGIC_MASK) != MAGIC)
		return BLK_NO_RECORD;
	record->version = magic & ~MAGIC_MASK;
	if (record->version != 7 && record->version != 8)
		return BLK_NEWER;
	if (bytes < (record->version == 7 ? BLK_HEADER_V7 : BLK_HEADER_V8))
		return BLK_CUT_SHORT;
	if (record->version == 7)
		take_v7(data, record, &action);
	else
		take_v8(data, record, &action);
	if (record->swapped)
		swap_record(record, &action);
	record->cgroup = action & ACT_CGROUP;
	record->act = action & 0xffff & ~ACT_CGROUP;
	record->category = action >> 16;
	return BLK_RECORD;
}

void blk_record_op(const struct blk_record *record, struct import_op *op)
{
	uint64_t category = record->category;

	*op = (struct import_op){.none = category & (BLK_CAT_PASSTHROUGH | BLK_CAT_DRIVER)};
	if (category & BLK_CAT_FLUSH && !record->bytes)
		op->op = TRACE_FLUSH;
	else if (category & BLK_CAT_DISCARD)
		op->op = TRACE_TRIM;
	else if (category & BLK_CAT_WRITE_ZEROES)
		op->op = TRACE_WRITE_ZEROES;
	else if (category & BLK_CAT_WRITE)
		op->op = TRACE_WRITE;
	else if (category & BLK_CAT_READ)
		op->op = TRACE_READ;
	else
		op->none = true;
	op->flags = (category & BLK_CAT_SYNC ? TRACE_SYNC : 0) |
		    (category & BLK_CAT_META ? TRACE_META : 0) |
		    (category & BLK_CAT_AHEAD ? TRACE_READAHEAD : 0) |
		    (category & BLK_CAT_FUA ? TRACE_FUA : 0);
	if (category & BLK_CAT_FLUSH && op->op != TRACE_FLUSH)
		op->flags |= TRACE_PREFLUSH;
}
