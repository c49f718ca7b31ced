/* SPDX-License-Identifier: GPL-2.0-only */
/* What a file is that no importer reads, for the sentence that refuses it. */
#ifndef SSDREVIEW_TRACE_IMPORT_CAUSE_H
#define SSDREVIEW_TRACE_IMPORT_CAUSE_H

#include "engines/trace/trace.h"

/* What the file that begins with these bytes is, and what to do; NULL when it is not known. */
const char *import_cause(const unsigned char *data, size_t bytes);

#endif
