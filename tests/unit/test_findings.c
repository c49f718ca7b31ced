/* SPDX-License-Identifier: GPL-2.0-only */
/* What is found in runs of which all is known. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "postprocess/findings.h"
#include "tests/unit/suite.h"

#define MOST 2000

static struct minute list[MOST];
static struct minutes minutes = {.minute_s = 60, .list = list};

/* 256 in flight: the mean latency follows from the rate. */
static void set_minute(size_t i, double iops, double max_us, double stddev_us)
{
	list[i] =
		(struct minute){.start_s = 60.0 * (double)i,
				.length_s = 60,
				.fills = (double)(i + 1) / 20,
				.values = {iops, iops > 0 ? 256e6 / iops : NAN, max_us, stddev_us}};
}

static void set_gap(size_t i)
{
	list[i] = (struct minute){
		.start_s = 60.0 * (double)i, .fills = NAN, .values = {NAN, NAN, NAN, NAN}};
}

static struct findings find(size_t count)
{
	struct findings findings;

	minutes.count = count;
	ck_assert_int_eq(findings_make(&minutes, NAN, NAN, &findings), 0);
	return findings;
}

/* 20 minutes of a burst, then the steady level, with so much noise. */
static void make_usual(size_t count, double noise)
{
	uint64_t random = 11;
	size_t i;

	for (i = 0; i < count; i++) {
		double level = i < 20 ? 400000 : 170000;
		double share = 1 + noise * (2 * random_share(random_next(&random)) - 1);

		set_minute(i, level * share, 25000 * (2 - share), 1400 * (2 - share));
	}
}

START_TEST(burst_and_level_of_a_usual_run)
{
	struct findings findings;

	make_usual(120, 0.03);
	findings = find(120);
	ck_assert_double_eq_tol(findings.burst_iops, 400000, 12000);
	ck_assert_double_eq(findings.burst_end_s, 1200);
	ck_assert_double_eq(findings.burst_end_fills, 1);
	ck_assert_double_eq_tol(findings.steady[MINUTE_IOPS], 170000, 2000);
	ck_assert_double_eq_tol(findings.steady[MINUTE_MEAN], 256e6 / 170000, 20);
	ck_assert_double_eq_tol(findings.steady[MINUTE_MAX], 25750, 200);
	ck_assert_double_eq_tol(findings.steady[MINUTE_STDDEV], 1400, 30);
	ck_assert_double_eq(findings.steady_since_s, 1200);
	ck_assert_double_eq(findings.steady_since_fills, 1);
	ck_assert_double_eq(findings.near_share, 1);
	ck_assert_uint_eq(findings.spike_count, 0);
	ck_assert_uint_eq(findings.gap_count, 0);
	findings_free(&findings);
}
END_TEST

START_TEST(every_spike_with_time_and_height)
{
	struct findings findings;

	make_usual(120, 0.03);
	list[40].values[MINUTE_MAX] = 90000;
	list[70].values[MINUTE_MEAN] = 6000;
	list[71].values[MINUTE_MEAN] = 7000;
	list[71].values[MINUTE_STDDEV] = 5000;
	list[119].values[MINUTE_MAX] = 60000;
	findings = find(120);
	ck_assert_uint_eq(findings.spike_count, 4);
	ck_assert_uint_eq(findings.spike_times, 3);
	ck_assert_uint_eq(findings.spikes[0].minute, 40);
	ck_assert_int_eq(findings.spikes[0].measure, MINUTE_MAX);
	ck_assert_double_eq(findings.spikes[0].us, 90000);
	ck_assert_double_eq_tol(findings.spikes[0].usual, 25000, 800);
	ck_assert_uint_eq(findings.spikes[1].minute, 71);
	ck_assert_int_eq(findings.spikes[1].measure, MINUTE_MEAN);
	ck_assert_uint_eq(findings.spikes[2].minute, 71);
	ck_assert_uint_eq(findings.spikes[3].minute, 119);
	findings_free(&findings);
}
END_TEST

START_TEST(the_fall_itself_is_no_spike)
{
	struct findings findings;
	size_t i;

	for (i = 0; i < 100; i++)
		set_minute(i, i < 20 ? 400000 : 170000, i < 20 ? 8000 : 30000, i < 20 ? 200 : 1400);
	findings = find(100);
	ck_assert_uint_eq(findings.spike_count, 0);
	ck_assert_double_eq(findings.burst_end_s, 1200);
	findings_free(&findings);
}
END_TEST

START_TEST(no_burst_where_it_began_as_it_went_on)
{
	struct findings findings;
	size_t i;

	for (i = 0; i < 60; i++)
		set_minute(i, i % 2 ? 100000 : 103000, 5000, 300);
	findings = find(60);
	ck_assert(isnan(findings.burst_iops) && isnan(findings.burst_end_s));
	ck_assert_double_eq_tol(findings.steady[MINUTE_IOPS], 101500, 500);
	ck_assert_double_eq(findings.steady_since_s, 0);
	ck_assert_double_eq(findings.steady_since_fills, 0);
	findings_free(&findings);
}
END_TEST

START_TEST(a_burst_of_one_minute)
{
	struct findings findings;
	size_t i;

	for (i = 0; i < 60; i++)
		set_minute(i, i ? 100000 : 300000, 5000, 300);
	findings = find(60);
	ck_assert_double_eq(findings.burst_iops, 300000);
	ck_assert_double_eq(findings.burst_end_s, 60);
	findings_free(&findings);
}
END_TEST

START_TEST(a_run_that_falls_or_swings_has_no_level)
{
	struct findings findings;
	size_t i;

	for (i = 0; i < 100; i++)
		set_minute(i, 400000 - 3000.0 * (double)i, 5000, 300);
	findings = find(100);
	ck_assert(isnan(findings.steady[MINUTE_IOPS]) && isnan(findings.near_share));
	findings_free(&findings);
	/* A plateau, and then a fall. */
	for (i = 0; i < 100; i++)
		set_minute(i, i < 92 ? 300000 : 100000, 5000, 300);
	findings = find(100);
	ck_assert(isnan(findings.steady[MINUTE_IOPS]));
	findings_free(&findings);
	for (i = 0; i < 100; i++)
		set_minute(i, i / 4 % 2 ? 300000 : 100000, 5000, 300);
	findings = find(100);
	ck_assert(isnan(findings.steady[MINUTE_IOPS]));
	findings_free(&findings);
}
END_TEST

START_TEST(zeros_are_never_steady)
{
	struct findings findings;
	size_t i;

	for (i = 0; i < 60; i++)
		set_minute(i, 0, NAN, NAN);
	findings = find(60);
	ck_assert(isnan(findings.steady[MINUTE_IOPS]) && isnan(findings.burst_iops));
	ck_assert_uint_eq(findings.spike_count, 0);
	findings_free(&findings);
	ck_assert_int_eq(findings_make(&minutes, 0, 3600, &findings), 0);
	ck_assert(isnan(findings.steady[MINUTE_IOPS]));
	findings_free(&findings);
	for (i = 0; i < 60; i++)
		set_minute(i, i < 50 ? 100000 : 0, 900, 90);
	findings = find(60);
	ck_assert(isnan(findings.steady[MINUTE_IOPS]));
	findings_free(&findings);
}
END_TEST

START_TEST(gaps_are_marked_and_change_nothing)
{
	struct findings findings;
	size_t i;

	make_usual(120, 0.03);
	for (i = 60; i < 72; i++)
		set_gap(i);
	set_gap(90);
	findings = find(120);
	ck_assert_uint_eq(findings.gap_count, 2);
	ck_assert_double_eq(findings.gaps[0].at_s, 3600);
	ck_assert_double_eq(findings.gaps[0].seconds, 720);
	ck_assert_double_eq(findings.gaps[1].at_s, 5400);
	ck_assert_double_eq(findings.burst_end_s, 1200);
	ck_assert_double_eq(findings.steady_since_s, 1200);
	ck_assert_double_eq(findings.near_share, 1);
	ck_assert_uint_eq(findings.spike_count, 0);
	findings_free(&findings);
}
END_TEST

START_TEST(minutes_off_the_level_are_counted)
{
	struct findings findings;
	size_t i;

	make_usual(120, 0.03);
	for (i = 30; i < 80; i += 2)
		list[i].values[MINUTE_IOPS] = 140000;
	findings = find(120);
	ck_assert_double_eq_tol(findings.near_share, 0.75, 1e-9);
	findings_free(&findings);
}
END_TEST

START_TEST(a_window_that_is_known_is_taken)
{
	struct findings findings;

	make_usual(120, 0);
	minutes.count = 120;
	ck_assert_int_eq(findings_make(&minutes, 3000, 6000, &findings), 0);
	ck_assert_double_eq(findings.steady[MINUTE_IOPS], 170000);
	ck_assert_double_eq(findings.steady_since_s, 1200);
	findings_free(&findings);
	ck_assert_int_eq(findings_make(&minutes, 99999, 999999, &findings), 0);
	ck_assert(isnan(findings.steady[MINUTE_IOPS]));
	findings_free(&findings);
}
END_TEST

START_TEST(short_runs_and_none)
{
	struct findings findings;
	size_t count;

	make_usual(6, 0.01);
	for (count = 0; count <= 6; count++) {
		findings = find(count);
		ck_assert_uint_eq(findings.spike_count, 0);
		ck_assert(isnan(findings.burst_iops));
		ck_assert(count < 5 ? isnan(findings.steady[MINUTE_IOPS])
				    : findings.steady[MINUTE_IOPS] > 390000);
		findings_free(&findings);
	}
	set_gap(0);
	findings = find(1);
	ck_assert_uint_eq(findings.gap_count, 1);
	findings_free(&findings);
}
END_TEST

/* 300 runs with a burst, a level and spikes at random: all are found as they were made. */
START_TEST(runs_at_random)
{
	uint64_t random = 5;
	int run;

	for (run = 0; run < 300; run++) {
		size_t end = 5 + random_below(random_next(&random), 60), spikes = 0, i;
		double ratio = 1.5 + 3 * random_share(random_next(&random));
		struct findings findings;

		for (i = 0; i < 300; i++) {
			double noise = 0.98 + 0.04 * random_share(random_next(&random));

			set_minute(i, (i < end ? ratio : 1) * 50000 * noise, 9000 * noise,
				   300 * noise);
			if (i > end + 20 && i % 20 == 3 && random_next(&random) % 3 == 0) {
				list[i].values[MINUTE_MAX] *= 4;
				spikes++;
			}
		}
		findings = find(300);
		ck_assert_double_eq(findings.burst_end_s, 60.0 * (double)end);
		ck_assert_double_eq_tol(findings.burst_iops, ratio * 50000, ratio * 1000);
		ck_assert_double_eq_tol(findings.steady[MINUTE_IOPS], 50000, 500);
		ck_assert_double_eq(findings.steady_since_s, 60.0 * (double)end);
		ck_assert_uint_eq(findings.spike_count, spikes);
		findings_free(&findings);
	}
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("findings");
	TCase *tests = tcase_create("findings");

	tcase_add_test(tests, burst_and_level_of_a_usual_run);
	tcase_add_test(tests, every_spike_with_time_and_height);
	tcase_add_test(tests, the_fall_itself_is_no_spike);
	tcase_add_test(tests, no_burst_where_it_began_as_it_went_on);
	tcase_add_test(tests, a_burst_of_one_minute);
	tcase_add_test(tests, a_run_that_falls_or_swings_has_no_level);
	tcase_add_test(tests, zeros_are_never_steady);
	tcase_add_test(tests, gaps_are_marked_and_change_nothing);
	tcase_add_test(tests, minutes_off_the_level_are_counted);
	tcase_add_test(tests, a_window_that_is_known_is_taken);
	tcase_add_test(tests, short_runs_and_none);
	tcase_add_test(tests, runs_at_random);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(make_suite());
}
