/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What who sends commands to an NVMe namespace must know of it: its blocks, their metadata and
 * protection, and how large a command may be. It holds until the next format, no longer.
 */
#ifndef SSDREVIEW_NVME_GEOMETRY_H
#define SSDREVIEW_NVME_GEOMETRY_H

#include "base/base.h"

/* The guard field of the protection information; the values of NVMe's PIF. */
enum nvme_guard { NVME_GUARD_16, NVME_GUARD_32, NVME_GUARD_64 };

struct nvme_geometry {
	uint32_t nsid;
	uint64_t blocks;	 /* its size; all below count from 0 */
	uint32_t block_bytes;	 /* of data, a power of two */
	unsigned block_shift;	 /* log2 of that */
	uint32_t metadata_bytes; /* of each block; 0: none */
	bool is_extended;	 /* metadata follows the data of each block in one buffer */
	unsigned pi_type;	 /* 0: not protected; 1 to 3 */
	bool pi_is_first;	 /* in the metadata; else last */
	enum nvme_guard guard;
	uint32_t pi_bytes; /* 8 or 16, of metadata_bytes */
	unsigned storage_tag_bits;

	uint32_t most_bytes;	   /* of data in one command; 0: no limit is told */
	uint32_t most_segments;	   /* pieces of memory in one command; 0: not told */
	uint32_t most_ranges;	   /* of one trim, at most 256 */
	uint32_t most_trim_blocks; /* of one range */
	uint32_t most_zeroes_blocks, most_verify_blocks, most_uncorrectable_blocks;

	bool has_streams, has_fdp; /* data placement: directives, and FDP is on */
	bool has_poll;		   /* the kernel has queues that can be polled */
};

/*
 * Asks the namespace at path, its block or character device; block: the kernel's name of its block
 * device, for the limits the kernel adds. 0, or -errno or a status with err.
 */
int nvme_geometry_read(const char *path, const char *block, struct nvme_geometry *geometry,
		       struct error *err);

#endif
