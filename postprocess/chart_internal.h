/* SPDX-License-Identifier: GPL-2.0-only */
/* One chart while it is written: its ranges, its points, its script. */
#ifndef SSDREVIEW_CHART_INTERNAL_H
#define SSDREVIEW_CHART_INTERNAL_H

#include "postprocess/axis.h"
#include "postprocess/chart.h"

struct chart {
	const struct ranking *ranking;
	const struct palette *palette;
	const struct terminals *terminals;
	char name[256]; /* of its files, without ending */
	struct axis rate, latency;
};

/* The ranges of both axes over all points that are drawn, and over 1 ms. */
void chart_find_ranges(struct chart *chart);

/* How many points of an entry are drawn: those of the curve, or those left out of it. */
size_t chart_count_points(const struct chart *chart, const struct entry *entry, bool counting);

/* The block of the data file that holds an entry's points of one kind. */
size_t chart_block(const struct chart *chart, size_t entry, bool counting);

/* A row as a file name: letters, digits, dot, dash, underscore; never empty, never hidden. */
void chart_plain_name(const char *text, char *name, size_t room);

/* "4k-randread.client-qlc": a row and, where there is one, its protocol, as a file name. */
void chart_base_name(const char *row, const char *protocol, char *name, size_t room);

/* FOLDER/NAME with an ending such as ".dat". */
int chart_write_file(const char *folder, const char *name, const char *ending, const char *text,
		     size_t bytes, struct error *err);

/* One file of a chart, of whatever kind it is, as text; and that file. */
typedef void chart_part(const void *chart, FILE *out);
int chart_write_part(const void *chart, chart_part *part, const char *folder, const char *name,
		     const char *ending, struct error *err);

/* Of a struct chart. */
chart_part chart_write_data, chart_write_script;

#endif
