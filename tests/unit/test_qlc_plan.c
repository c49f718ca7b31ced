/* SPDX-License-Identifier: GPL-2.0-only */
/* Plans on simulated drives in virtual time: what they find against what the models say. */
#include <check.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "engines/sim/params.h"
#include "tests/tools/virtual_qlc.h"
#include "tests/unit/suite.h"

#define SCALE	     50
#define RANDOM_SCALE 200 /* small blocks are many */

static struct virtual_drive drive;
static struct error err;

static struct qlc_options options_at(enum qlc_mode mode, unsigned scale)
{
	struct sim_info info;

	sim_model_info(drive.model, scale, &info);
	return (struct qlc_options){.mode = mode,
				    .region_bytes = info.capacity_bytes,
				    .block_bytes = 131072,
				    .seed = 1,
				    .repeats = 3,
				    .bursts = 5,
				    .burst_cache_share = 0.1};
}

static struct qlc_options options_for(enum qlc_mode mode)
{
	return options_at(mode, SCALE);
}

/* The whole plan on a new drive; the report is the caller's. */
static json_t *run_plan(const char *model, struct qlc_options *options)
{
	struct qlc_plan *plan;
	json_t *report;

	plan = qlc_plan_open(options, NULL, NULL, &err);
	ck_assert_msg(plan, "%s: %s", model, err.text);
	virtual_run(&drive, plan);
	report = qlc_plan_report(plan, drive.now_ns);
	ck_assert_ptr_nonnull(report);
	qlc_plan_close(plan);
	return report;
}

static void open_drive(const char *model)
{
	ck_assert_msg(!virtual_open(&drive, model, SCALE, 16, &err), "%s", err.text);
}

static double number_of(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	ck_assert_msg(json_is_number(value), "no number \"%s\"", key);
	return json_number_value(value);
}

static void is_within(double value, double truth, double share)
{
	ck_assert_double_ge(value, truth * (1.0 - share));
	ck_assert_double_le(value, truth * (1.0 + share));
}

/* What an empty drive takes before it is full: its cache shrinks while it is written to. */
static double cache_bytes(const struct sim_params *params)
{
	double fixed = (double)params->slc_static_bytes,
	       dynamic = (double)params->slc_dynamic_bytes;
	double capacity = (double)params->capacity_bytes;
	double from = (double)params->slc_full_until / 1e6 * capacity;
	double to = (double)params->slc_none_from / 1e6 * capacity;

	if (!dynamic || fixed + dynamic <= from)
		return fixed + dynamic;
	/* written = fixed + dynamic * (to - written) / (to - from) */
	return (fixed + dynamic * to / (to - from)) / (1.0 + dynamic / (to - from));
}

static unsigned models_probed;

static void probe_model(const char *model)
{
	const struct sim_params *params = &drive.model->params;
	struct qlc_options options = options_for(QLC_PROBE);
	json_t *report = run_plan(model, &options);

	is_within(number_of(report, "cache_bytes"), cache_bytes(params) / SCALE, 0.02);
	is_within(number_of(report, "fast_mbps"), (double)params->sequential_kbps / 1e3, 0.02);
	is_within(number_of(report, "slow_mbps"), (double)params->slc_after_kbps / 1e3, 0.02);
	ck_assert(json_is_false(json_object_get(report, "partial")));
	json_decref(report);
	models_probed++;
}

/* Every model that has a cache. */
static void for_each_cache(unsigned scale, void (*probe)(const char *model))
{
	char **words;
	size_t count, i;

	models_probed = 0;
	ck_assert_msg(!sim_model_list(&words, &count, &err), "%s", err.text);
	for (i = 0; i < count; i++) {
		ck_assert_msg(!virtual_open(&drive, words[i], scale, 16, &err), "%s", err.text);
		if (drive.model->params.slc_static_bytes + drive.model->params.slc_dynamic_bytes)
			probe(words[i]);
		virtual_close(&drive);
		free(words[i]);
	}
	free(words);
	ck_assert_uint_ge(models_probed, 12);
	open_drive("670p-2tb"); /* what the fixture closes */
}

START_TEST(a_probe_finds_the_cache_of_each_model)
{
	for_each_cache(SCALE, probe_model);
}
END_TEST

/* As jobfiles/qlc/probe-random.fio: 4 KiB, in no order, slower than in order inside the cache. */
static void probe_at_random(const char *model)
{
	const struct sim_params *params = &drive.model->params;
	struct qlc_options options = options_at(QLC_PROBE, RANDOM_SCALE);
	json_t *report;

	options.block_bytes = 4096;
	options.is_random = true;
	report = run_plan(model, &options);
	is_within(number_of(report, "cache_bytes"), cache_bytes(params) / RANDOM_SCALE, 0.02);
	is_within(number_of(report, "slow_mbps"), (double)params->slc_after_kbps / 1e3, 0.02);
	ck_assert_double_gt(number_of(report, "fast_mbps"), 1.5 * number_of(report, "slow_mbps"));
	json_decref(report);
	models_probed++;
}

START_TEST(random_writes_find_the_cache_of_each_model_too)
{
	for_each_cache(RANDOM_SCALE, probe_at_random);
}
END_TEST

START_TEST(random_writes_between_reads_find_it_too)
{
	struct qlc_options options;
	json_t *report;

	open_drive("670p-2tb");
	options = options_for(QLC_PROBE);
	options.is_random = true;
	options.read_share = 0.2;
	report = run_plan("670p-2tb", &options);
	is_within(number_of(report, "cache_bytes"), 280e9 / SCALE, 0.02);
	json_decref(report);
}
END_TEST

START_TEST(a_drive_without_a_cache_has_no_cliff)
{
	struct qlc_options options;
	json_t *report;
	const char *verdict;

	open_drive("p4510-2tb");
	options = options_for(QLC_PROBE);
	report = run_plan("p4510-2tb", &options);
	ck_assert(json_is_null(json_object_get(report, "cache_bytes")));
	verdict = json_string_value(json_object_get(report, "verdict"));
	ck_assert_msg(strstr(verdict, "No cliff in the 40.0 GB written"), "%s", verdict);
	json_decref(report);
}
END_TEST

/* The 670p of the models folds 450 MB/s from 5 s of idle time on. */
START_TEST(the_cache_comes_back_as_the_model_folds)
{
	struct qlc_options options;
	json_t *report, *recovery;
	size_t i;

	open_drive("670p-2tb");
	options = options_for(QLC_RECOVER);
	options.idle_count = 3;
	options.idle_s[0] = 0.05;
	options.idle_s[1] = 2.0;
	options.idle_s[2] = 9.0;
	report = run_plan("670p-2tb", &options);
	recovery = json_object_get(report, "recovery");
	ck_assert_uint_eq(json_array_size(recovery), 3);
	for (i = 0; i < 3; i++)
		ck_assert_double_eq(number_of(json_array_get(recovery, i), "times"), 3.0);
	/* Before the idle time begins to count, what the buffer holds. */
	ck_assert_double_le(number_of(json_array_get(recovery, 0), "regained_bytes"), 80e6);
	/* Writing goes on while the cache is emptied: a sixth more than what idling alone brings.
	 */
	is_within(number_of(json_array_get(recovery, 1), "regained_bytes"), 1.9 * 450e6, 0.25);
	is_within(number_of(json_array_get(recovery, 2), "regained_bytes"), 8.9 * 450e6, 0.25);
	is_within(number_of(report, "half_time_s"), 0.5 * 280e9 / SCALE / 450e6, 0.25);
	json_decref(report);
}
END_TEST

START_TEST(bursts_stay_inside)
{
	struct qlc_options options;
	json_t *report;

	open_drive("670p-2tb");
	options = options_for(QLC_BURST);
	report = run_plan("670p-2tb", &options);
	ck_assert_double_ge(number_of(report, "held"), 5.0);
	/* Not faster than it folds, and not much slower. */
	ck_assert_double_lt(number_of(report, "sustained_mbps"), 450.0);
	ck_assert_double_gt(number_of(report, "sustained_mbps"), 300.0);
	json_decref(report);
}
END_TEST

START_TEST(past_the_cliff_it_writes_as_slowly_as_it_folds)
{
	struct qlc_options options;
	json_t *report;

	open_drive("670p-2tb");
	options = options_for(QLC_SUSTAIN);
	report = run_plan("670p-2tb", &options);
	is_within(number_of(report, "sustained_mbps"), 450.0, 0.02);
	json_decref(report);
}
END_TEST

/*
 * The dynamic part shrinks to nothing between 50 and 75 % of live data, also while a probe writes:
 * 24 GB + 256 GB * (75 % - 60 % - written / 2,048 GB) / 25 %. The static one stays. A rest of 1 s
 * is too short to fold 5.6 GB at 450 MB/s, which takes the 12.4 s that the plan finds by itself.
 */
START_TEST(the_cache_shrinks_as_the_drive_fills)
{
	static const double cache_gb[] = {280.0, 280.0, 118.4, 24.0};
	struct qlc_options options;
	json_t *report, *steps, *step;
	size_t i, probes = 0;

	open_drive("670p-2tb");
	options = options_for(QLC_FILL_LEVELS);
	options.level_count = 4;
	options.level_percent[1] = 25;
	options.level_percent[2] = 60;
	options.level_percent[3] = 85;
	options.rest_s = 1.0;
	report = run_plan("670p-2tb", &options);
	steps = json_object_get(report, "steps");
	json_array_foreach(steps, i, step)
	{
		if (strcmp(json_string_value(json_object_get(step, "step")), "probe"))
			continue;
		/* The buffer comes on top. */
		ck_assert_double_le(number_of(step, "fast_bytes"),
				    cache_gb[probes] * 1.02e9 / SCALE + 34e6);
		ck_assert_double_ge(number_of(step, "fast_bytes"),
				    cache_gb[probes] * 0.98e9 / SCALE);
		probes++;
	}
	ck_assert_uint_eq(probes, 4);
	json_decref(report);
}
END_TEST

START_TEST(a_rest_that_nothing_vouches_for_is_said)
{
	struct qlc_options options;
	json_t *report;

	open_drive("670p-2tb");
	options = options_for(QLC_FILL_LEVELS);
	options.level_count = 1;
	options.level_percent[0] = 30;
	options.rest_s = 1.0;
	report = run_plan("670p-2tb", &options);
	ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(report, "verdict")),
				     "Without level 0 nothing tells whether the rest"));
	json_decref(report);
}
END_TEST

/* Bytes written and seconds of a whole plan, as thought beforehand and as they came. */
START_TEST(an_estimate_is_near_what_a_plan_comes_to)
{
	struct qlc_options options;
	struct qlc_amount thought;
	json_t *report, *step;
	double written = 0.0;
	size_t i;

	open_drive("670p-2tb");
	options = options_for(_i);
	options.idle_s[0] = 2.0;
	options.idle_s[1] = 6.0;
	options.idle_count = 2;
	options.level_percent[1] = 50;
	options.level_count = 2;
	options.rest_s = 20.0;
	report = run_plan("670p-2tb", &options);
	json_array_foreach(json_object_get(report, "steps"), i, step)
	{
		if (strcmp(json_string_value(json_object_get(step, "step")), "trim"))
			written += number_of(step, "bytes");
	}
	json_decref(report);
	options.cache_bytes = (uint64_t)(280e9 / SCALE);
	options.fast = 2856e6;
	options.slow = 450e6;
	thought = qlc_estimate(&options);
	is_within(thought.bytes, written, 0.5);
	is_within(thought.seconds, (double)drive.now_ns / 1e9, 0.5);
}
END_TEST

/* Writes for so long. */
static void run_until(struct qlc_plan *plan, uint64_t end_ns)
{
	uint64_t idle_until_ns;
	struct qlc_io io;

	while (drive.now_ns < end_ns) {
		if (drive.in_flight == drive.depth) {
			virtual_reap(&drive, plan);
			continue;
		}
		ck_assert_int_eq(qlc_plan_next(plan, drive.now_ns, &io, &idle_until_ns), QLC_SEND);
		virtual_send(&drive, &io);
	}
}

START_TEST(a_plan_cut_short_reports_what_it_saw)
{
	struct qlc_options options;
	struct qlc_plan *plan;
	json_t *report;

	open_drive("670p-2tb");
	options = options_for(QLC_PROBE);
	plan = qlc_plan_open(&options, NULL, NULL, &err);
	ck_assert_ptr_nonnull(plan);
	run_until(plan, NS_PER_SEC);
	report = qlc_plan_report(plan, drive.now_ns);
	ck_assert(json_is_true(json_object_get(report, "partial")));
	ck_assert_uint_gt(json_array_size(json_object_get(report, "windows")), 100);
	ck_assert_uint_eq(json_array_size(json_object_get(report, "steps")), 1);
	json_decref(report);
	qlc_plan_close(plan);
}
END_TEST

/* One write after the other, every seventh of which fails, up to the end of the region. */
static uint64_t write_with_faults(struct qlc_plan *plan, uint64_t *failed)
{
	uint64_t idle_until_ns, written = 0, number = 0;
	struct qlc_io io;

	while (qlc_plan_next(plan, drive.now_ns, &io, &idle_until_ns) == QLC_SEND) {
		drive.now_ns += 50 * NS_PER_USEC;
		if (++number % 7) {
			qlc_plan_completed(plan, io.op, io.bytes, 50 * NS_PER_USEC, drive.now_ns);
			written += io.bytes;
		} else {
			qlc_plan_failed(plan);
			++*failed;
		}
	}
	return written;
}

START_TEST(what_fails_is_not_written)
{
	struct qlc_options options;
	struct qlc_plan *plan;
	uint64_t written, failed = 0;
	json_t *report, *step;
	const char *verdict;

	open_drive("670p-2tb");
	options = options_for(QLC_PROBE);
	options.region_bytes = 20000 * 131072ULL;
	plan = qlc_plan_open(&options, NULL, NULL, &err);
	ck_assert_ptr_nonnull(plan);
	written = write_with_faults(plan, &failed);
	report = qlc_plan_report(plan, drive.now_ns);
	step = json_array_get(json_object_get(report, "steps"), 0);
	ck_assert_uint_eq(failed, 2857);
	ck_assert_double_eq(number_of(step, "bytes"), (double)written);
	ck_assert_double_eq(number_of(report, "failed_ios"), 2857.0);
	verdict = json_string_value(json_object_get(report, "verdict"));
	ck_assert_msg(strstr(verdict, "No cliff in the 2.25 GB written") &&
			      strstr(verdict, "2,857 I/Os failed and are not counted."),
		      "%s", verdict);
	json_decref(report);
	qlc_plan_close(plan);
}
END_TEST

/* The 670p's cliff, as a probe of it would say. */
static struct qlc_options options_with_cliff(enum qlc_mode mode)
{
	struct qlc_options options = options_for(mode);

	options.cache_bytes = (uint64_t)(280e9 / SCALE);
	options.fast = 2856e6;
	options.slow = 450e6;
	return options;
}

static void check_verdict(const json_t *report, const char *begin, const char *end)
{
	const char *verdict = json_string_value(json_object_get(report, "verdict"));

	ck_assert_msg(!strncmp(verdict, begin, strlen(begin)) && strstr(verdict, end), "%s",
		      verdict);
}

/* A plan whose every write fails comes to its end as well. */
START_TEST(nothing_is_measured_when_all_fails)
{
	static const enum qlc_mode modes[] = {QLC_PROBE, QLC_RECOVER, QLC_BURST, QLC_SUSTAIN};
	struct qlc_options options;
	struct qlc_plan *plan;
	uint64_t idle_until_ns;
	enum qlc_turn turn;
	struct qlc_io io;
	json_t *report;

	open_drive("670p-2tb");
	options = modes[_i] == QLC_PROBE ? options_for(QLC_PROBE) : options_with_cliff(modes[_i]);
	options.idle_count = 1;
	options.idle_s[0] = 1.0;
	plan = qlc_plan_open(&options, NULL, NULL, &err);
	ck_assert_ptr_nonnull(plan);
	while ((turn = qlc_plan_next(plan, drive.now_ns, &io, &idle_until_ns)) != QLC_END) {
		drive.now_ns = turn == QLC_IDLE ? idle_until_ns : drive.now_ns + NS_PER_USEC;
		if (turn == QLC_SEND)
			qlc_plan_failed(plan);
	}
	report = qlc_plan_report(plan, drive.now_ns);
	check_verdict(report, "Nothing was measured.", " I/Os failed and are not counted.");
	ck_assert(json_is_null(json_object_get(report, "sustained_mbps")));
	json_decref(report);
	qlc_plan_close(plan);
}
END_TEST

/* The way to the cliff follows no idle time, not even one of 0 s. */
START_TEST(what_goes_on_from_a_known_cliff_speaks_of_it)
{
	struct qlc_options options;
	json_t *report, *recovery;

	open_drive("670p-2tb");
	options = options_with_cliff(QLC_RECOVER);
	options.idle_count = 2;
	options.idle_s[1] = 9.0;
	report = run_plan("670p-2tb", &options);
	check_verdict(report, "The cache is taken to be the 5.6", "Half of the cache");
	recovery = json_array_get(json_object_get(report, "recovery"), 0);
	ck_assert_double_eq(number_of(recovery, "times"), 3.0);
	ck_assert_double_le(number_of(recovery, "regained_bytes"), 80e6);
	json_decref(report);
}
END_TEST

START_TEST(what_was_not_reached_is_not_spoken_of)
{
	static const enum qlc_mode modes[] = {QLC_RECOVER, QLC_BURST, QLC_SUSTAIN};
	struct qlc_options options;
	struct qlc_plan *plan;
	json_t *report;

	open_drive("670p-2tb");
	options = options_with_cliff(modes[_i]);
	options.idle_count = 1;
	options.idle_s[0] = 1.0;
	plan = qlc_plan_open(&options, NULL, NULL, &err);
	ck_assert_ptr_nonnull(plan);
	run_until(plan, NS_PER_SEC);
	report = qlc_plan_report(plan, drive.now_ns);
	check_verdict(report, "The cache is taken",
		      " an earlier probe. The run ended before it was through.");
	ck_assert(json_is_null(json_object_get(report, "sustained_mbps")));
	ck_assert_uint_eq(json_array_size(json_object_get(report, "recovery")), 0);
	json_decref(report);
	qlc_plan_close(plan);
}
END_TEST

/* They would write it again and again in vain. */
START_TEST(bursts_larger_than_the_cache_are_not_written)
{
	struct qlc_options options;
	json_t *report;

	open_drive("670p-2tb");
	options = options_with_cliff(QLC_BURST);
	options.burst_bytes = options.cache_bytes + 131072;
	report = run_plan("670p-2tb", &options);
	check_verdict(report, "The cache is taken to be",
		      " Bursts of 5.60 GB do not fit the cache.");
	ck_assert_uint_eq(json_array_size(json_object_get(report, "steps")), 1);
	json_decref(report);
}
END_TEST

START_TEST(nonsense_is_refused)
{
	struct qlc_options options, good;

	open_drive("670p-2tb");
	good = options_for(QLC_RECOVER);
	good.idle_count = 1;
	good.idle_s[0] = 1.0;
	ck_assert(!qlc_check_options(&good, &err));
	options = good;
	options.repeats = 2;
	ck_assert(qlc_check_options(&options, &err));
	options = good;
	options.idle_s[0] = NAN;
	ck_assert(qlc_check_options(&options, &err));
	options = good;
	options.idle_count = 2;
	options.idle_s[1] = 1.0;
	ck_assert(qlc_check_options(&options, &err));
	options = options_with_cliff(QLC_PROBE);
	ck_assert(qlc_check_options(&options, &err));
	options = options_with_cliff(QLC_SUSTAIN);
	ck_assert(!qlc_check_options(&options, &err));
	options.region_bytes = options.cache_bytes - 1;
	ck_assert(qlc_check_options(&options, &err));
	options = good;
	options.region_bytes = 1000 * 131072ULL;
	ck_assert(qlc_check_options(&options, &err));
	options = good;
	options.read_share = 1.0;
	ck_assert(qlc_check_options(&options, &err));
	options = good;
	options.mode = QLC_FILL_LEVELS;
	options.level_count = 2;
	options.level_percent[0] = options.level_percent[1] = 50;
	ck_assert(qlc_check_options(&options, &err));
	options = good;
	options.mode = QLC_BURST;
	options.burst_cache_share = 1.5;
	ck_assert(qlc_check_options(&options, &err));
}
END_TEST

/* What a file of statistics says to one that goes on from it; the reason in err. */
static int read_probe(const char *text, struct qlc_probe *probe)
{
	char path[] = "/tmp/ssdreview-probe.XXXXXX";
	int fd = mkstemp(path), status;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	status = qlc_read_probe(path, probe, &err);
	unlink(path);
	return status;
}

#define PROBE_FOUND "\"qlc\": {\"cache_bytes\": 5000, \"fast_mbps\": 200, \"slow_mbps\": 20}}"

START_TEST(a_probe_that_the_machine_spoilt_is_refused)
{
	struct qlc_probe probe;

	ck_assert_int_eq(
		read_probe("{\"busy_share\": 0.97, \"cpu_wait_share\": 0.05, " PROBE_FOUND, &probe),
		0);
	ck_assert_uint_eq(probe.cache_bytes, 5000);
	ck_assert_double_eq(probe.fast, 200e6);
	ck_assert_double_eq(probe.slow, 20e6);
	ck_assert_int_eq(
		read_probe("{\"busy_share\": 0.2, \"cpu_wait_share\": 0.386, " PROBE_FOUND, &probe),
		-1);
	ck_assert(probe.is_spoilt);
	ck_assert_ptr_nonnull(strstr(err.text, "the engine waited for a CPU 38.6 % of the time"));
	ck_assert_int_eq(read_probe("{\"busy_share\": 0.98, " PROBE_FOUND, &probe), -1);
	ck_assert(probe.is_spoilt);
	ck_assert_ptr_nonnull(strstr(err.text, "the engine was busy 98.0 % of the time"));
}
END_TEST

START_TEST(a_file_that_holds_no_cliff_is_refused)
{
	static const char *const files[] = {
		"",
		"{",
		"[]",
		"7",
		"{}",
		"{\"busy_share\": 1.0}",
		"{\"qlc\": null}",
		"{\"qlc\": {\"cache_bytes\": null}}",
		"{" PROBE_FOUND "trailing",
		"{\"qlc\": {\"cache_bytes\": -5, \"fast_mbps\": 200, \"slow_mbps\": 20}}",
		"{\"qlc\": {\"cache_bytes\": 5000, \"fast_mbps\": \"fast\", \"slow_mbps\": 20}}",
		"{\"qlc\": {\"cache_bytes\": 5000, \"fast_mbps\": 20, \"slow_mbps\": 20}}",
		"{\"qlc\": {\"cache_bytes\": 5000, \"fast_mbps\": 200, \"slow_mbps\": 0}}",
	};
	struct qlc_probe probe;

	ck_assert_int_eq(read_probe(files[_i], &probe), -1);
	ck_assert(!probe.is_spoilt);
	ck_assert_ptr_nonnull(strstr(err.text, "/tmp/ssdreview-probe."));
}
END_TEST

static void close_drive(void)
{
	virtual_close(&drive);
}

int main(void)
{
	TCase *test = tcase_create("plan");

	tcase_set_timeout(test, 120);
	tcase_add_checked_fixture(test, NULL, close_drive);
	tcase_add_test(test, a_probe_finds_the_cache_of_each_model);
	tcase_add_test(test, random_writes_find_the_cache_of_each_model_too);
	tcase_add_test(test, random_writes_between_reads_find_it_too);
	tcase_add_test(test, a_drive_without_a_cache_has_no_cliff);
	tcase_add_test(test, the_cache_comes_back_as_the_model_folds);
	tcase_add_test(test, bursts_stay_inside);
	tcase_add_test(test, past_the_cliff_it_writes_as_slowly_as_it_folds);
	tcase_add_test(test, the_cache_shrinks_as_the_drive_fills);
	tcase_add_test(test, a_rest_that_nothing_vouches_for_is_said);
	tcase_add_loop_test(test, an_estimate_is_near_what_a_plan_comes_to, 0, QLC_MODES);
	tcase_add_test(test, a_plan_cut_short_reports_what_it_saw);
	tcase_add_test(test, what_fails_is_not_written);
	tcase_add_loop_test(test, nothing_is_measured_when_all_fails, 0, 4);
	tcase_add_test(test, what_goes_on_from_a_known_cliff_speaks_of_it);
	tcase_add_loop_test(test, what_was_not_reached_is_not_spoken_of, 0, 3);
	tcase_add_test(test, bursts_larger_than_the_cache_are_not_written);
	tcase_add_test(test, nonsense_is_refused);
	tcase_add_test(test, a_probe_that_the_machine_spoilt_is_refused);
	tcase_add_loop_test(test, a_file_that_holds_no_cliff_is_refused, 0, 13);
	return run_case("qlc plan", test);
}
