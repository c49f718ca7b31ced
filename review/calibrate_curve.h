/* SPDX-License-Identifier: GPL-2.0-only */
/* A drive in virtual time, and the curve of a row on it. */
#ifndef SSDREVIEW_CALIBRATE_CURVE_H
#define SSDREVIEW_CALIBRATE_CURVE_H

#include "review/calibrate.h"
#include "review/trace_load.h"

#define CALIBRATION_SEED 1

struct bench {
	const struct sim_model *model;
	struct sim_state *state; /* free() it */
	struct sim_info info;
	uint64_t now;
};

int bench_make(struct bench *bench, const struct sim_model *model, unsigned scale,
	       struct error *err);

uint64_t scaled_ns(double seconds, unsigned scale);

/* Of a profile on a drive at a scale. */
uint64_t calibration_region_bytes(const struct sim_info *info, const struct profile *profile);

/* As the profile prepares a drive: all of it or the region written. */
void bench_fill(struct bench *bench, const struct profile *profile);

/* The next row of the calibration, or NULL when there is no room. */
struct calibration_row *calibration_new_row(struct calibration *calibration,
					    const struct sim_published *published,
					    unsigned in_flight, struct error *err);

void calibration_take_peak(struct calibration_row *row, const struct sim_load_result *result);
void calibration_judge(struct calibration *calibration, struct calibration_row *row);

/*
 * The max run and the profile's steps, of a load (wait_ns and measure_ns set) or of a trace (may be
 * NULL); the highest point becomes the row's.
 */
int bench_run_curve(struct bench *bench, const struct profile *profile,
		    const struct trace_load *trace, struct sim_load *load,
		    struct calibration_row *row, struct error *err);

/* calibrate_trace.c: a row whose job file names a trace, on a drive of its own. */
int calibrate_trace_row(const struct sim_model *model, const struct profile *profile,
			const struct profile_row *row, const struct sim_published *published,
			struct calibration *calibration, struct error *err);

#endif
