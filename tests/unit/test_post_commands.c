/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands table, chart and report from their arguments to what they print and write, on
 * made-up reviews (tests/tools/make_results.c) and on damaged copies of them.
 */
#include "tests/unit/post_fixture.h"

/* ---- table -------------------------------------------------------------------------------- */

START_TEST(table_ranks_four_drives)
{
	struct outcome outcome =
		RUN(cmd_table, "table", drives[0], drives[1], drives[2], drives[3]);

	ck_assert_int_eq(outcome.code, 0);
	ck_assert_str_eq(outcome.err, "");
	check_holds(outcome.out, "4K random read (client-qlc)");
	check_holds(outcome.out, "  1  Made-up Gen4 2TB    310,000   413 us");
	check_holds(outcome.out, "38.0 % to 192,200");
	check_holds(outcome.out, "64K sequential write (client-qlc)");
	check_holds(outcome.out, "Peak MB/s");
	ck_assert_ptr_null(strstr(outcome.out, "\033["));
	outcome_free(&outcome);
}
END_TEST

START_TEST(table_writes_every_format)
{
	struct outcome outcome = RUN(cmd_table, "table", drives[0], "--format=csv", "-r",
				     "4k-randread", "--published");

	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "row,protocol,place,drive,peak_iops");
	check_holds(outcome.out, "4k-randread,client-qlc,1,Intel 670p 2TB,295132,");
	ck_assert_ptr_null(strstr(outcome.out, "64k"));
	outcome_free(&outcome);
	outcome = RUN(cmd_table, "table", drives[0], "--format", "json");
	check_holds(outcome.out, "\"peak_iops\": 295132,");
	outcome_free(&outcome);
	outcome = RUN(cmd_table, "table", drives[0], "--format", "md");
	check_holds(outcome.out, "| 1 | Made-up QLC 2TB | 295,132 | 434 us |");
	outcome_free(&outcome);
	outcome = RUN(cmd_table, "table", drives[0], "-f", "html", "-s", "clat");
	check_holds(outcome.out, "<td data-l=\"Drive\">Made-up QLC 2TB</td>");
	outcome_free(&outcome);
}
END_TEST

START_TEST(table_names_what_is_wrong)
{
	struct outcome outcome = RUN(cmd_table, "table", drives[0], "--fromat=csv");

	ck_assert_int_eq(outcome.code, 2);
	check_holds(outcome.err, "unknown option \"--fromat\"; did you mean \"--format\"?");
	outcome_free(&outcome);
	outcome = RUN(cmd_table, "table", drives[0], "--format", "cvs");
	ck_assert_int_eq(outcome.code, 2);
	check_holds(outcome.err, "did you mean \"csv\"?");
	outcome_free(&outcome);
	outcome = RUN(cmd_table, "table", drives[0], "--row", "4k-ranread");
	ck_assert_int_eq(outcome.code, 2);
	check_holds(outcome.err, "did you mean \"4k-randread\"?");
	outcome_free(&outcome);
	outcome = RUN(cmd_table, "table");
	ck_assert_int_eq(outcome.code, 2);
	outcome_free(&outcome);
	outcome = RUN(cmd_chart, "chart", drives[0]);
	ck_assert_int_eq(outcome.code, 2);
	check_holds(outcome.err, "-o FOLDER");
	outcome_free(&outcome);
	outcome = RUN(cmd_table, "table", "/nowhere/at-all");
	ck_assert_int_eq(outcome.code, 1);
	check_holds(outcome.err, "/nowhere/at-all");
	outcome_free(&outcome);
}
END_TEST

START_TEST(every_command_has_help)
{
	static command *const commands[] = {cmd_table, cmd_chart, cmd_report};
	static char *const words[] = {"table", "chart", "report"};
	struct outcome outcome;
	size_t i;

	for (i = 0; i < 3; i++) {
		outcome = RUN(commands[i], words[i], "--help");
		ck_assert_int_eq(outcome.code, 0);
		check_holds(outcome.out, words[i]);
		check_holds(outcome.out, "--published");
		outcome_free(&outcome);
	}
}
END_TEST

/* ---- damaged reviews ---------------------------------------------------------------------- */

START_TEST(missing_and_damaged_points_are_named)
{
	char *copy = path_to("damaged");
	struct outcome outcome;

	copy_review(drives[0], copy);
	remove_in(copy, "4k-randread/110.json");
	write_in(copy, "4k-randwrite/100.json", "{\"fio version\":\"fio-3.33\",\"jobs\":[{");
	write_in(copy, "64k-seqread/100.stats.json", "{");
	outcome = RUN(cmd_table, "table", copy);
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "4k-randread, point 110 failed: 4k-randread/110.json");
	check_holds(outcome.out, "4k-randwrite, point 100 failed");
	check_holds(outcome.out, "at byte ");
	check_holds(outcome.out, "1 point left out");
	outcome_free(&outcome);
}
END_TEST

START_TEST(a_damaged_index_does_not_hide_other_results)
{
	char *copy = path_to("broken");
	struct outcome outcome;

	copy_review(drives[1], copy);
	write_in(copy, "review.json", "{ \"version\": 1,\n \"name\": ");
	outcome = RUN(cmd_table, "table", copy, drives[0]);
	ck_assert_int_eq(outcome.code, 1);
	check_holds(outcome.err, "review.json is damaged at line 2");
	check_holds(outcome.out, "Made-up QLC 2TB");
	outcome_free(&outcome);
	write_in(copy, "review.json", "{ \"version\": 7 }");
	outcome = RUN(cmd_table, "table", copy);
	ck_assert_int_eq(outcome.code, 1);
	check_holds(outcome.err, "version 7");
	outcome_free(&outcome);
}
END_TEST

/* The table of all files that the patterns match, as a shell would name them. */
static struct outcome table_of(const char *pattern, const char *other)
{
	struct outcome outcome;
	char **words;
	glob_t found;

	ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
	if (other)
		ck_assert_int_eq(glob(other, GLOB_APPEND, NULL, &found), 0);
	words = calloc(found.gl_pathc + 2, sizeof(*words));
	ck_assert_ptr_nonnull(words);
	words[0] = "table";
	memcpy(words + 1, found.gl_pathv, found.gl_pathc * sizeof(*words));
	outcome = run(cmd_table, words);
	free(words);
	globfree(&found);
	return outcome;
}

START_TEST(files_of_a_review_are_its_points)
{
	char row[PATH_MAX + 64], other[PATH_MAX + 64];
	struct outcome outcome;

	snprintf(row, sizeof(row), "%s/4k-randread/*.json", drives[0]);
	snprintf(other, sizeof(other), "%s/64k-seqread/*.json", drives[0]);
	outcome = table_of(row, NULL);
	ck_assert_int_eq(outcome.code, 0);
	ck_assert_str_eq(outcome.err, "");
	check_holds(outcome.out, "4K random read (client-qlc)");
	check_holds(outcome.out, "1  Made-up QLC 2TB    295,132");
	ck_assert_ptr_null(strstr(outcome.out, "64K"));
	ck_assert_ptr_null(strstr(outcome.out, "has no point"));
	outcome_free(&outcome);
	outcome = table_of(row, other);
	check_holds(outcome.out, "64K sequential read (client-qlc)");
	ck_assert_ptr_null(strstr(outcome.out, "no result for this row"));
	outcome_free(&outcome);
	snprintf(row, sizeof(row), "%s/4k-randread/0*.stats.json", drives[0]);
	outcome = table_of(row, NULL);
	ck_assert_int_eq(outcome.code, 1);
	check_holds(outcome.err, "review's folder instead");
	outcome_free(&outcome);
}
END_TEST

START_TEST(repeats_are_told_apart)
{
	static const char *const rows =
		"{ \"version\": 1, \"drive\": \"Two\", \"protocol\": \"p\", \"finished\": \"now\", "
		"\"rows\": [ { \"row\": \"4k-randread\", \"points\": ["
		"{\"point\": \"max\", \"repeat\": 1, \"json\": \"4k-randread/max.json\"},"
		"{\"point\": \"050\", \"repeat\": 1, \"json\": \"4k-randread/050.json\"},"
		"{\"point\": \"max\", \"repeat\": 2, \"json\": \"4k-randread/none.json\"},"
		"{\"point\": \"050\", \"repeat\": 2, \"json\": \"4k-randread/none.json\"}] },"
		"{ \"row\": \"64k-seqread\", \"points\": [] } ] }";
	char *copy = path_to("repeats");
	struct outcome outcome;
	char *page;

	copy_review(drives[1], copy);
	write_in(copy, "review.json", rows);
	outcome = RUN(cmd_table, "table", copy);
	check_holds(outcome.out, "64k-seqread has no point max 050; repeat 2: max 050; run");
	check_holds(outcome.out, "points repeat 2: max 050 are failed");
	check_holds(outcome.out, "Peak MB/s");
	outcome_free(&outcome);
	if (!has_gnuplot())
		return;
	outcome = RUN(cmd_report, "report", copy, "-o", path_to("repeats-page"));
	outcome_free(&outcome);
	page = read_all(path_to("repeats-page/index.html"));
	check_holds(page, ">050, repeat 1<");
	check_holds(page, ">050, repeat 2<");
	free(page);
}
END_TEST

START_TEST(an_unfinished_review_says_so)
{
	char *copy = path_to("half");
	struct outcome outcome;

	copy_review(drives[1], copy);
	write_in(copy, "review.json",
		 "{ \"version\": 1, \"name\": \"half\", \"drive\": \"Half\", \"protocol\": \"p\","
		 "\"finished\": null, \"warnings\": [\"The link is narrow.\"], \"rows\": ["
		 "{ \"row\": \"4k-randread\", \"points\": [ {\"point\": \"max\", \"json\": "
		 "\"4k-randread/max.json\", \"stats\": [\"4k-randread/max.stats.json\"]},"
		 "{\"point\": \"010\", \"json\": \"4k-randread/010.json\", \"stats\": [],"
		 "\"failed\": \"fio ended with code 1\"} ] },"
		 "{ \"row\": \"4k-randwrite\", \"points\": [] } ] }");
	outcome = RUN(cmd_table, "table", copy);
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "Half: the review is not finished");
	check_holds(outcome.out, "Half: The link is narrow.");
	check_holds(outcome.out, "4k-randwrite has no point max 010");
	check_holds(outcome.out, "point 010 is failed: fio ended with code 1");
	check_holds(outcome.out, "no points");
	outcome_free(&outcome);
}
END_TEST

/* ---- charts and report -------------------------------------------------------------------- */

START_TEST(charts_can_be_drawn_again)
{
	char line[PATH_MAX + 128];
	struct outcome outcome = RUN(cmd_chart, "chart", drives[0], drives[1], "--published", "-o",
				     path_to("charts"));
	char *script;

	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	outcome_free(&outcome);
	script = read_all(path_to("charts/4k-randread.gp"));
	check_holds(script, "noenhanced");
	check_holds(script, "'Intel 670p 2TB, published peak'");
	check_holds(script, "'1 ms'");
	free(script);
	ck_assert(exists(path_to("charts/4k-randread.dat")));
	ck_assert(exists(path_to("charts/4k-randread.svg")));
	snprintf(line, sizeof(line),
		 "cd '%s' && rm 4k-randread.svg && LC_ALL=de_DE.UTF-8 gnuplot 4k-randread.gp",
		 path_to("charts"));
	ck_assert_int_eq(system(line), 0);
	ck_assert(exists(path_to("charts/4k-randread.svg")));
}
END_TEST

START_TEST(points_stay_in_offered_order)
{
	struct outcome outcome;
	char *data, *at;

	put_curve("turn.json", 100000);
	outcome = RUN(cmd_chart, "chart", path_to("turn.json"), "-o", path_to("turn"));
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	outcome_free(&outcome);
	data = read_all(path_to("turn/4k-randread.dat"));
	at = strstr(data, "50000 400");
	ck_assert_ptr_nonnull(at);
	at = strstr(at, "100000 500");
	ck_assert_ptr_nonnull(at);
	at = strstr(at, "80000 600");
	ck_assert_ptr_nonnull(at);
	ck_assert_ptr_null(strstr(data, "100000 300")); /* the max run is no step */
	free(data);
}
END_TEST

START_TEST(names_are_never_run_or_read_as_markup)
{
	static char name[] = "it's `touch pwned` \"q\" <b> _x^2{a}";
	char named[PATH_MAX + 64];
	struct outcome outcome;
	char *page;

	put_curve("odd.json", 1000);
	snprintf(named, sizeof(named), "%s=%s", name, path_to("odd.json"));
	outcome = RUN(cmd_report, "report", named, "-o", path_to("odd"), "--title", "<i>t</i>");
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	outcome_free(&outcome);
	ck_assert(!exists(path_to("odd/pwned")));
	ck_assert(!exists("pwned"));
	page = read_all(path_to("odd/index.html"));
	check_holds(page, "it&#39;s `touch pwned` &quot;q&quot; &lt;b&gt; _x^2{a}");
	check_holds(page, "<h1>&lt;i&gt;t&lt;/i&gt;</h1>");
	ck_assert_ptr_null(strstr(page, "<b>"));
	free(page);
}
END_TEST

START_TEST(drives_with_crosses_alone_stand_in_the_legend)
{
	struct outcome outcome;
	char *text;

	put_judged("crosses.json", "judged.stats.json", 0.5);
	outcome = RUN(cmd_report, "report", path_to("crosses.json"), "-o", path_to("crosses"));
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	outcome_free(&outcome);
	text = read_all(path_to("crosses/4k-randread.gp"));
	check_holds(text, "lc rgb '#0072b2' lw 2 pt 2 ps 1.1 title 'crosses'");
	check_holds(text, "NaN with points lc rgb '#6b7280'");
	free(text);
	text = read_all(path_to("crosses/4k-randread.svg"));
	check_holds(text, "invalid, not ranked");
	free(text);
	text = read_all(path_to("crosses/index.html"));
	check_holds(text, "<tr class=\"empty\">");
	check_holds(text, "1 of 1 points and rounds were left out because the machine was busy");
	free(text);
}
END_TEST

START_TEST(empty_and_single_charts_are_drawn)
{
	struct outcome outcome;
	char *script;

	write_in(folder, "one.json",
		 "{\"fio "
		 "version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"one\",\"read\":{\"iops\":10,"
		 "\"total_ios\":10,\"clat_ns\":{\"mean\":500000,\"max\":900000,\"stddev\":1}}},"
		 "{\"jobname\":\"none\",\"read\":{\"iops\":0,\"total_ios\":0}}]}");
	outcome = RUN(cmd_chart, "chart", path_to("one.json"), "-o", path_to("one"));
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	outcome_free(&outcome);
	ck_assert(exists(path_to("one/one.svg")));
	ck_assert(exists(path_to("one/none.svg")));
	script = read_all(path_to("one/none.gp"));
	check_holds(script, "'no data'");
	free(script);
}
END_TEST

START_TEST(the_page_holds_everything_itself)
{
	struct outcome outcome;
	char *page;

	write_in(drives[0], "drive.json",
		 "{\"model\":\"X<1>\",\"size_bytes\":2000000000000,\"firmware\":\"n/a "
		 "(no)\",\"nvme\":{"
		 "\"smart\":{\"used_percent\":3,\"host_written_bytes\":24100000000000}}}");
	write_in(drives[1], "drive.json",
		 "{\"model\":\"INTEL SSDPEKNU020TZ\",\"disk_bytes\":2048408248320}");
	write_in(drives[0], "host.json", "{\"cores\":2,\"scaling_max_c\":70}");
	write_in(drives[1], "host.json", "{\"scaling_max_c\":70,\"cores\":2}");
	outcome = RUN(cmd_report, "report", drives[0], drives[1], "--published", "-o",
		      path_to("page"));
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	outcome_free(&outcome);
	page = read_all(path_to("page/index.html"));
	check_holds(page, "<svg role=\"img\"");
	check_holds(page, "X&lt;1&gt;");
	check_holds(page, "<dt>Size</dt>");
	check_holds(page, "<dt>Cores</dt><dd>2</dd>");
	check_holds(page, "<dt>Scaling max</dt><dd>70 °C</dd>");
	check_holds(page, "The same as for Made-up QLC 2TB.");
	check_holds(page, "2.00 TB");
	check_holds(page, "<a href=\"#drives\">The drives</a>");
	check_holds(page, "<th scope=\"row\">Endurance used</th><td data-l=\"Made-up QLC ");
	check_holds(page, "\">3 %</td>");
	check_holds(page, "\">24.1 TB</td>");
	check_holds(page, "<th scope=\"row\">Rated: Sequential read</th>");
	check_holds(page, ">3,500 MB/s</td>");
	ck_assert_ptr_null(strstr(page, "<th scope=\"row\">Firmware</th>"));
	check_holds(page, "place 1 of 3, level with Made-up QLC 2TB, ahead of Made-up QLC 1TB");
	ck_assert_ptr_null(strstr(page, "<img"));
	ck_assert_ptr_null(strstr(page, "src="));
	ck_assert_ptr_null(strstr(page, "<link"));
	free(page);
}
END_TEST

START_TEST(damaged_conditions_are_named_and_left_out)
{
	char *copy = path_to("conditions");
	struct outcome outcome;
	char *page;

	copy_review(drives[0], copy);
	write_in(copy, "drive.json", "{\n\"model\": \"X\",\n\"serial\": \"cut");
	write_in(copy, "host.json", "");
	outcome = RUN(cmd_table, "table", copy);
	ck_assert_int_eq(outcome.code, 0);
	check_holds(outcome.out, "conditions/drive.json is damaged at line 3 and left out: ");
	check_holds(outcome.out, "conditions/host.json is damaged at line 1 and left out: ");
	check_holds(outcome.out, "4K random read");
	outcome_free(&outcome);
	outcome = RUN(cmd_report, "report", copy, drives[1], "-o", path_to("page-conditions"));
	ck_assert_msg(outcome.code == 0, "%s", outcome.err);
	outcome_free(&outcome);
	page = read_all(path_to("page-conditions/index.html"));
	check_holds(page, "drive.json is damaged at line 3");
	check_holds(page, "host.json is damaged at line 1");
	free(page);
}
END_TEST

START_TEST(damaged_texts_are_read_or_refused)
{
	char tool[PATH_MAX], line[PATH_MAX + 64];

	tool_path(tool, sizeof(tool), "fuzz_fiojson");
	snprintf(line, sizeof(line), "'%s' 3000 42 >/dev/null", tool);
	ck_assert_int_eq(system(line), 0);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("table, chart, report");
	TCase *tables = tcase_create("table"), *charts = tcase_create("charts");

	tcase_set_timeout(tables, 60);
	tcase_set_timeout(charts, 120);
	tcase_add_test(tables, table_ranks_four_drives);
	tcase_add_test(tables, table_writes_every_format);
	tcase_add_test(tables, table_names_what_is_wrong);
	tcase_add_test(tables, every_command_has_help);
	tcase_add_test(tables, missing_and_damaged_points_are_named);
	tcase_add_test(tables, a_damaged_index_does_not_hide_other_results);
	tcase_add_test(tables, an_unfinished_review_says_so);
	tcase_add_test(tables, files_of_a_review_are_its_points);
	tcase_add_test(tables, repeats_are_told_apart);
	tcase_add_test(tables, damaged_conditions_are_named_and_left_out);
	tcase_add_test(tables, damaged_texts_are_read_or_refused);
	suite_add_tcase(suite, tables);
	if (!has_gnuplot()) {
		puts("skip: charts and report, for gnuplot is not here");
		tcase_add_test(charts, every_command_has_help);
		suite_add_tcase(suite, charts);
		return suite;
	}
	tcase_add_test(charts, charts_can_be_drawn_again);
	tcase_add_test(charts, points_stay_in_offered_order);
	tcase_add_test(charts, names_are_never_run_or_read_as_markup);
	tcase_add_test(charts, drives_with_crosses_alone_stand_in_the_legend);
	tcase_add_test(charts, empty_and_single_charts_are_drawn);
	tcase_add_test(charts, the_page_holds_everything_itself);
	suite_add_tcase(suite, charts);
	return suite;
}

int main(void)
{
	return run_on_reviews(make_suite());
}
