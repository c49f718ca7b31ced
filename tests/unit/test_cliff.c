/* SPDX-License-Identifier: GPL-2.0-only */
/* The cliff finder: on drives drawn at random whose truth is known, and on odd series of windows.
 */
#include <check.h>
#include <stdlib.h>

#include "tests/tools/drawn_drive.h"
#include "tests/unit/suite.h"

#define DRIVES 40

static struct cliff_finder *finder;

static void begin(void)
{
	finder = cliff_finder_new();
	ck_assert_ptr_nonnull(finder);
}

static void end(void)
{
	cliff_finder_free(finder);
}

/* Writes `count` windows of 0.1 s at a speed; the last news. */
static int write_windows(size_t count, double speed, bool is_hot)
{
	struct cliff_window window = {(uint64_t)(speed / 10.0), NS_PER_SEC / 10, is_hot};
	int news = CLIFF_STEADY;

	while (count--) {
		int now = cliff_finder_add(finder, &window);

		ck_assert_int_ge(now, 0);
		news = now > news ? now : news;
	}
	return news;
}

static enum cliff_shape shape(struct cliff_verdict *verdict)
{
	cliff_judge(finder, verdict);
	return verdict->shape;
}

static void write_drawn(struct drawn_drive *drive, enum drawn_kind kind, uint64_t seed)
{
	struct cliff_window window;

	drawn_begin(drive, kind, seed);
	while (drawn_next(drive, &window))
		ck_assert_int_ge(cliff_finder_add(finder, &window), 0);
}

/* Is the cliff within the larger of 2 % and 5 windows of the truth? It must be found at all. */
static bool is_near(enum drawn_kind kind, uint64_t seed)
{
	struct cliff_verdict verdict;
	struct drawn_drive drive;
	double off, allowed;

	begin();
	write_drawn(&drive, kind, seed);
	ck_assert_int_eq(shape(&verdict), CLIFF_FOUND);
	off = fabs((double)verdict.cliff->at.bytes - drive.cliff_bytes);
	allowed = drive.cliff_bytes * fmax(0.02, 5.0 / drive.before_windows);
	end();
	return off <= allowed;
}

START_TEST(drawn_cliffs_are_found)
{
	unsigned near = 0, i;

	end();
	for (i = 0; i < DRIVES; i++)
		near += is_near(DRAWN_CLIFF, i);
	for (i = 0; i < DRIVES; i++)
		near += is_near(DRAWN_UP_STEP, i);
	ck_assert_uint_ge(near, 2 * DRIVES * 95 / 100);
	begin();
}
END_TEST

START_TEST(no_drawn_cliff_is_made_up)
{
	struct cliff_verdict verdict;
	struct drawn_drive drive;

	write_drawn(&drive, DRAWN_NONE, (uint64_t)_i);
	ck_assert_int_eq(shape(&verdict), CLIFF_NONE);
}
END_TEST

START_TEST(recovery_is_named_periodic)
{
	struct cliff_verdict verdict;
	unsigned i;

	for (i = 0; i < 4; i++) {
		write_windows(600, 500e6, false);
		write_windows(300, 100e6, false);
	}
	ck_assert_int_eq(shape(&verdict), CLIFF_PERIODIC);
	ck_assert_double_eq_tol(verdict.period_s, 90.0, 1.0);
	ck_assert_double_eq_tol(verdict.period_bytes, 33e9, 0.5e9);
	ck_assert_double_eq_tol(verdict.low_share, 1.0 / 3.0, 0.02);
}
END_TEST

START_TEST(every_step_is_found)
{
	struct cliff_verdict verdict;
	const struct cliff_change *changes;
	size_t count;

	write_windows(300, 1000e6, false);
	write_windows(600, 5000e6, false);
	write_windows(600, 3500e6, false);
	write_windows(600, 130e6, false);
	changes = cliff_changes(finder, &count);
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(changes[0].at.bytes, 30000000000);
	ck_assert_uint_eq(changes[1].at.bytes, 330000000000);
	ck_assert_uint_eq(changes[2].at.bytes, 540000000000);
	ck_assert_int_eq(shape(&verdict), CLIFF_FOUND);
	ck_assert_ptr_eq(verdict.cliff, &changes[2]);
	ck_assert_double_eq_tol(verdict.cliff->before, 3500e6, 20e6);
	ck_assert_double_eq_tol(changes[2].after, 130e6, 1e6);
}
END_TEST

START_TEST(a_hot_drive_is_not_judged)
{
	struct cliff_verdict verdict;

	write_windows(600, 2000e6, false);
	ck_assert_int_eq(write_windows(600, 300e6, true), CLIFF_STEADY);
	write_windows(600, 2000e6, false);
	ck_assert_int_eq(shape(&verdict), CLIFF_NONE);
	ck_assert_double_eq_tol(verdict.hot_share, 1.0 / 3.0, 1e-9);
}
END_TEST

/* The cliff may lie anywhere in the time nobody could judge, and the interval says so. */
START_TEST(a_cliff_while_hot_is_somewhere_in_it)
{
	struct cliff_verdict verdict;

	write_windows(600, 2000e6, false);
	write_windows(100, 300e6, true);
	write_windows(600, 200e6, false);
	ck_assert_int_eq(shape(&verdict), CLIFF_FOUND);
	ck_assert_uint_le(verdict.cliff->earliest.bytes, 120000000000);
	ck_assert_uint_ge(verdict.cliff->latest.bytes, 123000000000);
}
END_TEST

START_TEST(an_episode_is_no_cliff)
{
	struct cliff_verdict verdict;

	write_windows(600, 2000e6, false);
	write_windows(400, 500e6, false);
	write_windows(600, 2000e6, false);
	ck_assert_int_eq(shape(&verdict), CLIFF_EPISODE);
}
END_TEST

START_TEST(an_end_too_early_is_pending)
{
	struct cliff_verdict verdict;

	write_windows(600, 2000e6, false);
	ck_assert_int_eq(write_windows(100, 500e6, false), CLIFF_SUSPECTED);
	ck_assert_int_eq(shape(&verdict), CLIFF_NONE);
	ck_assert(verdict.is_pending);
	ck_assert_double_eq_tol((double)verdict.suspected.bytes, 120e9, 4e9);
}
END_TEST

START_TEST(nothing_is_no_cliff)
{
	struct cliff_verdict verdict;
	size_t count;

	ck_assert_int_eq(shape(&verdict), CLIFF_NONE);
	write_windows(1, 1.0, false);
	write_windows(1, 1e15, false);
	cliff_changes(finder, &count);
	ck_assert_uint_eq(count, 0);
}
END_TEST

int main(void)
{
	TCase *test = tcase_create("cliff");

	tcase_set_timeout(test, 120);
	tcase_add_checked_fixture(test, begin, end);
	tcase_add_test(test, drawn_cliffs_are_found);
	tcase_add_loop_test(test, no_drawn_cliff_is_made_up, 0, DRIVES);
	tcase_add_test(test, recovery_is_named_periodic);
	tcase_add_test(test, every_step_is_found);
	tcase_add_test(test, a_hot_drive_is_not_judged);
	tcase_add_test(test, a_cliff_while_hot_is_somewhere_in_it);
	tcase_add_test(test, an_episode_is_no_cliff);
	tcase_add_test(test, an_end_too_early_is_pending);
	tcase_add_test(test, nothing_is_no_cliff);
	return run_case("cliff", test);
}
