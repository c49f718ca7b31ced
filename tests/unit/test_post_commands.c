/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands table, chart and report from their arguments to what they print and write, on
 * made-up reviews (tests/tools/make_results.c) and on damaged copies of them.
 */
#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "postprocess/postprocess.h"

#define MAX_WORDS 16

static char folder[] = "/tmp/test_post_commands.XXXXXX";
static char drives[4][PATH_MAX]; /* the made-up reviews */

typedef int command(int argc, char **argv);

/* What a command printed, and its exit code. */
struct outcome {
	int code;
	char *out, *err;
};

static char *path_to(const char *name)
{
	static char paths[8][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	return path;
}

static void tool_path(char *path, size_t room, const char *tool)
{
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[length > 0 ? length : 0] = '\0';
	snprintf(path, room, "%s/../tools/%s", dirname(program), tool);
}

static char *read_all(const char *path)
{
	struct error err;
	char *text;
	size_t bytes;

	ck_assert_msg(!file_read(path, &text, &bytes, &err), "%s", err.text);
	return text;
}

static void redirect(int fd, const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(file, 0);
	dup2(file, fd);
	close(file);
}

/* Runs a command with words up to NULL; its output goes to files meanwhile. */
static struct outcome run(command *what, char **words)
{
	int old_out = dup(STDOUT_FILENO), old_err = dup(STDERR_FILENO), count = 0;
	struct outcome outcome;

	while (words[count])
		count++;
	fflush(stdout);
	redirect(STDOUT_FILENO, path_to("out"));
	redirect(STDERR_FILENO, path_to("err"));
	outcome.code = what(count, words);
	fflush(stdout);
	dup2(old_out, STDOUT_FILENO);
	dup2(old_err, STDERR_FILENO);
	close(old_out);
	close(old_err);
	outcome.out = read_all(path_to("out"));
	outcome.err = read_all(path_to("err"));
	return outcome;
}

#define RUN(what, ...) run(what, (char *[]){__VA_ARGS__, NULL})

static void outcome_free(struct outcome *outcome)
{
	free(outcome->out);
	free(outcome->err);
}

static void check_holds(const char *text, const char *words)
{
	ck_assert_msg(strstr(text, words) != NULL, "\"%s\" is not in:\n%s", words, text);
}

static bool exists(const char *path)
{
	struct stat about;

	return !stat(path, &about) && about.st_size > 0;
}

static bool has_gnuplot(void)
{
	return system("gnuplot --version >/dev/null 2>&1") == 0;
}

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
	check_holds(outcome.err, "unknown option \"fromat\"; did you mean \"format\"?");
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

static void remove_in(const char *review, const char *file)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", review, file);
	ck_assert_int_eq(unlink(path), 0);
}

static void write_in(const char *review, const char *file, const char *text)
{
	char path[PATH_MAX + 64];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", review, file);
	out = fopen(path, "w");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}

static void copy_review(const char *from, const char *to)
{
	char line[2 * PATH_MAX + 32];

	snprintf(line, sizeof(line), "cp -r '%s' '%s'", from, to);
	ck_assert_int_eq(system(line), 0);
}

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

/* ---- bare fio files ----------------------------------------------------------------------- */

/* The curve our job files write: one section a step. */
static void put_curve(const char *name, double scale)
{
	static const char *const steps[] = {"max", "050", "100", "120"};
	static const double rates[] = {1, 0.5, 1, 0.8};
	char text[8192];
	size_t used = (size_t)sprintf(text, "{\"fio version\":\"fio-3.33\",\"jobs\":["), i;

	for (i = 0; i < 4; i++)
		used += (size_t)sprintf(
			text + used,
			"%s{\"jobname\":\"%s\",\"job options\":{\"rw\":\"randread\",\"bs\":"
			"\"4096\",\"iodepth\":\"128\"},\"read\":{\"iops\":%f,\"total_ios\":%.0f,"
			"\"io_bytes\":%.0f,\"io_kbytes\":1,\"bw_bytes\":%f,\"runtime\":30000,"
			"\"clat_ns\":{\"mean\":%zu00000,\"max\":9999999,\"stddev\":1}}}",
			i ? "," : "", steps[i], rates[i] * scale, rates[i] * scale * 30,
			rates[i] * scale * 30 * 4096, rates[i] * scale * 4096, i + 3);
	strcpy(text + used, "]}");
	write_in(folder, name, text);
}

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

	snprintf(text, sizeof(text),
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

/* One point "100" by our engine, with statistics in a file of that name. */
static void put_judged(const char *output, const char *stats, double cpu_wait)
{
	char text[2048];

	snprintf(text, sizeof(text),
		 "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"100\",\"job options\":{"
		 "\"ioengine\":\"external:build/openloop.so\",\"bs\":\"4k\",\"rw\":\"randread\","
		 "\"stats_file\":\"%s\"},\"read\":{\"iops\":1000,\"total_ios\":1000,\"io_bytes\":"
		 "4096000,\"io_kbytes\":4000,\"clat_ns\":{\"mean\":90000,\"max\":99000,\"stddev\":1}"
		 "}}]}",
		 stats);
	write_in(folder, output, text);
	snprintf(text, sizeof(text),
		 "{\"version\":1,\"job\":\"100\",\"clone\":1,\"clones\":1,\"nominal_iops\":1000,"
		 "\"offered\":1000,\"offered_iops\":1000,\"achieved\":1000,\"achieved_iops\":1000,"
		 "\"unsent\":{\"count\":0},\"lateness_free_slot\":{\"count\":9,\"p99_ns\":9},"
		 "\"lateness_at_limit\":{\"count\":0},\"busy_share\":0.1,\"cpu_wait_share\":%f}",
		 cpu_wait);
	write_in(folder, "judged.stats.json", text);
}

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
	check_holds(outcome.out, "\n\n1 of 1 points were left out because the machine was busy: close "
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
	check_holds(text, "1 of 1 points were left out because the machine was busy");
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

	write_in(drives[0], "drive.json", "{\"model\":\"X<1>\",\"size_bytes\":2000000000000}");
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
	check_holds(page, "place 1 of 3, level with Made-up QLC 2TB, ahead of Made-up QLC 1TB");
	ck_assert_ptr_null(strstr(page, "<img"));
	ck_assert_ptr_null(strstr(page, "src="));
	ck_assert_ptr_null(strstr(page, "<link"));
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
	tcase_add_test(tables, published_figures_that_fit_nowhere_are_told);
	tcase_add_test(tables, statistics_are_found_beside_the_output);
	tcase_add_test(tables, a_busy_machine_comes_first);
	tcase_add_test(tables, every_shipped_job_writes_statistics);
	tcase_add_test(tables, a_bare_curve_is_a_curve);
	tcase_add_test(tables, rows_are_named_by_what_was_asked);
	tcase_add_test(tables, other_jobs_become_rows);
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

/* The made-up reviews; false when the tool that makes them is missing or fails. */
static bool make_reviews(void)
{
	char tool[PATH_MAX], line[2 * PATH_MAX];
	size_t i;

	tool_path(tool, sizeof(tool), "make_results");
	snprintf(line, sizeof(line), "'%s' '%s'", tool, folder);
	for (i = 0; i < 4; i++)
		snprintf(drives[i], sizeof(drives[i]), "%s/drive-%zu", folder, i + 1);
	return system(line) == 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
	(void)about;
	(void)kind;
	(void)where;
	return remove(path);
}

int main(void)
{
	SRunner *runner;
	int failed;

	if (!mkdtemp(folder) || !make_reviews())
		return 1;
	runner = srunner_create(make_suite());
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return failed ? 1 : 0;
}
