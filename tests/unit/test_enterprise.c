/* SPDX-License-Identifier: GPL-2.0-only */
/* Preconditioning, main tests and ladders: read, ranked, in tables, charts and on the page. */
#include <check.h>
#include <jansson.h>
#include <math.h>

#include "postprocess/command.h"
#include "postprocess/distribution.h"
#include "postprocess/enterprise.h"
#include "tests/unit/post_fixture.h"

static char made[5][PATH_MAX]; /* reviews by make_enterprise */

static void make_enterprise(void)
{
	char tool[PATH_MAX], line[2 * PATH_MAX + 32];
	int i;

	tool_path(tool, sizeof(tool), "make_enterprise");
	snprintf(line, sizeof(line), "'%s' '%s/e' 5 140", tool, folder);
	if (system(line))
		exit(1);
	for (i = 0; i < 5; i++)
		snprintf(made[i], PATH_MAX, "%s/e/drive-%d", folder, i + 1);
}

static void load(struct precondition *run, int drive, const char *row)
{
	char path[PATH_MAX + 128];
	struct error err;

	snprintf(path, sizeof(path), "%s/%s/rounds.json", made[drive], row);
	ck_assert_msg(!precondition_read(path, run, &err), "%s", err.text);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

START_TEST(rounds_are_read_as_they_stand)
{
	struct precondition run;

	load(&run, 0, "4k-randwrite-precondition");
	ck_assert_uint_eq(run.minutes.count, 140);
	ck_assert_uint_eq(run.round_count, 14);
	ck_assert_double_eq(run.block_bytes, 4096);
	ck_assert_double_eq(run.read_percent, 0);
	ck_assert_uint_eq(run.threads, 16);
	ck_assert(run.window.known && run.window.steady);
	ck_assert_uint_eq(run.window.first, 10);
	ck_assert_uint_eq(run.window.last, 14);
	ck_assert_double_eq_tol(run.findings.steady[MINUTE_IOPS], run.window.mean, 1);
	ck_assert_double_eq_tol(run.findings.burst_iops, 400000, 8000);
	ck_assert_double_eq_tol(run.findings.burst_end_s, 24 * 60, 61);
	ck_assert_double_eq_tol(run.findings.burst_end_fills, 1.05, 0.06);
	ck_assert_double_gt(run.findings.steady[MINUTE_MAX], run.findings.steady[MINUTE_MEAN]);
	precondition_free(&run);
}
END_TEST

START_TEST(a_gap_has_its_place_and_its_length)
{
	struct precondition run;

	load(&run, 2, "4k-randwrite-precondition");
	ck_assert(run.window.known && !run.window.steady);
	ck_assert_uint_eq(run.minutes.count, 141);
	ck_assert_uint_eq(run.findings.gap_count, 1);
	ck_assert_double_eq(run.findings.gaps[0].at_s, 3600);
	ck_assert_double_eq(run.findings.gaps[0].seconds, 4512);
	ck_assert_double_eq(run.minutes.list[60].start_s, 3600);
	ck_assert(isnan(run.minutes.list[60].values[MINUTE_IOPS]));
	precondition_free(&run);
}
END_TEST

#define RULE                                                                                       \
	"\"rule\": { \"range\": 0.2, \"slope\": 0.1, \"track\": [ { \"load\": \"b\", "             \
	"\"measure\": \"write_mean\" } ] }"

START_TEST(the_load_that_is_tracked_is_shown)
{
	struct precondition run;
	struct error err;

	write_in(folder, "rounds.json",
		 "{ \"loads\": [ { \"load\": \"a\", \"block_bytes\": 512 }, { \"load\": \"b\", "
		 "\"block_bytes\": 8192, \"read_percent\": 70 } ], " RULE ", \"sample_s\": 60, "
		 "\"rounds\": [], \"gaps\": [], \"steady\": null, \"samples\": [ { \"load\": "
		 "\"a\", \"start_s\": 0, \"seconds\": 60, \"both\": { \"iops\": 5 } }, { "
		 "\"load\": \"b\", \"start_s\": 60, \"seconds\": 60, \"both\": { \"iops\": 7, "
		 "\"mean_ns\": 1000, \"max_ns\": 9000, \"stddev_ns\": 500 } }, { \"load\": \"b\", "
		 "\"start_s\": 120, \"seconds\": 60, \"both\": null }, { \"load\": \"b\", "
		 "\"start_s\": -1, \"seconds\": 60 }, { \"load\": \"b\", \"start_s\": 9, "
		 "\"seconds\": 0 }, 5 ] }");
	ck_assert_msg(!precondition_read(path_to("rounds.json"), &run, &err), "%s", err.text);
	ck_assert_str_eq(run.load, "b");
	ck_assert_double_eq(run.block_bytes, 8192);
	ck_assert_uint_eq(run.minutes.count, 2);
	ck_assert_double_eq(run.minutes.list[0].values[MINUTE_IOPS], 7);
	ck_assert_double_eq(run.minutes.list[0].values[MINUTE_STDDEV], 0.5);
	ck_assert_double_eq(run.minutes.list[1].values[MINUTE_IOPS], 0);
	ck_assert(isnan(run.minutes.list[1].values[MINUTE_MEAN]));
	ck_assert(!run.window.known && !run.verdict[0]);
	precondition_free(&run);
}
END_TEST

static void check_refused(const char *text, const char *words)
{
	struct precondition run;
	struct error err;

	write_in(folder, "bad.json", text);
	ck_assert_int_eq(precondition_read(path_to("bad.json"), &run, &err), -1);
	check_holds(err.text, words);
}

START_TEST(what_are_no_rounds_is_refused)
{
	struct precondition run;
	struct error err;

	check_refused("{", "cannot be read");
	check_refused("[]", "holds no rounds");
	check_refused("{ \"rounds\": 5 }", "holds no rounds");
	write_in(folder, "bad.json",
		 "{ \"rounds\": [ 5, {} ], \"samples\": {}, \"gaps\": 3, \"steady\": { \"steady\": "
		 "true, \"track\": [ { \"steady\": true, \"rounds\": [1, 2], \"fit\": [0, 0], "
		 "\"mean\": 0 } ] } }");
	ck_assert_msg(!precondition_read(path_to("bad.json"), &run, &err), "%s", err.text);
	ck_assert(!run.window.steady);
	ck_assert(isnan(run.findings.steady[MINUTE_IOPS]));
	precondition_free(&run);
}
END_TEST

/* ---- tables ---------------------------------------------------------------------------------- */

START_TEST(tables_rank_and_say_who_leads)
{
	struct outcome outcome =
		RUN(cmd_table, "table", made[0], made[1], made[2], made[3], made[4]);

	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "4K write, preconditioning, 16T/16Q (enterprise)");
	check_holds(outcome.out, "8K 70/30, preconditioning, 16T/16Q (enterprise)");
	check_holds(outcome.out, "4K reads and writes, 16T/16Q (enterprise)");
	check_holds(outcome.out, "8K 70/30, 2T/2Q to 16T/16Q (enterprise)");
	check_holds(outcome.out, "simulated, not steady, 1 gap");
	check_holds(outcome.out, "Writes, IOPS: Made-up P3700 2TB leads with 167,552 IOPS");
	check_holds(outcome.out, "Reads, IOPS: Made-up PCIe 3.2TB leads");
	check_holds(outcome.out, "simulated, fio ended with code 1");
	check_holds(outcome.out, "(100,785)");
	check_holds(outcome.out, "simulated, invalid: CPU wait 50.0 %");
	check_holds(outcome.out, "invalid: 1 of 14 rounds");
	check_holds(outcome.out, "Invalid, and part of no level: round 3; the CPU was the limit.");
	check_holds(outcome.out, "Gaps: at 60 min (1 h 15 min).");
	check_holds(outcome.out, "of the level, no spikes (place 3 of 4).");
	check_holds(outcome.out, "the standard deviation is that of all I/Os");
	ck_assert_ptr_null(strstr(outcome.out, "published"));
	outcome_free(&outcome);
}
END_TEST

START_TEST(published_figures_stand_beside_them)
{
	struct outcome outcome = RUN(cmd_table, "table", made[0], "--published");

	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "about 400,000");
	check_holds(outcome.out, "about 170,000 *");
	check_holds(outcome.out, "average latency at 20 min");
	check_holds(outcome.out, "Memblaze PBlaze4 3.2TB");
	check_holds(outcome.out, "717,172 *");
	check_holds(outcome.out, "Intel P3700 2TB (published): average latency from 200 us");
	check_holds(outcome.out, "166,250");
	outcome_free(&outcome);
}
END_TEST

/* The first step is the lightest: of few I/Os 73 in 100 may be reads where 70 were asked for. */
START_TEST(a_ladder_is_called_by_all_of_its_steps)
{
	struct outcome outcome;
	char line[2 * PATH_MAX];

	copy_review(made[0], path_to("light"));
	snprintf(line, sizeof(line),
		 "cd '%s/8k-mixed-ladder' && sed -i 's/\"total_ios\": 1899662/\"total_ios\": "
		 "1981076/; s/\"total_ios\": 814141/\"total_ios\": 732727/' 2t-2q.json && "
		 "grep -q '\"total_ios\": 1981076.*\"total_ios\": 732727' 2t-2q.json",
		 path_to("light"));
	ck_assert_int_eq(system(line), 0);
	outcome = RUN(cmd_table, "table", path_to("light"), "--row", "8k-mixed-ladder");
	check_holds(outcome.out, "8K 70/30, 2T/2Q to 16T/16Q (enterprise)");
	outcome_free(&outcome);
}
END_TEST

START_TEST(other_protocols_get_no_published_figures)
{
	struct outcome outcome;
	char line[2 * PATH_MAX];

	copy_review(made[0], path_to("other"));
	snprintf(line, sizeof(line),
		 "sed -i 's/\"protocol\": \"enterprise\"/\"protocol\": \"mine\"/' '%s/review.json'",
		 path_to("other"));
	ck_assert_int_eq(system(line), 0);
	outcome = RUN(cmd_table, "table", path_to("other"), made[1], "--published");
	check_holds(outcome.out, "4K write, preconditioning, 16T/16Q (mine)");
	check_holds(outcome.out, "4K write, preconditioning, 16T/16Q (enterprise)");
	outcome_free(&outcome);
	outcome = RUN(cmd_table, "table", path_to("other"), "--published");
	ck_assert_ptr_null(strstr(outcome.out, "Intel P3700 2TB"));
	outcome_free(&outcome);
}
END_TEST

START_TEST(one_row_alone)
{
	struct outcome outcome =
		RUN(cmd_table, "table", made[0], "--row", "8k-mixed-ladder", "--format", "md");

	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "16T/16Q");
	ck_assert_ptr_null(strstr(outcome.out, "preconditioning"));
	outcome_free(&outcome);
	outcome = RUN(cmd_table, "table", made[0], "--row", "8k-mixed-lader");
	ck_assert_int_eq(outcome.code, 2);
	check_holds(outcome.err, "did you mean \"8k-mixed-ladder\"");
	outcome_free(&outcome);
}
END_TEST

START_TEST(records_for_programs)
{
	struct outcome outcome = RUN(cmd_table, "table", made[0], made[3], "--format", "json");
	json_t *array = json_loads(outcome.out, 0, NULL), *record;
	size_t i, runs = 0, steps = 0, failed = 0;

	ck_assert_ptr_nonnull(array);
	json_array_foreach(array, i, record)
	{
		bool is_step = json_object_get(record, "step") != NULL;

		runs += !is_step;
		steps += is_step;
		failed += is_step && json_is_null(json_object_get(record, "iops"));
	}
	ck_assert_uint_eq(runs, 4);
	ck_assert_uint_eq(steps, 2 * 17);
	ck_assert_uint_eq(failed, 1);
	json_decref(array);
	outcome_free(&outcome);
	outcome = RUN(cmd_table, "table", made[0], "--format", "csv");
	check_holds(outcome.out, "row,protocol,place,drive,start_iops");
	check_holds(outcome.out, "row,protocol,step,place,drive,read_iops");
	outcome_free(&outcome);
}
END_TEST

START_TEST(damaged_rounds_leave_the_rest)
{
	struct outcome outcome;

	copy_review(made[0], path_to("damaged"));
	write_in(path_to("damaged"), "8k-mixed-precondition/rounds.json", "{ \"rounds\": [");
	remove_in(path_to("damaged"), "4k-randwrite-precondition/rounds.json");
	outcome = RUN(cmd_table, "table", path_to("damaged"));
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "4K reads and writes");
	check_holds(outcome.out, "8k-mixed-precondition/rounds.json cannot be read");
	ck_assert_ptr_null(strstr(outcome.out, "no point max"));
	outcome_free(&outcome);
}
END_TEST

/* A made-up review whose first row of rounds has two loads, of which one is followed. */
static void make_several_loads(const char *review)
{
	char line[2 * PATH_MAX + 256];

	copy_review(made[1], review);
	snprintf(line, sizeof(line),
		 "sed -i 's/\"loads\": \\[ { \"load\": \"4k-randwrite\"/\"loads\": [ { \"load\": "
		 "\"other\" }, { \"load\": \"4k-randwrite\"/; s/\"iops\" } \\]/\"bytes_per_s\" } "
		 "]/' '%s/4k-randwrite-precondition/rounds.json'",
		 review);
	ck_assert_int_eq(system(line), 0);
}

START_TEST(rounds_of_several_loads_show_their_verdict)
{
	struct outcome outcome;

	make_several_loads(path_to("several"));
	outcome = RUN(cmd_table, "table", path_to("several"), "--row", "4k-randwrite-precondition");
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "4k-randwrite-precondition: 4k-randwrite, 16T/16Q (enterprise)");
	check_holds(outcome.out, "10 to 14");
	check_holds(outcome.out, "MB/s");
	ck_assert_ptr_null(strstr(outcome.out, "At the start"));
	outcome_free(&outcome);
	if (!has_gnuplot())
		return;
	outcome = RUN(cmd_chart, "chart", path_to("several"), "--row", "4k-randwrite-precondition",
		      "-o", path_to("cs"));
	check_holds(outcome.out, "2 charts in ");
	outcome_free(&outcome);
	ck_assert(exists(path_to("cs/4k-randwrite-precondition.enterprise.steady-1.png")));
}
END_TEST

/* A rule that is not yet met is not met, however even the burst is. */
START_TEST(a_run_at_work_has_no_level)
{
	char line[2 * PATH_MAX + 256];
	struct outcome outcome;

	copy_review(made[1], path_to("at-work"));
	snprintf(
		line, sizeof(line),
		"f='%s/4k-randwrite-precondition/rounds.json'; sed -i '/^\"steady\"/,$d' \"$f\" && "
		"printf '\"steady\": null }\\n' >>\"$f\"",
		path_to("at-work"));
	ck_assert_int_eq(system(line), 0);
	outcome = RUN(cmd_table, "table", path_to("at-work"), "--row", "4k-randwrite-precondition");
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "simulated, still at work");
	check_holds(outcome.out, "and found no level.");
	check_holds(outcome.out, "Still at work: 14 rounds, no verdict yet.");
	outcome_free(&outcome);
}
END_TEST

/* Replaces text in a review's first row of rounds. */
static void edit_rounds(const char *review, const char *script)
{
	char line[3 * PATH_MAX];

	snprintf(line, sizeof(line), "sed -i '%s' '%s/4k-randwrite-precondition/rounds.json'",
		 script, review);
	ck_assert_int_eq(system(line), 0);
}

static const struct precondition *load_first(const char *review)
{
	static struct precondition run;
	char path[PATH_MAX + 64];
	struct error err;

	snprintf(path, sizeof(path), "%s/4k-randwrite-precondition/rounds.json", review);
	ck_assert_msg(!precondition_read(path, &run, &err), "%s", err.text);
	return &run;
}

/* Minutes of a busy machine are in no level, no burst, no spike and no gap. */
START_TEST(what_the_machine_held_back_is_part_of_nothing)
{
	const struct precondition *run = load_first(made[4]);
	size_t i;

	ck_assert_uint_eq(run->invalid_rounds, 1);
	ck_assert(run->rounds[2].invalid && !run->rounds[2].usable && !run->rounds[1].invalid);
	for (i = 0; i < run->minutes.count; i++) {
		const struct minute *minute = &run->minutes.list[i];

		ck_assert_int_eq(minute->is_invalid, i >= 20 && i < 30);
		ck_assert_int_eq(isnan(minute->values[MINUTE_IOPS]), minute->is_invalid);
		ck_assert(!minute->is_invalid || minute->left_out[MINUTE_IOPS] > 0);
	}
	for (i = 0; i < run->findings.spike_count; i++)
		ck_assert(run->findings.spikes[i].minute < 20 ||
			  run->findings.spikes[i].minute >= 30);
	ck_assert_uint_eq(run->findings.gap_count, 0);
	precondition_free((struct precondition *)run);
}
END_TEST

/* What was judged steady when such rounds still counted. */
START_TEST(a_window_of_a_busy_machine_is_not_ranked)
{
	struct outcome outcome;
	const struct precondition *first;

	copy_review(made[0], path_to("busy-window"));
	edit_rounds(path_to("busy-window"),
		    "/\"round\": 12, \"start_s\".*\"usable\"/"
		    "s/\"machine\": null/\"machine\": \"the CPU was the limit\"/");
	first = load_first(path_to("busy-window"));
	ck_assert(first->window.invalid && !first->window.steady);
	ck_assert(isnan(first->findings.steady[MINUTE_IOPS]));
	precondition_free((struct precondition *)first);
	outcome = RUN(cmd_table, "table", path_to("busy-window"), made[1], "--row",
		      "4k-randwrite-precondition");
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "simulated, no steady level, invalid: 1 of 14 rounds");
	check_holds(outcome.out, "round 12; the CPU was the limit. Such rounds lie in the window");
	outcome_free(&outcome);
	if (!has_gnuplot())
		return;
	outcome = RUN(cmd_report, "report", path_to("busy-window"), "-o", path_to("busy-page"));
	ck_assert_int_eq(outcome.code, 0);
	outcome_free(&outcome);
	outcome.out = read_all(path_to("busy-page/index.html"));
	check_holds(outcome.out, "invalid: 1 of 14 rounds");
	check_holds(outcome.out, "preconditioning, 16T/16Q: invalid");
	free(outcome.out);
	outcome.out = read_all(
		path_to("busy-page/4k-randwrite-precondition.enterprise.iops-by-minute.gp"));
	check_holds(outcome.out, "simulated, invalid");
	free(outcome.out);
	outcome.out = read_all(
		path_to("busy-page/4k-randwrite-precondition.enterprise.iops-by-minute.dat"));
	/* Ten minutes in a row that do not count are one break, and no other series. */
	ck_assert_ptr_null(strstr(outcome.out, "\n\n\n\n"));
	free(outcome.out);
}
END_TEST

START_TEST(a_main_test_of_a_busy_machine_is_a_cross)
{
	char line[3 * PATH_MAX], *script;
	struct outcome outcome;

	copy_review(made[0], path_to("busy-main"));
	snprintf(line, sizeof(line),
		 "sed -i 's/\"cpu_wait_share\": [0-9.]*/\"cpu_wait_share\": 0.50/' "
		 "'%s/4k-randwrite-steady/16t-16q.stats.json'",
		 path_to("busy-main"));
	ck_assert_int_eq(system(line), 0);
	outcome = RUN(cmd_table, "table", path_to("busy-main"), made[1]);
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "simulated, invalid: CPU wait 50.0 %");
	check_holds(outcome.out, "(167,552)");
	ck_assert_ptr_null(strstr(outcome.out, "Writes, IOPS: "));
	outcome_free(&outcome);
	if (!has_gnuplot())
		return;
	outcome = RUN(cmd_chart, "chart", path_to("busy-main"), "-o", path_to("busy-charts"));
	ck_assert_int_eq(outcome.code, 0);
	outcome_free(&outcome);
	script = read_all(path_to("busy-charts/4k-main-test.enterprise.iops.gp"));
	check_holds(script, "Made-up P3700 2TB, simulated, invalid");
	check_holds(script, "'(167,552)'");
	free(script);
}
END_TEST

/* A row that ended has a verdict, also without a window: no "still at work", no "none yet". */
START_TEST(an_end_without_a_window_is_not_steady)
{
	struct outcome outcome;

	make_several_loads(path_to("windowless"));
	edit_rounds(path_to("windowless"),
		    "/^\"steady\"/,$c\"steady\": { \"steady\": false, \"ended_by\": \"rounds\", "
		    "\"track\": [ { \"rounds\": [], \"fit\": [null, null] } ], \"text\": \"Not "
		    "steady after 2 h: no 5 usable rounds.\" } }");
	outcome = RUN(cmd_table, "table", path_to("windowless"), "--row",
		      "4k-randwrite-precondition");
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "  not steady  simulated, not steady");
	check_holds(outcome.out, "Not steady after 2 h: no 5 usable rounds.");
	ck_assert_ptr_null(strstr(outcome.out, "none yet"));
	outcome_free(&outcome);
}
END_TEST

/* ---- charts and page ------------------------------------------------------------------------- */

static void check_charts(const char *out, size_t count)
{
	static const char *const charts[] = {
		"4k-randwrite-precondition.enterprise.iops-by-minute",
		"4k-randwrite-precondition.enterprise.average-by-minute",
		"4k-randwrite-precondition.enterprise.maximum-by-minute",
		"4k-randwrite-precondition.enterprise.stddev-by-minute",
		"8k-mixed-precondition.enterprise.iops-by-fills",
		"8k-mixed-precondition.enterprise.steady-1",
		"4k-main-test.enterprise.iops",
		"4k-main-test.enterprise.maximum",
		"4k-main-test.enterprise.distribution",
		"8k-mixed-ladder.enterprise.distribution",
		"8k-mixed-ladder.enterprise.stddev"};
	char path[PATH_MAX + 128];
	size_t i;

	for (i = 0; i < COUNT(charts); i++) {
		snprintf(path, sizeof(path), "%s/%s.png", out, charts[i]);
		ck_assert_msg(exists(path), "%s was not drawn", path);
		snprintf(path, sizeof(path), "%s/%s.dat", out, charts[i]);
		ck_assert(exists(path));
	}
	snprintf(path, sizeof(path), "%s/8k-mixed-precondition.enterprise.steady-%zu.png", out,
		 count);
	ck_assert(exists(path));
}

START_TEST(charts_of_one_two_and_five_drives)
{
	struct outcome outcome;

	if (!has_gnuplot()) {
		puts("skip charts of preconditioning: gnuplot is not installed");
		return;
	}
	outcome = RUN(cmd_chart, "chart", made[0], "-o", path_to("c1"));
	check_holds(outcome.out, "24 charts in ");
	outcome_free(&outcome);
	check_charts(path_to("c1"), 1);
	outcome = RUN(cmd_chart, "chart", made[0], made[1], "-o", path_to("c2"));
	check_holds(outcome.out, "26 charts in ");
	outcome_free(&outcome);
	check_charts(path_to("c2"), 2);
	outcome = RUN(cmd_chart, "chart", made[0], made[1], made[2], made[3], made[4], "-o",
		      path_to("c5"));
	ck_assert_int_eq(outcome.code, 0);
	ck_assert_str_eq(outcome.err, "");
	outcome_free(&outcome);
	check_charts(path_to("c5"), 5);
}
END_TEST

START_TEST(the_page_has_a_section_each)
{
	struct outcome outcome;
	char *page;

	if (!has_gnuplot()) {
		puts("skip the page of preconditioning: gnuplot is not installed");
		return;
	}
	outcome = RUN(cmd_report, "report", made[0], made[2], "-o", path_to("page"));
	ck_assert_int_eq(outcome.code, 0);
	outcome_free(&outcome);
	page = read_all(path_to("page/index.html"));
	check_holds(page, "<h2 id=\"rounds0\">4K write, preconditioning, 16T/16Q (enterprise)");
	check_holds(page, "<h2 id=\"ladder0\">4K reads and writes, 16T/16Q (enterprise)");
	check_holds(page, "<h2 id=\"ladder1\">8K 70/30, 2T/2Q to 16T/16Q (enterprise)");
	check_holds(page, "Steady state by rounds");
	check_holds(page, "Distribution of response times");
	check_holds(page, "and found no level");
	check_holds(page, "<svg");
	free(page);
}
END_TEST

/* ---- distributions --------------------------------------------------------------------------- */

START_TEST(percentiles_come_from_the_histograms)
{
	struct tail tail;
	char path[PATH_MAX + 64];
	FILE *out;
	int i;

	snprintf(path, sizeof(path), "%s", path_to("t.stats.1.json"));
	out = fopen(path, "w");
	fputs("{ \"intervals\": [ { \"max_ns\": 1000000, \"histogram\": [", out);
	for (i = 0; i < 100; i++)
		fprintf(out, "%s[%d,50]", i ? "," : "", 1000 * (i + 1));
	fputs("] } ] }", out);
	fclose(out);
	write_in(folder, "t.stats.2.json",
		 "{ \"intervals\": [ {}, { \"histogram\": [[5000000,4000], 7, [1]] } ] }");
	ck_assert(tail_read(path, &tail));
	ck_assert_double_eq_tol(tail.points[0].at, 2, 0.01);
	ck_assert_double_eq_tol(tail.points[0].us, 90, 2);
	ck_assert_double_le(tail.points[tail.count - 1].at, 10000);
	ck_assert_double_eq_tol(tail.points[tail.count - 1].us, 5000, 80);
	for (i = 1; i < (int)tail.count; i++)
		ck_assert_double_ge(tail.points[i].us, tail.points[i - 1].us);
	ck_assert(!tail_read("", &tail));
	ck_assert(!tail_read(path_to("none.json"), &tail));
}
END_TEST

/* ---- fio's logs as results ------------------------------------------------------------------- */

START_TEST(logs_are_runs_by_minutes)
{
	char tool[PATH_MAX], line[3 * PATH_MAX], first[PATH_MAX], second[PATH_MAX];
	struct outcome outcome;

	tool_path(tool, sizeof(tool), "make_logs");
	snprintf(line, sizeof(line), "'%s' fio '%s' 2 3600", tool, path_to("run"));
	ck_assert_int_eq(system(line), 0);
	snprintf(first, PATH_MAX, "Named=%s", path_to("run_clat.1.log"));
	snprintf(second, PATH_MAX, "Named=%s", path_to("run_iops.2.log"));
	outcome = RUN(cmd_table, "table", first, second);
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "Runs by minutes");
	check_holds(outcome.out, "Named: began with 50,06");
	check_holds(outcome.out, "until 20 min");
	outcome_free(&outcome);
	if (has_gnuplot()) {
		outcome = RUN(cmd_chart, "chart", first, "-o", path_to("logs"));
		check_holds(outcome.out, "4 charts in ");
		outcome_free(&outcome);
		ck_assert(exists(path_to("logs/by-minutes.stddev-by-minute.png")));
	}
}
END_TEST

START_TEST(statistics_of_long_runs_too)
{
	char tool[PATH_MAX], line[3 * PATH_MAX];
	struct outcome outcome;

	tool_path(tool, sizeof(tool), "make_logs");
	snprintf(line, sizeof(line), "'%s' stats '%s' 2 3600 && gzip '%s'", tool, path_to("hour"),
		 path_to("hour.stats.2.json"));
	ck_assert_int_eq(system(line), 0);
	outcome = RUN(cmd_table, "table", path_to("hour.stats.1.json"));
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "hour: began with 50,0");
	check_holds(outcome.out, "spikes at 3 times");
	outcome_free(&outcome);
	snprintf(line, sizeof(line), "'%s' stats '%s' 1 600", tool, path_to("short"));
	ck_assert_int_eq(system(line), 0);
	outcome = RUN(cmd_table, "table", path_to("short.stats.1.json"));
	ck_assert_int_eq(outcome.code, 1);
	outcome_free(&outcome);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("enterprise");
	TCase *tests = tcase_create("enterprise");

	make_enterprise();
	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, what_the_machine_held_back_is_part_of_nothing);
	tcase_add_test(tests, a_window_of_a_busy_machine_is_not_ranked);
	tcase_add_test(tests, a_main_test_of_a_busy_machine_is_a_cross);
	tcase_add_test(tests, an_end_without_a_window_is_not_steady);
	tcase_add_test(tests, rounds_are_read_as_they_stand);
	tcase_add_test(tests, a_gap_has_its_place_and_its_length);
	tcase_add_test(tests, the_load_that_is_tracked_is_shown);
	tcase_add_test(tests, what_are_no_rounds_is_refused);
	tcase_add_test(tests, tables_rank_and_say_who_leads);
	tcase_add_test(tests, published_figures_stand_beside_them);
	tcase_add_test(tests, a_ladder_is_called_by_all_of_its_steps);
	tcase_add_test(tests, other_protocols_get_no_published_figures);
	tcase_add_test(tests, one_row_alone);
	tcase_add_test(tests, records_for_programs);
	tcase_add_test(tests, damaged_rounds_leave_the_rest);
	tcase_add_test(tests, a_run_at_work_has_no_level);
	tcase_add_test(tests, rounds_of_several_loads_show_their_verdict);
	tcase_add_test(tests, charts_of_one_two_and_five_drives);
	tcase_add_test(tests, the_page_has_a_section_each);
	tcase_add_test(tests, percentiles_come_from_the_histograms);
	tcase_add_test(tests, logs_are_runs_by_minutes);
	tcase_add_test(tests, statistics_of_long_runs_too);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_on_reviews(make_suite());
}
