/* SPDX-License-Identifier: GPL-2.0-only */
/* What the machine's clocks say of a time in which something ran: was it asleep, was a clock set?
 */
#ifndef SSDREVIEW_CLOCKS_H
#define SSDREVIEW_CLOCKS_H

#include <time.h>

#include <jansson.h>

#include "base/base.h"

struct clocks {
	double real_s;	    /* the time of day */
	double monotonic_s; /* stands still while the machine sleeps */
	double boot_s;	    /* goes on then */
};

struct clocks clocks_now(void);

/* A time of day as files hold it: "2026-01-31T12:00:00Z". */
json_t *time_json(time_t time);

struct clock_gap {
	double suspended_s; /* 0: it was awake */
	double set_s;	    /* how far the time of day was set on, below 0: back; 0: it was not */
};

/* Differences under a second are none: clocks are trimmed all the time. */
struct clock_gap clocks_gap(const struct clocks *before, const struct clocks *after);

/*
 * How long nothing was written in the folders right below one, by the time of day (beside them
 * may lie the state of a simulated drive, which changes when it is looked at). Negative when a file
 * is of the future: the clock was set back. NAN when there is no file.
 */
double folder_rest_s(const char *folder);

#endif
