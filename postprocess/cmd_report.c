/* SPDX-License-Identifier: GPL-2.0-only */
/* ssdreview report */
#include <stdio.h>
#include <stdlib.h>

#include "postprocess/command.h"
#include "postprocess/report.h"

/* Draws the charts and writes the page; without gnuplot the page is written without charts. */
static int write_page(const struct command_options *options, struct report *report)
{
	struct error err, chart_err;
	int status = EXIT_SUCCESS;

	report->names = calloc(report->ranking_count, sizeof(*report->names));
	if (!report->names)
		error_set(&err, "not enough memory for the page");
	if (!report->names || folder_make(options->out, &err)) {
		free(report->names);
		return complain(&err, EXIT_FAILURE);
	}
	if (charts_make(report->rankings, report->ranking_count, report->results,
			report->result_count, options->out, report->names, &chart_err)) {
		status = complain(&chart_err, EXIT_FAILURE);
		free(report->names);
		report->names = NULL;
		report->no_charts = chart_err.text;
	}
	if (report_write(report, &err))
		status = complain(&err, EXIT_FAILURE);
	else
		printf("%s/index.html\n", options->out);
	free(report->names);
	return status;
}

static int rank_and_write(const struct command_options *options, const struct loaded *loaded)
{
	struct report report = {.title = options->title,
				.results = loaded->results,
				.result_count = loaded->count,
				.own = loaded->own,
				.folder = options->out};
	struct ranking *rankings;
	int status = command_rank(options, loaded, &rankings, &report.ranking_count);

	if (status >= 0)
		return status;
	report.rankings = rankings;
	status = write_page(options, &report);
	rankings_free(rankings, report.ranking_count);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct command_options options;
	struct loaded loaded;
	int status = command_options(COMMAND_REPORT, argc, argv, &options);

	if (status >= 0)
		return status;
	status = command_load(&options, &loaded);
	if (status < 0)
		status = rank_and_write(&options, &loaded);
	if (status == EXIT_SUCCESS && loaded.damaged)
		status = EXIT_FAILURE;
	loaded_free(&loaded);
	return status;
}
