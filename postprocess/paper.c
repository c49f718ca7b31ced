/* SPDX-License-Identifier: GPL-2.0-only */
/* What all charts look like. */
#include <stdio.h>
#include <string.h>

#include "postprocess/paper.h"

#define WIDTH 760u /* of a chart, in px */

/* gnuplot's filled point shapes, told apart without colour: circle, square, triangle, ... */
static const int shapes[] = {7, 5, 9, 13, 11, 15};

int paper_shape(size_t index)
{
	return shapes[(index + index / PALETTE_COLOURS) % COUNT(shapes)];
}

/* In single quotes gnuplot takes everything as it is; a quote itself is doubled. */
void paper_quoted(const char *text, FILE *out)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', out);
		if (*text != '\n' && *text != '\r')
			fputc(*text, out);
	}
	fputc('\'', out);
}

void paper_label(const char *what, const char *text, FILE *out)
{
	fprintf(out, "set %s ", what);
	paper_quoted(text, out);
	fprintf(out, " noenhanced%s tc rgb '" CHART_TEXT "'\n",
		strcmp(what, "title") ? "" : " font ',15'");
}

static void put_looks(FILE *out)
{
	fputs("set border 3 lc rgb '" CHART_LINE "' lw 1\n"
	      "set grid ytics lc rgb '" CHART_GRID "' lw 0.8 lt 1\n"
	      "set tics nomirror out scale 0.5 textcolor rgb '" CHART_TEXT "'\n"
	      "set key outside bottom center horizontal Left reverse noenhanced "
	      "textcolor rgb '" CHART_TEXT "' samplen 2.5 spacing 1.2 width 1 height 0.6\n"
	      "set rmargin 5\n",
	      out);
}

/* The legend takes a line for every two words. */
unsigned paper_height(size_t legend_words)
{
	return WIDTH * 9 / 16 + 20 * (unsigned)((legend_words + 1) / 2);
}

static void put_svg(const struct paper *paper, FILE *out)
{
	if (!paper->terminals->svg)
		return;
	fprintf(out,
		"set terminal svg size %u,%u dynamic noenhanced font 'sans-serif,13' "
		"background '#ffffff'\nset output ",
		WIDTH, paper->height);
	paper_quoted(paper->name, out);
	fputs(".'.svg'\n", out);
}

static void put_png(const struct paper *paper, FILE *out)
{
	if (paper->terminals->pngcairo)
		fprintf(out,
			"set terminal pngcairo size %u,%u noenhanced font 'sans,11' fontscale 2.2 "
			"linewidth 2.2 pointscale 2.2 background '#ffffff'\n",
			WIDTH * 22 / 10, paper->height * 22 / 10);
	else
		fprintf(out, "set terminal png size %u,%u noenhanced background '#ffffff'\n", WIDTH,
			paper->height);
	fputs("set output ", out);
	paper_quoted(paper->name, out);
	fputs(".'.png'\n", out);
}

void paper_blank(const char *why, FILE *out)
{
	fprintf(out,
		"unset logscale\nset xrange [0:1]\nset yrange [0:1]\n"
		"set label 2 '%s' at graph 0.5, graph 0.5 center font ',18' noenhanced\n"
		"plot 2 notitle\n",
		why);
}

void paper_no_data(FILE *out)
{
	paper_blank("no data", out);
}

void paper_begin(const struct paper *paper, FILE *out)
{
	fprintf(out, "# Draws %s again: gnuplot %s.gp\nreset\nset encoding utf8\n", paper->name,
		paper->name);
	put_looks(out);
}

void paper_first(const struct paper *paper, FILE *out)
{
	put_svg(paper, out);
	if (!paper->terminals->svg)
		put_png(paper, out);
}

void paper_end(const struct paper *paper, FILE *out)
{
	const struct terminals *terminals = paper->terminals;

	if (terminals->svg && (terminals->png || terminals->pngcairo)) {
		put_png(paper, out);
		fputs("replot\n", out);
	}
	fputs("unset output\n", out);
}
