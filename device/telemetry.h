/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a drive does while it is measured: its counters before and after, its temperature and its
 * link once a second. Nothing is written to it, and nothing but SMART is asked of it meanwhile.
 * What comes out is JSON (docs/results.md, "POINT.telemetry.json"); what is missing says why.
 */
#ifndef SSDREVIEW_TELEMETRY_H
#define SSDREVIEW_TELEMETRY_H

#include <jansson.h>

#include "base/base.h"

struct drive_question;
struct telemetry;

/*
 * A block device, the character device of an NVMe namespace, a file, or the state file of a
 * simulated drive, which need not be there yet. NULL: no memory.
 */
struct telemetry *telemetry_open(const char *path);

/* The same of what tests make up; the question must outlive it. */
struct telemetry *telemetry_open_as(const struct drive_question *question);
void telemetry_close(struct telemetry *telemetry); /* may be NULL */

/* Times are of any clock that only goes forward. Begins with the counters as they are. */
void telemetry_begin(struct telemetry *telemetry, uint64_t now_ns);

/* To be called often, from a loop that waits anyway: looks at the drive once a second. */
void telemetry_tick(struct telemetry *telemetry, uint64_t now_ns);

/* The counters once more, and the record of all since telemetry_begin(); the caller's. */
json_t *telemetry_end(struct telemetry *telemetry, uint64_t now_ns);

/* Of a record what is told of each point: temperatures, write amplification, marks. */
json_t *telemetry_summary(const json_t *record);

#endif
