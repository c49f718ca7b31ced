/* SPDX-License-Identifier: GPL-2.0-only */
/* Block devices that are to be traced. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "engines/core/guard.h"
#include "review/capture.h"
#include "review/review.h"

static int refuse_open(const char *path, struct error *err)
{
	switch (errno) {
	case EACCES:
	case EPERM:
		return error_set(err, "%s may not be opened: %s", path,
				 denied_because(errno, "capture as root"));
	case ENODEV:
	case ENXIO:
		return error_set(err, "%s is a node without a device behind it", path);
	case ENOMEDIUM:
		return error_set(err, "%s has no medium in it", path);
	}
	return error_set(err, "%s cannot be opened: %s", path, strerror(errno));
}

/* What the open device says; the node is known to be one of a block device. */
static int ask_device(int fd, struct capture_disk *disk, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISBLK(st.st_mode))
		return error_set(err, "%s is no block device: name the disk or a partition of it",
				 disk->path);
	if (ioctl(fd, BLKGETSIZE64, &disk->size_bytes) || !disk->size_bytes)
		return error_set(err, "%s has no size: no disk answers there", disk->path);
	disk->device = disk->whole = st.st_rdev;
	return 0;
}

/* In a partition's folder there is a file "partition"; above it is its disk's. */
static void read_sysfs(struct capture_disk *disk)
{
	char text[128], real[PATH_MAX];
	unsigned major_number, minor_number;
	const char *of_disk = "";

	snprintf(disk->sysfs, sizeof(disk->sysfs), "/sys/dev/block/%u:%u", major(disk->device),
		 minor(disk->device));
	snprintf(disk->name, sizeof(disk->name), "%s",
		 realpath(disk->sysfs, real) ? basename(real) : disk->path);
	sys_line(text, sizeof(text), "%s/partition", disk->sysfs);
	if (text[0]) {
		of_disk = "/..";
		sys_line(text, sizeof(text), "%s/start", disk->sysfs);
		disk->start_bytes = strtoull(text, NULL, 10) * 512;
		sys_line(text, sizeof(text), "%s/../dev", disk->sysfs);
		if (sscanf(text, "%u:%u", &major_number, &minor_number) == 2)
			disk->whole = makedev(major_number, minor_number);
	}
	sys_line(disk->model, sizeof(disk->model), "%s%s/device/model", disk->sysfs, of_disk);
	path_format(real, "%s%s/mq", disk->sysfs, of_disk);
	disk->issues = access(real, F_OK) == 0;
}

int capture_disk_find(const char *path, struct capture_disk *disk, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failed;

	memset(disk, 0, sizeof(*disk));
	disk->path = path;
	if (fd < 0)
		return refuse_open(path, err);
	failed = ask_device(fd, disk, err);
	close(fd);
	if (!failed)
		read_sysfs(disk);
	return failed;
}

/* Writing the trace would be traced, which would be written, and so on. */
static int check_output(const struct capture_disk *disk, const char *output, struct error *err)
{
	char copy[PATH_MAX];
	const char *folder;

	path_format(copy, "%s", output);
	folder = dirname(copy);
	if (access(folder, W_OK))
		return error_set(err, "%s cannot be written: its folder %s: %s", output, folder,
				 strerror(errno));
	if (!guard_writes_reach(folder, disk->device))
		return 0;
	return error_set(err,
			 "%s lies on %s, which is to be traced: its writes would be in the trace; "
			 "write it to another disk, or to /dev/shm when the memory is large enough",
			 output, disk->path);
}

int capture_disks_check(const struct capture_disk *disks, unsigned count, const char *output,
			struct error *err)
{
	unsigned i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < i; j++)
			if (disks[i].whole == disks[j].whole)
				return error_set(err,
						 "%s and %s are one disk, which the kernel traces "
						 "only once; name the whole disk alone",
						 disks[j].path, disks[i].path);
		if (check_output(&disks[i], output, err))
			return -1;
	}
	return 0;
}

int capture_event(const struct capture_disk *disks, unsigned count, const char *wanted, char *event,
		  struct error *err)
{
	const struct capture_disk *without = NULL;
	unsigned i, issuing = 0;

	for (i = 0; i < count; i++) {
		issuing += disks[i].issues;
		if (!disks[i].issues)
			without = &disks[i];
	}
	*event = wanted ? wanted[0] : issuing ? 'D' : 'Q';
	if (*event == 'Q' || issuing == count)
		return 0;
	return error_set(err,
			 "%s hands its I/O on without issuing it (dm, md, zram and the like have "
			 "no issue events); take --event Q",
			 without->path);
}
