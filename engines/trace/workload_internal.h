/* SPDX-License-Identifier: GPL-2.0-only */
/* Where workloads lie, and what all of them keep to. */
#ifndef SSDREVIEW_TRACE_WORKLOAD_INTERNAL_H
#define SSDREVIEW_TRACE_WORKLOAD_INTERNAL_H

#include "base/base.h"

#define WORKLOAD_SUFFIX	   ".ini"
#define WORKLOAD_MAX_IO	   (128 * 1024)
#define WORKLOAD_MIN_SPACE (64 * 1024 * 1024)

/* The path of a workload given by word, or by path. */
int workload_find(const char *word_or_path, char *path, size_t room, struct error *err);

#endif
