/* SPDX-License-Identifier: GPL-2.0-only */
/* One purge from its beginning to its proof: places read, the command, the geometry, places again.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device/purge_internal.h"

#define BACK_TRIES   300 /* until the device is there again */
#define BACK_PAUSE_S 0.1

double purge_left(double share, double elapsed_s, double estimate_s)
{
	/* The first percent tells little: until then the drive's own word counts. */
	if (share > 0.01 && elapsed_s > 0)
		return elapsed_s * (1 - share) / share;
	return estimate_s > elapsed_s ? estimate_s - elapsed_s : NAN;
}

/* ---- afterwards ------------------------------------------------------------------------------ */

static bool is_readable(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char byte;
	bool readable = fd >= 0 && pread(fd, &byte, 1, 0) == 1;

	if (fd >= 0)
		close(fd);
	return readable;
}

void purge_forget(int fd)
{
	if (fd < 0)
		return;
	ioctl(fd, BLKFLSBUF);
	ioctl(fd, BLKRRPART);
}

/* The device may be away while the kernel looks at it anew; the block size is read, not assumed. */
static int come_back(const struct purge_drive *drive, int held_fd, const struct purge_hooks *hooks,
		     struct purge_geometry *after, struct error *err)
{
	unsigned tries = 0;

	purge_forget(held_fd); /* or a page of before would pass for an answer */
	while (!is_readable(drive->path)) {
		if (++tries == BACK_TRIES)
			return error_set(err, "%s was purged and cannot be read since: %s",
					 drive->path, strerror(errno));
		hooks->wait(hooks->user, BACK_PAUSE_S);
	}
	purge_forget(held_fd); /* the partitions, that can be read only now */
	return purge_read_geometry(drive->path, after, err);
}

static int check_geometry(const struct purge_drive *drive, const struct purge_result *result,
			  struct error *err)
{
	if (result->after.bytes == result->before.bytes &&
	    result->after.block_bytes == result->before.block_bytes)
		return 0;
	return error_set(err,
			 "%s is another drive after the purge: %llu bytes in blocks of %u, before "
			 "%llu in blocks of %u",
			 drive->path, (unsigned long long)result->after.bytes,
			 result->after.block_bytes, (unsigned long long)result->before.bytes,
			 result->before.block_bytes);
}

/* A kernel that did not notice a new block size would have the drive write past its buffers. */
static int check_blocks(const struct purge_drive *drive, const struct purge_result *result,
			struct error *err)
{
	struct nvme_id_ns ns;
	uint32_t block_bytes;

	if (!drive->admin.ops ||
	    admin_identify_namespace(&drive->admin, drive->admin.nsid, &ns, NULL))
		return 0;
	block_bytes = 1U << ns.lbaf[format_number(&ns)].ds;
	if (block_bytes == result->after.block_bytes)
		return 0;
	return error_set(err,
			 "%s has blocks of %u bytes now, and the kernel takes them for %u: have it "
			 "look again (nvme ns-rescan) before anything is written",
			 drive->path, block_bytes, result->after.block_bytes);
}

static enum purge_end prove(const struct purge_drive *drive, const struct purge_samples *before,
			    struct purge_result *result, struct error *err)
{
	struct purge_samples after = *before;
	enum purge_reads promised =
		result->method == PURGE_DEALLOCATE ? drive->reads : PURGE_READS_ANYTHING;

	samples_read(drive->path, &after);
	samples_compare(before, &after, promised, &result->check);
	if (result->check.passed)
		return PURGE_DONE;
	error_set(err, "%s of %s went through, but %s", purge_method_word(result->method),
		  drive->path, result->check.text);
	return PURGE_FAILED;
}

static enum purge_end finish(const struct purge_drive *drive, int held_fd,
			     const struct purge_samples *before, const struct purge_hooks *hooks,
			     struct purge_result *result, struct error *err)
{
	if (come_back(drive, held_fd, hooks, &result->after, err) ||
	    check_geometry(drive, result, err) || check_blocks(drive, result, err))
		return PURGE_FAILED;
	return prove(drive, before, result, err);
}

/* ---- the command itself ---------------------------------------------------------------------- */

static enum purge_end await(const struct purge_drive *drive, const struct purge_hooks *hooks,
			    struct purge_result *result, struct error *err)
{
	enum purge_end end = sanitize_await(&drive->admin, drive->estimate_s[result->method], hooks,
					    &result->sanitize, err);

	result->has_sanitize = end == PURGE_DONE;
	if (end == PURGE_DONE && sanitize_check(drive, &result->sanitize, err))
		end = PURGE_FAILED;
	return end;
}

/* Locked, frozen, not there after all: nothing was begun. Of all else nobody knows. */
static bool is_refusal(int status)
{
	unsigned code = admin_status_code(status);

	return status > 0 && code >> NVME_SCT_SHIFT <= NVME_SCT_CMD_SPECIFIC &&
	       code != NVME_SC_INTERNAL && code != NVME_SC_SANITIZE_FAILED &&
	       code != NVME_SC_SANITIZE_IN_PROGRESS;
}

static enum purge_end command(const struct purge_drive *drive, const struct purge_hooks *hooks,
			      struct purge_result *result, struct error *err)
{
	int status;

	if (result->method == PURGE_DEALLOCATE)
		return discard_run(drive, &result->before, hooks, &result->trimmed_bytes, err);
	if (purge_is_sanitize(result->method))
		status = sanitize_begin(drive, result->method, err);
	else
		status = format_run(drive, result->method, hooks, err);
	result->refused = is_refusal(status);
	if (status)
		return PURGE_FAILED;
	return purge_is_sanitize(result->method) ? await(drive, hooks, result, err) : PURGE_DONE;
}

enum purge_end purge_run(struct purge_drive *drive, int held_fd, enum purge_method method,
			 const struct purge_hooks *hooks, struct purge_result *result,
			 struct error *err)
{
	uint64_t began_ns = monotonic_ns();
	struct purge_samples samples;
	enum purge_end end;

	memset(result, 0, sizeof(*result));
	result->method = method;
	if (purge_read_geometry(drive->path, &result->before, err))
		return PURGE_FAILED;
	samples_place(&result->before, began_ns, &samples);
	samples_read(drive->path, &samples);
	end = command(drive, hooks, result, err);
	result->seconds = (double)(monotonic_ns() - began_ns) / 1e9;
	return end == PURGE_DONE ? finish(drive, held_fd, &samples, hooks, result, err) : end;
}

/* ---- one that runs already ------------------------------------------------------------------- */

bool purge_is_sanitizing(const struct purge_drive *drive, struct sanitize_status *status)
{
	struct nvme_sanitize_log_page log;

	if (!drive->admin.ops || admin_sanitize_log(&drive->admin, &log, NULL))
		return false;
	sanitize_read_log(&log, status);
	return status->state == SANITIZE_RUNNING;
}

enum purge_end purge_await(struct purge_drive *drive, const struct purge_hooks *hooks,
			   struct purge_result *result, struct error *err)
{
	uint64_t began_ns = monotonic_ns();
	struct sanitize_status status;
	struct purge_samples samples;
	enum purge_end end;
	int fd;

	memset(result, 0, sizeof(*result));
	result->was_running = purge_is_sanitizing(drive, &status);
	result->method = status.method;
	if (purge_read_geometry(drive->path, &result->before, err))
		return PURGE_FAILED;
	samples_place(&result->before, began_ns, &samples);
	end = await(drive, hooks, result, err);
	result->seconds = (double)(monotonic_ns() - began_ns) / 1e9;
	if (end != PURGE_DONE)
		return end;
	fd = open(drive->path, O_RDONLY | O_CLOEXEC);
	end = finish(drive, fd, &samples, hooks, result, err);
	if (fd >= 0)
		close(fd);
	return end;
}
