/* SPDX-License-Identifier: GPL-2.0-only */
/* Who uses a block device or a file: mounts, swap, and devices stacked on it. */
#include <libmount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/core/guard_internal.h"

struct usage {
	struct libmnt_table *mounts;	  /* as this process sees them */
	struct libmnt_table *init_mounts; /* as init sees them: more, from inside a chroot */
	struct libmnt_table *swaps;
};

struct usage *usage_load(struct error *err)
{
	struct usage *usage = calloc(1, sizeof(*usage));

	if (!usage) {
		error_set(err, "no memory for the table of mounts");
		return NULL;
	}
	usage->mounts = mnt_new_table_from_file("/proc/self/mountinfo");
	usage->init_mounts = mnt_new_table_from_file("/proc/1/mountinfo");
	usage->swaps = mnt_new_table();
	if (!usage->mounts || !usage->swaps) {
		error_set(err, "/proc/self/mountinfo cannot be read, so nobody knows what is "
			       "mounted; mount /proc first");
		usage_free(usage);
		return NULL;
	}
	/* A kernel without swap has no /proc/swaps. */
	mnt_table_parse_swaps(usage->swaps, NULL);
	return usage;
}

void usage_free(struct usage *usage)
{
	if (!usage)
		return;
	mnt_unref_table(usage->mounts);
	mnt_unref_table(usage->init_mounts);
	mnt_unref_table(usage->swaps);
	free(usage);
}

/* By number where the node can be seen, else by the kernel's name: better refused than lost. */
static bool names_device(const char *source, const struct device *device)
{
	struct stat st;

	if (!source || source[0] != '/')
		return false;
	if (stat(source, &st) == 0)
		return S_ISBLK(st.st_mode) && st.st_rdev == device->number;
	return strncmp(source, "/dev/", 5) == 0 && strcmp(source + 5, device->name) == 0;
}

/* The first entry that stands for the device; NULL when none does. */
static struct libmnt_fs *find_device(struct libmnt_table *table, const struct device *device)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs, *found = NULL;

	while (table && !found && mnt_table_next_fs(table, iter, &fs) == 0)
		/* btrfs gives its mounts numbers of their own: there the source tells. */
		if (mnt_fs_get_devno(fs) == device->number ||
		    names_device(mnt_fs_get_source(fs), device))
			found = fs;
	mnt_free_iter(iter);
	return found;
}

int usage_check_mounts(const struct usage *usage, const struct device *device, const char *whose,
		       struct error *err)
{
	struct libmnt_fs *fs = find_device(usage->mounts, device);

	if (!fs)
		fs = find_device(usage->init_mounts, device);
	if (fs)
		return error_set(err, "%s%s is mounted on %s; unmount it or choose another target",
				 whose, device->name, mnt_fs_get_target(fs));
	if (find_device(usage->swaps, device))
		return error_set(err, "%s%s is used as swap; swapoff it or choose another target",
				 whose, device->name);
	return 0;
}

/* Who stands on a device, and the sentence for it. */
struct carried {
	const struct device *below;
	const char *whose;
	struct error *err;
};

static const char *kind_of_holder(const struct device *holder)
{
	char uuid[256];

	if (strncmp(holder->name, "md", 2) == 0)
		return "the md array";
	if (!device_attribute(holder, "dm/uuid", uuid, sizeof(uuid)))
		return "the device";
	if (strncmp(uuid, "LVM-", 4) == 0)
		return "the LVM volume";
	return strncmp(uuid, "CRYPT-", 6) == 0 ? "the encrypted device" : "the dm device";
}

static int refuse_holder(const struct device *holder, void *context)
{
	struct carried *carried = context;
	char name[256] = "";

	if (!device_attribute(holder, "dm/name", name, sizeof(name)))
		snprintf(name, sizeof(name), "%s", holder->name);
	return error_set(carried->err,
			 "%s%s is in use by %s %s; remove that or choose another target",
			 carried->whose, carried->below->name, kind_of_holder(holder), name);
}

static int refuse_loop_on(const struct device *loop, void *context)
{
	struct carried *carried = context;
	struct stat backing;

	if (!loop_backing(loop, &backing) || !S_ISBLK(backing.st_mode) ||
	    backing.st_rdev != carried->below->number)
		return 0;
	return error_set(carried->err, "%s%s is in use by the loop device %s; detach that first",
			 carried->whose, carried->below->name, loop->name);
}

int usage_check(const struct usage *usage, const struct device *device, const char *whose,
		struct error *err)
{
	struct carried carried = {device, whose, err};

	if (usage_check_mounts(usage, device, whose, err) ||
	    device_each_holder(device, refuse_holder, &carried) ||
	    device_each_loop(refuse_loop_on, &carried))
		return -1;
	return 0;
}

/* A file, the loop device on it that does not count, and whom to tell. */
struct backed {
	const struct usage *usage;
	const struct stat *file;
	dev_t except_loop;
	struct error *err;
};

static int refuse_used_partition(const struct device *partition, void *context)
{
	struct backed *backed = context;

	return usage_check(backed->usage, partition, "on this file ", backed->err);
}

static int refuse_used_loop(const struct device *loop, void *context)
{
	struct backed *backed = context;
	struct stat backing;

	if (loop->number == backed->except_loop || !loop_backing(loop, &backing) ||
	    backing.st_dev != backed->file->st_dev || backing.st_ino != backed->file->st_ino)
		return 0;
	if (usage_check(backed->usage, loop, "on this file ", backed->err) ||
	    hold_check_loop(loop, backed->err))
		return -1;
	return device_each_partition(loop, refuse_used_partition, backed);
}

static bool is_swap_file(const struct usage *usage, const struct stat *file)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	bool found = false;
	struct libmnt_fs *fs;
	struct stat st;

	while (!found && mnt_table_next_fs(usage->swaps, iter, &fs) == 0)
		found = stat(mnt_fs_get_source(fs), &st) == 0 && st.st_dev == file->st_dev &&
			st.st_ino == file->st_ino;
	mnt_free_iter(iter);
	return found;
}

int usage_check_file(const struct usage *usage, const struct stat *file, dev_t except_loop,
		     struct error *err)
{
	struct backed backed = {usage, file, except_loop, err};

	if (is_swap_file(usage, file))
		return error_set(err,
				 "it is a swap file in use; swapoff it or choose another file");
	return device_each_loop(refuse_used_loop, &backed);
}

bool usage_overlay_upper(const char *path, char *upper, size_t upper_bytes)
{
	struct libmnt_table *mounts = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_fs *fs = NULL;
	size_t length = 0;
	struct stat st;
	char *value;

	if (mounts && stat(path, &st) == 0)
		fs = mnt_table_find_devno(mounts, st.st_dev, MNT_ITER_BACKWARD);
	if (fs && mnt_fs_get_option(fs, "upperdir", &value, &length) == 0)
		snprintf(upper, upper_bytes, "%.*s", (int)length, value);
	mnt_unref_table(mounts);
	return length > 0;
}
