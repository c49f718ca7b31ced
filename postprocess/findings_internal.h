/* SPDX-License-Identifier: GPL-2.0-only */
/* What the finders of a run share. */
#ifndef SSDREVIEW_FINDINGS_INTERNAL_H
#define SSDREVIEW_FINDINGS_INTERNAL_H

#include "postprocess/findings.h"

#define WIDEST_WINDOW 15 /* minutes that a median is taken of */

/* Of the minutes from ... to - 1, at most WIDEST_WINDOW of them; NAN where nothing is known. */
double median_between(const struct minutes *minutes, enum minute_measure measure, size_t from,
		      size_t to);

/* -1 when memory is short. */
int find_spikes(const struct minutes *minutes, struct findings *findings);

#endif
