/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables for people: terminal, Markdown, HTML; and the remarks below them. */
#include <string.h>
#include <unistd.h>

#include "postprocess/table.h"

#define BOLD  "\033[1m"
#define FAINT "\033[2m"
#define PLAIN "\033[0m"

/* Characters that take two columns: East Asian wide and emoji, in large blocks. */
static bool is_wide(unsigned point)
{
	return (point >= 0x1100 && point <= 0x115f) || (point >= 0x2e80 && point <= 0xa4cf) ||
	       (point >= 0xac00 && point <= 0xd7a3) || (point >= 0xf900 && point <= 0xfaff) ||
	       (point >= 0xfe30 && point <= 0xfe6f) || (point >= 0xff00 && point <= 0xff60) ||
	       (point >= 0x1f300 && point <= 0x1faff) || (point >= 0x20000 && point <= 0x3fffd);
}

static bool is_combining(unsigned point)
{
	return (point >= 0x300 && point <= 0x36f) || (point >= 0x200b && point <= 0x200f) ||
	       (point >= 0xfe00 && point <= 0xfe0f);
}

/* Columns that UTF-8 text takes on a terminal. */
static size_t display_width(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t width = 0;
	unsigned point;

	while (*at) {
		point = *at++;
		if (point >= 0xc0)
			point &= point >= 0xf0 ? 0x07 : point >= 0xe0 ? 0x0f : 0x1f;
		while ((*at & 0xc0) == 0x80)
			point = point << 6 | (*at++ & 0x3f);
		width += is_combining(point) ? 0 : is_wide(point) ? 2 : 1;
	}
	return width;
}

static void put_padded(const char *text, size_t width, bool right, FILE *out)
{
	int padding = (int)(width - display_width(text));

	fprintf(out, "%*s%s%*s", right ? padding : 0, "", text, right ? 0 : padding, "");
}

static void find_widths(const struct table *table, size_t *widths)
{
	size_t row, column, width;

	for (column = 0; column < table->columns; column++) {
		widths[column] = display_width(table->headings[column]);
		for (row = 0; row < table->rows; row++) {
			width = display_width(table->cells[row][column]);
			if (width > widths[column])
				widths[column] = width;
		}
	}
}

static void put_line(const struct table *table, char *const *cells, const size_t *widths, FILE *out)
{
	size_t column, last = table->columns - 1;

	for (column = 0; column < last; column++) {
		fputs("  ", out);
		put_padded(cells[column], widths[column], table->right[column], out);
	}
	fprintf(out, "  %s", cells[last]);
}

/* First place, alone or shared ("1="). */
static bool is_first(const struct table *table, size_t row)
{
	const char *place = table->cells[row][0];

	return place[0] == '1' && (!place[1] || place[1] == '=');
}

static void term_table(const struct table *table, bool colours, FILE *out)
{
	size_t widths[TABLE_ROOM], row;

	find_widths(table, widths);
	fprintf(out, "%s%s%s\n", colours ? BOLD : "", table->title, colours ? PLAIN : "");
	fputs(colours ? FAINT : "", out);
	put_line(table, (char *const *)table->headings, widths, out);
	fprintf(out, "%s\n", colours ? PLAIN : "");
	for (row = 0; row < table->rows; row++) {
		bool first = colours && is_first(table, row);

		fputs(first ? BOLD : "", out);
		put_line(table, table->cells[row], widths, out);
		fprintf(out, "%s\n", first ? PLAIN : "");
	}
	fputc('\n', out);
}

void md_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (strchr("|\\`*_<>[]", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void md_table(const struct table *table, FILE *out)
{
	size_t row, column;

	fputs("### ", out);
	md_text(table->title, out);
	fputs("\n\n|", out);
	for (column = 0; column < table->columns; column++)
		fprintf(out, " %s |", table->headings[column]);
	fputs("\n|", out);
	for (column = 0; column < table->columns; column++)
		fputs(table->right[column] ? "--:|" : ":--|", out);
	for (row = 0; row < table->rows; row++) {
		fputs("\n|", out);
		for (column = 0; column < table->columns; column++) {
			fputc(' ', out);
			md_text(table->cells[row][column], out);
			fputs(" |", out);
		}
	}
	fputs("\n\n", out);
}

void html_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '>')
			fputs("&gt;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else if (*text == '\'')
			fputs("&#39;", out);
		else
			fputc(*text, out);
	}
}

const char *html_class(const char *text, bool number)
{
	bool none = !strcmp(text, "-");

	if (number)
		return none ? " class=\"n none\"" : " class=\"n\"";
	return none ? " class=\"none\"" : "";
}

static void html_cell(const struct table *table, const char *tag, size_t column, const char *text,
		      FILE *out)
{
	fprintf(out, "<%s%s data-l=\"%s\">", tag, html_class(text, table->right[column]),
		column ? table->headings[column] : "Place");
	html_text(text, out);
	fprintf(out, "</%s>", tag);
}

/* No figure in it at all. */
static bool is_empty(const struct table *table, size_t row)
{
	size_t column;

	for (column = 0; column < table->columns; column++)
		if (table->right[column] && strcmp(table->cells[row][column], "-"))
			return false;
	return true;
}

static const char *row_class(const struct table *table, size_t row)
{
	if (is_empty(table, row))
		return " class=\"empty\"";
	return is_first(table, row) ? " class=\"first\"" : "";
}

void html_table(const struct table *table, FILE *out)
{
	size_t row, column;

	fputs("<div class=\"scroll\"><table class=\"cards\">\n<caption>", out);
	html_text(table->title, out);
	fputs("</caption>\n<thead><tr>", out);
	for (column = 0; column < table->columns; column++)
		html_cell(table, "th", column, table->headings[column], out);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (row = 0; row < table->rows; row++) {
		fprintf(out, "<tr%s>", row_class(table, row));
		for (column = 0; column < table->columns; column++)
			html_cell(table, "td", column, table->cells[row][column], out);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

void table_write(const struct table *table, enum table_format format, FILE *out)
{
	if (format == FORMAT_TERM)
		term_table(table, isatty(fileno(out)), out);
	else if (format == FORMAT_MD)
		md_table(table, out);
	else
		html_table(table, out);
}

int tables_write(const struct ranking *rankings, size_t count, enum table_format format, FILE *out)
{
	struct table table;
	size_t i;

	for (i = 0; i < count; i++) {
		if (table_make(&rankings[i], &table))
			return -1;
		table_write(&table, format, out);
		table_free(&table);
	}
	return 0;
}
