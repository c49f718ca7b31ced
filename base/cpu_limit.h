/* SPDX-License-Identifier: GPL-2.0-only */
/* Was the CPU the limit of a run, and not the drive? From the shares that engines count. */
#ifndef SSDREVIEW_CPU_LIMIT_H
#define SSDREVIEW_CPU_LIMIT_H

#include "base/base.h"

#define CPU_LIMIT_ROOM 128

/* Shares of the time in which the engine was busy, and waited for a CPU; NAN: not known. */
bool cpu_was_limit(double busy_share, double wait_share);

/* "the CPU was the limit, not the drive: the engine waited for a CPU 38.6 % of the time"; text. */
char *cpu_limit_text(double busy_share, double wait_share, char text[CPU_LIMIT_ROOM]);

/* Of the two shares: that of being busy. */
bool cpu_was_busy(double busy_share);

#endif
