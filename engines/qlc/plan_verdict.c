/* SPDX-License-Identifier: GPL-2.0-only */
/* What a plan found, in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "engines/qlc/plan_internal.h"

static const struct step *first_probe(const struct qlc_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->step_count; i++)
		if (plan->steps[i].goal == GOAL_CLIFF)
			return &plan->steps[i];
	return NULL;
}

static void say_cliff(const struct cliff_change *cliff, double slow, char *text, size_t room)
{
	char at[NUMBER_ROOM], from[NUMBER_ROOM], to[NUMBER_ROOM], before[NUMBER_ROOM];
	char after[NUMBER_ROOM], ratio[NUMBER_ROOM];

	text_append(text, room, "The cliff lies at %s (%s to %s): %s before it, %s after, %s : 1.",
		    number_bytes((double)cliff->at.bytes, at),
		    number_bytes((double)cliff->earliest.bytes, from),
		    number_bytes((double)cliff->latest.bytes, to),
		    number_mbps(cliff->before, before), number_mbps(slow, after),
		    number_count(cliff->before / slow, ratio));
}

static void say_periodic(const struct cliff_verdict *verdict, char *text, size_t room)
{
	char at[NUMBER_ROOM], bytes[NUMBER_ROOM], share[NUMBER_ROOM];

	text_append(
		text, room,
		"Speed falls first at %s and then comes back and falls again, every %s (%.3g s), "
		"low for %s of the time.",
		number_bytes((double)verdict->cliff->at.bytes, at),
		number_bytes(verdict->period_bytes, bytes), verdict->period_s,
		number_percent(verdict->low_share, share));
}

static void say_none(const struct step *probe, char *text, size_t room)
{
	char written[NUMBER_ROOM], at[NUMBER_ROOM];

	text_append(
		text, room,
		"No cliff in the %s written: a cache is at least that large, or there is none, or "
		"it was full from the start.",
		number_bytes((double)probe->written, written));
	if (probe->verdict.is_pending)
		text_append(text, room, " Speed changed at about %s, too near the end to be sure.",
			    number_bytes((double)probe->verdict.suspected.bytes, at));
}

static void say_probe(const struct qlc_plan *plan, const struct step *probe, char *text,
		      size_t room)
{
	const struct cliff_verdict *verdict = &probe->verdict;
	char at[NUMBER_ROOM], share[NUMBER_ROOM];

	switch (verdict->cliff ? verdict->shape : CLIFF_NONE) {
	case CLIFF_FOUND:
		say_cliff(verdict->cliff, plan->slow, text, room);
		break;
	case CLIFF_PERIODIC:
		say_periodic(verdict, text, room);
		break;
	case CLIFF_EPISODE:
		text_append(text, room,
			    "Speed fell at %s and came back for good: not the end of a cache.",
			    number_bytes((double)verdict->cliff->at.bytes, at));
		break;
	default:
		say_none(probe, text, room);
	}
	if (verdict->hot_share > 0.0)
		text_append(text, room, " For %s of the time the drive was too hot to be judged.",
			    number_percent(verdict->hot_share, share));
	else if (verdict->shape != CLIFF_NONE && isnan(plan->meter.windows[0].heat.temperature_c))
		text_append(text, room,
			    " Its temperature is not known, so throttling cannot be ruled out.");
}

/* From an earlier probe of the drive. */
static void say_known(const struct qlc_plan *plan, char *text, size_t room)
{
	char cache[NUMBER_ROOM];

	text_append(text, room, "The cache is taken to be the %s of an earlier probe.",
		    number_bytes((double)plan->cache_bytes, cache));
}

static void say_recovery(const struct qlc_plan *plan, bool is_partial, char *text, size_t room)
{
	double half_s = plan_half_time_s(plan);

	if (half_s > 0.0)
		text_append(text, room, " Half of the cache comes back in %.3g s of idle time.",
			    half_s);
	else if (!is_partial)
		text_append(text, room,
			    " Less than half of the cache came back in the idle times tried.");
}

static void say_burst(const struct qlc_plan *plan, bool is_partial, char *text, size_t room)
{
	const struct step *last = plan_last(plan);
	char bytes[NUMBER_ROOM], speed[NUMBER_ROOM];

	if (plan_burst_bytes(plan) > plan->cache_bytes) {
		text_append(text, room, " Bursts of %s do not fit the cache.",
			    number_bytes((double)plan_burst_bytes(plan), bytes));
		return;
	}
	if (plan->mode.held < plan->options.bursts) {
		if (!is_partial)
			text_append(
				text, room,
				" No idle time was found that keeps the bursts inside the cache.");
		return;
	}
	text_append(
		text, room,
		" Bursts of %s stay inside the cache with %.3g s of idle time between them: %s on "
		"average.",
		number_bytes((double)last->bytes, bytes), plan->mode.held_s,
		number_mbps(plan_sustained_speed(plan), speed));
}

static void say_levels(const struct qlc_plan *plan, char *text, size_t room)
{
	char bytes[NUMBER_ROOM];
	size_t i;

	text_append(text, room, " Written before the cliff");
	for (i = 0; i < plan->step_count; i++) {
		const struct step *step = &plan->steps[i];

		if (step->goal != GOAL_CLIFF)
			continue;
		text_append(
			text, room, ", %u %% full: %s%s", step->level_percent,
			step->cliff_met ? "" : "more than ",
			number_bytes((double)(step->cliff_met ? step->fast_bytes : step->written),
				     bytes));
	}
	text_append(text, room, ".");
	if (plan->options.level_percent[0])
		text_append(
			text, room,
			" Without level 0 nothing tells whether the rest before the first one was "
			"long enough to empty the cache.");
}

static void say_failed(const struct qlc_plan *plan, char *text, size_t room)
{
	char count[NUMBER_ROOM];

	if (plan->failed)
		text_append(text, room, " %s I/O%s failed and %s not counted.",
			    number_whole((double)plan->failed, count), plan->failed == 1 ? "" : "s",
			    plan->failed == 1 ? "is" : "are");
}

static void say_sustained(const struct qlc_plan *plan, char *text, size_t room)
{
	double sustained = plan_sustained_speed(plan);
	char speed[NUMBER_ROOM];

	if (sustained > 0.0)
		text_append(text, room, " Sustained past it: %s.", number_mbps(sustained, speed));
}

static void say_mode(const struct qlc_plan *plan, bool is_partial, char *text, size_t room)
{
	switch (plan->cache_bytes ? plan->options.mode : QLC_PROBE) {
	case QLC_RECOVER:
		say_recovery(plan, is_partial, text, room);
		break;
	case QLC_BURST:
		say_burst(plan, is_partial, text, room);
		break;
	case QLC_SUSTAIN:
		say_sustained(plan, text, room);
		break;
	default:
		break;
	}
	if (plan->options.mode == QLC_FILL_LEVELS)
		say_levels(plan, text, room);
}

void plan_verdict(const struct qlc_plan *plan, bool is_partial, char *text, size_t room)
{
	const struct step *probe = first_probe(plan);
	bool is_known = plan->options.cache_bytes && plan->meter.count;
	bool is_probed = probe && probe->first_window < probe->end_window;

	*text = 0;
	if (is_known)
		say_known(plan, text, room);
	else if (is_probed)
		say_probe(plan, probe, text, room);
	else
		text_append(text, room, "Nothing was measured.");
	if (is_known || is_probed)
		say_mode(plan, is_partial, text, room);
	say_failed(plan, text, room);
	if (is_partial)
		text_append(text, room, " The run ended before it was through.");
}
