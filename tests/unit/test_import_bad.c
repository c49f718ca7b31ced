/* SPDX-License-Identifier: GPL-2.0-only */
/* Wrong, damaged, mixed and treacherous traces: the place and the reason, never a silent zero. */
#include <zlib.h>

#include "tests/unit/import_fixture.h"
#include "tests/unit/suite.h"

static const struct trace_import_options lenient = {0};
static const struct trace_import_options strict = {.strict = true};

/* The import is refused, and the sentence holds `word`. */
static void check_refused(struct imported imported, const char *word)
{
	ck_assert_msg(imported.result == -1, "not refused: %s", word);
	ck_assert_msg(strstr(imported.err.text, word) != NULL, "\"%s\" is not in: %s", word,
		      imported.err.text);
}

static void check_accepted(const struct imported *imported, uint64_t records)
{
	ck_assert_msg(!imported->result, "%s", imported->err.text);
	ck_assert_uint_eq(imported->count, records);
}

/* A table of `rows` good rows of Cydonia's format with `row` in line 7. */
static char *table_with(const char *row, unsigned rows)
{
	size_t room = rows * 32 + strlen(row) + 2, used = 0;
	char *table = malloc(room);

	ck_assert_ptr_nonnull(table);
	for (unsigned i = 0; i < rows; i++) {
		used += (size_t)snprintf(table + used, room - used, "%u,%u,w,4096\n", i * 100,
					 i * 8);
		if (i == 5)
			used += (size_t)snprintf(table + used, room - used, "%s\n", row);
	}
	return table;
}

struct bad_row {
	const char *row, *reason;
};

static const struct bad_row bad_rows[] = {
	{"-5,100,r,4096", "time is not an unsigned number"},
	{"18446744073709551616,100,r,4096", "time is not an unsigned number"},
	{"18446744073709551615,100,r,4096", "time is not an unsigned number"},
	{"500,x,r,4096", "offset is not an unsigned number"},
	{"500,18014398509481984,r,4096", "2^63"},
	{"500,36028797018963968,r,4096", "2^63"},
	{"500,100,q,4096", "unknown operation"},
	{"500,100,r,-1", "length is not an unsigned number"},
	{"500,100,r,281474976710656", "length"},
	{"500,100,r", "too few columns"},
	{"500,100,r,4096,7", "too many columns"},
	{"128166372000000000,host,1,Read,4096,4096,100", "too many columns"},
};

START_TEST(test_bad_row)
{
	const struct bad_row *bad = &bad_rows[_i];
	char *table = table_with(bad->row, 200);
	struct imported imported = import_text(table, &strict);
	char place[16];

	check_refused(imported, bad->reason);
	snprintf(place, sizeof(place), ":7: ");
	check_refused(imported, place);
	imported = import_text(table, &lenient);
	check_accepted(&imported, 200);
	ck_assert_uint_eq(imported.report.rows_in, 201);
	ck_assert_uint_eq(rows_with_reason(&imported.report, bad->reason), 1);
	ck_assert_ptr_nonnull(strstr(imported.report.reason[0].first, ":7"));
	imported_free(&imported);
	free(table);
	table = table_with(bad->row, 50);
	check_refused(import_text(table, &lenient), "1 of 51 rows are damaged");
	free(table);
}
END_TEST

START_TEST(test_crlf_and_byte_order_mark)
{
	struct imported imported = import_text("\xef\xbb\xbf"
					       "0,8,r,4096\r\n100,16,w,4096\r\n200,24,R,512",
					       &strict);

	check_accepted(&imported, 3);
	ck_assert_uint_eq(imported.records[2].length, 512);
	imported_free(&imported);
	imported = import_text("fio version 3 iolog\r\n0 f add\r\n0 f open\r\n5 f read 0 4096\r\n",
			       &strict);
	check_accepted(&imported, 1);
	imported_free(&imported);
}
END_TEST

START_TEST(test_zero_bytes_are_counted)
{
	struct imported imported = import_text("0,8,r,4096\n100,16,w,0\n200,24,r,512\n", &strict);
	struct trace_import_options named = {.format = "cydonia"};

	check_accepted(&imported, 2);
	ck_assert_uint_eq(rows_with_reason(&imported.report, "zero bytes"), 1);
	imported_free(&imported);
	check_refused(import_text("0,8,r,0\n5,8,w,0\n", &named), "no I/O in 2 rows");
}
END_TEST

START_TEST(test_iolog_order)
{
	check_refused(import_text("fio version 3 iolog\n0 f open\n5 f read 0 4096\n", &strict),
		      ":2: file is opened or closed without an add line before");
	check_refused(import_text("fio version 3 iolog\n5 f read 0 4096\n", &strict),
		      ":2: I/O to a file without an add line before");
	check_refused(import_text("fio version 3 iolog\n0 f add\n5 f read 0 4096\n", &strict),
		      ":3: I/O to a file without an open line before");
	check_refused(
		import_text("fio version 3 iolog\n0 f add\n0 f open\n1 f wait 5 0\n", &strict),
		":4: wait is not allowed in version 3");
	check_refused(
		import_text("fio version 3 iolog\n0 f add\n0 f open\n1 f erase 5 0\n", &strict),
		":4: unknown action");
	check_refused(import_text("fio version 4 iolog\n", &lenient), ":1: iolog version 4");
	check_refused(import_text("fio version 3 iolog\n", &lenient), "no I/O in 1 rows");
	check_refused(import_text("0, 4096, 4096\n1, 8192, 4096\n", &lenient), "version 1");
}
END_TEST

/* 1.0, 0.5, 1.5 s: the span is 1 s, and the row that came late is counted. */
START_TEST(test_step_back)
{
	struct imported imported =
		import_text("1000000,8,r,512\n500000,16,r,512\n1500000,24,r,512\n", &strict);

	check_accepted(&imported, 3);
	ck_assert_uint_eq(imported.records[0].offset, 16 * 512);
	ck_assert_uint_eq(imported.records[2].time_ns - imported.records[0].time_ns, NS_PER_SEC);
	ck_assert_uint_eq(imported.report.reordered, 1);
	imported_free(&imported);
}
END_TEST

START_TEST(test_stated_duration)
{
	struct trace_import_options stated = {.expected_ns = NS_PER_SEC};
	struct imported imported = import_text("0,8,r,512\n2000000,16,r,512\n", &stated);

	check_accepted(&imported, 2);
	imported_free(&imported);
	check_refused(import_text("0,8,r,512\n200000000,16,r,512\n", &stated),
		      "time unit is wrong");
}
END_TEST

START_TEST(test_what_it_is)
{
	static const struct bad_row files[] = {
		{"PK\003\004....", "a zip archive"},
		{"PERFILE2....", "perf script"},
		{"\x17\x08\x44tracing0", "trace-cmd report"},
		{"{\n  \"fio version\" : \"fio-3.33\"\n", "JSON"},
		{"version https://git-lfs.github.com/spec/v1\n", "git-lfs"},
		{"1, 5, 0, 4096\n2, 7, 0, 4096\n", "bandwidth or latency log"},
		{"nothing that anybody knows\n", "no known trace format"},
	};
	struct trace_import_options forced = {.format = "blktrase"};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		check_refused(import_text(files[i].row, &lenient), files[i].reason);
	check_refused(import_bytes("", 0, &lenient), "is empty");
	check_refused(import_text("0,8,r,512\n", &forced), "did you mean \"blktrace\"?");
}
END_TEST

START_TEST(test_columns)
{
	struct trace_import_options options = {.columns = "tme_us,op,offset_b,len_b"};

	check_refused(import_text("0,r,8,512\n", &options), "did you mean \"time_us\"?");
	check_refused(import_text("0,r,8,512\n", &options), "the columns are time_s, time_ms, ");
	check_refused(import_text("0,r,8,512\n", &options), ", flags, stream, process, pid, -");
	options.columns = "op,offset_b,len_b";
	check_refused(import_text("0,r,8,512\n", &options), "no time column");
	options.columns = "time_us,offset_b,len_b";
	check_refused(import_text("0,8,512\n", &options), "says what is done");
	options.columns = "time_us,op,offset_b,len_b";
	options.time_unit = "minutes";
	check_refused(import_text("0,r,8,512\n", &options), "none of s, ms, us, ns");
	options.time_unit = NULL;
	options.columns = "gap_ms op_write1 offset_kib len_sector - ...";
	struct imported imported = import_text("1.5 2 4 8 x y z\n1.5  0 8  8 x\n", &options);
	check_accepted(&imported, 2);
	ck_assert_uint_eq(imported.records[0].op, TRACE_TRIM);
	ck_assert_uint_eq(imported.records[1].time_ns - imported.records[0].time_ns, 1500000);
	ck_assert_uint_eq(imported.records[1].offset, 8192);
	imported_free(&imported);
	options.columns = "stream;time_s;op;offset_b;len_b";
	imported = import_text("\"disk;\";when;what;where;much\n\"C: ;1\";\"0.5\";R;8;512\n",
			       &options);
	check_accepted(&imported, 1);
	ck_assert_str_eq(imported.streams[0].name, "C: ;1");
	imported_free(&imported);
}
END_TEST

START_TEST(test_line_format)
{
	struct trace_import_options options = {.line_format = "%5T.%9t %q"};

	check_refused(import_text("0.0 1\n", &options), "no conversion '%q'");
	options.line_format = "%5T.%9t %S %n";
	check_refused(import_text("0.0 1\n", &options), "it needs %T");
	options.line_format = "%M %m %d %a %N %S %5T.%9t\\n";
	struct imported imported = import_text("8 0 WS D 4096 80     0.000000007\n"
					       "8 0 WS C 4096 80     0.000000107\n",
					       &options);
	check_accepted(&imported, 1);
	ck_assert_uint_eq(imported.records[0].latency_ns, 100);
	ck_assert_str_eq(imported.streams[0].name, "8,0");
	imported_free(&imported);
	check_refused(import_text("8 0 WS D 4096 80\n", &options), "does not fit");
}
END_TEST

static void *gzip(const char *text, size_t *bytes)
{
	z_stream stream = {.next_in = (unsigned char *)(uintptr_t)text,
			   .avail_in = (unsigned)strlen(text)};
	size_t room = strlen(text) + 200;
	unsigned char *packed = malloc(room);

	ck_assert_int_eq(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	stream.next_out = packed;
	stream.avail_out = (unsigned)room;
	ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
	*bytes = room - stream.avail_out;
	deflateEnd(&stream);
	return packed;
}

/* Rows of two formats in one file. */
START_TEST(test_mixed)
{
	char *table = table_with("0,0,w,512", 6), both[1024];

	snprintf(both, sizeof(both), "%s128166372000000000,host,1,Read,4096,4096,100\n", table);
	check_refused(import_text(both, &lenient), ":8: too many columns; 1 of 8 rows");
	free(table);
}
END_TEST

START_TEST(test_header_alone)
{
	check_refused(import_text("Timestamp,Response,IOType,LUN,Offset,Size\n", &lenient),
		      "no I/O in 1 rows of systor17");
	check_refused(import_text("version,time,op,size,lbn\n", &lenient),
		      "no I/O in 1 rows of cloudphysics");
	check_refused(import_text("#Vscsi Cmd Trace. (Trace Format Version 2)\n", &lenient),
		      ":1: trace format version 2");
}
END_TEST

/* What every one of several files has to say is said once. */
START_TEST(test_notes_once)
{
	const char *twice[] = {"tests/data/trace/tencent.csv", "tests/data/trace/tencent.csv"};
	struct imported imported = import_paths(twice, 2, &strict);

	check_accepted(&imported, 10);
	ck_assert_uint_eq(imported.report.notes, 1);
	imported_free(&imported);
}
END_TEST

START_TEST(test_packed)
{
	char *table = table_with("0,0,w,512", 100);
	size_t bytes;
	void *packed = gzip(table, &bytes);
	struct imported imported = import_bytes(packed, bytes, &strict);

	check_accepted(&imported, 101);
	imported_free(&imported);
	ck_assert_int_eq(import_bytes(packed, bytes / 2, &lenient).result, -1);
	free(packed);
	free(table);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("text");

	tcase_add_loop_test(tests, test_bad_row, 0, (int)(sizeof(bad_rows) / sizeof(bad_rows[0])));
	tcase_add_test(tests, test_crlf_and_byte_order_mark);
	tcase_add_test(tests, test_zero_bytes_are_counted);
	tcase_add_test(tests, test_iolog_order);
	tcase_add_test(tests, test_step_back);
	tcase_add_test(tests, test_stated_duration);
	tcase_add_test(tests, test_what_it_is);
	tcase_add_test(tests, test_columns);
	tcase_add_test(tests, test_line_format);
	tcase_add_test(tests, test_mixed);
	tcase_add_test(tests, test_header_alone);
	tcase_add_test(tests, test_notes_once);
	tcase_add_test(tests, test_packed);
	return run_case("bad imports", tests);
}
