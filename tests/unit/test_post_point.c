/* SPDX-License-Identifier: GPL-2.0-only */
/* One point from fio's output and the engine's statistics, and its verdict. */
#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postprocess/postprocess.h"
#include "tests/unit/suite.h"

static char folder[] = "/tmp/test_post_point.XXXXXX";

static void put_file(const char *name, const char *text, char *path)
{
	FILE *out;

	snprintf(path, 256, "%s/%s", folder, name);
	out = fopen(path, "w");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}

/* What a job of the test looks like; all latencies are given in us. */
struct job {
	double iops, clat_us, p99_us;
	int error;
	const char *options;
};

static void put_fio(const char *before, const struct job *jobs, size_t count, char *path)
{
	char text[8192];
	size_t used, i;

	used = (size_t)sprintf(text, "%s{\"fio version\":\"fio-3.33\",\"jobs\":[", before);
	for (i = 0; i < count; i++)
		used += (size_t)sprintf(
			text + used,
			"%s{\"jobname\":\"j\",\"error\":%d,\"job options\":{%s},\"read\":{"
			"\"io_bytes\":%.0f,\"io_kbytes\":1,\"bw_bytes\":%.0f,\"iops\":%f,"
			"\"runtime\":10000,\"total_ios\":%.0f,\"clat_ns\":{\"mean\":%f,"
			"\"max\":%f,\"stddev\":0,\"N\":%.0f,\"percentile\":{\"50.000000\":%f,"
			"\"99.000000\":%f}}}}",
			i ? "," : "", jobs[i].error, jobs[i].options ? jobs[i].options : "",
			jobs[i].iops * 40960, jobs[i].iops * 4096, jobs[i].iops, jobs[i].iops * 10,
			jobs[i].clat_us * 1000, jobs[i].p99_us * 2000, jobs[i].iops * 10,
			jobs[i].clat_us * 900, jobs[i].p99_us * 1000);
	strcpy(text + used, "]}\n");
	put_file("point.json", text, path);
}

struct stats {
	const char *nominal;
	double offered, achieved, unsent, late_at_limit, free_slot_p99_us, busy, cpu_wait;
	const char *verdict; /* JSON; NULL: none, as of engines that do not replay */
};

static void put_stats(const char *name, const struct stats *stats, char *path)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "{\"version\":1,\"engine\":\"openloop\",\"drive\":\"sim\",\"simulated\":true,"
		 "\"job\":\"050\",\"clone\":1,\"clones\":1,\"nominal_iops\":%s,\"window_s\":10,"
		 "\"offered\":%.0f,\"offered_iops\":%f,\"achieved\":%.0f,\"achieved_iops\":%f,"
		 "\"unsent\":{\"count\":%.0f,\"oldest_age_ns\":1},"
		 "\"lateness_free_slot\":{\"count\":9,\"p99_ns\":%f},"
		 "\"lateness_at_limit\":{\"count\":%.0f,\"p99_ns\":1},\"busy_share\":%f,\"cpu_wait_"
		 "share\":%f,\"verdict\":%s}",
		 stats->nominal, stats->offered, stats->offered / 10, stats->achieved,
		 stats->achieved / 10, stats->unsent, stats->free_slot_p99_us * 1000,
		 stats->late_at_limit, stats->busy, stats->cpu_wait,
		 stats->verdict ? stats->verdict : "null");
	put_file(name, text, path);
}

/* A point "050" of 10,000 IOPS with these statistics. */
static struct point judge(struct stats stats, double clat_us)
{
	struct job job = {10000, clat_us, clat_us * 2, 0, NULL};
	char json[256], path[256];
	const char *paths[] = {path};
	struct point point;

	put_fio("", &job, 1, json);
	put_stats("point.stats.json", &stats, path);
	point_read(json, paths, 1, "050", NAN, &point);
	return point;
}

static const struct stats calm = {"10000", 100000, 100000, 0, 0, 5, 0.3, 0.05, NULL};

START_TEST(a_calm_point_is_valid)
{
	struct point point = judge(calm, 80);

	ck_assert_int_eq(point.verdict, POINT_VALID);
	ck_assert_str_eq(point.reason, "");
	ck_assert_str_eq(point.warning, "");
	ck_assert(point.simulated);
	ck_assert(point.has_stats);
	ck_assert_double_eq(point.iops, 10000);
	ck_assert_double_eq(point.nominal_iops, 10000);
	ck_assert_double_eq(point.offered_iops, 10000);
	ck_assert_double_eq(point.block_bytes, 4096);
	ck_assert_double_eq(point.read_share, 1);
}
END_TEST

START_TEST(late_at_the_limit_is_saturated)
{
	struct stats stats = calm;

	stats.late_at_limit = 5000;
	ck_assert_int_eq(judge(stats, 80).verdict, POINT_VALID);
	stats.late_at_limit = 5001;
	ck_assert_int_eq(judge(stats, 80).verdict, POINT_SATURATED);
}
END_TEST

START_TEST(unsent_is_saturated)
{
	struct stats stats = calm;

	stats.unsent = 500;
	ck_assert_int_eq(judge(stats, 80).verdict, POINT_VALID);
	stats.unsent = 501;
	ck_assert_int_eq(judge(stats, 80).verdict, POINT_SATURATED);
}
END_TEST

START_TEST(late_with_a_free_slot_is_invalid)
{
	struct stats stats = calm;

	stats.free_slot_p99_us = 100;
	ck_assert_int_eq(judge(stats, 80).verdict, POINT_VALID);
	stats.free_slot_p99_us = 101;
	ck_assert_int_eq(judge(stats, 80).verdict, POINT_INVALID);
	/* Ten percent of a mean of 2 ms allow 200 us. */
	stats.free_slot_p99_us = 200;
	ck_assert_int_eq(judge(stats, 2000).verdict, POINT_VALID);
	stats.free_slot_p99_us = 201;
	ck_assert_int_eq(judge(stats, 2000).verdict, POINT_INVALID);
}
END_TEST

START_TEST(a_busy_cpu_is_invalid_even_when_saturated)
{
	struct stats stats = calm;
	struct point point;

	stats.busy = 0.98;
	stats.unsent = 50000;
	point = judge(stats, 80);
	ck_assert_int_eq(point.verdict, POINT_INVALID);
	ck_assert_ptr_nonnull(strstr(point.reason, "CPU"));
	ck_assert(!point_counts(&point));
	stats = calm;
	stats.cpu_wait = 0.051;
	point = judge(stats, 80);
	ck_assert_int_eq(point.verdict, POINT_INVALID);
	ck_assert_ptr_nonnull(strstr(point.reason, "waited for a CPU"));
}
END_TEST

START_TEST(an_invalid_replay_is_shown_with_its_reason)
{
	struct stats stats = calm;
	struct point point;

	stats.verdict = "{\"valid\":true,\"reasons\":[\"saturated: a bit\"],\"saturated\":true}";
	point = judge(stats, 80);
	ck_assert_int_eq(point.verdict, POINT_VALID);
	stats.verdict =
		"{\"valid\":false,\"reasons\":[\"stretched by 3.00 %\"],\"saturated\":false}";
	point = judge(stats, 80);
	ck_assert_int_eq(point.verdict, POINT_INVALID);
	ck_assert_str_eq(point.reason, "the replay is invalid: stretched by 3.00 %");
	ck_assert_str_eq(point.brief, "replay invalid");
	ck_assert(!point_counts(&point));
}
END_TEST

/* What the index says the drive did, of a calm point. */
static struct point judge_telemetry(const char *text)
{
	struct point point = judge(calm, 80);
	json_t *telemetry = json_loads(text, 0, NULL);

	ck_assert_ptr_nonnull(telemetry);
	point_take_telemetry(telemetry, &point);
	json_decref(telemetry);
	return point;
}

START_TEST(a_drive_that_throttles_is_marked_and_counts)
{
	struct point point = judge_telemetry(
		"{\"mean_c\":71.5,\"max_c\":78,\"write_amplification\":\"n/a (none)\",\"marks\":["
		"{\"mark\":\"throttled\",\"text\":\"it throttled\",\"spoils\":false},"
		"{\"mark\":\"link\",\"text\":\"it fell to x2\",\"spoils\":false}]}");

	ck_assert_int_eq(point.verdict, POINT_VALID);
	ck_assert_str_eq(point.marks, "throttled, link");
	ck_assert_str_eq(point.brief, "throttled, link");
	ck_assert_str_eq(point.drive_did, "it throttled; it fell to x2");
	ck_assert_double_eq(point.temperature_mean_c, 71.5);
	ck_assert_double_eq(point.temperature_max_c, 78);
	ck_assert_double_nan(point.write_amplification);
}
END_TEST

START_TEST(a_drive_that_was_reset_spoils_its_point)
{
	struct point point = judge_telemetry(
		"{\"marks\":[{\"mark\":\"throttled\",\"text\":\"it throttled\",\"spoils\":false},"
		"{\"mark\":\"reset\",\"text\":\"the drive lost its power\",\"spoils\":true}]}");

	ck_assert_int_eq(point.verdict, POINT_INVALID);
	ck_assert_str_eq(point.reason, "the drive lost its power");
	ck_assert_str_eq(point.brief, "reset");
	ck_assert(!point.by_machine);
}
END_TEST

START_TEST(rubbish_about_a_drive_says_nothing)
{
	struct point point = judge_telemetry("{\"marks\":[3,{\"mark\":7}],\"max_c\":\"hot\"}");

	ck_assert_int_eq(point.verdict, POINT_VALID);
	ck_assert_double_nan(point.temperature_max_c);
	point_take_telemetry(NULL, &point);
	ck_assert_int_eq(point.verdict, POINT_VALID);
}
END_TEST

START_TEST(the_max_run_is_saturated)
{
	struct job job = {10000, 80, 160, 0, NULL};
	struct stats stats = calm;
	char json[256], path[256];
	const char *paths[] = {path};
	struct point point;

	stats.nominal = "null";
	put_fio("", &job, 1, json);
	put_stats("point.stats.json", &stats, path);
	point_read(json, paths, 1, "max", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_SATURATED);
	ck_assert(isnan(point.nominal_iops));
	ck_assert(point_counts(&point));
}
END_TEST

START_TEST(clones_are_taken_together)
{
	struct job jobs[] = {{6000, 50, 100, 0, NULL}, {4000, 100, 300, 0, NULL}};
	struct stats stats = calm;
	char json[256], first[256], second[256];
	const char *paths[] = {first, second};
	struct point point;

	put_fio("", jobs, 2, json);
	put_stats("point.stats.1.json", &stats, first);
	stats.busy = 0.5;
	stats.free_slot_p99_us = 50;
	put_stats("point.stats.2.json", &stats, second);
	point_read(json, paths, 2, "050", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_VALID);
	ck_assert_double_eq(point.iops, 10000);
	ck_assert_double_eq(point.nominal_iops, 20000);
	ck_assert_double_eq_tol(point.clat.mean_us, 70, 1e-6);
	ck_assert_double_eq_tol(point.clat.p99_us, 300, 1e-6);
	ck_assert(point.clat.percentiles_are_largest);
}
END_TEST

START_TEST(without_statistics_the_rate_decides)
{
	struct job job = {9900, 80, 160, 0, NULL};
	char json[256];
	struct point point;

	put_fio("", &job, 1, json);
	point_read(json, NULL, 0, "050", 10000, &point);
	ck_assert_int_eq(point.verdict, POINT_VALID); /* chance alone: 0.5 % + 4/sqrt(100,000) */
	ck_assert(!point.has_stats);
	point_read(json, NULL, 0, "050", 10100, &point);
	ck_assert_int_eq(point.verdict, POINT_SATURATED);
	point_read(json, NULL, 0, "050", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_VALID);
}
END_TEST

START_TEST(unreadable_statistics_are_a_warning)
{
	struct job job = {9900, 80, 160, 0, NULL};
	const char *paths[] = {"/nowhere/point.stats.json"};
	char json[256];
	struct point point;

	put_fio("", &job, 1, json);
	point_read(json, paths, 1, "050", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_VALID);
	ck_assert_ptr_nonnull(strstr(point.warning, "/nowhere/point.stats.json"));
}
END_TEST

START_TEST(errors_and_idle_jobs_fail)
{
	struct job broken = {8062, 120, 240, 28, NULL}, idle = {0, 0, 0, 0, NULL};
	char json[256];
	struct point point;

	put_fio("fio: pid=1, err=28/file:io_u.c\n", &broken, 1, json);
	point_read(json, NULL, 0, "050", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_FAILED);
	ck_assert_ptr_nonnull(strstr(point.reason, "No space left on device (28)"));
	ck_assert_ptr_nonnull(strstr(point.reason, "err=28/file"));
	put_fio("", &idle, 1, json);
	point_read(json, NULL, 0, "max", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_FAILED);
	ck_assert_ptr_nonnull(strstr(point.reason, "no I/O"));
	ck_assert(isnan(point.clat.mean_us));
	put_fio("fio: pid=7, got signal=11\n", &(struct job){9, 9, 9, 0, NULL}, 1, json);
	point_read(json, NULL, 0, "050", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_FAILED);
	point_read("/nowhere/050.json", NULL, 0, "050", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_FAILED);
	ck_assert_ptr_nonnull(strstr(point.reason, "/nowhere/050.json"));
}
END_TEST

START_TEST(a_run_that_was_stopped_is_no_result)
{
	struct job job = {1000, 80, 160, 0, "\"runtime\":\"30\",\"time_based\":\"1\""};
	char json[256];
	struct point point;

	put_fio("", &job, 1, json);
	point_read(json, NULL, 0, "050", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_INVALID);
	ck_assert_ptr_nonnull(strstr(point.reason, "incomplete"));
	job.options = "\"runtime\":\"10\",\"time_based\":\"\"";
	put_fio("", &job, 1, json);
	point_read(json, NULL, 0, "050", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_VALID);
	put_fio("fio: terminating on signal 2\n", &job, 1, json);
	point_read(json, NULL, 0, "050", NAN, &point);
	ck_assert_int_eq(point.verdict, POINT_INVALID);
}
END_TEST

START_TEST(figures_that_disagree_are_a_warning)
{
	static const char edited[] =
		"{\"fio version\":\"fio-3.26\",\"jobs\":[{\"jobname\":\"j\",\"job options\":"
		"{\"bs\":\"4k\"},\"read\":{\"io_bytes\":1071141824,\"io_kbytes\":1,"
		"\"bw_bytes\":7876980,\"iops\":2160.56,\"runtime\":1,\"total_ios\":258144}}]}";
	char json[256];
	struct point point;

	put_file("point.json", edited, json);
	point_read(json, NULL, 0, "050", NAN, &point);
	ck_assert_ptr_nonnull(strstr(point.warning, "edited?"));
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("points");
	TCase *tests = tcase_create("points");

	tcase_add_test(tests, a_calm_point_is_valid);
	tcase_add_test(tests, late_at_the_limit_is_saturated);
	tcase_add_test(tests, unsent_is_saturated);
	tcase_add_test(tests, late_with_a_free_slot_is_invalid);
	tcase_add_test(tests, a_busy_cpu_is_invalid_even_when_saturated);
	tcase_add_test(tests, an_invalid_replay_is_shown_with_its_reason);
	tcase_add_test(tests, a_drive_that_throttles_is_marked_and_counts);
	tcase_add_test(tests, a_drive_that_was_reset_spoils_its_point);
	tcase_add_test(tests, rubbish_about_a_drive_says_nothing);
	tcase_add_test(tests, the_max_run_is_saturated);
	tcase_add_test(tests, clones_are_taken_together);
	tcase_add_test(tests, without_statistics_the_rate_decides);
	tcase_add_test(tests, unreadable_statistics_are_a_warning);
	tcase_add_test(tests, errors_and_idle_jobs_fail);
	tcase_add_test(tests, a_run_that_was_stopped_is_no_result);
	tcase_add_test(tests, figures_that_disagree_are_a_warning);
	suite_add_tcase(suite, tests);
	return suite;
}

static void clean_up(void)
{
	static const char *const names[] = {"point.json", "point.stats.json", "point.stats.1.json",
					    "point.stats.2.json"};
	char path[256];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

int main(void)
{
	int code;

	if (!mkdtemp(folder))
		return EXIT_FAILURE;
	code = run_suite(make_suite());
	clean_up();
	return code;
}
