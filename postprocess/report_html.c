/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the page are made of. */
#include <limits.h>
#include <stdio.h>

#include "postprocess/report.h"

static void put_titled(const char *before, const char *anchor, size_t number, const char *between,
		       const char *title, const char *after, FILE *out)
{
	fprintf(out, "%s%s%zu%s", before, anchor, number, between);
	html_text(title, out);
	fputs(after, out);
}

void report_link(const char *anchor, size_t number, const char *title, FILE *out)
{
	put_titled("<a href=\"#", anchor, number, "\">", title, "</a>\n", out);
}

void report_heading(const char *anchor, size_t number, const char *title, FILE *out)
{
	put_titled("<h2 id=\"", anchor, number, "\">", title, "</h2>\n", out);
}

int report_chart(const struct report *report, const char *name, size_t number, const char *title,
		 FILE *out, struct error *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s.svg", report->folder, name);
	return report_svg(path, number, title, out, err);
}

int report_table(struct table *table, int failed, FILE *out, struct error *err)
{
	if (failed)
		return error_set(err, "not enough memory for the page");
	html_table(table, out);
	table_free(table);
	return 0;
}

void report_note(const char *text, FILE *out)
{
	fputs("<p class=\"soft\">", out);
	html_text(text, out);
	fputs("</p>\n", out);
}
