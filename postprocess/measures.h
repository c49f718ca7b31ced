/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The measures of a load: how many I/Os, how much, and their latency as mean, standard deviation
 * and maximum, by direction. Exact: jobs, directions and intervals are combined as if all their
 * I/Os were one population, by the pairwise formula of Chan, Golub and LeVeque (1979).
 */
#ifndef SSDREVIEW_MEASURES_H
#define SSDREVIEW_MEASURES_H

#include <jansson.h>

#include "base/base.h"

/* I/Os of one kind; all 0 when there were none. m2: sum of squared deviations from the mean. */
struct measure {
	uint64_t count, bytes, max_ns;
	double mean_ns, m2_ns2;
};

struct measures {
	double seconds; /* in which they were completed */
	struct measure read, write;
};

/*
 * Joins the means of two sets and their sums of squared deviations (m2) exactly. An m2 that is not
 * known (NAN) makes that of both unknown. from_count is above 0.
 */
void moments_merge(double *mean, double *m2, double count, double from_mean, double from_m2,
		   double from_count);

double measure_stddev_ns(const struct measure *measure); /* 0 when empty */

/* Reads and writes as one population. */
struct measure measures_both(const struct measures *measures);

/* What other jobs did at the same time. */
void measures_merge(struct measures *into, const struct measures *from);
/* What the same jobs did after it. */
void measures_append(struct measures *into, const struct measures *from);

/*
 * One figure by its word: iops, bytes_per_s, mean, max, stddev (ns), of both directions, or with
 * read_ or write_ before it of one. NAN when there were no such I/Os. The word must be one that
 * measure_word_check() lets pass.
 */
double measures_value(const struct measures *measures, const char *word);
int measure_word_check(const char *word, struct error *err);

/* As docs/results.md has them: seconds, read, write, both. */
json_t *measures_json(const struct measures *measures);

/* ---- from statistics files ---------------------------------------------------------------- */

/*
 * Reads the statistics files of the clones of one point, and combines their intervals: the k-th of
 * each is one sample. Intervals of less than half their length (the last, when the run went on past
 * its window) are left out. The list is malloc'ed and the caller's. 0, or -1 with err.
 */
int measures_read_samples(const char *const *paths, size_t count, struct measures **samples,
			  size_t *sample_count, struct error *err);

/* The same files: the measures of the whole window. */
int measures_read_total(const char *const *paths, size_t count, struct measures *total,
			struct error *err);

/*
 * measures_percentiles.c: the same files: response times of the first intervals at so many shares
 * of all I/Os, rising (0.99999), as upper bounds of the histograms' bins; NAN without I/Os.
 */
int measures_read_percentiles(const char *const *paths, size_t count, size_t intervals,
			      const double *shares, size_t share_count, double *values_ns,
			      struct error *err);

#endif
