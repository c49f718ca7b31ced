/* SPDX-License-Identifier: GPL-2.0-only */
/* Measures of jobs and directions combined, against all their I/Os looked at one by one. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "engines/core/engine_stats.h"
#include "postprocess/measures.h"
#include "tests/unit/suite.h"

#define CLONES 3
#define IOS    5000

/* ---- the truth, in two passes over every value ---------------------------------------------- */

static double latencies[4 * CLONES * IOS]; /* ns */

static void check_against(const struct measure *measure, const double *values, size_t count)
{
	long double sum = 0, squares = 0, mean;
	double max = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		sum += values[i];
		max = fmax(max, values[i]);
	}
	mean = sum / count;
	for (i = 0; i < count; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	ck_assert_uint_eq(measure->count, count);
	ck_assert_double_eq_tol(measure->mean_ns, (double)mean, (double)mean * 1e-9);
	ck_assert_double_eq_tol(measure_stddev_ns(measure), sqrt((double)(squares / count)),
				sqrt((double)(squares / count)) * 1e-6);
	ck_assert_double_eq_tol((double)measure->max_ns, max, 0.5);
}

/* ---- statistics files of three clones, two samples of 10 ms and a rest ----------------------- */

static const char *const paths[CLONES] = {"measures.1.json", "measures.2.json", "measures.3.json"};

/* Every third I/O is a write, with other latencies. Values go to reads[] and writes[] too. */
static void write_clone(unsigned clone, double *reads[2], double *writes[2])
{
	static const struct stats_description description = {.drive = "block"};
	struct stats_run run = {.engine = "openloop",
				.job = "job",
				.clone = clone + 1,
				.clones = CLONES,
				.in_flight_limit = 1,
				.interval_ns = 10 * NS_PER_MSEC};
	struct error err;
	struct engine_stats *stats = stats_open(paths[clone], &run, &err);
	uint64_t random = 7;
	unsigned sample, i;

	ck_assert_ptr_nonnull(stats);
	random = clone + 1;
	stats_start_window(stats, 0, 20 * NS_PER_MSEC);
	for (sample = 0; sample < 2; sample++) {
		stats_close_intervals(stats, sample * 10 * NS_PER_MSEC);
		for (i = 0; i < IOS; i++) {
			bool writes_it = i % 3 == 0;
			double value = floor((writes_it ? 1e6 : 1e5) * (clone + 1) *
					     (0.5 + random_share(random_next(&random))));

			stats_add(stats, writes_it ? STATS_WRITE : STATS_READ, 4096,
				  (uint64_t)value);
			*(*(writes_it ? &writes[sample] : &reads[sample]))++ = value;
		}
	}
	stats_close_intervals(stats, 20 * NS_PER_MSEC);
	stats_add(stats, STATS_READ, 4096, 9 * NS_PER_MSEC); /* after the window */
	stats->completed_after = 1;
	ck_assert_int_eq(stats_finish(stats, 20 * NS_PER_MSEC, 0, 0, &description, &err), 0);
}

START_TEST(samples_are_those_of_all_clones)
{
	double *reads[2] = {latencies, latencies + CLONES * IOS};
	double *writes[2] = {latencies + 2 * CLONES * IOS, latencies + 3 * CLONES * IOS};
	double *first_read[2] = {reads[0], reads[1]}, *first_write[2] = {writes[0], writes[1]};
	struct measures *samples, total;
	struct error err;
	size_t count, i;

	for (i = 0; i < CLONES; i++)
		write_clone((unsigned)i, reads, writes);
	ck_assert_int_eq(measures_read_samples(paths, CLONES, &samples, &count, &err), 0);
	ck_assert_uint_eq(count, 2);
	for (i = 0; i < 2; i++) {
		ck_assert_double_eq_tol(samples[i].seconds, 0.01, 1e-12);
		check_against(&samples[i].read, first_read[i], (size_t)(reads[i] - first_read[i]));
		check_against(&samples[i].write, first_write[i],
			      (size_t)(writes[i] - first_write[i]));
		ck_assert_uint_eq(samples[i].write.bytes, samples[i].write.count * 4096);
		ck_assert_double_eq_tol(measures_value(&samples[i], "iops"), CLONES * IOS / 0.01,
					1e-3);
	}
	ck_assert_int_eq(measures_read_total(paths, CLONES, &total, &err), 0);
	ck_assert_uint_eq(total.read.count + total.write.count, CLONES * (2 * IOS + 1));
	ck_assert_double_eq_tol(measures_value(&total, "iops"), 2 * CLONES * IOS / 0.02, 1e-3);
	free(samples);
	for (i = 0; i < CLONES; i++)
		unlink(paths[i]);
}
END_TEST

START_TEST(both_directions_are_one_population)
{
	const double values[] = {1000, 3000, 2000, 9000, 9000};
	struct measures measures = {.seconds = 0.5,
				    .read = {3, 3 * 512, 3000, 2000, 2e6},
				    .write = {2, 2 * 4096, 9000, 9000, 0}};
	struct measure both = measures_both(&measures);

	check_against(&both, values, COUNT(values));
	ck_assert_uint_eq(both.bytes, 3 * 512 + 2 * 4096);
	ck_assert_double_eq(measures_value(&measures, "write_iops"), 4);
	ck_assert_double_eq(measures_value(&measures, "read_bytes_per_s"), 3 * 512 / 0.5);
	ck_assert_double_eq(measures_value(&measures, "max"), 9000);
	ck_assert_double_eq(measures_value(&measures, "read_mean"), 2000);
	ck_assert_double_eq(measures_value(&measures, "write_stddev"), 0);
}
END_TEST

START_TEST(nothing_has_no_value)
{
	struct measures none = {.seconds = 1}, some = {.seconds = 1, .read = {1, 1, 1, 1, 0}};
	json_t *json = measures_json(&some);

	ck_assert(isnan(measures_value(&none, "iops")) && isnan(measures_value(&none, "mean")));
	ck_assert(isnan(measures_value(&some, "write_max")));
	ck_assert(json_is_null(json_object_get(json, "write")));
	ck_assert(json_is_object(json_object_get(json, "both")));
	json_decref(json);
	measures_append(&none, &some);
	ck_assert_double_eq(measures_value(&none, "iops"), 0.5);
}
END_TEST

START_TEST(words_of_measures)
{
	struct error err;

	ck_assert_int_eq(measure_word_check("iops", &err), 0);
	ck_assert_int_eq(measure_word_check("write_stddev", &err), 0);
	ck_assert_int_eq(measure_word_check("write_stdev", &err), -1);
	ck_assert_str_eq(err.text, "unknown measure \"stdev\"; did you mean \"stddev\"?");
}
END_TEST

/* 100,000 I/Os in two files: 50 % by 100 ns, 99.999 % by 9,000 ns, one beyond. */
START_TEST(percentiles_of_all_histograms)
{
	static const char *const two[] = {"measures.p1.json", "measures.p2.json"};
	static const double shares[] = {0.5, 0.50001, 0.99999, 1};
	const char *first = "{\"intervals\": [{\"histogram\": [[100, 30000], [9000, 49998]]}, "
			    "{\"histogram\": [[70000, 1]]}]}";
	const char *second = "{\"intervals\": [{\"histogram\": [[100, 20000], [200, 1]]}]}";
	double values[4];
	struct error err;

	ck_assert_int_eq(file_write_atomic(two[0], first, strlen(first), &err), 0);
	ck_assert_int_eq(file_write_atomic(two[1], second, strlen(second), &err), 0);
	ck_assert_int_eq(measures_read_percentiles(two, 2, 2, shares, 4, values, &err), 0);
	ck_assert_double_eq(values[0], 100);
	ck_assert_double_eq(values[1], 200);
	ck_assert_double_eq(values[2], 9000);
	ck_assert_double_eq(values[3], 70000);
	ck_assert_int_eq(measures_read_percentiles(two, 2, 1, shares, 4, values, &err), 0);
	ck_assert_double_eq(values[3], 9000);
	ck_assert_int_eq(file_write_atomic(two[0], "{}", 2, &err), 0);
	ck_assert_int_eq(measures_read_percentiles(two, 1, 2, shares, 4, values, &err), 0);
	ck_assert(isnan(values[0]));
	unlink(two[0]);
	unlink(two[1]);
	ck_assert_int_eq(measures_read_percentiles(two, 2, 2, shares, 4, values, &err), -1);
}
END_TEST

START_TEST(files_of_others_are_refused)
{
	const char *path = "measures.bad.json";
	struct measures *samples, total;
	struct error err;
	size_t count;

	ck_assert_int_eq(file_write_atomic(path, "{\"intervals\": []}", 17, &err), 0);
	ck_assert_int_eq(measures_read_samples(&path, 1, &samples, &count, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "does not tell reads from writes"));
	ck_assert_int_eq(measures_read_total(&path, 1, &total, &err), -1);
	unlink(path);
	ck_assert_int_eq(measures_read_total(&path, 1, &total, &err), -1);
	ck_assert_int_eq(measures_read_samples(&path, 0, &samples, &count, &err), -1);
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("measures");

	tcase_add_test(all, samples_are_those_of_all_clones);
	tcase_add_test(all, both_directions_are_one_population);
	tcase_add_test(all, nothing_has_no_value);
	tcase_add_test(all, words_of_measures);
	tcase_add_test(all, percentiles_of_all_histograms);
	tcase_add_test(all, files_of_others_are_refused);
	return run_case("measures", all);
}
