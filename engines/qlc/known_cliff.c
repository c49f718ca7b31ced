/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cliff again, between the two speeds a probe found: it lies where "fast until here" explains
 * the windows best, and is met when slow ones have outweighed it for long enough.
 */
#include <math.h>

#include "engines/qlc/plan_internal.h"

#define SLOW_WINDOWS 40 /* since the best place, most of them slow */

void known_cliff_begin(struct known_cliff *cliff, double fast, double slow)
{
	*cliff = (struct known_cliff){.fast = fast, .slow = slow};
}

/* How much nearer (in the logarithm) a speed is to the fast one than to the slow one. */
static double gain_of(const struct known_cliff *cliff, double speed)
{
	return fabs(log(speed / cliff->slow)) - fabs(log(speed / cliff->fast));
}

bool known_cliff_add(struct known_cliff *cliff, const struct qlc_window *window)
{
	cliff->gain += gain_of(cliff, window_speed(window));
	cliff->bytes += window->bytes;
	cliff->since_most++;
	if (cliff->gain > cliff->most) {
		cliff->most = cliff->gain;
		cliff->most_bytes = cliff->bytes;
		cliff->since_most = 0;
	}
	return cliff->since_most >= SLOW_WINDOWS &&
	       cliff->most - cliff->gain >= SLOW_WINDOWS / 2 * log(cliff->fast / cliff->slow);
}
