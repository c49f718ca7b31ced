/* SPDX-License-Identifier: GPL-2.0-only */
/* A row's trace, replayed against a drive in virtual time as the engine does it in real time. */
#ifndef SSDREVIEW_TRACE_LOAD_H
#define SSDREVIEW_TRACE_LOAD_H

#include "engines/sim/load.h"
#include "engines/trace/footprint.h"
#include "review/profile.h"

struct trace_load {
	struct trace *trace;
	struct replay_options options;
	double mean_iops; /* of all clones at the trace's own speed */
};

/* Does the row's job file name a trace? */
bool trace_load_is_of(const struct profile_row *row);

/*
 * Opens the trace that a row's job file names, for as many clones as the region holds: packed, each
 * at another place of the trace, played over and over. -1 with err, also when it names none.
 */
int trace_load_open(const struct profile_row *row, uint64_t region_bytes, struct trace_load *load,
		    struct error *err);
void trace_load_close(struct trace_load *load);

/*
 * sim_load_run() with the trace's I/Os: `load` gives the number in flight, the times, the seed, and
 * as offered_iops the mean rate to which the trace is stretched (0: as fast as the number in flight
 * allows).
 */
int trace_load_run(const struct trace_load *trace, const struct sim_load *load,
		   struct sim_state *state, const struct sim_model *model, uint64_t *now_ns,
		   struct sim_load_result *result, struct error *err);

#endif
