/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many desktops a drive carries at once within a promise: one trial a number of desktops, the
 * search that chooses the numbers, and the drives ranked by what they carry.
 */
#ifndef SSDREVIEW_CAPACITY_H
#define SSDREVIEW_CAPACITY_H

#include "postprocess/chart.h"
#include "postprocess/sla.h"
#include "postprocess/table.h"

/* ---- capacity_trial.c: one number of desktops ------------------------------------------------ */

/* SPOILT: the machine, not the drive, kept the promise from being held. */
enum trial_outcome { TRIAL_HOLDS, TRIAL_FAILS, TRIAL_SPOILT };

struct trial {
	unsigned copies;   /* of the trace */
	unsigned desktops; /* in all of them */
	unsigned repeat;   /* 1; 2: a spoilt one tried again */
	enum trial_outcome outcome;
	double latency_us[SLA_MOST_TERMS]; /* response time, for each term of the promise */
	double iops;
	char reason[320]; /* of FAILS and SPOILT; of a HOLDS in spite of the machine */
};

const char *trial_word(enum trial_outcome outcome); /* "holds", "fails", "spoilt" */

/*
 * Fills outcome, latencies and reason from a point and its statistics files. An I/O that was due
 * and never left counts as one over the limit.
 */
void trial_judge(const struct point *point, const char *const *stats_paths, size_t stats_count,
		 const struct sla *sla, struct trial *trial);

/* "p95 934 us, p99 1.84 ms" */
char *trial_latencies(const struct trial *trial, const struct sla *sla, char *text, size_t room);

/* "desktops-0041", and back: 0 when the name is none. */
void trial_name(unsigned desktops, char *name, size_t room);
unsigned trial_desktops(const char *name);

/* ---- capacity_search.c: which number comes next ---------------------------------------------- */

struct search_rules {
	unsigned most; /* copies of the trace: never more */
	unsigned gap;  /* copies allowed between the last that holds and the first that fails; 0: 2
			  % of it, at least 1 */
};

enum search_end {
	SEARCH_GOES_ON,
	SEARCH_FOUND,
	SEARCH_NOT_ONE,	 /* a single copy fails */
	SEARCH_NO_LIMIT, /* the most that may be tried holds */
	SEARCH_SPOILT,	 /* the machine is the limit at `spoilt` */
};

/* Copies; 0 where there is none. */
struct finding {
	enum search_end end;
	unsigned holds;	       /* the largest below the first that fails */
	unsigned fails;	       /* the smallest that fails */
	unsigned odd;	       /* the largest that held although a smaller number failed */
	unsigned spoilt;       /* tried twice, and spoilt both times */
	unsigned next, repeat; /* what to try next */
};

/*
 * What the trials so far say. Doubles from 1 until it fails, then halves the gap, then looks once
 * at a tenth more than the first that fails, which should fail too. The same trials always give the
 * same answer, so that a search can go on where it was cut.
 */
void search_look(const struct search_rules *rules, const struct trial *trials, size_t count,
		 struct finding *finding);

/* ---- capacity_load.c: a row of a drive ------------------------------------------------------- */

struct capacity {
	const struct result *result;
	struct sla sla;
	double stagger_s;
	char row[64], verb[32]; /* "boots" */
	char most_why[160];	/* why no more than `rules.most` were tried */
	bool stand_in;
	unsigned in_flight, desktops_a_copy;
	unsigned apart; /* copies the region holds in places of their own; more share places */
	struct search_rules rules;
	struct trial *trials; /* by number of desktops */
	size_t count;
	struct finding finding;
	unsigned place;	 /* 1 is best; 0: not ranked; ties share one */
	unsigned gap;	 /* desktops to the first */
	char marks[256]; /* "simulated, quick" */
};

/* Drives side by side: the same row, protocol, promise and stagger; by place. */
struct capacity_ranking {
	char row[64], protocol[64];
	struct sla sla;
	double stagger_s;
	struct capacity *entries;
	size_t count;
};

/*
 * All rows of the results that are searches (result->searches), ranked; row NULL: all rows. The
 * results must outlive the list. 0, or -1 with err.
 */
int capacities_make(struct result *const *results, size_t count, const char *row,
		    struct capacity_ranking **list, size_t *list_count, struct error *err);
void capacities_free(struct capacity_ranking *list, size_t count);

/* The trial of a number of copies that counts; NULL for 0 and when there is none. */
const struct trial *capacity_trial(const struct capacity *capacity, unsigned copies);

/* ---- capacity_words.c ------------------------------------------------------------------------ */

/*
 * "Intel 670p 2TB boots 41 desktops at once with 95 % of the I/Os within 1.00 ms (p95 934 us); 42
 * fail (p95 1.04 ms)."
 */
void capacity_sentence(const struct capacity *capacity, char *text, size_t room);

/* "41", "at least 512", "-": desktops at once. */
char *capacity_count_text(const struct capacity *capacity, char *text, size_t room);

/* "VDI full clone, boot (vdi-capacity, 1ms@p95, begun within 20 s)" */
void capacity_title(const struct capacity_ranking *ranking, char *text, size_t room);

/* What the numbers mean. */
const char *capacity_note(void);

/* ---- capacity_table.c, capacity_chart.c, capacity_report.c ------------------------------------
 */

int capacity_table_make(const struct capacity_ranking *ranking, struct table *table);
/* term, md and html; colours only when the stream is a terminal. -1: memory is short. */
int capacity_tables_write(const struct capacity_ranking *list, size_t count,
			  enum table_format format, FILE *out);
/* Each drive in words; html: as a list of the page. */
void capacity_sentences_write(const struct capacity_ranking *ranking, enum table_format format,
			      FILE *out);
/* A record a drive and row; 0, or -1 when memory is short. */
int capacity_records(const struct capacity_ranking *list, size_t count, struct records *records);

/*
 * One chart a ranking and term of the promise: NAME.gp, NAME.dat and the pictures, with the colours
 * of palette_make(). The number of charts, or -1 with err.
 */
int capacity_charts_make(const struct capacity_ranking *list, size_t count,
			 const struct palette *palette, const char *folder, struct error *err);
/* The name of the files of list[index]'s chart, without ending. */
void capacity_chart_name(const struct capacity_ranking *list, size_t index, unsigned term,
			 char *name, size_t room);

#endif
