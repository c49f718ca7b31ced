/* SPDX-License-Identifier: GPL-2.0-only */
/* What is counted of NVMe commands: latency by kind, status by code, calls and completions. */
#ifndef SSDREVIEW_NVME_COUNT_H
#define SSDREVIEW_NVME_COUNT_H

#include <jansson.h>

#include "base/histogram.h"
#include "engines/core/nvme_command.h"

#define NVME_RESULTS_MAX 32

/* How often a kind of command ended in a way: a status above 0, -errno below. */
struct nvme_result {
	enum nvme_kind kind;
	int result;
	uint64_t count;
};

struct nvme_count {
	uint64_t enters;	     /* system calls */
	uint64_t submits, submitted; /* calls that sent commands, and these */
	uint64_t reaps, reaped;	     /* looks that found completions, and these */
	unsigned most_reaped;	     /* at one look */
	struct histogram submission; /* how long a call that sends took */
	struct histogram latency[NVME_KINDS];
	struct nvme_result results[NVME_RESULTS_MAX];
	unsigned result_count;
	uint64_t other_results; /* when there are more kinds of them than places */
	uint64_t window_start_ns;
};

void nvme_count_result(struct nvme_count *count, enum nvme_kind kind, int result);

static inline void nvme_count_reap(struct nvme_count *count, unsigned reaped)
{
	if (!reaped)
		return;
	count->reaps++;
	count->reaped += reaped;
	if (reaped > count->most_reaped)
		count->most_reaped = reaped;
}

/* The part of "nvme" in the statistics file that counts. */
json_t *nvme_count_report(const struct nvme_count *count);

#endif
