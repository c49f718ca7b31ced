/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Deallocation: a device is trimmed by the kernel (NVMe: dataset management; SATA: TRIM), in
 * pieces, so that it tells how far it is and can be stopped. Nothing is written over in its place:
 * that would fill the drive.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device/purge_internal.h"

#define PIECES		 256
#define PIECE_STEP_BYTES (64ULL << 20) /* whole trim units of every drive we know of */

static uint64_t piece_bytes(uint64_t bytes)
{
	uint64_t piece = bytes / PIECES;

	return (piece + PIECE_STEP_BYTES - 1) / PIECE_STEP_BYTES * PIECE_STEP_BYTES;
}

static int discard(const struct purge_drive *drive, int fd, uint64_t from, uint64_t bytes)
{
	uint64_t range[2] = {from, bytes};

	if (drive->is_file)
		return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
				 (off_t)bytes);
	return ioctl(fd, BLKDISCARD, range);
}

static void tell(const struct purge_hooks *hooks, uint64_t began_ns, uint64_t done, uint64_t bytes)
{
	struct purge_progress progress = {.doing = purge_method_word(PURGE_DEALLOCATE)};

	progress.share = (double)done / (double)bytes;
	progress.elapsed_s = (double)(monotonic_ns() - began_ns) / 1e9;
	progress.left_s = purge_left(progress.share, progress.elapsed_s, NAN);
	hooks->progress(hooks->user, &progress);
}

static enum purge_end discard_pieces(const struct purge_drive *drive, int fd, uint64_t bytes,
				     const struct purge_hooks *hooks, uint64_t *done,
				     struct error *err)
{
	uint64_t piece = piece_bytes(bytes), began_ns = monotonic_ns();

	for (*done = 0; *done < bytes;) {
		uint64_t length = bytes - *done < piece ? bytes - *done : piece;

		if (discard(drive, fd, *done, length)) {
			error_set(err, "%s takes no trim at byte %llu: %s", drive->path,
				  (unsigned long long)*done, strerror(errno));
			return PURGE_FAILED;
		}
		*done += length;
		tell(hooks, began_ns, *done, bytes);
		if (*done < bytes && hooks->wait(hooks->user, 0))
			return PURGE_STOPPED;
	}
	return PURGE_DONE;
}

enum purge_end discard_run(const struct purge_drive *drive, const struct purge_geometry *geometry,
			   const struct purge_hooks *hooks, uint64_t *done, struct error *err)
{
	int fd = open(drive->path, O_RDWR | O_CLOEXEC);
	enum purge_end end;

	if (fd < 0) {
		error_set(err, "%s cannot be opened for writing: %s", drive->path, strerror(errno));
		return PURGE_FAILED;
	}
	end = discard_pieces(drive, fd, geometry->bytes, hooks, done, err);
	/* The space stays the file's; a file system that cannot promise it has said so before. */
	if (drive->is_file && fallocate(fd, 0, 0, (off_t)geometry->bytes) && errno == ENOSPC) {
		error_set(err, "%s is empty now, and its file system has no space left for it",
			  drive->path);
		end = PURGE_FAILED;
	}
	if (!drive->is_file)
		ioctl(fd, BLKFLSBUF);
	close(fd);
	return end;
}
