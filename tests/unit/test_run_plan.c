/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run comes to: rows, region, times, amounts; the words and sizes of its options. */
#include "tests/unit/plan_fixture.h"
#include "tests/unit/suite.h"

static void set_up(void)
{
	choose("client-qlc", TARGET_DEVICE, "/dev/test", 1000ULL * 1024 * 1024 * 1024);
}

START_TEST(the_whole_profile)
{
	char name[8];

	make_plan();
	ck_assert_uint_eq(plan.row_count, 7);
	ck_assert_uint_eq(plan.region_bytes, 10ULL * 1024 * 1024 * 1024);
	ck_assert_str_eq(plan.region, "1 % of the drive (10.7 GB)");
	ck_assert(plan.writes && plan.fills);
	ck_assert(!plan.rows[0].writes && plan.rows[1].writes);
	ck_assert(!plan.rows[1].sequential && plan.rows[2].sequential);
	ck_assert_uint_eq(plan.rows[3].block_bytes, 65536);
	ck_assert(!plan.rows[3].replays && plan.rows[4].replays);
	plan_point_name(&plan, 0, name);
	ck_assert_str_eq(name, "max");
	plan_point_name(&plan, 1, name);
	ck_assert_str_eq(name, "010");
	plan_point_name(&plan, 12, name);
	ck_assert_str_eq(name, "120");
}
END_TEST

/* 7 rows of 13 points of 65.5 s, 6 idle minutes, and the region once at 2.5 GB/s. */
START_TEST(time_and_amount)
{
	double fill = 10.0 * 1024 * 1024 * 1024;

	make_plan();
	ck_assert_double_eq_tol(plan.duration_s, 7 * 13 * 65.5 + 360 + fill / 2.5e9 + 0.5, 1e-6);
	/* Five rows that write: the max run and 10 ... 100 % add up to 6.5 points, 110 and 120 %
	 * to 2. */
	ck_assert_double_eq_tol(plan.written_bytes, fill + 5 * 8.5 * 60 * 2.5e9, 1);
}
END_TEST

/* Five rows write; before four of them the region is written again. */
START_TEST(rows_that_are_refilled)
{
	double fill = 10.0 * 1024 * 1024 * 1024;
	double duration_s, written_bytes;

	make_plan();
	duration_s = plan.duration_s;
	written_bytes = plan.written_bytes;
	profile.refill = true;
	make_plan();
	ck_assert(!plan_refills(&plan, &plan.rows[1]) && plan_refills(&plan, &plan.rows[3]));
	ck_assert(!plan_refills(&plan, &plan.rows[2]));
	ck_assert_double_eq_tol(plan.written_bytes - written_bytes, 4 * fill, 1);
	ck_assert_double_eq_tol(plan.duration_s - duration_s, 4 * (fill / 2.5e9 + 0.5), 1e-6);
	options.read_only = true;
	make_plan();
	ck_assert(!plan_refills(&plan, &plan.rows[1]));
}
END_TEST

START_TEST(quick_and_scale)
{
	options.quick = true;
	make_plan();
	ck_assert_double_eq(plan.wait_s, 0.5);
	ck_assert_double_eq(plan.measure_s, 1);
	ck_assert_double_eq(plan.cooldown_s, 0);
	target.scale = 4;
	make_plan();
	ck_assert_double_eq(plan.wait_s, 0.125);
	ck_assert_double_eq(plan.measure_s, 0.25);
	options.quick = false;
	make_plan();
	ck_assert_double_eq(plan.wait_s, 7.5);
	ck_assert_double_eq(plan.idle_s, 15);
	target.scale = 1000;
	make_plan();
	ck_assert_double_eq(plan.measure_s, 0.1);
}
END_TEST

START_TEST(read_only)
{
	options.read_only = true;
	make_plan();
	ck_assert_uint_eq(plan.row_count, 2);
	ck_assert(!plan.writes && !plan.fills);
	ck_assert_double_eq(plan.written_bytes, 0);
	options.rows = "4k-randwrite";
	refuse_plan();
}
END_TEST

/* Of a mix only what it writes counts, and a mix is no single stream. */
START_TEST(rows_with_a_mix)
{
	ck_assert_msg(!profile_load("enterprise", &profile, &err), "%s", err.text);
	options.rows = "oracle";
	make_plan();
	ck_assert(plan.rows[0].writes && !plan.rows[0].sequential);
	ck_assert_uint_eq(plan.rows[0].block_bytes, 8192 + (65536 - 8192) / 100);
	ck_assert_double_eq_tol(plan.rows[0].mix_writes,
				(0.19 * 8192 + 0.01 * 65536) / (0.99 * 8192 + 0.01 * 65536), 1e-9);
	options.read_only = true;
	refuse_plan();
}
END_TEST

START_TEST(a_mix_needs_a_job_that_can)
{
	strcpy(profile.rows[0].mix, "50:randread:4k,50:randwrite:4k");
	refuse_plan();
	ck_assert_ptr_nonnull(strstr(err.text, "[4k-randread] its mix writes, and rw= in"));
	profile.rows[0].mix[0] = '\0';
	strcpy(profile.rows[4].mix, "50:randread:4k,50:randwrite:4k");
	refuse_plan();
	ck_assert_ptr_nonnull(strstr(err.text, "[vdi-fc-boot] has a mix"));
}
END_TEST

START_TEST(a_mix_that_cannot_be_is_named_by_line)
{
	struct profile_row *row = &profile.rows[0];
	char path[] = "/tmp/mix-XXXXXX";
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt(dprintf(fd, "[global]\nrw=randrw\n\nmix=90:randread:8k,20:write:8k\n"), 0);
	close(fd);
	snprintf(row->jobfile, sizeof(row->jobfile), "%s", path);
	refuse_plan();
	unlink(path);
	ck_assert_ptr_nonnull(strstr(err.text, path));
	ck_assert_ptr_nonnull(strstr(err.text,
				     ":4: mix: byte 1: the shares of the patterns come to "
				     "110 percent, not 100"));
}
END_TEST

START_TEST(some_rows)
{
	options.rows = "64k-seqread,4k-randread";
	make_plan();
	ck_assert_uint_eq(plan.row_count, 2);
	ck_assert_str_eq(plan.rows[0].row->name, "4k-randread");
	options.rows = "4k-randread,64k-seqraed";
	refuse_plan();
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean \"64k-seqread\"?"));
}
END_TEST

START_TEST(regions)
{
	options.size_bytes = 3 * 1024 * 1024 + 5;
	make_plan();
	ck_assert_uint_eq(plan.region_bytes, 3 * 1024 * 1024);
	options.size_bytes = target.bytes + 1;
	refuse_plan();
	ck_assert_ptr_nonnull(strstr(err.text, " bytes is larger than "));
	options.size_bytes = 1048575;
	refuse_plan();
	ck_assert_ptr_nonnull(
		strstr(err.text, "a region of 1,048,575 bytes is less than 1 MiB, the least"));
	options.size_bytes = 1500000;
	profile.region_files = 2;
	refuse_plan();
	ck_assert_ptr_nonnull(strstr(err.text, "less than 1 MiB for each of 2 files"));
	profile.region_files = 1;
	profile.rows[0].region_percent = 1e-9;
	options.size_bytes = 0;
	refuse_plan();
	ck_assert_ptr_nonnull(strstr(err.text, "the row 4k-randread cannot be run: a region of "));
	profile.rows[0].region_percent = 0;
	target.kind = TARGET_FILE;
	make_plan();
	ck_assert_uint_eq(plan.region_bytes, target.bytes);
	target.bytes = 1000;
	refuse_plan();
}
END_TEST

START_TEST(two_files)
{
	ck_assert_int_eq(profile_load("client-20g", &profile, &err), 0);
	make_plan();
	ck_assert_uint_eq(plan.region_bytes % (2 * 1024 * 1024), 0);
	ck_assert_uint_eq(plan.region_bytes, 19998441472ULL);
	ck_assert_uint_eq(plan.rows[0].in_flight, 256);
	options.stated_threads = true;
	make_plan();
	ck_assert_uint_eq(plan.rows[0].in_flight, 128);
}
END_TEST

START_TEST(jobs_share_evenly)
{
	options.jobs = 4;
	make_plan();
	options.jobs = 3;
	refuse_plan();
	options.jobs = 128;
	refuse_plan();
}
END_TEST

START_TEST(sizes)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = {{"4096", 4096},
		    {"4k", 4096},
		    {"1M", 1048576},
		    {"1MiB", 1048576},
		    {"1MB", 1000000},
		    {"20GB", 20000000000ULL},
		    {"1.5 G", 1610612736ULL},
		    {"2T", 2199023255552ULL},
		    {"12B", 12}};
	static const char *const wrong[] = {"", "G", "-1", "0", "4x", "4MBB", "nan", "1e30", "inf"};
	uint64_t bytes;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_msg(!size_parse(good[i].text, &bytes, &err), "%s", good[i].text);
		ck_assert_uint_eq(bytes, good[i].bytes);
	}
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(size_parse(wrong[i], &bytes, &err) == -1, "%s", wrong[i]);
}
END_TEST

START_TEST(a_busy_machine_is_told)
{
	char text[160];

	ck_assert(!busy_warning(1.0, 2, text, sizeof(text)));
	ck_assert(!busy_warning(-1, 2, text, sizeof(text)));
	ck_assert(busy_warning(4.13, 2, text, sizeof(text)));
	ck_assert_ptr_nonnull(strstr(text, "The machine is busy: load 4.1 on 2 cores; points may "
					   "be invalid."));
	ck_assert(busy_warning(0.6, 1, text, sizeof(text)));
	ck_assert_ptr_nonnull(strstr(text, "on 1 core;"));
}
END_TEST

START_TEST(amounts_are_the_most_there_can_be)
{
	char *text;

	make_plan();
	text = printed();
	ck_assert_ptr_nonnull(strstr(text, "\nWrites      at most "));
	ck_assert_ptr_nonnull(strstr(text, " (if the drive takes 2,500 MB/s); the rated"));
	free(text);
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("all");

	tcase_add_checked_fixture(all, set_up, NULL);
	tcase_add_test(all, the_whole_profile);
	tcase_add_test(all, time_and_amount);
	tcase_add_test(all, rows_that_are_refilled);
	tcase_add_test(all, quick_and_scale);
	tcase_add_test(all, read_only);
	tcase_add_test(all, rows_with_a_mix);
	tcase_add_test(all, a_mix_needs_a_job_that_can);
	tcase_add_test(all, a_mix_that_cannot_be_is_named_by_line);
	tcase_add_test(all, some_rows);
	tcase_add_test(all, regions);
	tcase_add_test(all, two_files);
	tcase_add_test(all, jobs_share_evenly);
	tcase_add_test(all, sizes);
	tcase_add_test(all, a_busy_machine_is_told);
	tcase_add_test(all, amounts_are_the_most_there_can_be);
	return run_case("run plan", all);
}
