/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Drives drawn at random, as series of windows of one write from the first byte on, with the truth
 * about where their speed changes: for the test and the bench of the cliff finder.
 */
#ifndef SSDREVIEW_DRAWN_DRIVE_H
#define SSDREVIEW_DRAWN_DRIVE_H

#include <math.h>

#include "base/random.h"
#include "engines/qlc/qlc.h"

#define DRAWN_LEVELS 64

enum drawn_kind { DRAWN_CLIFF, DRAWN_NONE, DRAWN_UP_STEP, DRAWN_TWO_STEPS, DRAWN_PERIODIC };

struct drawn_drive {
	enum drawn_kind kind;
	uint64_t random;
	double fast, ratio; /* bytes/s; fast : slow */
	double cliff_bytes; /* where it falls first; 0: never */
	double level_end[DRAWN_LEVELS], level_speed[DRAWN_LEVELS];
	unsigned levels;
	double noise;		 /* sigma of the logarithm of speed */
	double correlation;	 /* of neighbouring windows */
	double dip_share;	 /* of the time */
	unsigned dip_windows;	 /* mean length */
	unsigned before_windows; /* until the first fall */
	uint64_t window_ns;
	/* state */
	double written, wobble;
	unsigned dip_left, throttle_left;
	double dip_factor, throttle_factor;
	bool throttle_is_known;
	unsigned number, cool_until;
};

static inline double drawn_share(struct drawn_drive *drive)
{
	return random_share(random_next(&drive->random));
}

static inline double drawn_between(struct drawn_drive *drive, double low, double high)
{
	return low + (high - low) * drawn_share(drive);
}

static inline double drawn_log_between(struct drawn_drive *drive, double low, double high)
{
	return exp(drawn_between(drive, log(low), log(high)));
}

/* Standard normal (Box and Muller 1958). */
static inline double drawn_normal(struct drawn_drive *drive)
{
	double radius = sqrt(-2.0 * log(random_share_above_0(random_next(&drive->random))));

	return radius * cos(2.0 * M_PI * drawn_share(drive));
}

static inline void drawn_level(struct drawn_drive *drive, double bytes, double speed)
{
	double start = drive->levels ? drive->level_end[drive->levels - 1] : 0.0;

	drive->level_end[drive->levels] = start + bytes;
	drive->level_speed[drive->levels++] = speed;
}

static inline void drawn_cycles(struct drawn_drive *drive, double cache)
{
	double low = drawn_between(drive, 0.3, 1.0) * cache / drive->ratio;
	double high = drawn_between(drive, 0.3, 1.0) * cache;
	unsigned i;

	/* At least 300 windows each: shorter ones are dips. */
	low = fmax(low, 300.0 * drive->fast / drive->ratio * (double)drive->window_ns / 1e9);
	high = fmax(high, 300.0 * drive->fast * (double)drive->window_ns / 1e9);
	for (i = 0; i < 6; i++) {
		drawn_level(drive, low, drive->fast / drive->ratio);
		drawn_level(drive, high, drive->fast);
	}
}

static inline void drawn_levels(struct drawn_drive *drive, double cache)
{
	double slow = drive->fast / drive->ratio;

	if (drive->kind == DRAWN_UP_STEP)
		drawn_level(drive, 0.3 * cache, drive->fast / drawn_between(drive, 1.5, 5.0));
	drawn_level(drive, drive->kind == DRAWN_UP_STEP ? 0.7 * cache : cache, drive->fast);
	if (drive->kind == DRAWN_NONE)
		return;
	drive->cliff_bytes = cache;
	if (drive->kind == DRAWN_PERIODIC)
		drawn_cycles(drive, cache);
	else
		drawn_level(drive, cache, slow);
	if (drive->kind == DRAWN_TWO_STEPS)
		drawn_level(drive, cache, slow / drawn_between(drive, 1.5, 4.0));
}

/* The same seed draws the same drive. */
static inline void drawn_begin(struct drawn_drive *drive, enum drawn_kind kind, uint64_t seed)
{
	double cache;

	*drive = (struct drawn_drive){.kind = kind, .random = mix64(seed + 1), .cool_until = 100};
	cache = drawn_log_between(drive, 1e9, 300e9);
	drive->fast = drawn_log_between(drive, 0.4e9, 7e9);
	drive->ratio = drawn_log_between(drive, 1.3, 20.0);
	drive->noise = drawn_between(drive, 0.0, 0.2);
	drive->correlation = drawn_between(drive, 0.0, 0.5);
	drive->dip_share = drawn_between(drive, 0.0, 0.1);
	drive->dip_windows = 1 + (unsigned)drawn_between(drive, 0.0, 12.0);
	/* The level before the cliff has 300 windows at least, also when it is the second one. */
	drive->before_windows =
		(unsigned)drawn_log_between(drive, kind == DRAWN_UP_STEP ? 600.0 : 300.0, 3000.0);
	drive->window_ns = (uint64_t)(cache / drive->fast / drive->before_windows * 1e9);
	drawn_levels(drive, cache);
}

static inline double drawn_plain_speed(struct drawn_drive *drive)
{
	unsigned level = 0;

	while (level + 1 < drive->levels && drive->written >= drive->level_end[level])
		level++;
	return drive->level_speed[level];
}

static inline double drawn_disturbance(struct drawn_drive *drive)
{
	double factor = 1.0;
	double begin = drive->dip_share / (1.0 - drive->dip_share) / drive->dip_windows;

	if (!drive->dip_left && drawn_share(drive) < begin) {
		drive->dip_left =
			1 + (unsigned)drawn_between(drive, 0.0, 2.0 * drive->dip_windows - 1.0);
		drive->dip_factor = drawn_between(drive, 0.03, 0.7);
	}
	if (drive->dip_left && drive->dip_left--)
		factor = drive->dip_factor;
	if (drive->number > drive->cool_until && drawn_share(drive) < 0.0005) {
		drive->throttle_is_known = drawn_share(drive) < 0.5;
		drive->throttle_left = drive->throttle_is_known ? 400 : 100;
		drive->throttle_factor = drawn_between(drive, 0.2, 0.7);
		drive->cool_until = drive->number + 800;
	}
	if (drive->throttle_left && drive->throttle_left--)
		factor *= drive->throttle_factor;
	return factor;
}

/* The next window; false when the drive is full. */
static inline bool drawn_next(struct drawn_drive *drive, struct cliff_window *window)
{
	double speed, seconds = (double)drive->window_ns / 1e9;

	if (drive->written >= drive->level_end[drive->levels - 1])
		return false;
	drive->wobble = drive->correlation * drive->wobble +
			sqrt(1.0 - drive->correlation * drive->correlation) * drawn_normal(drive);
	speed = drawn_plain_speed(drive) * drawn_disturbance(drive) *
		exp(drive->noise * drive->wobble);
	drive->number++;
	*window = (struct cliff_window){
		.bytes = (uint64_t)(speed * seconds) + 1,
		.duration_ns = drive->window_ns,
		.is_hot = drive->throttle_left && drive->throttle_is_known,
	};
	drive->written += (double)window->bytes;
	return true;
}

#endif
