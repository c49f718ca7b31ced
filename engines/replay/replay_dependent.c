/* SPDX-License-Identifier: GPL-2.0-only */
/* pacing=dependent: what leaves next depends on what has completed. */
#include <stdlib.h>

#include "base/number.h"
#include "engines/replay/replay_load.h"
#include "engines/replay/replay_number.h"

/*
 * What a program does between a completion and its next I/O takes microseconds; a longer pause has
 * other causes than the I/O before: a timer, a user.
 */
#define THINK_MAX_NS NS_PER_MSEC

/* A stream may be this many records ahead of its oldest one in flight, beside the in-flight limit.
 */
#define REACH 1024

static int check(const struct replay_load *replay, struct error *err)
{
	const struct trace_header *header = trace_header(replay->trace);
	char known[NUMBER_ROOM], all[NUMBER_ROOM];

	if (replay->options->rate.iorate)
		return error_set(err,
				 "pacing=dependent leaves the rate to the drive's completions, so "
				 "iorate= cannot be kept; use speed= for shorter think times");
	if (header->latency_records < (header->records + 1) / 2)
		return error_set(err,
				 "pacing=dependent needs to know when I/Os completed, and %s of "
				 "the %s records of %s have a latency; use pacing=timed",
				 header->latency_records
					 ? number_whole((double)header->latency_records, known)
					 : "none",
				 number_whole((double)header->records, all),
				 replay->options->trace);
	return 0;
}

int replay_dependent_open(struct replay_load *replay, struct error *err)
{
	struct replay_options *chosen = &replay->chosen;

	chosen->dependent = true;
	chosen->think_max_ns = THINK_MAX_NS;
	chosen->reach = REACH + replay->td->o.iodepth;
	replay->flights = calloc(replay->td->o.iodepth, sizeof(*replay->flights));
	if (!replay->flights)
		return error_set(err, "no memory for %u I/Os in flight; lower iodepth=",
				 replay->td->o.iodepth);
	if (check(replay, err))
		return -1;
	return replay_parse_time("think_max", replay->options->think_max, &chosen->think_max_ns,
				 err);
}

/* The jobs of a replay may begin a little after their first I/O was asked for. */
static uint64_t since_origin(const struct replay_load *replay, uint64_t now_ns)
{
	return now_ns > replay->origin_ns ? now_ns - replay->origin_ns : 0;
}

int replay_dependent_take(struct replay_load *replay, struct error *err)
{
	struct engine *engine = replay->td->io_ops_data;
	enum replay_got got;

	if (!engine->load_runs) {
		replay_load_start(&replay->load, replay->td, fio_now_ns());
		engine->load_runs = true;
	}
	got = replay_next_dependent(replay->replay, since_origin(replay, fio_now_ns()),
				    &replay->item, err);
	replay->has_item = got == REPLAY_ITEM;
	replay->is_waiting = got == REPLAY_WAITS;
	replay->is_through = got == REPLAY_THROUGH;
	if (got == REPLAY_DAMAGED)
		return -1;
	return got != REPLAY_THROUGH;
}

void replay_dependent_left(struct replay_load *replay, const struct io_u *io_u)
{
	replay->flights[io_u->index] =
		(struct replay_flight){.record = replay->item.record, .is_of_trace = true};
}

void replay_dependent_completed(struct replay_load *replay, const struct io_u *io_u,
				uint64_t now_ns)
{
	struct replay_flight *flight = &replay->flights[io_u->index];

	if (!flight->is_of_trace)
		return;
	flight->is_of_trace = false;
	replay_completed(replay->replay, flight->record, since_origin(replay, now_ns));
}

bool replay_dependent_unsent(struct replay_load *replay, uint64_t end_ns)
{
	struct error err;

	return replay_next_dependent(replay->replay, since_origin(replay, end_ns), &replay->item,
				     &err) == REPLAY_ITEM;
}

json_t *replay_dependent_describe(const struct replay_load *replay)
{
	struct depend_counts counts = replay_depend_counts(replay->replay);

	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "think_max_ns",
			 (json_int_t)replay->chosen.think_max_ns, "count",
			 (json_int_t)counts.dependent, "violations", (json_int_t)counts.violations,
			 "latency_missing", (json_int_t)counts.latency_missing, "shift_latest_ns",
			 (json_int_t)counts.latest, "shift_earliest_ns",
			 (json_int_t)counts.earliest);
}
