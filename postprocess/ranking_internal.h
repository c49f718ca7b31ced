/* SPDX-License-Identifier: GPL-2.0-only */
/* Marks of entries, while a ranking is made. */
#ifndef SSDREVIEW_RANKING_INTERNAL_H
#define SSDREVIEW_RANKING_INTERNAL_H

#include "postprocess/ranking.h"

/* Where the figures come from, how the peak was made, what was left out. */
void entry_mark(struct entry *entry);

/* Tells drives with unlike numbers in flight apart, before they are sorted. */
void ranking_mark_in_flight(struct ranking *ranking);

#endif
