/* SPDX-License-Identifier: GPL-2.0-only */
/* A sysfs of the test's own: a folder that the test fills with files and links. */
#ifndef SSDREVIEW_SYSFS_FIXTURE_H
#define SSDREVIEW_SYSFS_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

static char sysfs[64];

static inline void make_sysfs(void)
{
	strcpy(sysfs, "/tmp/ssdreview-sysfs-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(sysfs));
}

static inline void remove_sysfs(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", sysfs);
	ck_assert_int_eq(system(command), 0);
}

/* A file with a text in a folder below it, which is made. */
static inline void put(const char *folder, const char *name, const char *text)
{
	char path[256], file[512];
	struct error err;

	snprintf(path, sizeof(path), "%s/%s", sysfs, folder);
	ck_assert_msg(!folder_make(path, &err), "%s", err.text);
	snprintf(file, sizeof(file), "%s/%s", path, name);
	ck_assert_msg(!file_write_atomic(file, text, strlen(text), &err), "%s", err.text);
}

/* A link that leads to `to`, likewise. */
static inline void link_to(const char *folder, const char *name, const char *to)
{
	char path[256], file[512];
	struct error err;

	snprintf(path, sizeof(path), "%s/%s", sysfs, folder);
	ck_assert_msg(!folder_make(path, &err), "%s", err.text);
	snprintf(file, sizeof(file), "%s/%s", path, name);
	ck_assert_int_eq(symlink(to, file), 0);
}

#endif
