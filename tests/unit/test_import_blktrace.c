/* SPDX-License-Identifier: GPL-2.0-only */
/* blktrace: which event is taken, what flushes and completions become, damage, and many at once. */
#include "engines/trace/import_blktrace.h"
#include "tests/unit/import_fixture.h"
#include "tests/unit/suite.h"

#define READ	1u
#define WRITE	2u
#define FLUSH	4u
#define SYNC	8u
#define DISCARD (1u << 13)
#define PC	(1u << 9)
#define FUA	(1u << 15)

enum { Q = 1, M = 2, D = 7, C = 8 };

/* A stream of version 7 records in memory. */
struct stream {
	unsigned char *bytes;
	size_t length, room;
};

static void put_bytes(struct stream *stream, const void *bytes, size_t length)
{
	if (stream->length + length > stream->room) {
		stream->room = 2 * (stream->length + length);
		stream->bytes = realloc(stream->bytes, stream->room);
		ck_assert_ptr_nonnull(stream->bytes);
	}
	memcpy(stream->bytes + stream->length, bytes, length);
	stream->length += length;
}

struct put {
	uint64_t time_ns, sector;
	uint32_t bytes, act, category, device;
	uint16_t data_bytes;
};

static void put(struct stream *stream, struct put event)
{
	struct {
		uint32_t magic, sequence;
		uint64_t time, sector;
		uint32_t bytes, action, pid, device, cpu;
		uint16_t error, data_bytes;
	} record = {
		.magic = 0x65617407,
		.time = event.time_ns,
		.sector = event.sector,
		.bytes = event.bytes,
		.action = event.category << 16 | event.act,
		.pid = 700,
		.device = event.device ? event.device : 8 << 20,
		.data_bytes = event.data_bytes,
	};
	static const unsigned char data[65535];

	put_bytes(stream, &record, sizeof(record));
	put_bytes(stream, data, event.data_bytes);
}

static struct imported import_stream(struct stream *stream,
				     const struct trace_import_options *options)
{
	struct imported imported = import_bytes(stream->bytes, stream->length, options);

	free(stream->bytes);
	*stream = (struct stream){0};
	return imported;
}

static const struct trace_import_options strict = {.strict = true};
static const struct trace_import_options lenient = {0};

static void check_accepted(const struct imported *imported, uint64_t records)
{
	ck_assert_msg(!imported->result, "%s", imported->err.text);
	ck_assert_uint_eq(imported->count, records);
}

/* Two bios become one request: one I/O when D is there, two when it is not. Never three. */
START_TEST(test_one_class)
{
	struct stream stream = {0};
	struct imported imported;

	for (int with_issue = 0; with_issue < 2; with_issue++) {
		put(&stream, (struct put){10, 8, 4096, Q, WRITE, 0, 0});
		put(&stream, (struct put){20, 16, 4096, Q, WRITE, 0, 0});
		put(&stream, (struct put){21, 16, 4096, M, WRITE, 0, 0});
		if (with_issue)
			put(&stream, (struct put){30, 8, 8192, D, WRITE, 0, 0});
		put(&stream, (struct put){90, 8, 8192, C, WRITE, 0, 0});
		imported = import_stream(&stream, &strict);
		check_accepted(&imported, with_issue ? 1 : 2);
		ck_assert_str_eq(imported.report.event_class,
				 with_issue ? "issue (D)" : "queue (Q)");
		ck_assert_uint_eq(imported.records[0].latency_ns, with_issue ? 60 : 80);
		ck_assert_uint_eq(imported.records[0].length, with_issue ? 8192 : 4096);
		imported_free(&imported);
	}
	put(&stream, (struct put){90, 8, 8192, C, WRITE, 0, 0});
	imported = import_stream(&stream, &strict);
	check_accepted(&imported, 1);
	ck_assert_str_eq(imported.report.event_class, "completion (C)");
	imported_free(&imported);
}
END_TEST

/* A device mapper's device is queued, the disk below it is issued: one I/O, and a note. */
START_TEST(test_stacked_devices)
{
	struct stream stream = {0};
	struct imported imported;

	put(&stream, (struct put){10, 8, 4096, Q, READ, 253u << 20, 0});
	put(&stream, (struct put){11, 2056, 4096, Q, READ, 0, 0});
	put(&stream, (struct put){12, 2056, 4096, D, READ, 0, 0});
	put(&stream, (struct put){50, 2056, 4096, C, READ, 0, 0});
	put(&stream, (struct put){51, 8, 4096, C, READ, 253u << 20, 0});
	imported = import_stream(&stream, &strict);
	check_accepted(&imported, 1);
	ck_assert_str_eq(imported.streams[0].name, "8,0");
	ck_assert_uint_eq(imported.report.notes, 2);
	ck_assert_ptr_nonnull(strstr(imported.report.note[1], "253,0 was left out: it has 1 "));
	imported_free(&imported);
}
END_TEST

/* A write with a flush before it keeps its data; a flush alone has none. */
START_TEST(test_flushes)
{
	struct stream stream = {0};
	struct imported imported;

	put(&stream, (struct put){10, 80, 4096, Q, WRITE | FLUSH | SYNC | FUA, 0, 0});
	put(&stream, (struct put){20, 0, 0, Q, WRITE | FLUSH | SYNC, 0, 0});
	put(&stream, (struct put){30, 0, 0, Q, READ, 0, 0});
	put(&stream, (struct put){40, 5, 512, Q, READ | PC, 0, 0});
	put(&stream, (struct put){50, 160, 1u << 31, Q, WRITE | DISCARD, 0, 0});
	imported = import_stream(&stream, &strict);
	check_accepted(&imported, 3);
	ck_assert_uint_eq(imported.records[0].op, TRACE_WRITE);
	ck_assert_uint_eq(imported.records[0].length, 4096);
	ck_assert_uint_eq(imported.records[0].flags, TRACE_PREFLUSH | TRACE_FUA | TRACE_SYNC);
	ck_assert_uint_eq(imported.records[1].op, TRACE_FLUSH);
	ck_assert_uint_eq(imported.records[1].length, 0);
	ck_assert_uint_eq(imported.records[2].op, TRACE_TRIM);
	ck_assert_uint_eq(imported.report.flushes, 2);
	ck_assert_uint_eq(imported.report.trims, 1);
	ck_assert_uint_eq(rows_with_reason(&imported.report, "zero bytes"), 1);
	ck_assert_uint_eq(rows_with_reason(&imported.report, "no I/O"), 1);
	imported_free(&imported);
}
END_TEST

/* Two at the same place complete in the order they were issued; a third was never seen to begin. */
START_TEST(test_completions)
{
	struct stream stream = {0};
	struct imported imported;

	put(&stream, (struct put){10, 8, 512, D, READ, 0, 0});
	put(&stream, (struct put){20, 8, 512, D, READ, 0, 0});
	put(&stream, (struct put){25, 8, 512, D, READ, 259u << 20, 0});
	put(&stream, (struct put){40, 8, 512, C, READ, 0, 0});
	put(&stream, (struct put){60, 8, 512, C, READ, 0, 0});
	put(&stream, (struct put){70, 8, 512, C, READ, 0, 0});
	put(&stream, (struct put){80, 16, 512, D, READ, 0, 0});
	imported = import_stream(&stream, &strict);
	check_accepted(&imported, 4);
	ck_assert_uint_eq(imported.records[0].latency_ns, 30);
	ck_assert_uint_eq(imported.records[1].latency_ns, 40);
	ck_assert_uint_eq(imported.records[2].latency_ns, TRACE_NO_LATENCY);
	ck_assert_uint_eq(imported.records[3].latency_ns, TRACE_NO_LATENCY);
	ck_assert_uint_eq(imported.stream_count, 2);
	ck_assert_uint_eq(imported.report.notes, 1);
	ck_assert_ptr_nonnull(strstr(imported.report.note[0], "1 completions have no beginning"));
	imported_free(&imported);
}
END_TEST

/* More in flight than are waited for: all come out, the first ones without a latency. */
START_TEST(test_many_in_flight)
{
	const unsigned more = EVENTS_AHEAD + 5000;
	struct stream stream = {0};
	struct imported imported;

	for (unsigned i = 0; i < more; i++)
		put(&stream, (struct put){i, 8 * i, 4096, D, READ, 0, 0});
	for (unsigned i = 0; i < more; i++)
		put(&stream, (struct put){1000000 + i, 8 * i, 4096, C, READ, 0, 0});
	imported = import_stream(&stream, &strict);
	check_accepted(&imported, more);
	for (unsigned i = 0; i < more; i++)
		ck_assert_uint_eq(imported.records[i].latency_ns,
				  i < 5000 ? TRACE_NO_LATENCY : 1000000);
	imported_free(&imported);
}
END_TEST

/* All at one place and none completes: it must stay quick (the time limit of the test). */
START_TEST(test_one_place)
{
	struct stream stream = {0};
	struct imported imported;

	for (unsigned i = 0; i < 200000; i++) {
		put(&stream, (struct put){i, 8, 4096, D, READ, 0, 0});
		put(&stream, (struct put){i, 8 + (1ULL << 40), 4096, C, READ, 0, 0});
	}
	imported = import_stream(&stream, &strict);
	check_accepted(&imported, 200000);
	imported_free(&imported);
}
END_TEST

/* Issues after so many queue events come too late to be chosen, and the report says so. */
START_TEST(test_late_issue)
{
	struct stream stream = {0};
	struct imported imported;
	struct trace_import_options issue = {.event = "D"}, wrong = {.event = "G"};

	for (int forced = 0; forced < 2; forced++) {
		for (unsigned i = 0; i < EVENTS_AHEAD; i++)
			put(&stream, (struct put){i, 8 * i, 4096, Q, READ, 0, 0});
		put(&stream, (struct put){EVENTS_AHEAD, 8, 4096, D, READ, 0, 0});
		imported = import_stream(&stream, forced ? &issue : &strict);
		check_accepted(&imported, forced ? 1 : EVENTS_AHEAD);
		ck_assert_uint_eq(imported.report.notes, forced ? 0 : 1);
		imported_free(&imported);
	}
	put(&stream, (struct put){1, 8, 4096, Q, READ, 0, 0});
	imported = import_stream(&stream, &wrong);
	ck_assert_int_eq(imported.result, -1);
	ck_assert_ptr_nonnull(strstr(imported.err.text, "'G' is none of Q"));
}
END_TEST

START_TEST(test_long_data_and_devices)
{
	struct stream stream = {0};
	struct imported imported;

	for (unsigned i = 0; i < 600; i++)
		put(&stream, (struct put){i, 8, 4096, D, READ, (8 << 20) + i % 300,
					  i < 20 ? (uint16_t)(65535 - i) : 8});
	imported = import_stream(&stream, &strict);
	check_accepted(&imported, 600);
	ck_assert_uint_eq(imported.stream_count, 300);
	imported_free(&imported);
}
END_TEST

static struct stream hundred(void)
{
	struct stream stream = {0};

	for (unsigned i = 0; i < 200; i++)
		put(&stream, (struct put){i, 8 * i, 4096, D, READ, 0, 0});
	return stream;
}

START_TEST(test_cut_short)
{
	static const size_t missing[] = {1, 20, 47};
	struct imported imported;
	struct stream stream;

	for (size_t i = 0; i < 3; i++) {
		stream = hundred();
		stream.length -= missing[i];
		imported = import_stream(&stream, &lenient);
		check_accepted(&imported, 199);
		ck_assert_uint_eq(rows_with_reason(&imported.report, "cut short"), 1);
		ck_assert_ptr_nonnull(strstr(imported.report.reason[0].first, "byte 9552"));
		imported_free(&imported);
	}
	stream = hundred();
	stream.length--;
	imported = import_stream(&stream, &strict);
	ck_assert_int_eq(imported.result, -1);
	ck_assert_ptr_nonnull(strstr(imported.err.text, "byte 9552: the last record is cut short"));
}
END_TEST

START_TEST(test_cut_in_data)
{
	struct stream stream = {0};
	struct imported imported;

	put(&stream, (struct put){1, 8, 4096, D, READ, 0, 100});
	stream.length -= 50;
	imported = import_stream(&stream, &strict);
	ck_assert_int_eq(imported.result, -1);
	ck_assert_ptr_nonnull(strstr(imported.err.text, "cut short"));
}
END_TEST

START_TEST(test_damage_in_the_middle)
{
	struct stream stream = hundred();
	struct imported imported;

	memset(stream.bytes + 48 * 50, 0x55, 48);
	imported = import_stream(&stream, &lenient);
	check_accepted(&imported, 199);
	ck_assert_uint_eq(rows_with_reason(&imported.report, "no blktrace record here"), 1);
	ck_assert_ptr_nonnull(strstr(imported.report.reason[0].first, "byte 2400"));
	imported_free(&imported);
}
END_TEST

START_TEST(test_newer_version)
{
	struct stream stream = hundred();
	struct imported imported;

	stream.bytes[0] = 9;
	imported = import_stream(&stream, &lenient);
	ck_assert_int_eq(imported.result, -1);
	ck_assert_ptr_nonnull(strstr(imported.err.text, "byte 0: blktrace record of version 9"));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("records");

	tcase_add_test(tests, test_one_class);
	tcase_add_test(tests, test_stacked_devices);
	tcase_add_test(tests, test_flushes);
	tcase_add_test(tests, test_completions);
	tcase_add_test(tests, test_many_in_flight);
	tcase_add_test(tests, test_one_place);
	tcase_add_test(tests, test_late_issue);
	tcase_add_test(tests, test_long_data_and_devices);
	tcase_add_test(tests, test_cut_short);
	tcase_add_test(tests, test_cut_in_data);
	tcase_add_test(tests, test_damage_in_the_middle);
	tcase_add_test(tests, test_newer_version);
	tcase_set_timeout(tests, 60);
	return run_case("blktrace", tests);
}
