/* SPDX-License-Identifier: GPL-2.0-only */
/* The way to a block device or a file: io_uring. */
#include <errno.h>
#include <linux/falloc.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engines/core/core.h"
#include "engines/core/explain.h"
#include "device/heat.h"

/* From Linux 6.12 (include/uapi/linux/blkdev.h); older headers lack it. */
#ifndef BLOCK_URING_CMD_DISCARD
#define BLOCK_URING_CMD_DISCARD _IO(0x12, 0)
#endif

struct block {
	struct io_uring ring;
	struct heat heat;
	bool discards_in_line; /* the kernel has no discard through io_uring */
};

/* The block device that a target is, or lies on. */
static dev_t device_of(const struct fio_file *f)
{
	struct stat st;

	if (stat(f->file_name, &st))
		return 0;
	return S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
}

static int block_open(struct engine *engine, struct error *err)
{
	struct block *block = calloc(1, sizeof(*block));
	int failed;

	if (!block)
		return error_set(err, "no memory for io_uring");
	failed = io_uring_queue_init(engine->depth, &block->ring, 0);
	if (failed) {
		free(block);
		return core_explain_ring(-failed, err);
	}
	if (!(block->ring.features & IORING_FEAT_EXT_ARG)) {
		io_uring_queue_exit(&block->ring);
		free(block);
		return error_set(err, "this kernel's io_uring cannot wait for a given time: Linux "
				      "5.11 or newer is needed");
	}
	io_uring_register_ring_fd(&block->ring); /* only faster: no harm when it fails */
	heat_open(&block->heat, "/sys", device_of(engine->td->files[0]));
	engine->drive = block;
	return 0;
}

static void block_close(struct engine *engine)
{
	struct block *block = engine->drive;

	io_uring_queue_exit(&block->ring);
	heat_close(&block->heat);
	free(block);
}

/* Trims may take milliseconds: they go through the ring too, so that they hold nothing up. */
static void prepare_trim(struct block *block, struct io_uring_sqe *sqe, struct io_u *io_u)
{
	const struct fio_file *f = io_u->file;

	if (f->filetype == FIO_TYPE_FILE) {
		io_uring_prep_fallocate(sqe, f->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
					(off_t)io_u->offset, (off_t)io_u->xfer_buflen);
	} else if (block->discards_in_line) {
		io_uring_prep_nop(sqe);
	} else {
		io_uring_prep_nop(sqe);
		sqe->opcode = IORING_OP_URING_CMD;
		sqe->fd = f->fd;
		sqe->cmd_op = BLOCK_URING_CMD_DISCARD;
		sqe->addr = io_u->offset;
		sqe->addr3 = io_u->xfer_buflen;
	}
}

static void prepare_sync(const struct thread_data *td, struct io_uring_sqe *sqe, struct io_u *io_u)
{
	const struct fio_file *f = io_u->file;

	if (io_u->ddir == DDIR_SYNC_FILE_RANGE)
		io_uring_prep_sync_file_range(sqe, f->fd,
					      (unsigned)(f->last_write - f->first_write),
					      f->first_write, (int)td->o.sync_file_range);
	else
		io_uring_prep_fsync(sqe, f->fd,
				    io_u->ddir == DDIR_DATASYNC ? IORING_FSYNC_DATASYNC : 0);
}

/*
 * RWF_DSYNC: with direct I/O the kernel turns it into a FUA write where the drive knows these, and
 * into a write and a flush where not; for files and buffered I/O it syncs what was written.
 */
static void prepare_write(const struct engine *engine, struct io_uring_sqe *sqe,
			  const struct io_u *io_u)
{
	io_uring_prep_write(sqe, io_u->file->fd, io_u->xfer_buf, (unsigned)io_u->xfer_buflen,
			    io_u->offset);
	if (engine->fua)
		sqe->rw_flags = RWF_DSYNC;
}

static bool block_prepare(struct engine *engine, struct io_u *io_u)
{
	struct block *block = engine->drive;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&block->ring);
	int fd = io_u->file->fd;

	if (!sqe)
		return false;
	if (io_u->ddir == DDIR_READ)
		io_uring_prep_read(sqe, fd, io_u->xfer_buf, (unsigned)io_u->xfer_buflen,
				   io_u->offset);
	else if (io_u->ddir == DDIR_WRITE)
		prepare_write(engine, sqe, io_u);
	else if (io_u->ddir == DDIR_TRIM)
		prepare_trim(block, sqe, io_u);
	else
		prepare_sync(engine->td, sqe, io_u);
	if (io_u->ddir == DDIR_READ || io_u->ddir == DDIR_WRITE) /* the others take none */
		sqe->ioprio = (uint16_t)engine->td->ioprio;
	io_uring_sqe_set_data(sqe, io_u);
	return true;
}

static int block_send(struct engine *engine)
{
	struct block *block = engine->drive;

	/* The kernel stops behind an entry it refuses; that one completes with its error. */
	while (io_uring_sq_ready(&block->ring)) {
		int sent = io_uring_submit(&block->ring);

		if (sent < 0 && sent != -EINTR && sent != -EAGAIN && sent != -EBUSY)
			return sent;
	}
	return 0;
}

/* Where the kernel has no discard through io_uring, it is done here, and waited for. */
static void finish_trim(struct engine *engine, struct block *block, struct io_u *io_u, int result)
{
	if (io_u->file->filetype != FIO_TYPE_FILE &&
	    (block->discards_in_line || result == -EINVAL || result == -EOPNOTSUPP ||
	     result == -ENOTTY)) {
		block->discards_in_line = true;
		do_io_u_trim(engine->td, io_u);
		return;
	}
	io_u->error = result < 0 ? (unsigned)-result : 0;
}

static void finish(struct engine *engine, struct block *block, struct io_u *io_u, int result)
{
	if (io_u->ddir == DDIR_TRIM) {
		finish_trim(engine, block, io_u, result);
		return;
	}
	if (result < 0) {
		io_u->error = (unsigned)-result;
		return;
	}
	io_u->error = 0;
	if (ddir_rw(io_u->ddir))
		io_u->resid = io_u->xfer_buflen - (unsigned)result;
}

static int block_reap(struct engine *engine)
{
	struct block *block = engine->drive;
	struct io_uring_cqe *cqe;
	unsigned head, seen = 0;
	uint64_t now_ns = 0;

	io_uring_for_each_cqe(&block->ring, head, cqe)
	{
		struct io_u *io_u = io_uring_cqe_get_data(cqe);

		if (!now_ns)
			now_ns = fio_now_ns();
		finish(engine, block, io_u, cqe->res);
		engine_complete(engine, io_u, now_ns);
		seen++;
	}
	io_uring_cq_advance(&block->ring, seen);
	return 0;
}

static bool block_ready(struct engine *engine)
{
	struct block *block = engine->drive;

	return io_uring_cq_ready(&block->ring) > 0;
}

static int block_wait(struct engine *engine, uint64_t wait_ns)
{
	struct block *block = engine->drive;
	struct __kernel_timespec time = {.tv_sec = (long long)(wait_ns / NS_PER_SEC),
					 .tv_nsec = (long long)(wait_ns % NS_PER_SEC)};
	struct io_uring_cqe *cqe;
	int failed = io_uring_wait_cqe_timeout(&block->ring, &cqe, &time);

	return failed == -ETIME || failed == -EINTR || failed == -EAGAIN ? 0 : failed;
}

static void block_read_heat(struct engine *engine, double *temperature_c, bool *is_hot)
{
	struct block *block = engine->drive;

	heat_read_seldom(&block->heat, fio_now_ns(), temperature_c, is_hot);
}

static void block_describe(struct engine *engine fio_unused, struct stats_description *description)
{
	description->drive = "block";
}

const struct drive_ops drive_block = {
	.open = block_open,
	.close = block_close,
	.prepare = block_prepare,
	.send = block_send,
	.reap = block_reap,
	.ready = block_ready,
	.wait = block_wait,
	.read_heat = block_read_heat,
	.describe = block_describe,
};
