/* SPDX-License-Identifier: GPL-2.0-only */
/* Due times: a Poisson process, or evenly spaced. */
#include <math.h>

#include "engines/core/schedule.h"

/* splitmix64 (Steele, Lea, Flood 2014: "Fast splittable pseudorandom number generators"). */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Uniform in (0, 1]: the logarithm of it is always finite. */
static double random_share(uint64_t *state)
{
	return (double)((random_next(state) >> 11) + 1) * 0x1p-53;
}

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
	if (schedule->arrival == ARRIVAL_POISSON)
		schedule->offset_ns -= log(random_share(&schedule->random)) * schedule->gap_ns;
	else
		schedule->offset_ns =
			((double)schedule->number + schedule->share) * schedule->gap_ns;
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
