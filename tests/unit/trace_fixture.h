/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of traces share: a folder, and traces that are quickly written. */
#ifndef SSDREVIEW_TRACE_FIXTURE_H
#define SSDREVIEW_TRACE_FIXTURE_H

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engines/trace/trace.h"

static char folder[64];
static struct error err;

static inline void make_folder(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/trace.XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* The path of a file in the folder; four of them stay valid. */
static inline const char *below(const char *name)
{
	static char paths[4][128];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%.60s", folder, name);
	return path;
}

/* How many files the folder holds. */
static inline unsigned count_files(void)
{
	DIR *open_folder = opendir(folder);
	struct dirent *entry;
	unsigned count = 0;

	while ((entry = readdir(open_folder)))
		count += entry->d_name[0] != '.';
	closedir(open_folder);
	return count;
}

static inline void remove_folder(void)
{
	DIR *open_folder = opendir(folder);
	struct dirent *entry;

	while ((entry = readdir(open_folder)))
		if (entry->d_name[0] != '.')
			unlink(below(entry->d_name));
	closedir(open_folder);
	ck_assert_int_eq(rmdir(folder), 0);
}

static inline void store_file(const char *path, const void *data, size_t bytes)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(data, 1, bytes, file), bytes);
	ck_assert_int_eq(fclose(file), 0);
}

/* Record number i of a made-up trace of two streams; no two are alike. */
static inline struct trace_record sample(uint64_t i)
{
	return (struct trace_record){
		.time_ns = 5000000000ULL + i * 1000,
		.offset = (i * 7919 % 100000) * 4096,
		.length = i % 50 == 49 ? 0 : 4096 * (1 + i % 8),
		.latency_ns = i % 3 ? 50000 + i : TRACE_NO_LATENCY,
		.stream = (uint16_t)(i & 1),
		.op = (uint8_t)(i % 50 == 49 ? TRACE_FLUSH
				: i % 4 == 0 ? TRACE_WRITE
					     : TRACE_READ),
		.flags = (uint8_t)(i % 32),
	};
}

static inline struct trace_writer *begin_trace(const char *path, bool compress, size_t memory_bytes)
{
	struct trace_writer_options options = {.compress = compress, .memory_bytes = memory_bytes};
	struct trace_provenance from = {"capture.csv", "csv", "issue", "test 1", "made up"};
	struct trace_writer *writer;

	ck_assert_msg(!trace_writer_open(path, &options, &writer, &err), "%s", err.text);
	ck_assert_int_eq(trace_writer_stream(writer, "sda", 1ULL << 40, &err), 0);
	ck_assert_int_eq(trace_writer_stream(writer, "sdb", 0, &err), 1);
	ck_assert(!trace_writer_phase(writer, "login", 5000000000ULL + 2000000, &err));
	ck_assert(!trace_writer_phase(writer, "boot", 5000000000ULL, &err));
	trace_writer_provenance(writer, &from);
	return writer;
}

/* The first `count` samples, in order. */
static inline void write_samples(const char *path, bool compress, uint64_t count)
{
	struct trace_writer *writer = begin_trace(path, compress, 0);
	uint64_t i;

	for (i = 0; i < count; i++) {
		struct trace_record record = sample(i);

		ck_assert_msg(!trace_writer_append(writer, &record, &err), "%s", err.text);
	}
	ck_assert_msg(!trace_writer_finish(writer, &err), "%s", err.text);
}

static inline struct trace *open_trace(const char *path)
{
	struct trace *trace;

	ck_assert_msg(!trace_open(path, &trace, &err), "%s", err.text);
	return trace;
}

/* Is `got` record number i, with its time from the first one? */
static inline void expect_sample(const struct trace_record *got, uint64_t i)
{
	struct trace_record want = sample(i);

	ck_assert_uint_eq(got->time_ns, i * 1000);
	ck_assert_uint_eq(got->offset, want.offset);
	ck_assert_uint_eq(got->length, want.length);
	ck_assert_uint_eq(got->latency_ns, want.latency_ns);
	ck_assert_uint_eq(got->stream, want.stream);
	ck_assert_uint_eq(got->op, want.op);
	ck_assert_uint_eq(got->flags, want.flags);
}

#endif
