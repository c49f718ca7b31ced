/* SPDX-License-Identifier: GPL-2.0-only */
/* ssdreview report */
#include <stdio.h>
#include <stdlib.h>

#include "postprocess/command.h"
#include "postprocess/distribution.h"
#include "postprocess/report.h"

static int draw(struct report *report, struct error *err)
{
	struct palette palette;
	int drawn;

	if (charts_make(report->rankings, report->ranking_count, report->results,
			report->result_count, report->folder, report->names, err) ||
	    report_draw_over_time(report, err))
		return -1;
	if (palette_make(report->rankings, report->ranking_count, report->results,
			 report->result_count, &palette))
		return error_set(err, "not enough memory for the charts");
	drawn = capacity_charts_make(report->capacities, report->capacity_count, &palette,
				     report->folder, err);
	if (drawn >= 0)
		drawn = cache_charts_make(report->caches, &palette, report->folder,
					  report->cache_charts, err);
	if (drawn >= 0)
		drawn = enterprise_charts_make(report->enterprise, &palette, report->folder, err);
	if (drawn >= 0)
		drawn = distributions_make(report->rankings, report->ranking_count,
					   report->enterprise, &palette, report->folder,
					   report->distributions, err);
	palette_free(&palette);
	return drawn < 0 ? -1 : 0;
}

/* Draws the charts and writes the page; without gnuplot the page is written without charts. */
static int write_page(const struct command_options *options, struct report *report)
{
	struct error err, chart_err;
	int status = EXIT_FINE;

	report->names = calloc(report->ranking_count + 1, sizeof(*report->names));
	report->over_time = calloc(report->ranking_count + 1, sizeof(*report->over_time));
	report->distributions =
		calloc(report->ranking_count + report->enterprise->ladder_count + 1, sizeof(bool));
	if (!report->names || !report->over_time || !report->distributions)
		error_set(&err, "not enough memory for the page");
	if (!report->names || !report->over_time || !report->distributions ||
	    folder_make(options->out, &err)) {
		free(report->names);
		free(report->over_time);
		free(report->distributions);
		return complain(&err, EXIT_FAILED);
	}
	if (draw(report, &chart_err)) {
		status = complain(&chart_err, EXIT_FAILED);
		free(report->names);
		report->names = NULL;
		report->no_charts = chart_err.text;
	}
	if (report_write(report, &err))
		status = complain(&err, EXIT_FAILED);
	else
		printf("%s/index.html\n", options->out);
	free(report->names);
	free(report->over_time);
	free(report->distributions);
	return status;
}

static int write_report(const struct command_options *options, const struct loaded *loaded,
			const struct ranking *rankings, size_t count)
{
	struct report report = {.title = options->title,
				.results = loaded->results,
				.result_count = loaded->count,
				.own = loaded->own,
				.rankings = rankings,
				.ranking_count = count,
				.capacities = loaded->capacities,
				.capacity_count = loaded->capacity_count,
				.caches = &loaded->caches,
				.enterprise = &loaded->enterprise,
				.folder = options->out};

	return write_page(options, &report);
}

int cmd_report(int argc, char **argv)
{
	return command_run(COMMAND_REPORT, argc, argv, write_report);
}
