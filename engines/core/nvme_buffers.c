/* SPDX-License-Identifier: GPL-2.0-only */
/* Buffers beside those of fio: for the metadata, and for blocks that travel with theirs in them. */
#include <stdlib.h>

#include "engines/core/nvme.h"
#include "engines/core/nvme_put.h"

#define ALIGNMENT 4096

/* What the largest I/O of a place needs on any file of the job. */
struct room {
	size_t wire, metadata;
};

static struct room room_of_place(const struct nvme *nvme)
{
	uint64_t longest = td_max_bs(nvme->engine->td);
	struct room room = {0};
	unsigned i;

	for (i = 0; i < nvme->file_count; i++) {
		const struct nvme_file *file = &nvme->files[i];
		uint64_t blocks = longest >> file->geometry.block_shift;

		if (file->wire.block_bytes != file->geometry.block_bytes &&
		    blocks * file->wire.block_bytes > room.wire)
			room.wire = blocks * file->wire.block_bytes;
		if (blocks * file->wire.metadata_bytes > room.metadata)
			room.metadata = blocks * file->wire.metadata_bytes;
	}
	room.wire = (room.wire + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	room.metadata = (room.metadata + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	return room;
}

int nvme_buffers_open(struct nvme *nvme, struct error *err)
{
	struct room room = room_of_place(nvme);
	size_t each = room.wire + room.metadata;
	unsigned i;

	if (!each)
		return 0;
	if (posix_memalign((void **)&nvme->buffers, ALIGNMENT, each * nvme->engine->depth))
		return error_set(err,
				 "no memory for the metadata of %u I/Os in flight; lower "
				 "iodepth=",
				 nvme->engine->depth);
	for (i = 0; i < nvme->engine->depth; i++) {
		uint8_t *at = nvme->buffers + each * i;

		nvme->places[i].wire = room.wire ? at : NULL;
		nvme->places[i].metadata = room.metadata ? at + room.wire : NULL;
	}
	nvme->wire_bytes = room.wire;
	return 0;
}

size_t nvme_place_buffer_bytes(const struct nvme *nvme)
{
	return nvme->wire_bytes ? nvme->wire_bytes : td_max_bs(nvme->engine->td);
}
