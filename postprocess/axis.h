/* SPDX-License-Identifier: GPL-2.0-only */
/* Axes of charts: range, unit, and where the tics stand. */
#ifndef SSDREVIEW_AXIS_H
#define SSDREVIEW_AXIS_H

#include <stdbool.h>
#include <stdio.h>

struct axis {
	double lowest, highest; /* of the values, in the unit of the data */
	double from, to;	/* of the axis, in its own unit */
	double divisor;		/* data / divisor = what the axis shows; the label's unit follows */
	const char *unit;
	bool logarithmic;
};

/* Takes a value into the range; NAN is left out. An axis begins as {.lowest = INFINITY, 0}. */
void axis_include(struct axis *axis, double value);

/* A rate axis from 0: IOPS, or MB/s. */
void axis_finish_rate(struct axis *axis, bool by_bytes);

/* A latency axis (values in us): us or ms; logarithmic when the values span a factor of 30. */
void axis_finish_latency(struct axis *axis);

/* An axis of time (values in s) from 0 to the last: s, or min from a quarter of an hour on. */
void axis_finish_time(struct axis *axis);

/* An axis of degrees Celsius around its values. */
void axis_finish_temperature(struct axis *axis);

/* An axis of bytes from 0: GB, or MB. */
void axis_finish_bytes(struct axis *axis);

/* Makes a finished axis logarithmic when its values span so large a factor. */
void axis_make_logarithmic(struct axis *axis, double factor);

/* gnuplot's `set xtics (...)` with numbers as all tables write them. */
void axis_write(const struct axis *axis, char letter, FILE *out);

#endif
