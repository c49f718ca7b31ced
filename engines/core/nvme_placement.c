/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Data placement: which writes belong together. By flexible data placement, whose identifiers the
 * drive tells (I/O Management Receive), or by the streams directive, which must be enabled
 * (Directive Send; NVM Express Base 2.0, 5.8 and 8.7).
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device/nvme_status.h"
#include "engines/core/nvme.h"
#include "engines/core/nvme_words.h"

#define OPCODE_IO_MANAGEMENT_RECEIVE 0x12
#define OPCODE_DIRECTIVE_SEND	     0x19
#define HANDLE_STATUS		     1	    /* management operation */
#define ENABLE_STREAMS		     0x0101 /* type streams, enable */
#define ENABLE_DIRECTIVE	     1
#define HANDLES_MAX		     128

/* The answer: 16 bytes with the count at the end, and 32 bytes a reclaim unit handle. */
struct handle_status {
	uint8_t reserved[14];
	uint16_t count;
	struct {
		uint16_t placement, handle;
		uint32_t reset_left;
		uint64_t media_writes;
		uint8_t reserved[16];
	} handles[HANDLES_MAX];
};

static int read_handles(int fd, uint32_t nsid, struct handle_status *status)
{
	struct nvme_passthru_cmd command = {
		.opcode = OPCODE_IO_MANAGEMENT_RECEIVE,
		.nsid = nsid,
		.addr = (uint64_t)(uintptr_t)status,
		.data_len = sizeof(*status),
		.cdw10 = HANDLE_STATUS,
		.cdw11 = sizeof(*status) / 4 - 1,
	};

	memset(status, 0, sizeof(*status));
	return ioctl(fd, NVME_IOCTL_IO_CMD, &command);
}

static void lacks(const struct nvme_file *file, const char *what, int result)
{
	core_say(file->nvme->engine->td, "dataplacement: %s has no %s: %s; goes on without",
		 file->path, what,
		 result > 0   ? nvme_status_words((unsigned)result)
		 : result < 0 ? strerror(errno)
			      : "it does not offer it");
}

/* Indices of handles become the drive's identifiers; without plids=, all of them by turns. */
static int choose_handles(struct nvme_file *file, const struct handle_status *status,
			  struct error *err)
{
	unsigned count = le16toh(status->count), i;

	if (count > HANDLES_MAX)
		count = HANDLES_MAX;
	for (i = 0; i < file->id_count; i++) {
		if (file->ids[i] >= count)
			return error_set(err, "plids=%u: %s has %u reclaim unit handles, from 0",
					 file->ids[i], file->path, count);
		file->ids[i] = le16toh(status->handles[file->ids[i]].placement);
	}
	if (file->id_count)
		return 0;
	for (i = 0; i < count; i++)
		file->ids[i] = le16toh(status->handles[i].placement);
	file->id_count = count;
	return 0;
}

static int open_fdp(struct nvme_file *file, struct error *err)
{
	struct handle_status *status = malloc(sizeof(*status));
	int result;

	if (!status)
		return error_set(err, "no memory");
	result = file->geometry.has_fdp ? read_handles(file->fd, file->geometry.nsid, status) : 0;
	if (!result && file->geometry.has_fdp) {
		result = choose_handles(file, status, err);
		free(status);
		return result;
	}
	free(status);
	lacks(file, "flexible data placement", result);
	file->id_count = 0;
	return 0;
}

static int open_streams(struct nvme_file *file, struct error *err)
{
	struct nvme_passthru_cmd command = {
		.opcode = OPCODE_DIRECTIVE_SEND,
		.nsid = file->geometry.nsid,
		.cdw11 = ENABLE_DIRECTIVE,
		.cdw12 = ENABLE_STREAMS,
	};
	int result;

	if (!file->id_count)
		return error_set(err, "dataplacement=streams needs the streams: plids=1:2");
	result = file->geometry.has_streams ? ioctl(file->fd, NVME_IOCTL_ADMIN_CMD, &command) : 0;
	if (!result && file->geometry.has_streams)
		return 0;
	lacks(file, "streams", result);
	file->id_count = 0;
	return 0;
}

int nvme_placement_open(struct nvme_file *file, struct error *err)
{
	const struct nvme_options *o = file->nvme->options;

	if (nvme_parse_ids(o->plids, file->ids, NVME_IDS_MAX, &file->id_count, err))
		return -1;
	switch (o->dataplacement) {
	case PLACE_FDP:
		return open_fdp(file, err);
	case PLACE_STREAMS:
		return open_streams(file, err);
	default:
		file->id_count = 0;
		return 0;
	}
}

#ifdef FIO_HAS_PLACEMENT
int nvme_fetch_handles(struct thread_data *td, struct fio_file *f, struct fio_ruhs_info *info)
{
	struct handle_status *status = calloc(1, sizeof(*status));
	int fd = open(f->file_name, O_RDONLY | O_CLOEXEC), failed;
	unsigned room = info->nr_ruhs, i;

	failed = !status || fd < 0 ? -1
				   : read_handles(fd, (uint32_t)ioctl(fd, NVME_IOCTL_ID), status);
	if (failed) {
		core_say(td, "dataplacement: %s tells no reclaim unit handles", f->file_name);
	} else {
		info->nr_ruhs = le16toh(status->count);
		for (i = 0; i < room && i < info->nr_ruhs && i < HANDLES_MAX; i++)
			info->plis[i] = le16toh(status->handles[i].placement);
	}
	if (fd >= 0)
		close(fd);
	free(status);
	return failed ? -EIO : 0;
}
#endif
