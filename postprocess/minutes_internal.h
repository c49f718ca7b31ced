/* SPDX-License-Identifier: GPL-2.0-only */
/* Minutes while they are read: what their readers share. */
#ifndef SSDREVIEW_MINUTES_INTERNAL_H
#define SSDREVIEW_MINUTES_INTERNAL_H

#include "postprocess/minutes.h"

/* One minute while it is filled. */
struct minute_sum {
	double job_ios, job_s;	 /* of the job that is read */
	double iops, longest_s;	 /* of those that were */
	struct spread latency;	 /* by intervals */
	struct spread histogram; /* the same I/Os by bins, where there are any */
};

struct minute_sums {
	double minute_s;
	struct minute_sum *list;
	size_t count;
	bool is_short; /* of memory */
	char note[256];
};

/* ios of an interval, and their latencies: none where latency->count is 0. */
void minute_sums_add(struct minute_sums *sums, double start_s, double length_s, double ios,
		     const struct spread *latency);
/* What a histogram that was written at that time holds. */
void minute_sums_add_bins(struct minute_sums *sums, double at_s, const struct spread *bins);
/* After the last interval of a job: its rates are added to those of the others. */
void minute_sums_end_job(struct minute_sums *sums);
/* Puts a sentence, or more of one, into the note. */
void minute_sums_note(struct minute_sums *sums, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Makes the minutes, and frees the sums; what: a word for the error. */
int minute_sums_finish(struct minute_sums *sums, const char *what, struct minutes *minutes,
		       struct error *err);

/* ---- pieces.c: a text file, packed by gzip or not, piece by piece ------------------------------
 */

struct pieces;

/* NULL with err. */
struct pieces *pieces_open(const char *path, struct error *err);
/*
 * The text up to the next character `last`, without it, valid until the next call; what stands
 * behind the last one is the last piece. NULL after that.
 */
char *pieces_next(struct pieces *pieces, char last);
/* -1 with err when reading ended for a fault. */
int pieces_close(struct pieces *pieces, struct error *err);

/* ---- log_set.c: fio's logs of one run ----------------------------------------------------------
 */

enum log_type { LOG_CLAT_HIST, LOG_SLAT, LOG_CLAT, LOG_LAT, LOG_BW, LOG_IOPS, LOG_TYPES };

/* "a/run_clat.3.log.gz": base "a/run", job 3; of a job on a server: its host. */
struct log_name {
	char path[512], base[512], host[64];
	enum log_type type;
	unsigned job; /* 0: of all jobs in one file */
};

struct log_set {
	struct log_name *list; /* by job and host */
	size_t count;
};

/* What lies beside a log and has its base; 0, or -1 with err. */
int log_set_find(const char *path, struct log_set *set, struct error *err);
bool log_name_parse(const char *path, struct log_name *name);

/* ---- minutes_log.c, minutes_bins.c ------------------------------------------------------------
 */

/* Whole numbers of a line between commas, at most `most` of them, and how many. */
size_t log_numbers(const char *line, double *numbers, size_t most);

/* Reads and writes; trims count in neither. */
enum { LOG_READ, LOG_WRITE, LOG_DIRECTIONS };

/* Reads a histogram log into the sums, with its rates where no other log gives them. */
int read_histogram_log(const char *path, bool gives_rate, struct minute_sums *sums,
		       struct error *err);
/* Whether its bins are those of fio 2, whose logs are in us. */
bool is_histogram_by_usec(const char *path);

#endif
