/* SPDX-License-Identifier: GPL-2.0-only */
/* The one-line files of sysfs. */
#include "device/sysfs.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Drivers pad names with spaces, at either end. */
static void trim(char *line)
{
	size_t length = strlen(line), start = strspn(line, " ");

	while (length > start && strchr(" \n", line[length - 1]))
		length--;
	memmove(line, line + start, length - start);
	line[length - start] = '\0';
}

void sys_line(char *line, size_t room, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	FILE *file;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	line[0] = '\0';
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(line, (int)room, file))
		line[0] = '\0';
	fclose(file);
	trim(line);
}
