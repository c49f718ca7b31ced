/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of rounds and ladders in a profile: what they say, and what is wrong in others. */
#include "tests/unit/profile_fixture.h"
#include "tests/unit/suite.h"

#define REVIEW "[review]\nregion = 100 %\npurge = yes\n"
#define ROUNDS "[p]\njobfile = j.fio\nsteps = rounds\nthreads = 16\nqueue = 16\nload_s = 600\n"
#define LADDER "[l]\njobfile = j.fio\nsteps = ladder\nmeasure_s = 60\n"

#define SEQUENCE "[s]\njobfile = j.fio\nsteps = sequence\n"

static int load_text(const char *text)
{
	return load_beside("j.fio", text);
}

static void expect(const char *text)
{
	ck_assert_msg(!load_text(text), "%s", err.text);
}

static void expect_error(const char *text, const char *words)
{
	ck_assert_int_eq(load_text(text), -1);
	error_has(words);
}

START_TEST(the_enterprise_review)
{
	const struct profile_row *first, *ladder;

	ck_assert_msg(!profile_load("enterprise", &profile, &err), "%s", err.text);
	first = profile_find_row(&profile, "4k-randwrite-precondition");
	ck_assert_int_eq(first->steps, STEPS_ROUNDS);
	ck_assert_int_eq(first->fill, FILL_WHOLE);
	ck_assert_double_eq(first->region_percent, 100);
	ck_assert_uint_eq(profile_row_in_flight(first), 256);
	ck_assert_uint_eq(first->rounds.rule.window, 5);
	ck_assert_double_eq(first->rounds.rule.range, 0.2);
	ck_assert_double_eq(first->rounds.rule.slope, 0.1);
	ck_assert_double_eq(first->rounds.rule.at_least_fills, 2);
	ck_assert_uint_eq(first->rounds.rule.at_most_rounds, 25);
	ck_assert_double_eq(first->rounds.time_s, 21600);
	ladder = profile_find_row(&profile, "8k-mixed-ladder");
	ck_assert_int_eq(ladder->steps, STEPS_LADDER);
	ck_assert_uint_eq(ladder->ladder.count, 16);
	ck_assert_uint_eq(ladder->ladder.steps[1].threads, 2);
	ck_assert_uint_eq(ladder->ladder.steps[1].queue, 4);
	ck_assert_uint_eq(profile_row_in_flight(ladder), 256);
	ck_assert_str_eq(ladder->ladder.after, "8k-mixed-precondition");
	ck_assert_int_eq(first->rounds.until, UNTIL_STEADY);
	ck_assert_int_eq(profile_make_quick(&profile, &err), 0);
	ck_assert_uint_eq(first->rounds.rule.at_most_rounds, 5);
	ck_assert_int_eq(profile_fix_time(&profile, &err), 0);
	ck_assert_int_eq(first->rounds.until, UNTIL_TIME);
}
END_TEST

START_TEST(the_tests_of_snia)
{
	const struct profile_row *iops, *saturation, *idle;

	ck_assert_msg(!profile_load("snia-pts", &profile, &err), "%s", err.text);
	iops = profile_find_row(&profile, "iops");
	ck_assert_int_eq(iops->steps, STEPS_ROUNDS);
	ck_assert_uint_eq(iops->fill_passes, 2);
	ck_assert_str_eq(iops->title, "IOPS test");
	ck_assert_str_eq(iops->rounds.tracks[0].load, "r0-4k");
	ck_assert_double_eq(iops->rounds.rule.at_least_fills, 0);
	ck_assert_uint_eq(iops->rounds.rule.at_most_rounds, 25);
	saturation = profile_find_row(&profile, "write-saturation");
	ck_assert_int_eq(saturation->fill, FILL_NONE);
	ck_assert(saturation->purge);
	ck_assert_int_eq(saturation->rounds.until, UNTIL_WRITTEN);
	ck_assert_double_eq(saturation->rounds.rule.at_least_fills, 4);
	ck_assert_double_eq(saturation->rounds.time_s, 86400);
	idle = profile_find_row(&profile, "idle-recovery");
	ck_assert(idle->rounds.is_sequence);
	ck_assert_str_eq(idle->ladder.after, "write-saturation");
	ck_assert_int_eq(profile_make_quick(&profile, &err), 0);
	ck_assert_double_eq(idle->rounds.divide, 30);
	ck_assert_int_eq(profile_fix_time(&profile, &err), 0);
	ck_assert_int_eq(saturation->rounds.until, UNTIL_TIME);
	ck_assert_int_eq(idle->rounds.until, UNTIL_STEADY);
}
END_TEST

/* A purge that [review] does not allow. */
START_TEST(a_purge_is_asked_for_twice)
{
	expect_error("[review]\nregion = 1 %\n" ROUNDS "purge = yes\n",
		     "[p] purge = yes needs the same in [review]");
	expect(REVIEW ROUNDS "purge = yes\n");
	ck_assert(profile.rows[0].purge);
}
END_TEST

START_TEST(what_is_followed)
{
	expect(REVIEW ROUNDS "track = iops a:write_max, b:read_mean\n");
	ck_assert_uint_eq(profile.rows[0].rounds.track_count, 3);
	ck_assert_str_eq(profile.rows[0].rounds.tracks[0].load, "");
	ck_assert_str_eq(profile.rows[0].rounds.tracks[0].measure, "iops");
	ck_assert_str_eq(profile.rows[0].rounds.tracks[1].load, "a");
	ck_assert_str_eq(profile.rows[0].rounds.tracks[1].measure, "write_max");
	expect(REVIEW ROUNDS);
	ck_assert_uint_eq(profile.rows[0].rounds.track_count, 1);
	ck_assert_str_eq(profile.rows[0].rounds.tracks[0].measure, "iops");
}
END_TEST

/* Impossible values are named with the line they stand on. */
START_TEST(impossible_values)
{
	static const struct {
		const char *text, *words;
	} wrong[] = {
		{ROUNDS "range = 120 %\n", ":10: range: \"120 %\" is no percentage from above 0"},
		{ROUNDS "slope = 0.1\n", ":10: slope: \"0.1\" is no percentage"},
		{ROUNDS "window = 1\n", ":10: window: \"1\" is not a whole number from 2 to 32"},
		{ROUNDS "window = 33\n", "\"33\" is not a whole number from 2 to 32"},
		{ROUNDS "window = 6\nrounds = 5\n", ":11: [p] a window of 6 rounds does not fit 5"},
		{ROUNDS "sample_s = 0\n", ":10: sample_s: \"0\" is not a number from 0.1"},
		{ROUNDS "sample_s = 1200\n", ":10: [p] a load of 600 s is not a whole number of"},
		{ROUNDS "sample_s = 7\n", "not a whole number of samples of 7 s"},
		{ROUNDS "track = iops:read\n", ":10: track: unknown measure \"read\""},
		{ROUNDS "until = tired\n", ":10: until: unknown end \"tired\""},
		{ROUNDS "until = time\ntime_s = 60\n", ":11: [p] time_s 60 is shorter than a load"},
		{ROUNDS "until = written\nfills = 0\n", ":11: [p] until = written needs fills"},
		{ROUNDS "until = written\nrounds = 9\n",
		 ":11: [p] rounds has no effect with until = written"},
		{ROUNDS "until = written\ntime_s = 60\n", "time_s 60 is shorter than a load"},
		{ROUNDS "fill = hole\n", "did you mean \"whole\"?"},
		{ROUNDS "region = 0 %\n", ":10: region: \"0 %\" is no percentage"},
		{ROUNDS "in_flight = 5\n",
		 ":10: [p] is a row of rounds, where in_flight has no effect"},
		{ROUNDS "thread = 5\n", ":10: unknown key \"thread\"; did you mean \"threads\"?"},
		{"[p]\njobfile = j.fio\nsteps = rounds\nload_s = 60\n",
		 ":4: [p] is a row of rounds, and needs threads, queue"},
		{LADDER "ladder = 2T2Q\n", ":8: ladder: \"2T2Q\" is no step such as 16T/16Q"},
		{LADDER "ladder = 0T/4Q\n", "is no step such as 16T/16Q"},
		{LADDER, ":4: [l] is a ladder, and needs ladder"},
		{LADDER "ladder = 2T/2Q\nafter = p\n", ":9: [l] after \"p\" is no row with steps"},
		{LADDER "ladder = 2T/2Q\nafter = p\n" ROUNDS,
		 "is no row with steps = rounds before"},
		{"[p]\njobfile = j.fio\nsteps = round\n", "did you mean \"rounds\"?"},
		{ROUNDS "fill_passes = 0\n",
		 ":10: fill_passes: \"0\" is not a whole number from 1"},
		{ROUNDS "divide = 2\n",
		 ":10: [p] is a row of rounds, where divide has no effect: it is for sequences"},
		{ROUNDS "purge = maybe\n", ":10: purge: \"maybe\" is neither yes nor no"},
		{SEQUENCE "threads = 0\n", ":7: threads: \"0\" is not a whole number"},
		{SEQUENCE, ":4: [s] is a sequence, and needs threads, queue"},
		{SEQUENCE "threads = 1\nqueue = 4\nload_s = 9\n",
		 ":9: [s] is a sequence, where load_s has no effect"},
		{SEQUENCE "threads = 1\nqueue = 4\ndivide = 0.5\n",
		 "is not a number from 1 to 10,000"},
		{SEQUENCE "threads = 1\nqueue = 4\nafter = p\n",
		 ":9: [s] after \"p\" is no row with"},
	};
	size_t i;

	for (i = 0; i < COUNT(wrong); i++) {
		char text[1024];

		snprintf(text, sizeof(text), "%s%s", REVIEW, wrong[i].text);
		expect_error(text, wrong[i].words);
	}
}
END_TEST

START_TEST(quick_keys_must_fit_too)
{
	expect_error(REVIEW ROUNDS "quick = rounds=3\n",
		     ":10: quick: [p] a window of 5 rounds does not fit 3 rounds");
	expect_error(REVIEW ROUNDS "quick = rouns=3\n", "did you mean \"rounds\"?");
	expect(REVIEW LADDER "ladder = 1T/1Q\n");
	ck_assert_int_eq(profile_make_quick(&profile, &err), 0);
	ck_assert_int_eq(profile_fix_time(&profile, &err), -1);
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("all");

	tcase_add_test(all, the_enterprise_review);
	tcase_add_test(all, the_tests_of_snia);
	tcase_add_test(all, a_purge_is_asked_for_twice);
	tcase_add_test(all, what_is_followed);
	tcase_add_test(all, impossible_values);
	tcase_add_test(all, quick_keys_must_fit_too);
	return run_case("profile: rounds and ladders", all);
}
