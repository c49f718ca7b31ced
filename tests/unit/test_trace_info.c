/* SPDX-License-Identifier: GPL-2.0-only */
/* The characterisation: figures of traces whose answers can be told by hand. */
#include "tests/unit/suite.h"
#include "trace_fixture.h"

static struct trace_writer *writer;

static void begin(void)
{
	make_folder();
	writer = begin_trace(below("a.vdt"), true, 0);
}

static void add(double time_s, enum trace_op op, uint64_t block, uint64_t blocks, double latency_s)
{
	struct trace_record record = {.time_ns = 5000000000ULL + (uint64_t)(time_s * 1e9 + 0.5),
				      .offset = block * 4096,
				      .length = blocks * 4096,
				      .latency_ns = (uint64_t)(latency_s * 1e9),
				      .op = (uint8_t)op};

	if (latency_s < 0)
		record.latency_ns = TRACE_NO_LATENCY;
	ck_assert_msg(!trace_writer_append(writer, &record, &err), "%s", err.text);
}

static struct trace_info collect(void)
{
	struct trace_info info;
	struct trace *trace;

	ck_assert_msg(!trace_writer_finish(writer, &err), "%s", err.text);
	trace = open_trace(below("a.vdt"));
	ck_assert_msg(!trace_info_collect(trace, &info, &err), "%s", err.text);
	trace_close(trace);
	return info;
}

START_TEST(counts_and_sizes)
{
	struct trace_info info;
	unsigned i;

	for (i = 0; i < 10; i++)
		add(i, i < 7 ? TRACE_READ : TRACE_WRITE, 1000 * i, i < 6 ? 1 : 2, -1);
	add(10, TRACE_FLUSH, 0, 0, -1);
	add(11, TRACE_TRIM, 0, 100, -1);
	info = collect();
	ck_assert_uint_eq(info.all.records[TRACE_READ], 7);
	ck_assert_uint_eq(info.all.bytes[TRACE_READ], 8 * 4096);
	ck_assert_uint_eq(info.all.records[TRACE_WRITE], 3);
	ck_assert_uint_eq(info.all.records[TRACE_FLUSH], 1);
	ck_assert_uint_eq(info.all.bytes[TRACE_TRIM], 100 * 4096);
	ck_assert_uint_eq(info.common[0].bytes, 4096);
	ck_assert_uint_eq(info.common[0].records, 6);
	ck_assert_uint_eq(info.common[1].records, 4);
	ck_assert_uint_eq(info.unaligned, 0);
	ck_assert_uint_eq(info.streams[0].records[TRACE_READ], 7);
	ck_assert_uint_eq(info.streams[1].records[TRACE_READ], 0);
	trace_info_free(&info);
}
END_TEST

/* Two runs side by side are sequential; jumps are not. */
START_TEST(sequential_share)
{
	struct trace_info info;
	unsigned i;

	for (i = 0; i < 100; i++)
		add(i, TRACE_READ, (i % 2 ? 100000 : 5000) + i / 2, 1, -1);
	for (i = 0; i < 100; i++)
		add(100 + i, TRACE_READ, 900000 + 37 * i, 1, -1);
	info = collect();
	ck_assert_uint_eq(info.all.sequential, 98);
	trace_info_free(&info);
}
END_TEST

/* 100 blocks are written once, then one of them 100 times, 2 s apart; half of them are read. */
START_TEST(footprint_and_rewrites)
{
	struct trace_info info;
	unsigned i;

	for (i = 0; i < 100; i++)
		add(0, TRACE_WRITE, 10 * i, 1, -1);
	for (i = 1; i <= 100; i++)
		add(2 * i, TRACE_WRITE, 0, 1, -1);
	for (i = 0; i < 60; i++)
		add(300, TRACE_READ, 10 * i + (i >= 50), 1, -1);
	info = collect();
	ck_assert_double_eq(info.sample_share, 1);
	ck_assert_double_eq(info.touched_bytes, 110 * 4096);
	ck_assert_double_eq(info.read_bytes, 60 * 4096);
	ck_assert_double_eq(info.written_bytes, 100 * 4096);
	ck_assert_double_eq_tol(info.rewrite_share, 0.5, 1e-9);
	ck_assert_double_eq_tol(info.rewrite_median_s, 2, 2 / 16.0);
	ck_assert_double_eq_tol(info.hot_share, 101 / 200.0, 1e-9);
	trace_info_free(&info);
}
END_TEST

/* More blocks than the table holds: a sample stands for them. */
START_TEST(a_large_footprint_is_estimated)
{
	const double blocks = 16384.0 * 250;
	struct trace_info info;
	unsigned i, pass;

	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < 250; i++)
			add(pass + i / 1000.0, TRACE_WRITE, 16384ULL * i, 16384, -1);
	info = collect();
	ck_assert_double_lt(info.sample_share, 1);
	ck_assert_double_eq_tol(info.written_bytes / (blocks * 4096), 1, 0.01);
	ck_assert_double_eq_tol(info.rewrite_share, 0.5, 0.01);
	trace_info_free(&info);
}
END_TEST

/* One I/O every 10 ms has no variation; ten at once every 100 ms have a lot. */
START_TEST(bursts)
{
	struct trace_info info;
	unsigned i;

	for (i = 0; i < 1000; i++)
		add(_i ? i / 10 * 0.1 : i * 0.01, TRACE_READ, i, 1, -1);
	info = collect();
	ck_assert_uint_eq(info.bursts[0].bin_ns, 10 * NS_PER_MSEC);
	ck_assert_uint_eq(info.bursts[0].most, _i ? 10 : 1);
	ck_assert_double_eq_tol(info.bursts[0].dispersion, _i ? 9 : 0, 0.05);
	ck_assert_double_eq_tol(info.bursts[1].dispersion, 0, 0.01);
	ck_assert_double_eq_tol(info.gap_mean_s, 0.01, 0.0002);
	ck_assert_double_eq_tol(info.gap_cv2, _i ? 9 : 0, 0.2);
	trace_info_free(&info);
}
END_TEST

/* Three I/Os at once that outlast the trace's last issue: the mean is not over the most. */
START_TEST(in_flight_past_the_last_issue)
{
	struct trace_info info;

	add(0, TRACE_READ, 0, 1, 0.1);
	add(0, TRACE_TRIM, 8, 1, 0.1);
	add(0.001, TRACE_FLUSH, 0, 0, 0.2);
	info = collect();
	ck_assert_uint_eq(info.in_flight_most, 3);
	ck_assert_double_eq_tol(info.in_flight_mean, 0.4 / 0.201, 1e-6);
	ck_assert_double_eq_tol(info.latency_mean_s[TRACE_TRIM], 0.1, 1e-9);
	ck_assert_double_eq_tol(info.latency_mean_s[TRACE_FLUSH], 0.2, 1e-9);
	trace_info_free(&info);
}
END_TEST

/* Every 1 ms an I/O that takes 3 ms: three are in flight. */
START_TEST(in_flight)
{
	struct trace_info info;
	unsigned i;

	for (i = 0; i <= 1000; i++)
		add(i * 0.001, i % 2 ? TRACE_READ : TRACE_WRITE, i, 1, 0.003);
	info = collect();
	ck_assert_uint_eq(info.in_flight_most, 3);
	ck_assert_double_eq_tol(info.in_flight_mean, 3, 0.01);
	ck_assert_double_eq_tol(info.latency_mean_s[0], 0.003, 1e-9);
	ck_assert_double_eq_tol(info.latency_p99_s[1], 0.003, 0.003 / 16);
	trace_info_free(&info);
}
END_TEST

/* The fixture marks boot at 0 and login after 2 ms. */
START_TEST(phases)
{
	struct trace_info info;
	unsigned i;

	for (i = 0; i < 10; i++)
		add(i * 0.0005, TRACE_READ, i, 1, -1);
	info = collect();
	ck_assert_uint_eq(info.phases[0].records[TRACE_READ], 4);
	ck_assert_uint_eq(info.phases[1].records[TRACE_READ], 6);
	trace_info_free(&info);
}
END_TEST

START_TEST(the_page_says_what_the_trace_is)
{
	struct trace_info info;
	struct trace *trace;
	char *page;
	size_t bytes;
	FILE *out = open_memstream(&page, &bytes);

	add(0, TRACE_READ, 0, 1, 0.001);
	add(2, TRACE_WRITE, 5, 2, 0.001);
	info = collect();
	trace = open_trace(below("a.vdt"));
	trace_info_print(trace, &info, out);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(page, "capture.csv"));
	ck_assert_ptr_nonnull(strstr(page, "2 I/Os in 2.00 s, mean 1 IOPS"));
	ck_assert_ptr_nonnull(strstr(page, "mean 8.0 KiB"));
	ck_assert_ptr_nonnull(strstr(page, "latency mean 1.00 ms"));
	ck_assert_ptr_nonnull(strstr(page, "login"));
	free(page);
	trace_close(trace);
	trace_info_free(&info);
}
END_TEST

static Suite *suite(void)
{
	Suite *all = suite_create("trace info");
	TCase *test = tcase_create("info");

	tcase_add_checked_fixture(test, begin, remove_folder);
	tcase_set_timeout(test, 60);
	tcase_add_test(test, counts_and_sizes);
	tcase_add_test(test, sequential_share);
	tcase_add_test(test, footprint_and_rewrites);
	tcase_add_test(test, a_large_footprint_is_estimated);
	tcase_add_loop_test(test, bursts, 0, 2);
	tcase_add_test(test, in_flight);
	tcase_add_test(test, in_flight_past_the_last_issue);
	tcase_add_test(test, phases);
	tcase_add_test(test, the_page_says_what_the_trace_is);
	suite_add_tcase(all, test);
	return all;
}

int main(void)
{
	return run_suite(suite());
}
