/* SPDX-License-Identifier: GPL-2.0-only */
/* How late I/Os left, and whether the drive or the machine was the cause. */
#ifndef SSDREVIEW_LATENESS_H
#define SSDREVIEW_LATENESS_H

#include "engines/core/core.h"

/*
 * The prepared I/Os have left, their issue times are set: counts how late each was and tells the
 * load (left()). For loads that are paced or see I/Os leave: others need not pay for it.
 */
void account_prepared(struct engine *engine);

#endif
