/* SPDX-License-Identifier: GPL-2.0-only */
/* What is kept of rounds, and when they end: windows, gaps, times; the clocks behind the gaps. */
#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "review/rounds.h"
#include "tests/unit/suite.h"

static struct profile_row profile_row;
static const char *busy; /* why the machine is the limit of the next rounds; "" */
static struct plan_row row;
static struct run run;
static json_t *root;

/* One load, 4K writes on 1 GB, ten samples of a minute; a round writes `fills` of it. */
static void set_up(void)
{
	static char folder[] = "/tmp";

	busy = "";
	profile_row = (struct profile_row){.name = "p", .steps = STEPS_ROUNDS};
	profile_row.rounds = (struct profile_rounds){.load = {16, 16},
						     .load_s = 600,
						     .sample_s = 60,
						     .time_s = 3600,
						     .rule = {.window = 5,
							      .range = 0.2,
							      .slope = 0.1,
							      .at_least_fills = 2,
							      .at_most_rounds = 25},
						     .tracks = {{.measure = "iops"}},
						     .track_count = 1};
	row = (struct plan_row){.row = &profile_row, .region = {.bytes = 1000000000}};
	row.rounds.loads[0] = (struct plan_load){.name = "4k", .block_bytes = 4096};
	row.rounds.load_count = 1;
	row.rounds.loads[0].load_s = 600;
	row.rounds.loads[0].sample_s = 60;
	run = (struct run){.target = {.kind = TARGET_DEVICE, .scale = 1},
			   .index = {.root = json_object()}};
	run.plan.target = &run.target;
	snprintf(run.folder, sizeof(run.folder), "%s", folder);
	root = rounds_new(&run, &row, json_null());
}

static void tear_down(void)
{
	json_decref(root);
	json_decref(run.index.root);
}

static void add_round_with(double iops, double fills, struct clock_gap gap, bool is_whole)
{
	struct measures samples[10] = {0};
	struct round_result *round = calloc(1, sizeof(*round));
	struct round_load *load = &round->loads[0];
	unsigned i;

	round->count = 1;
	round->gap = gap;
	round->is_whole = is_whole;
	load->samples = samples;
	load->sample_count = 10;
	load->written_bytes = (uint64_t)(fills * 1e9);
	snprintf(load->machine, sizeof(load->machine), "%s", busy);
	for (i = 0; i < 10; i++) {
		samples[i].seconds = 60;
		samples[i].write = (struct measure){.count = (uint64_t)(iops * 60),
						    .bytes = (uint64_t)(fills * 1e8),
						    .max_ns = 5000000 + i,
						    .mean_ns = 1500000,
						    .m2_ns2 = iops * 60 * 1e12};
		measures_append(&load->measures, &samples[i]);
	}
	rounds_add(root, &row, round, 1);
	rounds_judge(root, &row);
	free(round);
}

static void add_round(double iops, double fills)
{
	add_round_with(iops, fills, (struct clock_gap){0}, true);
}

static void add_rounds(unsigned count, double iops, double fills)
{
	while (count--)
		add_round(iops, fills);
}

static const json_t *steady(const char *key)
{
	return json_object_get(json_object_get(root, "steady"), key);
}

static const char *verdict_of(unsigned round)
{
	return json_string_value(json_object_get(
		json_array_get(json_object_get(root, "rounds"), round - 1), "verdict"));
}

START_TEST(steady_after_five_alike)
{
	add_round(400000, 0.5);
	add_rounds(4, 170000, 0.5);
	ck_assert(!rounds_are_finished(root));
	ck_assert_ptr_nonnull(strstr(verdict_of(5), "range 106.5 % of the mean (over 20 %)"));
	add_round(171000, 0.5);
	ck_assert(rounds_are_finished(root));
	ck_assert(json_is_true(steady("steady")));
	ck_assert_str_eq(json_string_value(steady("ended_by")), "steady");
	ck_assert_int_eq(json_integer_value(steady("rounds_taken")), 6);
	ck_assert_double_eq_tol(json_number_value(steady("fills")), 3, 1e-9);
	ck_assert_int_eq(json_integer_value(json_array_get(
				 json_object_get(json_array_get(steady("track"), 0), "rounds"), 0)),
			 2);
	ck_assert_ptr_nonnull(strstr(json_string_value(steady("text")),
				     "Steady after 1 h 00 min and 3.00 drive fills (SNIA's rule): "
				     "rounds 2 to 6, range 0.6 %"));
}
END_TEST

START_TEST(not_before_the_capacity_was_written_twice)
{
	add_rounds(9, 170000, 0.2);
	ck_assert(!rounds_are_finished(root));
	ck_assert_ptr_nonnull(strstr(verdict_of(9), "but only 1.80 of 2 drive fills are written"));
	add_round(170000, 0.2);
	ck_assert(rounds_are_finished(root));
}
END_TEST

START_TEST(a_load_that_only_reads_is_never_steady)
{
	add_rounds(25, 170000, 0);
	ck_assert(rounds_are_finished(root));
	ck_assert(json_is_false(steady("steady")));
	ck_assert_str_eq(json_string_value(steady("ended_by")), "rounds");
	ck_assert_ptr_nonnull(strstr(json_string_value(steady("text")), "Not steady after"));
}
END_TEST

START_TEST(a_dead_drive_is_never_steady)
{
	add_rounds(3, 170000, 1);
	add_rounds(21, 0, 0);
	ck_assert(!rounds_are_finished(root));
	add_round(0, 0);
	ck_assert(json_is_false(steady("steady")));
	ck_assert(json_is_null(json_object_get(json_array_get(steady("track"), 0), "mean")));
}
END_TEST

START_TEST(no_window_lies_across_a_gap)
{
	add_rounds(4, 170000, 1);
	rounds_add_gap(root, 3600, "interrupted", "a pause");
	add_rounds(4, 170000, 1);
	ck_assert(!rounds_are_finished(root));
	add_round(170000, 1);
	ck_assert(rounds_are_finished(root));
	ck_assert_int_eq(json_integer_value(steady("rounds_taken")), 9);
}
END_TEST

START_TEST(a_round_that_slept_does_not_count)
{
	const json_t *gap;

	add_rounds(4, 170000, 1);
	add_round_with(170000, 1, (struct clock_gap){.suspended_s = 28800}, true);
	ck_assert(!rounds_are_finished(root));
	gap = json_array_get(json_object_get(root, "gaps"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(gap, "why")), "suspended");
	ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(gap, "text")),
				     "slept for 28800 s during round 5"));
	add_rounds(4, 170000, 1);
	ck_assert(!rounds_are_finished(root));
	add_round(170000, 1);
	ck_assert(rounds_are_finished(root));
}
END_TEST

/* What is measured goes by a clock that nobody sets: the step is noted, no more. */
START_TEST(a_clock_that_was_set_is_noted)
{
	add_rounds(4, 170000, 1);
	add_round_with(170000, 1, (struct clock_gap){.set_s = -7200}, true);
	ck_assert(rounds_are_finished(root));
	ck_assert_uint_eq(json_array_size(json_object_get(root, "gaps")), 1);
}
END_TEST

START_TEST(a_round_cut_short_does_not_count)
{
	add_rounds(4, 170000, 1);
	add_round_with(170000, 1, (struct clock_gap){0}, false);
	ck_assert(!rounds_are_finished(root));
}
END_TEST

static const char *end_text(void)
{
	return json_string_value(steady("text"));
}

/* A machine is steadier than any drive. */
START_TEST(a_round_that_the_machine_held_back_does_not_count)
{
	const json_t *rounds = json_object_get(root, "rounds");

	add_rounds(4, 170000, 1);
	busy = "the CPU was the limit (98 % busy)";
	add_round(170000, 1);
	ck_assert(!rounds_are_finished(root));
	ck_assert_str_eq(verdict_of(5), "invalid: the CPU was the limit (98 % busy)");
	ck_assert(json_is_false(json_object_get(json_array_get(rounds, 4), "usable")));
	ck_assert_str_eq(json_string_value(json_object_get(json_array_get(rounds, 4), "invalid")),
			 "the CPU was the limit (98 % busy)");
	ck_assert(json_is_null(json_object_get(json_array_get(rounds, 3), "invalid")));
	busy = "";
	add_rounds(5, 170000, 1);
	ck_assert(json_is_true(steady("steady")));
	ck_assert_ptr_nonnull(strstr(end_text(), "rounds 6 to 10, range 0.0 %"));
	ck_assert_ptr_nonnull(strstr(end_text(), " 1 of 10 rounds is invalid: the CPU was the"));
}
END_TEST

/* There is a verdict, though no window could be judged. */
START_TEST(the_last_round_brings_a_verdict_without_a_window)
{
	busy = "the CPU was the limit";
	add_rounds(25, 170000, 1);
	ck_assert(json_is_false(steady("steady")));
	ck_assert_str_eq(json_string_value(steady("ended_by")), "rounds");
	ck_assert_str_eq(end_text(), "Not steady after 4 h 10 min and 25.00 drive fills (the most "
				     "rounds that are allowed): no 5 usable rounds follow one "
				     "another at its end, only 0. 25 of 25 rounds are invalid: the "
				     "CPU was the limit.");
}
END_TEST

/* What is not followed may be too fast for the machine. */
START_TEST(other_loads_do_not_spoil_a_round)
{
	row.rounds.load_count = 2;
	row.rounds.loads[1] = row.rounds.loads[0];
	row.rounds.tracked[0] = 1;
	busy = "the CPU was the limit";
	add_round(170000, 1);
	ck_assert(json_is_null(
		json_object_get(json_array_get(json_object_get(root, "rounds"), 0), "invalid")));
}
END_TEST

static void until_written(double fills, double time_s)
{
	profile_row.rounds.until = UNTIL_WRITTEN;
	profile_row.rounds.rule.at_least_fills = fills;
	profile_row.rounds.rule.at_most_rounds = 2;
	profile_row.rounds.time_s = time_s;
}

START_TEST(write_saturation_ends_with_what_is_written)
{
	until_written(4, 86400);
	add_rounds(5, 170000, 0.7);
	ck_assert(!rounds_are_finished(root)); /* steady, but not written four times */
	add_round(170000, 0.7);
	ck_assert(rounds_are_finished(root));
	ck_assert_str_eq(json_string_value(steady("ended_by")), "written");
	ck_assert(json_is_true(steady("steady")));
	ck_assert_ptr_nonnull(strstr(end_text(), "Steady after 1 h 00 min and 4.20 drive fills (4 "
						 "drive fills, written before 24 h 00 min were "
						 "over): rounds 2 to 6"));
}
END_TEST

START_TEST(write_saturation_ends_with_its_time)
{
	until_written(4, 3600);
	add_rounds(5, 170000, 0.1);
	ck_assert(!rounds_are_finished(root));
	add_round(400000, 0.1);
	ck_assert_str_eq(json_string_value(steady("ended_by")), "time");
	ck_assert(json_is_false(steady("steady")));
	ck_assert_ptr_nonnull(strstr(end_text(), "Not steady after 1 h 00 min and 0.60 drive fills "
						 "(1 h 00 min, over before 4 drive fills were "
						 "written): rounds 2 to 6, range"));
}
END_TEST

START_TEST(a_fixed_time)
{
	profile_row.rounds.until = UNTIL_TIME;
	add_rounds(5, 170000, 1);
	ck_assert(!rounds_are_finished(root));
	add_round(170000, 1);
	ck_assert(rounds_are_finished(root));
	ck_assert_str_eq(json_string_value(steady("ended_by")), "time");
	ck_assert(json_is_true(steady("steady")));
}
END_TEST

START_TEST(everything_tracked_must_be_steady)
{
	profile_row.rounds.tracks[1] = (struct profile_track){.measure = "read_iops"};
	profile_row.rounds.track_count = 2;
	add_rounds(25, 170000, 1);
	ck_assert(json_is_false(steady("steady")));
	ck_assert(json_is_true(json_object_get(json_array_get(steady("track"), 0), "steady")));
	ck_assert(json_is_false(json_object_get(json_array_get(steady("track"), 1), "steady")));
}
END_TEST

START_TEST(samples_follow_one_another)
{
	const json_t *samples = json_object_get(root, "samples"), *sample;

	add_rounds(2, 170000, 0.5);
	ck_assert_uint_eq(json_array_size(samples), 20);
	sample = json_array_get(samples, 12);
	ck_assert_int_eq(json_integer_value(json_object_get(sample, "round")), 2);
	ck_assert_double_eq_tol(json_number_value(json_object_get(sample, "start_s")), 720, 1e-9);
	ck_assert_double_eq_tol(json_number_value(json_object_get(sample, "fills")), 0.65, 1e-9);
	ck_assert(json_is_null(json_object_get(sample, "read")));
	sample = json_object_get(sample, "write");
	ck_assert_double_eq_tol(json_number_value(json_object_get(sample, "iops")), 170000, 1e-6);
	ck_assert_double_eq_tol(json_number_value(json_object_get(sample, "stddev_ns")), 1e6, 1);
	ck_assert_int_eq(json_integer_value(json_object_get(sample, "max_ns")), 5000002);
}
END_TEST

START_TEST(what_is_kept_is_read_again)
{
	char path[] = "/tmp/ssdreview-rounds.XXXXXX";
	struct error err;
	json_t *again;

	close(mkstemp(path));
	add_rounds(3, 170000, 1);
	ck_assert_int_eq(rounds_save(path, root, &err), 0);
	ck_assert_int_eq(rounds_load(path, &again, &err), 0);
	ck_assert_uint_eq(rounds_taken(again), 3);
	ck_assert_double_eq_tol(rounds_fills(again), 3, 1e-9);
	ck_assert_double_eq_tol(rounds_seconds(again), 1800, 1e-9);
	ck_assert(json_equal(json_object_get(root, "rule"), json_object_get(again, "rule")));
	json_decref(again);
	ck_assert_int_eq(file_write_atomic(path, "{\"version\": 2}", 14, &err), 0);
	ck_assert_int_eq(rounds_load(path, &again, &err), -1);
	ck_assert_int_eq(file_write_atomic(path, "{\"versi", 7, &err), 0);
	ck_assert_int_eq(rounds_load(path, &again, &err), -1);
	unlink(path);
}
END_TEST

/* ---- clocks --------------------------------------------------------------------------------- */

START_TEST(clocks_tell_sleep_from_a_set_clock)
{
	struct clocks before = {1000, 100, 100}, after = {1660, 760, 760};
	struct clock_gap gap = clocks_gap(&before, &after);

	ck_assert(gap.suspended_s == 0 && gap.set_s == 0);
	after = (struct clocks){1000 + 4260, 760, 4360}; /* an hour asleep */
	gap = clocks_gap(&before, &after);
	ck_assert_double_eq_tol(gap.suspended_s, 3600, 1e-9);
	ck_assert(gap.set_s == 0);
	after = (struct clocks){1660 - 7200, 760, 760}; /* set back by two hours */
	gap = clocks_gap(&before, &after);
	ck_assert(gap.suspended_s == 0);
	ck_assert_double_eq_tol(gap.set_s, -7200, 1e-9);
	after = (struct clocks){1660.4, 760, 760.1}; /* trimmed */
	gap = clocks_gap(&before, &after);
	ck_assert(gap.suspended_s == 0 && gap.set_s == 0);
}
END_TEST

START_TEST(the_newest_file_tells_how_long_a_review_rested)
{
	char folder[] = "/tmp/ssdreview-rest.XXXXXX", row_folder[64], path[80];
	struct timespec times[2] = {{.tv_sec = time(NULL) - 5000}, {.tv_sec = time(NULL) - 5000}};

	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert(isnan(folder_rest_s(folder)));
	snprintf(row_folder, sizeof(row_folder), "%s/row", folder);
	snprintf(path, sizeof(path), "%s/x", row_folder);
	ck_assert_int_eq(mkdir(row_folder, 0700), 0);
	ck_assert_int_eq(file_write_atomic(path, "", 0, NULL), 0);
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	ck_assert_double_eq_tol(folder_rest_s(folder), 5000, 100);
	times[1].tv_sec += 10000; /* of the future: the clock was set back since */
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	ck_assert_double_lt(folder_rest_s(folder), 0);
	unlink(path);
	rmdir(row_folder);
	rmdir(folder);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rounds");
	TCase *rounds = tcase_create("rounds"), *clocks = tcase_create("clocks");

	tcase_add_checked_fixture(rounds, set_up, tear_down);
	tcase_add_test(rounds, steady_after_five_alike);
	tcase_add_test(rounds, not_before_the_capacity_was_written_twice);
	tcase_add_test(rounds, a_load_that_only_reads_is_never_steady);
	tcase_add_test(rounds, a_dead_drive_is_never_steady);
	tcase_add_test(rounds, no_window_lies_across_a_gap);
	tcase_add_test(rounds, a_round_that_slept_does_not_count);
	tcase_add_test(rounds, a_clock_that_was_set_is_noted);
	tcase_add_test(rounds, a_round_cut_short_does_not_count);
	tcase_add_test(rounds, a_round_that_the_machine_held_back_does_not_count);
	tcase_add_test(rounds, the_last_round_brings_a_verdict_without_a_window);
	tcase_add_test(rounds, other_loads_do_not_spoil_a_round);
	tcase_add_test(rounds, write_saturation_ends_with_what_is_written);
	tcase_add_test(rounds, write_saturation_ends_with_its_time);
	tcase_add_test(rounds, a_fixed_time);
	tcase_add_test(rounds, everything_tracked_must_be_steady);
	tcase_add_test(rounds, samples_follow_one_another);
	tcase_add_test(rounds, what_is_kept_is_read_again);
	tcase_add_test(clocks, clocks_tell_sleep_from_a_set_clock);
	tcase_add_test(clocks, the_newest_file_tells_how_long_a_review_rested);
	suite_add_tcase(suite, rounds);
	suite_add_tcase(suite, clocks);
	return run_suite(suite);
}
