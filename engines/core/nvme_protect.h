/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Protection information (PI) made and checked by the host: a guard over each block, a tag of the
 * application, a reference to where the block belongs (NVM Command Set specification 1.0c, 5.2;
 * big-endian). Storage tags are not supported.
 */
#ifndef SSDREVIEW_NVME_PROTECT_H
#define SSDREVIEW_NVME_PROTECT_H

#include "device/nvme_geometry.h"

struct nvme_protection {
	uint32_t block_bytes, metadata_bytes, pi_offset;
	unsigned type; /* 1 to 3 */
	enum nvme_guard guard;
	uint32_t checks; /* NVME_CONTROL_CHECK_... */
	uint16_t app_tag, app_mask;
	uint16_t crc16[256];
	uint64_t crc64[256];
};

/* Blocks in memory: data and metadata of one are so many bytes from those of the next. */
struct nvme_blocks {
	uint8_t *data, *metadata;
	uint32_t data_stride, metadata_stride;
	uint64_t first;
	uint32_t count;
};

/* -1 with err for guards and storage tags the host cannot make. */
int nvme_protect_init(struct nvme_protection *protection, const struct nvme_geometry *geometry,
		      uint32_t checks, uint16_t app_tag, uint16_t app_mask, struct error *err);

void nvme_protect_make(const struct nvme_protection *protection, const struct nvme_blocks *blocks);

/* 0, or the status the drive itself would give (0x282 guard, 0x283 application, 0x284 reference).
 */
unsigned nvme_protect_check(const struct nvme_protection *protection,
			    const struct nvme_blocks *blocks);

/* CRC-16/T10-DIF and CRC-64/NVME of a run of bytes; go on with the last result, from 0. */
uint16_t nvme_crc16(const struct nvme_protection *protection, uint16_t crc, const uint8_t *bytes,
		    size_t count);
uint64_t nvme_crc64(const struct nvme_protection *protection, uint64_t crc, const uint8_t *bytes,
		    size_t count);

#endif
