/* SPDX-License-Identifier: GPL-2.0-only */
/* ssdreview chart */
#include <stdio.h>

#include "postprocess/chart.h"
#include "postprocess/command.h"

static int draw(const struct command_options *options, const struct loaded *loaded,
		const struct ranking *rankings, size_t count)
{
	struct error err;

	if (options->over_time)
		return over_time_of_rankings(options, loaded, rankings, count);
	if (charts_make(rankings, count, loaded->results, loaded->count, options->out, NULL, &err))
		return complain(&err, EXIT_FAILED);
	printf("%zu chart%s in %s\n", count, count == 1 ? "" : "s", options->out);
	return EXIT_FINE;
}

int cmd_chart(int argc, char **argv)
{
	return command_run(COMMAND_CHART, argc, argv, draw);
}
