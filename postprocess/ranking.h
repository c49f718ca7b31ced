/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results side by side: for every row, and apart for every protocol, the drives by place. This is
 * what all tables, charts and sentences are made from.
 */
#ifndef SSDREVIEW_RANKING_H
#define SSDREVIEW_RANKING_H

#include "postprocess/curve.h"
#include "postprocess/result.h"

/* By what drives are ranked: the peak rate (default), or the latency at the peak. */
enum sort_by { SORT_PEAK, SORT_CLAT, SORT_LAT };

struct entry {
	const struct result *result;
	const struct curve *curve; /* NULL: the drive has no result for the row */
	struct step *steps;
	size_t step_count;
	const struct step *peak; /* the highest that counts; NULL: no point counts */
	unsigned
		above_peak; /* left-out steps above it: the peak is at least this; 0: it is known */

	unsigned place;	       /* 1 is best; 0: not ranked; ties share one */
	double value;	       /* what is ranked: the rate, or us */
	double gap, gap_share; /* to the first, in the same unit; NAN for the first */
	/* Rates are IOPS, or bytes per second when ranking.by_bytes. */
	double rate;		    /* the peak */
	double latency_us, p99_us;  /* at the peak */
	double one_ms;		    /* rate; INFINITY: below 1 ms for the whole run */
	double fall_share, fall_to; /* after the peak; NAN: no later point, or no known peak */
	char marks[256];	    /* "simulated, quick, median of 3" */
	char missing[80];	    /* why it is not ranked; "" when it is */
};

struct ranking {
	char row[192], protocol[64], description[128];
	bool by_bytes; /* rows of large blocks are ranked on bytes per second */
	enum sort_by sort;
	enum metric metric;    /* which latency is shown */
	struct entry *entries; /* by place, those without one last */
	size_t count;
};

struct ranking_options {
	const char *row; /* only this one; NULL: all */
	enum sort_by sort;
};

/*
 * Ranks all rows of the results. The published ones among them count only for rows that another
 * result of the same protocol has. The results must outlive the rankings. 0, or -1 with err.
 */
int rankings_make(struct result *const *results, size_t count,
		  const struct ranking_options *options, struct ranking **rankings,
		  size_t *ranking_count, struct error *err);
void rankings_free(struct ranking *rankings, size_t count);

/* Whether a published figure stands in any of the rankings. */
bool rankings_have_published(const struct ranking *rankings, size_t count);

/* The entry of a result; NULL when it has no place in this ranking at all. */
const struct entry *ranking_find(const struct ranking *ranking, const struct result *result);

/*
 * What an entry says in words: "Intel 670p 2TB: place 2 of 4, behind A by 12,345 IOPS (4.2 %),
 * level with B, ahead of C." Level is what differs by less than 1 % (our own choice).
 */
void entry_sentence(const struct ranking *ranking, const struct entry *entry, char *text,
		    size_t room);

/* The peak without its unit: "295,132", or "at least 732" when it is not known. */
char *entry_rate_text(const struct ranking *ranking, const struct entry *entry, char *text,
		      size_t room);

/* Where the figures come from: "published", "simulated", "measured" or "not judged". */
const char *entry_origin(const struct entry *entry);

/* What the drive did while points were measured that count: "throttled at 3 points"; "": nothing.
 */
void entry_drive_marks(const struct entry *entry, char *text, size_t room);

/* Whether its workload stands in for that of the published reviews: every view of it says so. */
bool entry_is_stand_in(const struct entry *entry);

/* Whether one stands in any of the rankings. */
bool rankings_have_stand_in(const struct ranking *rankings, size_t count);

/* The workload in words for headings: "4K random read"; an unknown row as it is. */
void row_title(const char *row, char *text, size_t room);

/* "IOPS" or "MB/s": the unit of the ranking's rates. */
const char *ranking_unit(const struct ranking *ranking);

#endif
