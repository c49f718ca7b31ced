/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every sample of fio's output against the figures of the samples' own list. The samples are no
 * part of the repository: SSDREVIEW_SAMPLES names their folder, and without them all is skipped.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postprocess/fiojson.h"
#include "tests/unit/suite.h"

#define MAX_CELLS 16

static const char *samples_folder(void)
{
	const char *named = getenv("SSDREVIEW_SAMPLES");

	return named ? named : "../shared";
}

static void sample_path(char *path, size_t room, const char *file)
{
	static const char *const folders[] = {"", "json/", "embedded/"};
	size_t i;

	for (i = 0; i < 3; i++) {
		snprintf(path, room, "%s/samples/%s%s", samples_folder(), folders[i], file);
		if (!access(path, R_OK))
			return;
	}
}

/* Splits a table line at its bars in place; the number of cells. */
static size_t split(char *line, char **cells)
{
	size_t count = 0;
	char *cell, *save = NULL;

	for (cell = strtok_r(line, "|", &save); cell && count < MAX_CELLS;
	     cell = strtok_r(NULL, "|", &save)) {
		cell += strspn(cell, " ");
		while (*cell && cell[strlen(cell) - 1] == ' ')
			cell[strlen(cell) - 1] = '\0';
		cells[count++] = cell;
	}
	return count;
}

static void check_number(const char *wanted, double found, double tolerance, const char *what)
{
	if (!strcmp(wanted, "-") || !strcmp(wanted, "0.000"))
		ck_assert_msg(isnan(found), "%s: %s wanted, %f found", what, wanted, found);
	else
		ck_assert_msg(fabs(atof(wanted) - found) <= tolerance, "%s: %s wanted, %f found",
			      what, wanted, found);
}

static enum fio_direction direction_of(const char *word)
{
	static const char *const words[] = {"read", "write", "trim", "mixed"};
	int i;

	for (i = 0; i < FIO_DIRECTIONS; i++)
		if (!strcmp(words[i], word))
			return (enum fio_direction)i;
	ck_abort_msg("direction %s", word);
}

/* cells: index:job, direction, IOPS, bytes/s, mean lat, p99 */
static void check_row(const char *file, char **cells, const char *bytes)
{
	struct fio_output output;
	struct error err;
	char path[1024], what[1200];
	const struct fio_job *job;
	const struct fio_row *row;

	sample_path(path, sizeof(path), file);
	snprintf(what, sizeof(what), "%s %s %s", file, cells[0], cells[1]);
	ck_assert_msg(!fio_output_read(path, &output, &err), "%s", err.text);
	ck_assert_msg((size_t)atoi(cells[0]) < output.job_count, "%s: jobs missing", what);
	job = &output.jobs[atoi(cells[0])];
	row = &job->rows[direction_of(cells[1])];
	ck_assert(row->present);
	check_number(cells[2], row->iops, 0.00051, what);
	check_number(cells[3], row->bytes_per_s, 0.5, what);
	check_number(cells[4], row->lat.summary.mean_us, 0.00051, what);
	check_number(cells[5], row->clat.summary.p99_us, 0.00051, what);
	ck_assert_msg(row->bytes == strtoull(bytes, NULL, 10), "%s: %lu bytes", what, row->bytes);
	fio_output_free(&output);
}

static bool is_figure(const char *cell)
{
	return strspn(cell, "0123456789") > 0 && strchr(cell, ':') != NULL;
}

/* Rows of earlier documents and of the sum over clients are not what the reader returns. */
static bool is_other_row(const char *note, const char *job)
{
	int document, documents;

	if (strstr(job, "All clients"))
		return true;
	return sscanf(note, "doc %d/%d", &document, &documents) == 2 && document < documents;
}

static unsigned check_line(char *line)
{
	char *cells[MAX_CELLS] = {0};
	size_t count = split(line, cells);
	const char *note;

	if (count >= 10 && is_figure(cells[2])) {
		note = count > 10 ? cells[10] : "";
		if (is_other_row(note, cells[2]))
			return 0;
		check_row(cells[0], cells + 2, cells[9]);
		return 1;
	}
	if (count >= 8 && is_figure(cells[1]) && !strncmp(cells[0], "local/", 6)) {
		note = count > 8 ? cells[8] : "";
		if (strstr(cells[0], "/logs/") || is_other_row(note, cells[1]))
			return 0;
		check_row(cells[0], cells + 1, cells[7]);
		return 1;
	}
	return 0;
}

START_TEST(every_sample_gives_its_figures)
{
	char path[1024], *text, *line, *save = NULL;
	struct error err;
	size_t bytes;
	unsigned rows = 0;

	snprintf(path, sizeof(path), "%s/samples/MANIFEST.md", samples_folder());
	ck_assert_msg(!file_read(path, &text, &bytes, &err), "%s", err.text);
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		rows += check_line(line);
	free(text);
	printf("%u rows of samples compared\n", rows);
	ck_assert_uint_gt(rows, 100);
}
END_TEST

static struct fio_output read_sample(const char *file)
{
	struct fio_output output;
	struct error err;
	char path[1024];

	sample_path(path, sizeof(path), file);
	ck_assert_msg(!fio_output_read(path, &output, &err), "%s", err.text);
	return output;
}

START_TEST(raw_control_bytes_in_names_are_made_visible)
{
	struct fio_output output = read_sample("local/LOCAL_fio-3.33_jobname_raw_tab_INVALID.json");

	ck_assert_str_eq(output.jobs[0].name, "t\\tab");
	fio_output_free(&output);
	output = read_sample("local/LOCAL_fio-3.33_jobname_raw_newline_INVALID.json");
	ck_assert_ptr_nonnull(strstr(output.jobs[0].name, "\\n"));
	fio_output_free(&output);
}
END_TEST

START_TEST(a_stopped_run_is_known_as_stopped)
{
	struct fio_output output = read_sample("local/LOCAL_fio-3.33_sigint_preamble.json");

	ck_assert(output.stopped);
	fio_output_free(&output);
	output = read_sample("local/LOCAL_fio-3.33_sigterm_preamble.json");
	ck_assert(output.stopped);
	fio_output_free(&output);
}
END_TEST

START_TEST(an_empty_file_is_named)
{
	struct fio_output output;
	struct error err;
	char path[1024];

	sample_path(path, sizeof(path), "local/LOCAL_fio-3.33_sigkill_empty.json");
	ck_assert_int_eq(fio_output_read(path, &output, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is empty"));
}
END_TEST

START_TEST(attained_on_a_dead_drive_is_not_steady)
{
	struct fio_output output =
		read_sample("local/LOCAL_fio-3.33_steadystate_nan_attained1.json");

	ck_assert_int_eq(output.jobs[0].steady, FIO_STEADY_NO);
	fio_output_free(&output);
	output = read_sample("local/LOCAL_fio-3.33_steadystate_attained.json");
	ck_assert_int_eq(output.jobs[0].steady, FIO_STEADY_YES);
	fio_output_free(&output);
}
END_TEST

START_TEST(global_options_of_two_servers_are_kept_apart)
{
	struct fio_output output = read_sample(
		"local/LOCAL_fio-3.42_client_2servers_jsonplus_globaloptions_list.json");

	ck_assert_uint_eq(output.global_count, 2);
	ck_assert_uint_eq(output.job_count, 4);
	ck_assert_str_eq(fio_option(&output, &output.jobs[0], "rw"), "randrw");
	ck_assert_str_eq(fio_option(&output, &output.jobs[0], "time_based"), "");
	fio_output_free(&output);
}
END_TEST

START_TEST(a_name_cut_by_fio_is_taken_from_the_options)
{
	struct fio_output output = read_sample("fioanalyzer_fio-3.40_readwrite.json");

	ck_assert_uint_gt(strlen(output.jobs[0].name), 127);
	fio_output_free(&output);
}
END_TEST

START_TEST(jobs_of_the_same_name_stay_apart)
{
	struct fio_output output =
		read_sample("local/LOCAL_fio-3.33_two_jobnames_truncated_127_identical.json");

	ck_assert_uint_eq(output.job_count, 2);
	fio_output_free(&output);
	output = read_sample("pbench_fio-3.19_8jobs.txt");
	ck_assert_uint_eq(output.job_count, 8);
	fio_output_free(&output);
}
END_TEST

int main(void)
{
	char path[1024];
	TCase *tests;

	snprintf(path, sizeof(path), "%s/samples/MANIFEST.md", samples_folder());
	if (access(path, R_OK)) {
		printf("skip: no samples at %s\n", path);
		return 77;
	}
	tests = tcase_create("samples");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, every_sample_gives_its_figures);
	tcase_add_test(tests, raw_control_bytes_in_names_are_made_visible);
	tcase_add_test(tests, a_stopped_run_is_known_as_stopped);
	tcase_add_test(tests, an_empty_file_is_named);
	tcase_add_test(tests, attained_on_a_dead_drive_is_not_steady);
	tcase_add_test(tests, global_options_of_two_servers_are_kept_apart);
	tcase_add_test(tests, a_name_cut_by_fio_is_taken_from_the_options);
	tcase_add_test(tests, jobs_of_the_same_name_stay_apart);
	return run_case("samples of fio output", tests);
}
