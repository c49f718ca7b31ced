/* SPDX-License-Identifier: GPL-2.0-only */
/* Due times: their distribution, their repeatability, and how clones share them. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "engines/core/schedule.h"
#include "tests/unit/suite.h"

#define SAMPLES 100000

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Largest distance between the empirical distribution and the exponential one. */
static double kolmogorov_smirnov(double *gaps, size_t count, double mean)
{
	double largest = 0.0;
	size_t i;

	qsort(gaps, count, sizeof(*gaps), by_value);
	for (i = 0; i < count; i++) {
		double share = 1.0 - exp(-gaps[i] / mean);

		largest = fmax(largest, fabs(share - (double)i / (double)count));
		largest = fmax(largest, fabs((double)(i + 1) / (double)count - share));
	}
	return largest;
}

static void take_gaps(struct schedule *schedule, double *gaps, size_t count)
{
	uint64_t before = schedule->origin_ns;
	size_t i;

	for (i = 0; i < count; i++) {
		gaps[i] = (double)(schedule->due_ns - before);
		before = schedule->due_ns;
		schedule_advance(schedule);
	}
}

START_TEST(poisson_gaps_are_exponential)
{
	static double gaps[SAMPLES];
	struct schedule schedule;

	schedule_init(&schedule, ARRIVAL_POISSON, 20000.0, (uint64_t)_i, 0, 1);
	schedule_start(&schedule, 1000);
	take_gaps(&schedule, gaps, SAMPLES);
	/* 1.63 / sqrt(N) is the critical value at alpha 0.01 (Massey 1951). */
	ck_assert_double_lt(kolmogorov_smirnov(gaps, SAMPLES, 50000.0), 1.63 / sqrt(SAMPLES));
}
END_TEST

START_TEST(poisson_rate_is_kept)
{
	struct schedule schedule;
	int i;

	schedule_init(&schedule, ARRIVAL_POISSON, 1000.0, 7, 0, 1);
	schedule_start(&schedule, 0);
	for (i = 0; i < SAMPLES; i++)
		schedule_advance(&schedule);
	ck_assert_double_eq_tol((double)schedule.due_ns / 1e6, SAMPLES, 4.0 * sqrt(SAMPLES));
}
END_TEST

START_TEST(same_seed_same_times_other_clone_other_times)
{
	struct schedule a, b, c;
	int i, differ = 0;

	schedule_init(&a, ARRIVAL_POISSON, 500.0, 42, 0, 2);
	schedule_init(&b, ARRIVAL_POISSON, 500.0, 42, 0, 2);
	schedule_init(&c, ARRIVAL_POISSON, 500.0, 42, 1, 2);
	schedule_start(&a, 5);
	schedule_start(&b, 5);
	schedule_start(&c, 5);
	for (i = 0; i < 1000; i++) {
		ck_assert_uint_eq(a.due_ns, b.due_ns);
		differ += a.due_ns != c.due_ns;
		schedule_advance(&a);
		schedule_advance(&b);
		schedule_advance(&c);
	}
	ck_assert_int_gt(differ, 990);
}
END_TEST

START_TEST(constant_clones_interleave_and_do_not_drift)
{
	struct schedule clones[4];
	uint64_t i, k;

	for (k = 0; k < 4; k++) {
		schedule_init(&clones[k], ARRIVAL_CONSTANT, 250.0, 1, (unsigned)k, 4);
		schedule_start(&clones[k], 100);
	}
	for (i = 0; i < 1000; i++) {
		for (k = 0; k < 4; k++) {
			ck_assert_uint_eq(clones[k].due_ns, 100 + i * 4000000 + k * 1000000);
			schedule_advance(&clones[k]);
		}
	}
}
END_TEST

START_TEST(rate_zero_does_not_pace)
{
	struct schedule schedule;

	schedule_init(&schedule, ARRIVAL_POISSON, 0.0, 1, 0, 1);
	ck_assert(!schedule_paces(&schedule));
	schedule_init(&schedule, ARRIVAL_POISSON, 0.5, 1, 0, 1);
	ck_assert(schedule_paces(&schedule));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("due times");

	tcase_add_loop_test(tcase, poisson_gaps_are_exponential, 1, 4);
	tcase_add_test(tcase, poisson_rate_is_kept);
	tcase_add_test(tcase, same_seed_same_times_other_clone_other_times);
	tcase_add_test(tcase, constant_clones_interleave_and_do_not_drift);
	tcase_add_test(tcase, rate_zero_does_not_pace);
	return run_case("schedule", tcase);
}
