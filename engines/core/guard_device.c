/* SPDX-License-Identifier: GPL-2.0-only */
/* Block devices as the kernel lists them in /sys/dev/block and /sys/block. */
#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/nvme_names.h"
#include "engines/core/guard_internal.h"

bool device_attribute(const struct device *device, const char *file, char *line, int line_bytes)
{
	char path[PATH_MAX];
	FILE *in;
	bool found;

	snprintf(path, sizeof(path), "%s/%s", device->sysfs, file);
	in = fopen(path, "re");
	if (!in)
		return false;
	found = fgets(line, line_bytes, in) != NULL;
	fclose(in);
	if (found)
		line[strcspn(line, "\n")] = '\0';
	return found;
}

int device_find(dev_t number, struct device *device, struct error *err)
{
	char link[PATH_MAX];
	ssize_t length;

	device->number = number;
	snprintf(device->sysfs, sizeof(device->sysfs), "/sys/dev/block/%u:%u", major(number),
		 minor(number));
	length = readlink(device->sysfs, link, sizeof(link) - 1);
	if (length < 0)
		return error_set(err, "the kernel lists no block device %u:%u in /sys",
				 major(number), minor(number));
	link[length] = '\0';
	snprintf(device->name, sizeof(device->name), "%s", basename(link));
	return 0;
}

/* The number in the file `dev` of a device's folder; 0 when it has none. */
static dev_t number_of(const struct device *device)
{
	unsigned major_number, minor_number;
	char line[32];

	if (!device_attribute(device, "dev", line, sizeof(line)) ||
	    sscanf(line, "%u:%u", &major_number, &minor_number) != 2)
		return 0;
	return makedev(major_number, minor_number);
}

bool device_whole_disk(const struct device *device, struct device *whole)
{
	char line[32];

	if (!device_attribute(device, "partition", line, sizeof(line)))
		return false;
	snprintf(whole->sysfs, sizeof(whole->sysfs), "/sys/dev/block/%u:%u/..",
		 major(device->number), minor(device->number));
	return device_find(number_of(whole), whole, NULL) == 0;
}

/* Visits the devices named in a folder below `device`; with `having`, those that have that file. */
static int each_in_folder(const struct device *device, const char *folder, const char *having,
			  device_visit *visit, void *context)
{
	char path[PATH_MAX], line[PATH_MAX];
	struct dirent *entry;
	struct device other;
	int result = 0;
	DIR *listing;

	snprintf(path, sizeof(path), "%s/%s", device->sysfs, folder);
	listing = opendir(path);
	while (listing && result == 0 && (entry = readdir(listing))) {
		if (entry->d_name[0] == '.' ||
		    snprintf(other.sysfs, sizeof(other.sysfs), "%s/%s", path, entry->d_name) >=
			    (int)sizeof(other.sysfs) ||
		    (having && !device_attribute(&other, having, line, sizeof(line))))
			continue;
		snprintf(other.name, sizeof(other.name), "%s", entry->d_name);
		other.number = number_of(&other);
		result = visit(&other, context);
	}
	if (listing)
		closedir(listing);
	return result;
}

int device_each_partition(const struct device *device, device_visit *visit, void *context)
{
	return each_in_folder(device, ".", "partition", visit, context);
}

int device_each_holder(const struct device *device, device_visit *visit, void *context)
{
	return each_in_folder(device, "holders", NULL, visit, context);
}

int device_each_below(const struct device *device, device_visit *visit, void *context)
{
	struct device below;
	struct stat backing;

	if (loop_backing(device, &backing) && S_ISBLK(backing.st_mode) &&
	    device_find(backing.st_rdev, &below, NULL) == 0)
		return visit(&below, context);
	return each_in_folder(device, "slaves", NULL, visit, context);
}

int device_each_loop(device_visit *visit, void *context)
{
	struct device all = {.sysfs = "/sys/block"};

	return each_in_folder(&all, ".", "loop/backing_file", visit, context);
}

/* The loop driver knows the file by number, also when its name is gone or lies elsewhere. */
static bool ask_loop_driver(const struct device *loop, struct stat *backing)
{
	struct loop_info64 info;
	char node[PATH_MAX];
	struct stat st;
	int fd, failed;

	snprintf(node, sizeof(node), "/dev/%s", loop->name);
	fd = open(node, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	failed =
		fstat(fd, &st) || st.st_rdev != loop->number || ioctl(fd, LOOP_GET_STATUS64, &info);
	close(fd);
	if (failed)
		return false;
	memset(backing, 0, sizeof(*backing));
	backing->st_mode = info.lo_rdevice ? S_IFBLK : S_IFREG;
	backing->st_rdev = info.lo_rdevice;
	backing->st_dev = info.lo_device;
	backing->st_ino = info.lo_inode;
	return true;
}

bool loop_backing(const struct device *loop, struct stat *backing)
{
	char path[PATH_MAX];

	if (!device_attribute(loop, "loop/backing_file", path, sizeof(path)))
		return false;
	return ask_loop_driver(loop, backing) || stat(path, backing) == 0;
}

int block_of_generic(const struct stat *generic, char *path, size_t room, struct stat *block,
		     struct error *err)
{
	struct nvme_names names;

	if (nvme_names_find("/sys", generic->st_mode, generic->st_rdev, &names, err))
		return -1;
	snprintf(path, room, "/dev/%s", names.block);
	if (names.block_number && stat(path, block) == 0 && S_ISBLK(block->st_mode) &&
	    block->st_rdev == names.block_number)
		return 0;
	return error_set(err,
			 "its block device %s cannot be opened, so nobody can tell who uses the "
			 "namespace",
			 path);
}
