/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every format that can be imported, from small files that all hold the same five I/Os
 * (tests/data/trace): what comes out must be those five.
 */
#include "tests/unit/import_fixture.h"
#include "tests/unit/suite.h"

#define SECTOR_3TIB (3ULL << 40)

/* The five, in the order of their times. Files of formats without flushes leave the last out. */
static const struct trace_record five[] = {
	{1000000000, 80 * 512, 16 * 512, 250000, 0, TRACE_WRITE, 0},
	{1000500000, 2048 * 512, 8 * 512, 100000, 0, TRACE_READ, 0},
	{1002000000, 3 * 512, 512, 1000000, 0, TRACE_WRITE, 0},
	{1002500000, SECTOR_3TIB, 128 * 512, 500000, 0, TRACE_READ, 0},
	{1003000000, 0, 0, 2000000, 0, TRACE_FLUSH, 0},
};

enum { FLUSH = 1, LATENCY = 2, BLOCK_LAYER = 4 /* Q, D and C of each I/O */ };

struct format_file {
	const char *file, *format; /* how the report's format begins */
	unsigned has;
	const char *device, *process;
	uint64_t rows_in;
	const char *line_format, *columns;
};

#define LAYER (FLUSH | LATENCY | BLOCK_LAYER)

static const struct format_file files[] = {
	{"msr.csv", "MSR", LATENCY, "host_1", NULL, 4, 0, 0},
	{"systor17.csv", "SYSTOR", LATENCY, "LUN2", NULL, 8, 0, 0},
	{"spc.csv", "SPC", 0, "ASU0", NULL, 4, 0, 0},
	{"fiu.txt", "FIU", 0, "6,0", "nfsd", 4, 0, 0},
	{"alibaba.csv", "Alibaba", 0, "volume7", NULL, 4, 0, 0},
	{"vscsi.csv", "vscsiStats CSV v1", 0, "vscsi.csv", NULL, 6, 0, 0},
	{"cloudphysics.csv", "CloudPhysics", FLUSH, "cloudphysics.csv", NULL, 7, 0, 0},
	{"cydonia.csv", "Cydonia", 0, "cydonia.csv", NULL, 4, 0, 0},
	{"hfplayer.csv", "hfplayer", LATENCY, "LUN5", NULL, 5, 0, 0},
	{"blkreplay.load", "blkreplay", 0, "blkreplay.load", NULL, 7, 0, 0},
	{"diskmon.txt", "DiskMon", LATENCY, "disk0", NULL, 4, 0, 0},
	{"disksim-ms.txt", "DiskSim ASCII", 0, "0", NULL, 4, 0, 0},
	{"disksim-ns.txt", "DiskSim ASCII (SSDsim, MQSim)", 0, "0", NULL, 5, 0, 0},
	{"disksim-validate.txt", "DiskSim validate", LATENCY, "disksim-validate.txt", NULL, 4, 0,
	 0},
	{"bpftrace.csv", "bpftrace", FLUSH, "8:0", "app", 8, 0, 0},
	{"iolog-v3.log", "fio iolog v3", FLUSH, "/dev/sdx", NULL, 9, 0, 0},
	{"blkparse.txt", "blkparse text", LAYER, "8,0", "my [app]", 21, 0, 0},
	{"blkparse-f.txt", "blkparse text (-f)", LAYER, "blkparse-f.txt", "my app", 15,
	 "%5T.%9t, %p, %C, %a, %d, %S, %n, %N\\n", 0},
	{"ftrace-blk.txt", "blkparse text", LAYER, "8,0", "app", 17, 0, 0},
	{"tracefs.txt", "block tracepoints", LAYER, "8,0", "app", 18, 0, 0},
	{"trace-cmd.txt", "block tracepoints", LAYER, "8,0", "app", 16, 0, 0},
	{"perf.txt", "block tracepoints", LAYER, "8,0", "app", 15, 0, 0},
	{"biosnoop.txt", "bcc biosnoop", LATENCY, "sdx", "my app:0", 7, 0, 0},
	{"biosnoop-q.txt", "bcc biosnoop", LATENCY, "sdx", "my app:0", 5, 0, 0},
	{"iosnoop.txt", "perf-tools iosnoop", LATENCY, "8,0", "my app:0", 6, 0, 0},
	{"xperf.txt", "xperf", LATENCY | FLUSH, "disk3", "app.exe", 16, 0, 0},
	{"columns.csv", "columns of the user", LATENCY | FLUSH, "ssd", NULL, 6, 0,
	 "time_us;op;offset_b;len_b;latency_ms;stream"},
	{"blktrace-v7-le.bin", "blktrace binary v7, little-endian", LAYER, "8,0", "app", 16, 0, 0},
	{"blktrace-v7-be.bin", "blktrace binary v7, big-endian", LAYER, "8,0", "app", 16, 0, 0},
	{"blktrace-v8-le.bin", "blktrace binary v8, little-endian", LAYER, "8,0", "app", 16, 0, 0},
	{"blktrace-v8-be.bin", "blktrace binary v8, big-endian", LAYER, "8,0", "app", 16, 0, 0},
	{"blktrace-cgroup.bin", "blktrace binary v7, little-endian, with cgroups", LAYER, "8,0",
	 "app", 16, 0, 0},
	{"vscsi-v1.bin", "vscsi binary v1", FLUSH, "vscsi-v1.bin", NULL, 5, 0, 0},
	{"vscsi-v2.bin", "vscsi binary v2", FLUSH | LATENCY, "vscsi-v2.bin", NULL, 5, 0, 0},
	{"vdbench.bin", "vdbench", LATENCY, "device1", NULL, 4, 0, 0},
	{"btrecord.bin", "btrecord", 0, "btrecord.bin", NULL, 4, 0, 0},
};

#define FILES ((int)(sizeof(files) / sizeof(files[0])))

static void data_path(char path[512], const char *file)
{
	snprintf(path, 512, "tests/data/trace/%s", file);
}

static struct imported import_file(const char *file, const struct trace_import_options *options)
{
	char path[512];
	const char *paths[] = {path};

	data_path(path, file);
	return import_paths(paths, 1, options);
}

static void check_record(const struct trace_record *found, const struct trace_record *wanted,
			 const struct format_file *file, uint64_t first_ns)
{
	uint64_t ns = found->time_ns - first_ns, wanted_ns = wanted->time_ns - five[0].time_ns;

	ck_assert_msg(ns == wanted_ns, "%s: at %llu ns, not %llu", file->file,
		      (unsigned long long)ns, (unsigned long long)wanted_ns);
	ck_assert_msg(found->op == wanted->op, "%s: op %u at %llu ns", file->file, found->op,
		      (unsigned long long)ns);
	ck_assert_msg(found->offset == wanted->offset && found->length == wanted->length,
		      "%s: %llu + %llu at %llu ns", file->file, (unsigned long long)found->offset,
		      (unsigned long long)found->length, (unsigned long long)ns);
	ck_assert_msg(found->latency_ns ==
			      (file->has & LATENCY ? wanted->latency_ns : TRACE_NO_LATENCY),
		      "%s: latency %llu ns at %llu ns", file->file,
		      (unsigned long long)found->latency_ns, (unsigned long long)ns);
}

static void check_five(const struct imported *imported, const struct format_file *file)
{
	uint64_t count = file->has & FLUSH ? 5 : 4;

	ck_assert_msg(imported->count == count, "%s: %llu records", file->file,
		      (unsigned long long)imported->count);
	for (uint64_t n = 0; n < count; n++)
		check_record(&imported->records[n], &five[n], file, imported->records[0].time_ns);
}

START_TEST(test_format)
{
	const struct format_file *file = &files[_i];
	struct trace_import_options options = {
		.strict = true, .line_format = file->line_format, .columns = file->columns};
	struct imported imported = import_file(file->file, &options);

	ck_assert_msg(!imported.result, "%s: %s", file->file, imported.err.text);
	ck_assert_msg(!strncmp(imported.report.format, file->format, strlen(file->format)),
		      "%s: taken for %s", file->file, imported.report.format);
	check_five(&imported, file);
	ck_assert_str_eq(imported.streams[0].name, file->device);
	ck_assert_uint_eq(imported.report.rows_in, file->rows_in);
	ck_assert_str_ne(imported.report.time_unit, "");
	ck_assert_str_ne(imported.report.time_meaning, "");
	ck_assert_str_ne(imported.report.offset_unit, "");
	ck_assert_str_ne(imported.report.event_class, "");
	imported_free(&imported);
}
END_TEST

/* Only rows of the process are kept, and none of another. */
START_TEST(test_process)
{
	const struct format_file *file = &files[_i];
	struct trace_import_options options = {.line_format = file->line_format,
					       .columns = file->columns,
					       .processes = &file->process,
					       .process_count = 1};
	const char *another = "no such process";
	struct imported imported;

	if (!file->process || strchr(file->process, '['))
		return;
	imported = import_file(file->file, &options);
	ck_assert_msg(!imported.result, "%s: %s", file->file, imported.err.text);
	check_five(&imported, file);
	imported_free(&imported);
	options.processes = &another;
	imported = import_file(file->file, &options);
	ck_assert_msg(imported.result, "%s: nothing was filtered", file->file);
	imported_free(&imported);
}
END_TEST

/* Q comes 100 us before D in these files, C as long after it as the latency. */
START_TEST(test_event_class)
{
	static const char *const words[] = {"Q", "D", "C"};
	const struct format_file *file = &files[_i];
	struct trace_import_options options = {.line_format = file->line_format};
	struct imported imported;
	uint64_t latency;

	if (!(file->has & BLOCK_LAYER))
		return;
	for (int i = 0; i < 3; i++) {
		options.event = words[i];
		imported = import_file(file->file, &options);
		ck_assert_msg(!imported.result, "%s: %s", file->file, imported.err.text);
		ck_assert_uint_eq(imported.count, 5);
		latency = imported.records[0].latency_ns;
		ck_assert_uint_eq(latency, i == 0 ? 350000 : i == 1 ? 250000 : TRACE_NO_LATENCY);
		imported_free(&imported);
	}
}
END_TEST

static const struct format_file per_cpu = {.file = "sdx.blktrace.*", .has = LAYER};

START_TEST(test_per_cpu_files)
{
	const char *const both[] = {"tests/data/trace/sdx.blktrace.1",
				    "tests/data/trace/sdx.blktrace.0"};
	struct trace_import_options options = {.strict = true};
	struct imported imported = import_paths(both, 2, &options);

	ck_assert_msg(!imported.result, "%s", imported.err.text);
	check_five(&imported, &per_cpu);
	imported_free(&imported);
	imported = import_paths(both, 1, &options);
	ck_assert_int_eq(imported.result, -1);
	ck_assert_ptr_nonnull(strstr(imported.err.text, "2 files, one a CPU, and 1 came"));
}
END_TEST

/* Four in the first second, one in the next: a quarter of a second lies between the four. */
START_TEST(test_whole_seconds)
{
	struct trace_import_options options = {.strict = true};
	struct imported imported = import_file("tencent.csv", &options);

	ck_assert_msg(!imported.result, "%s", imported.err.text);
	ck_assert_uint_eq(imported.count, 5);
	for (uint64_t n = 0; n < 5; n++)
		ck_assert_uint_eq(imported.records[n].time_ns,
				  1538323200 * NS_PER_SEC + n * (NS_PER_SEC / 4));
	ck_assert_str_eq(imported.streams[0].name, "volume1063");
	ck_assert_uint_eq(imported.report.notes, 1);
	imported_free(&imported);
	options.time_unit = "ms";
	imported = import_file("tencent.csv", &options);
	ck_assert_uint_eq(imported.records[4].time_ns - imported.records[0].time_ns, NS_PER_MSEC);
	imported_free(&imported);
}
END_TEST

/* Version 2 waits up to ms since the start: 1000, then 1500, not 2500. */
START_TEST(test_iolog_v2)
{
	static const uint64_t times_ms[] = {1000, 1500, 1500, 1500};
	static const uint8_t ops[] = {TRACE_WRITE, TRACE_READ, TRACE_FLUSH, TRACE_TRIM};
	struct trace_import_options options = {.strict = true};
	struct imported imported = import_file("iolog-v2.log", &options);

	ck_assert_msg(!imported.result, "%s", imported.err.text);
	ck_assert_uint_eq(imported.count, 4);
	for (int n = 0; n < 4; n++) {
		ck_assert_uint_eq(imported.records[n].time_ns, times_ms[n] * NS_PER_MSEC);
		ck_assert_uint_eq(imported.records[n].op, ops[n]);
	}
	ck_assert_uint_eq(imported.records[3].length, 8589934592);
	ck_assert_uint_eq(rows_with_reason(&imported.report, "zero bytes"), 1);
	imported_free(&imported);
}
END_TEST

/* The rows of the first file are 3, 4 in all: the row that came too early moved. */
START_TEST(test_report_counts)
{
	struct trace_import_options options = {.strict = true};
	struct imported imported = import_file("systor17.csv", &options);

	ck_assert_uint_eq(imported.report.reordered, 1);
	ck_assert_uint_eq(rows_with_reason(&imported.report, "blank operation"), 2);
	ck_assert_uint_eq(rows_with_reason(&imported.report, "header line"), 2);
	imported_free(&imported);
	imported = import_file("cloudphysics.csv", &options);
	ck_assert_uint_eq(rows_with_reason(&imported.report, "SCSI command"), 1);
	ck_assert_uint_eq(imported.report.flushes, 1);
	imported_free(&imported);
}
END_TEST

/* A row by row copy of one file into another format's name must not change what it is taken for. */
START_TEST(test_names_do_not_count)
{
	struct trace_import_options options = {.strict = true};
	static char bytes[65536];
	struct imported imported;
	size_t length;
	char path[512];
	FILE *file;

	if (files[_i].line_format || files[_i].columns)
		return;
	data_path(path, files[_i].file);
	file = fopen(path, "r");
	length = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	imported = import_bytes(bytes, length, &options);
	ck_assert_msg(!imported.result, "%s: %s", files[_i].file, imported.err.text);
	check_five(&imported, &files[_i]);
	imported_free(&imported);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("formats");

	tcase_add_loop_test(tests, test_format, 0, FILES);
	tcase_add_loop_test(tests, test_process, 0, FILES);
	tcase_add_loop_test(tests, test_event_class, 0, FILES);
	tcase_add_loop_test(tests, test_names_do_not_count, 0, FILES);
	tcase_add_test(tests, test_per_cpu_files);
	tcase_add_test(tests, test_whole_seconds);
	tcase_add_test(tests, test_iolog_v2);
	tcase_add_test(tests, test_report_counts);
	return run_case("import", tests);
}
