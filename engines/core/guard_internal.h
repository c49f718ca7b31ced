/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the guard: block devices as the kernel lists them in /sys (guard_device.c), who uses
 * one (guard_usage.c), who holds one (guard_hold.c), who has one open (guard_open.c). Devices are
 * told apart by number alone.
 */
#ifndef SSDREVIEW_GUARD_INTERNAL_H
#define SSDREVIEW_GUARD_INTERNAL_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/base.h"

/* A block device as the kernel knows it. */
struct device {
	dev_t number;
	char name[NAME_MAX + 1]; /* the kernel's name: "sda1" */
	char sysfs[1024];	 /* its folder: "/sys/dev/block/8:1" */
};

/* 0, or a negative number that ends the walk and is handed on. */
typedef int device_visit(const struct device *device, void *context);

/* Returns 0, or -1 with err when the kernel does not list a device of that number. */
int device_find(dev_t number, struct device *device, struct error *err);

/* The disk that `device` is a partition of; false when it is no partition. */
bool device_whole_disk(const struct device *device, struct device *whole);

/* The partitions of a disk; the dm, md ... devices that hold a device; those one stands on. */
int device_each_partition(const struct device *device, device_visit *visit, void *context);
int device_each_holder(const struct device *device, device_visit *visit, void *context);
int device_each_below(const struct device *device, device_visit *visit, void *context);

/* What a loop device stands on, a file or a device; false when it stands on nothing. */
bool loop_backing(const struct device *loop, struct stat *backing);
int device_each_loop(device_visit *visit, void *context);

/* Reads one line of a file in the device's folder in /sys; false when it is not there. */
bool device_attribute(const struct device *device, const char *file, char *line, int line_bytes);

/*
 * The block device of the NVMe namespace that a character device commands, and its node in /dev:
 * it is checked and held in the other's place. generic and block may be one. 0, or -1 with err.
 */
int block_of_generic(const struct stat *generic, char *path, size_t room, struct stat *block,
		     struct error *err);

/* What the system uses at this moment: mounts and swap. Freed by usage_free(). */
struct usage;
struct usage *usage_load(struct error *err);
void usage_free(struct usage *usage);

/*
 * 0, or -1 with the reason in err when `device` itself is mounted, swap, or carries another device
 * (dm, md, loop). `whose` says which device of the target it is: "", "its partition ", ...
 */
int usage_check(const struct usage *usage, const struct device *device, const char *whose,
		struct error *err);

/* The same without what it carries: for the devices below a dm, md or loop device. */
int usage_check_mounts(const struct usage *usage, const struct device *device, const char *whose,
		       struct error *err);

/* -1 with err when the file is swap, or a loop device that is in use or held stands on it. */
int usage_check_file(const struct usage *usage, const struct stat *file, dev_t except_loop,
		     struct error *err);

/* The folder in which the overlay that path lies on keeps what is written; false: not known. */
bool usage_overlay_upper(const char *path, char *upper, size_t upper_bytes);

bool is_ancestor_or_self(pid_t pid);

/* Has the process this device or file open, as far as we may look? */
bool process_has_open(pid_t pid, const struct stat *target);

/* -1 with err when another process has the block device, or the character device of the same
 * namespace, open without holding it; nobody of those that began us counts. */
int open_check(const struct stat *block, struct error *err);

/* -1 with err when somebody holds the device, unless it is guard_hold() of an ancestor process. */
int hold_check(const char *path, const struct stat *device, struct error *err);

/* The same for a file, and for a loop device on the target; one that cannot be opened is free. */
int hold_check_file(const char *path, const struct stat *file, struct error *err);
int hold_check_loop(const struct device *loop, struct error *err);

/* Fills err from errno after a target could not be opened; returns -1. */
int refuse_open(struct error *err);

#endif
