/* SPDX-License-Identifier: GPL-2.0-only */
/* The page as a whole, and ssdreview report. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/command.h"
#include "postprocess/report.h"
#include "postprocess/table_internal.h"

/* Is result number i the first of its drive? */
static bool is_first_of_drive(const struct report *report, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (!strcmp(report->results[j]->drive, report->results[i]->drive))
			return false;
	return true;
}

/* "SSD review: A, B and 2 others" */
static void make_title(const struct report *report, char *title, size_t room)
{
	size_t used, i, drives = 0, most, shown = 0;

	if (report->title) {
		snprintf(title, room, "%s", report->title);
		return;
	}
	for (i = 0; i < report->own; i++)
		drives += is_first_of_drive(report, i);
	most = drives > 3 ? 2 : drives;
	used = (size_t)snprintf(title, room, "SSD review: ");
	for (i = 0; i < report->own && shown < most && used < room; i++)
		if (is_first_of_drive(report, i))
			used += (size_t)snprintf(title + used, room - used, "%s%s",
						 shown++ ? ", " : "", report->results[i]->drive);
	if (shown < drives && used < room)
		snprintf(title + used, room - used, " and %zu others", drives - shown);
}

static void put_head(const char *title, FILE *out)
{
	fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
	      out);
	html_text(title, out);
	fputs("</title>\n", out);
	report_style(out);
	fputs("</head><body><main>\n<h1>", out);
	html_text(title, out);
	fputs("</h1>\n", out);
}

static bool has_stand_in(const struct report *report, const struct result *result)
{
	size_t i, j;

	for (i = 0; i < report->ranking_count; i++) {
		const struct entry *entry = ranking_find(&report->rankings[i], result);

		if (entry && entry_is_stand_in(entry))
			return true;
	}
	for (i = 0; i < report->capacity_count; i++)
		for (j = 0; j < report->capacities[i].count; j++)
			if (report->capacities[i].entries[j].result == result &&
			    report->capacities[i].entries[j].stand_in)
				return true;
	return false;
}

/* What must be known before any figure is read. */
static void put_marks(const struct report *report, FILE *out)
{
	unsigned simulated = 0, quick = 0, stand_in = 0;
	size_t i;

	for (i = 0; i < report->own; i++) {
		simulated += report->results[i]->simulated;
		quick += report->results[i]->quick;
		stand_in += has_stand_in(report, report->results[i]);
	}
	fprintf(out, "<p class=\"soft\">%zu result%s", report->own, report->own == 1 ? "" : "s");
	if (simulated)
		fprintf(out, ", %u from simulated drives", simulated);
	if (quick)
		fprintf(out, ", %u made with --quick (short times, not for publication)", quick);
	if (stand_in)
		fprintf(out, ", %u with rows that are stand-ins", stand_in);
	if (rankings_have_published(report->rankings, report->ranking_count))
		fputs(", beside published figures", out);
	fputs(".</p>\n", out);
}

static void put_contents(const struct report *report, FILE *out)
{
	char title[256];
	size_t i;

	fputs("<nav>", out);
	for (i = 0; i < report->ranking_count; i++) {
		ranking_title(&report->rankings[i], title, sizeof(title));
		report_link("row", i, title, out);
	}
	report_enterprise_contents(report, out);
	report_capacity_contents(report, out);
	report_cache_contents(report, out);
	report_specification_contents(report, out);
	fputs("<a href=\"#conditions\">Conditions</a>\n<a href=\"#reading\">How to read this</a>"
	      "</nav>\n",
	      out);
}

static void sentence(const void *list, size_t row, char *text, size_t room)
{
	const struct ranking *ranking = list;

	entry_sentence(ranking, &ranking->entries[row], text, room);
}

void report_no_charts(const struct report *report, FILE *out)
{
	if (!report->no_charts)
		return;
	fputs("<p class=\"soft\">No chart: ", out);
	html_text(report->no_charts, out);
	fputs("</p>\n", out);
}

static int put_chart(const struct report *report, size_t i, const char *title, FILE *out,
		     struct error *err)
{
	if (!report->names) {
		report_no_charts(report, out);
		return 0;
	}
	return report_chart(report, report->names[i], i, title, out, err);
}

static int put_row(const struct report *report, size_t i, FILE *out, struct error *err)
{
	const struct ranking *ranking = &report->rankings[i];
	char title[256];
	struct table table;

	ranking_title(ranking, title, sizeof(title));
	report_heading("row", i, title, out);
	if (put_chart(report, i, title, out, err) ||
	    report_table(&table, table_make(ranking, &table), out, err))
		return -1;
	if (rankings_have_stand_in(ranking, 1))
		report_note(table_stand_in_note(), out);
	sentences_write(ranking, ranking->count, sentence, FORMAT_HTML, out);
	report_points(ranking, out);
	if (report_distribution(report, i, out, err))
		return -1;
	return report_over_time(report, i, title, out, err);
}

static void put_remarks(const struct report *report, FILE *out)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *remarks = open_memstream(&text, &bytes);

	if (!remarks)
		return;
	remarks_write(report->results, report->own, FORMAT_HTML, remarks);
	fclose(remarks);
	if (bytes)
		fprintf(out,
			"<h2 id=\"remarks\">Points left out, and warnings</h2>\n"
			"<ul class=\"notes\">\n%s</ul>\n",
			text);
	free(text);
}

static int put_page(const struct report *report, FILE *out, struct error *err)
{
	char title[512];
	size_t i;

	make_title(report, title, sizeof(title));
	put_head(title, out);
	put_marks(report, out);
	put_contents(report, out);
	report_summary(report, out);
	if (report->ranking_count)
		report_note("Place and peak of every drive in every row; details below.", out);
	for (i = 0; i < report->ranking_count; i++)
		if (put_row(report, i, out, err))
			return -1;
	if (report_enterprise(report, out, err) || report_capacities(report, out, err) ||
	    report_caches(report, out, err))
		return -1;
	put_remarks(report, out);
	report_specification(report, out);
	report_conditions(report, out);
	report_reading(report, out);
	fputs("</main></body></html>\n", out);
	return 0;
}

int report_write(const struct report *report, struct error *err)
{
	char path[PATH_MAX], *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	int status;

	if (!out)
		return error_set(err, "not enough memory for the page");
	status = put_page(report, out, err);
	if (fclose(out) && status == 0)
		status = error_set(err, "not enough memory for the page");
	if (status == 0 &&
	    snprintf(path, sizeof(path), "%s/index.html", report->folder) >= (int)sizeof(path))
		status = error_set(err, "%s: the folder's name is too long", report->folder);
	if (status == 0)
		status = file_write_atomic(path, text, bytes, err);
	free(text);
	return status;
}
