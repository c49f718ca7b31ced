/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How an I/O of fio becomes commands, and what their ends make of it. An I/O that is longer than a
 * command may be goes in pieces, all at once, and is complete with the last of them.
 */
#include <errno.h>
#include <string.h>

#include "base/random.h"
#include "engines/core/nvme.h"
#include "engines/core/nvme_put.h"

static enum nvme_kind kind_of_writes(const struct nvme *nvme)
{
	static const enum nvme_kind writes[] = {
		[WRITE_DATA] = NVME_WRITE,
		[WRITE_UNCORRECTABLE] = NVME_UNCORRECTABLE,
		[WRITE_ZEROES] = NVME_ZEROES,
		[WRITE_VERIFY] = NVME_VERIFY,
	};

	return writes[nvme->options->write_mode];
}

static enum nvme_kind kind_of(const struct nvme *nvme, const struct io_u *io_u)
{
	switch (io_u->ddir) {
	case DDIR_READ:
		return NVME_READ;
	case DDIR_WRITE:
		return kind_of_writes(nvme);
	case DDIR_TRIM:
		return NVME_TRIM;
	default:
		return NVME_FLUSH;
	}
}

static uint32_t most_blocks(const struct nvme_file *file, enum nvme_kind kind)
{
	const struct nvme_geometry *g = &file->geometry;

	switch (kind) {
	case NVME_ZEROES:
		return g->most_zeroes_blocks;
	case NVME_VERIFY:
		return g->most_verify_blocks;
	case NVME_UNCORRECTABLE:
		return g->most_uncorrectable_blocks;
	default:
		return file->piece_bytes >> g->block_shift;
	}
}

/* Of reads and of what stands for writes, whose limits are their own. */
static uint32_t fewest_blocks(const struct nvme_file *file)
{
	uint32_t read = most_blocks(file, NVME_READ);
	uint32_t write = most_blocks(file, kind_of_writes(file->nvme));

	return read < write ? read : write;
}

unsigned nvme_io_most_commands(const struct nvme *nvme, uint64_t bytes)
{
	uint64_t most = 1;
	unsigned i;

	for (i = 0; i < nvme->file_count; i++) {
		uint64_t blocks = bytes >> nvme->files[i].geometry.block_shift;
		uint32_t each = fewest_blocks(&nvme->files[i]);

		if ((blocks + each - 1) / each > most)
			most = (blocks + each - 1) / each;
	}
	return (unsigned)most;
}

/* ---- data -------------------------------------------------------------------------------------
 */

static struct nvme_blocks blocks_of(const struct nvme_place *place)
{
	const struct nvme_file *file = place->file;
	struct nvme_blocks blocks = {
		.data = place->io_u->xfer_buf,
		.metadata = place->metadata,
		.data_stride = file->geometry.block_bytes,
		.metadata_stride = file->geometry.metadata_bytes,
		.first = place->first,
		.count = place->blocks,
	};

	if (place->wire) {
		blocks.data = place->wire;
		blocks.metadata = place->wire + file->geometry.block_bytes;
		blocks.data_stride = blocks.metadata_stride = file->wire.block_bytes;
	}
	return blocks;
}

/* What is written or compared with: metadata of zeros, or with PI, beside the data. */
static SLOW_PATH void fill_wire(struct nvme_place *place)
{
	const struct nvme_file *file = place->file;
	struct nvme_blocks blocks = blocks_of(place);
	const uint8_t *data = place->io_u->xfer_buf;
	uint32_t i;

	for (i = 0; i < blocks.count; i++) {
		if (place->wire)
			memcpy(blocks.data + (size_t)i * blocks.data_stride,
			       data + (size_t)i * file->geometry.block_bytes,
			       file->geometry.block_bytes);
		memset(blocks.metadata + (size_t)i * blocks.metadata_stride, 0,
		       file->geometry.metadata_bytes);
	}
	if (file->protection)
		nvme_protect_make(file->protection, &blocks);
}

/* What was read: checked, and for extended blocks brought to where fio looks for it. */
static SLOW_PATH int take_wire(const struct nvme_place *place)
{
	const struct nvme_file *file = place->file;
	struct nvme_blocks blocks = blocks_of(place);
	uint8_t *data = place->io_u->xfer_buf;
	uint32_t i;

	for (i = 0; i < blocks.count && place->wire; i++)
		memcpy(data + (size_t)i * file->geometry.block_bytes,
		       blocks.data + (size_t)i * blocks.data_stride, file->geometry.block_bytes);
	return file->protection ? (int)nvme_protect_check(file->protection, &blocks) : 0;
}

static inline void put_piece(struct nvme *nvme, struct nvme_place *place, uint32_t done,
			     uint32_t blocks)
{
	const struct nvme_file *file = place->file;
	struct nvme_request request = {
		.kind = place->kind,
		.first = place->first + done,
		.blocks = blocks,
		.control = place->control,
		.directive = place->directive,
		.app_tag = (uint16_t)nvme->options->apptag,
		.app_mask = (uint16_t)nvme->options->apptag_mask,
	};
	int fixed = -1;

	if (file->geometry.pi_type && file->geometry.pi_type != 3)
		request.ref_tag = request.first;
	if (nvme_moves_blocks(place->kind)) {
		uint8_t *data = place->wire ? place->wire : place->io_u->xfer_buf;

		request.data = data + (size_t)done * file->wire.block_bytes;
		request.data_bytes = blocks * file->wire.block_bytes;
		request.metadata_bytes = blocks * file->wire.metadata_bytes;
		if (request.metadata_bytes)
			request.metadata =
				place->metadata + (size_t)done * file->wire.metadata_bytes;
		if (nvme->has_fixed_buffers)
			fixed = (int)place->io_u->index;
	}
	nvme_put(nvme, file, &request, fixed, place);
	place->pieces_left++;
}

/* False: no room for all of them, and none is put. */
static bool put_pieces(struct nvme *nvme, struct nvme_place *place)
{
	uint32_t most = most_blocks(place->file, place->kind), done = 0;
	struct io_uring *ring = nvme_ring_of(nvme, place->kind);

	if (io_uring_sq_space_left(ring) < (place->blocks + most - 1) / most)
		return false;
	while (done < place->blocks) {
		uint32_t blocks = place->blocks - done < most ? place->blocks - done : most;

		put_piece(nvme, place, done, blocks);
		done += blocks;
	}
	return true;
}

/* ---- an I/O -----------------------------------------------------------------------------------
 */

static uint32_t control_of(const struct nvme *nvme, const struct nvme_place *place, bool fua)
{
	switch (place->kind) {
	case NVME_READ:
		return place->file->read_control;
	case NVME_WRITE:
		return place->file->write_control | (fua ? NVME_CONTROL_FUA : 0);
	case NVME_ZEROES:
		return place->file->write_control |
		       (nvme->options->deac ? NVME_CONTROL_DEALLOCATE : 0);
	case NVME_VERIFY:
		return place->file->read_control & ~NVME_CONTROL_FUA;
	default:
		return 0;
	}
}

/* Identifiers by turns, or at random; fio's own where it has them. */
static void place_data(struct nvme *nvme, struct nvme_place *place)
{
	struct nvme_file *file = place->file;
	unsigned type = nvme->options->dataplacement == PLACE_FDP ? 2 : 1;

#ifdef FIO_HAS_DIRECTIVES
	place->directive = (uint16_t)place->io_u->dspec;
	place->control |= NVME_CONTROL_DIRECTIVE(place->io_u->dtype);
#endif
	if (!file->id_count)
		return;
	if (nvme->options->plid_select == PLACE_RANDOM)
		file->next_id = (unsigned)(random_next(&nvme->random) % file->id_count);
	place->directive = file->ids[file->next_id];
	place->control |= NVME_CONTROL_DIRECTIVE(type);
	if (++file->next_id == file->id_count)
		file->next_id = 0;
}

static inline void take_place(struct nvme *nvme, struct nvme_place *place, struct io_u *io_u,
			      bool fua)
{
	unsigned shift;

	place->io_u = io_u;
	place->file = &nvme->files[io_u->file->fileno];
	shift = place->file->geometry.block_shift;
	place->kind = kind_of(nvme, io_u);
	place->first = io_u->offset >> shift;
	place->blocks = (uint32_t)(io_u->xfer_buflen >> shift);
	place->control = control_of(nvme, place, fua);
	place->directive = 0;
	place->pieces_left = place->range_count = 0;
	place->result = 0;
	place->compare_ns = 0;
	place->next = NULL;
	if (place->kind == NVME_WRITE)
		place_data(nvme, place);
}

static inline bool is_aligned(const struct nvme_place *place)
{
	return !((place->io_u->offset | place->io_u->xfer_buflen) &
		 (place->file->geometry.block_bytes - 1));
}

static void refuse(struct nvme *nvme, struct nvme_place *place, int result)
{
	place->result = result;
	nvme->refused[nvme->refused_count++] = place;
}

static SLOW_PATH bool prepare_other(struct nvme *nvme, struct nvme_place *place)
{
	int failed;

	if (io_uring_sq_space_left(nvme_ring_of(nvme, place->kind)) < 2)
		return false;
	if (place->kind == NVME_FLUSH) {
		place->blocks = 0;
		put_piece(nvme, place, 0, 0);
		return true;
	}
	failed = nvme_trim_prepare(nvme, place);
	if (failed)
		refuse(nvme, place, failed);
	return true;
}

bool nvme_io_prepare(struct nvme *nvme, struct io_u *io_u, bool fua)
{
	struct nvme_place *place = &nvme->places[io_u->index];

	take_place(nvme, place, io_u, fua);
	if (ddir_rw(io_u->ddir) && !is_aligned(place)) {
		refuse(nvme, place, -EINVAL);
		return true;
	}
	if (place->kind == NVME_FLUSH || place->kind == NVME_TRIM)
		return prepare_other(nvme, place);
	if (place->kind == NVME_WRITE && place->file->moves_metadata)
		fill_wire(place);
	return put_pieces(nvme, place);
}

/* ---- an I/O that is one read or write -------------------------------------------------------- */

static void make_simple_entry(struct nvme *nvme, struct nvme_file *file, enum nvme_kind kind,
			      uint32_t control, struct nvme_entry *entry)
{
	const struct nvme_request request = {
		.kind = kind,
		.blocks = 1,
		.data_bytes = file->wire.block_bytes,
		.metadata_bytes = file->wire.metadata_bytes,
		.control = control,
		.app_tag = (uint16_t)nvme->options->apptag,
		.app_mask = (uint16_t)nvme->options->apptag_mask,
	};

	nvme_make_entry(nvme, file, &request, &entry->sqe);
	if (nvme->has_fixed_buffers)
		entry->sqe.uring_cmd_flags = IORING_URING_CMD_FIXED;
}

void nvme_io_make_entries(struct nvme *nvme, struct nvme_file *file)
{
	make_simple_entry(nvme, file, NVME_READ, file->read_control, &file->read);
	make_simple_entry(nvme, file, NVME_WRITE, file->write_control, &file->write);
}

void nvme_io_prepare_simple(struct nvme *nvme, struct io_u *io_u)
{
	struct nvme_place *place = &nvme->places[io_u->index];
	struct nvme_file *file = &nvme->files[io_u->file->fileno];
	struct io_uring_sqe *sqe = io_uring_get_sqe(&nvme->data);
	unsigned shift = file->geometry.block_shift;
	bool reads = io_u->ddir == DDIR_READ;

	assert(sqe);
	place->io_u = io_u;
	place->file = file;
	place->kind = reads ? NVME_READ : NVME_WRITE;
	place->first = io_u->offset >> shift;
	place->blocks = (uint32_t)(io_u->xfer_buflen >> shift);
	memcpy(sqe, reads ? &file->read : &file->write, sizeof(file->read));
	sqe->user_data = (uint64_t)(uintptr_t)place;
	sqe->buf_index = (uint16_t)io_u->index; /* not looked at when no buffers are registered */
	nvme_refill(&file->wire, place->first, place->blocks, io_u->xfer_buf,
		    (uint32_t)io_u->xfer_buflen, file->geometry.pi_type,
		    (struct nvme_uring_cmd *)sqe->cmd);
}

/* ---- completions ------------------------------------------------------------------------------
 */

/* What was read is compared with what is on the medium. True: it is under way. */
static SLOW_PATH bool compare_next(struct nvme *nvme, struct nvme_place *place)
{
	if (nvme->options->verify_mode != VERIFY_COMPARE || place->kind != NVME_READ)
		return false;
	place->kind = NVME_COMPARE;
	place->compare_ns = fio_now_ns();
	return put_pieces(nvme, place);
}

bool nvme_io_completed(struct nvme *nvme, struct nvme_place *place, int result)
{
	if (result && !place->result)
		place->result = result;
	if (--place->pieces_left)
		return false;
	if (place->result)
		return true;
	if (place->kind == NVME_READ && place->file->moves_metadata)
		place->result = take_wire(place);
	if (place->kind == NVME_READ && !place->result)
		return !compare_next(nvme, place);
	return true;
}
