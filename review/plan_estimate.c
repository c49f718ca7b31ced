/* SPDX-License-Identifier: GPL-2.0-only */
/* How long a run will take, and how much it will write. */
#include <math.h>
#include <string.h>

#include "engines/sim/sim.h"
#include "review/review.h"

/* The published rate of a simulated drive's row, else 0. */
static double published_bytes_per_s(const struct sim_model *model, const struct plan_row *row)
{
	const struct sim_published *points;
	size_t count = model ? sim_model_published(model, &points) : 0, i;

	for (i = 0; i < count; i++)
		if (!strcmp(points[i].workload, row->row->name) && points[i].iops > 0)
			return points[i].iops * row->block_bytes;
	return 0;
}

/* Seconds at full speed the steps of one row add up to: above 100 % a drive gives no more. */
static double full_speed_seconds(const struct plan *plan)
{
	double share = 1;
	unsigned i;

	for (i = 0; i < plan->profile->step_count; i++)
		share += fmin(plan->profile->steps_percent[i], 100) / 100.0;
	return share * (plan->wait_s + plan->measure_s) * plan->options->repeat;
}

/* A row of a search writes its trace's share of what a drive does in all. */
static void estimate_search(struct plan *plan)
{
	unsigned i;

	for (i = 0; i < plan->row_count; i++) {
		const struct plan_row *row = &plan->rows[i];
		double measured_s = (row->wait_s + row->measure_s) * SEARCH_POINTS;

		plan->duration_s += measured_s + (plan->cooldown_s + FIO_START_S) * SEARCH_POINTS;
		plan->written_bytes += measured_s * row->write_share * ASSUMED_BYTES_PER_S;
	}
	plan->duration_s += plan->idle_s * (plan->row_count - 1);
}

double plan_point_seconds(const struct plan *plan, const struct plan_row *row)
{
	if (row->row->steps == STEPS_ONCE)
		return plan->idle_s + row->once_s + FIO_START_S;
	if (row->row->steps == STEPS_ROUNDS)
		return row->rounds.estimate_s;
	if (row->row->steps == STEPS_LADDER)
		return row->wait_s + row->measure_s + FIO_START_S;
	return plan->wait_s + plan->measure_s + plan->cooldown_s + FIO_START_S;
}

unsigned plan_row_points(const struct plan *plan, const struct plan_row *row)
{
	unsigned repeat = plan->options->repeat;

	switch (row->row->steps) {
	case STEPS_ROUNDS:
		return 1;
	case STEPS_LADDER:
		return row->row->ladder.count * repeat;
	case STEPS_ONCE:
		return repeat;
	default:
		return (plan->profile->step_count + 1) * repeat;
	}
}

bool plan_refills(const struct plan *plan, const struct plan_row *row)
{
	const struct plan_row *earlier;

	if (!plan->profile->refill || !plan->fills || row->row->steps != STEPS_CURVE)
		return false;
	for (earlier = plan->rows; earlier < row; earlier++)
		if (earlier->writes && earlier->row->steps == STEPS_CURVE)
			return row->writes;
	return false;
}

/* What a row writes in all. */
static double row_bytes(const struct plan *plan, const struct plan_row *row,
			const struct sim_model *model)
{
	double rate = published_bytes_per_s(model, row);

	if (row->row->steps == STEPS_ONCE)
		return row->once_bytes * plan->options->repeat;
	if (!row->writes)
		return 0;
	if (row->row->steps != STEPS_CURVE)
		return steady_bytes(plan, row);
	return (rate > 0 ? rate : ASSUMED_BYTES_PER_S) * row->mix_writes * full_speed_seconds(plan);
}

/* Rows that are run once have their idle time before each run. */
static void estimate_rows(struct plan *plan, const struct sim_model *model)
{
	unsigned i;

	for (i = 0; i < plan->row_count; i++) {
		const struct plan_row *row = &plan->rows[i];
		double refill = plan_refills(plan, row) ? (double)plan->region_bytes : 0;

		plan->duration_s += plan_point_seconds(plan, row) * plan_row_points(plan, row);
		if (refill > 0)
			plan->duration_s += refill / ASSUMED_BYTES_PER_S + FIO_START_S;
		plan->written_bytes += refill + row_bytes(plan, row, model);
		if (i && row->row->steps == STEPS_CURVE)
			plan->duration_s += plan->idle_s;
	}
}

static int estimate_once(struct plan *plan, struct error *err)
{
	unsigned i;

	for (i = 0; i < plan->row_count; i++)
		if (plan->rows[i].row->steps == STEPS_ONCE &&
		    once_estimate(plan, &plan->rows[i], err))
			return error_prefix(err, "the row %s cannot be run",
					    plan->rows[i].row->name);
	return 0;
}

static void estimate_all(struct plan *plan)
{
	struct sim_model *model = NULL;
	double fill_bytes = 0;

	if (plan->target->kind == TARGET_SIM &&
	    sim_model_load(plan->target->sim_model, &model, NULL))
		model = NULL;
	if (plan->profile->searches)
		estimate_search(plan);
	else
		estimate_rows(plan, model);
	if (plan->fills)
		fill_bytes = plan->profile->fill == FILL_WHOLE ? (double)plan->target->bytes
							       : (double)plan->region_bytes;
	plan->written_bytes += fill_bytes;
	if (plan->fills)
		plan->duration_s += fill_bytes / ASSUMED_BYTES_PER_S + FIO_START_S;
	sim_model_free(model);
}

int plan_estimate(struct plan *plan, struct error *err)
{
	if (estimate_once(plan, err))
		return -1;
	estimate_all(plan);
	return 0;
}
