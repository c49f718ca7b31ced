/* SPDX-License-Identifier: GPL-2.0-only */
/* SLC caches from statistics files: figures, reasons, places, and files that are damaged. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postprocess/cache_chart_internal.h"
#include "postprocess/result.h"
#include "tests/unit/suite.h"

static char folder[] = "/tmp/ssdreview-cache.XXXXXX";
static struct result *results[8];
static size_t result_count;
static struct cache_list list;
static struct error err;

static void setup(void)
{
	strcpy(folder, "/tmp/ssdreview-cache.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	result_count = 0;
	list = (struct cache_list){.count = 0};
}

static void teardown(void)
{
	char command[128];
	size_t i;

	caches_free(&list);
	for (i = 0; i < result_count; i++)
		result_free(results[i]);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

/* A drive without runs. */
static struct result *new_drive(const char *name)
{
	struct result *result = result_new(RESULT_FIO, folder);

	ck_assert_ptr_nonnull(result);
	snprintf(result->drive, sizeof(result->drive), "%s", name);
	return results[result_count++] = result;
}

static void write_file(const char *name, const char *text, char *path, size_t room)
{
	FILE *file;

	snprintf(path, room, "%s/%s", folder, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void add_run(struct result *drive, const char *name, const char *text)
{
	char path[256];

	write_file(name, text, path, sizeof(path));
	ck_assert_int_eq(result_add_cache_file(drive, path), 0);
}

static void find(void)
{
	ck_assert_msg(!caches_make(results, result_count, &list, &err), "%s", err.text);
}

/* A window of 1 s with so many MB of writes; reads_us: p99 of its reads, 0: it has none. */
static void put_window(FILE *out, const char *before, double start_s, double mb, double reads_us)
{
	fprintf(out, "%s[%g, 1.0, %.0f, 1000.0, 5000, 9000, %d, 100.0, %.0f, null, false]", before,
		start_s, mb * 1e6, reads_us > 0 ? 10 : 0, reads_us * 1000);
}

/* A probe with 10 s at 1,000 MB/s, then 10 s at 100 MB/s. */
static char *probe_text(const char *head, double reads_us)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	int i;

	fprintf(out,
		"{ %s \"achieved_iops\": 1.0, \"qlc\": { \"mode\": \"probe\", \"partial\": false, "
		"\"cache_bytes\": 10000000000, \"fast_mbps\": 1000.0, \"slow_mbps\": 100.0, "
		"\"sustained_mbps\": null, \"steps\": [ { \"step\": \"probe\", \"bytes\": "
		"11000000000, \"first_window\": 0, \"end_window\": 20, \"idle_s\": 0.0, "
		"\"cliff_met\": true, \"fast_bytes\": 10000000000, \"shape\": \"cliff\", "
		"\"hot_share\": 0.0, \"changes\": [ { \"at_bytes\": 10000000000, \"at_s\": 10.0, "
		"\"before_mbps\": 1000.0, \"after_mbps\": 100.0 } ], \"levels\": [ { "
		"\"from_bytes\": 0, \"bytes\": 10000000000, \"from_s\": 0.0, \"seconds\": 10.0, "
		"\"mbps\": 1000.0 }, { \"from_bytes\": 10000000000, \"bytes\": 1000000000, "
		"\"from_s\": 10.0, \"seconds\": 10.0, \"mbps\": 100.0 } ] } ], "
		"\"window_columns\": [ \"start_s\", \"seconds\", \"bytes\", \"mean_ns\", "
		"\"p99_ns\", \"max_ns\", \"reads\", \"read_mean_ns\", \"read_p99_ns\", "
		"\"temperature_c\", \"hot\" ], \"windows\": [",
		head);
	for (i = 0; i < 20; i++)
		put_window(out, i ? ", " : "", i, i < 10 ? 1000 : 100,
			   i < 10 ? reads_us : 3 * reads_us);
	fputs("] }, \"intervals\": [] }", out);
	fclose(out);
	return text;
}

static void add_probe(struct result *drive, const char *name, const char *head, double reads_us)
{
	char *text = probe_text(head, reads_us);

	add_run(drive, name, text);
	free(text);
}

#define RECOVER                                                                                    \
	"{ \"qlc\": { \"mode\": \"recover\", \"partial\": false, \"cache_bytes\": 10000000000, "   \
	"\"recovery\": [ { \"idle_s\": 1.0, \"regained_bytes\": 1000000000, \"times\": 3 }, { "    \
	"\"idle_s\": 30.0, \"regained_bytes\": 6000000000, \"times\": 3 } ], \"half_time_s\": %s " \
	"} }"

static void add_recover(struct result *drive, const char *name, const char *half_time)
{
	char text[1024];

	snprintf(text, sizeof(text), RECOVER, half_time);
	add_run(drive, name, text);
}

static void add_speed(struct result *drive, const char *mode, const char *mbps, const char *partial)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "{ \"qlc\": { \"mode\": \"%s\", \"partial\": %s, \"sustained_mbps\": %s } }", mode,
		 partial, mbps);
	add_run(drive, mode, text);
}

START_TEST(all_figures_of_a_drive)
{
	struct result *drive = new_drive("A");
	char text[2048];

	add_probe(drive, "probe.json", "", 0);
	add_probe(drive, "mixed.json", "", 200);
	add_recover(drive, "recover.json", "24.2");
	add_speed(drive, "burst", "400.0", "false");
	add_speed(drive, "sustain", "95.0", "false");
	find();
	ck_assert_uint_eq(list.count, 1);
	ck_assert_double_eq(list.caches[0].figures[CACHE_BYTES], 10e9);
	ck_assert_double_eq(list.caches[0].figures[CACHE_INSIDE], 1000e6);
	ck_assert_double_eq(list.caches[0].figures[CACHE_RATIO], 10);
	ck_assert_double_eq(list.caches[0].figures[CACHE_HALF_TIME], 24.2);
	ck_assert_double_eq(list.caches[0].figures[CACHE_BURSTS], 400e6);
	ck_assert_double_eq(list.caches[0].figures[CACHE_PAST], 95e6);
	ck_assert_double_eq_tol(list.caches[0].figures[CACHE_READ_COST], 3, 1e-9);
	ck_assert_str_eq(list.caches[0].marks, "measured");
	cache_sentence(&list.caches[0], text, sizeof(text));
	ck_assert_str_eq(text,
			 "A: the cliff lies at 10.0 GB, where speed falls from 1,000 MB/s to 100 "
			 "MB/s; half of it is back after 24.2 s without I/O; bursts inside it "
			 "reach 400 MB/s on average; past it the drive sustains 95.0 MB/s; the p99 "
			 "of reads there is 3.00 times that inside.");
}
END_TEST

START_TEST(what_is_not_known_has_a_reason)
{
	struct result *drive = new_drive("A");
	const struct cache *cache;
	char text[2048];

	add_probe(drive, "probe.json", "", 0);
	add_recover(drive, "recover.json", "null");
	add_speed(drive, "burst", "null", "true");
	find();
	cache = &list.caches[0];
	cache_figure_text(cache, CACHE_HALF_TIME, text, sizeof(text));
	ck_assert_str_eq(text, "n/a");
	ck_assert_str_eq(cache->why[CACHE_HALF_TIME], "less than half was back after 30.0 s");
	ck_assert_str_eq(cache->why[CACHE_BURSTS], "the run with mode=burst ended too early");
	ck_assert_str_eq(cache->why[CACHE_PAST], "no run with mode=sustain");
	ck_assert_str_eq(cache->why[CACHE_READ_COST], "no run mixes reads in (rwmixread=)");
	ck_assert_str_eq(cache->marks, "measured, burst: partial");
	cache_sentence(cache, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "sustained (no run with mode=sustain)"));
}
END_TEST

#define BUSY  "\"busy_share\": 0.5, \"cpu_wait_share\": 0.2,"
#define QUIET "\"busy_share\": 0.5, \"cpu_wait_share\": null,"

/* A probe that the machine spoilt has no place; what else it spoilt is said where it is shown. */
START_TEST(a_busy_machine_is_said)
{
	struct result *spoilt = new_drive("A");
	const struct cache *cache;
	char text[2048];

	add_probe(spoilt, "probe.json", BUSY, 0);
	add_probe(spoilt, "again.json", BUSY, 0);
	add_probe(spoilt, "mixed.json", BUSY, 200);
	add_speed(spoilt, "sustain", "99", "false");
	find();
	cache = &list.caches[0];
	ck_assert_str_eq(cache->marks, "measured, the CPU was the limit: probe, probe with reads");
	ck_assert_uint_eq(cache->place, 0);
	cache_sentence(cache, text, sizeof(text));
	ck_assert_msg(strstr(text, "the cliff lies at 10.0 GB (the CPU was the limit), where speed "
				   "falls from 1,000 MB/s to 100 MB/s"),
		      "%s", text);
	ck_assert_msg(strstr(text, "3.00 times that inside (the CPU was the limit)"), "%s", text);
	ck_assert_msg(strstr(text, "sustains 99.0 MB/s;"), "%s", text);
}
END_TEST

/* What the machine left alone is taken before what it spoilt. */
START_TEST(a_quiet_run_goes_before_a_spoilt_one)
{
	struct result *drive = new_drive("A");

	add_probe(drive, "probe.json", BUSY, 0);
	add_probe(drive, "again.json", QUIET, 0);
	add_probe(drive, "mixed.json", BUSY, 200);
	add_probe(drive, "mixed2.json", QUIET, 300);
	find();
	ck_assert_uint_eq(list.caches[0].place, 1);
	ck_assert(strstr(list.caches[0].probe->path, "again.json"));
	ck_assert(!list.caches[0].by_machine[CACHE_BYTES]);
	ck_assert(!list.caches[0].by_machine[CACHE_READ_COST]);
	ck_assert_double_eq_tol(list.caches[0].figures[CACHE_READ_COST], 3.0, 1e-9);
}
END_TEST

/* Sizes and times of a drive simulated at a scale become those of the whole drive, speeds stay. */
START_TEST(a_scaled_drive_is_enlarged)
{
	struct result *drive = new_drive("A");

	add_probe(drive, "probe.json",
		  "\"simulated\": true, \"sim\": { \"drive\": \"S\", \"scale\": 100 },", 200);
	find();
	ck_assert_double_eq(list.caches[0].figures[CACHE_BYTES], 1000e9);
	ck_assert_double_eq(list.caches[0].figures[CACHE_INSIDE], 1000e6);
	ck_assert_double_eq(list.caches[0].probe->steps[0].changes[0].at_s, 1000);
	ck_assert_double_eq(list.caches[0].probe->windows[1].start_s, 100);
	ck_assert_double_eq(list.caches[0].probe->windows[1].p99_us, 5);
	ck_assert_double_eq_tol(list.caches[0].figures[CACHE_READ_COST], 3, 1e-9);
	ck_assert_str_eq(list.caches[0].marks, "simulated, scale 100, probed between reads");
}
END_TEST

#define NO_CLIFF                                                                                   \
	"{ \"qlc\": { \"mode\": \"probe\", \"partial\": false, \"cache_bytes\": null, \"steps\": " \
	"[ { \"step\": \"probe\", \"bytes\": 20000000000, \"shape\": \"%s\", \"cliff_met\": "      \
	"false } ] } }"

static const struct cache *of_drive(const char *name)
{
	size_t i;

	for (i = 0; i < list.count; i++)
		if (!strcmp(list.caches[i].result->drive, name))
			return &list.caches[i];
	ck_abort_msg("no drive %s", name);
	return NULL;
}

START_TEST(places_by_size)
{
	static const char *const drives[] = {"A", "B"};
	char text[1024];
	size_t i;

	for (i = 0; i < 2; i++)
		add_probe(new_drive(drives[i]), drives[i], "", 0);
	snprintf(text, sizeof(text), NO_CLIFF, "none");
	add_run(new_drive("None"), "none.json", text);
	snprintf(text, sizeof(text), NO_CLIFF, "periodic");
	add_run(new_drive("Saw"), "saw.json", text);
	find();
	ck_assert_uint_eq(list.count, 4);
	ck_assert_str_eq(list.caches[0].result->drive, "None");
	ck_assert_uint_eq(of_drive("None")->place, 0);
	ck_assert_uint_eq(of_drive("A")->place, 2);
	ck_assert_uint_eq(of_drive("B")->place, 2);
	ck_assert_uint_eq(of_drive("Saw")->place, 0);
	cache_figure_text(of_drive("None"), CACHE_BYTES, text, sizeof(text));
	ck_assert_str_eq(text, "at least 20.0 GB");
	ck_assert_ptr_nonnull(strstr(of_drive("Saw")->why[CACHE_BYTES], "again and again"));
}
END_TEST

/* Rather a probe of writes alone, complete, of an empty drive. */
START_TEST(the_best_probe_counts)
{
	struct result *drive = new_drive("A");
	char text[1024];

	add_probe(drive, "mixed.json", "", 200);
	snprintf(text, sizeof(text), NO_CLIFF, "none");
	add_run(drive, "none.json", text);
	add_probe(drive, "probe.json", "", 0);
	add_speed(drive, "sustain", "95.0", "false");
	find();
	ck_assert_ptr_nonnull(strstr(list.caches[0].probe->path, "/probe.json"));
	ck_assert_str_eq(list.caches[0].marks, "measured");
}
END_TEST

/* However much of a file is left: what it holds is shown, marked, and never more. */
START_TEST(a_file_cut_anywhere)
{
	char *text = probe_text("", 200), path[256];
	size_t bytes = strlen(text), end;

	for (end = 0; end < bytes; end += 3) {
		struct cache_run run;
		char *cut = strndup(text, end);

		write_file("cut.json", cut, path, sizeof(path));
		free(cut);
		if (!cache_run_read(path, &run))
			continue;
		ck_assert(run.partial);
		ck_assert(run.fault[0]);
		ck_assert_uint_le(run.window_count, 20);
		ck_assert(isnan(run.cache_bytes) || run.cache_bytes <= 10e9);
		cache_run_free(&run);
	}
	free(text);
}
END_TEST

START_TEST(strange_values_are_not_known)
{
	struct cache_run run;
	char path[256];

	write_file("x.json",
		   "{ \"qlc\": { \"mode\": 7, \"cache_bytes\": \"big\", \"steps\": { }, "
		   "\"windows\": [ 1, [ 2 ], [ ], { } ], \"recovery\": [ [ ], null ], "
		   "\"steps\": [ { \"first_window\": 3, \"end_window\": 1e300 }, [ ], { "
		   "\"first_window\": -1, \"end_window\": 2 } ] }, \"sim\": { \"scale\": -4 } }",
		   path, sizeof(path));
	ck_assert(cache_run_read(path, &run));
	ck_assert(isnan(run.cache_bytes));
	ck_assert_double_eq(run.scale, 1);
	ck_assert_uint_eq(run.step_count, 3);
	cache_run_free(&run);
	write_file("y.json", "{ \"qlc\": null, \"achieved_iops\": 1 }", path, sizeof(path));
	ck_assert(!cache_run_read(path, &run));
	ck_assert(!is_cache_statistics("/nonexistent"));
}
END_TEST

START_TEST(table_and_records)
{
	struct table table;
	json_t *array = json_array();
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct records csv = {.csv = out}, json = {.array = array};

	add_probe(new_drive("A"), "a.json", "", 0);
	find();
	ck_assert(!cache_table_make(&list, &table));
	ck_assert_str_eq(table.headings[2], "Cache");
	ck_assert_str_eq(table.cells[0][2], "10.0 GB");
	ck_assert_str_eq(table.cells[0][5], "10.0");
	ck_assert_str_eq(table.cells[0][6], "n/a");
	table_free(&table);
	ck_assert(!cache_records(&list, &csv));
	fclose(out);
	ck_assert_ptr_nonnull(
		strstr(text, "\nslc-cache,1,A,10000000000,1000000000,100000000,10,,,,,,measured,"));
	free(text);
	ck_assert(!cache_records(&list, &json));
	ck_assert(json_is_null(json_object_get(json_array_get(array, 0), "half_back_s")));
	json_decref(array);
}
END_TEST

/* Texts of a chart never lie on each other. */
START_TEST(a_plot_keeps_its_texts_apart)
{
	struct terminals none = {.svg = false};
	struct plot plot;
	struct plot_series *line;
	char path[256], *script;
	size_t i, labels = 0;
	const char *at;

	plot_begin(&plot, "p");
	line = plot_add_series(&plot, PLOT_LINE, "it's a drive", "#000000", 0);
	plot_add_point(&plot, line, 0, 1);
	plot_break(&plot, line);
	plot_add_point(&plot, line, 10, 2);
	for (i = 0; i < 9; i++)
		plot_add_text(&plot, 5, 1, "here", "#000000");
	axis_finish_bytes(&plot.x);
	axis_finish_rate(&plot.y, true);
	plot_draw(&plot, &none, folder, NULL);
	plot_free(&plot);
	snprintf(path, sizeof(path), "%s/p.gp", folder);
	ck_assert(!file_read_text(path, &script, &err));
	for (at = script; (at = strstr(at, "set label")); at++)
		labels++;
	ck_assert_uint_eq(labels, 3);
	ck_assert_ptr_nonnull(strstr(script, "'it''s a drive'"));
	free(script);
}
END_TEST

/* A legend says what a run is worth, and explains only what is drawn. */
START_TEST(a_legend_says_what_was_drawn)
{
	struct result *drive = new_drive("A");
	struct plot plot;
	struct pen pen = {.plot = &plot, .colour = "#000000"};
	char text[256];

	add_probe(drive, "probe.json", BUSY, 0);
	add_recover(drive, "recover.json", "null");
	find();
	pen.cache = &list.caches[0];
	ck_assert_str_eq(cache_legend(&pen, pen.cache->probe, text, sizeof(text)),
			 "A, the CPU was the limit");
	plot_begin(&plot, "p");
	draw_recovery(&pen);
	ck_assert(plot_has_points(&plot));
	finish_recovery(&plot);
	ck_assert_str_ne(plot.series[plot.series_count - 1].title, "half of the cache is back");
	plot_free(&plot);
	pen.cache->runs[1].half_time_s = 20;
	plot_begin(&plot, "p");
	draw_recovery(&pen);
	finish_recovery(&plot);
	ck_assert_str_eq(plot.series[plot.series_count - 1].title, "half of the cache is back");
	plot_free(&plot);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("cache");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, all_figures_of_a_drive);
	tcase_add_test(tests, what_is_not_known_has_a_reason);
	tcase_add_test(tests, a_scaled_drive_is_enlarged);
	tcase_add_test(tests, a_busy_machine_is_said);
	tcase_add_test(tests, a_quiet_run_goes_before_a_spoilt_one);
	tcase_add_test(tests, places_by_size);
	tcase_add_test(tests, the_best_probe_counts);
	tcase_add_test(tests, a_file_cut_anywhere);
	tcase_add_test(tests, strange_values_are_not_known);
	tcase_add_test(tests, table_and_records);
	tcase_add_test(tests, a_plot_keeps_its_texts_apart);
	tcase_add_test(tests, a_legend_says_what_was_drawn);
	return run_case("cache", tests);
}
