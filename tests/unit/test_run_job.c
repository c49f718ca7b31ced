/* SPDX-License-Identifier: GPL-2.0-only */
/* The job file of one point, made from its row's job file. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "review/review.h"
#include "tests/unit/suite.h"

static struct job_file job;
static struct job_point point;
static struct error err;
static char *text;

static void set_up(void)
{
	ck_assert_msg(!job_file_read("jobfiles/corners/4k-randwrite.fio", &job, &err), "%s",
		      err.text);
	point = (struct job_point){
		.row = "4k-randwrite",
		.point = "030",
		.repeat = 1,
		.percent = 30,
		.engine = "/lib/openloop.so",
		.target = "/dev/by:path",
		.in_flight = 128,
		.jobs = 1,
		.region_files = 1,
		.region_bytes = 8 * 1024 * 1024,
		.wait_s = 0.5,
		.measure_s = 30,
	};
}

static void tear_down(void)
{
	free(text);
	text = NULL;
	job_file_free(&job);
}

static void make_text(void)
{
	free(text);
	ck_assert_msg(!job_text(&job, &point, &text, &err), "%s", err.text);
}

/* Whether the job file has the line. */
static bool has(const char *line)
{
	size_t length = strlen(line);
	const char *at;

	for (at = text; (at = strstr(at, line)); at += length)
		if ((at == text || at[-1] == '\n') && at[length] == '\n')
			return true;
	return false;
}

START_TEST(one_point)
{
	make_text();
	ck_assert(has("[030]"));
	ck_assert(has("ioengine=external:/lib/openloop.so"));
	ck_assert(has("filename=/dev/by\\:path"));
	ck_assert(has("iorate=30%"));
	ck_assert(has("max_from=max.stats.json"));
	ck_assert(has("stats_file=030.stats.json"));
	ck_assert(has("size=8388608"));
	ck_assert(has("iodepth=128"));
	ck_assert(has("ramp_time=500000us"));
	ck_assert(has("runtime=30"));
	ck_assert(has("bs=4096"));
	ck_assert(has("refill_buffers"));
	ck_assert_ptr_null(strstr(text, "stonewall"));
	ck_assert_ptr_null(strstr(text, "numjobs"));
	ck_assert_ptr_null(strstr(text, "${"));
	ck_assert_ptr_null(strstr(text, "[040]"));
}
END_TEST

START_TEST(no_key_stands_twice)
{
	const char *line;

	make_text();
	for (line = text; line && *line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		char key[64] = "\n";
		size_t length = strcspn(line, "=\n");

		if (*line == '#' || line[length] != '=' || length + 3 > sizeof(key))
			continue;
		memcpy(key + 1, line, length + 1);
		key[length + 2] = '\0';
		ck_assert_msg(!strstr(line, key), "%s stands twice in\n%s", key, text);
	}
}
END_TEST

START_TEST(the_max_run)
{
	point.point = "max";
	point.percent = 0;
	make_text();
	ck_assert(has("[max]"));
	ck_assert(has("stats_file=max.stats.json"));
	ck_assert_ptr_null(strstr(text, "iorate"));
	ck_assert_ptr_null(strstr(text, "max_from"));
}
END_TEST

START_TEST(a_repeat_draws_anew)
{
	char first[32];
	const char *seed;

	make_text();
	seed = strstr(text, "\nrandseed=") + 1;
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(seed, "\n"), seed);
	point.repeat = 2;
	make_text();
	ck_assert(!has(first));
	ck_assert(has("stats_file=030.r2.stats.json"));
	ck_assert(has("max_from=max.r2.stats.json"));
}
END_TEST

START_TEST(jobs_spread_depth)
{
	point.jobs = 4;
	make_text();
	ck_assert(has("numjobs=4"));
	ck_assert(has("iodepth=32"));
	ck_assert(has("size=8388608"));
	point.sequential = true;
	make_text();
	ck_assert_ptr_null(strstr(text, "numjobs"));
	ck_assert(has("iodepth=128"));
}
END_TEST

START_TEST(two_files_are_two_halves)
{
	point.region_files = 2;
	point.sequential = true;
	make_text();
	ck_assert(has("numjobs=2"));
	ck_assert(has("iodepth=64"));
	ck_assert(has("size=4194304"));
	ck_assert(has("offset_increment=4194304"));
}
END_TEST

START_TEST(a_simulated_drive_needs_no_data)
{
	point.simulated = true;
	make_text();
	ck_assert_ptr_null(strstr(text, "refill_buffers"));
	ck_assert(has("scramble_buffers=0"));
}
END_TEST

/* Steps that a profile has and the job file has not. */
START_TEST(a_step_of_ones_own)
{
	point.point = "035";
	point.percent = 35;
	make_text();
	ck_assert(has("[035]"));
	ck_assert(has("iorate=35%"));
	ck_assert_ptr_nonnull(strstr(text, "\nrandseed="));
}
END_TEST

/* Points of a row must not write the same blocks in the same order. */
START_TEST(every_point_has_its_own_seed)
{
	static const char *const files[] = {
		"jobfiles/corners/4k-randread.fio", "jobfiles/corners/4k-randwrite.fio",
		"jobfiles/corners/64k-seqread.fio", "jobfiles/corners/64k-seqwrite.fio"};
	const char *seeds[64];
	struct job_file files_read[4];
	size_t count = 0, i, file, other;

	for (file = 0; file < 4; file++) {
		ck_assert_int_eq(job_file_read(files[file], &files_read[file], &err), 0);
		for (i = 0; i < files_read[file].count; i++)
			if (!strcmp(files_read[file].lines[i].key, "randseed"))
				seeds[count++] = files_read[file].lines[i].value;
	}
	ck_assert_uint_eq(count, 4 * 13);
	for (i = 0; i < count; i++)
		for (other = 0; other < i; other++)
			ck_assert_str_ne(seeds[i], seeds[other]);
	for (file = 0; file < 4; file++)
		job_file_free(&files_read[file]);
}
END_TEST

START_TEST(damaged_job_files)
{
	static const char *const wrong[] = {"rw=read\n", "[global\n", "[ok]\n[]\n=\n[x"};
	char path[] = "/tmp/ssdreview-job.XXXXXX";
	struct job_file damaged;
	size_t i;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	for (i = 0; i < 3; i++) {
		ck_assert_int_eq(file_write_atomic(path, wrong[i], strlen(wrong[i]), NULL), 0);
		ck_assert_msg(job_file_read(path, &damaged, &err) == -1, "%s", wrong[i]);
		ck_assert_ptr_nonnull(strstr(err.text, path));
	}
	unlink(path);
}
END_TEST

/* fio would take another file for the target, or another key. */
START_TEST(a_value_that_would_change_is_refused)
{
	static const char *const bad[] = {"/a#b",	  "/a;b", "/a${HOME}",
					  "/a\nrw=write", "/a ",  "/a\xff"};
	char long_name[JOB_VALUE_ROOM];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_int_eq(job_value_check(bad[i], &err), -1);
		point.target = bad[i];
		ck_assert_int_eq(job_text(&job, &point, &text, &err), -1);
		ck_assert_ptr_null(text);
		ck_assert_ptr_nonnull(strstr(err.text, "name"));
	}
	memset(long_name, ':', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	point.target = long_name;
	ck_assert_int_eq(job_text(&job, &point, &text, &err), -1);
	ck_assert_int_eq(job_value_check("/a b/\"c\"/%s:\xc3\xa4", &err), 0);
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("all");

	tcase_add_checked_fixture(all, set_up, tear_down);
	tcase_add_test(all, one_point);
	tcase_add_test(all, no_key_stands_twice);
	tcase_add_test(all, the_max_run);
	tcase_add_test(all, a_repeat_draws_anew);
	tcase_add_test(all, jobs_spread_depth);
	tcase_add_test(all, two_files_are_two_halves);
	tcase_add_test(all, a_simulated_drive_needs_no_data);
	tcase_add_test(all, a_step_of_ones_own);
	tcase_add_test(all, every_point_has_its_own_seed);
	tcase_add_test(all, damaged_job_files);
	tcase_add_test(all, a_value_that_would_change_is_refused);
	return run_case("job files of points", all);
}
