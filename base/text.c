/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

void text_append(char *text, size_t room, const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + used, room - used, format, arguments);
	va_end(arguments);
}
