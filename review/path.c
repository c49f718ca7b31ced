/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths from their parts. */
#include <stdarg.h>
#include <stdio.h>

#include "review/review.h"

void path_format(char path[PATH_MAX], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(path, PATH_MAX, format, args);
	va_end(args);
}
