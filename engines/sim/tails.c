/* SPDX-License-Identifier: GPL-2.0-only */
/* Latency tails. */
#include <math.h>

#include "engines/sim/state.h"

/*
 * Inverse of the truncated Pareto distribution: x(u) = L * (1 - u * (1 - (L/H)^a))^(-1/a), with
 * L least, H most, a shape. Bounded, so that the longest latency can be calibrated too.
 */
void tail_table(uint32_t *table, int64_t least_ns, int64_t most_ns, int64_t shape_milli)
{
	double shape = (double)shape_milli / 1000, least = (double)least_ns;
	double span = 1 - pow(least / (double)most_ns, shape);
	int i;

	for (i = 0; i < TAIL_STEPS; i++) {
		double u = (i + 0.5) / TAIL_STEPS;

		table[i] = (uint32_t)lround(least * pow(1 - u * span, -1 / shape));
	}
}
