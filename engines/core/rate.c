/* SPDX-License-Identifier: GPL-2.0-only */
/* iorate= and max_from=: a rate, or a share of a maximum that was measured before. */
#include <stdlib.h>
#include <string.h>

#include "engines/core/core.h"

/* The mean of all clones' maxima: a percentage means the same for each of them. */
static int read_maximum(const struct rate_options *o, unsigned clones, double *iops,
			struct error *err)
{
	double sum = 0.0, one;
	unsigned clone;

	for (clone = 1; clone <= clones; clone++) {
		char *path = core_clone_path(o->max_from, clone, clones);
		int failed =
			path ? stats_read_achieved(path, &one, err) : error_set(err, "no memory");

		free(path);
		if (failed)
			return error_prefix(err, "max_from=");
		sum += one;
	}
	*iops = sum / clones;
	return 0;
}

int core_parse_rate(const struct rate_options *o, unsigned clones, double *iops, struct error *err)
{
	double value, maximum = 0.0;
	char *end;

	*iops = 0.0;
	if (o->max_from && !(o->iorate && strchr(o->iorate, '%')))
		return error_set(err, "max_from= has no effect without a share of it such as "
				      "iorate=30%%; remove it");
	if (!o->iorate)
		return 0;
	value = strtod(o->iorate, &end);
	if (end == o->iorate || !(value >= 0 && value < 1e9) || (*end && strcmp(end, "%")))
		return error_set(err,
				 "iorate=%s is no rate: give IOPS (iorate=20000) or a share of "
				 "the maximum (iorate=30%%)",
				 o->iorate);
	if (*end != '%') {
		*iops = value;
		return 0;
	}
	if (!o->max_from)
		return error_set(err,
				 "iorate=%s needs max_from=, the statistics file of the run at "
				 "the maximum",
				 o->iorate);
	if (read_maximum(o, clones, &maximum, err))
		return -1;
	*iops = maximum * value / 100.0;
	return 0;
}
