/* SPDX-License-Identifier: GPL-2.0-only */
/* Due times: a Poisson process, or evenly spaced. */
#include <math.h>

#include "base/random.h"
#include "engines/core/schedule.h"

void schedule_init(struct schedule *schedule, enum arrival arrival, double iops, uint64_t seed,
		   unsigned clone, unsigned clones)
{
	uint64_t clone_seed = clone;

	*schedule = (struct schedule){
		.arrival = arrival,
		.gap_ns = iops > 0.0 ? 1e9 / iops : 0.0,
		.share = clones ? (double)clone / clones : 0.0,
		.random = seed ^ random_next(&clone_seed),
	};
}

static void find_due(struct schedule *schedule)
{
	double number = (double)schedule->number + schedule->share;

	if (schedule->arrival == ARRIVAL_CONSTANT)
		schedule->offset_ns = number * schedule->gap_ns;
	else
		schedule->offset_ns -= schedule->gap_ns *
				       log(random_share_above_0(random_next(&schedule->random)));
	schedule->due_ns = schedule->origin_ns + (uint64_t)schedule->offset_ns;
}

void schedule_start(struct schedule *schedule, uint64_t now_ns)
{
	schedule->origin_ns = now_ns;
	schedule->offset_ns = 0.0;
	schedule->number = 0;
	find_due(schedule);
}

void schedule_advance(struct schedule *schedule)
{
	schedule->number++;
	find_due(schedule);
}
