/* SPDX-License-Identifier: GPL-2.0-only */
/* What qlc_writer sends and when: a plan of engines/qlc as the load of one job. */
#ifndef SSDREVIEW_WRITER_LOAD_H
#define SSDREVIEW_WRITER_LOAD_H

#include "engines/core/core.h"
#include "engines/qlc/qlc.h"

/* The options of a job, as fio fills them in. */
struct writer_options {
	struct core_options core;
	unsigned mode; /* enum qlc_mode */
	unsigned long long settle_bytes, window_bytes, window_us;
	char *idle;   /* "1s:5s:30s" */
	char *levels; /* "0:25:50" */
	char *burst;  /* bytes, or a percentage of the cache */
	unsigned repeats, bursts;
	unsigned long long rest_us, sustain_bytes, sustain_us;
	char *cache_from;
};

struct writer_load {
	struct load load;
	struct qlc_plan *plan;
	struct qlc_io io; /* in hand: decided, not sent yet */
	bool has_io;
	uint64_t hold_until_ns; /* without one: nothing before */
	unsigned in_flight;
	uint64_t seen_ns;   /* when one of them was sent, or completed: a recent time */
	const char *caveat; /* of what is measured, NULL: none */
};

/* The load is freed by its free(). NULL with err. */
struct writer_load *writer_load_open(struct thread_data *td, uint64_t seed, struct error *err);

/* Decides what comes next, unless that is decided; false when the plan is through. */
bool writer_load_take(struct writer_load *writer);

/* The I/O in hand is on its way. */
void writer_load_queued(struct writer_load *writer);

#endif
