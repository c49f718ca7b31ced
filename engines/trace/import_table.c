/* SPDX-License-Identifier: GPL-2.0-only */
/* The formats that can be imported: one line each, one file each. */
#include "engines/trace/trace.h"

const struct trace_importer *const trace_importers[] = {
    NULL,
};

const unsigned trace_importer_count = sizeof(trace_importers) / sizeof(trace_importers[0]) - 1;
