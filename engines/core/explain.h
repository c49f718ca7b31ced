/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an errno of the kernel means on the way to a drive, in words. Knows no fio. `instead` is
 * what goes without NVMe commands, as the engine at work has it: core_block_way(). Every function
 * fills err and returns -1.
 */
#ifndef SSDREVIEW_EXPLAIN_H
#define SSDREVIEW_EXPLAIN_H

#include "base/base.h"

/* I/Os that io_uring holds at most. */
#define CORE_MOST_IN_FLIGHT 32768u

/* io_uring_setup() failed. */
int core_explain_ring(int failed, struct error *err);

/* The same of a ring for so many NVMe commands. */
int nvme_explain_ring(int failed, unsigned commands, const char *instead, struct error *err);

/* The character device of a namespace could not be opened. */
int nvme_explain_open(const char *path, int failed, struct error *err);

/* The kernel did not pass a command on. */
int nvme_explain_command(const char *path, int failed, const char *instead, struct error *err);

#endif
