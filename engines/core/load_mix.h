/* SPDX-License-Identifier: GPL-2.0-only */
/* A mix of patterns (engines/mix) as the load of one clone, due by a schedule. */
#ifndef SSDREVIEW_LOAD_MIX_H
#define SSDREVIEW_LOAD_MIX_H

#include "engines/core/core.h"
#include "engines/core/schedule.h"

/*
 * The load of a job with mix=, from what core_run() said of it; it makes the job fit: fio checks
 * and counts what the mix does, and asks the engine's prep(). NULL with err.
 */
struct load *load_mix(struct thread_data *td, const char *mix, enum arrival arrival,
		      const struct stats_run *run, struct error *err);

#endif
