/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the index share. */
#ifndef SSDREVIEW_INDEX_INTERNAL_H
#define SSDREVIEW_INDEX_INTERNAL_H

#include "review/review.h"

/* A new index: all that was asked, and no point yet. */
json_t *index_describe(const struct plan *plan);

#endif
