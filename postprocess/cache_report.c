/* SPDX-License-Identifier: GPL-2.0-only */
/* SLC caches on the page: charts, table, each drive in words. */
#include <limits.h>
#include <stdio.h>

#include "postprocess/report.h"

#define FIRST_PICTURE 5000 /* pictures of other parts are numbered below */

static int put_charts(const struct report *report, FILE *out, struct error *err)
{
	char path[PATH_MAX];
	enum cache_chart chart;

	for (chart = 0; chart < CACHE_CHARTS; chart++) {
		if (!report->cache_charts[chart])
			continue;
		snprintf(path, sizeof(path), "%s/%s.svg", report->folder, cache_chart_name(chart));
		if (report_svg(path, FIRST_PICTURE + chart, cache_title(), out, err))
			return -1;
	}
	report_no_charts(report, out);
	return 0;
}

void report_cache_contents(const struct report *report, FILE *out)
{
	if (report->caches->count)
		fprintf(out, "<a href=\"#cache\">%s</a>\n", cache_title());
}

int report_caches(const struct report *report, FILE *out, struct error *err)
{
	struct table table;

	if (!report->caches->count)
		return 0;
	fprintf(out, "<h2 id=\"cache\">%s</h2>\n", cache_title());
	if (put_charts(report, out, err))
		return -1;
	if (cache_table_make(report->caches, &table))
		return error_set(err, "not enough memory for the page");
	html_table(&table, out);
	table_free(&table);
	cache_sentences_write(report->caches, FORMAT_HTML, out);
	fputs("<p class=\"soft\">", out);
	html_text(cache_note(), out);
	fputs("</p>\n", out);
	return 0;
}
