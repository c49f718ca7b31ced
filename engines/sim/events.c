/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scripted events. A stall stops the drive's clock: the model runs in time without stalls, and an
 * I/O that would complete after a stall began completes that much later.
 */
#include "engines/sim/state.h"

/* An event's times on this drive. */
struct occurrence {
	uint64_t at, every, length;
};

static struct occurrence scaled_event(const struct sim_state *state, const struct sim_event *event)
{
	bool throttle = event->kind == SIM_THROTTLE;

	return (struct occurrence){
		.at = event->at_ns / state->scale,
		.every = event->every_ns / state->scale,
		.length = event->duration_ns / (throttle ? state->scale : 1),
	};
}

/* The first time at or after `from` at which the event begins; UINT64_MAX: never again. */
static uint64_t next_begin(const struct occurrence *event, uint64_t from)
{
	uint64_t passed;

	if (event->at >= from)
		return event->at;
	if (!event->every)
		return UINT64_MAX;
	passed = (from - event->at + event->every - 1) / event->every;
	return event->at + passed * event->every;
}

/* The first stall that begins at or after `from`: its length, and its begin in *at. */
static uint64_t next_stall(const struct sim_state *state, const struct sim_params *params,
			   uint64_t from, uint64_t *at)
{
	uint64_t length = 0, begin;
	int64_t i;

	*at = UINT64_MAX;
	for (i = 0; i < params->event_count; i++) {
		struct occurrence event = scaled_event(state, &params->events[i]);

		if (params->events[i].kind != SIM_STALL)
			continue;
		begin = next_begin(&event, from);
		if (begin >= *at)
			continue;
		*at = begin;
		length = event.length;
	}
	return length;
}

/* The throttle episode at `now`, if any, and when that answer may change. */
static void find_throttle(struct sim_state *state, const struct sim_params *params, uint64_t now)
{
	uint64_t begin, change = UINT64_MAX;
	int64_t i;

	state->throttle = -1;
	for (i = 0; i < params->event_count; i++) {
		struct occurrence event = scaled_event(state, &params->events[i]);

		if (params->events[i].kind != SIM_THROTTLE)
			continue;
		begin = next_begin(&event, now >= event.length ? now - event.length + 1 : 0);
		if (begin <= now) {
			state->throttle = (int32_t)i;
			begin += event.length;
		}
		if (begin < change)
			change = begin;
	}
	state->throttle_change_at = change;
	state->slow_q8 = state->throttle < 0
				 ? 256
				 : (uint32_t)(256 * params->events[state->throttle].factor);
}

void events_init(struct sim_state *state, const struct sim_params *params)
{
	state->stalled_ns = 0;
	state->next_stall_ns = next_stall(state, params, 0, &state->next_stall_at);
	find_throttle(state, params, 0);
}

/* Stalls that have passed are added up. A later stall never begins inside an earlier one. */
static void pass_stalls(struct sim_state *state, const struct sim_params *params, uint64_t now)
{
	uint64_t end;

	while (state->next_stall_at <= now) {
		end = state->next_stall_at + state->next_stall_ns;
		if (end > now)
			return;
		state->stalled_ns += state->next_stall_ns;
		state->next_stall_ns = next_stall(state, params, end, &state->next_stall_at);
	}
}

uint64_t events_enter(struct sim_state *state, const struct sim_params *params, uint64_t now)
{
	if (now >= state->throttle_change_at)
		find_throttle(state, params, now);
	if (now >= state->next_stall_at)
		pass_stalls(state, params, now);
	if (now >= state->next_stall_at)
		now = state->next_stall_at; /* in the midst of it */
	return now - state->stalled_ns;
}

uint64_t events_leave(const struct sim_state *state, const struct sim_params *params, uint64_t done)
{
	uint64_t at = state->next_stall_at, length = state->next_stall_ns;

	done += state->stalled_ns;
	while (done >= at) {
		done += length;
		length = next_stall(state, params, at + length, &at);
	}
	return done;
}
