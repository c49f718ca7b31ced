/* SPDX-License-Identifier: GPL-2.0-only */
/* A row's mix of patterns: that of its profile, else that of its job file. */
#ifndef SSDREVIEW_MIX_LOAD_H
#define SSDREVIEW_MIX_LOAD_H

#include "engines/mix/mix.h"
#include "engines/sim/load.h"
#include "review/review.h"

/* 1: *mix is filled, 0: the row has none, -1 with a sentence that names file and line. */
int row_mix(const struct profile_row *row, const struct job_file *job, const char *section,
	    struct mix *mix, struct error *err);

/* The I/Os of a mix, for sim_load_run(), as the engine sends them. */
struct mix_load {
	struct sim_source source;
	struct mix_draw *draw;
};

/* Of the row's job file. 1: opened, 0: the row has no mix, -1 with err. */
int mix_load_open(const struct profile_row *row, uint64_t region_bytes, uint64_t seed,
		  struct mix_load *load, struct error *err);
void mix_load_close(struct mix_load *load);

#endif
