/* SPDX-License-Identifier: GPL-2.0-only */
/* What is in a run on an SLC cache that was read. */
#include <math.h>
#include <stdlib.h>

#include "base/cpu_limit.h"
#include "postprocess/cache.h"

void cache_run_free(struct cache_run *run)
{
	size_t i;

	for (i = 0; i < run->step_count; i++) {
		free(run->steps[i].changes);
		free(run->steps[i].levels);
	}
	free(run->steps);
	free(run->regains);
	free(run->windows);
	run->steps = NULL;
	run->regains = NULL;
	run->windows = NULL;
	run->step_count = run->regain_count = run->window_count = 0;
}

bool cache_run_has_reads(const struct cache_run *run)
{
	size_t i;

	for (i = 0; i < run->window_count; i++)
		if (run->windows[i].reads > 0)
			return true;
	return false;
}

const struct cache_step *cache_run_probe(const struct cache_run *run)
{
	size_t i;

	for (i = 0; i < run->step_count; i++)
		if (run->steps[i].shape[0])
			return &run->steps[i];
	return NULL;
}

size_t cache_step_windows(const struct cache_run *run, const struct cache_step *step,
			  const struct cache_window **windows)
{
	double end = fmin(step->end_window, (double)run->window_count);

	*windows = run->windows;
	if (!(step->first_window >= 0 && end > step->first_window))
		return 0;
	*windows += (size_t)step->first_window;
	return (size_t)end - (size_t)step->first_window;
}

bool cache_run_is_by_machine(const struct cache_run *run)
{
	return cpu_was_limit(run->busy_share, run->cpu_wait_share);
}
