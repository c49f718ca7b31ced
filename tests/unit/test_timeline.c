/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs over their time: what is read from statistics files, and the charts of it. */
#include <math.h>

#include "post_fixture.h"
#include "postprocess/timeline.h"

static struct timeline timeline;
static struct error err;

/* A statistics file of a replay at 1 s an interval, with these intervals. */
static void put_stats(const char *name, const char *head, const char *intervals)
{
	char text[4096];

	snprintf(text, sizeof(text),
		 "{\"version\":1,\"engine\":\"vdi_replay\",\"simulated\":true,\"job\":\"060\","
		 "\"achieved_iops\":1000,\"busy_share\":0.1,\"cpu_wait_share\":0,%s"
		 "\"interval_ns\":1000000000,\"intervals\":[%s]}",
		 head, intervals);
	write_in(folder, name, text);
}

#define REPLAY "\"replay\":{\"trace\":\"a/b/fc-boot.vdt\",\"synthetic\":true},"

static void read_stats(const char *name)
{
	ck_assert_msg(!timeline_read(path_to(name), &timeline, &err), "%s", err.text);
}

START_TEST(intervals_become_moments)
{
	put_stats("one.stats.json", REPLAY "\"window_s\":2.5,",
		  "{\"start_ns\":0,\"length_ns\":1000000000,\"count\":100,\"mean_ns\":200000,"
		  "\"max_ns\":900000,\"histogram\":[[100000,98],[900000,2]]},"
		  "{\"start_ns\":1000000000,\"length_ns\":1000000000,\"count\":0,\"mean_ns\":0,"
		  "\"max_ns\":0,\"histogram\":[]},"
		  "{\"start_ns\":2000000000,\"length_ns\":500000000,\"count\":100,"
		  "\"mean_ns\":300000,\"max_ns\":300000,\"histogram\":[[300000,100]]}");
	read_stats("one.stats.json");
	ck_assert_str_eq(timeline.row, "vdi-fc-boot");
	ck_assert(timeline.replays && timeline.synthetic && timeline.simulated);
	ck_assert(!timeline.has_lateness);
	ck_assert_uint_eq(timeline.count, 3);
	ck_assert_double_eq(timeline.moments[0].iops, 100);
	ck_assert_double_eq(timeline.moments[0].mean_us, 200);
	ck_assert_double_eq_tol(timeline.moments[0].p99_us, 900, 9);
	ck_assert_double_eq(timeline.moments[1].iops, 0);
	ck_assert_double_nan(timeline.moments[1].mean_us);
	ck_assert_double_nan(timeline.moments[1].p99_us);
	ck_assert_double_nan(timeline.moments[2].late_mean_us);
	ck_assert_double_eq(timeline.moments[2].start_s, 2);
	ck_assert_double_eq(timeline.moments[2].iops, 200);
	timeline_free(&timeline);
}
END_TEST

/* Samples count from the start of fio, 10 s before the first interval. */
START_TEST(the_temperature_in_each_interval)
{
	put_stats("warm.stats.json", "\"window_s\":2,",
		  "{\"start_ns\":0,\"length_ns\":1000000000,\"count\":1,\"mean_ns\":200000},"
		  "{\"start_ns\":1000000000,\"length_ns\":1000000000,\"count\":1,"
		  "\"mean_ns\":200000}");
	write_in(folder, "warm.telemetry.json",
		 "{\"seconds\":12,\"temperature\":{\"samples\":[[0,40,40],[8,51,51],[10,52,52],"
		 "[11,53,53]]}}");
	read_stats("warm.stats.json");
	ck_assert(timeline.has_temperature);
	ck_assert_double_eq(timeline.moments[0].temperature_c, 52);
	ck_assert_double_eq(timeline.moments[1].temperature_c, 53);
	timeline_free(&timeline);
	write_in(folder, "warm.telemetry.json", "{\"temperature\":\"n/a (simulated)\"}");
	read_stats("warm.stats.json");
	ck_assert(!timeline.has_temperature);
	ck_assert_double_nan(timeline.moments[0].temperature_c);
	timeline_free(&timeline);
}
END_TEST

START_TEST(an_invalid_replay_is_marked)
{
	put_stats("one.stats.json", REPLAY "\"verdict\":{\"valid\":true},\"window_s\":1,",
		  "{\"start_ns\":0,\"length_ns\":1000000000,\"count\":1,\"mean_ns\":2}");
	read_stats("one.stats.json");
	ck_assert(!timeline.invalid);
	timeline_free(&timeline);
	put_stats("one.stats.json", REPLAY "\"verdict\":{\"valid\":false},\"window_s\":1,",
		  "{\"start_ns\":0,\"length_ns\":1000000000,\"count\":1,\"mean_ns\":2}");
	read_stats("one.stats.json");
	ck_assert(timeline.invalid);
	timeline_free(&timeline);
}
END_TEST

#define LATE "\"late_count\":%d,\"late_mean_ns\":%d,\"late_p99_ns\":%d,\"late_max_ns\":9000000"

START_TEST(clones_are_taken_together)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "{\"start_ns\":0,\"length_ns\":1000000000,\"count\":300,\"mean_ns\":100000,"
		 "\"max_ns\":100000,\"histogram\":[[100000,300]]," LATE "}",
		 300, 1000, 5000);
	put_stats("two.stats.1.json", REPLAY, text);
	snprintf(text, sizeof(text),
		 "{\"start_ns\":0,\"length_ns\":1000000000,\"count\":100,\"mean_ns\":500000,"
		 "\"max_ns\":500000,\"histogram\":[[500000,100]]," LATE "}",
		 100, 5000, 8000);
	put_stats("two.stats.2.json", REPLAY, text);
	read_stats("two.stats.1.json");
	ck_assert_uint_eq(timeline.count, 1);
	ck_assert_double_eq(timeline.moments[0].iops, 400);
	ck_assert_double_eq(timeline.moments[0].mean_us, 200);
	ck_assert_double_eq_tol(timeline.moments[0].p99_us, 500, 5);
	ck_assert(timeline.has_lateness);
	ck_assert_double_eq(timeline.moments[0].late_mean_us, 2);
	ck_assert_double_eq(timeline.moments[0].late_p99_us, 8);
	timeline_free(&timeline);
	read_stats("two.stats.2.json");
	ck_assert_double_eq(timeline.moments[0].iops, 100);
	timeline_free(&timeline);
}
END_TEST

START_TEST(what_completed_after_the_window_makes_no_rate)
{
	put_stats("drain.stats.json", "\"window_s\":1.05,",
		  "{\"start_ns\":0,\"length_ns\":1000000000,\"count\":100,\"mean_ns\":1},"
		  "{\"start_ns\":1000000000,\"length_ns\":1000000000,\"count\":9,\"mean_ns\":1}");
	read_stats("drain.stats.json");
	ck_assert_str_eq(timeline.row, "060");
	ck_assert(!timeline.replays);
	ck_assert_uint_eq(timeline.count, 1);
	timeline_free(&timeline);
	put_stats("short.stats.json", "\"window_s\":0.25,",
		  "{\"start_ns\":0,\"length_ns\":1000000000,\"count\":100,\"mean_ns\":1}");
	read_stats("short.stats.json");
	ck_assert_uint_eq(timeline.count, 1);
	ck_assert_double_eq(timeline.moments[0].iops, 400);
	timeline_free(&timeline);
}
END_TEST

START_TEST(other_files_are_refused)
{
	put_curve("fio.json", 1000);
	write_in(folder, "broken.stats.json", "{\"engine\":");
	ck_assert(!is_statistics(path_to("fio.json")));
	ck_assert(!is_statistics(path_to("broken.stats.json")));
	ck_assert_int_eq(timeline_read(path_to("fio.json"), &timeline, &err), -1);
	check_holds(err.text, "is no statistics file of an engine, or holds no intervals");
	ck_assert_int_eq(timeline_read(path_to("broken.stats.json"), &timeline, &err), -1);
	check_holds(err.text, "cannot be read");
	put_stats("odd.stats.json", "",
		  "1,null,{\"start_ns\":-5,\"count\":1e300},{\"start_ns\":0}");
	read_stats("odd.stats.json");
	ck_assert_uint_eq(timeline.count, 1);
	ck_assert_double_eq(timeline.moments[0].iops, 0);
	timeline_free(&timeline);
}
END_TEST

static void put_storm(const char *name, bool with_lateness)
{
	char late[256] = "", text[1024];

	if (with_lateness)
		snprintf(late, sizeof(late), "," LATE, 100, 200, 30000000);
	snprintf(text, sizeof(text),
		 "{\"start_ns\":0,\"length_ns\":1000000000,\"count\":77182,\"mean_ns\":442000,"
		 "\"max_ns\":900000,\"histogram\":[[900000,77182]]%s},"
		 "{\"start_ns\":1000000000,\"length_ns\":1000000000,\"count\":50,\"mean_ns\":"
		 "500000,\"max_ns\":900000,\"histogram\":[[900000,50]]%s}",
		 late, late);
	put_stats(name, REPLAY, text);
}

START_TEST(statistics_alone_are_drawn)
{
	char named[PATH_MAX + 32], *text;
	struct outcome outcome;

	put_storm("a.stats.json", true);
	put_storm("b.stats.json", false);
	snprintf(named, sizeof(named), "My drive=%s", path_to("a.stats.json"));
	outcome = RUN(cmd_chart, "chart", named, path_to("b.stats.json"), "-o", path_to("storm"));
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	check_holds(outcome.out, "3 charts in ");
	outcome_free(&outcome);
	text = read_all(path_to("storm/vdi-fc-boot.over-time.dat"));
	check_holds(text, "# My drive, simulated, stand-in\n0.5 77182 442 ");
	check_holds(text, " 1 30000 NaN\n1.5 50 500 "); /* 0.2 us late is drawn at 1 us */
	check_holds(text, "# b, simulated, stand-in\n0.5 77182 442 ");
	check_holds(text, " NaN NaN\n");
	free(text);
	text = read_all(path_to("storm/vdi-fc-boot.lateness-over-time.gp"));
	check_holds(text, "VDI full clone, boot: lateness over time");
	check_holds(text, "Lateness (ms, logarithmic, at least 1 us)");
	check_holds(text, "title 'My drive, simulated, stand-in'");
	check_holds(text, "title 'b, simulated, stand-in: not recorded'");
	free(text);
	text = read_all(path_to("storm/vdi-fc-boot.latency-over-time.gp"));
	check_holds(text, "Response time, lat (us)");
	check_holds(text, "title 'dashed: p99 of an interval, solid: its mean'");
	ck_assert_ptr_null(strstr(text, "not recorded"));
	free(text);
	ck_assert(exists(path_to("storm/vdi-fc-boot.iops-over-time.svg")));
}
END_TEST

/* Two statistics files for one made-up review: of the highest step, and of another. */
static void put_in_review(const char *review)
{
	char path[PATH_MAX];

	put_storm("peak.stats.json", true);
	snprintf(path, sizeof(path), "cp '%s' '%s/4k-randread/100.stats.json'",
		 path_to("peak.stats.json"), review);
	ck_assert_int_eq(system(path), 0);
}

START_TEST(a_review_is_drawn_at_its_peak)
{
	struct outcome outcome;
	char *text;

	copy_review(drives[0], path_to("played"));
	put_in_review(path_to("played"));
	outcome = RUN(cmd_chart, "chart", "--over-time", path_to("played"), drives[1], "-o",
		      path_to("over"));
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	check_holds(outcome.out, "3 charts in ");
	outcome_free(&outcome);
	write_in(path_to("played"), "4k-randread/100.telemetry.json",
		 "{\"seconds\":9,\"temperature\":{\"samples\":[[0,40,40],[4,51,51]]}}");
	outcome = RUN(cmd_chart, "chart", "--over-time", path_to("played"), drives[1], "-o",
		      path_to("warm"));
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	check_holds(outcome.out, "4 charts in ");
	outcome_free(&outcome);
	text = read_all(path_to("warm/4k-randread.client-qlc.temperature-over-time.svg"));
	check_holds(text, "Temperature of the drive");
	free(text);
	text = read_all(path_to("over/4k-randread.client-qlc.over-time.dat"));
	check_holds(text, "# Made-up QLC 2TB, simulated, stand-in, at 100 %\n0.5 77182 442 ");
	free(text);
	outcome = RUN(cmd_chart, "chart", "--over-time", drives[1], "-o", path_to("none"));
	ck_assert_int_eq(outcome.code, 1);
	check_holds(outcome.err, "none of the results has statistics with intervals");
	outcome_free(&outcome);
}
END_TEST

START_TEST(the_page_shows_replays_over_time)
{
	struct outcome outcome;
	char *page;

	copy_review(drives[0], path_to("paged"));
	put_in_review(path_to("paged"));
	outcome = RUN(cmd_report, "report", path_to("paged"), "-o", path_to("page"));
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	outcome_free(&outcome);
	page = read_all(path_to("page/index.html"));
	check_holds(page, "<summary>Over time</summary>");
	check_holds(page, "4K random read: lateness over time");
	check_holds(page, "1 with rows that are stand-ins");
	free(page);
	outcome = RUN(cmd_report, "report", drives[1], "-o", path_to("page2"));
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	outcome_free(&outcome);
	page = read_all(path_to("page2/index.html"));
	ck_assert_ptr_null(strstr(page, "Over time"));
	free(page);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("runs over time");
	TCase *reading = tcase_create("reading"), *charts;

	tcase_add_test(reading, intervals_become_moments);
	tcase_add_test(reading, the_temperature_in_each_interval);
	tcase_add_test(reading, an_invalid_replay_is_marked);
	tcase_add_test(reading, clones_are_taken_together);
	tcase_add_test(reading, what_completed_after_the_window_makes_no_rate);
	tcase_add_test(reading, other_files_are_refused);
	suite_add_tcase(suite, reading);
	if (!has_gnuplot()) {
		puts("skip: charts over time, for gnuplot is not here");
		return suite;
	}
	charts = tcase_create("charts");
	tcase_set_timeout(charts, 120);
	tcase_add_test(charts, statistics_alone_are_drawn);
	tcase_add_test(charts, a_review_is_drawn_at_its_peak);
	tcase_add_test(charts, the_page_shows_replays_over_time);
	suite_add_tcase(suite, charts);
	return suite;
}

int main(void)
{
	return run_on_reviews(make_suite());
}
