/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What reviews of enterprise drives state beside curves: preconditioning over its time, main tests
 * (one load, reads and writes side by side) and ladders (one load over threads and queue depths),
 * in four measures: IOPS, mean, maximum and standard deviation of latency.
 *
 * "Reads and writes" are one population: rates are added, means weighted by the number of I/Os, the
 * deviation is that of all I/Os about that mean, and of two maxima the larger one counts.
 */
#ifndef SSDREVIEW_ENTERPRISE_H
#define SSDREVIEW_ENTERPRISE_H

#include "postprocess/chart.h"
#include "postprocess/findings.h"
#include "postprocess/loads.h"
#include "postprocess/point.h"
#include "postprocess/table.h"

/* ---- precondition_read.c: rounds until steady state -------------------------------------------
 */

struct round {
	unsigned number;
	double start_s, seconds, fills;
	double value; /* of the first measure that is tracked */
	bool usable;  /* false: a gap lies in it, or it is invalid */
	bool invalid; /* the machine was the limit of what is followed, or the drive was reset */
};

/* The window of rounds that was judged last, for the first measure that is tracked. */
struct steady_window {
	bool known, steady;
	bool invalid;	      /* rounds of it are: it is no steady one, whatever was said then */
	char measure[32];     /* "iops", "write_mean" */
	unsigned first, last; /* numbers of rounds */
	double mean, range_share, slope_per_round, excursion_share, fit_first, fit_last;
	double range_limit; /* share of the mean */
};

/* One row of one drive. */
struct precondition {
	const struct result *result;
	char row[192];
	char title[96]; /* what the review calls the row; "": nothing */
	char load[64]; /* of the rounds' loads the one that is shown; "" where there is one alone */
	double block_bytes, read_percent;
	unsigned threads, queue;
	struct minutes minutes;
	char filled[128]; /* before the rounds: how much, and who counted it; "": nothing */
	struct round *rounds;
	size_t round_count;
	size_t invalid_rounds, machine_rounds; /* machine: it was the limit */
	char invalid_why[320];		       /* of the first of them */
	size_t marked_rounds[DRIVE_MARKS];     /* of them: the drive throttled ... (drive_marks) */
	struct steady_window window;
	double fills, capacity_bytes;	/* written by it in all; one fill */
	char verdict[800];		/* in the review's words; "" while it is at work */
	struct findings findings;	/* of a published one: what was stated */
	bool about_burst, about_steady; /* stated as "about" */
	unsigned place;			/* by the steady rate; 0: it has none */
	unsigned place_at_start;	/* by the rate at the start */
	unsigned place_even; /* by minutes near the level, then by spikes; 0: not known */
	char marks[256];
};

/* Drives side by side: one row and protocol, by place. */
struct precondition_ranking {
	char row[192], protocol[64], title[256];
	bool several_loads; /* a round has several: no run by minutes, but its verdict is shown */
	struct precondition *runs;
	size_t count;
};

/* From rounds.json; -1 with err. */
int precondition_read(const char *path, struct precondition *run, struct error *err);
/* Of a row of rounds, adds how many there are, and in how many the machine was the limit. */
void rounds_count_by_machine(const struct curve *curve, size_t *spoilt, size_t *rounds);
void precondition_free(struct precondition *run);

/* ---- ladder_load.c: threads and queue depths --------------------------------------------------
 */

struct ladder_step {
	char name[32]; /* "16T/16Q" */
	/* Reads and writes of a main test are points of their own, other steps have one, of both.
	 * NULL: not taken, failed, or published. */
	const struct point *points[IO_KINDS];
	double values[IO_KINDS][MINUTE_MEASURES];   /* that count */
	double left_out[IO_KINDS][MINUTE_MEASURES]; /* of an invalid point */
	char why[320];				    /* there are no values, or they do not count */
	unsigned place; /* by IOPS of reads and writes; 0: no values that count */
};

struct ladder {
	const struct result *result;
	char row[192];
	struct ladder_step *steps;
	size_t count;
	char stated[320]; /* of a published one: figures that belong to no step */
	char marks[256];
};

/* Drives side by side. A main test has one step, and reads, writes or both. */
struct ladder_ranking {
	char row[192], protocol[64], title[256];
	bool is_main_test;
	struct ladder *ladders;
	size_t count;
};

struct enterprise {
	struct precondition_ranking *preconditions;
	size_t precondition_count;
	struct ladder_ranking *ladders; /* main tests first */
	size_t ladder_count;
	struct load_list *loads; /* of rows of several loads: one a row and drive */
	size_t load_count;
};

/* ---- enterprise_load.c ------------------------------------------------------------------------
 */

/*
 * Everything of the kind in the results (row: only that one; NULL: all), each row and protocol
 * apart; published figures stand beside rows of the same load. The results must outlive it. 0, or
 * -1 with err.
 */
int enterprise_make(struct result *const *results, size_t count, const char *row,
		    struct enterprise *enterprise, struct error *err);
void enterprise_free(struct enterprise *enterprise);
bool enterprise_is_empty(const struct enterprise *enterprise);

/* ---- enterprise_words.c, ladder_words.c, enterprise_table.c, enterprise_records.c -------------
 */

/* A title with its protocol, "8K 70/30, 2T/2Q to 16T/16Q (enterprise)". */
void enterprise_heading(const char *title, const char *protocol, char *text, size_t room);
/* "IOPS", "average latency", "maximum latency", "standard deviation of latency" */
const char *measure_title(enum minute_measure measure);
/* "172,672", "1,480 us": a rate or a latency. */
char *measure_text(enum minute_measure measure, double value, char *text);
/* How reads and writes are taken together, and what the marks in the tables mean. */
const char *enterprise_note(void);

/* What a run tells, in one sentence for each matter; true as long as there is one. */
bool precondition_sentence(const struct precondition_ranking *ranking,
			   const struct precondition *run, unsigned number, char *text,
			   size_t room);
/* Who leads in what; false: there is no such sentence. */
bool ladder_sentence(const struct ladder_ranking *ranking, unsigned number, char *text,
		     size_t room);

int precondition_table_make(const struct precondition_ranking *ranking, struct table *table);
int ladder_table_make(const struct ladder_ranking *ranking, struct table *table);
/* term, md and html; -1: memory is short. Nothing when it is empty. */
int enterprise_tables_write(const struct enterprise *enterprise, enum table_format format,
			    FILE *out);
/* A record a run, a step and a load; 0, or -1 when memory is short. */
int enterprise_records(const struct enterprise *enterprise, struct records *records);

/* ---- enterprise_chart.c -----------------------------------------------------------------------
 */

/* Draws all charts; their number, or -1 with err. */
int enterprise_charts_make(const struct enterprise *enterprise, const struct palette *palette,
			   const char *folder, struct error *err);

/* Whether a chart of the measure has anything to show, and so is drawn. */
bool precondition_has(const struct precondition_ranking *ranking, enum minute_measure measure);
bool ladder_has(const struct ladder_ranking *ranking, enum minute_measure measure);

/* Names of their files, without ending: minutes, steady state of one drive, bars, ladders. */
void precondition_chart_name(const struct precondition_ranking *ranking,
			     enum minute_measure measure, char *name, size_t room);
void steady_chart_name(const struct precondition_ranking *ranking, size_t run, char *name,
		       size_t room);
bool has_steady_chart(const struct precondition *run);
void ladder_chart_name(const struct ladder_ranking *ranking, enum minute_measure measure,
		       char *name, size_t room);

#endif
