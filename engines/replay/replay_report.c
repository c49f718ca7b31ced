/* SPDX-License-Identifier: GPL-2.0-only */
/* The end of a replay: its part of the statistics file, and its verdict. */
#include <stdio.h>

#include "base/number.h"
#include "base/utf8.h"
#include "engines/replay/replay_load.h"
#include "engines/replay/replay_verdict.h"

static json_t *by_op(const uint64_t *counts)
{
	json_t *object = json_object();
	unsigned op;

	for (op = 0; op < TRACE_OPS; op++)
		json_object_set_new(object, trace_op_name(op),
				    json_integer((json_int_t)counts[op]));
	return object;
}

/* What a clone takes, where that decided how many there are. */
static json_t *describe_footprint(const struct replay_load *replay)
{
	const struct replay_footprint *footprint = &replay->footprint;

	if (!replay->is_auto)
		return json_null();
	return json_pack("{s:I, s:I, s:b}", "clone_bytes", (json_int_t)footprint->clone_bytes,
			 "shared_bytes", (json_int_t)footprint->shared_bytes, "exceeds_region",
			 footprint->is_cut);
}

/* What was not sent, or not as the trace has it. */
static json_t *describe_left_out(const struct replay_counts *counts)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I}", "skipped", (json_int_t)counts->skipped,
			 "trims_skipped", (json_int_t)counts->trims_skipped, "flushes_skipped",
			 (json_int_t)counts->flushes_skipped, "fua", (json_int_t)counts->fua,
			 "fua_not_forced", (json_int_t)counts->fua_not_forced);
}

static json_t *describe_records(const struct replay_load *replay)
{
	static const char *const pacings[] = {
		[PACING_TIMED] = "timed",
		[PACING_ASAP] = "asap",
		[PACING_DEPENDENT] = "dependent",
	};
	const struct replay_counts *counts = &replay->at_end;
	const struct trace_header *header = trace_header(replay->trace);

	json_t *object = json_pack(
		"{s:o, s:b, s:o, s:i, s:o, s:b, s:f, s:o, s:o, s:I, s:I, s:I, s:I, s:I}", "trace",
		utf8_json(replay->options->trace), "synthetic", header->synthetic, "note",
		utf8_json(header->provenance.note), "clones", replay->chosen.clones, "footprint",
		describe_footprint(replay), "linked", replay->options->linked, "speed",
		replay->chosen.speed, "records", by_op(counts->records), "bytes",
		by_op(counts->bytes), "sent", (json_int_t)replay->watch.sent, "completed",
		(json_int_t)replay->watch.completed, "split", (json_int_t)counts->split, "aligned",
		(json_int_t)counts->aligned, "folded", (json_int_t)counts->folded);

	json_object_set_new(object, "lost", json_integer(header->lost));
	json_object_set_new(object, "pacing", json_string(pacings[replay->options->pacing]));
	json_object_set_new(object, "dependent",
			    replay->flights ? replay_dependent_describe(replay) : json_null());
	json_object_update_new(object, describe_left_out(counts));
	return object;
}

/* The trace's own figures are null where it has no latencies. */
static json_t *describe_in_flight(const struct replay_load *replay, const struct run_end *end)
{
	const struct engine_stats *stats = end->engine->stats;
	const struct replay_counts *counts = &replay->at_end;
	bool known = counts->latencies && counts->last_end_ns;

	return json_pack(
		"{s:f, s:i, s:o, s:o}", "mean",
		replay_watch_in_flight(&replay->watch, end->window_end_ns - stats->window_start_ns),
		"max", stats->max_in_flight, "trace_mean",
		known ? json_real(counts->busy_ns / (double)counts->last_end_ns) : json_null(),
		"trace_max",
		known ? json_integer((json_int_t)counts->in_flight_most) : json_null());
}

static json_t *describe(const struct replay_load *replay, const struct run_end *end,
			const struct replay_outcome *o)
{
	const struct engine_stats *stats = end->engine->stats;
	uint64_t achieved = stats_count(stats) - stats->completed_after;
	json_t *object = describe_records(replay);

	json_object_update_new(
		object,
		json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "origin_ns",
			  o->paced ? json_integer((json_int_t)replay->origin_ns) : json_null(),
			  "inter_arrival_error",
			  o->paced ? stats_summary(&replay->watch.gap_error) : json_null(),
			  "stretch", o->paced ? json_real(replay_stretch(o)) : json_null(),
			  "achieved_share",
			  o->paced && o->offered ? json_real((double)achieved / (double)o->offered)
						 : json_null(),
			  "in_flight", describe_in_flight(replay, end), "latency",
			  replay_watch_latency(&replay->watch)));
	return object;
}

static uint64_t sum(const uint64_t *counts)
{
	uint64_t total = 0;
	unsigned op;

	for (op = 0; op < TRACE_OPS; op++)
		total += counts[op];
	return total;
}

/* How many records the header promises this job; 0: it does not say, for a part is played. */
static uint64_t expected_records(const struct replay_load *replay)
{
	const struct replay_options *chosen = &replay->chosen;
	unsigned clones = (chosen->clones - chosen->part + chosen->parts - 1) / chosen->parts;

	if (!replay->is_through || !replay_takes_all(chosen))
		return 0;
	return trace_header(replay->trace)->records * clones * chosen->loops;
}

/*
 * A run that came to the end of the trace is as late as its last I/O was. One that was ended before
 * is as late as the oldest I/O that was due by then and had not left.
 */
static void judge_end(const struct replay_load *replay, const struct run_end *end,
		      struct replay_outcome *o)
{
	const struct replay_watch *watch = &replay->watch;
	const struct engine *engine = end->engine;
	bool behind_stall;

	if (watch->last_due_ns > watch->first_due_ns)
		o->span_ns = watch->last_due_ns - watch->first_due_ns;
	o->lag_ns = watch->last_left_ns - watch->last_due_ns;
	o->lag_by_limit = watch->last_at_limit;
	if (!replay->is_through)
		o->span_ns = end->window_end_ns -
			     (watch->has_sent ? watch->first_due_ns : end->oldest_due_ns);
	if (!end->unsent)
		return;
	o->lag_ns = end->window_end_ns - end->oldest_due_ns;
	behind_stall = end->oldest_due_ns < engine->stall_end_ns && o->lag_ns <= engine->stall_ns;
	o->lag_by_limit = end->oldest_due_ns < engine->released_ns && !behind_stall;
}

static struct replay_outcome outcome_of(const struct replay_load *replay, const struct run_end *end)
{
	const struct engine_stats *stats = end->engine->stats;
	struct replay_outcome o = {
		.paced = replay->load.paced,
		.taken = replay->taken,
		.sent = replay->watch.sent,
		.completed = replay->watch.completed,
		.records = sum(replay->at_end.records),
		.expected = expected_records(replay),
		.late = histogram_share_above(&stats->late_free_slot, NS_PER_MSEC) *
			(double)stats->late_free_slot.count,
		.offered = stats->due_and_sent + end->unsent,
		.at_limit = stats->late_at_limit.count,
		.unsent = end->unsent,
		.violations = replay->flights ? replay_depend_counts(replay->replay).violations : 0,
	};

	judge_end(replay, end, &o);
	return o;
}

static void say_verdict(const struct replay_load *replay, const struct replay_outcome *o,
			const struct replay_verdict *verdict, const struct histogram *free_slot)
{
	char text[900], sent[NUMBER_ROOM], late[NUMBER_ROOM];

	replay_verdict_text(verdict, text, sizeof(text));
	number_whole((double)o->sent, sent);
	if (!o->paced)
		core_say(replay->td, "%s (%s I/Os as fast as they went: no lateness is judged)",
			 text, sent);
	else
		core_say(replay->td,
			 "%s (%s I/Os, p99 lateness with a free slot %s, stretch %.3f %%)", text,
			 sent,
			 number_us((double)histogram_percentile_ns(free_slot, 0.99) / 1000, late),
			 100 * replay_stretch(o));
}

/* fio would call it a success. */
static void fail_empty(const struct replay_load *replay, const struct replay_outcome *o)
{
	char unsent[NUMBER_ROOM];
	struct error err;

	if (o->sent || replay->td->error)
		return;
	if (o->unsent)
		error_set(&err, "nothing was replayed: none of the %s I/Os that were due left",
			  number_whole((double)o->unsent, unsent));
	else
		error_set(&err, "nothing was replayed: no I/O was due before the job ended; raise "
				"runtime=, or choose another window=");
	core_report(replay->td, &err);
}

void replay_load_conclude(struct load *load, const struct run_end *end,
			  struct stats_description *description)
{
	struct replay_load *replay = (struct replay_load *)load;
	struct replay_verdict verdict;
	struct replay_outcome outcome;

	replay_load_note_end(replay);
	outcome = outcome_of(replay, end);
	replay_judge(&outcome, &verdict);
	description->load = describe(replay, end, &outcome);
	description->verdict = replay_verdict_json(&verdict);
	say_verdict(replay, &outcome, &verdict, &end->engine->stats->late_free_slot);
	fail_empty(replay, &outcome);
}
