/* SPDX-License-Identifier: GPL-2.0-only */
/* Workloads by word: the files in engines/trace/workloads, or where they are installed. */
#include "base/shipped.h"
#include "engines/trace/trace.h"
#include "engines/trace/workload_internal.h"

static const struct shipped_folder workloads = {
	.what = "workload",
	.suffix = WORKLOAD_SUFFIX,
	.variable = "SSDREVIEW_WORKLOADS",
	.in_tree = "engines/trace/workloads",
	.installed = SSDREVIEW_DATADIR "/workloads",
};

int trace_workload_list(char ***words, size_t *count, struct error *err)
{
	return shipped_words(&workloads, words, count, err);
}

int workload_find(const char *word_or_path, char *path, size_t room, struct error *err)
{
	return shipped_find(&workloads, word_or_path, path, room, err);
}
