/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guard: may this target be tested at all? The command and every engine ask it, before anything
 * is opened for writing. It knows no fio. A block device is refused when it, a partition of it, the
 * disk it is part of, or anything stacked on it is mounted, swap, a member of LVM / md / dm, or
 * held by anybody (compared by device number, so other names and nodes do not help). A file is
 * refused when it, or a loop device on it, is held. The character device of an NVMe namespace
 * (/dev/ngXnY) stands for its block device: that is checked, and held.
 */
#ifndef SSDREVIEW_GUARD_H
#define SSDREVIEW_GUARD_H

#include <sys/types.h>

#include "base/base.h"

/*
 * 0 when the target at path may be used: a free block device, by itself or by its NVMe character
 * device, a regular file on a real disk, or a path where nothing exists yet. -1 with the reason in
 * err: in use (by what), on tmpfs or ramfs, a RAM disk or zram (it would measure memory), a folder
 * or another character device, no permission. State and model files of simulated drives are files
 * to the guard: callers ask sim_is_state_file() and sim_is_model_file(). A target held by
 * guard_hold() of an ancestor process is free for its descendants.
 */
int guard_check(const char *path, struct error *err);

/*
 * Holds a block device (O_EXCL) or a file (flock) exclusively until the returned descriptor is
 * closed; the holder is named to descendants through the environment. Returns the descriptor, or -1
 * with err.
 */
int guard_hold(const char *path, struct error *err);

/*
 * The same for a target that is to be erased: it may be a drive that cannot be read, such as one
 * whose last sanitize failed. What can be read and is a member of something is refused as ever.
 */
int guard_check_erase(const char *path, struct error *err);
int guard_hold_erase(const char *path, struct error *err);

/*
 * Do writes to files in this folder reach the block device, directly or through partitions, dm, md
 * and loop devices? A file system of several devices is known by one of them.
 */
bool guard_writes_reach(const char *folder, dev_t device);

#endif
