/* SPDX-License-Identifier: GPL-2.0-only */
/* The stratified choice. */
#include "base/random.h"
#include "engines/mix/strata.h"

#define ONE_CHOICE 0x1p32

/* To the next stratum, and to a place in it. */
static void advance(struct strata *strata, unsigned kind)
{
	double share = random_share(random_next(&strata->random));

	strata->place[kind] =
		strata->begin[kind] + (uint64_t)(share * (double)strata->length[kind]);
	strata->begin[kind] += strata->length[kind];
}

void strata_init(struct strata *strata, const double *shares, unsigned count, uint64_t seed)
{
	unsigned kind;

	*strata = (struct strata){.count = count, .random = seed};
	for (kind = 0; kind < count; kind++) {
		strata->length[kind] = (uint64_t)(ONE_CHOICE / shares[kind] + 0.5);
		advance(strata, kind);
	}
}

unsigned strata_next(struct strata *strata)
{
	unsigned earliest = 0, kind;

	for (kind = 1; kind < strata->count; kind++)
		if ((int64_t)(strata->place[kind] - strata->place[earliest]) < 0)
			earliest = kind;
	if (strata->count > 1)
		advance(strata, earliest);
	return earliest;
}
