/* SPDX-License-Identifier: GPL-2.0-only */
/* How a record of telemetry is put together. */
#ifndef SSDREVIEW_TELEMETRY_INTERNAL_H
#define SSDREVIEW_TELEMETRY_INTERNAL_H

#include "device/device_internal.h"
#include "device/drive.h"
#include "device/heat.h"
#include "device/telemetry.h"

/* ---- telemetry_read.c: one reading ------------------------------------------------------------
 */

/* What is asked, and what was found out about it once. */
struct telemetry_source {
	struct drive_question question; /* path NULL: made up by a test */
	bool is_simulated;
	struct disk disk;
	bool lacks_ocp; /* refused once: asked again, it would only fill the drive's error log */
};

/*
 * Counters are read so that nothing but SMART comes between two readings: a log that the drive
 * refuses may count as one of its errors. is_last: SMART first.
 */
json_t *telemetry_reading(struct telemetry_source *source, bool is_last);

/* Adds the error log to a reading, as "errors" of "nvme". */
void telemetry_add_errors(const struct telemetry_source *source, json_t *reading);

/* By SMART; NAN when it is not told. */
double telemetry_smart_c(const struct telemetry_source *source);

/* The state of its controller or device, "live", "running", "resetting"; "": not known. */
void telemetry_state(const struct telemetry_source *source, char *state, size_t room);

/* ---- telemetry_link.c -------------------------------------------------------------------------
 */

struct telemetry_link {
	char words[64]; /* "16.0 GT/s x4", "6.0 Gbps"; "": not known */
	double speed, width;
};

struct telemetry_link telemetry_link_now(const struct telemetry_source *source);
bool telemetry_link_is_less(const struct telemetry_link *link, const struct telemetry_link *than);

/* ---- telemetry_change.c: differences ----------------------------------------------------------
 */

json_t *telemetry_change(const json_t *before, const json_t *after);

/* ---- telemetry_marks.c ------------------------------------------------------------------------
 */

/* What was seen meanwhile. */
struct telemetry_seen {
	double hottest_c, limit_c; /* NAN: not known */
	struct telemetry_link best, lowest;
	char state[32]; /* the first that is none of a drive at work; "": none */
	bool is_gone;
};

/* What must be said of the point, worst first. */
json_t *telemetry_marks(const json_t *before, const json_t *after, const json_t *change,
			const struct telemetry_seen *seen);

/* Of a reading: a counter of a part of "nvme", or of the reading itself (part NULL). */
const json_t *telemetry_fact(const json_t *reading, const char *part, const char *key);

#endif
