/* SPDX-License-Identifier: GPL-2.0-only */
/* Promises, trials, and the search for the largest number of desktops, on drives that are
 * functions. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postprocess/capacity.h"
#include "postprocess/point.h"
#include "tests/unit/suite.h"

static struct error err;

/* ---- promises ---- */

START_TEST(promises_are_read)
{
	struct sla sla;
	char words[320];

	ck_assert(!sla_parse("1ms@p95", &sla, &err));
	ck_assert_uint_eq(sla.count, 1);
	ck_assert_double_eq(sla.terms[0].limit_us, 1000);
	ck_assert_double_eq(sla.terms[0].percent, 95);
	ck_assert(!sla_parse("500us@p99,0.1s@p99.9,2 ms@mean", &sla, &err));
	ck_assert_uint_eq(sla.count, 3);
	ck_assert_double_eq(sla.terms[0].limit_us, 500);
	ck_assert_double_eq(sla.terms[1].limit_us, 1e5);
	ck_assert_double_eq(sla.terms[1].percent, 99.9);
	ck_assert_double_eq(sla.terms[2].percent, 0);
	sla_words(&sla, words, sizeof(words));
	ck_assert_str_eq(words,
			 "99 % of the I/Os within 500 us, 99.9 % of the I/Os within 100 ms and "
			 "a mean within 2.00 ms");
}
END_TEST

static const char *const nonsense[] = {
	"",
	"1ms",
	"@p95",
	"1ms@",
	"1@p95",
	"ms@p95",
	"0ms@p95",
	"-1ms@p95",
	"nanms@p95",
	"1ms@p0",
	"1ms@p100",
	"1ms@p99.9999",
	"1ms@95",
	"1ms@p95x",
	"1ms@p-5",
	"1ms@p95,",
	",1ms@p95",
	"1ms@p95,,",
	"1ms@p95 ",
	"1e99s@mean",
	"0x1ms@p95",
	"infs@p95",
	"1ms@p nan",
	"1ms@p95@p99",
	"1ms@p95,2ms@p95",
	"1m@p95",
	"1ms@average",
	"1ms@p1,1ms@p2,1ms@p3,1ms@p4,1ms@p5",
};

START_TEST(nonsense_is_refused)
{
	struct sla sla;

	err.text[0] = '\0';
	ck_assert_msg(sla_parse(nonsense[_i], &sla, &err), "\"%s\" was taken", nonsense[_i]);
	ck_assert_uint_gt(strlen(err.text), 20);
}
END_TEST

/* ---- the search ---- */

typedef enum trial_outcome drive(unsigned copies, unsigned repeat);

static struct trial trials[256];
static size_t trial_count;

static void try(unsigned copies, unsigned repeat, enum trial_outcome outcome)
{
	trials[trial_count++] = (struct trial){
		.copies = copies, .desktops = copies, .repeat = repeat, .outcome = outcome};
}

/* Runs a search to its end; every number is tried once, a spoilt one twice. */
static struct finding search(drive *carries, unsigned most, unsigned gap)
{
	struct search_rules rules = {.most = most, .gap = gap};
	struct finding finding;

	trial_count = 0;
	for (;;) {
		search_look(&rules, trials, trial_count, &finding);
		if (finding.end != SEARCH_GOES_ON)
			return finding;
		ck_assert_uint_ge(finding.next, 1);
		ck_assert_uint_le(finding.next, most);
		ck_assert_uint_lt(trial_count, COUNT(trials));
		try(finding.next, finding.repeat, carries(finding.next, finding.repeat));
	}
}

static unsigned limit; /* of steady() */

static enum trial_outcome steady(unsigned copies, unsigned repeat)
{
	(void)repeat;
	return copies <= limit ? TRIAL_HOLDS : TRIAL_FAILS;
}

START_TEST(a_steady_drive_is_found_exactly)
{
	for (limit = 1; limit < 600; limit++) {
		struct finding finding = search(steady, 10000, 1);

		ck_assert_int_eq(finding.end, SEARCH_FOUND);
		ck_assert_uint_eq(finding.holds, limit);
		ck_assert_uint_eq(finding.fails, limit + 1);
		ck_assert_uint_eq(finding.odd, 0);
		ck_assert_uint_le(trial_count, 22);
	}
}
END_TEST

START_TEST(by_default_to_two_percent)
{
	for (limit = 1; limit < 2000; limit++) {
		struct finding finding = search(steady, 10000, 0);

		ck_assert_uint_le(finding.holds, limit);
		ck_assert_uint_gt(finding.fails, limit);
		ck_assert_uint_le(finding.fails - finding.holds,
				  finding.fails < 100 ? 1 : finding.fails / 50);
		ck_assert_uint_le(trial_count, 19);
	}
}
END_TEST

START_TEST(one_that_never_fails)
{
	struct finding finding;

	limit = 1000000;
	finding = search(steady, 300, 1);
	ck_assert_int_eq(finding.end, SEARCH_NO_LIMIT);
	ck_assert_uint_eq(finding.holds, 300);
	ck_assert_uint_eq(finding.fails, 0);
	ck_assert_uint_eq(trial_count, 10); /* 1, 2 ... 256, 300 */
}
END_TEST

START_TEST(one_that_fails_at_once)
{
	struct finding finding;

	limit = 0;
	finding = search(steady, 300, 1);
	ck_assert_int_eq(finding.end, SEARCH_NOT_ONE);
	ck_assert_uint_eq(finding.holds, 0);
	ck_assert_uint_eq(finding.fails, 1);
	finding = search(steady, 1, 1);
	ck_assert_int_eq(finding.end, SEARCH_NOT_ONE);
	ck_assert_uint_eq(trial_count, 1);
}
END_TEST

/* 30 fail by chance, 33 hold: the answer is the lower one, and says so. */
static enum trial_outcome hiccup(unsigned copies, unsigned repeat)
{
	(void)repeat;
	return copies == 32 || copies > 50 ? TRIAL_FAILS : TRIAL_HOLDS;
}

START_TEST(a_higher_number_that_holds_is_named)
{
	struct finding finding = search(hiccup, 10000, 1);

	ck_assert_int_eq(finding.end, SEARCH_FOUND);
	ck_assert_uint_eq(finding.holds, 31);
	ck_assert_uint_eq(finding.fails, 32);
	ck_assert_uint_eq(finding.odd, 36);
}
END_TEST

/* Fails by chance in a fifth of the trials: whatever comes out agrees with what was tried. */
static uint32_t noise;

static enum trial_outcome noisy(unsigned copies, unsigned repeat)
{
	(void)repeat;
	noise = noise * 1664525 + 1013904223;
	return copies > 100 || noise >> 24 < 51 ? TRIAL_FAILS : TRIAL_HOLDS;
}

START_TEST(a_noisy_drive_ends)
{
	struct finding finding;
	size_t i;

	noise = (uint32_t)_i;
	finding = search(noisy, 10000, 1);
	ck_assert(finding.end == SEARCH_FOUND || finding.end == SEARCH_NOT_ONE);
	ck_assert_uint_eq(finding.fails, finding.holds + 1);
	for (i = 0; i < trial_count; i++) {
		if (trials[i].copies <= finding.holds)
			ck_assert_int_eq(trials[i].outcome, TRIAL_HOLDS);
		if (trials[i].copies > finding.fails && trials[i].outcome == TRIAL_HOLDS)
			ck_assert_uint_ge(finding.odd, trials[i].copies);
	}
}
END_TEST

static enum trial_outcome spoilt_once(unsigned copies, unsigned repeat)
{
	return repeat == 1 ? TRIAL_SPOILT : steady(copies, repeat);
}

START_TEST(a_spoilt_number_is_tried_again)
{
	struct finding finding;

	limit = 37;
	finding = search(spoilt_once, 10000, 1);
	ck_assert_int_eq(finding.end, SEARCH_FOUND);
	ck_assert_uint_eq(finding.holds, 37);
	ck_assert_uint_eq(finding.fails, 38);
}
END_TEST

static enum trial_outcome spoilt_from_100(unsigned copies, unsigned repeat)
{
	return copies >= 100 ? TRIAL_SPOILT : steady(copies, repeat);
}

START_TEST(a_machine_that_is_the_limit_ends_it)
{
	struct finding finding;

	limit = 10000;
	finding = search(spoilt_from_100, 10000, 1);
	ck_assert_int_eq(finding.end, SEARCH_SPOILT);
	ck_assert_uint_eq(finding.holds, 64);
	ck_assert_uint_eq(finding.fails, 0);
	ck_assert_uint_eq(finding.spoilt, 128);
	ck_assert_uint_eq(trial_count, 9); /* 1 ... 64, 128 twice */
	/* What lies above a limit that was found hangs on nothing. */
	limit = 93;
	finding = search(spoilt_from_100, 94, 1);
	ck_assert_int_eq(finding.end, SEARCH_FOUND);
	ck_assert_uint_eq(finding.holds, 93);
}
END_TEST

/* Cut anywhere, a search goes on as if it had not been. */
START_TEST(a_search_goes_on_where_it_was_cut)
{
	struct search_rules rules = {.most = 10000, .gap = 1};
	struct finding finding;
	size_t cut, count;

	limit = 173;
	search(steady, 10000, 1);
	count = trial_count;
	for (cut = 0; cut < count; cut++) {
		search_look(&rules, trials, cut, &finding);
		ck_assert_int_eq(finding.end, SEARCH_GOES_ON);
		ck_assert_uint_eq(finding.next, trials[cut].copies);
	}
}
END_TEST

START_TEST(names)
{
	char name[32];

	trial_name(41, name, sizeof(name));
	ck_assert_str_eq(name, "desktops-0041");
	ck_assert_uint_eq(trial_desktops(name), 41);
	ck_assert_uint_eq(trial_desktops("desktops-12345"), 12345);
	ck_assert_uint_eq(trial_desktops("030"), 0);
	ck_assert_uint_eq(trial_desktops("desktops-12x"), 0);
}
END_TEST

/* ---- one trial ---- */

static struct trial trial;

/* 90 I/Os of 0.5 ms and 10 of 2 ms, `unsent` that never left, `at_limit` late at the limit. */
static void judge(enum point_verdict verdict, bool by_machine, unsigned unsent, unsigned at_limit,
		  const char *promise)
{
	char path[] = "/tmp/ssdreview-capacity.XXXXXX";
	const char *paths[] = {path};
	struct point point;
	struct sla sla;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	dprintf(fd,
		"{\"achieved_iops\": 100.0, \"offered\": %u, \"unsent\": {\"count\": %u}, "
		"\"lateness_at_limit\": {\"count\": %u}, \"intervals\": [{\"count\": 100, "
		"\"mean_ns\": 650000.0, \"histogram\": [[503807, 90], [2015231, 10]]}]}",
		100 + unsent, unsent, at_limit);
	close(fd);
	point_clear(&point, "desktops-0001");
	point.verdict = verdict;
	point.by_machine = by_machine;
	snprintf(point.reason, sizeof(point.reason), "a reason");
	ck_assert(!sla_parse(promise, &sla, &err));
	memset(&trial, 0, sizeof(trial));
	trial_judge(&point, paths, 1, &sla, &trial);
	unlink(path);
}

START_TEST(a_promise_that_holds)
{
	judge(POINT_VALID, false, 0, 0, "1ms@p90,1ms@mean");
	ck_assert_int_eq(trial.outcome, TRIAL_HOLDS);
	ck_assert_double_eq_tol(trial.latency_us[0], 502, 5);
	ck_assert_double_eq_tol(trial.latency_us[1], 650, 1e-6);
	judge(POINT_VALID, false, 0, 0, "1ms@p91");
	ck_assert_int_eq(trial.outcome, TRIAL_FAILS);
	ck_assert_double_eq_tol(trial.latency_us[0], 2000, 20);
	judge(POINT_VALID, false, 0, 0, "1ms@p90,600us@mean");
	ck_assert_int_eq(trial.outcome, TRIAL_FAILS);
}
END_TEST

/* Of 104 that were due 90 were fast: 86.5 %. */
START_TEST(what_never_left_is_over_the_limit)
{
	judge(POINT_SATURATED, false, 4, 0, "1ms@p86");
	ck_assert_int_eq(trial.outcome, TRIAL_FAILS); /* saturated, though fast enough */
	ck_assert_double_lt(trial.latency_us[0], 510);
	judge(POINT_SATURATED, false, 4, 0, "1ms@p87");
	ck_assert_double_gt(trial.latency_us[0], 1900);
	judge(POINT_SATURATED, false, 4, 0, "10ms@p97");
	ck_assert_int_eq(trial.outcome, TRIAL_FAILS);
	ck_assert(isinf(trial.latency_us[0]));
}
END_TEST

START_TEST(held_back_by_the_limit_is_failed)
{
	judge(POINT_SATURATED, false, 0, 20, "1ms@p90");
	ck_assert_int_eq(trial.outcome, TRIAL_FAILS);
	ck_assert(strstr(trial.reason, "in-flight limit"));
}
END_TEST

START_TEST(the_machine_does_not_count_against_the_drive)
{
	judge(POINT_INVALID, true, 0, 0, "1ms@p95");
	ck_assert_int_eq(trial.outcome, TRIAL_SPOILT);
	judge(POINT_INVALID, true, 0, 0, "1ms@p90"); /* holds in spite of it */
	ck_assert_int_eq(trial.outcome, TRIAL_HOLDS);
	ck_assert(strstr(trial.reason, "in spite of the machine"));
	judge(POINT_INVALID, true, 0, 20, "1ms@p90"); /* what was held back is no proof */
	ck_assert_int_eq(trial.outcome, TRIAL_SPOILT);
	judge(POINT_INVALID, false, 0, 0, "1ms@p90"); /* stopped early */
	ck_assert_int_eq(trial.outcome, TRIAL_SPOILT);
}
END_TEST

START_TEST(without_statistics_nothing_is_known)
{
	struct point point;
	struct sla sla;

	point_clear(&point, "desktops-0001");
	point.verdict = POINT_VALID;
	ck_assert(!sla_parse("1ms@p95", &sla, &err));
	trial_judge(&point, NULL, 0, &sla, &trial);
	ck_assert_int_eq(trial.outcome, TRIAL_SPOILT);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("capacity");
	TCase *promise = tcase_create("promise"), *find = tcase_create("search"),
	      *one = tcase_create("trial");

	tcase_add_test(promise, promises_are_read);
	tcase_add_loop_test(promise, nonsense_is_refused, 0, (int)COUNT(nonsense));
	tcase_add_test(find, a_steady_drive_is_found_exactly);
	tcase_add_test(find, by_default_to_two_percent);
	tcase_add_test(find, one_that_never_fails);
	tcase_add_test(find, one_that_fails_at_once);
	tcase_add_test(find, a_higher_number_that_holds_is_named);
	tcase_add_loop_test(find, a_noisy_drive_ends, 0, 50);
	tcase_add_test(find, a_spoilt_number_is_tried_again);
	tcase_add_test(find, a_machine_that_is_the_limit_ends_it);
	tcase_add_test(find, a_search_goes_on_where_it_was_cut);
	tcase_add_test(find, names);
	tcase_add_test(one, a_promise_that_holds);
	tcase_add_test(one, what_never_left_is_over_the_limit);
	tcase_add_test(one, held_back_by_the_limit_is_failed);
	tcase_add_test(one, the_machine_does_not_count_against_the_drive);
	tcase_add_test(one, without_statistics_nothing_is_known);
	suite_add_tcase(suite, promise);
	suite_add_tcase(suite, find);
	suite_add_tcase(suite, one);
	return run_suite(suite);
}
