/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of one NVMe namespace: its block device, its character device for commands, its
 * controllers, as the kernel lists them in /sys. Nothing is opened or asked of the drive.
 *
 * The kernel names both devices alike (nvme2n1, ng2n1) and lays them in one folder: that of the
 * controller, or, where several controllers lead to the namespace (multipath), that of the NVMe
 * subsystem. Then the numbers are the subsystem's, and each path has a hidden disk (nvme0c1n1)
 * that has no node in /dev and is never named here.
 */
#ifndef SSDREVIEW_NVME_NAMES_H
#define SSDREVIEW_NVME_NAMES_H

#include <sys/types.h>

#include "base/base.h"

#define NVME_NAME_BYTES	     32
#define NVME_CONTROLLERS_MAX 8

struct nvme_names {
	char block[NVME_NAME_BYTES];   /* "nvme0n1" */
	char generic[NVME_NAME_BYTES]; /* "ng0n1"; "": this kernel has none (before Linux 5.13) */
	dev_t block_number;	       /* 0: it is hidden and cannot be opened */
	dev_t generic_number;	       /* 0: none */
	uint32_t nsid;
	char controllers[NVME_CONTROLLERS_MAX][NVME_NAME_BYTES]; /* "nvme0"; by number */
	unsigned controller_count;
	char subsystem[NVME_NAME_BYTES];	  /* "nvme-subsys0"; "": not known */
	bool is_multipath;			  /* the devices belong to the subsystem */
	char serial[64], model[64], firmware[32]; /* without the spaces around; "": not known */
};

/*
 * The names of the namespace that a node in /dev is, by whatever name or link: its block device or
 * its character device. 0, or -1 with err: no NVMe, a partition, a controller, a path of several.
 */
int nvme_names_of_path(const char *path, struct nvme_names *names, struct error *err);

/* The same of a device by its kind (S_IFBLK, S_IFCHR) and number; sysfs: "/sys", or a test's. */
int nvme_names_find(const char *sysfs, mode_t kind, dev_t number, struct nvme_names *names,
		    struct error *err);

/* Is this device the character device of a namespace? Asks for nothing but its number. */
bool nvme_is_generic(const char *sysfs, mode_t kind, dev_t number);

/* 0, or a number that ends the walk and is handed on. block: "nvme0n2". */
typedef int nvme_visit(const char *block, void *context);

/*
 * Visits the other namespaces that share a controller or the subsystem with this one, those a
 * format or sanitize may erase too; in the order of their names.
 */
int nvme_each_other(const char *sysfs, const struct nvme_names *names, nvme_visit *visit,
		    void *context);

#endif
