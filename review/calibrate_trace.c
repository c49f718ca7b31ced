/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows that replay a trace, and the order of drives on them. */
#include <stdlib.h>
#include <string.h>

#include "review/calibrate_curve.h"

#define MOST_SCALE   100
#define REGION_BYTES 20000000000.0 /* so much is left of a larger region: room for some clones */
#define POINT_S	     0.5	   /* tens of thousands of I/Os */

/* The scale at which the region has the size above, or 1. */
static unsigned trace_scale(const struct sim_model *model, const struct profile *profile)
{
	struct sim_info info;
	double scale;

	sim_model_info(model, 1, &info);
	scale = (double)calibration_region_bytes(&info, profile) / REGION_BYTES;
	if (scale > MOST_SCALE)
		return MOST_SCALE;
	return scale > 1 ? (unsigned)scale : 1;
}

/* As long as in the review, or until the figures stand. */
static uint64_t point_ns(double seconds, unsigned scale)
{
	uint64_t most = scaled_ns(POINT_S, 1), own = scaled_ns(seconds, scale);

	return own < most ? own : most;
}

static int run_row(struct bench *bench, const struct profile *profile,
		   const struct profile_row *from, struct calibration_row *row, struct error *err)
{
	struct sim_load load = {.in_flight = row->in_flight, .seed = CALIBRATION_SEED};
	struct trace_load trace;
	int failed;

	if (trace_load_open(from, calibration_region_bytes(&bench->info, profile), &trace, err))
		return -1;
	load.wait_ns = point_ns(profile->wait_s, bench->info.scale);
	load.measure_ns = point_ns(profile->measure_s, bench->info.scale);
	bench_fill(bench, profile);
	failed = bench_run_curve(bench, profile, &trace, &load, row, err);
	trace_load_close(&trace);
	return failed;
}

int calibrate_trace_row(const struct sim_model *model, const struct profile *profile,
			const struct profile_row *row, const struct sim_published *published,
			struct calibration *calibration, struct error *err)
{
	unsigned in_flight = published->in_flight ? published->in_flight : row->in_flight;
	struct calibration_row *result =
		calibration_new_row(calibration, published, in_flight, err);
	struct bench bench;
	int failed;

	if (!result || bench_make(&bench, model, trace_scale(model, profile), err))
		return -1;
	failed = run_row(&bench, profile, row, result, err);
	free(bench.state);
	if (!failed)
		calibration_judge(calibration, result);
	return failed;
}

bool calibration_same_order(const struct calibration_row *const *rows, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < count; j++)
			if (rows[i]->published.iops > rows[j]->published.iops &&
			    rows[i]->iops <= rows[j]->iops)
				return false;
	return true;
}
