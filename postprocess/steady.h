/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a drive in steady state? By the rule of SNIA's Performance Test Specification 2.0.2: within a
 * window of rounds that follow one another, what is tracked neither scatters nor drifts too much.
 * Pure: values in, verdict out.
 */
#ifndef SSDREVIEW_STEADY_H
#define SSDREVIEW_STEADY_H

#include "base/base.h"

#define STEADY_MOST_WINDOW 32

struct steady_rule {
	unsigned window;	 /* rounds that are judged together: 5 */
	double range;		 /* largest less smallest, at most this share of the mean: 0.2 */
	double slope;		 /* excursion of the fitted line, at most this share: 0.1 */
	double at_least_fills;	 /* never before the load has written so often the capacity: 2 */
	unsigned at_most_rounds; /* then it ends, steady or not: 25 */
};

/* One tracked value over one window. Shares are NAN where the mean is none. */
struct steady_fit {
	bool steady;
	double mean, range_share;
	double slope_per_round; /* of the best linear fit (least squares) */
	double excursion_share; /* of that line, from the first round of the window to the last */
	double fit_first, fit_last; /* the line there */
};

/*
 * Judges the last rule->window of `count` values, the oldest first. Not steady with fewer, nor with
 * a value that is 0, below it, or no number.
 */
void steady_fit(const double *values, unsigned count, const struct steady_rule *rule,
		struct steady_fit *fit);

enum steady_end { STEADY_NOT_YET, STEADY_REACHED, STEADY_GIVEN_UP };

/*
 * Does it end after so many rounds? all_steady: everything that is tracked is, in the last window;
 * fills: the capacity was written so often by the load.
 */
enum steady_end steady_end(bool all_steady, double fills, unsigned rounds,
			   const struct steady_rule *rule);

/* Why it is not steady, or that it is: "range 23.1 % of the mean (at most 20 %)". */
void steady_words(const struct steady_fit *fit, const struct steady_rule *rule, char *text,
		  size_t room);

#endif
