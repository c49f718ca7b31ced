/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the writes to a folder end up: from its file system down to the devices that carry it. */
#include <libmount.h>
#include <sys/sysmacros.h>

#include "engines/core/guard.h"
#include "engines/core/guard_internal.h"

#define DEPTH_MAX 16 /* devices on top of each other */

struct walk {
	dev_t to;
	unsigned depth;
};

static bool device_reaches(dev_t from, struct walk *walk);

/* btrfs and its like give their mounts numbers of their own: there the source tells. 0: none. */
static dev_t mounted_device(dev_t number)
{
	struct libmnt_table *mounts = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_fs *fs;
	struct stat source = {0};

	fs = mounts ? mnt_table_find_devno(mounts, number, MNT_ITER_BACKWARD) : NULL;
	if (!fs || !mnt_fs_get_source(fs) || stat(mnt_fs_get_source(fs), &source))
		source.st_mode = 0;
	mnt_unref_table(mounts);
	return S_ISBLK(source.st_mode) ? source.st_rdev : 0;
}

/* number: a file system's st_dev. */
static bool file_system_reaches(dev_t number, struct walk *walk)
{
	if (major(number) == 0)
		number = mounted_device(number);
	return number && device_reaches(number, walk);
}

static int visit_below(const struct device *below, void *context)
{
	return device_reaches(below->number, context) ? -1 : 0;
}

static bool device_reaches(dev_t from, struct walk *walk)
{
	struct device device, whole;
	struct stat backing;
	bool reached;

	if (from == walk->to)
		return true;
	if (walk->depth == DEPTH_MAX || device_find(from, &device, NULL))
		return false;
	walk->depth++;
	reached = (device_whole_disk(&device, &whole) && device_reaches(whole.number, walk)) ||
		  device_each_below(&device, visit_below, walk) ||
		  (loop_backing(&device, &backing) && S_ISREG(backing.st_mode) &&
		   file_system_reaches(backing.st_dev, walk));
	walk->depth--;
	return reached;
}

bool guard_writes_reach(const char *folder, dev_t device)
{
	struct walk walk = {.to = device};
	char upper[PATH_MAX];
	struct stat st;

	if (usage_overlay_upper(folder, upper, sizeof(upper)))
		folder = upper;
	return stat(folder, &st) == 0 && file_system_reaches(st.st_dev, &walk);
}
