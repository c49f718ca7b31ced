/* SPDX-License-Identifier: GPL-2.0-only */
/* What a row's job file needs beside fio: its engine and its trace; where they lie. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/trace/footprint.h"
#include "review/review.h"

void job_engine(const struct job_file *job, const char *section, const char *openloop,
		char engine[PATH_MAX])
{
	const char *named = job_file_get(job, section, "ioengine");
	const char *file = named ? strrchr(named, '/') : NULL;
	const char *slash = strrchr(openloop, '/');

	if (file && slash)
		path_format(engine, "%.*s%s", (int)(slash - openloop), openloop, file);
	else
		path_format(engine, "%s", openloop);
}

bool job_trace(const struct job_file *job, const char *section, char trace[PATH_MAX])
{
	const char *named = job_file_get(job, section, "trace");
	char path[PATH_MAX], installed[PATH_MAX];

	if (!named)
		return false;
	path_format(installed, "%s/%s", SSDREVIEW_DATADIR, named);
	if (*named == '/' || shipped_path(NULL, named, installed, path, sizeof(path), NULL) ||
	    !realpath(path, trace))
		path_format(trace, "%s", named);
	return true;
}

static unsigned clones_held(struct trace *trace, const struct job_file *job, uint64_t region_bytes)
{
	const char *kind = job_file_get(job, "max", "clone_kind"), *bs;
	struct replay_footprint footprint;
	struct error unheard;
	struct replay_options options = {
		.stream = job_file_get(job, "max", "stream"),
		.phase = job_file_get(job, "max", "phase"),
		.linked = kind && !strcmp(kind, "linked"),
		.region_bytes = region_bytes,
		.block_bytes = 4096,
		.longest_bytes = REPLAY_LONGEST_BYTES,
	};

	bs = job_file_get(job, "max", "bs");
	if (bs && strtoul(bs, NULL, 10))
		options.block_bytes = (unsigned)strtoul(bs, NULL, 10);
	if (replay_footprint(trace, &options, &footprint, &unheard))
		return 0;
	return replay_clones_held(&footprint, region_bytes);
}

unsigned job_clones_held(const struct job_file *job, uint64_t region_bytes)
{
	const char *clones = job_file_get(job, "max", "clones");
	char path[PATH_MAX];
	struct trace *trace;
	struct error unheard;
	unsigned held;

	if (!clones || strcmp(clones, "auto") || job_file_get(job, "max", "window") ||
	    !job_trace(job, "max", path) || trace_open(path, &trace, &unheard))
		return 0;
	held = clones_held(trace, job, region_bytes);
	trace_close(trace);
	return held;
}

/* Opened, for a damaged one would be found only after the fill. */
static int check_trace(const char *path, struct error *err)
{
	struct trace *trace;

	if (access(path, R_OK))
		return error_set(err, "its trace %s is not there", path);
	if (trace_open(path, &trace, err))
		return -1;
	trace_close(trace);
	return 0;
}

static int check_parts(const struct job_file *job, const char *section, const char *openloop,
		       struct error *err)
{
	char path[PATH_MAX];

	job_engine(job, section, openloop, path);
	if (access(path, R_OK))
		return error_set(err, "its engine %s is not there: build it with `make`", path);
	return job_trace(job, section, path) ? check_trace(path, err) : 0;
}

int row_check_parts(const struct profile_row *row, const char *openloop, struct error *err)
{
	struct job_file job;
	int failed;

	if (job_file_read(row->jobfile, &job, err))
		return -1;
	failed = check_parts(&job, row->steps != STEPS_CURVE ? job_file_section(&job) : "max",
			     openloop, err);
	job_file_free(&job);
	return failed ? error_prefix(err, "the row %s cannot be run", row->name) : 0;
}
