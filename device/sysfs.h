/* SPDX-License-Identifier: GPL-2.0-only */
/* The one-line files of sysfs, procfs and tracefs. */
#ifndef SSDREVIEW_SYSFS_H
#define SSDREVIEW_SYSFS_H

#include <stddef.h>

/* The first line of a file, without spaces around it; "" when it is not there. */
void sys_line(char *line, size_t room, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
