/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as people read them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "review/review.h"

char *text_count(double number, char *text, size_t room)
{
	char digits[32];
	size_t length, used = 0, i;

	snprintf(digits, sizeof(digits), "%.0f", number);
	length = strlen(digits);
	for (i = 0; i < length && used + 2 < room; i++) {
		if (i && (length - i) % 3 == 0 && digits[i - 1] != '-')
			text[used++] = ',';
		text[used++] = digits[i];
	}
	text[used] = '\0';
	return text;
}

char *text_bytes(double bytes, char *text, size_t room)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
	size_t unit = 0;
	int digits;

	while (bytes >= 999.5 && unit < COUNT(units) - 1) {
		bytes /= 1000;
		unit++;
	}
	digits = !unit || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
	snprintf(text, room, "%.*f %s", digits, bytes, units[unit]);
	return text;
}

char *text_duration(double seconds, char *text, size_t room)
{
	unsigned long whole = (unsigned long)ceil(seconds > 0 ? seconds : 0);

	if (whole < 60)
		snprintf(text, room, "%lu s", whole);
	else if (whole < 3600)
		snprintf(text, room, "%lu min %02lu s", whole / 60, whole % 60);
	else
		snprintf(text, room, "%lu h %02lu min", whole / 3600, whole % 3600 / 60);
	return text;
}

void path_format(char path[PATH_MAX], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(path, PATH_MAX, format, args);
	va_end(args);
}
