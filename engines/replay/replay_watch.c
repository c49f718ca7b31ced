/* SPDX-License-Identifier: GPL-2.0-only */
/* How faithful a replay was. */
#include <string.h>

#include "engines/core/engine_stats.h"
#include "engines/replay/replay_watch.h"

void replay_watch_start(struct replay_watch *watch, uint64_t window_start_ns)
{
	uint64_t sent = watch->sent, completed = watch->completed;

	memset(watch, 0, sizeof(*watch));
	watch->sent = sent;
	watch->completed = completed;
	watch->window_start_ns = window_start_ns;
}

void replay_watch_left(struct replay_watch *watch, enum replay_class class, uint64_t due_ns,
		       uint64_t left_ns, bool at_limit)
{
	/* Of a gap: where I/Os wait for completions one may fall due before the one sent last. */
	int64_t error_ns = (int64_t)(left_ns - watch->last_left_ns - (due_ns - watch->last_due_ns));

	if (watch->has_sent)
		histogram_add(&watch->gap_error, (uint64_t)(error_ns < 0 ? -error_ns : error_ns));
	else
		watch->first_due_ns = due_ns;
	if (class != REPLAY_FLUSH)
		histogram_add(&watch->interval_late, left_ns - due_ns);
	watch->has_sent = true;
	watch->last_due_ns = due_ns;
	watch->last_left_ns = left_ns;
	watch->last_at_limit = at_limit;
}

json_t *replay_watch_latency(const struct replay_watch *watch)
{
	static const char *const names[] = {"read", "write", "trim", "flush"};
	json_t *object = json_object();
	unsigned class;

	for (class = 0; class < REPLAY_CLASSES; class ++)
		json_object_set_new(object, names[class], stats_summary(&watch->latency[class]));
	return object;
}

double replay_watch_in_flight(const struct replay_watch *watch, uint64_t window_ns)
{
	double sum_ns = 0;
	unsigned class;

	for (class = 0; class < REPLAY_CLASSES; class ++)
		sum_ns += (double)watch->latency[class].sum_ns;
	return window_ns ? sum_ns / (double)window_ns : 0.0;
}
