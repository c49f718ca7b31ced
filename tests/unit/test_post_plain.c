/* SPDX-License-Identifier: GPL-2.0-only */
/* Plain fio files as results: rows, curves, statistics beside them; the job files that make them.
 */
#include "tests/unit/post_fixture.h"

START_TEST(published_figures_that_fit_nowhere_are_told)
{
	struct outcome outcome;

	put_curve("alone.json", 100000);
	outcome = RUN(cmd_table, "table", path_to("alone.json"), "--published");
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.err, "--published added nothing");
	outcome_free(&outcome);
	if (!has_gnuplot())
		return;
	outcome = RUN(cmd_report, "report", path_to("alone.json"), "-p", "-o", path_to("alone"));
	outcome_free(&outcome);
	outcome.out = read_all(path_to("alone/index.html"));
	ck_assert_ptr_null(strstr(outcome.out, "beside published figures"));
	free(outcome.out);
}
END_TEST

START_TEST(a_bare_curve_is_a_curve)
{
	char named[PATH_MAX + 32];
	struct outcome outcome;

	put_curve("left.json", 100000);
	put_curve("right.json", 90000);
	snprintf(named, sizeof(named), "My drive=%s", path_to("right.json"));
	outcome = RUN(cmd_table, "table", path_to("left.json"), named);
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "4K random read (own job file)");
	check_holds(outcome.out, "1  left        100,000   500 us");
	check_holds(outcome.out, "2  My drive     90,000   500 us");
	check_holds(outcome.out, "20.0 % to 80,000");
	outcome_free(&outcome);
}
END_TEST

/* One point "010" with these options, of 1000 I/Os of `bytes` in the mean. */
static void check_row(const char *options, double bytes, const char *row)
{
	struct outcome outcome;
	char text[1024];

	snprintf(
		text, sizeof(text),
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"010\",\"job options\":{%s},"
		"\"read\":{\"iops\":700,\"total_ios\":700,\"io_bytes\":%.0f,\"io_kbytes\":1},"
		"\"write\":{\"iops\":300,\"total_ios\":300,\"io_bytes\":%.0f,\"io_kbytes\":1}}]}",
		options, 700 * bytes, 300 * bytes);
	write_in(folder, "row.json", text);
	outcome = RUN(cmd_table, "table", path_to("row.json"), "--format=csv");
	ck_assert_int_eq(outcome.code, 0);
	snprintf(text, sizeof(text), "\n%s,", row);
	check_holds(outcome.out, text);
	outcome_free(&outcome);
}

START_TEST(rows_are_named_by_what_was_asked)
{
	check_row("\"rw\":\"randread\",\"bs\":\"4096\"", 4098, "4k-randread");
	check_row("\"readwrite\":\"write\",\"blocksize\":\"64k\"", 65000, "64k-seqwrite");
	check_row("\"rw\":\"read\"", 4300, "4k-seqread");
	check_row("\"rw\":\"randrw\",\"rwmixread\":\"71\",\"bs\":\"8k\"", 8000, "8k-randrw-71-29");
	check_row("\"rw\":\"rw:8\",\"bs\":\"8k\"", 8000, "8k-seqrw-50-50");
	/* Sizes that are mixed have none that was asked for. */
	check_row("\"rw\":\"randread\",\"bs\":\"4k\",\"bssplit\":\"4k/50:8k/50\"", 6144,
		  "6k-randread");
	check_row("\"rw\":\"randread\",\"bs\":\"4k,8k\"", 4098, "4k-randread");
	check_row("", 4098, "4k-mixed");
	check_row("\"trace\":\"a/b/fc-boot.vdt\",\"bs\":\"4096\",\"rw\":\"randwrite\"", 17000,
		  "vdi-fc-boot");
	check_row("\"mix\":\"97:randread:8k,3:randwrite:8k\",\"rw\":\"randrw\","
		  "\"description\":\"sql\"",
		  8192, "sql");
	check_row(
		"\"mix\":\"97:randread:8k,3:randwrite:4k/50+8k/50\",\"description\":\"my own mix\"",
		8192, "97-randread-8k+3-randwrite-4k-50+8k-50");
}
END_TEST

START_TEST(other_jobs_become_rows)
{
	struct outcome outcome;

	write_in(folder, "jobs.json",
		 "{\"fio version\":\"fio-3.33\",\"jobs\":["
		 "{\"jobname\":\"a|b\",\"read\":{\"iops\":10,\"total_ios\":10}},"
		 "{\"jobname\":\"a|b\",\"read\":{\"iops\":20,\"total_ios\":10}},"
		 "{\"jobname\":\"idle\",\"read\":{\"iops\":0,\"total_ios\":0}}]}");
	outcome = RUN(cmd_table, "table", path_to("jobs.json"), "-f", "md");
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "### a\\|b (own job file)");
	check_holds(outcome.out, "### a\\|b (2) (own job file)");
	check_holds(outcome.out, "idle is failed: no I/O was performed");
	outcome_free(&outcome);
}
END_TEST

static void check_judged(const char *named, const char *mark)
{
	struct outcome outcome;

	put_judged("judged.json", named, 0);
	outcome = RUN(cmd_table, "table", path_to("judged.json"), "-f", "md");
	check_holds(outcome.out, mark);
	outcome_free(&outcome);
}

START_TEST(statistics_are_found_beside_the_output)
{
	check_judged("judged.stats.json", "| measured |");
	check_judged(path_to("judged.stats.json"), "| measured |");
	check_judged("elsewhere.stats.json", "| not judged |");
}
END_TEST

START_TEST(a_busy_machine_comes_first)
{
	struct outcome outcome;

	put_judged("busy.json", "judged.stats.json", 0.5);
	outcome = RUN(cmd_table, "table", path_to("busy.json"));
	check_holds(
		outcome.out,
		"\n\n1 of 1 points and rounds were left out because the machine was busy: close "
		"other programs and run again.\nbusy: 4k-randread, point 100 is");
	outcome_free(&outcome);
	put_judged("idle.json", "judged.stats.json", 0);
	outcome = RUN(cmd_table, "table", path_to("idle.json"));
	ck_assert_ptr_null(strstr(outcome.out, "the machine was busy"));
	outcome_free(&outcome);
}
END_TEST

/* Every section of a job file that is a step names a statistics file of its own. */
static void check_job_file(const char *path)
{
	char *text = read_all(path), *section, *end, wanted[64];
	const char *row = strrchr(path, '/') + 1;

	for (section = strstr(text, "\n["); section; section = strstr(section + 1, "\n[")) {
		end = strchr(section, ']');
		if (!strncmp(section, "\n[global]", 9))
			continue;
		snprintf(wanted, sizeof(wanted), "\nstats_file=%.*s.%.*s.stats.json\n",
			 (int)strcspn(row, "."), row, (int)(end - section - 2), section + 2);
		ck_assert_msg(strstr(text, wanted) != NULL, "%s:%s", path, wanted);
	}
	free(text);
}

START_TEST(every_shipped_job_writes_statistics)
{
	glob_t found;
	size_t i;

	ck_assert_int_eq(glob("jobfiles/corners/[0-9]*.fio", 0, NULL, &found), 0);
	ck_assert_int_eq(glob("jobfiles/vdi/*.fio", GLOB_APPEND, NULL, &found), 0);
	for (i = 0; i < found.gl_pathc; i++)
		check_job_file(found.gl_pathv[i]);
	globfree(&found);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("plain fio files");
	TCase *plain = tcase_create("plain");

	tcase_set_timeout(plain, 60);
	tcase_add_test(plain, published_figures_that_fit_nowhere_are_told);
	tcase_add_test(plain, a_bare_curve_is_a_curve);
	tcase_add_test(plain, rows_are_named_by_what_was_asked);
	tcase_add_test(plain, other_jobs_become_rows);
	tcase_add_test(plain, statistics_are_found_beside_the_output);
	tcase_add_test(plain, a_busy_machine_comes_first);
	tcase_add_test(plain, every_shipped_job_writes_statistics);
	suite_add_tcase(suite, plain);
	return suite;
}

int main(void)
{
	return run_on_reviews(make_suite());
}
