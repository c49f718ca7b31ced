/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Was a replay one? VALID or INVALID, with the reasons in words. Knows no fio. A replay that the
 * drive could not follow is saturated, which does not make it invalid: that is a finding.
 */
#ifndef SSDREVIEW_REPLAY_VERDICT_H
#define SSDREVIEW_REPLAY_VERDICT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/base.h"

/* What is judged: of the measured window, counts of records of the whole run. */
struct replay_outcome {
	bool paced;
	uint64_t taken;	     /* I/Os the trace gave up to here, without one still in hand */
	uint64_t sent;	     /* of them */
	uint64_t completed;  /* of them */
	uint64_t records;    /* of the trace, as they were met */
	uint64_t expected;   /* as its header says there are; 0: only a part was played */
	uint64_t violations; /* records that left before what they wait for */
	uint64_t offered, at_limit, unsent; /* I/Os */
	double late;			    /* those over 1 ms late with a free slot */
	uint64_t span_ns; /* the load that was due: from the first to the last, or to the end */
	uint64_t lag_ns;  /* how late the last one left, or how long the oldest unsent one waits */
	bool lag_by_limit;
};

#define REPLAY_REASONS 6

struct replay_verdict {
	bool valid, saturated;
	unsigned reasons; /* those of saturation begin with "saturated: " */
	char reason[REPLAY_REASONS][160];
	const char *rule; /* in words */
};

void replay_judge(const struct replay_outcome *outcome, struct replay_verdict *verdict);

/* How much longer than in the trace it took, as a share; 0 when nothing has a duration. */
double replay_stretch(const struct replay_outcome *outcome);

/* The "verdict" object of the statistics file, the caller's. */
json_t *replay_verdict_json(const struct replay_verdict *verdict);

/* "VALID", "VALID, saturated: ..." or "INVALID: ...; ..." with every reason. */
void replay_verdict_text(const struct replay_verdict *verdict, char *text, size_t room);

#endif
