/* SPDX-License-Identifier: GPL-2.0-only */
/* What drives carry, on the page: chart, table, answers and every trial. */
#include <stdio.h>

#include "base/number.h"
#include "postprocess/report.h"

static int put_charts(const struct report *report, size_t at, const char *title, FILE *out,
		      struct error *err)
{
	const struct capacity_ranking *ranking = &report->capacities[at];
	char name[256];
	unsigned term;

	for (term = 0; !report->no_charts && term < ranking->sla.count; term++) {
		capacity_chart_name(report->capacities, at, term, name, sizeof(name));
		/* Numbers of their own, beside those of the rankings' charts. */
		if (report_chart(report, name, report->ranking_count + at * SLA_MOST_TERMS + term,
				 title, out, err))
			return -1;
	}
	report_no_charts(report, out);
	return 0;
}

static void put_cell(const char *heading, const char *text, bool number, FILE *out)
{
	fprintf(out, "<td%s data-l=\"%s\">", html_class(text, number), heading);
	html_text(text, out);
	fputs("</td>", out);
}

static void put_trial(const struct capacity *entry, const struct trial *trial, FILE *out)
{
	char text[512];

	fputs("<tr>", out);
	put_cell("Drive", entry->result->drive, false, out);
	put_cell("Desktops", number_whole(trial->desktops, text), true, out);
	put_cell("Response time", trial_latencies(trial, &entry->sla, text, sizeof(text)), true,
		 out);
	put_cell("IOPS", number_count(trial->iops, text), true, out);
	snprintf(text, sizeof(text), "%s%s%s", trial_word(trial->outcome),
		 trial->reason[0] ? ": " : "", trial->reason);
	put_cell("Verdict", text, false, out);
	fputs("</tr>\n", out);
}

static void put_trials(const struct capacity_ranking *ranking, FILE *out)
{
	size_t i, j;

	fputs("<details><summary>All numbers tried</summary><div class=\"scroll\">"
	      "<table class=\"cards points\"><thead><tr><th>Drive</th><th class=\"n\">Desktops</th>"
	      "<th class=\"n\">Response time</th><th class=\"n\">IOPS</th><th>Verdict</th>"
	      "</tr></thead><tbody>\n",
	      out);
	for (i = 0; i < ranking->count; i++)
		for (j = 0; j < ranking->entries[i].count; j++)
			put_trial(&ranking->entries[i], &ranking->entries[i].trials[j], out);
	fputs("</tbody></table></div></details>\n", out);
}

void report_capacity_contents(const struct report *report, FILE *out)
{
	char title[320];
	size_t i;

	for (i = 0; i < report->capacity_count; i++) {
		capacity_title(&report->capacities[i], title, sizeof(title));
		report_link("desktops", i, title, out);
	}
}

int report_capacities(const struct report *report, FILE *out, struct error *err)
{
	struct table table;
	char title[320];
	size_t i;

	for (i = 0; i < report->capacity_count; i++) {
		capacity_title(&report->capacities[i], title, sizeof(title));
		report_heading("desktops", i, title, out);
		if (put_charts(report, i, title, out, err) ||
		    report_table(&table, capacity_table_make(&report->capacities[i], &table), out,
				 err))
			return -1;
		capacity_sentences_write(&report->capacities[i], FORMAT_HTML, out);
		report_note(capacity_note(), out);
		put_trials(&report->capacities[i], out);
	}
	return 0;
}
