/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A long run as one sample a minute of the four measures that enterprise reviews plot: IOPS, mean,
 * maximum and standard deviation of latency. Read from the intervals of the engines' statistics or
 * from fio's own logs, one interval at a time: what is held grows with the minutes alone.
 *
 * Reads and writes of all jobs are taken together: rates are added, means and deviations are
 * weighted by the number of I/Os, of two maxima the larger one counts.
 */
#ifndef SSDREVIEW_MINUTES_H
#define SSDREVIEW_MINUTES_H

#include "postprocess/postprocess.h"

/* Latencies taken together; M2 is the sum of squared deviations from the mean. */
struct spread {
	double count, mean_us, m2_us2, max_us;
};

/* Joins two sets exactly (moments_merge() in measures.h); weights need not be whole numbers. */
void spread_add(struct spread *into, const struct spread *more);
/* Of the whole set, not of a sample; NAN for no I/O. */
double spread_stddev_us(const struct spread *spread);

/*
 * What is not known is NAN: all of it in a gap, where nothing was recorded, and in a minute that
 * does not count, for the machine was the limit, say; what was measured in that stands apart.
 */
struct minute {
	double start_s, length_s;	/* length: what was recorded of it; 0: a gap */
	double fills;			/* the drive's capacities written by its end */
	double values[MINUTE_MEASURES]; /* IOPS, us; latencies are NAN where no I/O completed, too
					 */
	bool is_invalid;
	double left_out[MINUTE_MEASURES]; /* of an invalid one, else undefined */
};

struct minutes {
	double minute_s; /* of the run: 60, or less where a simulated drive's time is scaled */
	struct minute *list;
	size_t count;
	char note[256]; /* what a reader should know of the source; "" for none */
};

void minutes_free(struct minutes *minutes);

/*
 * From statistics files of one run, one a clone (docs/results.md), packed by gzip or not. A file
 * that ends too early is read as far as it goes, which the note says. 0 and minutes for
 * minutes_free(), or -1 with err.
 */
int minutes_of_statistics(const char *const *paths, size_t count, double minute_s,
			  struct minutes *minutes, struct error *err);

/* What stands before the intervals of a statistics file. */
struct statistics_head {
	double window_s, scale; /* scale: of a simulated drive's time, else 1 */
	bool simulated;
};

/* False for a file that is none, or cannot be read. */
bool statistics_head_read(const char *path, struct statistics_head *head);

/*
 * Whether a file is shown by minutes: one of fio's logs, or statistics of a run of half an hour or
 * more (our own choice), or packed ones. base: what all files of the run begin with.
 */
bool is_by_minutes(const char *path, char *base, size_t room);

/*
 * The statistics of a run from that of its first clone on, "x.stats.1.json" or alone, with minutes
 * of the drive's time.
 */
int minutes_of_run(const char *path, struct minutes *minutes, struct error *err);

/*
 * From fio's logs, "BASE_iops.1.log", "BASE_clat.1.log", "BASE_clat_hist.1.log" ..., those of all
 * jobs, packed by gzip or not; path is any of them. Rates are those of the iops logs (without them
 * of the histograms), means of the clat logs (without them of the lat logs), weighted by the rate
 * at that time. Maxima are known with log_window_value=both, or by the histograms' bins; deviations
 * by the histograms alone, of which fio 2 writes 1,216 bins in us and fio 3 1,856 in ns. A log of
 * single I/Os tells all four exactly.
 */
int minutes_of_logs(const char *path, double minute_s, struct minutes *minutes, struct error *err);

/* Whether a path is named like one of fio's logs: its base, "" with nothing before the type. */
bool is_fio_log(const char *path, char *base, size_t room);

#endif
