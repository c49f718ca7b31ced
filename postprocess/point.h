/* SPDX-License-Identifier: GPL-2.0-only */
/* Points from the inside: the engine's statistics, fio's jobs taken together, the verdict. */
#ifndef SSDREVIEW_POINT_H
#define SSDREVIEW_POINT_H

#include <jansson.h>

#include "base/histogram.h"
#include "postprocess/fiojson.h"

/* The statistics files of a point's clones taken together (docs/results.md); ns there, us here. */
struct point_stats {
	char job[64];
	bool simulated;
	bool synthetic;	     /* the trace that was played was made up */
	bool probes_cache;   /* a run on the SLC cache */
	double nominal_iops; /* sum; NAN when a clone ran as fast as the limit allows */
	double offered_iops, achieved_iops;
	double offered, unsent, late_at_limit; /* I/Os */
	double free_slot_p99_us;	       /* the largest */
	double busy_share, cpu_wait_share;     /* the largest; NAN when none says */
	char replay_fault[200]; /* why a replay is INVALID, by the engine itself; "": it is not */
};

/* 0, or -1 with err when there is none, or one cannot be read. */
int point_stats_read(const char *const *paths, size_t count, struct point_stats *stats,
		     struct error *err);

/*
 * Adds the response times of an interval of a statistics file to a histogram of the same bins; what
 * cannot be a bin is passed over.
 */
void stats_add_interval(const json_t *interval, struct histogram *response);

/* Did the in-flight limit hold I/Os back, or were some never sent, more than docs/results.md
 * allows? */
bool point_stats_held_back(const struct point_stats *stats);

/* A point without figures: all numbers NAN. */
void point_clear(struct point *point, const char *name);

/* Takes the jobs together and judges them; stats may be NULL. */
void point_from_jobs(const struct fio_output *output, const struct fio_job *const *jobs,
		     size_t count, const struct point_stats *stats, struct point *point);

/*
 * The workload of a job in a word, "4k-randread", from what its options state. The figures, which
 * differ a little from run to run, tell only what no option does.
 */
void workload_word(const struct fio_output *output, const struct fio_job *job,
		   const struct point *point, char *text, size_t room);

/* Makes a point FAILED for a reason. */
void point_fail(struct point *point, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a drive may do meanwhile: the word of docs/results.md, and how tables call it. */
#define DRIVE_MARKS 7
extern const struct drive_mark {
	const char *word, *shown;
} drive_marks[DRIVE_MARKS];

/* Has the record of a step, "telemetry" of a point or a load, the mark with that word? */
bool telemetry_has_mark(const json_t *telemetry, const char *word);

/*
 * Why a load of a round (docs/results.md, "loads" of ROW/rounds.json) tells nothing of the drive:
 * the machine was the limit, or the drive was reset or answered with errors. NULL: it counts.
 */
const char *round_load_invalid(const json_t *load);

/* "2.00 TB by fio, 2.00 TB by the kernel, 2.00 TB by SMART" of a "fill" (docs/results.md); "":
 * none. */
void fill_words(const json_t *fill, char *text, size_t room);

bool point_is_max(const struct point *point);

#endif
