/* SPDX-License-Identifier: GPL-2.0-only */
/* What a drive remembers: its SLC cache and its cliff, garbage collection, scripted events. */
#include "engines/sim/state.h"
#include "tests/unit/sim_fixture.h"
#include "tests/unit/suite.h"

#define STEP (32 * MIB)

/* Writes in order until 32 MiB take longer than at 1 GB/s; returns the bytes written till then. */
static uint64_t find_cliff(struct lab *lab)
{
	uint64_t offset, begin;

	for (offset = 0; offset + STEP <= lab->info.capacity_bytes; offset += STEP) {
		begin = lab->now;
		sim_load_fill(lab->state, lab->model, offset, STEP, &lab->now);
		if (lab->now - begin > STEP)
			break;
	}
	return offset;
}

START_TEST(the_cliff_comes_when_the_cache_is_full)
{
	static const unsigned scales[] = {20, 100};
	int i;

	for (i = 0; i < 2; i++) {
		struct lab lab = lab_make("670p-2tb", scales[i], 1);
		double cliff = (double)find_cliff(&lab) * scales[i];

		ck_assert_double_ge(cliff, 280e9);
		ck_assert_double_le(cliff, 280e9 * 1.07);
		lab_free(&lab);
	}
}
END_TEST

START_TEST(overwriting_what_is_cached_takes_no_room)
{
	struct lab lab = lab_make("670p-2tb", 100, 1);
	struct sim_load load = load_4k(0, 200 * MIB, 128);
	struct sim_load_result result;

	lab_fill(&lab, 200 * MIB);
	load.measure_ns = 5 * NS_PER_SEC; /* 6 GB, twice the cache */
	result = lab_run(&lab, &load);
	ck_assert_double_gt(result.iops, 280000);
	ck_assert_uint_eq(lab_status(&lab).slc_used_bytes, 200 * MIB);
	lab_free(&lab);
}
END_TEST

START_TEST(the_cache_shrinks_as_the_drive_fills)
{
	struct lab lab = lab_make("670p-2tb", 1000, 1);
	uint64_t capacity = lab.info.capacity_bytes, size;

	lab_fill(&lab, capacity / 2 & ~(MIB - 1));
	ck_assert_uint_eq(lab_status(&lab).slc_size_bytes / MIB, 280000000 / MIB);
	lab_fill(&lab, capacity * 5 / 8);
	size = lab_status(&lab).slc_size_bytes;
	ck_assert_uint_gt(size, 150000000);
	ck_assert_uint_lt(size, 155000000);
	lab_fill(&lab, capacity * 3 / 4 + MIB);
	ck_assert_uint_eq(lab_status(&lab).slc_size_bytes / MIB, 24000000 / MIB);
	lab_free(&lab);
}
END_TEST

START_TEST(idle_time_gives_the_cache_back)
{
	struct lab lab = lab_make("670p-2tb", 100, 1);
	uint64_t full, used;

	find_cliff(&lab);
	full = lab_status(&lab).slc_used_bytes;
	/* Not before the onset: 5 s / 100. */
	lab.now += 40 * NS_PER_MSEC;
	lab_io(&lab, SIM_READ, 0, 4096);
	ck_assert_uint_eq(lab_status(&lab).slc_used_bytes, full);
	/* One second of folding at 450 MB/s. */
	lab.now += 1050 * NS_PER_MSEC;
	lab_io(&lab, SIM_READ, 0, 4096);
	used = lab_status(&lab).slc_used_bytes;
	ck_assert_double_eq_tol((double)(full - used), 450e6, 5e6);
	lab.now += 60 * NS_PER_SEC;
	lab_io(&lab, SIM_READ, 0, 4096);
	ck_assert_uint_eq(lab_status(&lab).slc_used_bytes, 0);
	lab_free(&lab);
}
END_TEST

START_TEST(reads_are_slower_from_qlc)
{
	struct lab lab = lab_make("670p-2tb", 100, 1);
	uint64_t slc, qlc;

	lab_fill(&lab, 100 * MIB);
	lab.now += NS_PER_MSEC;
	slc = lab_io(&lab, SIM_READ, 50 * MIB, 4096);
	lab.now += 60 * NS_PER_SEC;
	lab_io(&lab, SIM_FLUSH, 0, 0);
	lab.now += NS_PER_MSEC;
	qlc = lab_io(&lab, SIM_READ, 50 * MIB, 4096);
	ck_assert_uint_eq(qlc - slc, 58000);
	lab_free(&lab);
}
END_TEST

/* Overwrites the whole drive at random `passes` times; write amplification at the end. */
static double settled_waf(unsigned scale, unsigned passes)
{
	struct lab lab = lab_make("p3700-2tb", scale, 1);
	struct sim_load load = load_4k(0, lab.info.capacity_bytes & ~4095ULL, 64);
	double waf;

	lab_fill(&lab, lab.info.capacity_bytes & ~(MIB - 1));
	ck_assert_double_lt(lab_status(&lab).waf, 1.05);
	load.measure_ns = (uint64_t)((double)lab.info.capacity_bytes * passes / 4096 / 175e3 * 1e9);
	lab_run(&lab, &load);
	waf = lab_status(&lab).waf;
	lab_free(&lab);
	return waf;
}

/* Sampling 1 page of 8, 1 of 2, and all of them. */
START_TEST(write_amplification_does_not_depend_on_scale)
{
	static const unsigned scales[] = {200, 1000, 4000};
	int i;

	for (i = 0; i < 3; i++) {
		double waf = settled_waf(scales[i], 4);

		ck_assert_double_ge(waf, 2.2);
		ck_assert_double_le(waf, 2.6);
	}
}
END_TEST

START_TEST(sequential_overwriting_brings_the_spare_area_back)
{
	struct lab lab = lab_make("p4510-8tb", 1000, 1);
	uint64_t region = lab.info.capacity_bytes / 4 & ~(MIB - 1);
	struct sim_load load = load_4k(0, region, 64);
	struct sim_status status;
	double spare;

	lab_fill(&lab, lab.info.capacity_bytes & ~(MIB - 1));
	lab_fill(&lab, region);
	spare = lab_status(&lab).spare_share;
	ck_assert_double_eq_tol(spare, 0.088 / 1.088, 0.01);
	load.measure_ns = 3 * NS_PER_SEC;
	lab_run(&lab, &load);
	status = lab_status(&lab);
	ck_assert_double_lt(status.spare_share, 0.005);
	ck_assert_double_gt(status.waf, 1.5);
	lab_fill(&lab, region);
	status = lab_status(&lab);
	ck_assert_double_eq_tol(status.spare_share, spare, 0.01);
	ck_assert_double_lt(status.waf, 1.05);
	lab_free(&lab);
}
END_TEST

START_TEST(trim_gives_the_spare_area_back)
{
	struct lab lab = lab_make("p3700-2tb", 1000, 1);
	uint64_t capacity = lab.info.capacity_bytes & ~(MIB - 1);
	double full;

	lab_fill(&lab, capacity);
	full = lab_status(&lab).spare_share;
	lab_io(&lab, SIM_TRIM, 0, capacity);
	ck_assert_double_gt(lab_status(&lab).spare_share, 0.99);
	ck_assert_double_lt(full, 0.25);
	lab_free(&lab);
}
END_TEST

START_TEST(the_ftl_survives_a_call_cut_short)
{
	struct lab lab = lab_make("p3700-2tb", 2000, 1);
	struct sim_load load = load_4k(0, lab.info.capacity_bytes & ~4095ULL, 64);
	struct sim_load_result before, after;
	uint64_t offset, *map;

	lab_fill(&lab, lab.info.capacity_bytes & ~(MIB - 1));
	load.wait_ns = load.measure_ns = 2 * NS_PER_SEC;
	before = lab_run(&lab, &load);
	/* As a kill could leave it: two pages in one place, lists and counts of another moment. */
	map = (uint64_t *)((char *)lab.state + lab.state->ftl.map_at);
	map[1] = map[0];
	lab.state->ftl.free_head = NO_BLOCK;
	lab.state->ftl.bucket[3] = lab.state->ftl.bucket[30];
	state_repair(lab.state);
	ck_assert(state_is_sound(lab.state, lab.model, 2000, &offset));
	after = lab_run(&lab, &load);
	ck_assert_double_eq_tol(after.iops, before.iops, 0.1 * before.iops);
	lab_free(&lab);
}
END_TEST

static void add_event(struct lab *lab, const char *text)
{
	struct sim_event event;
	struct error err;

	ck_assert_msg(!sim_event_parse(text, &event, &err), "%s", err.text);
	ck_assert_msg(!sim_model_add_event(lab->model, &event, &err), "%s", err.text);
	/* Events are read when a state is made. */
	memset(lab->state, 0, sim_state_bytes(lab->model, lab->info.scale));
	ck_assert(!sim_state_init(lab->state, lab->model, lab->info.scale, 1, &err));
}

START_TEST(a_stall_delays_what_is_in_flight_and_what_comes)
{
	struct lab lab = lab_make("ideal", 1, 1);
	uint64_t done, random = 1;

	add_event(&lab, "stall:at_s=2,duration_ms=1000");
	lab.now = 1999999500; /* its 1 us would end inside the stall */
	ck_assert_uint_eq(lab_io(&lab, SIM_READ, 0, 4096), NS_PER_SEC + 1000);
	done = sim_state_submit(lab.state, lab.model, SIM_READ, 0, 4096, 2400 * NS_PER_MSEC,
				&random);
	ck_assert_uint_eq(done, 3 * NS_PER_SEC + 1000);
	lab.now = 3 * NS_PER_SEC;
	ck_assert_uint_eq(lab_io(&lab, SIM_READ, 0, 4096), 1000);
	ck_assert_uint_eq(lab_status(&lab).drive_time_ns, 3 * NS_PER_SEC);
	lab_free(&lab);
}
END_TEST

START_TEST(a_stall_repeats)
{
	struct lab lab = lab_make("ideal", 10, 1);
	uint64_t i;

	/* On a tenth of the drive it comes ten times as often and lasts as long. */
	add_event(&lab, "stall:at_s=10,every_s=5,duration_ms=20");
	for (i = 0; i < 20; i++) {
		lab.now = NS_PER_SEC + i * NS_PER_SEC / 2 + 5 * NS_PER_MSEC;
		ck_assert_uint_eq(lab_io(&lab, SIM_READ, 0, 4096), 15 * NS_PER_MSEC + 1000);
	}
	lab_free(&lab);
}
END_TEST

START_TEST(a_throttle_episode_slows_and_warms)
{
	struct lab lab = lab_make("670p-2tb", 100, 1);
	struct sim_load load = load_4k(100, 100 * MIB, 128);
	struct sim_load_result cool, hot, after;

	add_event(&lab, "throttle:at_s=100,duration_ms=100000,factor=3,temperature_c=84");
	lab_fill(&lab, 100 * MIB);
	load.measure_ns = NS_PER_SEC / 4;
	cool = lab_run(&lab, &load);
	ck_assert(!lab_status(&lab).throttled);
	lab.now = NS_PER_SEC;
	hot = lab_run(&lab, &load);
	ck_assert(lab_status(&lab).throttled);
	ck_assert_double_eq(lab_status(&lab).temperature_c, 84);
	lab.now = 2 * NS_PER_SEC;
	after = lab_run(&lab, &load);
	ck_assert(!lab_status(&lab).throttled);
	ck_assert_double_eq_tol(hot.iops, cool.iops / 3, 0.02 * cool.iops);
	ck_assert_double_eq_tol(after.iops, cool.iops, 0.02 * cool.iops);
	lab_free(&lab);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		the_cliff_comes_when_the_cache_is_full,
		overwriting_what_is_cached_takes_no_room,
		the_cache_shrinks_as_the_drive_fills,
		idle_time_gives_the_cache_back,
		reads_are_slower_from_qlc,
		write_amplification_does_not_depend_on_scale,
		sequential_overwriting_brings_the_spare_area_back,
		trim_gives_the_spare_area_back,
		the_ftl_survives_a_call_cut_short,
		a_stall_delays_what_is_in_flight_and_what_comes,
		a_stall_repeats,
		a_throttle_episode_slows_and_warms,
	};

	return RUN_TESTS("sim wear", tests, 180, NULL, NULL);
}
