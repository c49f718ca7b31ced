/* SPDX-License-Identifier: GPL-2.0-only */
/* ssdreview chart */
#include <stdio.h>
#include <stdlib.h>

#include "postprocess/chart.h"
#include "postprocess/command.h"

static int draw(const struct command_options *options, const struct loaded *loaded)
{
	struct ranking *rankings;
	struct error err;
	size_t count;
	int status = command_rank(options, loaded, &rankings, &count);

	if (status >= 0)
		return status;
	status = EXIT_SUCCESS;
	if (charts_make(rankings, count, loaded->results, loaded->count, options->out, NULL,
			&err)) {
		status = complain(&err, EXIT_FAILURE);
	} else {
		printf("%zu chart%s in %s\n", count, count == 1 ? "" : "s", options->out);
	}
	rankings_free(rankings, count);
	return status;
}

int cmd_chart(int argc, char **argv)
{
	struct command_options options;
	struct loaded loaded;
	int status = command_options(COMMAND_CHART, argc, argv, &options);

	if (status >= 0)
		return status;
	status = command_load(&options, &loaded);
	if (status < 0)
		status = draw(&options, &loaded);
	if (status == EXIT_SUCCESS && loaded.damaged)
		status = EXIT_FAILURE;
	loaded_free(&loaded);
	return status;
}
