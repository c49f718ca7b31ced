/* SPDX-License-Identifier: GPL-2.0-only */
/* Preconditioning, main tests and ladders on the page: charts, table, each drive in words. */
#include <stdio.h>

#include "postprocess/report.h"

#define FIRST_PICTURE 8000 /* pictures of other parts are numbered below */

/* The page while its parts are put. */
struct page {
	const struct report *report;
	FILE *out;
	size_t pictures;
};

static int put_chart(struct page *page, const char *name, const char *title, struct error *err)
{
	if (page->report->no_charts)
		return 0;
	return report_chart(page->report, name, FIRST_PICTURE + page->pictures++, title, page->out,
			    err);
}

static void put_heading(struct page *page, const char *anchor, size_t number, const char *title)
{
	report_heading(anchor, number, title, page->out);
	report_no_charts(page->report, page->out);
}

static void put_item(struct page *page, const char *text)
{
	if (!text[0])
		return;
	fputs("<li>", page->out);
	html_text(text, page->out);
	fputs("</li>\n", page->out);
}

/* ---- preconditioning ------------------------------------------------------------------------- */

/* A drive's first sentence is its item, what is said further of it stands in the same one. */
static void put_run_sentences(struct page *page, const struct precondition_ranking *ranking)
{
	char text[2048];
	unsigned number;
	size_t i;

	fputs("<ul class=\"says\">\n", page->out);
	for (i = 0; i < ranking->count; i++) {
		fputs("<li>", page->out);
		for (number = 0;
		     precondition_sentence(ranking, &ranking->runs[i], number, text, sizeof(text));
		     number++) {
			fputs(number && text[0] ? " " : "", page->out);
			html_text(text, page->out);
		}
		fputs("</li>\n", page->out);
	}
	fputs("</ul>\n", page->out);
}

static bool has_any_steady(const struct precondition_ranking *ranking)
{
	size_t i;

	for (i = 0; i < ranking->count; i++)
		if (has_steady_chart(&ranking->runs[i]))
			return true;
	return false;
}

static int put_steady_charts(struct page *page, const struct precondition_ranking *ranking,
			     struct error *err)
{
	char name[256];
	size_t i;

	if (!has_any_steady(ranking) || page->report->no_charts)
		return 0;
	fputs("<details><summary>Steady state by rounds</summary>\n", page->out);
	for (i = 0; i < ranking->count; i++) {
		if (!has_steady_chart(&ranking->runs[i]))
			continue;
		steady_chart_name(ranking, i, name, sizeof(name));
		if (put_chart(page, name, ranking->runs[i].result->drive, err))
			return -1;
	}
	fputs("</details>\n", page->out);
	return 0;
}

static int put_precondition(struct page *page, const struct precondition_ranking *ranking,
			    size_t number, struct error *err)
{
	enum minute_measure measure;
	char title[320], name[256];
	struct table table;

	enterprise_heading(ranking->title, ranking->protocol, title, sizeof(title));
	put_heading(page, "rounds", number, title);
	for (measure = MINUTE_IOPS; measure < MINUTE_MEASURES; measure++) {
		precondition_chart_name(ranking, measure, name, sizeof(name));
		if (precondition_has(ranking, measure) && put_chart(page, name, title, err))
			return -1;
	}
	if (report_table(&table, precondition_table_make(ranking, &table), page->out, err))
		return -1;
	put_run_sentences(page, ranking);
	return put_steady_charts(page, ranking, err);
}

/* ---- main tests and ladders ------------------------------------------------------------------ */

static void put_lead_sentences(struct page *page, const struct ladder_ranking *ranking)
{
	char text[1024];
	unsigned number;

	fputs("<ul class=\"says\">\n", page->out);
	for (number = 0; ladder_sentence(ranking, number, text, sizeof(text)); number++)
		put_item(page, text);
	fputs("</ul>\n", page->out);
}

static int put_ladder(struct page *page, const struct ladder_ranking *ranking, size_t number,
		      struct error *err)
{
	enum minute_measure measure;
	char title[320], name[256];
	struct table table;

	enterprise_heading(ranking->title, ranking->protocol, title, sizeof(title));
	put_heading(page, "ladder", number, title);
	for (measure = MINUTE_IOPS; measure < MINUTE_MEASURES; measure++) {
		ladder_chart_name(ranking, measure, name, sizeof(name));
		if (ladder_has(ranking, measure) && put_chart(page, name, title, err))
			return -1;
	}
	put_lead_sentences(page, ranking);
	fputs(ranking->is_main_test ? "" : "<details><summary>All steps</summary>\n", page->out);
	if (report_table(&table, ladder_table_make(ranking, &table), page->out, err))
		return -1;
	fputs(ranking->is_main_test ? "" : "</details>\n", page->out);
	return report_distribution(page->report, page->report->ranking_count + number, page->out,
				   err);
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* Of several tables of the same shape. */
static void put_caption(struct page *page, const char *title)
{
	fputs("<h3>", page->out);
	html_text(title, page->out);
	fputs("</h3>\n", page->out);
}

static int put_loads(struct page *page, const struct load_list *list, size_t number,
		     struct error *err)
{
	struct load_headings headings;
	char title[384], text[LOADS_SENTENCE], name[320];
	struct table table;
	size_t i;

	loads_heading(list, title, sizeof(title));
	put_heading(page, "loads", number, title);
	for (i = 0; i < loads_charts(list); i++) {
		loads_chart_name(list, i, name, sizeof(name));
		if (put_chart(page, name, title, err))
			return -1;
	}
	for (i = 0; i < loads_tables(list); i++) {
		int failed = loads_table_make(list, i, &headings, &table);

		if (!failed && loads_tables(list) > 1)
			put_caption(page, table.title);
		if (report_table(&table, failed, page->out, err))
			return -1;
	}
	loads_sentence(list, text, sizeof(text));
	fputs("<ul class=\"says\">\n", page->out);
	put_item(page, text);
	fputs("</ul>\n", page->out);
	return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void put_link(const char *anchor, size_t number, const char *title, const char *protocol,
		     FILE *out)
{
	char heading[320];

	enterprise_heading(title, protocol, heading, sizeof(heading));
	report_link(anchor, number, heading, out);
}

void report_enterprise_contents(const struct report *report, FILE *out)
{
	const struct enterprise *all = report->enterprise;
	size_t i;

	for (i = 0; i < all->precondition_count; i++)
		put_link("rounds", i, all->preconditions[i].title, all->preconditions[i].protocol,
			 out);
	for (i = 0; i < all->ladder_count; i++)
		put_link("ladder", i, all->ladders[i].title, all->ladders[i].protocol, out);
	for (i = 0; i < all->load_count; i++) {
		char title[384];

		loads_heading(&all->loads[i], title, sizeof(title));
		put_link("loads", i, title, "", out);
	}
}

int report_enterprise(const struct report *report, FILE *out, struct error *err)
{
	const struct enterprise *all = report->enterprise;
	struct page page = {.report = report, .out = out};
	size_t i;

	for (i = 0; i < all->precondition_count; i++)
		if (put_precondition(&page, &all->preconditions[i], i, err))
			return -1;
	for (i = 0; i < all->ladder_count; i++)
		if (put_ladder(&page, &all->ladders[i], i, err))
			return -1;
	for (i = 0; i < all->load_count; i++)
		if (put_loads(&page, &all->loads[i], i, err))
			return -1;
	if (!enterprise_is_empty(all))
		report_note(enterprise_note(), out);
	return 0;
}
