/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles: those that come with the project, and what is wrong in others. */
#include "tests/unit/profile_fixture.h"
#include "tests/unit/suite.h"

#define GOOD_REVIEW "[review]\nregion = 5 %\nfill = region\nmeasure_s = 30\nsteps = 10 20\n"

static int load_text(const char *text)
{
	return load_beside("4k-randread.fio", text);
}

static void expect_error(const char *text, const char *line, const char *words)
{
	ck_assert_int_eq(load_text(text), -1);
	error_has(line);
	error_has(words);
}

#define LONG "1:randread:8k:0-50,1:randwrite:8k:50-100,"

static unsigned curve_rows(void)
{
	unsigned i, count = 0;

	for (i = 0; i < profile.row_count; i++)
		count += profile.rows[i].steps == STEPS_CURVE;
	return count;
}

START_TEST(the_four_profiles)
{
	static const struct {
		const char *word;
		double percent;
		uint64_t bytes;
		unsigned rows, in_flight[16]; /* four corners, (databases,) then desktops */
		unsigned first_stand_in;
		enum profile_fill fill;
	} expected[] = {
		{"client-qlc", 1, 0, 7, {128, 128, 16, 16, 34, 30, 16}, 4, FILL_REGION},
		{"client", 5, 0, 7, {128, 128, 16, 16, 34, 30, 16}, 4, FILL_REGION},
		{"client-20g",
		 0,
		 20000000000ULL,
		 7,
		 {256, 128, 32, 16, 64, 56, 32},
		 4,
		 FILL_REGION},
		{"enterprise",
		 25,
		 0,
		 16,
		 {128, 128, 16, 16, 32, 32, 32, 36, 22, 22, 34, 30, 16, 16, 8, 16},
		 10,
		 FILL_WHOLE},
	};
	size_t i, row;

	for (i = 0; i < 4; i++) {
		ck_assert_msg(!profile_load(expected[i].word, &profile, &err), "%s", err.text);
		ck_assert_str_eq(profile.name, expected[i].word);
		ck_assert_double_eq(profile.region_percent, expected[i].percent);
		ck_assert_uint_eq(profile.region_bytes, expected[i].bytes);
		ck_assert_int_eq(profile.fill, expected[i].fill);
		ck_assert_uint_eq(profile.step_count, 12);
		ck_assert_uint_eq(profile.steps_percent[0], 10);
		ck_assert_uint_eq(profile.steps_percent[11], 120);
		ck_assert_uint_eq(curve_rows(), expected[i].rows);
		for (row = 0; row < expected[i].rows; row++) {
			ck_assert_uint_eq(profile.rows[row].in_flight, expected[i].in_flight[row]);
			ck_assert_int_eq(profile.rows[row].stand_in,
					 row >= expected[i].first_stand_in);
		}
		ck_assert(!profile.stand_in);
		ck_assert_uint_eq(profile_find_row(&profile, "64k-seqwrite")->in_flight_stated, 8);
	}
	ck_assert_ptr_null(profile_find_row(&profile, "nothing"));
}
END_TEST

START_TEST(a_profile_of_ones_own)
{
	ck_assert_msg(!load_text(GOOD_REVIEW "purge = yes\nidle_s = 2.5\n"
					     "[row]\njobfile = 4k-randread.fio\nin_flight = 7\n"),
		      "%s", err.text);
	ck_assert_str_eq(profile.name, "mine");
	ck_assert(profile.purge);
	ck_assert_double_eq(profile.idle_s, 2.5);
	ck_assert_str_eq(strrchr(profile.rows[0].jobfile, '/'), "/4k-randread.fio");
	ck_assert_int_eq(profile.rows[0].jobfile[0], '/');
}
END_TEST

#define ONCE_ROW "[p]\njobfile = 4k-randread.fio\nin_flight = 1\nsteps = once\n"

START_TEST(rows_that_are_run_once)
{
	ck_assert_msg(!load_with("4k-randread.fio", "[j]\nidle=30s\nrest=1m\n",
				 "[review]\nregion = 100 %\n" ONCE_ROW
				 "[q]\njobfile = 4k-randread.fio\nin_flight = 2\nsteps = once\n"
				 "cache_from = p\nquick = idle=1s:5s rest=2\n"),
		      "%s", err.text);
	ck_assert(!profile_has_curves(&profile));
	ck_assert(profile.rows[0].steps == STEPS_ONCE && profile.rows[1].steps == STEPS_ONCE);
	ck_assert_str_eq(profile.rows[0].cache_from, "");
	ck_assert_str_eq(profile.rows[1].cache_from, "p");
	ck_assert_str_eq(profile.rows[1].quick, "idle=1s:5s rest=2");
	ck_assert_msg(!profile_load("qlc-cache", &profile, &err), "%s", err.text);
	ck_assert_uint_eq(profile.row_count, 6);
	ck_assert(!profile_has_curves(&profile) && profile.purge);
	ck_assert_msg(
		!load_text(GOOD_REVIEW ONCE_ROW "[c]\njobfile = 4k-randread.fio\nin_flight = 1\n"),
		"%s", err.text);
	ck_assert(profile_has_curves(&profile));
}
END_TEST

START_TEST(what_is_wrong_with_them_is_named)
{
	expect_error("[review]\nregion = 1 %\n[p]\nsteps = twice\n", ":4: ", "\"once\"");
	expect_error("[review]\nregion = 1 %\n" ONCE_ROW "cache_from = q\n", "mine.profile",
		     "[p] cache_from \"q\" is no row");
	expect_error("[review]\nregion = 1 %\n" ONCE_ROW "cache_from = p\n", "mine.profile",
		     "before it");
	expect_error(
		GOOD_REVIEW "[a]\njobfile = 4k-randread.fio\nin_flight = 1\nquick = a=1\n",
		":9: ", "[a] is a curve, where quick has no effect: it is for single runs, rounds");
	expect_error("[review]\nregion = 5 %\nmeasure_s = 30\nsearch = clones\nsla = 1ms@p95\n"
		     "stagger_s = 1\n" ONCE_ROW "desktops = 1\n",
		     "mine.profile",
		     "[p] steps = once, rounds, ladder or sequence cannot stand in a search");
}
END_TEST

START_TEST(what_is_wrong_is_named_by_line)
{
	expect_error("[review]\nregoin = 5 %\n", ":2: ", "did you mean \"region\"");
	expect_error("[review]\nregion = five\n", ":2: ", "\"five\"");
	expect_error("[review]\nregion = 101 %\n", ":2: ", "101 %");
	expect_error("[review]\nwait_s = -1\n", ":2: ", "wait_s");
	expect_error("[review]\nwait_s = nan\n", ":2: ", "wait_s");
	expect_error("[review]\nwait_s = 1O\n", ":2: ", "\"1O\"");
	expect_error("[review]\nsteps = 10 5\n", ":2: ", "rising");
	expect_error("[review]\nsteps = 10 x\n", ":2: ", "\"x\"");
	expect_error("[review]\nfill = regoin\n", ":2: ", "did you mean \"region\"");
	expect_error("[review]\npurge = maybe\n", ":2: ", "\"maybe\"");
	expect_error("[review]\nrefill = maybe\n", ":2: ", "\"maybe\"");
	expect_error("region = 5 %\n", ":1: ", "before the first [section]");
	expect_error("[review]\nnonsense\n", ":2: ", "key = value");
	expect_error(GOOD_REVIEW "[a]\nin_fligth = 1\n", ":7: ", "did you mean \"in_flight\"");
	expect_error(GOOD_REVIEW "[a]\nin_flight = 0\n", ":7: ", "\"0\"");
	expect_error(GOOD_REVIEW "[a]\nstand_in = maybe\n", ":7: ", "\"maybe\"");
	expect_error(GOOD_REVIEW "[a]\nstandin = yes\n", ":7: ", "did you mean \"stand_in\"");
	expect_error(GOOD_REVIEW "[a]\nmix = 80:randread:8k,10:randwrite:8k\n",
		     ":7: ", "mix: byte 1: the shares of the patterns come to 90 percent");
	expect_error(GOOD_REVIEW "[a]\nmix = 80:randread:8k,20:randwrit:8k\n",
		     ":7: ", "byte 19: unknown pattern \"randwrit\"; did you mean");
	expect_error(GOOD_REVIEW "[a]\nmix = " LONG LONG LONG LONG LONG "\n",
		     ":7: ", "longer than 190");
	expect_error(GOOD_REVIEW "[a]\njobfile = 4k-randred.fio\n",
		     ":7: ", "did you mean \"4k-randread.fio\"?");
}
END_TEST

START_TEST(a_mix_of_ones_own)
{
	ck_assert_msg(!load_text(GOOD_REVIEW "[a]\njobfile = 4k-randread.fio\nin_flight = 1\n"
					     "mix = 65:randread:4k,35:randwrite:4k/90+16k/10\n"),
		      "%s", err.text);
	ck_assert_str_eq(profile.rows[0].mix, "65:randread:4k,35:randwrite:4k/90+16k/10");
	ck_assert_msg(!profile_load("mixed", &profile, &err), "%s", err.text);
	ck_assert_uint_eq(profile.row_count, 3);
}
END_TEST

START_TEST(what_is_missing_is_named)
{
	expect_error("", "mine.profile", "no section [review]");
	expect_error("[review]\nsteps = 10\n[a]\njobfile = 4k-randread.fio\nin_flight = 1\n",
		     ":1: ", "[review] needs region");
	expect_error("[review]\nregion = 5 %\n", "mine.profile", "no row");
	expect_error(GOOD_REVIEW "[a]\nin_flight = 1\n",
		     ":6: ", "[a] is a curve, and needs jobfile");
	expect_error("[review]\nregion = 1 %\n[a]\njobfile = 4k-randread.fio\nin_flight = 1\n",
		     ":1: ", "[review] needs steps");
}
END_TEST

START_TEST(an_unknown_profile)
{
	ck_assert_int_eq(profile_load("client-qcl", &profile, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean \"client-qlc\""));
	ck_assert_int_eq(profile_load("./not-there.profile", &profile, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "No such file"));
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("all");

	tcase_add_test(all, the_four_profiles);
	tcase_add_test(all, a_profile_of_ones_own);
	tcase_add_test(all, rows_that_are_run_once);
	tcase_add_test(all, what_is_wrong_with_them_is_named);
	tcase_add_test(all, what_is_wrong_is_named_by_line);
	tcase_add_test(all, a_mix_of_ones_own);
	tcase_add_test(all, what_is_missing_is_named);
	tcase_add_test(all, an_unknown_profile);
	return run_case("profile", all);
}
