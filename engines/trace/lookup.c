/* SPDX-License-Identifier: GPL-2.0-only */
/* What an open trace holds: header, streams and phases, by number and by name. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "engines/trace/trace_internal.h"

bool trace_is_file(const char *path)
{
	char magic[VDT_MAGIC_BYTES];
	/* A FIFO would make open() wait for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, magic, sizeof(magic));
	close(fd);
	return got == (ssize_t)sizeof(magic) && !memcmp(magic, VDT_MAGIC, sizeof(magic));
}

const char *trace_path(const struct trace *trace)
{
	return trace->path;
}

const struct trace_header *trace_header(const struct trace *trace)
{
	return &trace->header;
}

const struct trace_stream *trace_stream(const struct trace *trace, unsigned number)
{
	return &trace->streams[number];
}

const struct trace_phase *trace_phase(const struct trace *trace, unsigned number)
{
	return &trace->phases[number];
}

static int unknown(const struct trace *trace, const char *what, const char *name,
		   const char *const *names, size_t count, struct error *err)
{
	error_unknown(err, what, name, names, count);
	return error_prefix(err, "%s", trace->path);
}

int trace_phase_window(const struct trace *trace, const char *name, uint64_t *from_ns,
		       uint64_t *to_ns, struct error *err)
{
	const char *names[TRACE_MAX_PHASES];
	unsigned i, count = trace->header.phases;

	for (i = 0; i < count; i++) {
		names[i] = trace->phases[i].name;
		if (strcmp(names[i], name) != 0)
			continue;
		*from_ns = trace->phases[i].start_ns;
		*to_ns = i + 1 < count ? trace->phases[i + 1].start_ns
				       : trace->header.duration_ns + 1;
		return 0;
	}
	return unknown(trace, "phase", name, names, count, err);
}

int trace_stream_find(const struct trace *trace, const char *name, struct error *err)
{
	unsigned i, count = trace->header.streams;
	const char **names;
	char *end;
	unsigned long number = strtoul(name, &end, 10);

	for (i = 0; i < count; i++)
		if (!strcmp(trace->streams[i].name, name))
			return (int)i;
	if (name[0] >= '0' && name[0] <= '9' && !*end && number < count)
		return (int)number;
	names = calloc(count, sizeof(*names));
	if (!names)
		return error_set(err, "%s: out of memory", trace->path);
	for (i = 0; i < count; i++)
		names[i] = trace->streams[i].name;
	unknown(trace, "stream", name, names, count, err);
	free(names);
	return -1;
}
