/* SPDX-License-Identifier: GPL-2.0-only */
/* The writer: any order comes out sorted and stable, in bounded memory, and nothing is left behind.
 */

#include "tests/unit/suite.h"
#include "trace_fixture.h"

#define SAMPLES	     20000
#define LITTLE	     (64 * 1024) /* memory for 819 records, so that most go to the disk */
#define ENOUGH	     (16 << 20)
#define COMMON_TIMES 100

enum order { FORWARD, BACKWARD, SHUFFLED, TWO_FILES, NEARLY };

/* The sample that comes as number i in an order. */
static uint64_t place(enum order order, uint64_t i)
{
	switch (order) {
	case FORWARD:
		return i;
	case BACKWARD:
		return SAMPLES - 1 - i;
	case SHUFFLED: /* 7919 has no factor in common with the number of samples */
		return i * 7919 % SAMPLES;
	case TWO_FILES: /* as from two processors, one file after the other */
		return i < SAMPLES / 2 ? 2 * i : 2 * (i - SAMPLES / 2) + 1;
	case NEARLY:
		return i ^ 5;
	}
	return i;
}

static void write_in_order(const char *path, enum order order, bool compress, size_t memory_bytes)
{
	struct trace_writer *writer = begin_trace(path, compress, memory_bytes);
	uint64_t i;

	for (i = 0; i < SAMPLES; i++) {
		struct trace_record record = sample(place(order, i));

		ck_assert_msg(!trace_writer_append(writer, &record, &err), "%s", err.text);
	}
	ck_assert_uint_eq(trace_writer_records(writer), SAMPLES);
	ck_assert_msg(!trace_writer_finish(writer, &err), "%s", err.text);
}

static void expect_all_samples(const char *path)
{
	struct trace *trace = open_trace(path);
	struct trace_cursor cursor;
	struct trace_record record;
	uint64_t i;

	trace_cursor_open(trace, &cursor);
	for (i = 0; i < SAMPLES; i++) {
		ck_assert_int_eq(trace_next(&cursor, &record), 1);
		expect_sample(&record, i);
	}
	ck_assert_int_eq(trace_next(&cursor, &record), 0);
	trace_cursor_close(&cursor);
	ck_assert_msg(!trace_verify(trace, &err), "%s", err.text);
	trace_close(trace);
}

START_TEST(any_order_comes_out_sorted)
{
	enum order order = (enum order)(_i / 4);

	write_in_order(below("a.vdt"), order, _i & 1, _i & 2 ? LITTLE : ENOUGH);
	expect_all_samples(below("a.vdt"));
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

/* Of records of one time the one that was appended first comes first. */
START_TEST(equal_times_keep_their_order)
{
	struct trace_writer *writer = begin_trace(below("a.vdt"), true, LITTLE);
	uint64_t i, last[COMMON_TIMES] = {0}, count = 0;
	struct trace_cursor cursor;
	struct trace_record record = {.length = 4096};
	struct trace *trace;

	for (i = 0; i < SAMPLES; i++) {
		record.time_ns = i * 7919 % COMMON_TIMES;
		record.offset = (i + 1) * 4096;
		ck_assert(!trace_writer_append(writer, &record, &err));
	}
	ck_assert_msg(!trace_writer_finish(writer, &err), "%s", err.text);
	trace = open_trace(below("a.vdt"));
	trace_cursor_open(trace, &cursor);
	for (; trace_next(&cursor, &record) > 0; count++) {
		ck_assert_uint_gt(record.offset, last[record.time_ns]);
		last[record.time_ns] = record.offset;
	}
	ck_assert_uint_eq(count, SAMPLES);
	trace_cursor_close(&cursor);
	trace_close(trace);
}
END_TEST

START_TEST(what_fits_no_trace_is_refused)
{
	struct trace_writer *writer = begin_trace(below("a.vdt"), false, 0);
	struct trace_record good = sample(1), bad[] = {good, good, good, good, good, good, good};
	unsigned i;

	bad[0].op = TRACE_OPS;
	bad[1].flags = 32;
	bad[2].stream = 2;
	bad[3].time_ns = 1ULL << 63;
	bad[4].offset = -4096ULL;
	bad[5].length = TRACE_MAX_LENGTH + 1;
	bad[6].offset = (1ULL << 63) - 4096;
	bad[6].length = 8192;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err.text[0] = '\0';
		ck_assert(trace_writer_append(writer, &bad[i], &err));
		ck_assert_ptr_nonnull(strstr(err.text, "record "));
	}
	ck_assert_uint_eq(trace_writer_records(writer), 0);
	trace_writer_abandon(writer);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(extremes_are_kept)
{
	struct trace_writer *writer = begin_trace(below("a.vdt"), true, 0);
	struct trace_record extreme = {.time_ns = (1ULL << 63) - 1,
				       .offset = (1ULL << 63) - TRACE_MAX_LENGTH,
				       .length = TRACE_MAX_LENGTH,
				       .latency_ns = UINT64_MAX,
				       .op = TRACE_WRITE_ZEROES,
				       .flags = 31,
				       .stream = 1};
	struct trace_record plain = {.latency_ns = TRACE_NO_LATENCY}, got;
	struct trace_cursor cursor;
	struct trace *trace;

	ck_assert(!trace_writer_append(writer, &extreme, &err));
	ck_assert(!trace_writer_append(writer, &plain, &err));
	ck_assert_msg(!trace_writer_finish(writer, &err), "%s", err.text);
	trace = open_trace(below("a.vdt"));
	trace_cursor_open(trace, &cursor);
	ck_assert(trace_next(&cursor, &got) == 1 && trace_next(&cursor, &got) == 1);
	ck_assert_uint_eq(got.time_ns, extreme.time_ns);
	ck_assert_uint_eq(got.offset, extreme.offset);
	ck_assert_uint_eq(got.length, extreme.length);
	ck_assert_uint_eq(got.latency_ns, TRACE_NO_LATENCY - 1);
	ck_assert_uint_eq(got.stream, 1);
	trace_cursor_close(&cursor);
	trace_close(trace);
}
END_TEST

START_TEST(names_that_fit_no_trace_are_refused)
{
	struct trace_writer *writer = begin_trace(below("a.vdt"), true, 0);
	char name[TRACE_NAME_BYTES + 1];

	memset(name, 'x', TRACE_NAME_BYTES);
	name[TRACE_NAME_BYTES] = '\0';
	ck_assert_int_eq(trace_writer_stream(writer, name, 0, &err), -1);
	ck_assert_int_eq(trace_writer_stream(writer, "", 0, &err), -1);
	ck_assert_int_eq(trace_writer_stream(writer, "a\033[2J", 0, &err), -1);
	ck_assert_int_eq(trace_writer_phase(writer, "a\nb", 0, &err), -1);
	name[TRACE_NAME_BYTES - 1] = '\0';
	ck_assert_int_eq(trace_writer_stream(writer, name, 0, &err), 2);
	trace_writer_abandon(writer);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_an_error)
{
	struct trace_writer_options options = {.compress = true};
	struct trace_writer *writer;

	ck_assert(trace_writer_open(below("no/a.vdt"), &options, &writer, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "no/a.vdt cannot be written"));
}
END_TEST

/* What stood there before stays until the new trace is whole. */
START_TEST(an_abandoned_trace_changes_nothing)
{
	struct trace_writer *writer;
	struct trace_record record = sample(0);

	write_in_order(below("a.vdt"), FORWARD, true, 0);
	writer = begin_trace(below("a.vdt"), true, 0);
	ck_assert(!trace_writer_append(writer, &record, &err));
	trace_writer_abandon(writer);
	expect_all_samples(below("a.vdt"));
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

static Suite *suite(void)
{
	Suite *all = suite_create("trace writer");
	TCase *test = tcase_create("sort");

	tcase_add_checked_fixture(test, make_folder, remove_folder);
	tcase_set_timeout(test, 60);
	tcase_add_loop_test(test, any_order_comes_out_sorted, 0, (NEARLY + 1) * 4);
	tcase_add_test(test, equal_times_keep_their_order);
	tcase_add_test(test, what_fits_no_trace_is_refused);
	tcase_add_test(test, extremes_are_kept);
	tcase_add_test(test, names_that_fit_no_trace_are_refused);
	tcase_add_test(test, a_folder_that_is_not_there_is_an_error);
	tcase_add_test(test, an_abandoned_trace_changes_nothing);
	suite_add_tcase(all, test);
	return all;
}

int main(void)
{
	return run_suite(suite());
}
