/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's JSON output, of every release from 2.1 to 3.42, in one set of units: latencies in us,
 * bytes, bytes per second. Text before, between and after the JSON documents is allowed; documents
 * of one file are snapshots of one run, so the last complete one counts.
 */
#ifndef SSDREVIEW_FIOJSON_H
#define SSDREVIEW_FIOJSON_H

#include "postprocess/postprocess.h"

enum fio_direction { FIO_READ, FIO_WRITE, FIO_TRIM, FIO_MIXED, FIO_DIRECTIONS };

/* One bin of a json+ histogram. */
struct fio_bin {
	double us;
	uint64_t count;
};

/* A latency with its bins; without bins (plain json) bin_count is 0. */
struct fio_latency {
	struct latency summary; /* count 0 and NAN when fio did not measure it */
	struct fio_bin *bins;
	size_t bin_count;
};

struct fio_row {
	bool present;
	double iops, bytes_per_s, runtime_ms;
	uint64_t ios, bytes;
	struct fio_latency slat, clat, lat;
};

struct fio_option {
	char *key, *value;
};

/* Options of a job, or of the global section (hostname and port then say of which server). */
struct fio_options {
	struct fio_option *list;
	size_t count;
};

enum fio_steady { FIO_STEADY_UNASKED, FIO_STEADY_NO, FIO_STEADY_YES };

struct fio_job {
	char *name; /* whole: fio cuts "jobname" at 127 characters, but not the option */
	char *host; /* "" without servers */
	long port;
	int error; /* errno, 0 for none */
	double runtime_ms;
	struct fio_row rows[FIO_DIRECTIONS];
	struct fio_options options;
	enum fio_steady steady; /* YES only when the figures behind "attained" are real */
};

struct fio_output {
	char version[64];
	unsigned major, minor;
	struct fio_job *jobs; /* the sum "All clients" is left out */
	size_t job_count;
	struct fio_options *globals;
	size_t global_count;
	size_t documents;  /* complete ones in the file */
	char *diagnostics; /* text before the first document, cleaned; "" for none */
	bool cut;	   /* the last document is not complete: an earlier one was taken */
	bool stopped;	   /* a signal ended the run early */
};

/*
 * Reads fio's output. Returns 0 and an output for fio_output_free(), or -1 with a sentence: empty,
 * no JSON in it (and what it looks like), or damaged at byte N.
 */
int fio_output_read(const char *path, struct fio_output *output, struct error *err);
int fio_output_parse(const char *data, size_t bytes, const char *path, struct fio_output *output,
		     struct error *err);
void fio_output_free(struct fio_output *output);

/* An option of a job, else of the global section of its server; NULL when it is in neither. */
const char *fio_option(const struct fio_output *output, const struct fio_job *job, const char *key);

/* A size or time as options hold it, by fio's rules with kb_base=1024; NAN when it is none. */
double fio_size(const char *text);
double fio_seconds(const char *text);

/* The directions that make up a job's total: read, write and trim, or "mixed" when it is alone. */
bool fio_row_counts(const struct fio_job *job, enum fio_direction direction);

/* The first line of the diagnostics that tells of an error, else the first one; "" for none. */
void fio_diagnostic(const struct fio_output *output, char *line, size_t room);

/* Adds one latency to a sum that begins as {0}: means weighted, deviations pooled, bins merged. */
int fio_latency_add(struct fio_latency *sum, const struct fio_latency *part);
/* Finds the percentiles of a finished sum from its bins, when all its parts had some. */
void fio_latency_finish(struct fio_latency *sum);
void fio_latency_free(struct fio_latency *latency);

#endif
