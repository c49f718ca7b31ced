/* SPDX-License-Identifier: GPL-2.0-only */
/* Published against simulated, in virtual time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "review/calibrate.h"

#define CURVE_SCALE	 100 /* a region of 1 % then still has hundreds of MB */
#define STEADY_SCALE	 200
#define STEADY_MINUTES	 180
#define RATED_IN_FLIGHT	 256
#define RATED_BYTES	 4194304 /* larger blocks: so much in flight */
#define BLACKMAGIC_BYTES 5000000000ULL
#define SEED		 1

/* The I/O of each row a model may publish. */
struct shape {
	const char *workload;
	unsigned block_bytes, read_percent;
	bool sequential;
};

static const struct shape shapes[] = {
	{"4k-randread", 4096, 100, false},
	{"4k-randwrite", 4096, 0, false},
	{"64k-seqread", 65536, 100, true},
	{"64k-seqwrite", 65536, 0, true},
	{"sql", 8192, 97, false},
	{"sql-90-10", 8192, 90, false},
	{"sql-80-20", 8192, 80, false},
	{"oracle-90-10", 8192, 90, false},
	{"oracle-80-20", 8192, 80, false},
	{"4k-steady-read", 4096, 100, false},
	{"4k-steady-write", 4096, 0, false},
	{"blackmagic-read", 1048576, 100, true},
	{"blackmagic-write", 1048576, 0, true},
};

/* A drive in virtual time and memory. */
struct bench {
	const struct sim_model *model;
	struct sim_state *state;
	struct sim_info info;
	uint64_t now;
};

static const struct shape *find_shape(const char *workload, struct error *err)
{
	const char *words[COUNT(shapes)];
	size_t i;

	for (i = 0; i < COUNT(shapes); i++) {
		if (!strcmp(shapes[i].workload, workload))
			return &shapes[i];
		words[i] = shapes[i].workload;
	}
	error_unknown(err, "workload", workload, words, COUNT(shapes));
	return NULL;
}

static int bench_make(struct bench *bench, const struct sim_model *model, unsigned scale,
		      struct error *err)
{
	*bench = (struct bench){.model = model};
	sim_model_info(model, scale, &bench->info);
	bench->state = calloc(1, sim_state_bytes(model, scale));
	if (!bench->state)
		return error_set(err, "no memory for the model '%s'", bench->info.model);
	if (!sim_state_init(bench->state, model, scale, SEED, err))
		return 0;
	free(bench->state);
	return -1;
}

static struct sim_load load_of(const struct shape *shape, uint64_t region, unsigned in_flight)
{
	return (struct sim_load){
		.block_bytes = shape->block_bytes,
		.read_percent = shape->read_percent,
		.sequential = shape->sequential,
		.region_bytes = region,
		.in_flight = in_flight,
		.seed = SEED,
	};
}

static uint64_t scaled_ns(double seconds, unsigned scale)
{
	return (uint64_t)(seconds * 1e9 / scale);
}

static double off(double simulated, double published)
{
	return published > 0 ? simulated / published - 1 : 0;
}

static void judge(struct calibration *calibration, struct calibration_row *row)
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

static struct calibration_row *new_row(struct calibration *calibration,
				       const struct sim_published *published, unsigned in_flight,
				       struct error *err)
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

static void take_peak(struct calibration_row *row, const struct sim_load_result *result)
{
	row->iops = result->iops;
	row->latency_us = result->drive_latency.mean_ns / 1e3;
	row->bandwidth_mbps = result->bandwidth_mbps;
}

/* Rates this near are level: two standard deviations of a Poisson count. */
static double chance_of(const struct sim_load_result *result)
{
	return 2 / sqrt((double)(result->drive_latency.count + 1));
}

/* One point of a curve; percent 0 is the max run. */
static int run_point(struct bench *bench, struct sim_load *load, unsigned percent, double max_iops,
		     struct calibration_row *row, struct sim_load_result *result, struct error *err)
{
	load->offered_iops = max_iops * percent / 100;
	load->seed++;
	if (sim_load_run(bench->state, bench->model, load, &bench->now, result, err))
		return -1;
	row->points[row->point_count++] = (struct calibration_point){
		.percent = percent,
		.offered_iops = load->offered_iops,
		.iops = result->iops,
		.latency_us = result->drive_latency.mean_ns / 1e3,
	};
	return 0;
}

static int run_curve(struct bench *bench, const struct profile *profile, struct sim_load *load,
		     struct calibration_row *row, struct error *err)
{
	unsigned scale = bench->info.scale, i;
	struct sim_load_result result;
	double max_iops;

	load->wait_ns = scaled_ns(profile->wait_s, scale);
	load->measure_ns = scaled_ns(profile->measure_s, scale);
	if (run_point(bench, load, 0, 0, row, &result, err))
		return -1;
	max_iops = result.iops;
	if (!profile->step_count)
		take_peak(row, &result);
	for (i = 0; i < profile->step_count; i++) {
		bench->now += scaled_ns(profile->cooldown_s, scale);
		if (run_point(bench, load, profile->steps_percent[i], max_iops, row, &result, err))
			return -1;
		if (result.iops > row->iops * (1 - chance_of(&result)))
			take_peak(row, &result);
	}
	return 0;
}

static uint64_t region_bytes(const struct bench *bench, const struct profile *profile)
{
	uint64_t bytes = profile->region_bytes / bench->info.scale;

	if (profile->region_percent > 0)
		bytes = (uint64_t)((double)bench->info.capacity_bytes * profile->region_percent /
				   100);
	return bytes & ~(uint64_t)((1 << 20) - 1);
}

static int curve_row(struct bench *bench, const struct profile *profile,
		     const struct sim_published *published, struct calibration *calibration,
		     struct error *err)
{
	const struct profile_row *from_profile = profile_find_row(profile, published->workload);
	const struct shape *shape = find_shape(published->workload, err);
	uint64_t region = region_bytes(bench, profile);
	unsigned in_flight = published->in_flight;
	struct calibration_row *row;
	struct sim_load load;

	if (!shape)
		return -1;
	if (!in_flight && from_profile)
		in_flight = from_profile->in_flight;
	if (!in_flight)
		return error_set(err, "[published %s] needs in_flight: profile %s has no such row",
				 published->workload, profile->name);
	row = new_row(calibration, published, in_flight, err);
	if (!row)
		return -1;
	if (shape->read_percent < 100)
		sim_load_fill(bench->state, bench->model, 0, region, &bench->now);
	load = load_of(shape, region, in_flight);
	if (run_curve(bench, profile, &load, row, err))
		return -1;
	bench->now += scaled_ns(profile->idle_s, bench->info.scale);
	judge(calibration, row);
	return 0;
}

static bool of_profile(const struct sim_published *published, const struct profile *profile)
{
	return !strcmp(published->protocol, profile->name);
}

int calibrate_profile(const struct sim_model *model, const struct profile *profile,
		      struct calibration *calibration, struct error *err)
{
	const struct sim_published *points;
	size_t count = sim_model_published(model, &points), i;
	struct bench bench;
	int failed = 0;

	if (bench_make(&bench, model, CURVE_SCALE, err))
		return -1;
	if (profile->fill == FILL_WHOLE)
		sim_load_fill(bench.state, model, 0, bench.info.capacity_bytes, &bench.now);
	if (profile->fill != FILL_NONE)
		sim_load_fill(bench.state, model, 0, region_bytes(&bench, profile), &bench.now);
	for (i = 0; i < count && !failed; i++)
		if (of_profile(&points[i], profile))
			failed = curve_row(&bench, profile, &points[i], calibration, err);
	free(bench.state);
	return failed;
}

/* The rate of one load with all I/Os in flight. */
static int saturated_row(struct bench *bench, const struct sim_published *published,
			 struct sim_load load, struct calibration *calibration, struct error *err)
{
	struct calibration_row *row = new_row(calibration, published, load.in_flight, err);
	struct sim_load_result result;

	if (!row || sim_load_run(bench->state, bench->model, &load, &bench->now, &result, err))
		return -1;
	take_peak(row, &result);
	judge(calibration, row);
	return 0;
}

static int blackmagic_row(const struct sim_model *model, const struct sim_published *published,
			  const struct shape *shape, struct calibration *calibration,
			  struct error *err)
{
	struct sim_load load = load_of(shape, BLACKMAGIC_BYTES, 4);
	struct bench bench;
	int failed;

	if (bench_make(&bench, model, 1, err))
		return -1;
	load.wait_ns = NS_PER_SEC / 10;
	load.measure_ns = NS_PER_SEC;
	if (shape->read_percent)
		sim_load_fill(bench.state, model, 0, BLACKMAGIC_BYTES, &bench.now);
	failed = saturated_row(&bench, published, load, calibration, err);
	free(bench.state);
	return failed;
}

static int rated_row(const struct sim_model *model, const struct sim_published *published,
		     const struct shape *shape, struct calibration *calibration, struct error *err)
{
	unsigned in_flight =
		shape->block_bytes > 4096 ? RATED_BYTES / shape->block_bytes : RATED_IN_FLIGHT;
	struct sim_load load;
	struct bench bench;
	int failed;

	if (bench_make(&bench, model, CURVE_SCALE, err))
		return -1;
	load = load_of(shape, (bench.info.capacity_bytes / 100) & ~(uint64_t)((1 << 20) - 1),
		       published->in_flight ? published->in_flight : in_flight);
	load.wait_ns = load.measure_ns = NS_PER_SEC / 5;
	sim_load_fill(bench.state, model, 0, load.region_bytes, &bench.now);
	failed = saturated_row(&bench, published, load, calibration, err);
	free(bench.state);
	return failed;
}

/* 4K random writes to the whole drive, long enough for the slowest greedy collector to settle. */
static int precondition(struct bench *bench, struct error *err)
{
	struct sim_load load = load_of(find_shape("4k-steady-write", err),
				       bench->info.capacity_bytes & ~4095ULL, 256);
	struct sim_load_result result;

	load.measure_ns = scaled_ns(STEADY_MINUTES * 60, bench->info.scale);
	return sim_load_run(bench->state, bench->model, &load, &bench->now, &result, err);
}

static int steady_row(const struct sim_model *model, const struct sim_published *published,
		      const struct shape *shape, struct calibration *calibration, struct error *err)
{
	struct sim_load load;
	struct bench bench;
	int failed;

	if (bench_make(&bench, model, STEADY_SCALE, err))
		return -1;
	load = load_of(shape, bench.info.capacity_bytes & ~4095ULL, published->in_flight);
	load.wait_ns = scaled_ns(60, STEADY_SCALE);
	load.measure_ns = scaled_ns(300, STEADY_SCALE);
	failed = precondition(&bench, err) ||
		 saturated_row(&bench, published, load, calibration, err);
	free(bench.state);
	return failed ? -1 : 0;
}

/* Points that follow no profile; each on a drive of its own. */
static int other_row(const struct sim_model *model, const struct sim_published *published,
		     struct calibration *calibration, struct error *err)
{
	const struct shape *shape = find_shape(published->workload, err);

	if (!shape)
		return -1;
	if (!strcmp(published->protocol, "blackmagic"))
		return blackmagic_row(model, published, shape, calibration, err);
	if (!strcmp(published->protocol, "steady"))
		return steady_row(model, published, shape, calibration, err);
	return rated_row(model, published, shape, calibration, err);
}

static bool is_profile(const char *protocol)
{
	return strcmp(protocol, "blackmagic") && strcmp(protocol, "steady") &&
	       strcmp(protocol, "rated");
}

/* All points of the profile that points[i] names, unless an earlier point has named it. */
static int profile_rows(const struct sim_model *model, const struct sim_published *points, size_t i,
			struct calibration *calibration, struct error *err)
{
	struct profile profile;
	size_t earlier;

	for (earlier = 0; earlier < i; earlier++)
		if (!strcmp(points[earlier].protocol, points[i].protocol))
			return 0;
	if (profile_load(points[i].protocol, &profile, err))
		return -1;
	return calibrate_profile(model, &profile, calibration, err);
}

static int all_rows(const struct sim_model *model, struct calibration *calibration,
		    struct error *err)
{
	const struct sim_published *points;
	size_t count = sim_model_published(model, &points), i;
	int failed = 0;

	for (i = 0; i < count && !failed; i++)
		failed = is_profile(points[i].protocol)
				 ? profile_rows(model, points, i, calibration, err)
				 : other_row(model, &points[i], calibration, err);
	return failed;
}

int calibrate_model(const char *word, struct calibration *calibration, struct error *err)
{
	struct sim_model *model;
	int failed;

	*calibration = (struct calibration){.ok = true};
	if (sim_model_load(word, &model, err))
		return -1;
	sim_model_info(model, 1, &calibration->info);
	failed = all_rows(model, calibration, err);
	sim_model_free(model);
	return failed;
}
