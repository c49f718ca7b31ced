/* SPDX-License-Identifier: GPL-2.0-only */
/* SLC caches on the page: charts, table, each drive in words. */
#include <stdio.h>

#include "postprocess/report.h"

#define FIRST_PICTURE 5000 /* pictures of other parts are numbered below */

static int put_charts(const struct report *report, FILE *out, struct error *err)
{
	enum cache_chart chart;

	for (chart = 0; chart < CACHE_CHARTS; chart++) {
		if (report->cache_charts[chart] &&
		    report_chart(report, cache_chart_name(chart), FIRST_PICTURE + chart,
				 cache_title(), out, err))
			return -1;
	}
	report_no_charts(report, out);
	return 0;
}

void report_cache_contents(const struct report *report, FILE *out)
{
	if (report->caches->count)
		report_link("cache", 0, cache_title(), out);
}

int report_caches(const struct report *report, FILE *out, struct error *err)
{
	struct table table;

	if (!report->caches->count)
		return 0;
	report_heading("cache", 0, cache_title(), out);
	if (put_charts(report, out, err) ||
	    report_table(&table, cache_table_make(report->caches, &table), out, err))
		return -1;
	cache_sentences_write(report->caches, FORMAT_HTML, out);
	report_note(cache_note(), out);
	return 0;
}
