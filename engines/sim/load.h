/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a load against a drive in virtual time: what fio would measure, in a fraction of the time
 * and the same every time. Closed loop: a fixed number of I/Os in flight, each completion brings
 * the next. Open loop: Poisson arrivals at a rate, which leave when they are due as long as the
 * number in flight allows.
 */
#ifndef SSDREVIEW_SIM_LOAD_H
#define SSDREVIEW_SIM_LOAD_H

#include "engines/sim/sim.h"

struct sim_load {
	unsigned block_bytes, read_percent;
	bool sequential;       /* one stream through the region, else uniformly random blocks */
	uint64_t region_bytes; /* from the drive's start */
	unsigned in_flight;    /* at most */
	double offered_iops;   /* 0: closed loop */
	uint64_t wait_ns;      /* before the measurement */
	uint64_t measure_ns;
	uint64_t seed;
};

struct sim_latency {
	uint64_t count;
	double mean_ns;
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
 * Runs from *now_ns (drive time) on; *now_ns is when the last I/O completed. Fails only when memory
 * is short.
 */
int sim_load_run(struct sim_state *state, const struct sim_model *model,
		 const struct sim_load *load, uint64_t *now_ns, struct sim_load_result *result,
		 struct error *err);

/* Writes a region once in order, 1 MiB each, 4 in flight, from *now_ns on. */
void sim_load_fill(struct sim_state *state, const struct sim_model *model, uint64_t offset,
		   uint64_t bytes, uint64_t *now_ns);

#endif
