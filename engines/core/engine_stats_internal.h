/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the statistics share. */
#ifndef SSDREVIEW_ENGINE_STATS_INTERNAL_H
#define SSDREVIEW_ENGINE_STATS_INTERNAL_H

#include "engines/core/engine_stats.h"

/* Everything but the intervals, all of them being closed; see stats_finish(). */
json_t *stats_summarise(struct engine_stats *stats, uint64_t window_end_ns, uint64_t unsent,
			uint64_t oldest_due_ns, const struct stats_description *description);

#endif
