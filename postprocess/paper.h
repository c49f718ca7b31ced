/* SPDX-License-Identifier: GPL-2.0-only */
/* What all charts look like: the frame of a gnuplot script around labels, axes and series. */
#ifndef SSDREVIEW_PAPER_H
#define SSDREVIEW_PAPER_H

#include <stdio.h>

#include "postprocess/chart.h"

struct paper {
	const struct terminals *terminals;
	const char *name; /* of the chart's files, without ending */
	unsigned height;
};

/* Of a chart with so many words in its legend: the plot keeps its size. */
unsigned paper_height(size_t legend_words);

/* The head of the script. */
void paper_begin(const struct paper *paper, FILE *out);
/* After labels and axes, before the series: the first picture. */
void paper_first(const struct paper *paper, FILE *out);
/* After the series: the second picture. */
void paper_end(const struct paper *paper, FILE *out);

/* A chart without points still says why, on paper of the same size: in place of the series. */
void paper_blank(const char *why, FILE *out);
void paper_no_data(FILE *out);

/* "set WHAT 'TEXT'": the title, xlabel or ylabel. */
void paper_label(const char *what, const char *text, FILE *out);

/* A text in quotes. */
void paper_quoted(const char *text, FILE *out);

/* The point shape of the drive with this place in the palette. */
int paper_shape(size_t index);

#endif
