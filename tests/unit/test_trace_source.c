/* SPDX-License-Identifier: GPL-2.0-only */
/* Inputs as bytes and lines: plain, packed in three ways, from a pipe, damaged. */
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/unit/suite.h"
#include "trace_fixture.h"

#define LINES 40000 /* more than the window holds */

enum packing { PLAIN, GZIP, XZ, ZSTD, PACKINGS };

/* LINES lines, "line N" with some length; free() it. */
static char *make_text(size_t *bytes)
{
	char *text;
	FILE *out = open_memstream(&text, bytes);
	unsigned i;

	for (i = 1; i <= LINES; i++)
		fprintf(out, "line %u %.*s%s", i, (int)(i % 40),
			"........................................", i % 3 ? "\n" : "\r\n");
	fclose(out);
	return text;
}

static size_t pack_gzip(const char *data, size_t bytes, unsigned char *to, size_t room)
{
	z_stream stream = {.next_in = (void *)(uintptr_t)data, .avail_in = (uInt)bytes};

	ck_assert_int_eq(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	stream.next_out = to;
	stream.avail_out = (uInt)room;
	ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
	deflateEnd(&stream);
	return room - stream.avail_out;
}

static size_t pack(enum packing packing, const char *data, size_t bytes, unsigned char *to,
		   size_t room)
{
	size_t used = 0;

	if (packing == GZIP)
		return pack_gzip(data, bytes, to, room);
	if (packing == ZSTD)
		return ZSTD_compress(to, room, data, bytes, 3);
	if (packing == XZ)
		ck_assert_int_eq(lzma_easy_buffer_encode(3, LZMA_CHECK_CRC64, NULL,
							 (const void *)data, bytes, to, &used,
							 room),
				 LZMA_OK);
	if (packing != PLAIN)
		return used;
	memcpy(to, data, bytes);
	return bytes;
}

/* The text, packed in `parts` parts that follow each other, in the file a. */
static size_t store_packed(enum packing packing, unsigned parts)
{
	size_t bytes, used = 0, room, at;
	char *text = make_text(&bytes);
	unsigned char *packed;
	unsigned i;

	room = bytes + 4096;
	packed = malloc(room);
	for (i = 0, at = 0; i < parts; i++) {
		size_t part = i + 1 < parts ? bytes / parts : bytes - at;

		used += pack(packing, text + at, part, packed + used, room - used);
		at += part;
	}
	store_file(below("a"), packed, used);
	free(text);
	free(packed);
	return used;
}

static struct trace_source *open_source(const char *path)
{
	struct trace_source *source;

	ck_assert_msg(!trace_source_open(path, &source, &err), "%s", err.text);
	return source;
}

/* Reads lines to the end; the result of the last call. */
static int read_lines(struct trace_source *source, unsigned *count)
{
	char *line, want[80];
	size_t length;
	int got;

	*count = 0;
	while ((got = trace_source_line(source, &line, &length, &err)) > 0) {
		++*count;
		snprintf(want, sizeof(want), "line %u %.*s", *count, (int)(*count % 40),
			 "........................................");
		ck_assert_str_eq(line, want);
		ck_assert_uint_eq(length, strlen(want));
		ck_assert_uint_eq(trace_source_line_number(source), *count);
	}
	return got;
}

START_TEST(lines_are_the_same_however_packed)
{
	struct trace_source *source;
	unsigned count;

	store_packed((enum packing)(_i / 2), 1 + _i % 2);
	source = open_source(below("a"));
	ck_assert_msg(!read_lines(source, &count), "%s", err.text);
	ck_assert_uint_eq(count, LINES);
	trace_source_close(source);
}
END_TEST

START_TEST(a_cut_packed_file_is_an_error)
{
	enum packing packing = (enum packing)_i;
	size_t bytes = store_packed(packing, 1);
	struct trace_source *source;
	unsigned count;

	ck_assert_int_eq(truncate(below("a"), (off_t)bytes / 2), 0);
	source = open_source(below("a"));
	ck_assert_int_eq(read_lines(source, &count), -1);
	ck_assert_uint_lt(count, LINES);
	ck_assert_ptr_nonnull(strstr(err.text, "ends before its end mark"));
	ck_assert_ptr_nonnull(strstr(err.text, "byte "));
	trace_source_close(source);
}
END_TEST

START_TEST(a_damaged_packed_file_is_an_error)
{
	size_t bytes = store_packed((enum packing)_i, 1);
	struct trace_source *source;
	FILE *file = fopen(below("a"), "r+");
	unsigned i;
	char *line;
	size_t length;
	int got;

	fseek(file, (long)bytes / 2, SEEK_SET);
	for (i = 0; i < 64; i++)
		putc(0xa5, file);
	fclose(file);
	source = open_source(below("a"));
	while ((got = trace_source_line(source, &line, &length, &err)) > 0)
		;
	ck_assert_int_eq(got, -1);
	ck_assert_ptr_nonnull(strstr(err.text, "byte "));
	trace_source_close(source);
}
END_TEST

START_TEST(bytes_can_be_peeked_and_skipped)
{
	struct trace_source *source;
	const unsigned char *data;
	size_t got, bytes, at = 0;
	char *text = make_text(&bytes);

	store_packed((enum packing)_i, 1);
	source = open_source(below("a"));
	for (;;) {
		ck_assert(!trace_source_peek(source, 1000, &data, &got, &err));
		ck_assert_uint_eq(trace_source_offset(source), at);
		if (!got)
			break;
		ck_assert_mem_eq(data, text + at, got);
		trace_source_skip(source, got < 777 ? got : 777);
		at += got < 777 ? got : 777;
	}
	ck_assert_uint_eq(at, bytes);
	trace_source_close(source);
	free(text);
}
END_TEST

START_TEST(the_last_line_needs_no_end)
{
	struct trace_source *source;
	char *line;
	size_t length;

	store_file(below("a"), "one\n\ntwo", 8);
	source = open_source(below("a"));
	ck_assert_int_eq(trace_source_line(source, &line, &length, &err), 1);
	ck_assert_str_eq(line, "one");
	ck_assert_int_eq(trace_source_line(source, &line, &length, &err), 1);
	ck_assert_str_eq(line, "");
	ck_assert_int_eq(trace_source_line(source, &line, &length, &err), 1);
	ck_assert_str_eq(line, "two");
	ck_assert_int_eq(trace_source_line(source, &line, &length, &err), 0);
	ck_assert_int_eq(trace_source_line(source, &line, &length, &err), 0);
	trace_source_close(source);
}
END_TEST

START_TEST(text_without_lines_is_refused)
{
	char *data = calloc(1, 1 << 20);
	struct trace_source *source;
	char *line;
	size_t length;

	store_file(below("a"), data, 1 << 20);
	source = open_source(below("a"));
	ck_assert_int_eq(trace_source_line(source, &line, &length, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "a:1: no end of line"));
	trace_source_close(source);
	free(data);
}
END_TEST

START_TEST(an_empty_file_has_no_line)
{
	struct trace_source *source;
	const unsigned char *data;
	char *line;
	size_t length;

	store_file(below("a"), "", 0);
	source = open_source(below("a"));
	ck_assert(!trace_source_peek(source, 10, &data, &length, &err));
	ck_assert_uint_eq(length, 0);
	ck_assert_int_eq(trace_source_line(source, &line, &length, &err), 0);
	trace_source_close(source);
}
END_TEST

START_TEST(what_cannot_be_opened_is_named)
{
	struct trace_source *source;

	ck_assert(trace_source_open(below("none"), &source, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "none cannot be opened"));
	ck_assert(trace_source_open(folder, &source, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "cannot be read"));
}
END_TEST

static Suite *suite(void)
{
	Suite *all = suite_create("trace source");
	TCase *test = tcase_create("source");

	tcase_add_checked_fixture(test, make_folder, remove_folder);
	tcase_add_loop_test(test, lines_are_the_same_however_packed, 0, 2 * PACKINGS);
	tcase_add_loop_test(test, a_cut_packed_file_is_an_error, GZIP, PACKINGS);
	tcase_add_loop_test(test, a_damaged_packed_file_is_an_error, GZIP, PACKINGS);
	tcase_add_loop_test(test, bytes_can_be_peeked_and_skipped, 0, PACKINGS);
	tcase_add_test(test, the_last_line_needs_no_end);
	tcase_add_test(test, text_without_lines_is_refused);
	tcase_add_test(test, an_empty_file_has_no_line);
	tcase_add_test(test, what_cannot_be_opened_is_named);
	suite_add_tcase(all, test);
	return all;
}

int main(void)
{
	return run_suite(suite());
}
