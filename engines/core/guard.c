/* SPDX-License-Identifier: GPL-2.0-only */
/* May this target be tested? Sorts targets by kind and asks every question of that kind. */
#include <blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "device/nvme_names.h"
#include "engines/core/guard.h"
#include "engines/core/guard_internal.h"

#define SECTOR_BYTES 512

/* What stands around one block device is looked at with this in hand. */
struct inspection {
	const struct usage *usage;
	int fd;
	bool erases; /* what cannot be read is no reason */
	struct error *err;
};

/* Sets *type to the signature of a RAID or LVM member that starts at offset, or to "". */
static int probe_member(int fd, uint64_t offset, uint64_t bytes, char *type, size_t type_bytes)
{
	blkid_probe probe = blkid_new_probe();
	const char *found = "";
	int failed;

	failed = !probe ||
		 blkid_probe_set_device(probe, fd, (blkid_loff_t)offset, (blkid_loff_t)bytes);
	if (!failed) {
		blkid_probe_enable_superblocks(probe, 1);
		blkid_probe_filter_superblocks_usage(probe, BLKID_FLTR_ONLYIN, BLKID_USAGE_RAID);
		failed = blkid_do_probe(probe) < 0;
		blkid_probe_lookup_value(probe, "TYPE", &found, NULL);
		snprintf(type, type_bytes, "%s", found);
	}
	blkid_free_probe(probe);
	return failed ? -1 : 0;
}

/* A member that is not assembled now has no holder: its signature alone tells. */
static int check_member(const struct inspection *in, const struct device *device, const char *whose,
			uint64_t offset, uint64_t bytes)
{
	char type[64] = "";

	if (probe_member(in->fd, offset, bytes, type, sizeof(type)))
		return in->erases ? 0
				  : error_set(in->err, "%s%s cannot be read", whose, device->name);
	if (!type[0])
		return 0;
	return error_set(in->err,
			 "%s%s is a member of %s (%s); take it out (vgreduce, pvremove, mdadm "
			 "--zero-superblock, wipefs) or choose another target",
			 whose, device->name,
			 strcmp(type, "LVM2_member") == 0 ? "an LVM volume group" : "an array",
			 type);
}

static int check_partition_use(const struct device *partition, void *context)
{
	const struct inspection *in = context;

	return usage_check(in->usage, partition, "its partition ", in->err);
}

static int check_partition_member(const struct device *partition, void *context)
{
	char start[32], sectors[32];

	if (!device_attribute(partition, "start", start, sizeof(start)) ||
	    !device_attribute(partition, "size", sectors, sizeof(sectors)))
		return 0;
	/* Read through the disk: a partition need not have a node in /dev. */
	return check_member(context, partition, "its partition ",
			    strtoull(start, NULL, 10) * SECTOR_BYTES,
			    strtoull(sectors, NULL, 10) * SECTOR_BYTES);
}

static int check_below(const struct device *below, void *context)
{
	const struct inspection *in = context;

	if (usage_check_mounts(in->usage, below, "below it, ", in->err))
		return -1;
	return device_each_below(below, check_below, context);
}

/* The file, and a second loop device on it, are the same storage by other names. */
static int check_loop_file(const struct inspection *in, const struct device *device)
{
	struct stat backing, named;
	char path[PATH_MAX];

	if (!loop_backing(device, &backing) || !S_ISREG(backing.st_mode))
		return 0;
	if (usage_check_file(in->usage, &backing, device->number, in->err))
		return -1;
	/* The name may be cut, gone, or another file's by now. */
	if (!device_attribute(device, "loop/backing_file", path, sizeof(path)) ||
	    stat(path, &named) || named.st_dev != backing.st_dev ||
	    named.st_ino != backing.st_ino || access(path, R_OK) ||
	    !hold_check_file(path, &named, in->err))
		return 0;
	return error_prefix(in->err, "the file below it, %s", path);
}

static int check_memory(const struct device *device, struct error *err)
{
	unsigned number;

	if (sscanf(device->name, "ram%u", &number) != 1 &&
	    sscanf(device->name, "zram%u", &number) != 1)
		return 0;
	return error_set(err, "it is memory and no drive; choose a drive, or a file on one");
}

/* Questions that the kernel's lists answer: nothing is opened. */
static int check_use(struct inspection *in, const struct device *device)
{
	struct device whole;

	if (check_memory(device, in->err) || usage_check(in->usage, device, "", in->err) ||
	    device_each_partition(device, check_partition_use, in) ||
	    device_each_below(device, check_below, in) || check_loop_file(in, device))
		return -1;
	if (device_whole_disk(device, &whole))
		return usage_check(in->usage, &whole, "the whole disk ", in->err);
	return 0;
}

/* Questions that what lies on the device answers. */
static int check_content(struct inspection *in, const struct device *device)
{
	uint64_t bytes = 0;

	if (ioctl(in->fd, BLKGETSIZE64, &bytes) || bytes == 0)
		return error_set(in->err, "it has no capacity (no medium, or nothing attached)");
	if (check_member(in, device, "", 0, 0))
		return -1;
	return device_each_partition(device, check_partition_member, in);
}

static int check_device(const char *path, const struct stat *node, bool erases, struct error *err)
{
	struct inspection in = {.erases = erases, .err = err};
	struct device device;
	struct usage *usage;
	int failed;

	if (device_find(node->st_rdev, &device, err))
		return -1;
	in.usage = usage = usage_load(err);
	failed = !usage || check_use(&in, &device);
	usage_free(usage);
	if (failed)
		return -1;
	in.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (in.fd < 0)
		return refuse_open(err);
	failed = check_content(&in, &device);
	close(in.fd);
	/* Last, for it knows the least: that somebody holds the device, not who. */
	return failed ? -1 : hold_check(path, node, err);
}

/* A file system that is no disk: what it would measure is memory, or nothing. */
static const char *not_a_disk(const struct statfs *fs)
{
	switch ((unsigned long)fs->f_type) {
	case TMPFS_MAGIC:
		return "tmpfs";
	case RAMFS_MAGIC:
		return "ramfs";
	case HUGETLBFS_MAGIC:
		return "hugetlbfs";
	case PROC_SUPER_MAGIC:
		return "proc";
	case SYSFS_MAGIC:
		return "sysfs";
	}
	return NULL;
}

static int check_file_system(const char *path, struct error *err)
{
	char upper[PATH_MAX];
	const char *kind;
	struct statfs fs;

	if (statfs(path, &fs))
		return error_set(err, "its file system cannot be asked: %s", strerror(errno));
	/* What an overlay (a live system, a container) is given to keep goes to its upper folder.
	 */
	if (fs.f_type == OVERLAYFS_SUPER_MAGIC && usage_overlay_upper(path, upper, sizeof(upper)) &&
	    statfs(upper, &fs))
		return 0;
	kind = not_a_disk(&fs);
	if (!kind)
		return 0;
	return error_set(err,
			 "its folder lies on %s, which is memory and no disk; choose a file on a "
			 "disk",
			 kind);
}

static int check_file(const char *path, const struct stat *file, struct error *err)
{
	struct usage *usage;
	int failed;

	if (check_file_system(path, err))
		return -1;
	if (access(path, R_OK))
		return refuse_open(err);
	usage = usage_load(err);
	failed = !usage || usage_check_file(usage, file, 0, err);
	usage_free(usage);
	return failed ? -1 : hold_check_file(path, file, err);
}

/* Nothing there yet: a file may be made, when its folder is on a disk. */
static int check_missing(const char *path, struct error *err)
{
	char copy[PATH_MAX];
	struct stat st;
	char *folder;

	if (lstat(path, &st) == 0)
		return error_set(err, "it is a symbolic link to nothing");
	if (snprintf(copy, sizeof(copy), "%s", path) >= (int)sizeof(copy))
		return error_set(err, "the name is too long");
	folder = dirname(copy);
	if (stat(folder, &st) || !S_ISDIR(st.st_mode))
		return error_set(err, "neither it nor its folder %s exists", folder);
	if (check_file_system(folder, err))
		return error_prefix(err, "it does not exist, and for a new file");
	return 0;
}

/* Who commands a namespace by its character device overwrites what lies on its block device. */
static int check_generic(const struct stat *generic, bool erases, struct error *err)
{
	char path[PATH_MAX];
	struct stat block;

	if (block_of_generic(generic, path, sizeof(path), &block, err))
		return -1;
	return check_device(path, &block, erases, err)
		       ? error_prefix(err, "its block device %s", path)
		       : 0;
}

static int check_by_kind(const char *path, bool erases, struct error *err)
{
	struct stat st;

	if (stat(path, &st))
		return errno == ENOENT ? check_missing(path, err) : refuse_open(err);
	if (S_ISBLK(st.st_mode))
		return check_device(path, &st, erases, err);
	if (S_ISREG(st.st_mode))
		return check_file(path, &st, err);
	if (nvme_is_generic("/sys", st.st_mode, st.st_rdev))
		return check_generic(&st, erases, err);
	return error_set(err,
			 "it is a %s; a target is a block device, a file, or the character device "
			 "of an NVMe namespace (/dev/ngXnY)",
			 S_ISDIR(st.st_mode)	? "folder"
			 : S_ISCHR(st.st_mode)	? "character device"
			 : S_ISFIFO(st.st_mode) ? "pipe"
						: "socket");
}

static int check(const char *path, bool erases, struct error *err)
{
	if (check_by_kind(path, erases, err))
		return error_prefix(err, "%s cannot be a target", path);
	return 0;
}

int guard_check(const char *path, struct error *err)
{
	return check(path, false, err);
}

int guard_check_erase(const char *path, struct error *err)
{
	return check(path, true, err);
}
