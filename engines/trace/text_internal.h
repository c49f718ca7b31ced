/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as people read them: those of base/number.h, and what traces have besides. */
#ifndef SSDREVIEW_TRACE_TEXT_INTERNAL_H
#define SSDREVIEW_TRACE_TEXT_INTERNAL_H

#include "base/number.h"
#include "engines/trace/trace.h"

struct trace_text {
	char bytes[NUMBER_ROOM];
};

const char *trace_text_count(struct trace_text *text, uint64_t number);	 /* "295,132" */
const char *trace_text_bytes(struct trace_text *text, double bytes);	 /* "23.6 GB" */
const char *trace_text_size(struct trace_text *text, uint64_t bytes);	 /* "4 KiB", of an I/O */
const char *trace_text_mean(struct trace_text *text, double bytes);	 /* "17.3 KiB" */
const char *trace_text_seconds(struct trace_text *text, double seconds); /* "421 us", "3,604 s" */

#endif
