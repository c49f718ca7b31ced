/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as people read them. */
#ifndef SSDREVIEW_TRACE_TEXT_INTERNAL_H
#define SSDREVIEW_TRACE_TEXT_INTERNAL_H

#include "engines/trace/trace.h"

struct text {
	char bytes[40];
};

const char *text_count(struct text *text, uint64_t number);  /* "295,132" */
const char *text_bytes(struct text *text, double bytes);     /* "23.6 KiB" */
const char *text_seconds(struct text *text, double seconds); /* "421 us", "3,604 s" */

#endif
