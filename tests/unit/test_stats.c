/* SPDX-License-Identifier: GPL-2.0-only */
/* The histogram, and the statistics file made of it. */
#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engines/core/engine_stats.h"
#include "tests/unit/suite.h"

START_TEST(buckets_hold_what_they_say)
{
	uint64_t value;

	for (value = 1; value < (1ULL << 41); value += value / 7 + 1) {
		unsigned bucket = histogram_bucket(value);

		ck_assert_uint_le(value, histogram_upper_ns(bucket));
		if (bucket > 0)
			ck_assert_uint_gt(value, histogram_upper_ns(bucket - 1));
	}
	ck_assert_uint_eq(histogram_bucket(~0ULL), HISTOGRAM_BUCKETS - 1);
}
END_TEST

START_TEST(moments_and_percentiles)
{
	static struct histogram h;
	uint64_t i;

	memset(&h, 0, sizeof(h));
	for (i = 1; i <= 100000; i++)
		histogram_add(&h, i * 10);
	ck_assert_double_eq_tol(histogram_mean_ns(&h), 500005.0, 1e-6);
	/* Variance of 1..n is (n^2 - 1) / 12. */
	ck_assert_double_eq_tol(histogram_m2_ns2(&h) / 1e5, 100.0 * (1e10 - 1) / 12.0, 1e3);
	ck_assert_double_eq_tol((double)histogram_percentile_ns(&h, 0.5), 500000.0, 500000 * 0.016);
	ck_assert_double_eq_tol((double)histogram_percentile_ns(&h, 0.99), 990000.0,
				990000 * 0.016);
	ck_assert_uint_eq(histogram_percentile_ns(&h, 1.0), 1000000);
}
END_TEST

START_TEST(deviation_survives_a_large_mean)
{
	static struct histogram h;
	uint64_t i;

	memset(&h, 0, sizeof(h));
	for (i = 0; i < 1000; i++)
		histogram_add(&h, 3600ULL * NS_PER_SEC + i % 2);
	ck_assert_double_eq_tol(histogram_m2_ns2(&h), 250.0, 1e-9);
}
END_TEST

START_TEST(empty_is_zero)
{
	static struct histogram h;

	memset(&h, 0, sizeof(h));
	ck_assert_uint_eq(histogram_percentile_ns(&h, 0.99), 0);
	ck_assert(histogram_mean_ns(&h) == 0.0 && histogram_m2_ns2(&h) == 0.0);
}
END_TEST

static const struct stats_run run = {.engine = "openloop",
				     .job = "a \"job\"",
				     .clone = 1,
				     .clones = 1,
				     .arrival = "poisson",
				     .seed = 9,
				     .nominal_iops = 100.0,
				     .in_flight_limit = 8};

/* 250 I/Os in 2.5 s, 1 ms each, the window from 10 s to 12.5 s; 3 more were due. */
static json_t *written(const char *path)
{
	struct stats_description description = {.drive = "block"};
	struct error err;
	struct engine_stats *stats = stats_open(path, &run, &err);
	uint64_t i, start_ns = 10 * NS_PER_SEC;

	ck_assert_ptr_nonnull(stats);
	stats_add(stats, STATS_READ, 4096, 77);
	stats_start_window(stats, start_ns, 0);
	ck_assert_uint_gt(stats->cpu_wait_start.at_ns, 0);
	ck_assert_uint_eq(stats->cpu_wait_end.at_ns, 0);
	for (i = 1; i <= 250; i++) {
		stats_close_intervals(stats, start_ns + i * 10 * NS_PER_MSEC);
		stats_add(stats, i % 5 ? STATS_READ : STATS_WRITE, 4096, NS_PER_MSEC);
		stats->due_and_sent++;
	}
	ck_assert_int_eq(stats_finish(stats, start_ns + 2500 * NS_PER_MSEC, 3,
				      start_ns + 2400 * NS_PER_MSEC, &description, &err),
			 0);
	return json_load_file(path, 0, NULL);
}

START_TEST(file_says_what_happened)
{
	char path[] = "/tmp/ssdreview-stats-XXXXXX";
	json_t *root, *intervals;
	double iops;
	struct error err;

	close(mkstemp(path));
	root = written(path);
	ck_assert_ptr_nonnull(root);
	intervals = json_object_get(root, "intervals");
	ck_assert_uint_eq(json_array_size(intervals), 3);
	ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(intervals, 0), "count")),
			 99);
	ck_assert_int_eq(json_integer_value(json_object_get(root, "offered")), 253);
	ck_assert_double_eq_tol(json_real_value(json_object_get(root, "achieved_iops")), 100.0,
				1e-9);
	ck_assert_str_eq(json_string_value(json_object_get(root, "job")), "a \"job\"");
	json_decref(root);
	ck_assert_int_eq(stats_read_achieved(path, &iops, &err), 0);
	ck_assert_double_eq_tol(iops, 100.0, 1e-9);
	unlink(path);
}
END_TEST

static void check_direction(const json_t *object, const char *word, int count, double mean_ns,
			    double m2_ns2, int max_ns)
{
	const json_t *direction = json_object_get(object, word);

	ck_assert_int_eq(json_integer_value(json_object_get(direction, "count")), count);
	ck_assert_int_eq(json_integer_value(json_object_get(direction, "bytes")), count * 512);
	ck_assert_double_eq_tol(json_number_value(json_object_get(direction, "mean_ns")), mean_ns,
				1e-3);
	ck_assert_double_eq_tol(json_number_value(json_object_get(direction, "m2_ns2")), m2_ns2,
				m2_ns2 * 1e-8 + 1e-9);
	ck_assert_int_eq(json_integer_value(json_object_get(direction, "max_ns")), max_ns);
}

/* Reads of 1,000 and 3,000 ns, a write of 9,000 ns in the first of two intervals of 5 ms. */
START_TEST(intervals_tell_reads_from_writes)
{
	static const struct stats_description description = {.drive = "block"};
	const char *path = "stats-directions.json";
	struct stats_run short_run = run;
	struct engine_stats *stats;
	struct error err;
	json_t *root, *first, *second;

	short_run.interval_ns = 5 * NS_PER_MSEC;
	stats = stats_open(path, &short_run, &err);
	stats_start_window(stats, 0, 0);
	stats_add(stats, STATS_READ, 512, 1000);
	stats_add(stats, STATS_READ, 512, 3000);
	stats_add(stats, STATS_WRITE, 512, 9000);
	stats_close_intervals(stats, 5 * NS_PER_MSEC);
	stats_add(stats, STATS_READ, 512, 5000);
	ck_assert_int_eq(stats_finish(stats, 10 * NS_PER_MSEC, 0, 0, &description, &err), 0);
	root = json_load_file(path, 0, NULL);
	first = json_array_get(json_object_get(root, "intervals"), 0);
	second = json_array_get(json_object_get(root, "intervals"), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(root, "interval_ns")), 5000000);
	ck_assert_int_eq(json_integer_value(json_object_get(first, "count")), 3);
	ck_assert_int_eq(json_integer_value(json_object_get(second, "start_ns")), 5000000);
	check_direction(first, "read", 2, 2000, 2e6, 3000);
	check_direction(first, "write", 1, 9000, 0, 9000);
	check_direction(second, "read", 1, 5000, 0, 5000);
	check_direction(root, "read", 3, 3000, 8e6, 5000);
	check_direction(root, "write", 1, 9000, 0, 9000);
	json_decref(root);
	unlink(path);
}
END_TEST

/* What a load counts of an interval goes into the file with it, and begins again. */
START_TEST(intervals_say_how_late_their_ios_left)
{
	static const struct stats_description description = {.drive = "block"};
	static struct histogram late;
	const char *path = "stats-test.json";
	struct error err;
	struct engine_stats *stats = stats_open(path, &run, &err);
	json_t *root, *first, *second;

	histogram_add(&late, NS_PER_SEC);
	stats->interval_late = &late;
	stats_start_window(stats, 0, 0);
	histogram_add(&late, 100);
	histogram_add(&late, 40);
	stats_close_intervals(stats, NS_PER_SEC);
	histogram_add(&late, 7);
	ck_assert_int_eq(stats_finish(stats, NS_PER_SEC * 2, 0, 0, &description, &err), 0);
	root = json_load_file(path, 0, NULL);
	first = json_array_get(json_object_get(root, "intervals"), 0);
	second = json_array_get(json_object_get(root, "intervals"), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(first, "late_count")), 2);
	ck_assert_double_eq_tol(json_real_value(json_object_get(first, "late_mean_ns")), 70, 1e-9);
	ck_assert_int_eq(json_integer_value(json_object_get(first, "late_p99_ns")), 100);
	ck_assert_int_eq(json_integer_value(json_object_get(first, "late_max_ns")), 100);
	ck_assert_int_eq(json_integer_value(json_object_get(second, "late_count")), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(second, "late_max_ns")), 7);
	json_decref(root);
	unlink(path);
}
END_TEST

START_TEST(shares_of_late_ios)
{
	static struct histogram h;

	ck_assert(histogram_share_above(&h, NS_PER_MSEC) == 0.0);
	histogram_add(&h, 10);
	histogram_add(&h, 99 * NS_PER_USEC);
	histogram_add(&h, 110 * NS_PER_USEC);
	histogram_add(&h, NS_PER_SEC);
	ck_assert_double_eq_tol(histogram_share_above(&h, 100 * NS_PER_USEC), 0.5, 1e-9);
	ck_assert_double_eq_tol(histogram_share_above(&h, NS_PER_MSEC), 0.25, 1e-9);
}
END_TEST

START_TEST(file_that_cannot_be_written_is_named)
{
	struct error err;

	ck_assert_ptr_null(stats_open("/nonexistent/x.json", &run, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent/x.json"));
}
END_TEST

START_TEST(one_job_a_file)
{
	const char *path = "stats-test.json", *part = "stats-test.json.part";
	struct error err;
	struct engine_stats *stats = stats_open(path, &run, &err);

	ck_assert_ptr_nonnull(stats);
	ck_assert_ptr_null(stats_open(path, &run, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "another job"));
	stats_discard(stats);
	ck_assert_int_ne(access(part, F_OK), 0);
	ck_assert_ptr_null(stats_open(".", &run, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "directory"));
}
END_TEST

/* A disk that was full for a while: the file must not look whole. */
START_TEST(lost_intervals_are_told)
{
	static const struct stats_description description = {.drive = "block"};
	const char *path = "stats-test.json";
	struct rlimit limit, none;
	struct error err;
	struct engine_stats *stats = stats_open(path, &run, &err);

	ck_assert_ptr_nonnull(stats);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	none = limit;
	none.rlim_cur = 10;
	stats_start_window(stats, 1, 0);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
	stats_close_intervals(stats, 2 * NS_PER_SEC);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(stats_finish(stats, 4 * NS_PER_SEC, 0, 0, &description, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "File too large"));
	ck_assert_int_ne(access(path, F_OK), 0);
	ck_assert_int_ne(access("stats-test.json.new", F_OK), 0);
	unlink("stats-test.json.part");
}
END_TEST

START_TEST(maximum_from_a_wrong_file_is_refused)
{
	char path[] = "/tmp/ssdreview-stats-XXXXXX";
	int fd = mkstemp(path);
	struct error err;
	double iops;

	ck_assert_int_eq(stats_read_achieved("/nonexistent", &iops, &err), -1);
	ck_assert_int_eq(write(fd, "{\"achieved_iops\": 0}", 20), 20);
	close(fd);
	ck_assert_int_eq(stats_read_achieved(path, &iops, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "achieved_iops"));
	unlink(path);
}
END_TEST

START_TEST(a_run_that_never_began_leaves_no_file)
{
	char folder[] = "/tmp/test_stats.XXXXXX", path[64];
	struct engine_stats *stats;
	struct error err;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/s.json", folder);
	stats = stats_open(path, &run, &err);
	ck_assert_ptr_nonnull(stats);
	stats_discard(stats);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("histogram and file");

	tcase_add_test(tcase, buckets_hold_what_they_say);
	tcase_add_test(tcase, moments_and_percentiles);
	tcase_add_test(tcase, deviation_survives_a_large_mean);
	tcase_add_test(tcase, empty_is_zero);
	tcase_add_test(tcase, file_says_what_happened);
	tcase_add_test(tcase, intervals_say_how_late_their_ios_left);
	tcase_add_test(tcase, intervals_tell_reads_from_writes);
	tcase_add_test(tcase, shares_of_late_ios);
	tcase_add_test(tcase, file_that_cannot_be_written_is_named);
	tcase_add_test(tcase, one_job_a_file);
	tcase_add_test(tcase, lost_intervals_are_told);
	tcase_add_test(tcase, maximum_from_a_wrong_file_is_refused);
	tcase_add_test(tcase, a_run_that_never_began_leaves_no_file);
	return run_case("statistics", tcase);
}
