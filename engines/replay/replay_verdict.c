/* SPDX-License-Identifier: GPL-2.0-only */
/* The verdict on a replay: docs/results.md has the rules. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "engines/replay/replay_verdict.h"

#define LATE_SHARE	0.01 /* of all I/Os: so the p99 of lateness is under 1 ms */
#define STRETCH_SHARE	0.005
#define SHORTEST_LAG_NS NS_PER_MSEC /* a shorter delay is no stretch of a short replay */
#define AT_LIMIT_SHARE	0.05
#define UNSENT_SHARE	0.005

static const char timed_rule[] =
	"valid: p99 of the lateness with a free slot under 1 ms (at most 1 % of all I/Os later), "
	"stretch under 0.5 % (or 1 ms) unless the in-flight limit caused it, every record counted "
	"once; saturated, and not invalid by it: over 5 % of the I/Os late at the in-flight limit, "
	"over 0.5 % of them unsent at it, or a stretch that it caused";
static const char asap_rule[] =
	"pacing=asap: nothing has a due time, so lateness and stretch are not judged; valid: every "
	"record counted once";

static void add_reason(struct replay_verdict *verdict, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_reason(struct replay_verdict *verdict, const char *format, ...)
{
	va_list args;

	if (verdict->reasons == REPLAY_REASONS)
		return;
	va_start(args, format);
	vsnprintf(verdict->reason[verdict->reasons++], sizeof(verdict->reason[0]), format, args);
	va_end(args);
}

static void judge_counts(const struct replay_outcome *o, struct replay_verdict *verdict)
{
	char a[NUMBER_ROOM], b[NUMBER_ROOM];
	unsigned before = verdict->reasons;

	if (!o->sent && !o->unsent)
		add_reason(verdict, "nothing was sent");
	if (o->sent != o->taken)
		add_reason(verdict, "%s of %s I/Os were sent", number_whole((double)o->sent, a),
			   number_whole((double)o->taken, b));
	if (o->completed != o->sent)
		add_reason(verdict, "%s of %s I/Os completed",
			   number_whole((double)o->completed, a), number_whole((double)o->sent, b));
	if (o->expected && o->records != o->expected)
		add_reason(verdict, "%s of %s records were played",
			   number_whole((double)o->records, a),
			   number_whole((double)o->expected, b));
	if (o->violations)
		add_reason(verdict, "%s records left before what they wait for was complete",
			   number_whole((double)o->violations, a));
	verdict->valid &= verdict->reasons == before;
}

static void judge_lateness(const struct replay_outcome *o, struct replay_verdict *verdict)
{
	double sent = (double)o->offered - (double)o->unsent;

	if (o->late <= LATE_SHARE * sent)
		return;
	add_reason(verdict,
		   "the machine, not the drive, was late: %.1f %% of the I/Os left over 1 ms late "
		   "although a slot was free, allowed 1 %%",
		   sent > o->late ? 100 * o->late / sent : 100.0);
	verdict->valid = false;
}

double replay_stretch(const struct replay_outcome *o)
{
	return o->span_ns ? (double)o->lag_ns / (double)o->span_ns : 0.0;
}

static void judge_stretch(const struct replay_outcome *o, struct replay_verdict *verdict)
{
	double stretch = replay_stretch(o);

	if (o->lag_ns < SHORTEST_LAG_NS || (o->span_ns && stretch < STRETCH_SHARE))
		return;
	if (o->lag_by_limit) {
		verdict->saturated = true;
		add_reason(verdict, "saturated: stretched by %.2f %% at the in-flight limit",
			   100 * stretch);
		return;
	}
	add_reason(verdict, "stretched by %.2f %%, allowed 0.5 %%: it ended %.3f s late",
		   100 * stretch, (double)o->lag_ns / 1e9);
	verdict->valid = false;
}

static void judge_saturation(const struct replay_outcome *o, struct replay_verdict *verdict)
{
	double sent = (double)o->offered - (double)o->unsent;

	if ((double)o->at_limit > AT_LIMIT_SHARE * sent && o->at_limit) {
		verdict->saturated = true;
		add_reason(verdict,
			   "saturated: %.1f %% of the I/Os left late at the in-flight limit",
			   sent > (double)o->at_limit ? 100 * (double)o->at_limit / sent : 100.0);
	}
	if (o->lag_by_limit && (double)o->unsent > UNSENT_SHARE * (double)o->offered) {
		verdict->saturated = true;
		add_reason(verdict, "saturated: %.1f %% of the I/Os that were due stayed unsent",
			   100 * (double)o->unsent / (double)o->offered);
	}
}

void replay_judge(const struct replay_outcome *outcome, struct replay_verdict *verdict)
{
	*verdict = (struct replay_verdict){
		.valid = true,
		.rule = outcome->paced ? timed_rule : asap_rule,
	};
	judge_counts(outcome, verdict);
	if (!outcome->paced)
		return;
	judge_lateness(outcome, verdict);
	judge_stretch(outcome, verdict);
	judge_saturation(outcome, verdict);
}

json_t *replay_verdict_json(const struct replay_verdict *verdict)
{
	json_t *reasons = json_array();
	unsigned i;

	for (i = 0; i < verdict->reasons; i++)
		json_array_append_new(reasons, json_string(verdict->reason[i]));
	return json_pack("{s:b, s:o, s:b, s:s}", "valid", verdict->valid, "reasons", reasons,
			 "saturated", verdict->saturated, "rule", verdict->rule);
}

void replay_verdict_text(const struct replay_verdict *verdict, char *text, size_t room)
{
	size_t used = (size_t)snprintf(text, room, "%s", verdict->valid ? "VALID" : "INVALID");
	unsigned i;

	for (i = 0; i < verdict->reasons && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%s",
					 i ? "; " : (verdict->valid ? ", " : ": "),
					 verdict->reason[i]);
}
