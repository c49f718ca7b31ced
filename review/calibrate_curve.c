/* SPDX-License-Identifier: GPL-2.0-only */
/* A drive in virtual time, and the curve of a row on it. */
#include <math.h>
#include <stdlib.h>

#include "review/calibrate_curve.h"

int bench_make(struct bench *bench, const struct sim_model *model, unsigned scale,
	       struct error *err)
{
	*bench = (struct bench){.model = model};
	sim_model_info(model, scale, &bench->info);
	bench->state = calloc(1, sim_state_bytes(model, scale));
	if (!bench->state)
		return error_set(err, "no memory for the model '%s'", bench->info.model);
	if (!sim_state_init(bench->state, model, scale, CALIBRATION_SEED, err))
		return 0;
	free(bench->state);
	return -1;
}

uint64_t scaled_ns(double seconds, unsigned scale)
{
	return (uint64_t)(seconds * 1e9 / scale);
}

uint64_t calibration_region_bytes(const struct sim_info *info, const struct profile *profile)
{
	uint64_t bytes = profile->region_bytes / info->scale;

	if (profile->region_percent > 0)
		bytes = (uint64_t)((double)info->capacity_bytes * profile->region_percent / 100);
	return bytes & ~(uint64_t)((1 << 20) - 1);
}

void bench_fill(struct bench *bench, const struct profile *profile)
{
	if (profile->fill == FILL_WHOLE)
		sim_load_fill(bench->state, bench->model, 0, bench->info.capacity_bytes,
			      &bench->now);
	if (profile->fill != FILL_NONE)
		sim_load_fill(bench->state, bench->model, 0,
			      calibration_region_bytes(&bench->info, profile), &bench->now);
}

/* ---- rows ---------------------------------------------------------------------------------- */

struct calibration_row *calibration_new_row(struct calibration *calibration,
					    const struct sim_published *published,
					    unsigned in_flight, struct error *err)
{
	struct calibration_row *row = &calibration->rows[calibration->row_count];

	if (calibration->row_count == CALIBRATION_MAX_ROWS) {
		error_set(err, "more than %d published points", CALIBRATION_MAX_ROWS);
		return NULL;
	}
	calibration->row_count++;
	*row = (struct calibration_row){.published = *published, .in_flight = in_flight};
	return row;
}

void calibration_take_peak(struct calibration_row *row, const struct sim_load_result *result)
{
	row->iops = result->iops;
	row->latency_us = result->drive_latency.mean_ns / 1e3;
	row->bandwidth_mbps = result->bandwidth_mbps;
}

static double off(double simulated, double published)
{
	return published > 0 ? simulated / published - 1 : 0;
}

void calibration_judge(struct calibration *calibration, struct calibration_row *row)
{
	const struct sim_published *published = &row->published;

	row->iops_off = off(row->iops, published->iops);
	row->latency_off = off(row->latency_us, published->latency_us);
	row->bandwidth_off = off(row->bandwidth_mbps, published->bandwidth_mbps);
	row->ok = fabs(row->iops_off) <= published->iops_tolerance &&
		  fabs(row->latency_off) <= published->latency_tolerance &&
		  fabs(row->bandwidth_off) <= published->iops_tolerance;
	calibration->ok = calibration->ok && row->ok;
}

/* ---- curves -------------------------------------------------------------------------------- */

/* Rates this near are level: two standard deviations of a Poisson count. */
static double chance_of(const struct sim_load_result *result)
{
	return 2 / sqrt((double)(result->drive_latency.count + 1));
}

/* One point of a curve; percent 0 is the max run. */
static int run_point(struct bench *bench, const struct trace_load *trace, struct sim_load *load,
		     unsigned percent, double max_iops, struct calibration_row *row,
		     struct sim_load_result *result, struct error *err)
{
	load->offered_iops = max_iops * percent / 100;
	load->seed++;
	if (trace ? trace_load_run(trace, load, bench->state, bench->model, &bench->now, result,
				   err)
		  : sim_load_run(bench->state, bench->model, load, &bench->now, result, err))
		return -1;
	row->points[row->point_count++] = (struct calibration_point){
		.percent = percent,
		.offered_iops = load->offered_iops,
		.iops = result->iops,
		.latency_us = result->drive_latency.mean_ns / 1e3,
	};
	return 0;
}

int bench_run_curve(struct bench *bench, const struct profile *profile,
		    const struct trace_load *trace, struct sim_load *load,
		    struct calibration_row *row, struct error *err)
{
	struct sim_load_result result;
	double max_iops;
	unsigned i;

	if (run_point(bench, trace, load, 0, 0, row, &result, err))
		return -1;
	max_iops = result.iops;
	if (!profile->step_count)
		calibration_take_peak(row, &result);
	for (i = 0; i < profile->step_count; i++) {
		bench->now += scaled_ns(profile->cooldown_s, bench->info.scale);
		if (run_point(bench, trace, load, profile->steps_percent[i], max_iops, row, &result,
			      err))
			return -1;
		if (result.iops > row->iops * (1 - chance_of(&result)))
			calibration_take_peak(row, &result);
	}
	return 0;
}
