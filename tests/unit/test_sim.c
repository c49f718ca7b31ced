/* SPDX-License-Identifier: GPL-2.0-only */
/* The drive model in virtual time: one I/O, many, and what must hold for any of them. */
#include "tests/unit/sim_fixture.h"
#include "tests/unit/suite.h"

START_TEST(the_same_calls_give_the_same_answers)
{
	struct sim_load load = load_4k(70, 512 * MIB, 32);
	struct sim_load_result results[2];
	int i;

	for (i = 0; i < 2; i++) {
		struct lab lab = lab_make("p3700-2tb", 1000, 5);

		lab_fill(&lab, 512 * MIB);
		results[i] = lab_run(&lab, &load);
		lab_free(&lab);
	}
	ck_assert_mem_eq(&results[0], &results[1], sizeof(results[0]));
	ck_assert_uint_gt(results[0].drive_latency.count, 10000);
}
END_TEST

START_TEST(another_seed_gives_other_latencies)
{
	struct sim_load load = load_4k(100, 512 * MIB, 32);
	struct lab lab = lab_make("p4510-2tb", 1000, 5);
	struct sim_load_result one, other;

	lab_fill(&lab, 512 * MIB);
	one = lab_run(&lab, &load);
	load.seed++;
	other = lab_run(&lab, &load);
	ck_assert_double_ne(one.drive_latency.mean_ns, other.drive_latency.mean_ns);
	ck_assert_double_eq_tol(one.iops, other.iops, 0.01 * one.iops);
	lab_free(&lab);
}
END_TEST

/* Little's law: I/Os in flight = rate x latency, in a closed loop and in an open one. */
START_TEST(latency_times_rate_is_in_flight)
{
	static const char *const words[] = {"670p-2tb", "760p-2tb", "p4510-8tb", "p3700-2tb"};
	size_t i;
	int open;

	for (i = 0; i < 4; i++) {
		struct lab lab = lab_make(words[i], 100, 1);
		struct sim_load load = load_4k(i % 2 ? 100 : 60, 256 * MIB, 24);

		lab_fill(&lab, 256 * MIB);
		for (open = 0; open < 2; open++) {
			struct sim_load_result result = lab_run(&lab, &load);
			double product = result.iops * result.drive_latency.mean_ns / 1e9;

			ck_assert_double_eq_tol(product, result.mean_in_flight,
						0.01 * result.mean_in_flight);
			if (!open)
				ck_assert_double_eq_tol(result.mean_in_flight, 24, 0.1);
			load.offered_iops = result.iops / 2;
		}
		lab_free(&lab);
	}
}
END_TEST

/* Everything a rate depends on is divided by scale, so a stationary load does not see it. */
START_TEST(scale_does_not_change_speeds)
{
	static const unsigned scales[] = {10, 100, 1000};
	double iops[3], latency[3];
	int i;

	for (i = 0; i < 3; i++) {
		struct lab lab = lab_make("p4510-8tb", scales[i], 1);
		struct sim_load load = load_4k(100, 1024 * MIB, 64);
		struct sim_load_result result;

		lab_fill(&lab, 1024 * MIB);
		result = lab_run(&lab, &load);
		iops[i] = result.iops;
		latency[i] = result.drive_latency.mean_ns;
		ck_assert_uint_eq(lab.info.capacity_bytes, 8001563222016 / scales[i] & ~4095ULL);
		lab_free(&lab);
	}
	for (i = 1; i < 3; i++) {
		ck_assert_double_eq_tol(iops[i], iops[0], 0.005 * iops[0]);
		ck_assert_double_eq_tol(latency[i], latency[0], 0.005 * latency[0]);
	}
}
END_TEST

START_TEST(an_unmapped_page_is_answered_from_the_table)
{
	struct lab lab = lab_make("670p-2tb", 100, 1);
	uint64_t unmapped, mapped, trimmed;

	lab.now = NS_PER_SEC;
	unmapped = lab_io(&lab, SIM_READ, 0, 4096);
	lab_io(&lab, SIM_WRITE, 0, 8192);
	lab.now += NS_PER_MSEC;
	mapped = lab_io(&lab, SIM_READ, 0, 4096);
	ck_assert_uint_gt(mapped, 2 * unmapped);
	ck_assert_double_gt(lab_status(&lab).fill_share, 0);
	lab_io(&lab, SIM_TRIM, 0, 8192);
	trimmed = lab_io(&lab, SIM_READ, 0, 4096);
	ck_assert_uint_lt(trimmed, 2 * unmapped);
	ck_assert_double_eq(lab_status(&lab).fill_share, 0);
	lab_free(&lab);
}
END_TEST

START_TEST(only_whole_pages_are_unmapped)
{
	struct lab lab = lab_make("760p-2tb", 100, 1);
	double two_pages;

	lab_io(&lab, SIM_WRITE, 0, 8192);
	two_pages = lab_status(&lab).fill_share;
	lab_io(&lab, SIM_WRITE_ZEROES, 512, 4096);
	ck_assert_double_eq(lab_status(&lab).fill_share, two_pages);
	lab_io(&lab, SIM_WRITE_ZEROES, 512, 8192 - 512);
	ck_assert_double_eq(lab_status(&lab).fill_share, two_pages / 2);
	lab_free(&lab);
}
END_TEST

/* How long an I/O takes behind 512 writes of 4K that came at once. */
static uint64_t behind_writes(const char *word, enum sim_op op, uint64_t bytes)
{
	struct lab lab = lab_make(word, 1, 1);
	uint64_t begin, latency, i;

	for (i = 0; i < 512; i++) {
		lab.now = 0;
		lab_io(&lab, SIM_WRITE, i * 4096, 4096);
	}
	begin = lab.now = 0;
	lab_io(&lab, op, 0, bytes);
	latency = lab.now - begin;
	lab_free(&lab);
	return latency;
}

START_TEST(a_flush_waits_for_the_buffer_unless_power_is_protected)
{
	/* 512 pages at 616 MB/s; at 1,600 ns of the controller each. */
	ck_assert_uint_gt(behind_writes("760p-2tb", SIM_FLUSH, 0), 3400 * NS_PER_USEC);
	ck_assert_uint_lt(behind_writes("p4510-8tb", SIM_FLUSH, 0), 900 * NS_PER_USEC);
}
END_TEST

START_TEST(a_write_with_fua_waits_for_the_buffer_unless_power_is_protected)
{
	uint64_t flush = behind_writes("760p-2tb", SIM_FLUSH, 0);
	uint64_t safe = behind_writes("p4510-8tb", SIM_WRITE, 4096);

	ck_assert_uint_ge(behind_writes("760p-2tb", SIM_WRITE_FUA, 4096), flush);
	ck_assert_uint_lt(behind_writes("760p-2tb", SIM_WRITE_FUA, 4096), flush * 101 / 100);
	ck_assert_uint_lt(behind_writes("760p-2tb", SIM_WRITE, 4096), flush);
	ck_assert_uint_eq(behind_writes("p4510-8tb", SIM_WRITE_FUA, 4096), safe);
}
END_TEST

START_TEST(time_does_not_go_back)
{
	struct lab lab = lab_make("p4510-8tb", 100, 1);
	uint64_t done;

	lab_fill(&lab, MIB);
	lab.now += NS_PER_SEC;
	done = sim_state_submit(lab.state, lab.model, SIM_READ, 0, 4096, lab.now, &lab.random);
	ck_assert_uint_gt(done, lab.now);
	/* A submission that comes late is queued as if it came now. */
	done = sim_state_submit(lab.state, lab.model, SIM_READ, 4096, 4096, lab.now - NS_PER_MSEC,
				&lab.random);
	ck_assert_uint_gt(done, lab.now);
	lab_free(&lab);
}
END_TEST

/* Commands longer than all dies together, and ones that begin inside a page. */
START_TEST(any_size_completes_in_proportion)
{
	struct lab lab = lab_make("p4510-2tb", 10, 1);
	uint64_t small, large, odd;

	lab_fill(&lab, 64 * MIB);
	lab.now += NS_PER_SEC;
	small = lab_io(&lab, SIM_READ, 0, MIB);
	lab.now += NS_PER_SEC;
	large = lab_io(&lab, SIM_READ, 0, 32 * MIB);
	ck_assert_uint_gt(large, 16 * small);
	ck_assert_uint_lt(large, 40 * small);
	lab.now += NS_PER_SEC;
	odd = lab_io(&lab, SIM_READ, 3584, 1024);
	ck_assert_uint_lt(odd, small);
	lab_free(&lab);
}
END_TEST

START_TEST(purge_empties_and_keeps_time)
{
	struct lab lab = lab_make("670p-2tb", 1000, 1);
	struct sim_status before, after;

	lab_fill(&lab, lab.info.capacity_bytes);
	before = lab_status(&lab);
	ck_assert_double_eq(before.fill_share, 1);
	ck_assert_uint_gt(before.slc_used_bytes, 0);
	sim_state_purge(lab.state);
	after = lab_status(&lab);
	ck_assert_double_eq(after.fill_share, 0);
	ck_assert_uint_eq(after.slc_used_bytes, 0);
	ck_assert_uint_eq(after.host_written_bytes, 0);
	ck_assert_uint_eq(after.drive_time_ns, before.drive_time_ns);
	lab_free(&lab);
}
END_TEST

START_TEST(a_rate_is_offered_as_asked)
{
	struct lab lab = lab_make("p4510-8tb", 100, 1);
	struct sim_load load = load_4k(100, 256 * MIB, 128);
	struct sim_load_result result;

	lab_fill(&lab, 256 * MIB);
	load.offered_iops = 200000;
	result = lab_run(&lab, &load);
	ck_assert_double_eq_tol((double)result.offered, 100000, 4 * 316);
	ck_assert_double_eq_tol(result.iops, 2.0 * (double)result.offered, 500);
	ck_assert_uint_le(result.drive_latency.p50_ns, result.drive_latency.p99_ns);
	ck_assert_uint_le(result.drive_latency.p99_ns, result.drive_latency.max_ns);
	/* Past what the drive can do, lateness grows and drive latency does not. */
	load.offered_iops = 900000;
	result = lab_run(&lab, &load);
	ck_assert_double_gt(result.response.mean_ns, 20 * result.drive_latency.mean_ns);
	lab_free(&lab);
}
END_TEST

START_TEST(the_ideal_drive_never_limits)
{
	struct lab lab = lab_make("ideal", 1, 1);
	uint64_t i;

	for (i = 0; i < 100; i++)
		ck_assert_uint_le(lab_io(&lab, i % 2 ? SIM_WRITE : SIM_READ, i * MIB, MIB), 1000);
	ck_assert_uint_eq(lab_status(&lab).host_written_bytes, 50 * MIB);
	lab_free(&lab);
}
END_TEST

START_TEST(too_large_a_scale_is_refused)
{
	struct error err = {.text = ""};
	struct sim_model *model;
	static char memory[1 << 20] __attribute__((aligned(64)));

	ck_assert(!sim_model_load("665p-1tb", &model, &err));
	ck_assert_int_eq(sim_state_init((struct sim_state *)memory, model, 2000000, 1, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "scale 2000000"));
	sim_model_free(model);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		the_same_calls_give_the_same_answers,
		another_seed_gives_other_latencies,
		latency_times_rate_is_in_flight,
		scale_does_not_change_speeds,
		an_unmapped_page_is_answered_from_the_table,
		only_whole_pages_are_unmapped,
		a_flush_waits_for_the_buffer_unless_power_is_protected,
		a_write_with_fua_waits_for_the_buffer_unless_power_is_protected,
		time_does_not_go_back,
		any_size_completes_in_proportion,
		purge_empties_and_keeps_time,
		a_rate_is_offered_as_asked,
		the_ideal_drive_never_limits,
		too_large_a_scale_is_refused,
	};

	return RUN_TESTS("sim", tests, 120, NULL, NULL);
}
