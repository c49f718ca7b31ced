/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands table, chart and report under test: made-up reviews (tests/tools/make_results.c) and
 * fio files to work on, and what a command prints. Each test includes this once.
 */
#ifndef SSDREVIEW_POST_FIXTURE_H
#define SSDREVIEW_POST_FIXTURE_H

#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "postprocess/postprocess.h"
#include "tests/unit/suite.h"

static char folder[] = "/tmp/test_post.XXXXXX";
static char drives[4][PATH_MAX]; /* the made-up reviews */

typedef int command(int argc, char **argv);

/* What a command printed, and its exit code. */
struct outcome {
	int code;
	char *out, *err;
};

static inline char *path_to(const char *name)
{
	static char paths[8][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	return path;
}

static inline void tool_path(char *path, size_t room, const char *tool)
{
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[length > 0 ? length : 0] = '\0';
	snprintf(path, room, "%s/../tools/%s", dirname(program), tool);
}

static inline char *read_all(const char *path)
{
	struct error err;
	char *text;
	size_t bytes;

	ck_assert_msg(!file_read(path, &text, &bytes, &err), "%s", err.text);
	return text;
}

static inline void redirect(int fd, const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(file, 0);
	dup2(file, fd);
	close(file);
}

/* Runs a command with words up to NULL; its output goes to files meanwhile. */
static inline struct outcome run(command *what, char **words)
{
	int old_out = dup(STDOUT_FILENO), old_err = dup(STDERR_FILENO), count = 0;
	struct outcome outcome;

	while (words[count])
		count++;
	fflush(stdout);
	redirect(STDOUT_FILENO, path_to("out"));
	redirect(STDERR_FILENO, path_to("err"));
	outcome.code = what(count, words);
	fflush(stdout);
	dup2(old_out, STDOUT_FILENO);
	dup2(old_err, STDERR_FILENO);
	close(old_out);
	close(old_err);
	outcome.out = read_all(path_to("out"));
	outcome.err = read_all(path_to("err"));
	return outcome;
}

#define RUN(what, ...) run(what, (char *[]){__VA_ARGS__, NULL})

static inline void outcome_free(struct outcome *outcome)
{
	free(outcome->out);
	free(outcome->err);
}

static inline void check_holds(const char *text, const char *words)
{
	ck_assert_msg(strstr(text, words) != NULL, "\"%s\" is not in:\n%s", words, text);
}

static inline bool exists(const char *path)
{
	struct stat about;

	return !stat(path, &about) && about.st_size > 0;
}

static inline bool has_gnuplot(void)
{
	return system("gnuplot --version >/dev/null 2>&1") == 0;
}

static inline void remove_in(const char *review, const char *file)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", review, file);
	ck_assert_int_eq(unlink(path), 0);
}

static inline void write_in(const char *review, const char *file, const char *text)
{
	char path[PATH_MAX + 64];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", review, file);
	out = fopen(path, "w");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}

static inline void copy_review(const char *from, const char *to)
{
	char line[2 * PATH_MAX + 32];

	snprintf(line, sizeof(line), "cp -r '%s' '%s'", from, to);
	ck_assert_int_eq(system(line), 0);
}

/* The curve our job files write: one section a step. */
static inline void put_curve(const char *name, double scale)
{
	static const char *const steps[] = {"max", "050", "100", "120"};
	static const double rates[] = {1, 0.5, 1, 0.8};
	char text[8192];
	size_t used = (size_t)sprintf(text, "{\"fio version\":\"fio-3.33\",\"jobs\":["), i;

	for (i = 0; i < 4; i++)
		used += (size_t)sprintf(
			text + used,
			"%s{\"jobname\":\"%s\",\"job options\":{\"rw\":\"randread\",\"bs\":"
			"\"4096\",\"iodepth\":\"128\"},\"read\":{\"iops\":%f,\"total_ios\":%.0f,"
			"\"io_bytes\":%.0f,\"io_kbytes\":1,\"bw_bytes\":%f,\"runtime\":30000,"
			"\"clat_ns\":{\"mean\":%zu00000,\"max\":9999999,\"stddev\":1}}}",
			i ? "," : "", steps[i], rates[i] * scale, rates[i] * scale * 30,
			rates[i] * scale * 30 * 4096, rates[i] * scale * 4096, i + 3);
	strcpy(text + used, "]}");
	write_in(folder, name, text);
}

/* One point "100" by our engine, with statistics in a file of that name. */
static inline void put_judged(const char *output, const char *stats, double cpu_wait)
{
	char text[2048];

	snprintf(
		text, sizeof(text),
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"100\",\"job options\":{"
		"\"ioengine\":\"external:build/openloop.so\",\"bs\":\"4k\",\"rw\":\"randread\","
		"\"stats_file\":\"%s\"},\"read\":{\"iops\":1000,\"total_ios\":1000,\"io_bytes\":"
		"4096000,\"io_kbytes\":4000,\"clat_ns\":{\"mean\":90000,\"max\":99000,\"stddev\":1}"
		"}}]}",
		stats);
	write_in(folder, output, text);
	snprintf(text, sizeof(text),
		 "{\"version\":1,\"job\":\"100\",\"clone\":1,\"clones\":1,\"nominal_iops\":1000,"
		 "\"offered\":1000,\"offered_iops\":1000,\"achieved\":1000,\"achieved_iops\":1000,"
		 "\"unsent\":{\"count\":0},\"lateness_free_slot\":{\"count\":9,\"p99_ns\":9},"
		 "\"lateness_at_limit\":{\"count\":0},\"busy_share\":0.1,\"cpu_wait_share\":%f}",
		 cpu_wait);
	write_in(folder, "judged.stats.json", text);
}

/* The made-up reviews; false when the tool that makes them is missing or fails. */
static inline bool make_reviews(void)
{
	char tool[PATH_MAX], line[2 * PATH_MAX];
	size_t i;

	tool_path(tool, sizeof(tool), "make_results");
	snprintf(line, sizeof(line), "'%s' '%s'", tool, folder);
	for (i = 0; i < 4; i++)
		snprintf(drives[i], sizeof(drives[i]), "%s/drive-%zu", folder, i + 1);
	return system(line) == 0;
}

static inline int remove_one(const char *path, const struct stat *about, int kind,
			     struct FTW *where)
{
	(void)about;
	(void)kind;
	(void)where;
	return remove(path);
}

/* Runs a suite on reviews made for it; what main() returns. */
static inline int run_on_reviews(Suite *suite)
{
	int code;

	if (!mkdtemp(folder) || !make_reviews())
		return EXIT_FAILURE;
	code = run_suite(suite);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return code;
}

#endif
