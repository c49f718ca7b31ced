/* SPDX-License-Identifier: GPL-2.0-only */
/* ssdreview chart */
#include <stdio.h>

#include "postprocess/chart.h"
#include "postprocess/command.h"
#include "postprocess/distribution.h"

/* How many charts beside the curves: desktops, caches, rounds, ladders, distributions; -1 with err.
 */
static int draw_others(const struct loaded *loaded, const struct ranking *rankings, size_t count,
		       const char *folder, struct error *err)
{
	struct palette palette;
	int carried, caches = -1, enterprise = -1, distributions = -1;

	if (palette_make(rankings, count, loaded->results, loaded->count, &palette))
		return error_set(err, "not enough memory for the charts");
	carried = capacity_charts_make(loaded->capacities, loaded->capacity_count, &palette, folder,
				       err);
	if (carried >= 0)
		caches = cache_charts_make(&loaded->caches, &palette, folder, NULL, err);
	if (caches >= 0)
		enterprise = enterprise_charts_make(&loaded->enterprise, &palette, folder, err);
	if (enterprise >= 0)
		distributions = distributions_make(rankings, count, &loaded->enterprise, &palette,
						   folder, NULL, err);
	palette_free(&palette);
	return distributions < 0 ? -1 : carried + caches + enterprise + distributions;
}

static int draw(const struct command_options *options, const struct loaded *loaded,
		const struct ranking *rankings, size_t count)
{
	struct error err;
	int more;

	if (options->over_time)
		return over_time_of_rankings(options, loaded, rankings, count);
	if (charts_make(rankings, count, loaded->results, loaded->count, options->out, NULL, &err))
		return complain(&err, EXIT_FAILED);
	more = draw_others(loaded, rankings, count, options->out, &err);
	if (more < 0)
		return complain(&err, EXIT_FAILED);
	count += (size_t)more;
	printf("%zu chart%s in %s\n", count, count == 1 ? "" : "s", options->out);
	return EXIT_FINE;
}

int cmd_chart(int argc, char **argv)
{
	return command_run(COMMAND_CHART, argc, argv, draw);
}
