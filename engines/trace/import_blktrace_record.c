/* SPDX-License-Identifier: GPL-2.0-only */
/* One record of blktrace. */
#include <byteswap.h>

#include "engines/trace/import_blktrace.h"

#define MAGIC	   0x65617400U
#define MAGIC_MASK 0xffffff00U
#define ACT_CGROUP 0x100U

/* Where the fields stand that the versions keep in different places; before them are u32 magic, u32
 * sequence, u64 time, u64 sector, u32 bytes. */
struct layout {
	unsigned action, action_bytes, pid, device, cpu, data_bytes, header_bytes;
};

static const struct layout layouts[] = {
	[7] = {28, 4, 32, 36, 40, 46, BLK_HEADER_V7}, /* struct blk_io_trace */
	[8] = {32, 8, 28, 40, 44, 50, BLK_HEADER_V8}, /* struct blk_io_trace2 */
};

static uint16_t read16(const unsigned char *at, bool swapped)
{
	uint16_t word;

	memcpy(&word, at, sizeof(word));
	return swapped ? bswap_16(word) : word;
}

static uint32_t read32(const unsigned char *at, bool swapped)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return swapped ? bswap_32(word) : word;
}

static uint64_t read64(const unsigned char *at, bool swapped)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return swapped ? bswap_64(word) : word;
}

static void take_fields(const unsigned char *data, struct blk_record *record)
{
	const struct layout *layout = &layouts[record->version];
	bool swapped = record->swapped;
	uint64_t action = layout->action_bytes == 8 ? read64(data + layout->action, swapped)
						    : read32(data + layout->action, swapped);

	record->sequence = read32(data + 4, swapped);
	record->time_ns = read64(data + 8, swapped);
	record->sector = read64(data + 16, swapped);
	record->bytes = read32(data + 24, swapped);
	record->pid = read32(data + layout->pid, swapped);
	record->device = read32(data + layout->device, swapped);
	record->cpu = read32(data + layout->cpu, swapped);
	record->data_bytes = read16(data + layout->data_bytes, swapped);
	record->header_bytes = layout->header_bytes;
	record->cgroup = action & ACT_CGROUP;
	record->act = action & 0xffff & ~ACT_CGROUP;
	record->category = action >> 16;
}

enum blk_found blk_record_read(const unsigned char *data, size_t bytes, struct blk_record *record)
{
	uint32_t magic;

	if (bytes < sizeof(magic))
		return BLK_CUT_SHORT;
	magic = read32(data, false);
	record->swapped = (magic & MAGIC_MASK) != MAGIC;
	magic = read32(data, record->swapped);
	if ((magic & MAGIC_MASK) != MAGIC)
		return BLK_NO_RECORD;
	record->version = magic & ~MAGIC_MASK;
	if (record->version != 7 && record->version != 8)
		return BLK_NEWER;
	if (bytes < layouts[record->version].header_bytes)
		return BLK_CUT_SHORT;
	take_fields(data, record);
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
