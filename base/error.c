/* SPDX-License-Identifier: GPL-2.0-only */
/* Errors as sentences. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

int error_set(struct error *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return -1;
	err->unknown_word = false;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return -1;
}

int error_prefix(struct error *err, const char *format, ...)
{
	char old[sizeof(err->text)];
	va_list args;
	size_t used;

	if (!err)
		return -1;
	memcpy(old, err->text, sizeof(old));
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", old);
	return -1;
}
