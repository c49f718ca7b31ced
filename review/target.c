/* SPDX-License-Identifier: GPL-2.0-only */
/* The drive under test: what it is, how it is told from others, and how it is made. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/number.h"
#include "device/nvme_names.h"
#include "engines/core/guard.h"
#include "engines/sim/sim.h"
#include "engines/trace/trace.h"
#include "review/purge.h"

#define SIM_SEED	 1
#define STAT_BLOCK_BYTES 512

const char *target_kind_word(const struct target *target)
{
	static const char *const words[] = {"device", "file", "simulated"};

	return target->is_loop ? "loop" : words[target->kind];
}

/* ---- simulated drives ---------------------------------------------------------------------- */

static void take_sim_info(struct target *target, const struct sim_info *info)
{
	snprintf(target->model, sizeof(target->model), "%s", info->drive);
	snprintf(target->serial, sizeof(target->serial), "seed %llu",
		 (unsigned long long)info->seed);
	target->bytes = info->capacity_bytes;
	target->block_bytes = info->block_bytes;
	target->scale = info->scale;
	target->endurance_bytes = info->rated_endurance_bytes;
}

static int find_state_file(const struct run_options *options, struct target *target,
			   struct error *err)
{
	struct sim_info info;

	target->kind = TARGET_SIM;
	target->exists = true;
	if (sim_drive_info(target->path, &info, err))
		return -1;
	if (options->scale > 1 && options->scale != info.scale)
		return error_set(err, "--scale %u, but %s was made with scale %u", options->scale,
				 target->path, info.scale);
	if (!target->sim_model[0])
		snprintf(target->sim_model, sizeof(target->sim_model), "%s", info.model);
	take_sim_info(target, &info);
	return 0;
}

static int find_sim_model(const struct run_options *options, const char *folder,
			  struct target *target, struct error *err)
{
	struct sim_model *model;
	struct sim_info info;

	snprintf(target->sim_model, sizeof(target->sim_model), "%s", options->target + 4);
	if (snprintf(target->path, sizeof(target->path), "%s/drive.sim", folder) >= PATH_MAX)
		return error_set(err, "%s: the name is too long", folder);
	if (!access(target->path, F_OK))
		return find_state_file(options, target, err);
	if (sim_model_load(target->sim_model, &model, err))
		return EXIT_USAGE;
	target->kind = TARGET_SIM;
	sim_model_info(model, options->scale, &info);
	info.seed = SIM_SEED;
	take_sim_info(target, &info);
	sim_model_free(model);
	return 0;
}

/* ---- block devices ------------------------------------------------------------------------- */

int disk_folder(dev_t device, char *folder, size_t room, struct error *err)
{
	char link[64], real[PATH_MAX], partition[PATH_MAX + 16];

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(device), minor(device));
	if (!realpath(link, real))
		return error_set(err, "%s is not there: the kernel does not know the device", link);
	snprintf(partition, sizeof(partition), "%s/partition", real);
	snprintf(folder, room, "%s", access(partition, F_OK) ? real : dirname(real));
	return 0;
}

/* The first name in /dev/disk/by-id that leads to the device itself. */
static void find_by_id(dev_t device, char *name, size_t room)
{
	DIR *folder = opendir("/dev/disk/by-id");
	struct dirent *entry;
	struct stat status;

	name[0] = '\0';
	while (folder && !name[0] && (entry = readdir(folder))) {
		if (!fstatat(dirfd(folder), entry->d_name, &status, 0) && S_ISBLK(status.st_mode) &&
		    status.st_rdev == device)
			snprintf(name, room, "%s", entry->d_name);
	}
	if (folder)
		closedir(folder);
}

/* NVMe and SCSI disks have these beside their driver, virtio disks beside the queue. */
static void read_disk_names(const char *folder, struct target *target)
{
	sys_line(target->model, sizeof(target->model), "%s/device/model", folder);
	sys_line(target->serial, sizeof(target->serial), "%s/device/serial", folder);
	if (!target->serial[0])
		sys_line(target->serial, sizeof(target->serial), "%s/serial", folder);
	sys_line(target->firmware, sizeof(target->firmware), "%s/device/firmware_rev", folder);
	if (!target->firmware[0])
		sys_line(target->firmware, sizeof(target->firmware), "%s/device/rev", folder);
}

static int read_device_size(struct target *target, struct error *err)
{
	int fd = open(target->path, O_RDONLY | O_CLOEXEC), block = 0;

	if (fd < 0)
		return error_set(err, "%s cannot be opened: %s", target->path, strerror(errno));
	if (ioctl(fd, BLKGETSIZE64, &target->bytes) || ioctl(fd, BLKSSZGET, &block)) {
		error_set(err, "%s does not tell its size: %s", target->path, strerror(errno));
		close(fd);
		return -1;
	}
	target->block_bytes = (unsigned)block;
	close(fd);
	return target->bytes ? 0 : error_set(err, "%s has no size: no medium?", target->path);
}

static int find_device(dev_t device, struct target *target, struct error *err)
{
	char folder[PATH_MAX], loop[PATH_MAX + 8];

	target->kind = TARGET_DEVICE;
	target->exists = true;
	if (disk_folder(device, folder, sizeof(folder), err))
		return -1;
	snprintf(target->name, sizeof(target->name), "%s", basename(folder));
	snprintf(loop, sizeof(loop), "%s/loop", folder);
	target->is_loop = !access(loop, F_OK);
	read_disk_names(folder, target);
	find_by_id(device, target->by_id, sizeof(target->by_id));
	return read_device_size(target, err);
}

int target_find_device(const char *path, struct target *target, struct error *err)
{
	struct stat status;

	memset(target, 0, sizeof(*target));
	target->scale = 1;
	snprintf(target->path, sizeof(target->path), "%s", path);
	if (stat(path, &status))
		return error_set(err, "%s: %s", path, strerror(errno));
	return find_device(status.st_rdev, target, err);
}

/* ---- files --------------------------------------------------------------------------------- */

/* realpath() needs the file; one that is still to be made has its folder resolved. */
static int make_absolute(const char *path, char *absolute, struct error *err)
{
	char copy[PATH_MAX], folder[PATH_MAX];

	if (realpath(path, absolute))
		return 0;
	snprintf(copy, sizeof(copy), "%s", path);
	if (!realpath(dirname(copy), folder))
		return error_set(err, "%s: there is no folder %s", path, copy);
	snprintf(copy, sizeof(copy), "%s", path);
	if (snprintf(absolute, PATH_MAX, "%s/%s", folder, basename(copy)) >= PATH_MAX)
		return error_set(err, "%s: the name is too long", path);
	return 0;
}

/* What is to be written must fit: a file system that fills up would end the run in its fill. */
static int check_free_space(const struct target *target, uint64_t allocated, struct error *err)
{
	char folder[PATH_MAX], wanted[NUMBER_ROOM], has[NUMBER_ROOM];
	struct statvfs fs;
	uint64_t free_bytes;

	snprintf(folder, sizeof(folder), "%s", target->path);
	if (statvfs(dirname(folder), &fs))
		return error_set(err, "%s cannot be asked for its free space: %s", folder,
				 strerror(errno));
	free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (target->bytes <= allocated + free_bytes)
		return 0;
	return error_set(err, "%s needs %s more, but its file system has only %s free",
			 target->path, number_bytes((double)(target->bytes - allocated), wanted),
			 number_bytes((double)free_bytes, has));
}

static int find_file(const struct run_options *options, const struct stat *status,
		     struct target *target, struct error *err)
{
	uint64_t allocated = status ? (uint64_t)status->st_blocks * STAT_BLOCK_BYTES : 0;

	target->kind = TARGET_FILE;
	target->block_bytes = 512;
	target->bytes = status ? (uint64_t)status->st_size : options->size_bytes;
	target->exists = status != NULL;
	if (!status && options->read_only)
		return error_set(err, "%s does not exist: there is nothing to read", target->path);
	if (!status && !options->size_bytes) {
		error_set(err, "%s is a file to be made: say how large with --size", target->path);
		return EXIT_USAGE;
	}
	if (status && options->size_bytes && options->size_bytes != target->bytes)
		return error_set(err,
				 "%s has %llu bytes, not the --size asked for; files are never "
				 "grown: remove it or name another",
				 target->path, (unsigned long long)target->bytes);
	return options->read_only ? 0 : check_free_space(target, allocated, err);
}

/* A review needs what only the block device tells; a job may still pass commands through. */
static int refuse_generic(const struct stat *status, const struct target *target, struct error *err)
{
	struct nvme_names names;

	if (nvme_names_find("/sys", status->st_mode, status->st_rdev, &names, err))
		return error_prefix(err, "%s", target->path);
	return error_set(err,
			 "%s is the character device of /dev/%s: name that as the target; jobs "
			 "with drive=nvme find the other by themselves",
			 target->path, names.block);
}

/* A sanitize answers no reads until its end, and a failed one until another ends well. */
static int explain_unreadable(const char *path, struct error *err)
{
	struct sanitize_status status;
	char quoted[SHELL_WORD_ROOM];
	struct purge_drive drive;
	struct stat st;

	if (stat(path, &st) || !S_ISBLK(st.st_mode) || purge_open(path, &drive, NULL))
		return -1;
	if (purge_is_sanitizing(&drive, &status))
		error_set(
			err,
			"%s cannot be used: a %s runs in it; ssdreview purge %s waits for its end",
			path, purge_method_word(status.method), shell_word(path, quoted));
	else if (drive.sanitize_failed)
		error_set(err,
			  "%s cannot be used: its last sanitize has failed, and it takes no I/O "
			  "until one ends well: ssdreview purge %s",
			  path, shell_word(path, quoted));
	purge_close(&drive);
	return -1;
}

static int find_any(const struct run_options *options, const char *folder, struct target *target,
		    struct error *err)
{
	struct stat status;

	memset(target, 0, sizeof(*target));
	target->scale = 1;
	if (!strncmp(options->target, "sim:", 4))
		return find_sim_model(options, folder, target, err);
	if (make_absolute(options->target, target->path, err))
		return -1;
	if (sim_is_model_file(target->path))
		return model_word_refuse(target->path, err);
	if (sim_is_state_file(target->path))
		return find_state_file(options, target, err);
	if (options->scale != 1) {
		error_set(err, "--scale is for simulated drives; %s is a real one", target->path);
		return EXIT_USAGE;
	}
	if (trace_is_file(target->path))
		return error_set(err, "%s is a trace, not a target: it would be written over",
				 target->path);
	if (options->erases ? guard_check_erase(target->path, err) : guard_check(target->path, err))
		return explain_unreadable(target->path, err);
	if (stat(target->path, &status))
		return find_file(options, NULL, target, err);
	if (S_ISCHR(status.st_mode))
		return refuse_generic(&status, target, err);
	return S_ISBLK(status.st_mode) ? find_device(status.st_rdev, target, err)
				       : find_file(options, &status, target, err);
}

/* fio is told the target in a job file: there it must mean what it means here. */
int target_find(const struct run_options *options, const char *folder, struct target *target,
		struct error *err)
{
	int code = find_any(options, folder, target, err);

	if (code || !job_value_check(target->path, err))
		return code;
	return EXIT_USAGE;
}

/* Leaves no file behind that is not whole. */
static int make_file(const char *path, uint64_t bytes, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644), failed;

	if (fd < 0)
		return error_set(err, "%s cannot be made: %s", path, strerror(errno));
	failed = posix_fallocate(fd, 0, (off_t)bytes);
	close(fd);
	if (!failed)
		return 0;
	unlink(path);
	return error_set(err, "%s cannot be made with %llu bytes: %s", path,
			 (unsigned long long)bytes, strerror(failed));
}

int target_make(struct target *target, struct error *err)
{
	int failed = 0;

	if (target->exists)
		return 0;
	if (target->kind == TARGET_SIM)
		failed = sim_drive_create(target->path, target->sim_model, target->scale, SIM_SEED,
					  NULL, 0, err);
	else
		failed = make_file(target->path, target->bytes, err);
	target->exists = !failed;
	return failed;
}

/* ---- is it still there? -------------------------------------------------------------------- */

int target_check(const struct target *target, struct error *err)
{
	struct target now = *target;
	struct stat status;

	if (target->kind == TARGET_SIM) /* the engine looks closer */
		return 0;
	if (stat(target->path, &status))
		return error_set(err, "the target %s is gone: %s", target->path, strerror(errno));
	now.bytes = (uint64_t)status.st_size;
	if (target->kind == TARGET_DEVICE && read_device_size(&now, err))
		return -1;
	if (now.bytes == target->bytes)
		return 0;
	return error_set(err, "the target %s has %llu bytes now, and had %llu", target->path,
			 (unsigned long long)now.bytes, (unsigned long long)target->bytes);
}

int target_hold(const struct target *target, struct error *err)
{
	return target->kind == TARGET_SIM ? sim_drive_hold(target->path, err)
					  : guard_hold(target->path, err);
}

/* ---- which drive is it? --------------------------------------------------------------------- */

void target_identity(const struct target *target, char *text, size_t room)
{
	if (target->kind == TARGET_SIM)
		snprintf(text, room, "simulated %s, %s, scale %u, %llu bytes", target->model,
			 target->serial, target->scale, (unsigned long long)target->bytes);
	else if (target->kind == TARGET_FILE)
		snprintf(text, room, "file %s, %llu bytes", target->path,
			 (unsigned long long)target->bytes);
	else
		snprintf(text, room, "device %s, serial %s, %llu bytes",
			 target->model[0] ? target->model : target->name,
			 target->serial[0] ? target->serial : "n/a",
			 (unsigned long long)target->bytes);
}

void target_drive_name(const struct target *target, const char *review, char *text, size_t room)
{
	if (target->model[0])
		snprintf(text, room, "%s", target->model);
	else
		snprintf(text, room, "%s%s", review,
			 target->kind == TARGET_FILE ? " (file)"
			 : target->is_loop	     ? " (loop device)"
						     : "");
}
