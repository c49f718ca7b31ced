/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a load against a drive in virtual time: what fio would measure, in a fraction of the time
 * and the same every time. Closed loop: a fixed number of I/Os in flight, each completion brings
 * the next. Open loop: Poisson arrivals at a rate, or the due times of a source, which leave when
 * they are due as long as the number in flight allows. Flushes take part and are not counted.
 */
#ifndef SSDREVIEW_SIM_LOAD_H
#define SSDREVIEW_SIM_LOAD_H

#include "engines/sim/sim.h"

/* An I/O that a load takes from somewhere else. */
struct sim_request {
	enum sim_op op;
	uint64_t offset, bytes;
	uint64_t due_ns; /* from the load's start, never going back */
};

struct sim_source {
	bool is_timed; /* due_ns counts; else its I/Os come at the load's rate */
	/* 1: *request is the next I/O. 0: there is none. -1: it failed (err). */
	int (*next)(struct sim_source *source, struct sim_request *request, struct error *err);
};

struct sim_load {
	struct sim_source *source; /* of the I/Os and, when it is timed, of due times; or NULL: */
	unsigned block_bytes, read_percent;
	bool sequential;       /* one stream through the region, else uniformly random blocks */
	uint64_t region_bytes; /* from the drive's start */
	unsigned in_flight;    /* at most */
	double offered_iops;   /* 0: closed loop; with a timed source any other: as they are due */
	uint64_t wait_ns;      /* before the measurement */
	uint64_t measure_ns;
	uint64_t seed;
};

struct sim_latency {
	uint64_t count;
	double mean_ns, stddev_ns;
	uint64_t p50_ns, p99_ns, max_ns; /* percentiles to 1/64 of their value */
};

struct sim_load_result {
	uint64_t offered;		  /* fell due while measured (open loop) */
	double iops, bandwidth_mbps;	  /* completed while measured */
	double mean_in_flight;		  /* over the measured time */
	struct sim_latency drive_latency; /* completion minus submission */
	struct sim_latency response;	  /* completion minus due time */
};

/*
 * Runs from *now_ns (drive time) on; *now_ns is when the last I/O completed. Fails when memory is
 * short or the source fails.
 */
int sim_load_run(struct sim_state *state, const struct sim_model *model,
		 const struct sim_load *load, uint64_t *now_ns, struct sim_load_result *result,
		 struct error *err);

/* Writes a region once in order, 1 MiB each, 4 in flight, from *now_ns on. */
void sim_load_fill(struct sim_state *state, const struct sim_model *model, uint64_t offset,
		   uint64_t bytes, uint64_t *now_ns);

#endif
