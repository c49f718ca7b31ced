/* SPDX-License-Identifier: GPL-2.0-only */
/* How vdi_replay judges itself: its numbers, what it watches, its verdict, the trace's in flight.
 */
#include <math.h>

#include "engines/replay/replay_number.h"
#include "engines/replay/replay_verdict.h"
#include "engines/replay/replay_watch.h"
#include "engines/trace/replay.h"
#include "tests/unit/suite.h"
#include "tests/unit/trace_fixture.h"

#define MS NS_PER_MSEC

START_TEST(counts_are_whole_numbers)
{
	static const char *const bad[] = {
		"0",	 "-1",	"1.5", "nan", "inf", "",   "abc",
		"10001", "1e9", "10x", "1 ",  " 1",  "+1", "99999999999999999999"};
	unsigned count = 7;
	size_t i;

	ck_assert(!replay_parse_count("clones", NULL, 10000, &count, &err) && count == 7);
	ck_assert(!replay_parse_count("clones", "10000", 10000, &count, &err) && count == 10000);
	for (i = 0; i < COUNT(bad); i++) {
		ck_assert_msg(replay_parse_count("clones", bad[i], 10000, &count, &err), "%s",
			      bad[i]);
		ck_assert_ptr_nonnull(strstr(err.text, "clones="));
		ck_assert_ptr_nonnull(strstr(err.text, "1 to 10000"));
	}
}
END_TEST

START_TEST(speeds_are_percent)
{
	static const char *const bad[] = {"0",	  "-1",	 "nan", "inf",	"",
					  "0.01", "1e7", "5x",	"100%%"};
	double speed = 1;
	size_t i;

	ck_assert(!replay_parse_speed("200", &speed, &err) && fabs(speed - 2.0) < 1e-12);
	ck_assert(!replay_parse_speed("1.5%", &speed, &err) && fabs(speed - 0.015) < 1e-12);
	for (i = 0; i < COUNT(bad); i++)
		ck_assert_msg(replay_parse_speed(bad[i], &speed, &err), "%s", bad[i]);
}
END_TEST

START_TEST(staggers_are_times)
{
	static const char *const bad[] = {"-1", "nan", "inf", "", "ms", "1w", "1e300", "1 x"};
	uint64_t stagger_ns = 0;
	size_t i;

	ck_assert(!replay_parse_time("stagger", "100ms", &stagger_ns, &err) &&
		  stagger_ns == 100 * MS);
	ck_assert(!replay_parse_time("stagger", "2", &stagger_ns, &err) && stagger_ns == 2000 * MS);
	ck_assert(!replay_parse_time("stagger", "1.5m", &stagger_ns, &err) &&
		  stagger_ns == 90000 * MS);
	ck_assert(!replay_parse_time("stagger", "0", &stagger_ns, &err) && stagger_ns == 0);
	for (i = 0; i < COUNT(bad); i++)
		ck_assert_msg(replay_parse_time("stagger", bad[i], &stagger_ns, &err), "%s",
			      bad[i]);
}
END_TEST

START_TEST(windows_go_forward)
{
	static const char *const bad[] = {"nan-1", "0-inf",    "inf-inf", "-1-2",
					  "2-1",   "1-1",      "5",	  "",
					  "-",	   "0.1-0.2x", "0-nan",	  "1e300-"};
	uint64_t from_ns = 1, to_ns = 1;
	size_t i;

	ck_assert(!replay_parse_window("0.1-0.25", &from_ns, &to_ns, &err));
	ck_assert(from_ns == 100 * MS && to_ns == 250 * MS);
	ck_assert(!replay_parse_window("3-", &from_ns, &to_ns, &err));
	ck_assert(from_ns == 3000 * MS && to_ns == 0);
	for (i = 0; i < COUNT(bad); i++)
		ck_assert_msg(replay_parse_window(bad[i], &from_ns, &to_ns, &err), "%s", bad[i]);
}
END_TEST

/* Due at 1000, 1100, 1250 ns; left 10, 30 and 10 ns late: the gaps were 20 wider and 20 narrower.
 */
START_TEST(gaps_are_compared_with_the_traced_ones)
{
	static struct replay_watch watch;

	replay_watch_start(&watch, 900);
	replay_watch_left(&watch, REPLAY_READ, 1000, 1010, false);
	replay_watch_left(&watch, REPLAY_FLUSH, 1100, 1130, false);
	replay_watch_left(&watch, REPLAY_WRITE, 1250, 1260, true);
	ck_assert_uint_eq(watch.gap_error.count, 2);
	ck_assert_uint_eq(watch.gap_error.sum_ns, 40);
	ck_assert_uint_eq(watch.gap_error.max_ns, 20);
	ck_assert_uint_eq(watch.interval_late.count, 2);
	ck_assert_uint_eq(watch.interval_late.sum_ns, 20);
	ck_assert(watch.first_due_ns == 1000 && watch.last_due_ns == 1250 && watch.last_at_limit);
}
END_TEST

static json_int_t of_class(json_t *latency, const char *class, const char *key)
{
	return json_integer_value(json_object_get(json_object_get(latency, class), key));
}

START_TEST(latency_is_told_by_class)
{
	static struct replay_watch watch;
	json_t *latency;

	replay_watch_start(&watch, 5);
	replay_watch_completed(&watch, REPLAY_READ, 100);
	replay_watch_completed(&watch, REPLAY_READ, 60);
	replay_watch_completed(&watch, REPLAY_FLUSH, 40);
	latency = replay_watch_latency(&watch);
	ck_assert_int_eq(of_class(latency, "read", "count"), 2);
	ck_assert_int_eq(of_class(latency, "read", "max_ns"), 100);
	ck_assert_int_eq(of_class(latency, "flush", "p50_ns"), 40);
	ck_assert_int_eq(of_class(latency, "write", "count"), 0);
	ck_assert_int_eq(of_class(latency, "trim", "count"), 0);
	ck_assert_double_eq_tol(replay_watch_in_flight(&watch, 400), 0.5, 1e-9);
	json_decref(latency);
	replay_watch_start(&watch, 10);
	ck_assert_uint_eq(watch.completed, 3);
	ck_assert_uint_eq(watch.latency[REPLAY_READ].count, 0);
}
END_TEST

/* 10,000 I/Os in 10 s, all sent, nothing late. */
static const struct replay_outcome good = {.paced = true,
					   .taken = 10000,
					   .sent = 10000,
					   .completed = 10000,
					   .records = 10000,
					   .expected = 10000,
					   .offered = 10000,
					   .span_ns = 10 * NS_PER_SEC};

/* Judges and looks for words; NULL: there must be no reason. */
static void expect(struct replay_outcome outcome, bool valid, bool saturated, const char *words)
{
	struct replay_verdict verdict;
	char text[900];

	replay_judge(&outcome, &verdict);
	replay_verdict_text(&verdict, text, sizeof(text));
	ck_assert_msg(verdict.valid == valid && verdict.saturated == saturated, "%s", text);
	ck_assert_msg(!words == !verdict.reasons, "%s", text);
	if (words)
		ck_assert_msg(strstr(text, words) != NULL, "no '%s' in '%s'", words, text);
	ck_assert_int_eq(strncmp(text, valid ? "VALID" : "INVALID", 5), 0);
}

START_TEST(a_good_replay_is_valid)
{
	expect(good, true, false, NULL);
}
END_TEST

START_TEST(one_io_in_a_hundred_may_be_late)
{
	struct replay_outcome o = good;

	o.late = 100;
	expect(o, true, false, NULL);
	o.late = 101;
	expect(o, false, false, "1.0 % of the I/Os left over 1 ms late although a slot was free");
}
END_TEST

START_TEST(stretch_counts_by_its_cause)
{
	struct replay_outcome o = good;

	o.lag_ns = 49 * MS;
	expect(o, true, false, NULL);
	o.lag_ns = 60 * MS;
	ck_assert_double_eq_tol(replay_stretch(&o), 0.006, 1e-9);
	expect(o, false, false, "stretched by 0.60 %, allowed 0.5 %");
	o.lag_by_limit = true;
	expect(o, true, true, "saturated: stretched by 0.60 % at the in-flight limit");
	o.lag_by_limit = false;
	o.span_ns = 20 * MS;
	o.lag_ns = MS / 2;
	expect(o, true, false, NULL);
}
END_TEST

START_TEST(the_limit_saturates_and_does_not_spoil)
{
	struct replay_outcome o = good;

	o.at_limit = 500;
	expect(o, true, false, NULL);
	o.at_limit = 501;
	expect(o, true, true, "saturated: 5.0 % of the I/Os left late at the in-flight limit");
	o = good;
	o.taken = o.sent = o.completed = 9000;
	o.expected = 0;
	o.unsent = 1000;
	o.lag_ns = 2 * NS_PER_SEC;
	expect(o, false, false, "it ended 2.000 s late");
	o.lag_by_limit = true;
	expect(o, true, true, "saturated: 10.0 % of the I/Os that were due stayed unsent");
}
END_TEST

START_TEST(every_record_counts_once)
{
	struct replay_outcome o = good;

	o.sent = o.completed = 9999;
	expect(o, false, false, "9,999 of 10,000 I/Os were sent");
	o.sent = o.completed = 10001;
	expect(o, false, false, "10,001 of 10,000 I/Os were sent");
	o = good;
	o.completed = 9999;
	expect(o, false, false, "9,999 of 10,000 I/Os completed");
	o = good;
	o.expected = 20000;
	expect(o, false, false, "10,000 of 20,000 records were played");
	o = (struct replay_outcome){.paced = true};
	expect(o, false, false, "nothing was sent");
}
END_TEST

START_TEST(asap_is_judged_by_counts_alone)
{
	struct replay_outcome o = good;
	struct replay_verdict verdict;

	o.paced = false;
	o.late = 9999;
	o.lag_ns = o.span_ns;
	o.at_limit = 9999;
	expect(o, true, false, NULL);
	replay_judge(&o, &verdict);
	ck_assert_ptr_nonnull(strstr(verdict.rule, "asap"));
	o.completed--;
	expect(o, false, false, "completed");
}
END_TEST

START_TEST(verdict_is_told_in_json)
{
	struct replay_outcome o = good;
	struct replay_verdict verdict;
	json_t *object;

	o.at_limit = 9000;
	replay_judge(&o, &verdict);
	object = replay_verdict_json(&verdict);
	ck_assert(json_is_true(json_object_get(object, "valid")));
	ck_assert(json_is_true(json_object_get(object, "saturated")));
	ck_assert_uint_eq(json_array_size(json_object_get(object, "reasons")), 1);
	ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(object, "rule")), "1 ms"));
	json_decref(object);
}
END_TEST

/* Reads at 0, 1, 2 and 10 ms; the first three took 2.5 ms, the last one's time is not known. */
static struct trace *known_latencies(void)
{
	static const uint64_t at_ms[] = {0, 1, 2, 10};
	struct trace_writer *writer = begin_trace(below("t.vdt"), false, 0);
	unsigned i;

	for (i = 0; i < COUNT(at_ms); i++) {
		struct trace_record record = {
			.time_ns = at_ms[i] * MS,
			.offset = i * 4096,
			.length = 4096,
			.latency_ns = i < 3 ? 5 * MS / 2 : TRACE_NO_LATENCY,
		};

		ck_assert(!trace_writer_append(writer, &record, &err));
	}
	ck_assert_msg(!trace_writer_finish(writer, &err), "%s", err.text);
	return open_trace(below("t.vdt"));
}

static struct replay_counts play(struct trace *trace, unsigned clones, double speed)
{
	struct replay_options options = {.clones = clones,
					 .loops = 1,
					 .parts = 1,
					 .speed = speed,
					 .region_bytes = 1 << 24,
					 .block_bytes = 4096,
					 .longest_bytes = 65536};
	struct replay_counts counts;
	struct replay_item item;
	struct replay *replay;

	ck_assert_msg(!replay_open(trace, &options, &replay, &err), "%s", err.text);
	while (replay_next(replay, &item, &err) > 0)
		;
	counts = *replay_counts(replay);
	replay_close(replay);
	return counts;
}

START_TEST(the_trace_tells_what_was_in_flight)
{
	struct replay_counts counts;
	struct trace *trace;

	make_folder();
	trace = known_latencies();
	counts = play(trace, 1, 1.0);
	ck_assert_uint_eq(counts.latencies, 3);
	ck_assert_uint_eq(counts.in_flight_most, 3);
	ck_assert_uint_eq(counts.last_end_ns, 10 * MS);
	ck_assert_double_eq_tol(counts.busy_ns, 7.5 * MS, 1);
	counts = play(trace, 2, 1.0);
	ck_assert_uint_eq(counts.in_flight_most, 6);
	counts = play(trace, 1, 0.1);
	ck_assert_uint_eq(counts.in_flight_most, 1);
	trace_close(trace);
	remove_folder();
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("replay");

	tcase_add_test(tests, counts_are_whole_numbers);
	tcase_add_test(tests, speeds_are_percent);
	tcase_add_test(tests, staggers_are_times);
	tcase_add_test(tests, windows_go_forward);
	tcase_add_test(tests, gaps_are_compared_with_the_traced_ones);
	tcase_add_test(tests, latency_is_told_by_class);
	tcase_add_test(tests, a_good_replay_is_valid);
	tcase_add_test(tests, one_io_in_a_hundred_may_be_late);
	tcase_add_test(tests, stretch_counts_by_its_cause);
	tcase_add_test(tests, the_limit_saturates_and_does_not_spoil);
	tcase_add_test(tests, every_record_counts_once);
	tcase_add_test(tests, asap_is_judged_by_counts_alone);
	tcase_add_test(tests, verdict_is_told_in_json);
	tcase_add_test(tests, the_trace_tells_what_was_in_flight);
	return run_case("replay", tests);
}
