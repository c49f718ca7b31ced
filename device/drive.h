/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One page about a drive: what it says of itself and what the kernel knows of it, as a JSON object
 * (docs/results.md has its keys) and as text. Nothing is written, and whatever is missing says why.
 */
#ifndef SSDREVIEW_DRIVE_H
#define SSDREVIEW_DRIVE_H

#include <jansson.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/base.h"

struct nvme_admin;

/* What there is to ask. drive_facts() fills all of it in but refused; tests have it made up. */
struct drive_question {
	const char *path;    /* as it was named */
	const char *refused; /* why it may not be tested, as the guard says; NULL: it may */
	const char *sysfs;   /* "/sys" */
	mode_t kind;	     /* S_IFBLK, S_IFCHR, S_IFREG */
	dev_t number;	     /* the device's own, or of the file system a file is on */
	uint64_t file_bytes; /* of a file */
	const struct nvme_admin *admin; /* NULL: cannot be asked */
	int admin_status;		/* why not: what admin_open() returned */
};

/*
 * The facts of a block device, the character device of an NVMe namespace, a file, or the state file
 * of a simulated drive. NULL with err: there is no such thing. The object is the caller's.
 */
json_t *drive_facts(const char *path, const char *refused, struct error *err);

/* The same without looking anything up in /dev; what lies on the device is left out. */
json_t *drive_facts_of(const struct drive_question *question);

/*
 * What lies on a device and on its partitions, or in a file: an array of objects "device", "type",
 * "label"; or "n/a" with the reason, where it may not be read.
 */
json_t *drive_contents(const char *path);

/* What root would see in addition, as a list in words; "" when nothing is missing for want of it.
 */
void drive_left_to_root(const json_t *facts, char *text, size_t room);

/* The page, for a terminal of 80 columns. */
void drive_print(const json_t *facts, FILE *out);

/* The last line of the page: what root would see in addition. Nothing where that is nothing. */
void drive_print_left_to_root(const json_t *facts, FILE *out);

/* One entry of a page: a name, from column name_columns on a text that goes on below itself. */
void drive_print_entry(const char *name, unsigned name_columns, const char *text, FILE *out);

#endif
