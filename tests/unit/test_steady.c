/* SPDX-License-Identifier: GPL-2.0-only */
/* The steady-state rule against another way to reckon it, and against series of known answer. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "postprocess/steady.h"
#include "tests/unit/suite.h"

#define ROUNDS 25

static const struct steady_rule snia = {
	.window = 5, .range = 0.2, .slope = 0.1, .at_least_fills = 2, .at_most_rounds = ROUNDS};

/* ---- in whole numbers ----------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;

	return (x > y) - (x < y);
}

/*
 * The normal equations of y = a + b x over x = 1 ... n, both limits as cross products: no division,
 * no rounding.
 */
static bool steady_in_whole_numbers(const long long *values, int n)
{
	long long sorted[STEADY_MOST_WINDOW];
	__int128 sum_x = 0, sum_y = 0, sum_xy = 0, sum_xx = 0, rise, run;
	int x;

	for (x = 1; x <= n; x++) {
		sum_x += x;
		sum_xx += x * x;
		sum_y += values[x - 1];
		sum_xy += (__int128)x * values[x - 1];
		sorted[x - 1] = values[x - 1];
	}
	qsort(sorted, (size_t)n, sizeof(*sorted), by_size);
	if (sorted[0] <= 0)
		return false;
	rise = n * sum_xy - sum_x * sum_y;
	run = n * sum_xx - sum_x * sum_x;
	if (rise < 0)
		rise = -rise;
	return (__int128)(sorted[n - 1] - sorted[0]) * n * 5 <= sum_y &&
	       rise * (n - 1) * n * 10 <= run * sum_y;
}

/* The first round after which it is steady; 0: none is. Every round writes 0.2 of the capacity. */
static unsigned first_in_whole_numbers(const long long *values)
{
	int round;

	for (round = 5; round <= ROUNDS; round++)
		if (round >= 10 && steady_in_whole_numbers(values + round - 5, 5))
			return (unsigned)round;
	return 0;
}

static unsigned first_steady(const double *values)
{
	struct steady_fit fit;
	unsigned round;

	for (round = 1; round <= ROUNDS; round++) {
		enum steady_end end;

		steady_fit(values, round, &snia, &fit);
		end = steady_end(fit.steady, round / 5.0, round, &snia);
		if (end == STEADY_REACHED)
			return round;
		ck_assert_int_eq(end, round < ROUNDS ? STEADY_NOT_YET : STEADY_GIVEN_UP);
	}
	return 0;
}

/* ---- 500 series ----------------------------------------------------------------------------- */

enum kind { FLAT, DRIFT, FALLING, OSCILLATION, OUTLIER, PLATEAU, ZEROS, LIMIT, NOISE, KINDS };

static long long within(uint64_t *random, long long from, long long to)
{
	return from + (long long)(random_share(random_next(random)) * (double)(to - from + 1));
}

/* The series of one kind; *known is the round it is steady after, -1 where none is known
 * beforehand.
 */
static void make_series(enum kind kind, uint64_t *random, long long *y, int *known)
{
	long long level = within(random, 100000, 900000), at = within(random, 12, 20), r;

	*known = -1;
	for (r = 0; r < ROUNDS; r++) {
		switch (kind) {
		case FLAT: /* 2 % of noise */
			y[r] = level + within(random, -level / 100, level / 100);
			*known = 10;
			break;
		case DRIFT: /* 4 % a round of the first: ever less of the mean */
			y[r] = level * (100 + 4 * r) / 100;
			*known = level ? -1 : 0;
			break;
		case FALLING: /* a third less each round */
			y[r] = r ? y[r - 1] * 2 / 3 : level;
			*known = 0;
			break;
		case OSCILLATION: /* 25 % of the mean from crest to trough: no slope, too much range
				   */
			y[r] = level + (r % 2 ? level / 8 : -level / 8);
			*known = 0;
			break;
		case OUTLIER: /* a round at half the level, in the window of rounds 10 to 14 */
			y[r] = r == 9 ? level / 2 : level;
			*known = 15;
			break;
		case PLATEAU: /* level, then it falls: steady before anybody can know */
			y[r] = r < at ? level : level / 4;
			*known = 10;
			break;
		case ZEROS: /* a dead drive, from some round on */
			y[r] = r < at - 7 ? level * (r % 2 + 1) : 0;
			*known = 0;
			break;
		case LIMIT: /* exactly at 20 % of the mean, or one above it */
			level = level / 10 * 10;
			y[r] = level + (r % 5 == 0 ? level / 10 : r % 5 == 2 ? -level / 10 : 0);
			break;
		default: /* anything */
			y[r] = within(random, level - level / 9, level + level / 9);
		}
	}
}

START_TEST(five_hundred_series)
{
	uint64_t random = 7;
	unsigned i, steady = 0;

	for (i = 0; i < 500; i++) {
		long long whole[ROUNDS];
		double values[ROUNDS];
		unsigned r, found;
		int known;

		make_series((enum kind)(i % KINDS), &random, whole, &known);
		for (r = 0; r < ROUNDS; r++)
			values[r] = (double)whole[r];
		found = first_steady(values);
		ck_assert_msg(found == first_in_whole_numbers(whole),
			      "series %u: steady after %u, in whole numbers after %u", i, found,
			      first_in_whole_numbers(whole));
		ck_assert_msg(known < 0 || found == (unsigned)known,
			      "series %u: steady after %u, known: %d", i, found, known);
		steady += found > 0;
	}
	ck_assert_uint_gt(steady, 150);
	ck_assert_uint_lt(steady, 400);
}
END_TEST

/* ---- single windows ------------------------------------------------------------------------- */

static struct steady_fit fit_of(const double *values)
{
	struct steady_fit fit;

	steady_fit(values, 5, &snia, &fit);
	return fit;
}

/* The log of a drive that was called steady and was not. */
START_TEST(a_log_that_still_falls)
{
	const double late[] = {58853, 72292, 79839, 79852, 79879};
	const double before[] = {62856, 61628, 60328, 58853, 72292};
	const double early[] = {79617, 79793, 79661, 79704, 79483};
	struct steady_fit fit = fit_of(late);

	ck_assert_double_eq_tol(fit.mean, 74143, 0.5);
	ck_assert_double_eq_tol(fit.range_share, 0.284, 0.0005);
	ck_assert(!fit.steady);
	fit = fit_of(before);
	ck_assert_double_eq_tol(fit.range_share, 0.213, 0.0005);
	ck_assert(!fit.steady);
	fit = fit_of(early);
	ck_assert_double_eq_tol(fit.range_share, 0.0039, 0.00005);
	ck_assert(fit.steady);
	/* So early only the amount that was written keeps it from being called steady. */
	ck_assert_int_eq(steady_end(fit.steady, 0.4, 5, &snia), STEADY_NOT_YET);
}
END_TEST

START_TEST(a_line_is_fitted)
{
	const double rising[] = {100, 102, 104, 106, 108};
	struct steady_fit fit = fit_of(rising);

	ck_assert_double_eq_tol(fit.slope_per_round, 2, 1e-12);
	ck_assert_double_eq_tol(fit.fit_first, 100, 1e-9);
	ck_assert_double_eq_tol(fit.fit_last, 108, 1e-9);
	ck_assert_double_eq_tol(fit.excursion_share, 8.0 / 104, 1e-12);
	ck_assert(fit.steady);
}
END_TEST

/* Both criteria, together. */
START_TEST(range_alone_is_not_enough)
{
	const double sloping[] = {100, 104, 108, 112, 116};
	const double scattered[] = {100, 121, 99, 121, 100};

	ck_assert_double_lt(fit_of(sloping).range_share, 0.2);
	ck_assert(!fit_of(sloping).steady);
	ck_assert_double_lt(fit_of(scattered).excursion_share, 0.1);
	ck_assert(!fit_of(scattered).steady);
}
END_TEST

START_TEST(no_number_is_never_steady)
{
	const double odd[] = {0, -1, NAN, INFINITY, -INFINITY};
	unsigned i, at;

	for (i = 0; i < COUNT(odd); i++) {
		for (at = 0; at < 5; at++) {
			double values[] = {100, 100, 100, 100, 100};
			struct steady_fit fit;

			values[at] = odd[i];
			fit = fit_of(values);
			ck_assert(!fit.steady && isnan(fit.mean));
		}
	}
}
END_TEST

START_TEST(too_few_rounds_are_never_steady)
{
	const double values[] = {100, 100, 100, 100, 100};
	struct steady_fit fit;
	char text[128];

	steady_fit(values, 4, &snia, &fit);
	ck_assert(!fit.steady);
	steady_words(&fit, &snia, text, sizeof(text));
	ck_assert_str_eq(text, "a round without a value");
	steady_fit(values, 5, &snia, &fit);
	steady_words(&fit, &snia, text, sizeof(text));
	ck_assert_str_eq(text,
			 "range 0.0 % of the mean (within 20 %), slope 0.0 % of it (within 10 %)");
}
END_TEST

/* Sums of large rates stay exact where 32 bits would not. */
START_TEST(large_values)
{
	const double values[] = {4e9, 4e9 + 1, 4e9, 4e9 - 1, 4e9};
	struct steady_fit fit = fit_of(values);

	ck_assert(fit.steady);
	ck_assert_double_eq_tol(fit.mean, 4e9, 1e-3);
	ck_assert_double_eq_tol(fit.range_share, 2 / 4e9, 1e-15);
}
END_TEST

int main(void)
{
	TCase *rule = tcase_create("rule");

	tcase_add_test(rule, five_hundred_series);
	tcase_add_test(rule, a_log_that_still_falls);
	tcase_add_test(rule, a_line_is_fitted);
	tcase_add_test(rule, range_alone_is_not_enough);
	tcase_add_test(rule, no_number_is_never_steady);
	tcase_add_test(rule, too_few_rounds_are_never_steady);
	tcase_add_test(rule, large_values);
	return run_case("steady state", rule);
}
