/* SPDX-License-Identifier: GPL-2.0-only */
/* Published against simulated, in virtual time. */
#include <stdlib.h>
#include <string.h>

#include "review/calibrate_curve.h"
#include "review/mix_load.h"

#define CURVE_SCALE	 100 /* a region of 1 % then still has hundreds of MB */
#define STEADY_SCALE	 200
#define STEADY_MINUTES	 180
#define RATED_IN_FLIGHT	 256
#define RATED_BYTES	 4194304 /* larger blocks: so much in flight */
#define BLACKMAGIC_BYTES 5000000000ULL

/* The I/O of each row a model may publish, but for what replays a trace or sends a mix. */
struct shape {
	const char *workload;
	unsigned block_bytes, read_percent;
	bool sequential;
};

static const struct shape shapes[] = {
	{"4k-randread", 4096, 100, false},	 {"4k-randwrite", 4096, 0, false},
	{"64k-seqread", 65536, 100, true},	 {"64k-seqwrite", 65536, 0, true},
	{"4k-steady-read", 4096, 100, false},	 {"4k-steady-write", 4096, 0, false},
	{"blackmagic-read", 1048576, 100, true}, {"blackmagic-write", 1048576, 0, true},
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

static struct sim_load load_of(const struct shape *shape, uint64_t region, unsigned in_flight)
{
	return (struct sim_load){
		.block_bytes = shape->block_bytes,
		.read_percent = shape->read_percent,
		.sequential = shape->sequential,
		.region_bytes = region,
		.in_flight = in_flight,
		.seed = CALIBRATION_SEED,
	};
}

/* How many are in flight in a row of a profile, or 0 with err. */
static unsigned in_flight_of(const struct sim_published *published, const struct profile *profile,
			     const struct profile_row *row, struct error *err)
{
	if (published->in_flight)
		return published->in_flight;
	if (row)
		return row->in_flight;
	error_set(err, "[published %s] needs in_flight: profile %s has no such row",
		  published->workload, profile->name);
	return 0;
}

/* The I/O of a row: the mix of the profile's, else a shape. */
static int row_load(const struct sim_published *published, const struct profile_row *row,
		    uint64_t region, struct mix_load *mix, struct sim_load *load, struct error *err)
{
	const struct shape *shape;
	int got = row ? mix_load_open(row, region, CALIBRATION_SEED, mix, err) : 0;

	if (got > 0)
		*load = (struct sim_load){.source = &mix->source, .seed = CALIBRATION_SEED};
	if (got)
		return got < 0 ? -1 : 0;
	shape = find_shape(published->workload, err);
	if (!shape)
		return -1;
	*load = load_of(shape, region, 0);
	return 0;
}

static int run_load(struct bench *bench, const struct profile *profile, struct sim_load *load,
		    struct calibration_row *row, struct error *err)
{
	if (load->read_percent < 100)
		sim_load_fill(bench->state, bench->model, 0,
			      calibration_region_bytes(&bench->info, profile), &bench->now);
	load->in_flight = row->in_flight;
	load->wait_ns = scaled_ns(profile->wait_s, bench->info.scale);
	load->measure_ns = scaled_ns(profile->measure_s, bench->info.scale);
	return bench_run_curve(bench, profile, NULL, load, row, err);
}

static int curve_row(struct bench *bench, const struct profile *profile,
		     const struct profile_row *from_profile, const struct sim_published *published,
		     struct calibration *calibration, struct error *err)
{
	uint64_t region = calibration_region_bytes(&bench->info, profile);
	struct calibration_row *row = NULL;
	struct mix_load mix = {0};
	struct sim_load load;
	unsigned in_flight;
	int failed;

	if (row_load(published, from_profile, region, &mix, &load, err))
		return -1;
	in_flight = in_flight_of(published, profile, from_profile, err);
	if (in_flight)
		row = calibration_new_row(calibration, published, in_flight, err);
	failed = row ? run_load(bench, profile, &load, row, err) : -1;
	mix_load_close(&mix);
	if (failed)
		return -1;
	bench->now += scaled_ns(profile->idle_s, bench->info.scale);
	calibration_judge(calibration, row);
	return 0;
}

static bool of_profile(const struct sim_published *published, const struct profile *profile)
{
	return !strcmp(published->protocol, profile->name);
}

static int profile_point(struct bench *bench, const struct profile *profile,
			 const struct sim_published *published, struct calibration *calibration,
			 struct error *err)
{
	const struct profile_row *row = profile_find_row(profile, published->workload);

	if (row && trace_load_is_of(row))
		return calibrate_trace_row(bench->model, profile, row, published, calibration, err);
	return curve_row(bench, profile, row, published, calibration, err);
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
	bench_fill(&bench, profile);
	for (i = 0; i < count && !failed; i++)
		if (of_profile(&points[i], profile))
			failed = profile_point(&bench, profile, &points[i], calibration, err);
	free(bench.state);
	return failed;
}

/* The rate of one load with all I/Os in flight. */
static int saturated_row(struct bench *bench, const struct sim_published *published,
			 struct sim_load load, struct calibration *calibration, struct error *err)
{
	struct calibration_row *row =
		calibration_new_row(calibration, published, load.in_flight, err);
	struct sim_load_result result;

	if (!row || sim_load_run(bench->state, bench->model, &load, &bench->now, &result, err))
		return -1;
	calibration_take_peak(row, &result);
	calibration_judge(calibration, row);
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
