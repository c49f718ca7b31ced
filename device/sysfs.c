/* SPDX-License-Identifier: GPL-2.0-only */
/* The one-line files of sysfs. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/device_internal.h"

void sysfs_line(char *line, size_t room, const char *format, ...)
{
	char path[PATH_MAX], text[512] = "";
	size_t length;
	va_list args;
	FILE *file;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	line[0] = '\0';
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	for (length = strlen(text); length && strchr(" \n", text[length - 1]); length--)
		text[length - 1] = '\0';
	snprintf(line, room, "%s", text + strspn(text, " "));
}
