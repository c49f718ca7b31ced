/* SPDX-License-Identifier: GPL-2.0-only */
/* gnuplot's SVG as a part of a page. */
#include <stdlib.h>
#include <string.h>

#include "postprocess/report.h"

/* Which of the page's colours stands for a colour of the chart; false: it stays as it is. */
static bool page_colour(const char *hex, char *variable, size_t room)
{
	static const struct {
		const char *hex, *variable;
	} named[] = {{CHART_TEXT, "var(--fg)"},
		     {CHART_GRID, "var(--grid)"},
		     {CHART_LINE, "var(--line)"}};
	size_t i;

	for (i = 0; i < COUNT(named); i++)
		if (!strcmp(named[i].hex, hex)) {
			snprintf(variable, room, "%s", named[i].variable);
			return true;
		}
	for (i = 0; i < PALETTE_COLOURS; i++)
		if (!strcmp(palette_colours[i], hex)) {
			snprintf(variable, room, "var(--c%zu)", i);
			return true;
		}
	return false;
}

/* "rgb( 31, 36, 48)" -> the page's colour; the bytes taken, 0 when it is none of ours. */
static size_t put_colour(const char *at, FILE *out)
{
	unsigned red, green, blue;
	int used = 0;
	char hex[32], variable[32];

	if (sscanf(at, "rgb(%u ,%u ,%u )%n", &red, &green, &blue, &used) != 3 || !used)
		return 0;
	snprintf(hex, sizeof(hex), "#%02x%02x%02x", red & 255, green & 255, blue & 255);
	if (!page_colour(hex, variable, sizeof(variable)))
		return 0;
	fputs(variable, out);
	return (size_t)used;
}

/* Words of the file that are replaced; ids get the picture's number behind them. */
static const struct {
	const char *from, *to;
	bool numbered;
} words[] = {{" id='", " id='c", true},
	     {" id=\"", " id=\"c", true},
	     {"href='#", "href='#c", true},
	     {"url(#", "url(#c", true},
	     {"flood-color='#FFFFFF'", "flood-color='var(--bg)'", false},
	     {"fill=\"#ffffff\"", "fill=\"none\"", false},
	     {"<title>Gnuplot</title>", "", false}};

/* The bytes taken, 0 when none of the words stands here. */
static size_t put_word(const char *at, size_t number, FILE *out)
{
	size_t i, length;

	for (i = 0; i < COUNT(words); i++) {
		length = strlen(words[i].from);
		if (strncmp(at, words[i].from, length))
			continue;
		fputs(words[i].to, out);
		if (words[i].numbered)
			fprintf(out, "%zu-", number);
		return length;
	}
	return 0;
}

static void put_body(const char *at, size_t number, FILE *out)
{
	size_t used;

	while (*at) {
		used = put_colour(at, out);
		if (!used)
			used = put_word(at, number, out);
		if (!used) {
			fputc(*at, out);
			used = 1;
		}
		at += used;
	}
}

int report_svg(const char *path, size_t number, const char *title, FILE *out, struct error *err)
{
	char *text;
	const char *svg;
	size_t bytes;

	if (file_read(path, &text, &bytes, err))
		return -1;
	svg = strstr(text, "<svg");
	if (!svg) {
		free(text);
		return error_set(err, "%s is no SVG picture", path);
	}
	fputs("<div class=\"chart\"><svg role=\"img\" aria-label=\"", out);
	html_text(title, out);
	fputs("\"", out);
	put_body(svg + strlen("<svg"), number, out);
	fputs("</div>\n", out);
	free(text);
	return 0;
}
