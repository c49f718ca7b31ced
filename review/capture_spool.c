/* SPDX-License-Identifier: GPL-2.0-only */
/* The records on their way: out of the kernel's pipes, one a CPU, into one file each. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "review/capture.h"
#include "review/cmd_trace.h"

#define PIPE_BYTES (128u << 10)
#define MESSAGES   "messages"
/* Of one CPU before the next one's turn: 1 MiB when the kernel gives a page at a time. */
#define READS_IN_TURN 256

struct capture_pipe {
	unsigned cpu;
	int in, out; /* out -1: no record came yet */
	size_t used; /* bytes of a record that has not come to its end */
	unsigned char bytes[PIPE_BYTES];
};

/* ---- files ---------------------------------------------------------------------------------- */

int capture_spool_open(struct capture_spool *spool, const char *output, char event,
		       struct error *err)
{
	char quoted[SHELL_WORD_ROOM];

	*spool = (struct capture_spool){.event = event};
	path_format(spool->folder, "%.4000s.capture", output);
	if (mkdir(spool->folder, 0700) == 0) {
		if (access(output, F_OK))
			return 0;
		rmdir(spool->folder);
		return error_set(err, "%s exists, and a capture replaces none; give another name",
				 output);
	}
	if (errno == EEXIST)
		return error_set(err,
				 "%s holds a capture that did not come to its end: ssdreview trace "
				 "import %s/* -o FILE.vdt makes a trace of it; then remove it",
				 spool->folder, shell_word(spool->folder, quoted));
	return error_set(err, "%s cannot be made: %s", spool->folder, strerror(errno));
}

static void file_path(const struct capture_spool *spool, unsigned cpu, char *path)
{
	path_format(path, "%.4000s/capture.blktrace.%u", spool->folder, cpu);
}

static int open_file(const char *path, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);

	return fd >= 0 ? fd : error_set(err, "%s cannot be written: %s", path, strerror(errno));
}

static int append(struct capture_spool *spool, int fd, const unsigned char *bytes, size_t count,
		  struct error *err)
{
	ssize_t written;
	size_t done = 0;

	while (done < count) {
		written = write(fd, bytes + done, count - done);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return error_set(err, "%s cannot be written: %s", spool->folder,
					 strerror(errno));
		done += (size_t)written;
	}
	spool->file_bytes += count;
	return 0;
}

int capture_spool_message(struct capture_spool *spool, uint64_t time_ns, struct error *err,
			  const char *format, ...)
{
	unsigned char record[TRACE_MESSAGE_RECORD];
	char text[TRACE_MESSAGE_BYTES + 1], path[PATH_MAX];
	va_list args;
	int fd, failed;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	path_format(path, "%.4000s/" MESSAGES, spool->folder);
	fd = open_file(path, err);
	if (fd < 0)
		return -1;
	failed = append(spool, fd, record, trace_capture_message(time_ns, text, record), err);
	close(fd);
	return failed;
}

/* ---- pipes ---------------------------------------------------------------------------------- */

static int open_pipe(struct capture_pipe *pipe, unsigned cpu, const char *tracefs,
		     struct error *err)
{
	char path[PATH_MAX];

	path_format(path, "%.1000s/per_cpu/cpu%u/trace_pipe", tracefs, cpu);
	pipe->cpu = cpu;
	pipe->out = -1;
	pipe->in = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (pipe->in >= 0)
		return 0;
	if (errno == EBUSY)
		return error_set(err, "%s is being read by somebody else; stop that first", path);
	return error_set(err, "%s cannot be read: %s", path, strerror(errno));
}

int capture_spool_attach(struct capture_spool *spool, const struct capture_tracer *tracer,
			 struct error *err)
{
	unsigned cpu;

	spool->pipes = calloc(tracer->cpus, sizeof(*spool->pipes));
	if (!spool->pipes)
		return error_set(err, "out of memory");
	for (cpu = 0; cpu < tracer->cpus; cpu++) {
		if (open_pipe(&spool->pipes[cpu], cpu, tracer->tracefs, err))
			return -1;
		spool->count++;
	}
	return 0;
}

void capture_spool_detach(struct capture_spool *spool)
{
	unsigned i;

	for (i = 0; i < spool->count; i++) {
		close(spool->pipes[i].in);
		if (spool->pipes[i].out >= 0)
			close(spool->pipes[i].out);
	}
	free(spool->pipes);
	spool->pipes = NULL;
	spool->count = 0;
}

/* Keeps the whole records that are in the buffer. */
static int keep_records(struct capture_spool *spool, struct capture_pipe *pipe, struct error *err)
{
	char path[PATH_MAX];
	size_t rest, kept;

	kept = trace_capture_scan(pipe->bytes, pipe->used, spool->event, &spool->counts, &rest);
	if (spool->counts.unknown_version)
		return error_set(err,
				 "this kernel writes records of version %u; this ssdreview reads 7 "
				 "and 8, take a newer one",
				 spool->counts.unknown_version);
	file_path(spool, pipe->cpu, path);
	if (kept && pipe->out < 0)
		pipe->out = open_file(path, err);
	if (kept && (pipe->out < 0 || append(spool, pipe->out, pipe->bytes, kept, err)))
		return -1;
	memmove(pipe->bytes, pipe->bytes + rest, pipe->used - rest);
	pipe->used -= rest;
	return 0;
}

/* 1: there may be more; 0: the pipe is empty. */
static int read_pipe(struct capture_spool *spool, struct capture_pipe *pipe, struct error *err)
{
	ssize_t got = read(pipe->in, pipe->bytes + pipe->used, PIPE_BYTES - pipe->used);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (got < 0)
		return error_set(err, "the kernel's records of CPU %u cannot be read: %s",
				 pipe->cpu, strerror(errno));
	pipe->used += (size_t)got;
	if (keep_records(spool, pipe, err))
		return -1;
	return got > 0;
}

int capture_spool_drain(struct capture_spool *spool, struct error *err)
{
	int got, left = 0;
	unsigned i, turn;

	for (i = 0; i < spool->count; i++) {
		got = 1;
		for (turn = 0; turn < READS_IN_TURN && got > 0; turn++)
			got = read_pipe(spool, &spool->pipes[i], err);
		if (got < 0)
			return -1;
		left |= got;
	}
	return left;
}

/* ---- what becomes of it --------------------------------------------------------------------- */

#define FILES_MAX 8193 /* the CPUs a kernel can have, and the messages */

static unsigned list_files(const struct capture_spool *spool, char **paths)
{
	char path[PATH_MAX];
	unsigned cpu, count = 0;

	path_format(path, "%.4000s/" MESSAGES, spool->folder);
	paths[count++] = strdup(path);
	for (cpu = 0; cpu < FILES_MAX - 1; cpu++) {
		file_path(spool, cpu, path);
		if (access(path, F_OK) == 0)
			paths[count++] = strdup(path);
	}
	return count;
}

int capture_spool_convert(const struct capture_spool *spool, const char *output,
			  struct trace_report *report, struct error *err)
{
	struct trace_import_options how = {.format = "blktrace", .converter = CONVERTER};
	char **paths = calloc(FILES_MAX, sizeof(*paths));
	unsigned count, i;
	int failed;

	if (!paths)
		return error_set(err, "out of memory");
	count = list_files(spool, paths);
	failed = trace_import_files((const char *const *)paths, count, output, &how, report, err);
	for (i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	return failed;
}

void capture_spool_remove(const struct capture_spool *spool)
{
	char **paths = calloc(FILES_MAX, sizeof(*paths));
	unsigned count = paths ? list_files(spool, paths) : 0, i;

	for (i = 0; i < count; i++) {
		if (paths[i])
			unlink(paths[i]);
		free(paths[i]);
	}
	free(paths);
	rmdir(spool->folder);
}
