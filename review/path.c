/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths from their parts, and the one-line files of sysfs and procfs. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "review/review.h"

void path_format(char path[PATH_MAX], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(path, PATH_MAX, format, args);
	va_end(args);
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
	for (room = strlen(line); room && strchr(" \n", line[room - 1]); room--)
		line[room - 1] = '\0';
}
