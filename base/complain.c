/* SPDX-License-Identifier: GPL-2.0-only */
/* The one place that prints what went wrong. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"

int complain(const struct error *err, int code)
{
	size_t length = strlen(err->text);
	bool ended = length && strchr(".?", err->text[length - 1]);

	fflush(stdout);
	fprintf(stderr, "ssdreview: %s%s\n", err->text, ended ? "" : ".");
	return err->unknown_word ? EXIT_USAGE : code;
}
