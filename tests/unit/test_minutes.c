/* SPDX-License-Identifier: GPL-2.0-only */
/* Long runs by minutes: joined exactly, from statistics and from fio's logs. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/histogram.h"
#include "base/random.h"
#include "postprocess/minutes_internal.h"
#include "tests/unit/post_fixture.h"

/* ---- spreads --------------------------------------------------------------------------------- */

START_TEST(joined_is_as_if_counted_at_once)
{
	struct spread whole = {0}, parts[3] = {{0}}, joined = {0};
	uint64_t random = 7;
	double values[3000], mean = 0, m2 = 0, most = 0;
	int i;

	for (i = 0; i < 3000; i++) {
		values[i] = 80 + 4000 * pow(random_share(random_next(&random)), 9);
		mean += values[i] / 3000;
		most = fmax(most, values[i]);
	}
	for (i = 0; i < 3000; i++) {
		struct spread one = {1, values[i], 0, values[i]};

		m2 += (values[i] - mean) * (values[i] - mean);
		spread_add(&whole, &one);
		spread_add(&parts[i % 7 % 3], &one);
	}
	for (i = 0; i < 3; i++)
		spread_add(&joined, &parts[i]);
	ck_assert_double_eq_tol(whole.mean_us, mean, 1e-9 * mean);
	ck_assert_double_eq_tol(joined.mean_us, mean, 1e-9 * mean);
	ck_assert_double_eq_tol(joined.m2_us2, m2, 1e-9 * m2);
	ck_assert_double_eq_tol(spread_stddev_us(&joined), sqrt(m2 / 3000), 1e-6);
	ck_assert_double_eq(joined.max_us, most);
	ck_assert_double_eq(joined.count, 3000);
}
END_TEST

START_TEST(nothing_has_no_deviation)
{
	struct spread none = {0}, one = {1, 5, 0, 5}, unknown = {1, 5, NAN, 5};

	ck_assert(isnan(spread_stddev_us(&none)));
	spread_add(&none, &one);
	ck_assert_double_eq(spread_stddev_us(&none), 0);
	spread_add(&none, &unknown);
	ck_assert(isnan(spread_stddev_us(&none)));
	ck_assert_double_eq(none.count, 2);
}
END_TEST

/* ---- statistics ------------------------------------------------------------------------------ */

static struct minutes read_stats(const char *first, const char *second, double minute_s)
{
	char paths[2][PATH_MAX];
	const char *list[2] = {paths[0], paths[1]};
	struct minutes minutes;
	struct error err;

	snprintf(paths[0], PATH_MAX, "%s", path_to(first));
	snprintf(paths[1], PATH_MAX, "%s", path_to(second ? second : first));
	ck_assert_msg(!minutes_of_statistics(list, second ? 2 : 1, minute_s, &minutes, &err), "%s",
		      err.text);
	return minutes;
}

#define HEAD "{ \"job\": \"intervals\", \"unsent\": { \"count\": 0 }, \"intervals\" : [ "

START_TEST(two_clones_make_one_minute)
{
	struct minutes minutes;

	write_in(folder, "a.json",
		 HEAD "{\"start_ns\":0,\"length_ns\":30000000000,\"count\":30,\"mean_ns\":1000,"
		      "\"m2_ns2\":0,\"max_ns\":1000,\"histogram\":[[1007,30]]},\n{\"start_ns\":"
		      "30000000000,\"length_ns\":30000000000,\"count\":30,\"mean_ns\":3000,"
		      "\"m2_ns2\":0,\"max_ns\":3000,\"histogram\":[[3007,30]],\"read\":{"
		      "\"count\":9},\"write\":{\"count\":21},\"late_count\":1}]}");
	write_in(folder, "b.json",
		 HEAD "{\"histogram\":[[5119,60]],\"max_ns\":9000,\"mean_ns\":5000.0,\"m2_ns2\":"
		      "1.2e8,\"count\":60,\"length_ns\":60000000000,\"start_ns\":0}\n]\n}\n");
	minutes = read_stats("a.json", "b.json", 60);
	ck_assert_uint_eq(minutes.count, 1);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_IOPS], 2);
	ck_assert_double_eq_tol(minutes.list[0].values[MINUTE_MEAN], 3.5, 1e-9);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_MAX], 9);
	/* Deviations from 3.5: 30 x 2.5^2 + 30 x 0.5^2 + 60 x 1.5^2 + 120 within the second. */
	ck_assert_double_eq_tol(minutes.list[0].values[MINUTE_STDDEV],
				sqrt((195 + 135 + 120) / 120.0), 1e-9);
	ck_assert_double_eq(minutes.list[0].length_s, 60);
	minutes_free(&minutes);
}
END_TEST

static void put_interval(FILE *out, double start_s, double count)
{
	fprintf(out,
		"{\"start_ns\":%.0f,\"length_ns\":1000000000,\"count\":%.0f,\"mean_ns\":%.0f,"
		"\"m2_ns2\":0,\"max_ns\":7000,\"histogram\":[%s]},\n",
		start_s * 1e9, count, count > 0 ? 5000. : 0., count > 0 ? "[5055,1]" : "");
}

START_TEST(zero_is_zero_and_a_gap_is_a_gap)
{
	FILE *out = fopen(path_to("gap.json"), "w");
	struct minutes minutes;
	int i;

	fputs(HEAD, out);
	for (i = 0; i < 360; i++)
		if (i < 120 || i >= 240)
			put_interval(out, i, i < 60 ? 100 : i < 120 ? 0 : 50);
	fputs("{\"start_ns\":1e99,\"count\":1}, {\"start_ns\":-5,\"count\":1}]}", out);
	fclose(out);
	minutes = read_stats("gap.json", NULL, 60);
	ck_assert_uint_eq(minutes.count, 6);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_IOPS], 100);
	ck_assert_double_eq(minutes.list[1].values[MINUTE_IOPS], 0);
	ck_assert(isnan(minutes.list[1].values[MINUTE_MEAN]) &&
		  isnan(minutes.list[1].values[MINUTE_MAX]));
	ck_assert(isnan(minutes.list[2].values[MINUTE_IOPS]) &&
		  isnan(minutes.list[3].values[MINUTE_IOPS]));
	ck_assert_double_eq(minutes.list[2].length_s, 0);
	ck_assert_double_eq(minutes.list[5].values[MINUTE_IOPS], 50);
	ck_assert_double_eq(minutes.list[5].start_s, 300);
	minutes_free(&minutes);
}
END_TEST

START_TEST(a_cut_file_is_read_as_far_as_it_goes)
{
	struct minutes minutes;
	struct error err;
	const char *path = path_to("cut.json");

	write_in(folder, "cut.json",
		 "\n{\"start_ns\":0,\"length_ns\":1000000000,\"count\":9,\"mean_ns\":1000,"
		 "\"m2_ns2\":0,\"max_ns\":1000,\"histogram\":[[1007,9]]},\n{\"start_ns\":1000");
	minutes = read_stats("cut.json", NULL, 1);
	ck_assert_uint_eq(minutes.count, 1);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_IOPS], 9);
	check_holds(minutes.note, "ends too early");
	minutes_free(&minutes);
	write_in(folder, "cut.json", "{ \"jobs\": [] }");
	ck_assert_int_eq(minutes_of_statistics(&path, 1, 60, &minutes, &err), -1);
	check_holds(err.text, "no statistics file");
	write_in(folder, "cut.json", HEAD "]}");
	ck_assert_int_eq(minutes_of_statistics(&path, 1, 60, &minutes, &err), -1);
	check_holds(err.text, "no interval");
}
END_TEST

/* ---- fio's logs ------------------------------------------------------------------------------ */

static struct minutes read_logs(const char *name, double minute_s)
{
	struct minutes minutes;
	struct error err;

	ck_assert_msg(!minutes_of_logs(path_to(name), minute_s, &minutes, &err), "%s", err.text);
	return minutes;
}

START_TEST(names_are_taken_apart)
{
	static const struct {
		const char *path, *base, *host;
		enum log_type type;
		unsigned job;
	} cases[] = {{"a/x_lat_clat.12.log", "a/x_lat", "", LOG_CLAT, 12},
		     {"x_iops_iops.1.log.gz", "x_iops", "", LOG_IOPS, 1},
		     {"x_clat_hist.2.log", "x", "", LOG_CLAT_HIST, 2},
		     {"x_lat.log", "x", "", LOG_LAT, 0},
		     {"x_bw.log_bw.3.log", "x_bw.log", "", LOG_BW, 3},
		     {"x_slat.1.log.127.0.0.1", "x", "127.0.0.1", LOG_SLAT, 1}};
	struct log_name name;
	char base[64];
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		ck_assert(log_name_parse(cases[i].path, &name));
		ck_assert_str_eq(name.base, cases[i].base);
		ck_assert_str_eq(name.host, cases[i].host);
		ck_assert_int_eq(name.type, cases[i].type);
		ck_assert_uint_eq(name.job, cases[i].job);
	}
	ck_assert(!is_fio_log("a_lat.log/b.json", base, sizeof(base)));
	ck_assert(!is_fio_log("x.1.log", base, sizeof(base)));
	ck_assert(!is_fio_log("x_lat.1.txt", base, sizeof(base)));
}
END_TEST

START_TEST(means_are_weighted_by_the_rate_of_their_direction)
{
	struct minutes minutes;

	/* 100 reads/s of 1 ms, 300 writes/s of 2 ms for 1 s; then 100 of 3 ms, 100 of 5 ms. */
	write_in(
		folder, "w_iops.1.log",
		"1000, 100, 0, 0, 0\n1001, 300, 1, 0, 0\n2000, 100, 0, 0, 0\n2001, 100, 1, 0, 0\n");
	write_in(folder, "w_clat.1.log",
		 "1000, 1000000, 0, 0, 0\n1001, 2000000, 1, 0, 0\n2000, 3000000, 0, 0, 0\n"
		 "2001, 5000000, 1, 0, 0\n2001, 7000000, 2, 0, 0\n");
	write_in(folder, "w_iops.2.log", "1000,200,0,0\n2000,200,0,0\n");
	write_in(folder, "w_clat.2.log", "1000,4000000,0,0\n2000,4000000,0,0\n");
	minutes = read_logs("w_clat.1.log", 60);
	ck_assert_uint_eq(minutes.count, 1);
	ck_assert_double_eq_tol(minutes.list[0].values[MINUTE_IOPS], 500, 0.5);
	ck_assert_double_eq_tol(minutes.list[0].values[MINUTE_MEAN],
				(100 * 1e3 + 300 * 2e3 + 100 * 3e3 + 100 * 5e3 + 400 * 4e3) / 1000,
				2);
	ck_assert(isnan(minutes.list[0].values[MINUTE_MAX]) &&
		  isnan(minutes.list[0].values[MINUTE_STDDEV]));
	minutes_free(&minutes);
}
END_TEST

START_TEST(single_io_logs_tell_all_exactly)
{
	struct minutes minutes;

	write_in(folder, "s_lat.1.log",
		 "100, 1000, 0, 4096, 0\n400, 3000, 1, 4096, 0x0000\n900, 5000, 1, 8192, 0\n"
		 "2000, 7000, 0, 4096, 0\n");
	minutes = read_logs("s_lat.1.log", 1);
	ck_assert_uint_eq(minutes.count, 2);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_IOPS], 3);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_MEAN], 3);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_MAX], 5);
	ck_assert_double_eq_tol(minutes.list[0].values[MINUTE_STDDEV], sqrt(8 / 3.), 1e-9);
	check_holds(minutes.note, "there is no clat log");
	minutes_free(&minutes);
}
END_TEST

START_TEST(both_window_values_tell_the_maximum)
{
	struct minutes minutes;

	write_in(folder, "m_iops.1.log", "1000, 10, 12, 1, 0, 0\n2000, 10, 12, 1, 0, 0\n");
	write_in(folder, "m_clat.1.log",
		 "1000, 500000, 900000, 1, 0, 0\n2000, 700000, 800000, 1, 0, 0\n");
	minutes = read_logs("m_iops.1.log", 60);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_IOPS], 10);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_MEAN], 600);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_MAX], 900);
	minutes_free(&minutes);
}
END_TEST

/* After a stall many lines bear one time; a long gap is no slow minute; zeros end a log. */
START_TEST(stalls_gaps_and_rubbish)
{
	FILE *iops = fopen(path_to("g_iops.1.log"), "w"),
	     *clat = fopen(path_to("g_clat.1.log"), "w");
	struct minutes minutes;
	int i;

	for (i = 1; i <= 400; i++) {
		int at = i > 120 && i < 300 ? 0 : i > 50 && i <= 60 ? 60 : i;

		if (at)
			fprintf(iops, "%d, 200, 1, 0, 0\n", at * 1000);
		if (at)
			fprintf(clat, "%d, 1000000, 1, 0, 0\n", at * 1000);
	}
	fputs("0, 0, 0, 0\n0, 0, 0, 0\n", iops);
	fputs("text\n\n0, 0, 0, 0\n", clat);
	fclose(iops);
	fclose(clat);
	minutes = read_logs("g_iops.1.log", 60);
	ck_assert_uint_eq(minutes.count, 7);
	ck_assert_double_eq_tol(minutes.list[0].values[MINUTE_IOPS], 200, 1e-6);
	ck_assert_double_eq_tol(minutes.list[1].values[MINUTE_IOPS], 200, 1e-6);
	ck_assert(isnan(minutes.list[2].values[MINUTE_IOPS]) &&
		  isnan(minutes.list[3].values[MINUTE_IOPS]));
	ck_assert_double_gt(minutes.list[5].values[MINUTE_IOPS], 199);
	ck_assert_double_eq_tol(minutes.list[6].values[MINUTE_MEAN], 1000, 1e-6);
	check_holds(minutes.note, "without a time");
	minutes_free(&minutes);
}
END_TEST

START_TEST(times_since_1970_begin_at_zero)
{
	struct minutes minutes;

	write_in(folder, "e_iops.1.log", "1700000001000, 5, 0, 0\n1700000002000, 5, 0, 0\n");
	write_in(folder, "e_lat.1.log", "1700000001000, 9000, 0, 0\n1700000002000, 9000, 0, 0\n");
	minutes = read_logs("e_lat.1.log", 1);
	ck_assert_uint_eq(minutes.count, 2);
	ck_assert_double_eq(minutes.list[1].values[MINUTE_IOPS], 5);
	ck_assert_double_eq(minutes.list[1].values[MINUTE_MEAN], 9);
	minutes_free(&minutes);
}
END_TEST

/* ---- histograms ------------------------------------------------------------------------------ */

static void put_bins(FILE *out, const char *head, unsigned columns, const double *counts)
{
	unsigned i;

	fputs(head, out);
	for (i = 0; i < columns; i++)
		fprintf(out, ", %.0f", counts[i]);
	fputc('\n', out);
}

/* Deviations from a histogram against those of every single latency. */
static void check_histogram(unsigned bins, unsigned coarseness, double unit_us, double tolerance)
{
	double counts[2048] = {0}, mean = 0, m2 = 0;
	FILE *out = fopen(path_to("h_clat_hist.1.log"), "w");
	struct minutes minutes;
	static double values[20000];
	uint64_t random = 3;
	int i;

	for (i = 0; i < 20000; i++) {
		values[i] = 400 * -log(random_share_above_0(random_next(&random))) + 90;
		mean += values[i] / 20000;
		counts[histogram_bucket((uint64_t)(values[i] / unit_us)) >> coarseness]++;
	}
	for (i = 0; i < 20000; i++)
		m2 += (values[i] - mean) * (values[i] - mean);
	put_bins(out, "1000, 1, 4096", bins >> coarseness, counts);
	fclose(out);
	minutes = read_logs("h_clat_hist.1.log", 1);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_IOPS], 20000);
	ck_assert_double_eq_tol(minutes.list[0].values[MINUTE_MEAN], mean, tolerance * mean);
	ck_assert_double_eq_tol(minutes.list[0].values[MINUTE_STDDEV], sqrt(m2 / 20000),
				tolerance * sqrt(m2 / 20000));
	minutes_free(&minutes);
}

START_TEST(histograms_of_both_generations)
{
	check_histogram(1856, 0, 0.001, 0.005);
	check_histogram(1856, 3, 0.001, 0.01);
	check_histogram(1216, 0, 1, 0.005);
	check_histogram(1216, 1, 1, 0.005);
}
END_TEST

START_TEST(logs_beside_fio_2_histograms_are_in_us)
{
	static double counts[1216];
	FILE *out = fopen(path_to("u_clat_hist.1.log"), "w");
	struct minutes minutes;

	counts[100] = 40;
	put_bins(out, "1000, 0, 4096", 1216, counts);
	fclose(out);
	write_in(folder, "u_iops.1.log", "1000, 80, 0, 0\n");
	write_in(folder, "u_clat.1.log", "1000, 100, 0, 0\n");
	minutes = read_logs("u_clat.1.log", 1);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_MEAN], 100);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_IOPS], 80);
	ck_assert_double_eq(minutes.list[0].values[MINUTE_STDDEV], 0);
	check_holds(minutes.note, "hold 50.0 % of the I/Os");
	minutes_free(&minutes);
}
END_TEST

START_TEST(garbage_is_no_histogram)
{
	static double counts[1856];
	FILE *out = fopen(path_to("x_clat_hist.1.log"), "w");
	struct minutes minutes;
	struct error err;

	counts[7] = 8.5e18;
	put_bins(out, "1000, 0, 4096", 1856, counts);
	fclose(out);
	ck_assert_int_eq(minutes_of_logs(path_to("x_clat_hist.1.log"), 60, &minutes, &err), -1);
	check_holds(err.text, "damaged");
	write_in(folder, "x_clat_hist.1.log", "1000, 0, 4096, 1, 2, 3\n");
	ck_assert_int_eq(minutes_of_logs(path_to("x_clat_hist.1.log"), 60, &minutes, &err), -1);
	check_holds(err.text, "6 columns are no histogram");
	write_in(folder, "x_clat_hist.1.log", "");
	ck_assert_int_eq(minutes_of_logs(path_to("x_clat_hist.1.log"), 60, &minutes, &err), -1);
	check_holds(err.text, "no interval");
}
END_TEST

/* ---- packed, and made by the tool ------------------------------------------------------------ */

static void pack(const char *name)
{
	char line[2 * PATH_MAX];

	snprintf(line, sizeof(line), "gzip -f '%s'", path_to(name));
	ck_assert_int_eq(system(line), 0);
}

static void make_logs(const char *kind)
{
	char tool[PATH_MAX], line[3 * PATH_MAX];

	tool_path(tool, sizeof(tool), "make_logs");
	snprintf(line, sizeof(line), "'%s' %s '%s' 4 1800", tool, kind, path_to("long"));
	ck_assert_int_eq(system(line), 0);
}

static void check_long(const struct minutes *minutes)
{
	ck_assert_uint_eq(minutes->count, 30);
	ck_assert_double_eq_tol(minutes->list[5].values[MINUTE_IOPS], 100000, 1000);
	ck_assert_double_eq_tol(minutes->list[25].values[MINUTE_IOPS], 43243, 500);
	ck_assert_double_eq_tol(minutes->list[25].values[MINUTE_MEAN], 1480, 15);
	ck_assert_double_eq_tol(minutes->list[25].values[MINUTE_STDDEV], 740, 10);
}

START_TEST(a_set_packed_or_not_is_the_same)
{
	struct minutes minutes;

	make_logs("fio");
	minutes = read_logs("long_iops.1.log", 60);
	check_long(&minutes);
	minutes_free(&minutes);
	pack("long_iops.1.log");
	pack("long_clat.2.log");
	pack("long_clat_hist.3.log");
	minutes = read_logs("long_iops.1.log.gz", 60);
	check_long(&minutes);
	minutes_free(&minutes);
}
END_TEST

START_TEST(statistics_packed_or_not_are_the_same)
{
	static const char *const names[] = {"long.stats.1.json", "long.stats.2.json.gz",
					    "long.stats.3.json", "long.stats.4.json"};
	char paths[4][PATH_MAX];
	const char *list[4];
	struct minutes minutes;
	struct error err;
	int i;

	make_logs("stats");
	pack("long.stats.2.json");
	for (i = 0; i < 4; i++) {
		snprintf(paths[i], PATH_MAX, "%s", path_to(names[i]));
		list[i] = paths[i];
	}
	ck_assert_msg(!minutes_of_statistics(list, 4, 60, &minutes, &err), "%s", err.text);
	check_long(&minutes);
	ck_assert_double_eq_tol(minutes.list[25].values[MINUTE_MAX], 1480 * 9, 500);
	minutes_free(&minutes);
}
END_TEST

START_TEST(what_fio_packed_is_named)
{
	struct minutes minutes;
	struct error err;

	write_in(folder, "z_lat.1.log", "\x78\x9c\x01");
	ck_assert_int_eq(minutes_of_logs(path_to("z_lat.1.log"), 60, &minutes, &err), -1);
	check_holds(err.text, "--inflate-log");
	ck_assert_int_eq(minutes_of_logs(path_to("no_lat.1.log"), 60, &minutes, &err), -1);
	check_holds(err.text, "is not there");
}
END_TEST

/* ---- logs of others, where they are ---------------------------------------------------------- */

static const char *sample(const char *name)
{
	static char path[PATH_MAX];
	const char *samples = getenv("SSDREVIEW_SAMPLES");

	snprintf(path, sizeof(path), "%s/samples/%s", samples ? samples : "../shared", name);
	return access(path, R_OK) ? NULL : path;
}

START_TEST(a_sample_agrees_with_fio_itself)
{
	const char *path = sample("logs/icpe24_fio-3.35_kyber_r2ms_w10ms_lat_clat.1.log");
	struct minutes minutes;
	double ios = 0, total_us = 0;
	size_t i;
	struct error err;
	char line[2 * PATH_MAX];

	if (!path) {
		puts("skip a sample's logs: there are none");
		return;
	}
	/* The prefixes of its logs differ by type, so they get one. */
	snprintf(line, sizeof(line),
		 "d=$(dirname '%s') && cp $d/*_lat_lat.1.log '%s' && cp $d/*_iops_iops.1.log '%s'",
		 path, path_to("sample_lat.1.log"), path_to("sample_iops.1.log"));
	ck_assert_int_eq(system(line), 0);
	ck_assert_msg(!minutes_of_logs(path_to("sample_lat.1.log"), 60, &minutes, &err), "%s",
		      err.text);
	for (i = 0; i < minutes.count; i++) {
		ios += minutes.list[i].values[MINUTE_IOPS] * minutes.list[i].length_s;
		total_us += minutes.list[i].values[MINUTE_IOPS] * minutes.list[i].length_s *
			    minutes.list[i].values[MINUTE_MEAN];
	}
	ck_assert_double_eq_tol(ios / 480, 160167.34, 160);
	ck_assert_double_eq_tol(total_us / ios, 798.615, 0.1);
	minutes_free(&minutes);
}
END_TEST

START_TEST(a_day_of_a_sample)
{
	const char *path = sample("logs/pbench_fio-3.19_24h_iops.1.log");
	struct minutes minutes;
	struct error err;

	if (!path) {
		puts("skip a day of a sample: it is not there");
		return;
	}
	ck_assert_msg(!minutes_of_logs(path, 60, &minutes, &err), "%s", err.text);
	ck_assert_uint_eq(minutes.count, 1440);
	ck_assert_double_eq_tol(minutes.list[700].length_s, 60, 1.1);
	minutes_free(&minutes);
}
END_TEST

START_TEST(samples_of_histograms)
{
	const char *path = sample("logs/pbench_fio-3.7_perf36_clat_hist.1.log");
	struct minutes minutes;
	struct error err;

	if (!path) {
		puts("skip histograms of samples: there are none");
		return;
	}
	ck_assert_int_eq(minutes_of_logs(path, 60, &minutes, &err), -1);
	check_holds(err.text, "damaged");
	path = sample("local/logs/LOCAL_fio-3.33_coarse3_clat_hist.1.log");
	ck_assert_msg(!minutes_of_logs(path, 60, &minutes, &err), "%s", err.text);
	ck_assert_double_eq_tol(minutes.list[0].values[MINUTE_IOPS] * minutes.list[0].length_s,
				20012, 1);
	minutes_free(&minutes);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("minutes");
	TCase *tests = tcase_create("minutes");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, joined_is_as_if_counted_at_once);
	tcase_add_test(tests, nothing_has_no_deviation);
	tcase_add_test(tests, two_clones_make_one_minute);
	tcase_add_test(tests, zero_is_zero_and_a_gap_is_a_gap);
	tcase_add_test(tests, a_cut_file_is_read_as_far_as_it_goes);
	tcase_add_test(tests, names_are_taken_apart);
	tcase_add_test(tests, means_are_weighted_by_the_rate_of_their_direction);
	tcase_add_test(tests, single_io_logs_tell_all_exactly);
	tcase_add_test(tests, both_window_values_tell_the_maximum);
	tcase_add_test(tests, stalls_gaps_and_rubbish);
	tcase_add_test(tests, times_since_1970_begin_at_zero);
	tcase_add_test(tests, histograms_of_both_generations);
	tcase_add_test(tests, logs_beside_fio_2_histograms_are_in_us);
	tcase_add_test(tests, garbage_is_no_histogram);
	tcase_add_test(tests, a_set_packed_or_not_is_the_same);
	tcase_add_test(tests, statistics_packed_or_not_are_the_same);
	tcase_add_test(tests, what_fio_packed_is_named);
	tcase_add_test(tests, a_sample_agrees_with_fio_itself);
	tcase_add_test(tests, a_day_of_a_sample);
	tcase_add_test(tests, samples_of_histograms);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_on_reviews(make_suite());
}
