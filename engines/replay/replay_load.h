/* SPDX-License-Identifier: GPL-2.0-only */
/* What vdi_replay sends and when: the records of a trace as the load of one job. */
#ifndef SSDREVIEW_REPLAY_LOAD_H
#define SSDREVIEW_REPLAY_LOAD_H

#include "engines/core/core.h"
#include "engines/replay/replay_watch.h"
#include "engines/trace/footprint.h"

enum pacing { PACING_TIMED, PACING_ASAP, PACING_DEPENDENT };

/* The options of a job, as fio fills them in. */
struct replay_job_options {
	struct core_options core;
	struct rate_options rate;
	char *trace, *stream, *phase;
	char *clones; /* a number, or "auto": as many as the region holds */
	char *window, *loops, *stagger, *speed, *think_max; /* see replay_number.h */
	unsigned linked, stagger_kind, pacing, fit;
	unsigned skip_trims, skip_flushes, skip_fua;
};

/* pacing=dependent: what completes when an I/O does. */
struct replay_flight {
	struct depend_ref record;
	bool is_of_trace;
};

/* The load of one job: the records of its clones. */
struct replay_load {
	struct load load;
	struct thread_data *td;
	const struct replay_job_options *options;
	struct trace *trace;
	struct replay *replay;
	struct replay_options chosen;
	bool is_auto; /* then footprint holds what a clone takes */
	struct replay_footprint footprint;
	struct replay_watch watch;
	struct replay_item item; /* in hand: decided, not sent yet */
	bool has_item;
	bool is_waiting; /* dependent: none may leave before item.due_ns or the next completion */
	struct replay_flight *flights; /* dependent: one for each place in flight; else NULL */
	bool is_through;	       /* the trace has nothing more */
	bool has_ended;
	struct replay_counts at_end; /* before what stayed unsent was counted */
	uint64_t taken;		     /* I/Os by then, without one in hand */
	uint64_t announced_ns;	     /* due time of the item whose wait was told of */
	uint64_t origin_ns;	     /* of due times, on fio's clock; 0: not begun */
	uint64_t last_due_ns;	     /* of what was sent last, from the origin */
};

/*
 * Opens the trace named by the options of td's job, one of run->clones jobs. *iops: the mean rate
 * of all jobs together, 0: as fast as the in-flight limit allows. The load is freed by its free().
 * NULL with err.
 */
struct replay_load *replay_load_open(struct thread_data *td, const struct stats_run *run,
				     double *iops, struct error *err);

/* Has every option of td's job an effect beside the others? 0, or -1 with err. */
int replay_check_options(const struct thread_data *td, struct error *err);

/* May td's job play a trace with this header? 0, or -1 with err. */
int replay_check_job(const struct thread_data *td, const struct trace_header *header,
		     struct error *err);

/* Sets chosen->clones by the job's clones= and, for auto, the footprint of the trace. */
int replay_choose_clones(struct replay_load *replay, struct replay_options *chosen,
			 struct error *err);

/*
 * The item in hand, or the next one. 1: there is one, or (is_waiting) not yet. 0: the trace is
 * through. -1: damage (err).
 */
int replay_load_take(struct replay_load *replay, struct error *err);

/* The item in hand has left. */
void replay_load_sent(struct load *load);

/* The load begins, or goes on after a pause. */
void replay_load_start(struct load *load, struct thread_data *td, uint64_t now_ns);

/* pacing=dependent (replay_dependent.c): sets chosen->think_max_ns, or says why it cannot be. */
int replay_dependent_open(struct replay_load *replay, struct error *err);
int replay_dependent_take(struct replay_load *replay, struct error *err);
/* The item in hand left as io_u; it is complete. */
void replay_dependent_left(struct replay_load *replay, const struct io_u *io_u);
void replay_dependent_completed(struct replay_load *replay, const struct io_u *io_u,
				uint64_t now_ns);
/* The next item that was due by end_ns, on fio's clock, and has not left; false: there is none. */
bool replay_dependent_unsent(struct replay_load *replay, uint64_t end_ns);
/* The "dependent" object of the statistics file, the caller's. */
json_t *replay_dependent_describe(const struct replay_load *replay);

/* The item in hand is not due yet: says so on standard error when that is long. */
void replay_load_held(struct replay_load *replay);

/* Nothing more is sent: keeps the counts as they are. */
void replay_load_note_end(struct replay_load *replay);

/* conclude() of the load (replay_report.c). */
void replay_load_conclude(struct load *load, const struct run_end *end,
			  struct stats_description *description);

/*
 * The moment on fio's clock at which the replay begins for td's job and the ones that share it
 * (replay_start.c); waits until they have begun too, a second at most.
 */
uint64_t replay_common_start_ns(struct thread_data *td, unsigned jobs, uint64_t now_ns);

#endif
