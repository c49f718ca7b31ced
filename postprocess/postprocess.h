/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From fio's output to ranked tables, charts and a report. A point is one step of a curve, a curve
 * is one row (workload) of one drive, a result is all curves of one drive. Nothing here runs fio or
 * knows an engine; only the three commands at the end print.
 *
 * A number that is not known is NAN and is printed as "n/a".
 */
#ifndef SSDREVIEW_POSTPROCESS_H
#define SSDREVIEW_POSTPROCESS_H

#include "base/base.h"

/* ---- points ------------------------------------------------------------------------------ */

struct latency {
	uint64_t count;
	double mean_us, stddev_us, p50_us, p99_us, p99_9_us, max_us;
	/* Percentiles of several jobs cannot be combined without bins: these are the largest ones.
	 */
	bool percentiles_are_largest;
};

/* The rules are those of docs/results.md. Only VALID and SATURATED points are ranked. */
enum point_verdict { POINT_VALID, POINT_SATURATED, POINT_INVALID, POINT_FAILED };

/* Which I/Os measures are of, and the four that enterprise reviews state. */
enum io_kind { IO_READ, IO_WRITE, IO_BOTH, IO_KINDS };
enum minute_measure { MINUTE_IOPS, MINUTE_MEAN, MINUTE_MAX, MINUTE_STDDEV, MINUTE_MEASURES };

struct point {
	char name[32];	     /* "max", "010" ... "120": the share of the max run in percent */
	unsigned repeat;     /* 1, 2, ... */
	unsigned rested_min; /* minutes of pause before it, when a review was continued */

	/* I/Os per second over all jobs and directions; nominal is NAN for the max run. */
	double nominal_iops, offered_iops, iops;
	double bytes_per_s, block_bytes; /* block: the mean size of an I/O */
	double read_share;		 /* of the I/Os, 0..1 */
	double runtime_s;		 /* the longest of the jobs */
	struct latency clat;		 /* the drive: completion minus issue */
	struct latency slat;		 /* how late an I/O left */
	struct latency lat;		 /* response: completion minus due */

	/* Of a step of a ladder: IOPS and latencies in us; NAN where there are none. */
	double measures[IO_KINDS][MINUTE_MEASURES];

	enum point_verdict verdict;
	/* Of the drive meanwhile; NAN: not known. */
	double temperature_mean_c, temperature_max_c, write_amplification;
	char marks[64];	     /* "throttled, link": what the drive did meanwhile, in words; "" */
	char drive_did[320]; /* the same in sentences */

	char reason[320]; /* why it is not plainly valid; "" for valid points */
	char brief[32];	 /* the same in two words for a line: "CPU 97 %"; "" where there are none */
	bool by_machine; /* invalid for want of CPU time or for lateness: no fault of the drive */
	char warning[320];    /* what a reader of the figures should know; "" for none */
	char stats_path[512]; /* its statistics file, that of its first clone; "" for none */
	bool simulated;
	bool synthetic;	   /* played a trace that was made up: a stand-in */
	bool own_engine;   /* of this project, which can write statistics */
	bool probes_cache; /* a run on the SLC cache, which idles: its rates mean nothing (cache.h)
			    */
	bool has_stats;	   /* judged with the engine's statistics; else by fio's output alone */
};

/* "valid", "saturated", "invalid", "failed" */
const char *point_verdict_word(enum point_verdict verdict);

/* True for points that stand on the curve and may be its peak. */
bool point_counts(const struct point *point);

/*
 * Reads fio's output and the engine's statistics files (stats_count may be 0) of one point called
 * `name` and judges it. Whatever is wrong ends as the verdict FAILED with its reason, a file that
 * cannot be read included. nominal_iops: what the point was asked for, NAN when only the statistics
 * know it (without either, a point cannot be found saturated by its unsent I/Os).
 */
void point_read(const char *json_path, const char *const *stats_paths, size_t stats_count,
		const char *name, double nominal_iops, struct point *point);

/*
 * Takes over what the drive did meanwhile, "telemetry" of a point in the index (docs/results.md);
 * NULL: nothing is known. A drive that was reset, or had errors, makes the point INVALID.
 */
struct json_t;
void point_take_telemetry(const struct json_t *telemetry, struct point *point);

/* ---- results ----------------------------------------------------------------------------- */

/* Points along the offered rate; or rounds until steady state, or threads and queue depths, both of
 * which stand in tables of their own (enterprise.h). */
enum curve_kind { CURVE_OF_RATES, CURVE_OF_ROUNDS, CURVE_OF_LADDER };

struct curve {
	enum curve_kind kind;
	char rounds_path[768]; /* of rounds: their file */
	char after[192];       /* of a ladder: the row that brought the drive into its state */
	char (*ladder)[32];    /* names of all its steps, taken or not */
	size_t ladder_count;
	char row[192];	       /* "4k-randread" */
	char description[128]; /* from a bare fio file: "4 KiB random read"; else "" */
	unsigned in_flight;    /* 0: not known */
	bool writes;
	bool stand_in; /* its workload stands in for that of the published reviews */
	/* What a published review states about its curve; NAN: to be found on the points. */
	double stated_one_ms_iops, stated_after_peak_iops;
	struct point *points; /* in offered order, all repeats */
	size_t count;
};

/* A published figure that belongs to no curve: "iops_start" of "4k-precondition-write". */
struct stated {
	char row[48], metric[32];
	double value; /* IOPS, us, min */
	bool about;
};

enum result_kind { RESULT_REVIEW, RESULT_FIO, RESULT_PUBLISHED };

struct result {
	enum result_kind kind;
	char path[512];
	char name[128], drive[128]; /* of the review; what tables call the drive */
	char profile[64], protocol[64], region[128], target[256];
	char purged[32];		/* by which method; "": not, or not known */
	char filled[128];		/* before the first row: how much, and who counted it */
	char started[40], finished[40]; /* "" when not known, or not finished */
	bool simulated, quick;
	bool searches; /* its points are numbers of desktops (capacity.h), no curves to be ranked */
	unsigned scale, repeat, jobs;
	double wait_s, measure_s;
	struct curve *curves;
	size_t count;
	char **cache_files; /* statistics of runs on the SLC cache, named by themselves (cache.h) */
	size_t cache_file_count;
	char *minutes_file; /* a log of fio, or statistics of a long run (minutes.h); NULL: none */
	struct stated *stated; /* of a published one: what was said of rounds and ladders */
	size_t stated_count;
	char **warnings; /* sentences: what is missing or damaged, and the review's own */
	size_t warning_count;
};

/*
 * Reads a review's folder (with review.json), or any fio JSON file: sections [max] [010] ... make
 * one curve, other jobs one curve of one point each. "NAME=PATH" names the drive of a bare fio
 * file. Missing and damaged points are named in the warnings, and stay in the curve as FAILED.
 * Returns 0 and a result for result_free(), or -1 with err when nothing at all can be read.
 */
int result_load(const char *path, struct result **result, struct error *err);
void result_free(struct result *result);
const struct curve *result_find_curve(const struct result *result, const char *row);

/* ---- the commands: argv[0] is the command's word; they print, and return the exit code ------ */

int cmd_table(int argc, char **argv);
int cmd_chart(int argc, char **argv);
int cmd_report(int argc, char **argv);

#endif
