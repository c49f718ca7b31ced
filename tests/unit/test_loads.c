/* SPDX-License-Identifier: GPL-2.0-only */
/* Loads of rounds as matrices and lines: averages over the window, what idles, what is missing. */
#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postprocess/loads.h"
#include "postprocess/postprocess.h"
#include "tests/unit/suite.h"

#define PATH "test-loads.json"

static struct result result = {.kind = RESULT_REVIEW, .drive = "A", .protocol = "snia-pts"};
static struct load_list list;
static struct error err;

/* ---- a file of rounds ------------------------------------------------------------------------ */

static json_t *load(const char *name, int block, int read_percent, int random, double work_s,
		    double idle_s)
{
	return json_pack("{s:s, s:i, s:i, s:b, s:f, s:f}", "load", name, "block_bytes", block,
			 "read_percent", read_percent, "random", random, "work_s", work_s, "idle_s",
			 idle_s);
}

static json_t *new_root(const char *until, int threads, int queue, json_t *loads)
{
	return json_pack("{s:s, s:s, s:i, s:i, s:{s:s}, s:o, s:[], s:[], s:n, s:[{s:s, s:i}]}",
			 "row", "iops", "title", "IOPS test", "threads", threads, "queue", queue,
			 "rule", "until", until, "loads", loads, "rounds", "samples", "steady",
			 "left_out", "load", "r0-512", "block_bytes", 512);
}

/* A round in which the k-th load has (k + 1) times so many IOPS; us of latency are the round's. */
static void add_round(json_t *root, double iops, double us)
{
	json_t *loads = json_array(), *load;
	double factor = 1;
	size_t i;

	json_array_foreach(json_object_get(root, "loads"), i, load)
	{
		double rate = iops * factor++;

		json_array_append_new(loads,
				      json_pack("{s:O, s:{s:f, s:f, s:f, s:f}, s:f}", "load",
						json_object_get(load, "load"), "both", "iops", rate,
						"bytes_per_s", rate * 1000, "mean_ns", us * 1000,
						"max_ns", us * 9000, "p99_999_ns", us * 5000));
	}
	json_array_append_new(json_object_get(root, "rounds"), json_pack("{s:o}", "loads", loads));
}

static void judge(json_t *root, int first, int last)
{
	json_t *rounds = json_array();

	for (; first <= last; first++)
		json_array_append_new(rounds, json_integer(first));
	json_object_set_new(root, "steady", json_pack("{s:[{s:o}]}", "track", "rounds", rounds));
}

static void read_back(json_t *root)
{
	ck_assert_int_eq(json_dump_file(root, PATH, 0), 0);
	json_decref(root);
	ck_assert_msg(!loads_read(PATH, &list, &err), "%s", err.text);
	unlink(PATH);
	list.result = &result;
	strcpy(list.row, "iops");
}

static json_t *matrix_root(int threads, int queue)
{
	json_t *loads = json_array();

	json_array_append_new(loads, load("r100-4k", 4096, 100, 1, 0, 0));
	json_array_append_new(loads, load("r100-1m", 1048576, 100, 1, 0, 0));
	json_array_append_new(loads, load("r65-4k", 4096, 65, 1, 0, 0));
	json_array_append_new(loads, load("r65-1m", 1048576, 65, 1, 0, 0));
	json_array_append_new(loads, load("r0-4k", 4096, 0, 1, 0, 0));
	return new_root("steady", threads, queue, loads);
}

static char *table_text(size_t number)
{
	struct load_headings headings;
	struct table table;
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_int_eq(loads_table_make(&list, number, &headings, &table), 0);
	table_write(&table, FORMAT_TERM, out);
	table_free(&table);
	fclose(out);
	return text;
}

static void table_has(size_t number, const char *words)
{
	char *text = table_text(number);

	ck_assert_msg(strstr(text, words) != NULL, "no \"%s\" in:\n%s", words, text);
	free(text);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Rounds 2 to 4 count: (2000 + 3000 + 7000) / 3 of the first load; the largest maximum. */
START_TEST(a_matrix_averages_its_window)
{
	json_t *root = matrix_root(4, 16);
	struct load_matrix matrix;
	char text[640];

	add_round(root, 100000, 1);
	add_round(root, 2000, 20);
	add_round(root, 3000, 90);
	add_round(root, 7000, 40);
	judge(root, 2, 4);
	read_back(root);
	ck_assert_uint_eq(list.first, 2);
	ck_assert(loads_matrix(&list, &matrix));
	ck_assert_uint_eq(matrix.block_count, 2);
	ck_assert_uint_eq(matrix.percent_count, 3);
	ck_assert_double_eq(matrix.percents[0], 0);
	ck_assert_double_eq(matrix.cells[0][2]->over_window.values[LOAD_IOPS], 4000);
	ck_assert_double_eq(matrix.cells[1][1]->over_window.values[LOAD_IOPS], 16000);
	ck_assert_double_eq(matrix.cells[0][0]->over_window.values[LOAD_MEAN], 50);
	ck_assert_double_eq(matrix.cells[0][0]->over_window.values[LOAD_TAIL], 250);
	ck_assert_double_eq(matrix.cells[0][0]->over_window.values[LOAD_MAX], 810);
	ck_assert_ptr_null(matrix.cells[1][0]);
	ck_assert_uint_eq(loads_tables(&list), 1);
	table_has(0, "IOPS test, 4T/16Q: A, IOPS (snia-pts)");
	table_has(0, "4 KiB            20,000  12,000  4,000");
	table_has(0, "1 MiB                 -  16,000  8,000");
	loads_sentence(&list, text, sizeof(text));
	ck_assert_str_eq(text,
			 "A: averages of rounds 2 to 4, maxima the largest of these. Left out, for "
			 "the drive has no blocks as small: r0-512.");
	ck_assert_uint_eq(loads_charts(&list), 3);
	loads_free(&list);
}
END_TEST

/* A load of a round, which the machine held back. */
static void spoil(json_t *root, size_t round, size_t load)
{
	json_t *rounds = json_object_get(root, "rounds");
	json_t *loads = json_object_get(json_array_get(rounds, round - 1), "loads");

	json_object_set_new(json_array_get(loads, load), "machine",
			    json_string("the CPU was the limit"));
}

/* Rounds that do not count are in no average; where none counts, they stand in brackets. */
START_TEST(what_is_invalid_is_left_out)
{
	json_t *root = matrix_root(4, 16);
	char text[LOADS_SENTENCE];

	add_round(root, 2000, 20);
	add_round(root, 3000, 90);
	add_round(root, 7000, 40);
	spoil(root, 2, 0);
	spoil(root, 1, 3);
	spoil(root, 2, 3);
	spoil(root, 3, 3);
	judge(root, 1, 3);
	read_back(root);
	ck_assert_double_eq(list.loads[0].over_window.values[LOAD_IOPS], 4500);
	ck_assert_double_eq(list.loads[0].over_window.values[LOAD_MAX], 360);
	ck_assert(isnan(list.loads[0].left_out.values[LOAD_IOPS]));
	ck_assert(isnan(list.loads[3].over_window.values[LOAD_IOPS]));
	ck_assert_double_eq(list.loads[3].left_out.values[LOAD_IOPS], 16000);
	table_has(0, "4 KiB            20,000    12,000  4,500");
	table_has(0, "1 MiB                 -  (16,000)  8,000");
	loads_sentence(&list, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "Invalid, and in brackets where no other round counts: "
					   "r100-4k (1 of 3 rounds), r65-1m (3 of 3): the CPU was "
					   "the limit. "));
	loads_free(&list);
}
END_TEST

/* It ended, though no window of it could be judged: its last rounds are shown, and said to be. */
START_TEST(an_end_without_a_window)
{
	json_t *root = matrix_root(4, 16);
	char text[LOADS_SENTENCE];

	add_round(root, 9000, 20);
	add_round(root, 2000, 20);
	add_round(root, 4000, 20);
	json_object_set_new(json_object_get(root, "rule"), "window", json_integer(2));
	json_object_set_new(
		root, "steady",
		json_pack("{s:[{s:[]}], s:s}", "track", "rounds", "text", "Not steady."));
	read_back(root);
	table_has(0, "3,000");
	loads_sentence(&list, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "A: averages of rounds 2 to 3, the last ones, of which "
					   "no window could be judged, maxima"));
	loads_free(&list);
}
END_TEST

START_TEST(one_in_flight_tells_of_latency)
{
	json_t *root = matrix_root(1, 1);

	add_round(root, 1000, 10);
	judge(root, 1, 1);
	read_back(root);
	ck_assert_uint_eq(loads_tables(&list), 3);
	table_has(0, "average latency");
	table_has(0, "10.0 us");
	table_has(1, "50.0 us");
	table_has(2, "90.0 us");
	loads_free(&list);
}
END_TEST

START_TEST(no_window_yet)
{
	json_t *root = matrix_root(4, 16);
	char text[640];

	add_round(root, 1000, 10);
	read_back(root);
	ck_assert_uint_eq(list.first, 0);
	table_has(0, "-");
	loads_sentence(&list, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "no window of rounds yet"));
	ck_assert_uint_eq(loads_charts(&list), 0);
	loads_free(&list);
}
END_TEST

/* A window beyond the rounds, or backwards, is none. */
START_TEST(windows_that_cannot_be)
{
	static const int windows[][2] = {{1, 9}, {0, 1}, {-3, 1}};
	size_t i;

	for (i = 0; i < COUNT(windows); i++) {
		json_t *root = matrix_root(4, 16);

		add_round(root, 1000, 10);
		judge(root, windows[i][0], windows[i][1]);
		read_back(root);
		ck_assert_uint_eq(list.first, 0);
		loads_free(&list);
	}
}
END_TEST

START_TEST(the_same_cell_twice_is_no_matrix)
{
	json_t *root = matrix_root(4, 16);
	struct load_matrix matrix;

	json_array_append_new(json_object_get(root, "loads"), load("again", 4096, 65, 1, 0, 0));
	add_round(root, 1000, 10);
	judge(root, 1, 1);
	read_back(root);
	ck_assert(!loads_matrix(&list, &matrix));
	table_has(0, "again");
	loads_free(&list);
}
END_TEST

START_TEST(sequential_loads_are_lines)
{
	json_t *loads = json_array(), *root;

	json_array_append_new(loads, load("read", 131072, 100, 0, 0, 0));
	json_array_append_new(loads, load("write", 131072, 0, 0, 0, 0));
	root = new_root("steady", 1, 32, loads);
	add_round(root, 2000000, 10);
	judge(root, 1, 1);
	read_back(root);
	ck_assert_int_eq(loads_main_value(&list), LOAD_BYTES);
	table_has(0, "read   128 KiB  100 %  2,000,000  2,000 MB/s");
	loads_free(&list);
}
END_TEST

/* 5 s of 15 s at work: three times the rate of all its time. */
START_TEST(a_sequence_that_idles)
{
	json_t *loads = json_array(), *root;

	json_array_append_new(loads, load("base", 4096, 0, 1, 0, 0));
	json_array_append_new(loads, load("idle-10s", 4096, 0, 1, 5, 10));
	root = new_root("sequence", 1, 64, loads);
	add_round(root, 1000, 10);
	json_array_append_new(json_object_get(root, "samples"),
			      json_pack("{s:s, s:f, s:f, s:{s:f, s:f, s:f}}", "load", "idle-10s",
					"start_s", 15.0, "seconds", 15.0, "both", "iops", 2000.0,
					"mean_ns", 9000.0, "max_ns", 10000.0));
	json_array_append_new(json_object_get(root, "samples"),
			      json_pack("{s:s, s:f, s:f, s:n}", "load", "idle-10s", "start_s", 30.0,
					"seconds", 15.0, "both"));
	read_back(root);
	ck_assert(list.is_sequence);
	ck_assert_double_eq_tol(list.loads[1].over_window.values[LOAD_IOPS], 6000, 1e-6);
	ck_assert_double_eq_tol(list.loads[0].over_window.values[LOAD_IOPS], 1000, 1e-6);
	ck_assert_uint_eq(list.sample_count, 2);
	ck_assert_double_eq_tol(list.samples[0].iops, 6000, 1e-6);
	ck_assert_double_eq(list.samples[1].iops, 0);
	table_has(0, "10 s of 15 s");
	ck_assert_uint_eq(loads_charts(&list), 2);
	loads_free(&list);
}
END_TEST

START_TEST(what_is_no_list)
{
	json_t *loads = json_array();

	json_array_append_new(loads, load("alone", 4096, 0, 1, 0, 0));
	read_back(new_root("steady", 4, 16, loads));
	ck_assert_uint_eq(list.count, 0);
	ck_assert_int_eq(loads_read("no-such-file", &list, &err), -1);
	ck_assert_int_eq(file_write_atomic(PATH, "{\"loads\": 3, \"rounds\": 4}", 25, &err), 0);
	ck_assert_int_eq(loads_read(PATH, &list, &err), 0);
	ck_assert_uint_eq(list.count, 0);
	unlink(PATH);
}
END_TEST

START_TEST(records)
{
	json_t *root = matrix_root(4, 16), *array = json_array();
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	struct records csv = {.csv = out}, json = {.array = array};

	add_round(root, 1000, 10);
	judge(root, 1, 1);
	read_back(root);
	ck_assert_int_eq(loads_records(&list, 1, &json), 0);
	ck_assert_uint_eq(json_array_size(array), 5);
	ck_assert_double_eq(json_number_value(json_object_get(json_array_get(array, 3), "iops")),
			    4000);
	ck_assert_int_eq(loads_records(&list, 1, &csv), 0);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text, "iops,snia-pts,A,r65-1m,1048576,65,4000,"));
	free(text);
	json_decref(array);
	loads_free(&list);
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("all");

	tcase_add_test(all, a_matrix_averages_its_window);
	tcase_add_test(all, what_is_invalid_is_left_out);
	tcase_add_test(all, an_end_without_a_window);
	tcase_add_test(all, one_in_flight_tells_of_latency);
	tcase_add_test(all, no_window_yet);
	tcase_add_test(all, windows_that_cannot_be);
	tcase_add_test(all, the_same_cell_twice_is_no_matrix);
	tcase_add_test(all, sequential_loads_are_lines);
	tcase_add_test(all, a_sequence_that_idles);
	tcase_add_test(all, what_is_no_list);
	tcase_add_test(all, records);
	return run_case("loads", all);
}
