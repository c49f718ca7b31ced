/* SPDX-License-Identifier: GPL-2.0-only */
/* The load of openloop and simdrive: fio's own pattern, due by a schedule. */
#include <stdlib.h>

#include "engines/core/load_schedule.h"

void schedule_load_start(struct load *load, struct thread_data *td fio_unused, uint64_t now_ns)
{
	schedule_start(&((struct schedule_load *)load)->schedule, now_ns);
}

uint64_t schedule_load_due_ns(const struct load *load)
{
	return ((const struct schedule_load *)load)->schedule.due_ns;
}

void schedule_load_sent(struct load *load)
{
	schedule_advance(&((struct schedule_load *)load)->schedule);
}

uint64_t schedule_load_count_unsent(struct load *load, uint64_t from_ns, uint64_t end_ns,
				    uint64_t *oldest_due_ns)
{
	struct schedule *schedule = &((struct schedule_load *)load)->schedule;
	struct unsent_count count = {0};

	*oldest_due_ns = schedule->due_ns;
	while (schedule->due_ns < end_ns && core_unsent_add(&count, schedule->due_ns, from_ns))
		schedule_advance(schedule);
	return core_unsent_total(&count, from_ns, end_ns);
}

static void schedule_load_free(struct load *load)
{
	free(load);
}

static const struct load_ops schedule_ops = {
	.start = schedule_load_start,
	.due_ns = schedule_load_due_ns,
	.sent = schedule_load_sent,
	.count_unsent = schedule_load_count_unsent,
	.free = schedule_load_free,
};

struct load *load_schedule(enum arrival arrival, double iops, uint64_t seed, unsigned clone,
			   unsigned clones, struct error *err)
{
	struct schedule_load *made = calloc(1, sizeof(*made));

	if (!made) {
		error_set(err, "no memory for the schedule");
		return NULL;
	}
	made->load = (struct load){.ops = &schedule_ops, .paced = iops > 0.0};
	schedule_init(&made->schedule, arrival, iops, seed, clone, clones);
	return &made->load;
}
