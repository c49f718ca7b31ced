/* SPDX-License-Identifier: GPL-2.0-only */
/* On the page below the curve of a row: a replay over its time, and how response times are
 * distributed. */
#include <stdio.h>
#include <stdlib.h>

#include "postprocess/distribution.h"
#include "postprocess/report.h"

#define FIRST_DISTRIBUTION 9000
#define FIRST_PICTURE	   1000 /* the pictures before are numbered by row */

static bool has_line(const struct over_time *over_time)
{
	size_t i;

	for (i = 0; i < over_time->count; i++)
		if (over_time->lines[i].count > 1)
			return true;
	return false;
}

/* A run no longer than an interval has no line: then there is nothing to draw. */
static int draw_row(const struct report *report, size_t i, const struct palette *palette,
		    const struct terminals *terminals, struct error *err)
{
	struct over_time over_time;
	int status = 0;

	if (over_time_of(&report->rankings[i], &over_time, err))
		return -1;
	if (over_time.replays && has_line(&over_time))
		status = over_time_draw(&over_time, palette, terminals, report->folder,
					&report->over_time[i], err);
	over_time_free(&over_time);
	return status;
}

int report_draw_over_time(const struct report *report, struct error *err)
{
	struct terminals terminals;
	struct palette palette;
	int status = 0;
	size_t i;

	if (terminals_probe(&terminals, err))
		return -1;
	if (palette_make(report->rankings, report->ranking_count, report->results,
			 report->result_count, &palette))
		return error_set(err, "not enough memory for the charts");
	for (i = 0; status == 0 && i < report->ranking_count; i++)
		status = draw_row(report, i, &palette, &terminals, err);
	palette_free(&palette);
	return status;
}

int report_over_time(const struct report *report, size_t i, const char *row, FILE *out,
		     struct error *err)
{
	char title[300];
	size_t chart;

	if (!report->names || !report->over_time[i].names[0][0])
		return 0;
	fputs("<details><summary>Over time</summary>\n<p class=\"soft\">Every drive at its peak, "
	      "by intervals of its statistics. Response time counts from the moment an I/O was "
	      "due; lateness is how long after that it left.</p>\n",
	      out);
	for (chart = 0; chart < OVER_TIME_CHARTS && report->over_time[i].names[chart][0]; chart++) {
		snprintf(title, sizeof(title), "%.200s over time", row);
		if (report_chart(report, report->over_time[i].names[chart],
				 FIRST_PICTURE + i * OVER_TIME_CHARTS + chart, title, out, err))
			return -1;
	}
	fputs("</details>\n", out);
	return 0;
}

int report_distribution(const struct report *report, size_t i, FILE *out, struct error *err)
{
	bool is_ranking = i < report->ranking_count;
	const struct ladder_ranking *ladder =
		is_ranking ? NULL : &report->enterprise->ladders[i - report->ranking_count];
	const char *row = is_ranking ? report->rankings[i].row : ladder->row;
	char name[256];
	int status;

	if (report->no_charts || !report->distributions[i])
		return 0;
	distribution_name(row, is_ranking ? report->rankings[i].protocol : ladder->protocol, name,
			  sizeof(name));
	fputs("<details><summary>Distribution of response times</summary>\n", out);
	status = report_chart(report, name, FIRST_DISTRIBUTION + i,
			      "Distribution of response "
			      "times",
			      out, err);
	fputs("</details>\n", out);
	return status;
}
