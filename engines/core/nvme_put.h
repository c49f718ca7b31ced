/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command as an entry of a ring: 128 bytes, of which the last 80 hold the command. liburing has
 * no helper for it up to 2.3.
 */
#ifndef SSDREVIEW_NVME_PUT_H
#define SSDREVIEW_NVME_PUT_H

#include <assert.h>
#include <string.h>

#include "engines/core/nvme.h"

/* Fills an entry, but for its buffer and owner. */
static inline void nvme_make_entry(const struct nvme *nvme, const struct nvme_file *file,
				   const struct nvme_request *request, struct io_uring_sqe *sqe)
{
	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->cmd_op = NVME_URING_CMD_IO;
	if (nvme->has_fixed_files) {
		sqe->flags = IOSQE_FIXED_FILE;
		sqe->fd = (int)(file - nvme->files);
	} else {
		sqe->fd = file->fd;
	}
	nvme_fill(&file->wire, request, (struct nvme_uring_cmd *)sqe->cmd);
}

/*
 * The next entry of the command's ring; there must be room. fixed: the index of the registered
 * buffer that holds the data, -1: none. owner: told by the completion.
 */
static inline void nvme_put(struct nvme *nvme, const struct nvme_file *file,
			    const struct nvme_request *request, int fixed, void *owner)
{
	struct io_uring *ring = nvme_ring_of(nvme, request->kind);
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);

	assert(sqe);
	nvme_make_entry(nvme, file, request, sqe);
	sqe->user_data = (uint64_t)(uintptr_t)owner;
	if (fixed >= 0) {
		sqe->uring_cmd_flags = IORING_URING_CMD_FIXED;
		sqe->buf_index = (uint16_t)fixed;
	}
	if (nvme->is_polled && ring == &nvme->data)
		nvme->polled_in_flight++;
}

/* The buffer that the commands of a place read and write, for extended blocks their own. */
static inline void *nvme_place_buffer(const struct nvme *nvme, unsigned index)
{
	return nvme->places[index].wire ? nvme->places[index].wire
					: nvme->engine->td->io_u_all.io_us[index]->buf;
}

size_t nvme_place_buffer_bytes(const struct nvme *nvme);

#endif
