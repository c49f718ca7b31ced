/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows that are run once: their job files, what they come to, and the cache of an earlier probe. */
#include "engines/qlc/qlc.h"
#include "tests/unit/plan_fixture.h"
#include "tests/unit/suite.h"

static struct job_file job;
static char out[64];

static void set_up(void)
{
	snprintf(out, sizeof(out), "/tmp/ssdreview-once.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(out));
	choose("qlc-cache", TARGET_FILE, "/mnt/test", 1000ULL * 1000 * 1000 * 1000);
	options.out = out;
}

static void tear_down(void)
{
	char command[128];

	job_file_free(&job);
	snprintf(command, sizeof(command), "rm -r %s", out);
	ck_assert_int_eq(system(command), 0);
}

static void read_job(const char *row)
{
	job_file_free(&job);
	ck_assert_msg(!once_job_read(&plan, profile_find_row(&profile, row), &job, &err), "%s",
		      err.text);
}

static const char *value(const char *key)
{
	return job_file_get(&job, job_file_section(&job), key);
}

/* A review of the drive below --out, whose probe found this. */
static void add_review(const char *name, const char *updated, const char *identity,
		       const char *cache)
{
	char folder[128], path[160], text[512];

	snprintf(folder, sizeof(folder), "%s/%s", out, name);
	ck_assert_int_eq(folder_make(folder, &err), 0);
	snprintf(path, sizeof(path), "%s/review.json", folder);
	snprintf(text, sizeof(text),
		 "{ \"identity\": \"%s\", \"updated\": \"%s\", \"rows\": [ { \"row\": \"probe\", "
		 "\"steps\": \"once\", \"points\": [ { \"stats\": [ \"s.json\" ], \"failed\": "
		 "null } ] } ] }",
		 identity, updated);
	ck_assert_int_eq(file_write_atomic(path, text, strlen(text), &err), 0);
	snprintf(path, sizeof(path), "%s/s.json", folder);
	snprintf(text, sizeof(text),
		 "{ \"qlc\": { \"cache_bytes\": %s, \"fast_mbps\": 2000, \"slow_mbps\": 100 } }",
		 cache);
	ck_assert_int_eq(file_write_atomic(path, text, strlen(text), &err), 0);
}

START_TEST(the_profile)
{
	make_plan();
	ck_assert_uint_eq(plan.row_count, 6);
	ck_assert_uint_eq(plan.region_bytes, target.bytes / (1024 * 1024) * (1024 * 1024));
	ck_assert(plan.writes && !plan.fills);
	ck_assert_double_eq(plan.idle_s, 300);
	ck_assert(plan.rows[0].writes && !plan.rows[0].sequential);
	ck_assert_str_eq(plan.rows[5].row->name, "fill-levels");
	options.quick = true;
	make_plan();
	ck_assert_double_eq(plan.idle_s, 30);
}
END_TEST

/* Each row: its own run, its idle time, and fio's start; each repeat again. */
START_TEST(time_and_amount)
{
	double seconds = 0, bytes = 0;
	unsigned i;

	options.repeat = 2;
	make_plan();
	for (i = 0; i < plan.row_count; i++) {
		ck_assert_double_gt(plan.rows[i].once_bytes, 200e9);
		seconds += plan.rows[i].once_s + 300 + 0.5;
		bytes += plan.rows[i].once_bytes;
	}
	ck_assert_double_eq_tol(plan.duration_s, 2 * seconds, 1e-3);
	ck_assert_double_eq_tol(plan.written_bytes, 2 * bytes, 1);
	options.read_only = true;
	refuse_plan();
}
END_TEST

START_TEST(quick_options_take_the_place_of_the_job_s)
{
	make_plan();
	read_job("recover");
	ck_assert_str_eq(value("idle"), "1s:5s:30s:2m:10m");
	options.quick = true;
	make_plan();
	read_job("recover");
	ck_assert_str_eq(value("idle"), "1s:30s:2m");
	read_job("fill-levels");
	ck_assert_str_eq(value("levels"), "0:50");
	ck_assert_str_eq(value("rest"), "1m");
	ck_assert_str_eq(value("mode"), "fill-levels");
}
END_TEST

START_TEST(times_shrink_with_the_drive)
{
	target.kind = TARGET_SIM;
	target.scale = 100;
	make_plan();
	ck_assert_double_eq(plan.idle_s, 3);
	read_job("recover");
	ck_assert_str_eq(value("idle"), "10000us:50000us:300000us:1200000us:6000000us");
	read_job("fill-levels");
	ck_assert_str_eq(value("rest"), "3000000us");
	read_job("sustain");
	ck_assert_str_eq(value("sustain_time"), "9000000us");
}
END_TEST

START_TEST(the_job_file_of_the_run)
{
	struct job_point point = {.row = "recover",
				  .point = ONCE_POINT,
				  .repeat = 1,
				  .engine = "/lib/openloop.so",
				  .target = "/dev/test",
				  .in_flight = 32,
				  .jobs = 1,
				  .region_files = 1,
				  .region_bytes = 1048576,
				  .cache_from = "../probe/once.stats.json"};
	char *text;

	make_plan();
	read_job("recover");
	point.section = job_file_section(&job);
	ck_assert_msg(!job_text(&job, &point, &text, &err), "%s", err.text);
	ck_assert_ptr_nonnull(strstr(text, "\n[once]\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nmode=recover\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nioengine=external:/lib/qlc_writer.so\n"));
	ck_assert_ptr_nonnull(strstr(text, "\ncache_from=../probe/once.stats.json\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nstats_file=once.stats.json\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nsize=1048576\n"));
	ck_assert_ptr_null(strstr(text, "runtime"));
	free(text);
	point.cache_from = NULL;
	ck_assert_msg(!job_text(&job, &point, &text, &err), "%s", err.text);
	ck_assert_ptr_null(strstr(text, "cache_from"));
	free(text);
}
END_TEST

START_TEST(lists)
{
	static const char *const wrong[] = {"1x", "-1", "1e6", "300h", "x", "1s::2s"};
	double times_s[QLC_LIST];
	unsigned count;
	size_t i;

	ck_assert_int_eq(qlc_parse_times("3000000us:500ms:2:2m:1h", times_s, &count, &err), 0);
	ck_assert_uint_eq(count, 5);
	ck_assert_double_eq_tol(times_s[0], 3, 1e-9);
	ck_assert_double_eq_tol(times_s[3], 120, 1e-9);
	ck_assert_int_eq(qlc_parse_times(NULL, times_s, &count, &err), 0);
	ck_assert_uint_eq(count, 0);
	for (i = 0; i < COUNT(wrong); i++)
		ck_assert_msg(qlc_parse_times(wrong[i], times_s, &count, &err), "%s", wrong[i]);
}
END_TEST

/* A review whose probe was spoilt, and whose second row went by it on a quiet machine. */
START_TEST(a_spoilt_probe_is_not_known)
{
	static const char index[] =
		"{ \"identity\": \"file /mnt/test, 1000000000000 bytes\", \"updated\": "
		"\"2026-01-02T00:00:00Z\", \"rows\": [ { \"row\": \"probe\", \"steps\": \"once\", "
		"\"points\": [ { \"stats\": [ \"p.json\" ], \"failed\": null } ] }, { \"row\": "
		"\"burst\", \"steps\": \"once\", \"points\": [ { \"stats\": [ \"s.json\" ], "
		"\"failed\": null } ] } ] }";
	static const char spoilt[] =
		"{ \"cpu_wait_share\": 0.2, \"qlc\": { \"cache_bytes\": 70000000000, "
		"\"fast_mbps\": 2000, \"slow_mbps\": 100 } }";
	char path[160], *text;

	add_review("late", "2026-01-02T00:00:00Z", "file /mnt/test, 1000000000000 bytes",
		   "70000000000");
	snprintf(path, sizeof(path), "%s/late/review.json", out);
	ck_assert_int_eq(file_write_atomic(path, index, strlen(index), &err), 0);
	snprintf(path, sizeof(path), "%s/late/p.json", out);
	ck_assert_int_eq(file_write_atomic(path, spoilt, strlen(spoilt), &err), 0);
	make_plan();
	ck_assert_str_eq(plan.cache.from, "");
	text = printed();
	ck_assert_ptr_nonnull(strstr(text, "assumed, for a busy machine spoilt the probe in "));
	free(text);
	add_review("quiet", "2026-01-03T00:00:00Z", "file /mnt/test, 1000000000000 bytes",
		   "60000000000");
	make_plan();
	ck_assert_uint_eq(plan.cache.bytes, 60000000000ULL);
}
END_TEST

START_TEST(the_cache_of_an_earlier_probe)
{
	const char *mine = "file /mnt/test, 1000000000000 bytes";
	double assumed_s;
	char *text;

	make_plan();
	assumed_s = plan.rows[0].once_s;
	ck_assert_str_eq(plan.cache.from, "");
	text = printed();
	ck_assert_ptr_nonnull(strstr(text, "\nCache       250 GB, 2,500 MB/s inside and 250 MB/s "
					   "past it: assumed"));
	free(text);
	add_review("other", "2026-01-09T00:00:00Z", "file /mnt/other, 1000000000000 bytes", "1");
	add_review("none", "2026-01-08T00:00:00Z", mine, "null");
	add_review("old", "2026-01-01T00:00:00Z", mine, "70000000000");
	make_plan();
	ck_assert_uint_eq(plan.cache.bytes, 70000000000ULL);
	add_review("new", "2026-01-02T00:00:00Z", mine, "60000000000");
	make_plan();
	ck_assert_uint_eq(plan.cache.bytes, 60000000000ULL);
	ck_assert_double_eq(plan.cache.slow, 100e6);
	ck_assert_double_ne(plan.rows[0].once_s, assumed_s);
	text = printed();
	ck_assert_ptr_nonnull(strstr(text, "Cache       60.0 GB, 2,000 MB/s inside and 100 MB/s "
					   "past it: the probe in "));
	free(text);
}
END_TEST

static void expect_comparison(const char *words)
{
	char *text;

	make_plan();
	text = printed();
	ck_assert_msg(strstr(text, words), "no \"%s\" in: %s", words, text);
	free(text);
}

START_TEST(a_review_is_held_against_the_cache)
{
	ck_assert_msg(!profile_load("client-qlc", &profile, &err), "%s", err.text);
	target.bytes = 20ULL * 1024 * 1024 * 1024;
	add_review("c", "2026-01-02T00:00:00Z", "file /mnt/test, 21474836480 bytes",
		   "280000000000");
	expect_comparison("the region of 21.5 GB fits the cache of 280 GB (probe in ");
	expect_comparison("the fill and 5 rows that write will write at most 6.40 TB");
	expect_comparison("in SLC only if it reclaims overwritten SLC");
	options.quick = true;
	options.rows = "64k-seqwrite";
	expect_comparison("the fill and 1 row that writes will write at most 53.3 GB: the drive "
			  "stays in SLC\n");
	add_review("c", "2026-01-02T00:00:00Z", "file /mnt/test, 21474836480 bytes", "20000000000");
	expect_comparison("does not fit the cache of 20.0 GB");
	expect_comparison(": the drive writes past its cliff");
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("all");

	tcase_add_checked_fixture(all, set_up, tear_down);
	tcase_add_test(all, the_profile);
	tcase_add_test(all, time_and_amount);
	tcase_add_test(all, quick_options_take_the_place_of_the_job_s);
	tcase_add_test(all, times_shrink_with_the_drive);
	tcase_add_test(all, the_job_file_of_the_run);
	tcase_add_test(all, lists);
	tcase_add_test(all, a_spoilt_probe_is_not_known);
	tcase_add_test(all, the_cache_of_an_earlier_probe);
	tcase_add_test(all, a_review_is_held_against_the_cache);
	return run_case("rows that are run once", all);
}
