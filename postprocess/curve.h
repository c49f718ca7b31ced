/* SPDX-License-Identifier: GPL-2.0-only */
/* What a curve says: its steps, its peak, where it crosses 1 ms, how far it falls. */
#ifndef SSDREVIEW_CURVE_H
#define SSDREVIEW_CURVE_H

#include "postprocess/postprocess.h"

#define ONE_MS_US 1000.0

/* Which latency is shown and ranked: the drive's own, or from the moment an I/O was due. */
enum metric { METRIC_CLAT, METRIC_LAT };

/* A point of a curve over all its repeats. */
struct step {
	struct point point; /* medians of the repeats that count; else the first repeat as it is */
	unsigned repeats;   /* that count */
	double spread;	    /* (largest - smallest) / median rate; NAN for fewer than two */
};

/*
 * The steps in offered order. The max run only says what 100 % is: it is a step only when no other
 * counts. The list is the caller's to free(); NULL with *count 0 for an empty curve or when memory
 * is short.
 */
struct step *curve_steps(const struct curve *curve, size_t *count);

/* The step with the highest rate (bytes per second when by_bytes); NULL when no step counts. */
const struct step *steps_peak(const struct step *steps, size_t count, bool by_bytes);

/*
 * How many left-out steps, the max run aside, stand above the peak, which then is not known: those
 * that reached more (by 2 %, our own choice), and, unless a step that counts shows that the drive
 * gives no more, those that were asked for more.
 */
unsigned steps_above_peak(const struct step *steps, size_t count, const struct step *peak,
			  bool by_bytes);

double step_latency_us(const struct step *step, enum metric metric);

/*
 * The rate at which the mean latency reaches 1 ms, interpolated between the last step below and the
 * first above. INFINITY when it stays below for the whole run (of two steps at least), 0 when it is
 * never below, NAN when no latency is known or a single step is below.
 */
double steps_one_ms_iops(const struct step *steps, size_t count, enum metric metric);

/*
 * The lowest rate among the other steps that were asked for at least as much as the peak delivered;
 * NAN when there is none.
 */
double steps_lowest_after(const struct step *steps, size_t count, const struct step *peak);

#endif
