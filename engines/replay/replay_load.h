/* SPDX-License-Identifier: GPL-2.0-only */
/* What vdi_replay sends and when: the records of a trace as the load of one job. */
#ifndef SSDREVIEW_REPLAY_LOAD_H
#define SSDREVIEW_REPLAY_LOAD_H

#include "engines/core/core.h"
#include "engines/trace/footprint.h"

/* Longer records go in pieces; every io_u has a buffer of this. */
#define REPLAY_LONGEST_BYTES 262144

enum pacing { PACING_TIMED, PACING_ASAP };

/* The options of a job, as fio fills them in. */
struct replay_job_options {
	struct core_options core;
	struct rate_options rate;
	char *trace, *stream, *phase;
	char *window; /* "FROM-TO" in seconds of the trace */
	char *clones; /* a number, or "auto": as many as the region holds */
	unsigned linked, loops;
	unsigned long long stagger_us;
	unsigned stagger_kind;
	unsigned speed; /* percent */
	unsigned pacing, fit;
	unsigned skip_trims, skip_flushes, skip_fua;
};

/* The load of one job: the records of its clones. */
struct replay_load {
	struct load load;
	struct replay_job_options *options;
	struct trace *trace;
	struct replay *replay;
	unsigned clones;
	bool is_auto; /* then footprint holds what one takes */
	struct replay_footprint footprint;
	double speed;
	struct replay_item item; /* in hand: decided, not sent yet */
	bool has_item;
	uint64_t origin_ns;   /* of due times, on fio's clock */
	uint64_t last_due_ns; /* of what was sent last, from the origin */
};

/*
 * Opens the trace named by the options of td's job, which is one of so many jobs. *iops: the mean
 * rate of all jobs together, 0: as fast as the in-flight limit allows. The load is freed by its
 * free(). NULL with err.
 */
struct replay_load *replay_load_open(struct thread_data *td, unsigned jobs, double *iops,
				     struct error *err);

/* Sets chosen->clones by the job's clones= and, for auto, the footprint of the trace. */
int replay_choose_clones(struct replay_load *replay, struct replay_options *chosen,
			 struct error *err);

/* The item in hand, or the next one. 1: there is one. 0: the trace is through. -1: damage (err). */
int replay_load_take(struct replay_load *replay, struct error *err);

/* The item in hand has left. */
void replay_load_sent(struct load *load);

#endif
