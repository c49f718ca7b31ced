/* SPDX-License-Identifier: GPL-2.0-only */
/* The lenient JSON reader, and fio's output in small texts of our own. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/fiojson.h"
#include "postprocess/json_reader.h"
#include "tests/unit/suite.h"

static struct json_reader open_text(const char *text)
{
	struct json_reader reader;

	reader_open(&reader, text, strlen(text), 0);
	return reader;
}

static double number_in(const char *text)
{
	struct json_reader reader = open_text(text);

	return reader_number(&reader).value;
}

/* ---- the reader ------------------------------------------------------------------------- */

START_TEST(numbers_of_every_kind)
{
	struct json_reader reader = open_text("18446744073709551615");

	ck_assert_uint_eq(reader_number(&reader).integer, UINT64_MAX);
	reader = open_text("9809301560 ");
	ck_assert_uint_eq(reader_number(&reader).integer, 9809301560);
	reader = open_text("99999999999999999999999");
	ck_assert_uint_eq(reader_number(&reader).integer, UINT64_MAX);
	ck_assert_double_eq(number_in("-12.5e1"), -125);
	ck_assert_double_eq(number_in("1e-3"), 0.001);
	ck_assert_double_eq_tol(number_in("99999999999999999999999"), 1e23, 1e9);
	ck_assert_double_eq(number_in("-7"), -7);
}
END_TEST

START_TEST(what_is_no_number_is_unknown)
{
	static const char *const texts[] = {"nan",   "-nan",  "inf",  "-inf", "0x10", "1e999",
					    "1.2.3", "\"5\"", "true", "null", "[1]",  "{}"};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_msg(isnan(number_in(texts[i])), "%s", texts[i]);
}
END_TEST

static void check_text(const char *json, const char *wanted)
{
	struct json_reader reader = open_text(json);
	char text[64];

	span_text(reader_string(&reader), text, sizeof(text));
	ck_assert_str_eq(text, wanted);
}

START_TEST(strings_become_clean_text)
{
	check_text("\"a\\\"b\\\\s\\/\\u00e9\"", "a\"b\\s/\xc3\xa9");
	check_text("\"raw\ttab, raw\nnewline\"", "raw\\ttab, raw\\nnewline");
	check_text("\"bell\a\"", "bell\\x07");
	check_text("\"bad \xff\xc3 utf-8\"", "bad \xef\xbf\xbd\xef\xbf\xbd utf-8");
	check_text("\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80");
	check_text("\"\\ud83d alone\"", "\xef\xbf\xbd alone");
	check_text("\"\\u12\"", "\xef\xbf\xbd"
				"12");
	check_text("\"overlong \xc0\xaf\"", "overlong \xef\xbf\xbd\xef\xbf\xbd");
	check_text("\"turn \xe2\x80\xae around\"", "turn \\x202e around");
}
END_TEST

START_TEST(text_is_cut_between_characters)
{
	struct json_reader reader = open_text("\"\xc3\xa9\xc3\xa9\xc3\xa9\"");
	char text[6];

	span_text(reader_string(&reader), text, sizeof(text));
	ck_assert_str_eq(text, "\xc3\xa9\xc3\xa9");
}
END_TEST

START_TEST(other_values_are_skipped_whole)
{
	struct json_reader reader =
		open_text("{\"a\":{\"x\":[1,{\"y\":\"}\"}]},\"b\":[[[]]],\"c\":nan,,\"d\":7}");
	struct json_span key;
	double d = 0;

	ck_assert(reader_enter(&reader, '{'));
	while (reader_member(&reader, &key))
		if (span_is(key, "d"))
			d = reader_number(&reader).value;
		else
			reader_skip(&reader);
	ck_assert_ptr_null(reader.fault);
	ck_assert_double_eq(d, 7);
}
END_TEST

START_TEST(faults_name_the_byte)
{
	static const struct {
		const char *text;
		size_t at;
	} faults[] = {{"{\"a\":1", 6}, {"{\"a\" 1}", 5},  {"{a:1}", 1},
		      {"{\"a\":}", 5}, {"{\"a\":\"b", 7}, {"{\"a\":[1,", 8}};
	struct json_reader reader;
	struct json_span key;
	size_t i;

	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		reader = open_text(faults[i].text);
		reader_enter(&reader, '{');
		while (reader_member(&reader, &key))
			reader_skip(&reader);
		ck_assert_msg(reader.fault != NULL, "%s", faults[i].text);
		ck_assert_uint_eq(reader.at, faults[i].at);
	}
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
	char text[2 * JSON_MAX_DEPTH + 1];
	struct json_reader reader;

	memset(text, '[', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	reader = open_text(text);
	reader_skip(&reader);
	ck_assert_ptr_nonnull(reader.fault);
	ck_assert_uint_eq(reader.at, JSON_MAX_DEPTH);
}
END_TEST

/* ---- fio's output ----------------------------------------------------------------------- */

#define READ_ROW                                                                                   \
	"\"read\":{\"io_bytes\":4096000,\"io_kbytes\":4000,\"bw_bytes\":409600,\"bw\":400,"        \
	"\"iops\":100.5,\"runtime\":10000,\"total_ios\":1000,"                                     \
	"\"clat_ns\":{\"min\":1,\"max\":9000,\"mean\":2000.5,\"stddev\":3,\"N\":1000,"             \
	"\"percentile\":{\"50.000000\":1900,\"99.000000\":5000,\"99.900000\":8000}},"              \
	"\"lat_ns\":{\"min\":1,\"max\":9100,\"mean\":2100.5,\"stddev\":3,\"N\":1000}}"
#define DOCUMENT "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\"," READ_ROW "}]}"

static struct fio_output parse(const char *text)
{
	struct fio_output output;
	struct error err;

	ck_assert_msg(!fio_output_parse(text, strlen(text), "FILE", &output, &err), "%s", err.text);
	return output;
}

static void check_refused(const char *text, const char *words)
{
	struct fio_output output;
	struct error err;

	ck_assert_int_eq(fio_output_parse(text, strlen(text), "FILE", &output, &err), -1);
	ck_assert_msg(strstr(err.text, words) != NULL, "%s", err.text);
	ck_assert_ptr_null(output.jobs);
}

START_TEST(figures_have_one_set_of_units)
{
	struct fio_output output = parse(DOCUMENT);
	const struct fio_row *row = &output.jobs[0].rows[FIO_READ];

	ck_assert_uint_eq(output.major, 3);
	ck_assert_uint_eq(output.minor, 33);
	ck_assert_double_eq(row->iops, 100.5);
	ck_assert_double_eq(row->bytes_per_s, 409600);
	ck_assert_uint_eq(row->bytes, 4096000);
	ck_assert_double_eq_tol(row->clat.summary.mean_us, 2.0005, 1e-9);
	ck_assert_double_eq_tol(row->clat.summary.p99_us, 5, 1e-9);
	ck_assert_double_eq_tol(row->clat.summary.p99_9_us, 8, 1e-9);
	ck_assert_double_eq_tol(row->lat.summary.mean_us, 2.1005, 1e-9);
	ck_assert(isnan(row->lat.summary.p99_us));
	fio_output_free(&output);
}
END_TEST

START_TEST(text_around_the_document_is_kept_apart)
{
	struct fio_output output =
		parse("note: {\"fio version\":\"x\"} [1]\nfio: pid=1, err=5/x\n"
		      "{\"nothing\":1}\n" DOCUMENT "\n\nRun status group 0 }\n{");
	char line[64];

	ck_assert_uint_eq(output.documents, 1);
	fio_diagnostic(&output, line, sizeof(line));
	ck_assert_str_eq(line, "fio: pid=1, err=5/x");
	fio_output_free(&output);
	output = parse("\xef\xbb\xbf" DOCUMENT);
	ck_assert_str_eq(output.diagnostics, "");
	fio_output_free(&output);
}
END_TEST

START_TEST(the_last_complete_document_counts)
{
	static const char second[] =
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"second\"}]}";
	char text[4096];
	struct fio_output output;

	snprintf(text, sizeof(text), "%s\n%s\n", DOCUMENT, second);
	output = parse(text);
	ck_assert_uint_eq(output.documents, 2);
	ck_assert_str_eq(output.jobs[0].name, "second");
	ck_assert(!output.cut);
	fio_output_free(&output);
	snprintf(text, sizeof(text), "%s\n%.40s", DOCUMENT, second);
	output = parse(text);
	ck_assert_str_eq(output.jobs[0].name, "j");
	ck_assert(output.cut);
	fio_output_free(&output);
}
END_TEST

START_TEST(unusable_files_are_told_apart)
{
	char half[200];

	check_refused("", "is empty");
	check_refused("\n \n", "is empty");
	check_refused("job: (groupid=0)\nRun status group 0 (all jobs):\n", "normal report");
	check_refused("{\"a\":1}\n", "no output of fio");
	check_refused("hello", "holds no JSON");
	check_refused("x{\"fio version\":\"fio-3.33\"}", "holds no JSON");
	snprintf(half, sizeof(half), "%.150s", DOCUMENT);
	check_refused(half, "at byte 150");
}
END_TEST

START_TEST(sizes_before_2_21_are_kib)
{
	struct fio_output output =
		parse("{\"fio version\":\"fio-2.1.3\",\"jobs\":[{\"jobname\":\"j\",\"read\":"
		      "{\"io_bytes\":839056,\"bw\":100000,\"iops\":100,\"runtime\":2000,"
		      "\"lat\":{\"min\":1,\"max\":500,\"mean\":236.8,\"stddev\":1}}}]}");
	const struct fio_row *row = &output.jobs[0].rows[FIO_READ];

	ck_assert_uint_eq(row->bytes, 859193344);
	ck_assert_double_eq(row->bytes_per_s, 102400000);
	ck_assert_double_eq(row->lat.summary.mean_us, 236.8);
	ck_assert_uint_eq(row->ios, 200);
	fio_output_free(&output);
}
END_TEST

START_TEST(the_version_may_stand_behind_the_jobs)
{
	struct fio_output output =
		parse("{\"client_stats\":[{\"jobname\":\"j\",\"read\":{\"io_bytes\":4,\"bw\":1,"
		      "\"iops\":1}}],\"fio version\":\"fio-2.14\"}");

	ck_assert_uint_eq(output.jobs[0].rows[FIO_READ].bytes, 4096);
	fio_output_free(&output);
}
END_TEST

START_TEST(duplicate_percentiles_do_not_replace_real_ones)
{
	struct fio_output output =
		parse("{\"fio version\":\"fio-3.1\",\"jobs\":[{\"jobname\":\"j\",\"read\":"
		      "{\"iops\":1,\"total_ios\":9,\"clat_ns\":{\"mean\":5,\"max\":9,"
		      "\"percentile\":{\"99.000000\":7000,\"99.999990\":9000,\"0.00\":0,"
		      "\"0.00\":0,\"99.000000\":0}}}}]}");

	ck_assert_double_eq_tol(output.jobs[0].rows[FIO_READ].clat.summary.p99_us, 7, 1e-9);
	ck_assert(isnan(output.jobs[0].rows[FIO_READ].clat.summary.p50_us));
	fio_output_free(&output);
}
END_TEST

START_TEST(unmeasured_latency_is_unknown)
{
	struct fio_output output =
		parse("{\"fio version\":\"fio-3.20\",\"jobs\":[{\"jobname\":\"j\",\"read\":"
		      "{\"iops\":982,\"total_ios\":9,\"clat_ns\":{\"min\":0,\"max\":0,\"mean\":0,"
		      "\"stddev\":0},\"lat_us\":{\"mean\":5,\"max\":9}}}]}");

	ck_assert(isnan(output.jobs[0].rows[FIO_READ].clat.summary.mean_us));
	ck_assert(isnan(output.jobs[0].rows[FIO_READ].lat.summary.mean_us));
	fio_output_free(&output);
}
END_TEST

START_TEST(the_sum_over_clients_is_left_out)
{
	struct fio_output output =
		parse("{\"fio version\":\"fio-3.42\",\"global options\":[{\"hostname\":\"a\","
		      "\"port\":1,\"rw\":\"randread\"},{\"hostname\":\"b\",\"port\":1,"
		      "\"rw\":\"write\"}],\"client_stats\":[{\"jobname\":\"j\",\"hostname\":\"b\","
		      "\"port\":1},{\"jobname\":\"All clients\",\"hostname\":\"b\"}]}");

	ck_assert_uint_eq(output.job_count, 1);
	ck_assert_str_eq(fio_option(&output, &output.jobs[0], "rw"), "write");
	fio_output_free(&output);
}
END_TEST

START_TEST(mixed_is_not_counted_twice)
{
	static const char both[] =
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\",\"read\":{\"iops\":1},"
		"\"write\":{\"iops\":1},\"trim\":{\"iops\":0},\"mixed\":{\"iops\":2}}]}";
	static const char alone[] =
		"{\"fio "
		"version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\",\"mixed\":{\"iops\":2}}]}";
	struct fio_output output = parse(both);

	ck_assert(fio_row_counts(&output.jobs[0], FIO_READ));
	ck_assert(!fio_row_counts(&output.jobs[0], FIO_MIXED));
	fio_output_free(&output);
	output = parse(alone);
	ck_assert(fio_row_counts(&output.jobs[0], FIO_MIXED));
	ck_assert(!fio_row_counts(&output.jobs[0], FIO_READ));
	fio_output_free(&output);
}
END_TEST

START_TEST(options_may_have_two_names)
{
	struct fio_output output =
		parse("{\"fio version\":\"fio-3.33\",\"global options\":{\"blocksize\":\"8k\"},"
		      "\"jobs\":[{\"jobname\":\"j\",\"job options\":{\"readwrite\":\"randrw\"}}]}");

	ck_assert_str_eq(fio_option(&output, &output.jobs[0], "rw"), "randrw");
	ck_assert_str_eq(fio_option(&output, &output.jobs[0], "bs"), "8k");
	ck_assert_ptr_null(fio_option(&output, &output.jobs[0], "iodepth"));
	fio_output_free(&output);
}
END_TEST

START_TEST(sizes_follow_fios_units)
{
	ck_assert_double_eq(fio_size("4k"), 4096);
	ck_assert_double_eq(fio_size("4kB"), 4096);
	ck_assert_double_eq(fio_size("4Ki"), 4096);
	ck_assert_double_eq(fio_size("4KiB"), 4000);
	ck_assert_double_eq(fio_size("1m"), 1048576);
	ck_assert_double_eq(fio_size("512"), 512);
	ck_assert(isnan(fio_size("4k,8k")));
	ck_assert(isnan(fio_size(NULL)));
	ck_assert_double_eq(fio_seconds("2m"), 120);
	ck_assert_double_eq(fio_seconds("500ms"), 0.5);
	ck_assert_double_eq(fio_seconds("10"), 10);
	ck_assert(isnan(fio_seconds("soon")));
}
END_TEST

/* ---- latencies together ------------------------------------------------------------------ */

static struct fio_latency latency(uint64_t count, double mean, double stddev, double p99)
{
	return (struct fio_latency){
		.summary = {count, mean, stddev, mean, p99, p99, p99 * 2, false}};
}

START_TEST(means_are_weighted_and_deviations_pooled)
{
	struct fio_latency sum = {.bins = NULL}, a = latency(300, 10, 2, 20),
			   b = latency(100, 30, 4, 50);

	ck_assert_int_eq(fio_latency_add(&sum, &a), 0);
	ck_assert(!sum.summary.percentiles_are_largest);
	ck_assert_int_eq(fio_latency_add(&sum, &b), 0);
	fio_latency_finish(&sum);
	ck_assert_uint_eq(sum.summary.count, 400);
	ck_assert_double_eq_tol(sum.summary.mean_us, 15, 1e-9);
	/* (300 (4 + 25) + 100 (16 + 225)) / 400 = 82 */
	ck_assert_double_eq_tol(sum.summary.stddev_us, sqrt(82), 1e-9);
	ck_assert_double_eq(sum.summary.p99_us, 50);
	ck_assert_double_eq(sum.summary.max_us, 100);
	ck_assert(sum.summary.percentiles_are_largest);
	fio_latency_free(&sum);
}
END_TEST

START_TEST(percentiles_come_from_merged_bins)
{
	struct fio_bin low[] = {{10, 990}, {20, 10}}, high[] = {{15, 900}, {40, 100}};
	struct fio_latency sum = {.bins = NULL}, a = latency(1000, 10, 1, 20),
			   b = latency(1000, 17, 1, 40);

	a.bins = low;
	b.bins = high;
	a.bin_count = b.bin_count = 2;
	ck_assert_int_eq(fio_latency_add(&sum, &b), 0);
	ck_assert_int_eq(fio_latency_add(&sum, &a), 0);
	fio_latency_finish(&sum);
	ck_assert_double_eq(sum.summary.p50_us, 15);
	ck_assert_double_eq(sum.summary.p99_us, 40);
	ck_assert(!sum.summary.percentiles_are_largest);
	fio_latency_free(&sum);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("fio's JSON output");
	TCase *reader = tcase_create("reader"), *fio = tcase_create("fio");

	tcase_add_test(reader, numbers_of_every_kind);
	tcase_add_test(reader, what_is_no_number_is_unknown);
	tcase_add_test(reader, strings_become_clean_text);
	tcase_add_test(reader, text_is_cut_between_characters);
	tcase_add_test(reader, other_values_are_skipped_whole);
	tcase_add_test(reader, faults_name_the_byte);
	tcase_add_test(reader, deep_nesting_is_refused);
	tcase_add_test(fio, figures_have_one_set_of_units);
	tcase_add_test(fio, text_around_the_document_is_kept_apart);
	tcase_add_test(fio, the_last_complete_document_counts);
	tcase_add_test(fio, unusable_files_are_told_apart);
	tcase_add_test(fio, sizes_before_2_21_are_kib);
	tcase_add_test(fio, the_version_may_stand_behind_the_jobs);
	tcase_add_test(fio, duplicate_percentiles_do_not_replace_real_ones);
	tcase_add_test(fio, unmeasured_latency_is_unknown);
	tcase_add_test(fio, the_sum_over_clients_is_left_out);
	tcase_add_test(fio, mixed_is_not_counted_twice);
	tcase_add_test(fio, options_may_have_two_names);
	tcase_add_test(fio, sizes_follow_fios_units);
	tcase_add_test(fio, means_are_weighted_and_deviations_pooled);
	tcase_add_test(fio, percentiles_come_from_merged_bins);
	suite_add_tcase(suite, reader);
	suite_add_tcase(suite, fio);
	return suite;
}

int main(void)
{
	return run_suite(make_suite());
}
