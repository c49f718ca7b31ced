/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Latency over the achieved rate, one chart a ranking, drawn by gnuplot from a script and a data
 * file that stay beside the pictures.
 */
#ifndef SSDREVIEW_CHART_H
#define SSDREVIEW_CHART_H

#include "postprocess/ranking.h"

/* Which pictures gnuplot can make here. */
struct terminals {
	bool svg, pngcairo, png;
};

/* Asks gnuplot; -1 with err when it is missing or can make neither. */
int terminals_probe(struct terminals *terminals, struct error *err);

/* The colour of every drive, the same in all charts: by order of the results. */
struct palette {
	const char **drives; /* names, borrowed from the results */
	size_t count;
};

/* Only drives that stand in a ranking, searched, or ran on their cache get one, in the order of the
 * results. */
int palette_make(const struct ranking *rankings, size_t count, struct result *const *results,
		 size_t result_count, struct palette *palette);
void palette_free(struct palette *palette);
/* "#0072b2"; after the last colour they begin again, with another point shape. */
const char *palette_colour(const struct palette *palette, const char *drive, size_t *index);
#define PALETTE_COLOURS 8
extern const char *const palette_colours[PALETTE_COLOURS];

/* Colours of text and grid lines in the charts, which a page may replace by its own. */
#define CHART_TEXT "#1f2430"
#define CHART_GRID "#d4d8de"
#define CHART_LINE "#6b7280"

/*
 * Writes NAME.gp and NAME.dat into the folder; `name` gets the file name without ending (room 256),
 * unlike all names of the rankings before this one.
 */
int chart_write(const struct ranking *rankings, size_t index, const struct palette *palette,
		const struct terminals *terminals, const char *folder, char *name,
		struct error *err);

/* Runs `gnuplot NAME.gp` in the folder; -1 with gnuplot's own words. Empty pictures are removed. */
int chart_draw(const char *folder, const char *name, struct error *err);

/* All charts of the rankings; names (count of them, 256 bytes each) may be NULL. */
int charts_make(const struct ranking *rankings, size_t count, struct result *const *results,
		size_t result_count, const char *folder, char (*names)[256], struct error *err);

#endif
