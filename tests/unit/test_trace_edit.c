/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces made of traces: cut, merged, exported, and imported again. */
#include "tests/unit/suite.h"
#include "trace_fixture.h"

#define SAMPLES 5000

/* Cuts the samples and opens what is left. */
static struct trace *cut_samples(const struct trace_cut *cut)
{
	struct trace *trace;

	write_samples(below("a.vdt"), true, SAMPLES);
	trace = open_trace(below("a.vdt"));
	ck_assert_msg(!trace_cut(trace, cut, below("b.vdt"), &err), "%s", err.text);
	trace_close(trace);
	return open_trace(below("b.vdt"));
}

START_TEST(nothing_asked_keeps_all)
{
	struct trace_cut cut = {0};
	struct trace *trace = cut_samples(&cut);

	ck_assert_uint_eq(trace_header(trace)->records, SAMPLES);
	ck_assert_uint_eq(trace_header(trace)->start_ns, 5000000000ULL);
	ck_assert_uint_eq(trace_header(trace)->phases, 2);
	ck_assert_str_eq(trace_header(trace)->provenance.source, "capture.csv");
	ck_assert_uint_eq(trace_stream(trace, 0)->size_bytes, 1ULL << 40);
	trace_close(trace);
}
END_TEST

START_TEST(a_window_begins_and_ends)
{
	struct trace_cut cut = {.from_ns = 1000 * 1000, .to_ns = 3000 * 1000};
	struct trace *trace = cut_samples(&cut);
	struct trace_cursor cursor;
	struct trace_record record;

	ck_assert_uint_eq(trace_header(trace)->records, 2000);
	ck_assert_uint_eq(trace_header(trace)->duration_ns, 1999 * 1000);
	trace_cursor_open(trace, &cursor);
	ck_assert_int_eq(trace_next(&cursor, &record), 1);
	ck_assert_uint_eq(record.offset, sample(1000).offset);
	trace_cursor_close(&cursor);
	/* The phase that went on when the window opened begins with it. */
	ck_assert_str_eq(trace_phase(trace, 0)->name, "boot");
	ck_assert_uint_eq(trace_phase(trace, 0)->start_ns, 0);
	ck_assert_uint_eq(trace_phase(trace, 1)->start_ns, 1000 * 1000);
	trace_close(trace);
}
END_TEST

START_TEST(a_phase_is_a_window)
{
	struct trace_cut cut = {.phase = "login", .from_ns = 500 * 1000};
	struct trace *trace = cut_samples(&cut);

	ck_assert_uint_eq(trace_header(trace)->records, SAMPLES - 2500);
	ck_assert_uint_eq(trace_header(trace)->phases, 1);
	ck_assert_str_eq(trace_phase(trace, 0)->name, "login");
	trace_close(trace);
}
END_TEST

START_TEST(a_stream_stays_alone)
{
	static const char *const streams[] = {"sdb"};
	struct trace_cut cut = {.streams = streams, .stream_count = 1};
	struct trace *trace = cut_samples(&cut);

	ck_assert_uint_eq(trace_header(trace)->streams, 1);
	ck_assert_str_eq(trace_stream(trace, 0)->name, "sdb");
	ck_assert_uint_eq(trace_header(trace)->records, SAMPLES / 2);
	trace_close(trace);
}
END_TEST

START_TEST(a_range_of_addresses)
{
	uint64_t wanted = sample(7).offset;
	struct trace_cut cut = {.from_byte = wanted, .to_byte = wanted + 4096};
	struct trace *trace = cut_samples(&cut);
	struct trace_cursor cursor;
	struct trace_record record;

	trace_cursor_open(trace, &cursor);
	while (trace_next(&cursor, &record) > 0)
		ck_assert_uint_eq(record.offset, wanted);
	trace_cursor_close(&cursor);
	trace_close(trace);
}
END_TEST

START_TEST(a_cut_that_keeps_nothing_writes_nothing)
{
	static const char *const streams[] = {"sdz"};
	struct trace_cut late = {.from_ns = NS_PER_SEC}, unknown = {.phase = "logoff"};
	struct trace_cut stream = {.streams = streams, .stream_count = 1};
	struct trace *trace;

	write_samples(below("a.vdt"), true, SAMPLES);
	trace = open_trace(below("a.vdt"));
	ck_assert(trace_cut(trace, &late, below("b.vdt"), &err));
	ck_assert_ptr_nonnull(strstr(err.text, "no record"));
	ck_assert(trace_cut(trace, &unknown, below("b.vdt"), &err));
	ck_assert_ptr_nonnull(strstr(err.text, "unknown phase \"logoff\""));
	ck_assert(trace_cut(trace, &stream, below("b.vdt"), &err));
	ck_assert_ptr_nonnull(strstr(err.text, "unknown stream \"sdz\""));
	trace_close(trace);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(merged_traces_stand_side_by_side)
{
	struct trace *traces[2], *merged;
	struct trace_cursor cursor;
	struct trace_record record;
	uint64_t i;

	write_samples(below("a.vdt"), true, SAMPLES);
	traces[0] = traces[1] = open_trace(below("a.vdt"));
	ck_assert_msg(!trace_merge(traces, 2, false, below("b.vdt"), &err), "%s", err.text);
	trace_close(traces[0]);
	merged = open_trace(below("b.vdt"));
	ck_assert_msg(!trace_verify(merged, &err), "%s", err.text);
	ck_assert_uint_eq(trace_header(merged)->streams, 4);
	ck_assert_str_eq(trace_stream(merged, 0)->name, "sda.1");
	ck_assert_str_eq(trace_stream(merged, 3)->name, "sdb.2");
	trace_cursor_open(merged, &cursor);
	for (i = 0; i < 2 * SAMPLES; i++) {
		ck_assert_int_eq(trace_next(&cursor, &record), 1);
		ck_assert_uint_eq(record.time_ns, i / 2 * 1000);
		ck_assert_uint_eq(record.stream, sample(i / 2).stream + 2 * (i % 2));
	}
	trace_cursor_close(&cursor);
	trace_close(merged);
}
END_TEST

START_TEST(a_merge_by_clock_needs_one)
{
	struct trace *traces[1];

	write_samples(below("a.vdt"), true, SAMPLES);
	traces[0] = open_trace(below("a.vdt"));
	ck_assert(trace_merge(traces, 1, true, below("b.vdt"), &err));
	ck_assert_ptr_nonnull(strstr(err.text, "no time of day"));
	trace_close(traces[0]);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

/* A trace of one record of every kind. */
static struct trace *all_kinds(void)
{
	static const struct trace_record records[] = {
		{.time_ns = 0, .offset = 4096, .length = 8192, .op = TRACE_READ},
		{.time_ns = 1500,
		 .offset = 512,
		 .length = 512,
		 .op = TRACE_WRITE,
		 .flags = TRACE_PREFLUSH | TRACE_FUA},
		{.time_ns = 2000,
		 .offset = 1000,
		 .length = 24,
		 .op = TRACE_WRITE,
		 .flags = TRACE_SYNC,
		 .stream = 1},
		{.time_ns = 3000, .offset = 0, .length = 5ULL << 30, .op = TRACE_TRIM},
		{.time_ns = 4000, .op = TRACE_FLUSH, .flags = TRACE_SYNC},
		{.time_ns = 5000, .offset = 8192, .length = 4096, .op = TRACE_WRITE_ZEROES},
		{.time_ns = 6000, .offset = 8192, .op = TRACE_READ},
	};
	struct trace_writer *writer;
	struct trace_writer_options options = {.compress = true};
	size_t i;

	ck_assert(!trace_writer_open(below("a.vdt"), &options, &writer, &err));
	ck_assert_int_eq(trace_writer_stream(writer, "disk one", 0, &err), 0);
	ck_assert_int_eq(trace_writer_stream(writer, "a,\"b\"", 0, &err), 1);
	for (i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		struct trace_record record = records[i];

		record.latency_ns = i ? TRACE_NO_LATENCY : 7;
		ck_assert_msg(!trace_writer_append(writer, &record, &err), "%s", err.text);
	}
	ck_assert_msg(!trace_writer_finish(writer, &err), "%s", err.text);
	return open_trace(below("a.vdt"));
}

/* The trace of all kinds as text; free() it. */
static char *exported(const char *format, const char *filename, struct trace_export *counts)
{
	struct trace *trace = all_kinds();
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_msg(!trace_export(trace, format, filename, out, counts, &err), "%s", err.text);
	fclose(out);
	trace_close(trace);
	return text;
}

START_TEST(an_iolog_has_every_record)
{
	struct trace_export counts;
	char *text = exported("iolog", "/dev/loop0", &counts);

	ck_assert_str_eq(text, "fio version 3 iolog\n"
			       "0 /dev/loop0 add\n"
			       "0 /dev/loop0 open\n"
			       "0 /dev/loop0 read 4096 8192\n"
			       "1 /dev/loop0 sync 0 0\n"
			       "1 /dev/loop0 write 512 512\n"
			       "1 /dev/loop0 sync 0 0\n"
			       "2 /dev/loop0 write 1000 24\n"
			       "3 /dev/loop0 trim 0 2147483648\n"
			       "3 /dev/loop0 trim 2147483648 2147483648\n"
			       "3 /dev/loop0 trim 4294967296 1073741824\n"
			       "4 /dev/loop0 sync 0 0\n"
			       "5 /dev/loop0 write 8192 4096\n"
			       "6 /dev/loop0 close\n");
	ck_assert_uint_eq(counts.records, 6);
	ck_assert_uint_eq(counts.empty, 1);
	ck_assert_uint_eq(counts.pieces, 2);
	ck_assert_uint_eq(counts.zeroes, 1);
	free(text);
}
END_TEST

START_TEST(an_iolog_names_streams_in_one_word)
{
	struct trace_export counts;
	char *text = exported("iolog", NULL, &counts);

	ck_assert_ptr_nonnull(strstr(text, "\n0 disk_one add\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n0 disk_one read 4096 8192\n"));
	free(text);
}
END_TEST

START_TEST(a_csv_quotes_names)
{
	struct trace_export counts;
	char *text = exported("csv", NULL, &counts);

	ck_assert_ptr_nonnull(strstr(text, "\n0,disk one,read,4096,8192,0,7\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n2000,\"a,\"\"b\"\"\",write,1000,24,1,\n"));
	free(text);
}
END_TEST

START_TEST(blkparse_counts_sectors)
{
	struct trace_export counts;
	char *text = exported("blkparse", NULL, &counts);

	ck_assert_ptr_nonnull(strstr(text, " D   R 8 + 16 [ssdreview]\n"));
	ck_assert_ptr_nonnull(strstr(text, " D FWF 1 + 1 [ssdreview]\n"));
	ck_assert_ptr_nonnull(strstr(text, " D  WS 1 + 1 [ssdreview]\n"));
	ck_assert_uint_eq(counts.rounded, 1);
	free(text);
}
END_TEST

START_TEST(an_unknown_format_gets_the_nearest)
{
	struct trace *trace = all_kinds();
	struct trace_export counts;

	ck_assert(trace_export(trace, "iologs", NULL, stdout, &counts, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean \"iolog\"?"));
	trace_close(trace);
}
END_TEST

/* Exported in some format and imported again, a trace has the same records, to the format's unit.
 */
START_TEST(what_is_exported_can_be_imported)
{
	static const struct {
		const char *format;
		uint64_t unit_ns;
	} formats[] = {{"iolog", 1000}, {"blkparse", 1}};
	struct trace_import_options options = {.format = formats[_i].format};
	struct trace_cursor cursor, again;
	struct trace_record want, got;
	struct trace_report report;
	struct trace_export counts;
	const char *paths[] = {below("a.txt")};
	struct trace *trace, *imported;
	FILE *out = fopen(paths[0], "w");

	write_samples(below("a.vdt"), true, SAMPLES);
	trace = open_trace(below("a.vdt"));
	ck_assert(!trace_export(trace, formats[_i].format, NULL, out, &counts, &err));
	fclose(out);
	ck_assert_msg(!trace_import_files(paths, 1, below("b.vdt"), &options, &report, &err), "%s",
		      err.text);
	imported = open_trace(below("b.vdt"));
	trace_cursor_open(trace, &cursor);
	trace_cursor_open(imported, &again);
	while (trace_next(&cursor, &want) > 0) {
		if (want.op == TRACE_FLUSH || (want.flags & (TRACE_PREFLUSH | TRACE_FUA)))
			continue;
		do
			ck_assert_int_eq(trace_next(&again, &got), 1);
		while (got.op == TRACE_FLUSH || (got.flags & (TRACE_PREFLUSH | TRACE_FUA)) ||
		       got.offset != want.offset);
		ck_assert_uint_eq(got.time_ns / formats[_i].unit_ns,
				  want.time_ns / formats[_i].unit_ns);
		ck_assert_uint_eq(got.length, want.length);
		ck_assert_uint_eq(got.op, want.op);
	}
	trace_cursor_close(&cursor);
	trace_cursor_close(&again);
	trace_close(trace);
	trace_close(imported);
}
END_TEST

static void import_csv(const char *text, struct trace_report *report)
{
	struct trace_import_options options = {0};
	const char *paths[] = {below("a.txt")};
	FILE *out = fopen(paths[0], "w");

	fputs(text, out);
	fclose(out);
	ck_assert_msg(!trace_import_files(paths, 1, below("b.vdt"), &options, report, &err), "%s",
		      err.text);
}

/* The CSV says all: exported again it is the same text, whatever names and flags there are. */
START_TEST(a_csv_comes_back_the_same)
{
	struct trace_report report;
	struct trace_export counts;
	struct trace *imported;
	char *text = exported("csv", NULL, &counts), *again;
	size_t bytes;
	FILE *out;

	import_csv(text, &report);
	ck_assert_ptr_nonnull(strstr(report.format, "trace export"));
	imported = open_trace(below("b.vdt"));
	out = open_memstream(&again, &bytes);
	ck_assert(!trace_export(imported, "csv", NULL, out, &counts, &err));
	fclose(out);
	ck_assert_str_eq(again, text);
	trace_close(imported);
	free(text);
	free(again);
}
END_TEST

START_TEST(flags_that_cannot_be_are_damage)
{
	struct trace_report report;
	struct trace_export counts;
	char *text = exported("csv", NULL, &counts), *flags = strstr(text, ",24,1,");
	struct trace_import_options options = {.strict = true};
	const char *paths[] = {below("a.txt")};
	FILE *out = fopen(paths[0], "w");

	ck_assert_ptr_nonnull(flags);
	fprintf(out, "%.*s,24,32,%s", (int)(flags - text), text, flags + strlen(",24,1,"));
	fclose(out);
	ck_assert(trace_import_files(paths, 1, below("b.vdt"), &options, &report, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "flags are not a sum"));
	free(text);
}
END_TEST

static Suite *suite(void)
{
	Suite *all = suite_create("trace edit");
	TCase *test = tcase_create("edit");

	tcase_add_checked_fixture(test, make_folder, remove_folder);
	tcase_add_test(test, nothing_asked_keeps_all);
	tcase_add_test(test, a_window_begins_and_ends);
	tcase_add_test(test, a_phase_is_a_window);
	tcase_add_test(test, a_stream_stays_alone);
	tcase_add_test(test, a_range_of_addresses);
	tcase_add_test(test, a_cut_that_keeps_nothing_writes_nothing);
	tcase_add_test(test, merged_traces_stand_side_by_side);
	tcase_add_test(test, a_merge_by_clock_needs_one);
	tcase_add_test(test, an_iolog_has_every_record);
	tcase_add_test(test, an_iolog_names_streams_in_one_word);
	tcase_add_test(test, a_csv_quotes_names);
	tcase_add_test(test, blkparse_counts_sectors);
	tcase_add_test(test, an_unknown_format_gets_the_nearest);
	tcase_add_loop_test(test, what_is_exported_can_be_imported, 0, 2);
	tcase_add_test(test, a_csv_comes_back_the_same);
	tcase_add_test(test, flags_that_cannot_be_are_damage);
	suite_add_tcase(all, test);
	return all;
}

int main(void)
{
	return run_suite(suite());
}
