/* SPDX-License-Identifier: GPL-2.0-only */
/* The .vdt file: what was written is read, in both forms; what is damaged is refused. */
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/unit/suite.h"
#include "trace_fixture.h"

#define SAMPLES 10000 /* three chunks */
#define HEADER	256
/* Sanitizers keep a shadow of all memory. */
#ifdef __SANITIZE_ADDRESS__
#define MOST_KIB (512 * 1024)
#else
#define MOST_KIB (64 * 1024)
#endif

START_TEST(round_trip)
{
	bool compress = _i;
	struct trace_cursor cursor;
	struct trace_record record;
	struct trace *trace;
	uint64_t i;

	write_samples(below("a.vdt"), compress, SAMPLES);
	trace = open_trace(below("a.vdt"));
	trace_cursor_open(trace, &cursor);
	for (i = 0; i < SAMPLES; i++) {
		ck_assert_int_eq(trace_next(&cursor, &record), 1);
		expect_sample(&record, i);
	}
	ck_assert_int_eq(trace_next(&cursor, &record), 0);
	ck_assert_int_eq(trace_next(&cursor, &record), 0);
	ck_assert_msg(!trace_verify(trace, &err), "%s", err.text);
	trace_cursor_close(&cursor);
	trace_close(trace);
	ck_assert(trace_is_file(below("a.vdt")));
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

static void check_totals(const struct trace_header *header)
{
	struct trace_totals totals = {{0}, {0}};
	uint64_t i, latencies = 0;

	for (i = 0; i < SAMPLES; i++) {
		struct trace_record record = sample(i);

		totals.records[record.op]++;
		totals.bytes[record.op] += record.length;
		latencies += record.latency_ns != TRACE_NO_LATENCY;
	}
	ck_assert_mem_eq(&header->totals, &totals, sizeof(totals));
	ck_assert_uint_eq(header->latency_records, latencies);
}

START_TEST(header_is_kept)
{
	const struct trace_header *header;
	struct trace *trace;
	struct stat st;

	write_samples(below("a.vdt"), true, SAMPLES);
	trace = open_trace(below("a.vdt"));
	header = trace_header(trace);
	stat(below("a.vdt"), &st);
	ck_assert_uint_eq(header->version, TRACE_VERSION);
	ck_assert_uint_eq(header->file_bytes, (uint64_t)st.st_size);
	ck_assert(header->compressed && !header->synthetic);
	ck_assert_uint_eq(header->records, SAMPLES);
	ck_assert_uint_eq(header->start_ns, 5000000000ULL);
	ck_assert_uint_eq(header->duration_ns, (SAMPLES - 1) * 1000);
	ck_assert_uint_eq(header->block_bytes, 4096);
	ck_assert_str_eq(header->provenance.source, "capture.csv");
	ck_assert_str_eq(header->provenance.note, "made up");
	check_totals(header);
	trace_close(trace);
}
END_TEST

START_TEST(streams_and_phases_are_kept)
{
	struct trace *trace;
	uint64_t from_ns, to_ns;

	write_samples(below("a.vdt"), true, SAMPLES);
	trace = open_trace(below("a.vdt"));
	ck_assert_uint_eq(trace_header(trace)->streams, 2);
	ck_assert_str_eq(trace_stream(trace, 1)->name, "sdb");
	ck_assert_uint_eq(trace_stream(trace, 0)->size_bytes, 1ULL << 40);
	ck_assert_uint_eq(trace_stream(trace, 0)->records, SAMPLES / 2);
	ck_assert_int_eq(trace_stream_find(trace, "sdb", &err), 1);
	ck_assert_int_eq(trace_stream_find(trace, "1", &err), 1);
	ck_assert_int_eq(trace_stream_find(trace, "2", &err), -1);
	ck_assert_int_eq(trace_stream_find(trace, "sdx", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean \"sd"));
	ck_assert(!trace_phase_window(trace, "boot", &from_ns, &to_ns, &err));
	ck_assert_uint_eq(from_ns, 0);
	ck_assert_uint_eq(to_ns, 2000000);
	ck_assert(!trace_phase_window(trace, "login", &from_ns, &to_ns, &err));
	ck_assert_uint_eq(to_ns, (SAMPLES - 1) * 1000 + 1);
	ck_assert(trace_phase_window(trace, "logon", &from_ns, &to_ns, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean \"login\"?"));
	trace_close(trace);
}
END_TEST

START_TEST(seeks)
{
	static const uint64_t places[] = {0, 1, 4095, 4096, 8191, 9999, 5000};
	struct trace_cursor cursor;
	struct trace_record record;
	struct trace *trace;
	size_t i;

	write_samples(below("a.vdt"), _i, SAMPLES);
	trace = open_trace(below("a.vdt"));
	trace_cursor_open(trace, &cursor);
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		ck_assert(!trace_seek(&cursor, places[i]));
		ck_assert_int_eq(trace_next(&cursor, &record), 1);
		expect_sample(&record, places[i]);
		ck_assert(!trace_seek_time(&cursor, places[i] * 1000));
		ck_assert_int_eq(trace_next(&cursor, &record), 1);
		expect_sample(&record, places[i]);
	}
	ck_assert(!trace_seek_time(&cursor, 4095 * 1000 + 1));
	ck_assert_int_eq(trace_next(&cursor, &record), 1);
	expect_sample(&record, 4096);
	ck_assert(!trace_seek(&cursor, SAMPLES) && trace_next(&cursor, &record) == 0);
	ck_assert(!trace_seek_time(&cursor, UINT64_MAX) && trace_next(&cursor, &record) == 0);
	trace_cursor_close(&cursor);
	trace_close(trace);
}
END_TEST

/* Reads the file, to be changed and written again; free() it. */
static unsigned char *load(const char *path, size_t *bytes)
{
	char *data;

	ck_assert_msg(!file_read(path, &data, bytes, &err), "%s", err.text);
	return (unsigned char *)data;
}

/* Opens and reads all; 0 when both work. */
static int read_all(const char *path)
{
	struct trace *trace;
	int failed;

	err.text[0] = '\0';
	if (trace_open(path, &trace, &err))
		return -1;
	failed = trace_verify(trace, &err);
	trace_close(trace);
	return failed;
}

START_TEST(every_header_byte_counts)
{
	unsigned char *data;
	size_t bytes, i;

	write_samples(below("a.vdt"), true, 100);
	data = load(below("a.vdt"), &bytes);
	for (i = 0; i < HEADER; i++) {
		data[i] ^= 0x10;
		store_file(below("b.vdt"), data, bytes);
		ck_assert_msg(read_all(below("b.vdt")), "byte %zu", i);
		ck_assert_ptr_nonnull(strstr(err.text, "byte"));
		data[i] ^= 0x10;
	}
	store_file(below("b.vdt"), data, bytes);
	ck_assert_msg(!read_all(below("b.vdt")), "%s", err.text);
	free(data);
}
END_TEST

START_TEST(every_byte_counts)
{
	unsigned char *data;
	size_t bytes, i, step;

	write_samples(below("a.vdt"), _i, 5000);
	data = load(below("a.vdt"), &bytes);
	step = bytes / 500;
	for (i = HEADER; i < bytes; i += i + 4 * step < bytes ? step : 7) {
		data[i] ^= 1;
		store_file(below("b.vdt"), data, bytes);
		ck_assert_msg(read_all(below("b.vdt")), "byte %zu of %zu", i, bytes);
		ck_assert_ptr_nonnull(strstr(err.text, "byte"));
		data[i] ^= 1;
	}
	free(data);
}
END_TEST

START_TEST(a_cut_file_is_refused_wherever_it_is_cut)
{
	unsigned char *data;
	size_t bytes, at;

	write_samples(below("a.vdt"), _i, 5000);
	data = load(below("a.vdt"), &bytes);
	for (at = 0; at < bytes; at += at < 300 ? 7 : bytes / 200) {
		store_file(below("b.vdt"), data, at);
		ck_assert(read_all(below("b.vdt")));
		ck_assert_ptr_nonnull(strstr(err.text, "byte"));
	}
	store_file(below("b.vdt"), data, bytes - 1);
	ck_assert(read_all(below("b.vdt")));
	ck_assert_ptr_nonnull(strstr(err.text, "is cut at byte"));
	data = realloc(data, bytes + 1);
	data[bytes] = 0;
	store_file(below("b.vdt"), data, bytes + 1);
	ck_assert(read_all(below("b.vdt")));
	free(data);
}
END_TEST

START_TEST(a_newer_version_is_named)
{
	unsigned char *data;
	size_t bytes;

	write_samples(below("a.vdt"), true, 100);
	data = load(below("a.vdt"), &bytes);
	data[8] = 7;
	store_file(below("a.vdt"), data, bytes);
	ck_assert(read_all(below("a.vdt")));
	ck_assert_ptr_nonnull(strstr(err.text, "byte 8: version 7"));
	free(data);
}
END_TEST

START_TEST(what_is_no_trace_is_refused)
{
	static const char text[300] = "time,op,offset,length\n";

	store_file(below("a.csv"), (const unsigned char *)text, sizeof(text));
	ck_assert(read_all(below("a.csv")));
	ck_assert_ptr_nonnull(strstr(err.text, "no .vdt file"));
	ck_assert(!trace_is_file(below("a.csv")));
	ck_assert(read_all(below("missing.vdt")));
	ck_assert_ptr_nonnull(strstr(err.text, "missing.vdt cannot be opened"));
	ck_assert(read_all(folder));
}
END_TEST

/* Opens the trace and reads its last record; exits with 0 when 64 MiB were enough for it. */
static void read_last(const char *path)
{
	struct trace_cursor cursor;
	struct trace_record record;
	struct rusage usage;
	struct trace *trace;

	if (trace_open(path, &trace, &err))
		_exit(1);
	trace_cursor_open(trace, &cursor);
	if (trace_seek(&cursor, trace_header(trace)->records - 1) ||
	    trace_next(&cursor, &record) != 1)
		_exit(1);
	getrusage(RUSAGE_SELF, &usage);
	_exit(usage.ru_maxrss < MOST_KIB ? 0 : 2);
}

START_TEST(ten_million_records_open_in_bounded_memory)
{
	const uint64_t count = 10000000;
	struct trace_writer *writer = begin_trace(below("a.vdt"), true, 0);
	struct trace_record record = {.latency_ns = TRACE_NO_LATENCY, .length = 4096};
	pid_t child;
	int status;
	uint64_t i;

	for (i = 0; i < count; i++) {
		record.time_ns = i * 1000;
		record.offset = (i * 8191 & 0xffff) * 4096;
		ck_assert(!trace_writer_append(writer, &record, &err));
	}
	ck_assert_msg(!trace_writer_finish(writer, &err), "%s", err.text);
	child = fork();
	if (!child)
		read_last(below("a.vdt"));
	waitpid(child, &status, 0);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
}
END_TEST

static Suite *suite(void)
{
	Suite *all = suite_create("trace file");
	TCase *test = tcase_create("format");

	tcase_add_checked_fixture(test, make_folder, remove_folder);
	tcase_set_timeout(test, 120);
	tcase_add_loop_test(test, round_trip, 0, 2);
	tcase_add_test(test, header_is_kept);
	tcase_add_test(test, streams_and_phases_are_kept);
	tcase_add_loop_test(test, seeks, 0, 2);
	tcase_add_test(test, every_header_byte_counts);
	tcase_add_loop_test(test, every_byte_counts, 0, 2);
	tcase_add_loop_test(test, a_cut_file_is_refused_wherever_it_is_cut, 0, 2);
	tcase_add_test(test, a_newer_version_is_named);
	tcase_add_test(test, what_is_no_trace_is_refused);
	tcase_add_test(test, ten_million_records_open_in_bounded_memory);
	suite_add_tcase(all, test);
	return all;
}

int main(void)
{
	return run_suite(suite());
}
