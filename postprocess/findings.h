/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a preconditioning run tells: how fast the drive began and until when, where it settled and
 * since when, every spike, and how evenly it worked. Pure: minutes in, findings out. All limits are
 * our own choice; the published reviews state theirs nowhere.
 */
#ifndef SSDREVIEW_FINDINGS_H
#define SSDREVIEW_FINDINGS_H

#include "postprocess/minutes.h"

#define FINDINGS_NEAR_SHARE  0.10 /* of the steady level: minutes that near count as even */
#define FINDINGS_BURST_SHARE 1.2  /* of the steady level: what begins below was no burst */
#define FINDINGS_SPIKE_SHARE 1.5  /* of what is usual around it, and */
#define FINDINGS_SPIKE_SIGMA 6.0  /* so many standard deviations, by the median deviation */

/* A latency far above those around it; one that lasts for minutes is one, at its highest. */
struct spike {
	enum minute_measure measure;
	size_t minute;	  /* its place in the list */
	double us, usual; /* the median of up to 7 minutes before and after */
};

/* Nothing was recorded from here on. */
struct gap {
	double at_s, seconds; /* seconds: NAN when not known */
};

/* What is not known is NAN. */
struct findings {
	double burst_iops; /* the median until its end; NAN: it began no faster than it settled */
	double burst_end_s, burst_end_fills;
	double steady[MINUTE_MEASURES]; /* over the steady minutes together; NAN: there are none */
	double steady_since_s, steady_since_fills;
	double near_share; /* of the minutes since the burst */
	struct spike *spikes;
	size_t spike_count;
	size_t spike_times; /* spikes of several measures in one minute, or the next, count once */
	struct gap *gaps;
	size_t gap_count;
};

/*
 * from_s, to_s: the time that is known to be steady, such as the window of the rounds that SNIA's
 * rule found steady. NAN: the last fifth of the minutes, five of them at least, when its own five
 * fifths hold to that rule. 0 and findings for findings_free(), or -1 when memory is short.
 */
int findings_make(const struct minutes *minutes, double from_s, double to_s,
		  struct findings *findings);
void findings_free(struct findings *findings);

/* The median of values that are numbers; NAN for none. The list is sorted by it. */
double findings_median(double *values, size_t count);

#endif
