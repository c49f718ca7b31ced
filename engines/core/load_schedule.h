/* SPDX-License-Identifier: GPL-2.0-only */
/* A load that is due by a schedule, whatever its I/Os are: hooks of struct load_ops. */
#ifndef SSDREVIEW_LOAD_SCHEDULE_H
#define SSDREVIEW_LOAD_SCHEDULE_H

#include "engines/core/core.h"

/* A load with these hooks begins with it. */
struct schedule_load {
	struct load load;
	struct schedule schedule;
};

void schedule_load_start(struct load *load, struct thread_data *td, uint64_t now_ns);
uint64_t schedule_load_due_ns(const struct load *load);
void schedule_load_sent(struct load *load);
uint64_t schedule_load_count_unsent(struct load *load, uint64_t from_ns, uint64_t end_ns,
				    uint64_t *oldest_due_ns);

#endif
