/* SPDX-License-Identifier: GPL-2.0-only */
/* One import of hostile bytes, and whether its result is one. For the fuzzers. */
#ifndef SSDREVIEW_TESTS_IMPORT_ONE_H
#define SSDREVIEW_TESTS_IMPORT_ONE_H

#include <sys/mman.h>
#include <unistd.h>

#include "engines/trace/trace.h"

/* A file in memory. */
struct memory_file {
	int fd;
	char path[64];
};

static inline int memory_file_open(struct memory_file *file)
{
	file->fd = memfd_create("hostile", 0);
	snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", file->fd);
	return file->fd < 0 ? -1 : 0;
}

static inline int memory_file_write(struct memory_file *file, const void *bytes, size_t length)
{
	return ftruncate(file->fd, 0) || pwrite(file->fd, bytes, length, 0) != (ssize_t)length;
}

/* NULL, or what is wrong: a result that is none, or rows that vanished. */
static inline const char *import_judge(int result, const struct trace_report *report,
				       const struct error *err)
{
	uint64_t sum = report->rows_out + report->filtered;

	for (unsigned i = 0; i < report->reasons; i++)
		sum += report->reason[i].rows;
	if (result && !err->text[0])
		return "refused without a sentence";
	if (!result && !report->rows_out)
		return "accepted without a record";
	return sum == report->rows_in ? NULL : "the rows do not add up";
}

/* Imports the file as `format` (NULL: as it is recognised); shaped: with a map or a line format. */
static inline const char *import_one(const char *path, const char *format, bool strict, bool shaped)
{
	struct trace_import_options options = {.format = format, .strict = strict, .dry_run = true};
	struct trace_report report;
	struct error err = {.text = ""};
	int result;

	if (shaped || (format && !strcmp(format, "csv")))
		options.columns = "time_us,op,offset_b,len_b,...";
	if (shaped)
		options.line_format = "%5T.%9t, %p, %C, %a, %d, %S, %n, %N\\n";
	result = trace_import_files(&path, 1, "/nowhere", &options, &report, &err);
	return import_judge(result, &report, &err);
}

#endif
