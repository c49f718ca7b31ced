/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SSDREVIEW_WRITER_CAVEAT_H
#define SSDREVIEW_WRITER_CAVEAT_H

#include "engines/core/core.h"

/* Why what is measured may not be the drive's own speed, in a sentence; NULL: nothing is known. */
const char *writer_caveat(struct thread_data *td);

#endif
