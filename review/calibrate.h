/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a drive model true to what was published? Runs the review's own curve against the model in
 * virtual time and sets the peak beside the published one.
 */
#ifndef SSDREVIEW_CALIBRATE_H
#define SSDREVIEW_CALIBRATE_H

#include "engines/sim/load.h"
#include "engines/sim/sim.h"
#include "review/profile.h"

#define CALIBRATION_MAX_ROWS 32

struct calibration_point {
	unsigned percent; /* of the max run, which itself is 0 */
	double offered_iops, iops, latency_us;
};

struct calibration_row {
	struct sim_published published;
	unsigned in_flight;
	double iops, latency_us, bandwidth_mbps; /* simulated, at the peak */
	double iops_off, latency_off,
		bandwidth_off; /* simulated / published - 1; 0: not published */
	bool ok;	       /* all that is published lies within its tolerance */
	struct calibration_point points[PROFILE_MAX_STEPS + 1]; /* of a curve, in order */
	unsigned point_count;
};

struct calibration {
	struct sim_info info;
	struct calibration_row rows[CALIBRATION_MAX_ROWS];
	unsigned row_count;
	bool ok;
};

/*
 * Runs every published point of a model by the protocol it names:
 *  - a profile ("client-qlc"): purge, fill, then for each row the max run and the steps, times
 *    divided by the scale, a refill of the region before each row that writes. The peak is the step
 *    with the highest achieved rate, of level ones the last; the max run only sets the rates, as in
 *    vdbench's curves. A row that replays a trace gets a drive of its own, at a scale at which the
 *    region is about 20 GB.
 *  - "blackmagic": 5 GB written, then read, 1 MiB in order, 4 in flight.
 *  - "steady": 4K random writes to the whole drive for 180 minutes, then each row in flight as
 * given.
 *  - "rated": a rating instead of a published result: 1 % of the drive, the rate with all in
 * flight.
 */
int calibrate_model(const char *word, struct calibration *calibration, struct error *err);

/* Are one row's simulated rates on several drives in the order of the published ones? */
bool calibration_same_order(const struct calibration_row *const *rows, size_t count);

/* The same for the points of one profile only. */
int calibrate_profile(const struct sim_model *model, const struct profile *profile,
		      struct calibration *calibration, struct error *err);

#endif
