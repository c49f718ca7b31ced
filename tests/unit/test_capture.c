/* SPDX-License-Identifier: GPL-2.0-only */
/* Capturing without a kernel: records among foreign text, messages, lost events, keys, the journal.
 */
#include <sys/stat.h>

#include "review/capture.h"
#include "tests/unit/import_fixture.h"
#include "tests/unit/suite.h"

#define READ	 1u
#define FLUSH	 4u
#define ISSUE	 (1u << 6)
#define COMPLETE (1u << 7)

struct bytes {
	unsigned char at[8192];
	size_t used;
};

static void put(struct bytes *bytes, const void *from, size_t count)
{
	ck_assert_uint_le(bytes->used + count, sizeof(bytes->at));
	memcpy(bytes->at + bytes->used, from, count);
	bytes->used += count;
}

/* A record as the kernel writes it: of act 1 Q, 7 D, 8 C. */
static void put_record(struct bytes *bytes, uint64_t time_ns, uint64_t sector, uint32_t length,
		       uint32_t category, uint32_t act)
{
	struct {
		uint32_t magic, sequence;
		uint64_t time, sector;
		uint32_t bytes, action, pid, device, cpu;
		uint16_t error, data_bytes;
	} record = {
		.magic = 0x65617407,
		.time = time_ns,
		.sector = sector,
		.bytes = length,
		.action = category << 16 | act,
		.device = 259u << 20 | 3,
	};

	put(bytes, &record, sizeof(record));
}

static void put_message(struct bytes *bytes, uint64_t time_ns, const char *text)
{
	unsigned char record[TRACE_MESSAGE_RECORD];

	put(bytes, record, trace_capture_message(time_ns, text, record));
}

/* ---- records among what the kernel prints --------------------------------------------------- */

START_TEST(foreign_text_is_dropped)
{
	static const char lost[] = "CPU:1 [LOST 1794 EVENTS]\n";
	struct trace_capture counts = {0};
	struct bytes bytes = {0}, wanted = {0};
	size_t rest, kept;

	put(&bytes, lost, strlen(lost));
	put_record(&bytes, 5, 8, 4096, READ | ISSUE, 7);
	put(&bytes, lost, strlen(lost));
	put_record(&bytes, 6, 8, 4096, READ | COMPLETE, 8);
	put_record(&wanted, 5, 8, 4096, READ | ISSUE, 7);
	put_record(&wanted, 6, 8, 4096, READ | COMPLETE, 8);
	kept = trace_capture_scan(bytes.at, bytes.used, 'D', &counts, &rest);
	ck_assert_uint_eq(rest, bytes.used);
	ck_assert_uint_eq(kept, wanted.used);
	ck_assert_int_eq(memcmp(bytes.at, wanted.at, kept), 0);
	ck_assert_uint_eq(counts.ios, 1);
	ck_assert_uint_eq(counts.bytes, 4096);
}
END_TEST

START_TEST(a_record_may_come_in_two_parts)
{
	struct bytes bytes = {0};
	size_t cut;

	put_record(&bytes, 5, 8, 4096, READ | ISSUE, 7);
	put_record(&bytes, 6, 16, 8192, READ | ISSUE, 7);
	for (cut = 1; cut < bytes.used; cut++) {
		struct trace_capture counts = {0};
		unsigned char copy[sizeof(bytes.at)];
		size_t rest, kept, all;

		memcpy(copy, bytes.at, bytes.used);
		all = kept = trace_capture_scan(copy, cut, 'D', &counts, &rest);
		ck_assert_uint_eq(kept, rest);
		all += trace_capture_scan(copy + rest, bytes.used - rest, 'D', &counts, &rest);
		ck_assert_uint_eq(all, bytes.used);
		ck_assert_uint_eq(counts.ios, 2);
		ck_assert_uint_eq(counts.bytes, 12288);
	}
}
END_TEST

START_TEST(only_the_event_taken_is_counted)
{
	struct trace_capture issues = {0}, queued = {0};
	struct bytes bytes = {0};
	size_t rest;

	put_record(&bytes, 5, 8, 4096, READ, 1);
	put_record(&bytes, 6, 8, 4096, READ | ISSUE, 7);
	put_record(&bytes, 7, 0, 0, FLUSH | ISSUE, 7);
	put_record(&bytes, 8, 0, 0, READ | ISSUE, 7);
	put_message(&bytes, 9, "phase: login");
	trace_capture_scan(bytes.at, bytes.used, 'D', &issues, &rest);
	trace_capture_scan(bytes.at, bytes.used, 'Q', &queued, &rest);
	ck_assert_uint_eq(issues.ios, 2);
	ck_assert_uint_eq(issues.bytes, 4096);
	ck_assert_uint_eq(queued.ios, 1);
}
END_TEST

START_TEST(a_newer_record_is_named)
{
	struct trace_capture counts = {0};
	struct bytes bytes = {0};
	uint32_t magic = 0x65617409;
	size_t rest;

	put_record(&bytes, 5, 8, 4096, READ | ISSUE, 7);
	memcpy(bytes.at, &magic, sizeof(magic));
	ck_assert_uint_eq(trace_capture_scan(bytes.at, bytes.used, 'D', &counts, &rest), 0);
	ck_assert_uint_eq(counts.unknown_version, 9);
}
END_TEST

/* ---- messages ------------------------------------------------------------------------------- */

/* Imports to a file and opens it. */
static struct trace *import_to(const struct bytes *bytes, struct trace_report *report, char *to,
			       size_t room)
{
	const struct trace_import_options options = {.converter = "test"};
	const char *path;
	struct trace *trace;
	struct error err;
	char from[512];
	FILE *file;

	temporary_name(from, sizeof(from));
	temporary_name(to, room);
	file = fopen(from, "w");
	ck_assert_uint_eq(fwrite(bytes->at, 1, bytes->used, file), bytes->used);
	fclose(file);
	path = from;
	ck_assert_msg(!trace_import_files(&path, 1, to, &options, report, &err), "%s", err.text);
	ck_assert_msg(!trace_open(to, &trace, &err), "%s", err.text);
	unlink(from);
	unlink(to);
	return trace;
}

START_TEST(messages_say_what_records_do_not)
{
	struct trace_report report;
	struct bytes bytes = {0};
	struct trace_cursor cursor;
	struct trace_record record;
	struct trace *trace;
	char to[512];

	put_message(&bytes, 0, "clock: 1000000000000000000");
	put_message(&bytes, 0, "source: /dev/x (A disk) of host");
	put_message(&bytes, 0, "disk: 259,3 1048576 2097152 nvme0n1p3");
	put_record(&bytes, 100, 2048, 4096, READ | ISSUE, 7);
	put_message(&bytes, 150, "phase: first login\n");
	put_record(&bytes, 200, 2056, 4096, READ | ISSUE, 7);
	put_message(&bytes, 300, "lost: 7");
	trace = import_to(&bytes, &report, to, sizeof(to));
	ck_assert_uint_eq(trace_header(trace)->lost, 7);
	ck_assert_int_eq(trace_header(trace)->clock, TRACE_CLOCK_UNIX);
	ck_assert_uint_eq(trace_header(trace)->start_ns, 1000000000000000100);
	ck_assert_str_eq(trace_header(trace)->provenance.source, "/dev/x (A disk) of host");
	ck_assert_str_eq(trace_header(trace)->provenance.note, "");
	ck_assert_str_eq(trace_stream(trace, 0)->name, "nvme0n1p3");
	ck_assert_uint_eq(trace_stream(trace, 0)->size_bytes, 2097152);
	ck_assert_uint_eq(trace_header(trace)->phases, 1);
	ck_assert_str_eq(trace_phase(trace, 0)->name, "first login");
	ck_assert_uint_eq(trace_phase(trace, 0)->start_ns, 50);
	trace_cursor_open(trace, &cursor);
	ck_assert_int_eq(trace_next(&cursor, &record), 1);
	ck_assert_uint_eq(record.offset, 0);
	ck_assert_int_eq(trace_next(&cursor, &record), 1);
	ck_assert_uint_eq(record.offset, 4096);
	trace_cursor_close(&cursor);
	trace_close(trace);
}
END_TEST

START_TEST(a_killed_capture_does_not_say_what_it_lost)
{
	struct trace_report report;
	struct bytes bytes = {0};
	struct trace *trace;
	char to[512];

	put_message(&bytes, 0, "source: /dev/x");
	put_record(&bytes, 100, 2048, 4096, READ | ISSUE, 7);
	trace = import_to(&bytes, &report, to, sizeof(to));
	ck_assert_ptr_nonnull(strstr(trace_header(trace)->provenance.note, "not come to its end"));
	ck_assert_uint_eq(trace_header(trace)->lost, 0);
	trace_close(trace);
}
END_TEST

START_TEST(messages_of_others_change_nothing)
{
	static const char *const texts[] = {
		"",
		"phase:",
		"phase: ",
		"disk: 1 2",
		"disk: 259,3 x 1 a",
		"clock: x",
		"lost: -1",
		"lost: 99999999999999999999",
		"cfq1234 insert",
		"disk: 259,3 1 2 ",
		"source",
		"phase",
	};
	struct trace_report report;
	struct bytes bytes = {0};
	struct trace *trace;
	char to[512];
	size_t i;

	for (i = 0; i < COUNT(texts); i++)
		put_message(&bytes, 50, texts[i]);
	put_record(&bytes, 100, 2048, 4096, READ | ISSUE, 7);
	trace = import_to(&bytes, &report, to, sizeof(to));
	ck_assert_str_eq(trace_stream(trace, 0)->name, "259,3");
	ck_assert_uint_eq(trace_header(trace)->lost, 0);
	ck_assert_uint_eq(trace_header(trace)->phases, 0);
	ck_assert_uint_eq(trace_header(trace)->start_ns, 100);
	trace_close(trace);
}
END_TEST

/* ---- lost events ---------------------------------------------------------------------------- */

START_TEST(lost_events_are_added)
{
	char text[] = "entries: 127\noverrun: 1794\ncommit overrun: 2\nbytes: 9\n"
		      "oldest event ts: 11669.203633\nnow ts: 11669.3\ndropped events: 4\n"
		      "read events: 205\n";
	FILE *stats = fmemopen(text, strlen(text), "r");

	ck_assert_ptr_nonnull(stats);
	ck_assert_uint_eq(capture_lost_parse(stats), 1800);
	fclose(stats);
}
END_TEST

/* ---- keys ----------------------------------------------------------------------------------- */

/* Types a text; what its last byte meant. */
static enum capture_key type(struct capture_keys *keys, const char *text)
{
	enum capture_key key = CAPTURE_NOTHING;

	for (; *text; text++)
		key = capture_keys_take(keys, *text);
	return key;
}

START_TEST(keys_at_a_terminal)
{
	struct capture_keys keys = {.terminal = true, .open = true};

	ck_assert_int_eq(type(&keys, "x"), CAPTURE_NOTHING);
	ck_assert_int_eq(type(&keys, "p"), CAPTURE_NOTHING);
	ck_assert(keys.asking);
	ck_assert_int_eq(type(&keys, "loq\x7fgin\n"), CAPTURE_PHASE);
	ck_assert_str_eq(keys.line, "login");
	ck_assert(!keys.asking);
	ck_assert_int_eq(type(&keys, "pa\xc3\xa4\x7f\x7f\n"), CAPTURE_NOTHING);
	ck_assert_int_eq(type(&keys, "pabc\x1b"), CAPTURE_NOTHING);
	ck_assert(!keys.asking);
	ck_assert_int_eq(type(&keys, "pm\xc3\xa4rz\r"), CAPTURE_PHASE);
	ck_assert_str_eq(keys.line, "m\xc3\xa4rz");
	ck_assert_int_eq(type(&keys, "q"), CAPTURE_STOP);
}
END_TEST

START_TEST(lines_of_a_script)
{
	struct capture_keys keys = {.open = true};
	char line[300];

	ck_assert_int_eq(type(&keys, "quit p\n"), CAPTURE_PHASE);
	ck_assert_str_eq(keys.line, "quit p");
	ck_assert_int_eq(type(&keys, "\r\n\n"), CAPTURE_NOTHING);
	memset(line, 'a', sizeof(line));
	line[sizeof(line) - 2] = '\n';
	line[sizeof(line) - 1] = '\0';
	ck_assert_int_eq(type(&keys, line), CAPTURE_PHASE);
	ck_assert_uint_eq(strlen(keys.line), TRACE_PHASE_BYTES - 1);
}
END_TEST

/* ---- the journal ---------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void file_holds(const char *path, const char *text)
{
	char *found;
	size_t bytes;
	struct error err;

	ck_assert_msg(!file_read(path, &found, &bytes, &err), "%s", err.text);
	ck_assert_str_eq(found, text);
	free(found);
}

START_TEST(the_journal_undoes)
{
	char setting[512], path[512];
	struct capture_journal journal, second;
	struct error err;

	temporary_name(setting, sizeof(setting));
	temporary_name(path, sizeof(path));
	write_file(setting, "1");
	ck_assert_int_eq(capture_journal_open(&journal, path, &err), 0);
	ck_assert_str_eq(journal.left_in, "");
	ck_assert_int_eq(capture_journal_folder(&journal, "/some/folder", &err), 0);
	ck_assert_int_eq(capture_journal_set(&journal, setting, "2", "1", &err), 0);
	ck_assert_int_eq(capture_journal_set(&journal, setting, "3", "2", &err), 0);
	file_holds(setting, "3");
	ck_assert_int_eq(capture_journal_open(&second, path, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "another"));
	close(journal.fd); /* as a kill -9 does */
	ck_assert_int_eq(capture_journal_open(&second, path, &err), 0);
	ck_assert_str_eq(second.left_in, "/some/folder");
	file_holds(setting, "1");
	ck_assert_int_eq(capture_journal_set(&second, setting, "5", "4", &err), 0);
	capture_journal_close(&second);
	file_holds(setting, "4");
	file_holds(path, "");
	unlink(setting);
	unlink(path);
}
END_TEST

START_TEST(a_journal_cut_short_is_undone_up_to_there)
{
	char one[512], other[512], path[512], text[2048];
	struct capture_journal journal;
	struct error err;

	temporary_name(one, sizeof(one));
	temporary_name(other, sizeof(other));
	temporary_name(path, sizeof(path));
	write_file(other, "x");
	snprintf(text, sizeof(text), "/folder\n%s\tback\n%s\tcut", one, other);
	write_file(path, text);
	ck_assert_int_eq(capture_journal_open(&journal, path, &err), 0);
	file_holds(one, "back");
	file_holds(other, "x");
	capture_journal_close(&journal);
	unlink(one);
	unlink(other);
	unlink(path);
}
END_TEST

/* ---- events --------------------------------------------------------------------------------- */

START_TEST(the_event_follows_the_disks)
{
	struct capture_disk disks[2] = {{.path = "/dev/dm-0"},
					{.path = "/dev/sda", .issues = true}};
	struct error err;
	char event;

	ck_assert_int_eq(capture_event(disks, 1, NULL, &event, &err), 0);
	ck_assert_int_eq(event, 'Q');
	ck_assert_int_eq(capture_event(disks + 1, 1, NULL, &event, &err), 0);
	ck_assert_int_eq(event, 'D');
	ck_assert_int_eq(capture_event(disks, 2, NULL, &event, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "/dev/dm-0"));
	ck_assert_int_eq(capture_event(disks, 2, "Q", &event, &err), 0);
	ck_assert_int_eq(capture_event(disks, 1, "D", &event, &err), -1);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("capture");

	tcase_add_test(tests, foreign_text_is_dropped);
	tcase_add_test(tests, a_record_may_come_in_two_parts);
	tcase_add_test(tests, only_the_event_taken_is_counted);
	tcase_add_test(tests, a_newer_record_is_named);
	tcase_add_test(tests, messages_say_what_records_do_not);
	tcase_add_test(tests, a_killed_capture_does_not_say_what_it_lost);
	tcase_add_test(tests, messages_of_others_change_nothing);
	tcase_add_test(tests, lost_events_are_added);
	tcase_add_test(tests, keys_at_a_terminal);
	tcase_add_test(tests, lines_of_a_script);
	tcase_add_test(tests, the_journal_undoes);
	tcase_add_test(tests, a_journal_cut_short_is_undone_up_to_there);
	tcase_add_test(tests, the_event_follows_the_disks);
	return run_case("capture", tests);
}
