/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One NVMe command as io_uring takes it. Every command of every engine is filled in here and
 * nowhere else, because nobody behind this point compares its length with its number of blocks:
 * a drive that is told more blocks than the buffer holds writes past it.
 */
#ifndef SSDREVIEW_NVME_COMMAND_H
#define SSDREVIEW_NVME_COMMAND_H

#include <assert.h>
#include <linux/nvme_ioctl.h>

#include "device/nvme_geometry.h"

enum nvme_kind {
	NVME_FLUSH,
	NVME_WRITE,
	NVME_READ,
	NVME_UNCORRECTABLE,
	NVME_COMPARE,
	NVME_ZEROES,
	NVME_TRIM, /* dataset management, deallocate */
	NVME_VERIFY,
	NVME_KINDS
};

/* The word of a kind in statistics and sentences: "write zeroes". */
const char *nvme_kind_word(enum nvme_kind kind);

/* How the blocks of a namespace travel. */
struct nvme_wire {
	uint32_t nsid;
	uint32_t block_bytes;	 /* in the data buffer: with the metadata when that is extended */
	uint32_t metadata_bytes; /* of a block in a buffer of its own; 0: none */
};

/* One range of a trim, as the drive reads it: little-endian. */
struct nvme_range {
	uint32_t attributes, blocks;
	uint64_t first;
};

/* Control bits of a command (CDW12). */
#define NVME_CONTROL_LIMITED_RETRY   (1u << 31)
#define NVME_CONTROL_FUA	     (1u << 30)
#define NVME_CONTROL_PRACT	     (1u << 29)
#define NVME_CONTROL_CHECK_GUARD     (1u << 28)
#define NVME_CONTROL_CHECK_APP	     (1u << 27)
#define NVME_CONTROL_CHECK_REF	     (1u << 26)
#define NVME_CONTROL_DEALLOCATE	     (1u << 25) /* of write zeroes */
#define NVME_CONTROL_DIRECTIVE(type) ((uint32_t)(type) << 20)

struct nvme_request {
	enum nvme_kind kind;
	uint64_t first;	     /* block */
	uint32_t blocks;     /* of a trim: ranges */
	void *data;	     /* trim: struct nvme_range */
	uint32_t data_bytes; /* the length of that buffer, exactly */
	void *metadata;
	uint32_t metadata_bytes;
	uint32_t control;
	uint16_t directive; /* its specific value: placement identifier, stream */
	uint16_t app_tag, app_mask;
	uint64_t ref_tag; /* of the first block */
};

/* Ends the process when lengths and blocks disagree: memory would be overwritten. */
void nvme_fill(const struct nvme_wire *wire, const struct nvme_request *request,
	       struct nvme_uring_cmd *command);

/*
 * Other blocks for a read or write that nvme_fill() filled, without metadata: the same check. Of
 * protected blocks (pi_type 1, 2) the reference follows.
 */
static inline void nvme_refill(const struct nvme_wire *wire, uint64_t first, uint32_t blocks,
			       void *data, uint32_t data_bytes, unsigned pi_type,
			       struct nvme_uring_cmd *command)
{
	assert(data_bytes == (uint64_t)blocks * wire->block_bytes && blocks - 1 < 65536 &&
	       !command->metadata_len);
	command->addr = (uint64_t)(uintptr_t)data;
	command->data_len = data_bytes;
	command->cdw10 = (uint32_t)first;
	command->cdw11 = (uint32_t)(first >> 32);
	command->cdw12 = (command->cdw12 & ~0xffffu) | (blocks - 1);
	if (pi_type == 1 || pi_type == 2) {
		command->cdw3 = (uint32_t)(first >> 32);
		command->cdw14 = (uint32_t)first;
	}
}

/* A command of that kind moves data or ranges: it may go to a ring that is polled. */
static inline bool nvme_moves_blocks(enum nvme_kind kind)
{
	return kind == NVME_READ || kind == NVME_WRITE || kind == NVME_COMPARE;
}

#endif
