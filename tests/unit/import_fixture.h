/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of the importers share: files to import, and what came out of them. */
#ifndef SSDREVIEW_TESTS_IMPORT_FIXTURE_H
#define SSDREVIEW_TESTS_IMPORT_FIXTURE_H

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

#include "engines/trace/trace.h"

/* One import with all that came out of it in memory. */
struct imported {
	int result;
	struct error err;
	struct trace_report report;
	struct trace_record *records; /* times as in the capture, as trace_header.start_ns says */
	uint64_t count;
	struct trace_stream *streams;
	unsigned stream_count;
};

static inline void temporary_name(char *path, size_t room)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	snprintf(path, room, "%s/import-test-XXXXXX", folder ? folder : "/tmp");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static inline void read_records(const char *path, struct imported *out)
{
	struct trace_cursor cursor;
	struct trace *trace;
	unsigned i;

	ck_assert_msg(!trace_open(path, &trace, &out->err), "%s", out->err.text);
	ck_assert_msg(!trace_verify(trace, &out->err), "%s", out->err.text);
	out->count = trace_header(trace)->records;
	out->records = calloc(out->count, sizeof(*out->records));
	ck_assert_ptr_nonnull(out->records);
	trace_cursor_open(trace, &cursor);
	for (uint64_t n = 0; n < out->count; n++) {
		ck_assert_int_eq(trace_next(&cursor, &out->records[n]), 1);
		out->records[n].time_ns += trace_header(trace)->start_ns;
	}
	trace_cursor_close(&cursor);
	out->stream_count = trace_header(trace)->streams;
	out->streams = calloc(out->stream_count, sizeof(*out->streams));
	for (i = 0; i < out->stream_count; i++)
		out->streams[i] = *trace_stream(trace, i);
	trace_close(trace);
}

/* Imports files; the records are read back when it succeeded. */
static inline struct imported import_paths(const char *const *paths, unsigned count,
					   const struct trace_import_options *options)
{
	struct imported out = {0};
	char to[512];

	temporary_name(to, sizeof(to));
	out.result = trace_import_files(paths, count, to, options, &out.report, &out.err);
	if (!out.result && !options->dry_run)
		read_records(to, &out);
	unlink(to);
	return out;
}

/* Imports bytes as if they were a file. */
static inline struct imported import_bytes(const void *bytes, size_t length,
					   const struct trace_import_options *options)
{
	struct imported out;
	const char *path;
	char from[512];
	FILE *file;

	temporary_name(from, sizeof(from));
	file = fopen(from, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
	fclose(file);
	path = from;
	out = import_paths(&path, 1, options);
	unlink(from);
	return out;
}

static inline struct imported import_text(const char *text,
					  const struct trace_import_options *options)
{
	return import_bytes(text, strlen(text), options);
}

static inline void imported_free(struct imported *imported)
{
	free(imported->records);
	free(imported->streams);
}

/* Rows of the report's entries whose reason holds `word`. */
static inline uint64_t rows_with_reason(const struct trace_report *report, const char *word)
{
	uint64_t rows = 0;

	for (unsigned i = 0; i < report->reasons; i++)
		if (strstr(report->reason[i].reason, word))
			rows += report->reason[i].rows;
	return rows;
}

#endif
