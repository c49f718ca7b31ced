/* SPDX-License-Identifier: GPL-2.0-only */
/* A chart as lists of points: what is drawn, and writing and drawing it. */
#ifndef SSDREVIEW_PLOT_H
#define SSDREVIEW_PLOT_H

#include "postprocess/axis.h"
#include "postprocess/chart.h"

enum plot_style {
	PLOT_LINE, /* thin: what was measured */
	PLOT_BOLD, /* a level */
	PLOT_DASHED,
	PLOT_LINE_MARKS, /* a line with a mark at every point */
	PLOT_MARKS,	 /* marks alone: a cliff */
	PLOT_CROSSES,
	PLOT_HOLLOW, /* rings: at least this */
	PLOT_BARS,   /* from 0 up; as wide as plot.bar_width */
	PLOT_BAND,   /* the area that its points enclose */
};

/* A point in the unit of the data; both NAN: the line is broken. */
struct plot_point {
	double x, y;
};

struct plot_series {
	enum plot_style style;
	char title[256]; /* "": not in the legend */
	const char *colour;
	size_t shape; /* the drive's place in the palette */
	struct plot_point *points;
	size_t count;
};

/*
 * A text above a point, where y is NAN at the bottom; those that would lie on others are moved up,
 * or left out.
 */
struct plot_text {
	double x, y; /* in the unit of the data */
	char text[64];
	const char *colour;
};

/* A name on the x axis in place of numbers. */
struct plot_tic {
	double at;
	char text[32];
};

struct plot {
	const char *name; /* of the files, without ending */
	char title[256], x_label[256], y_label[256];
	struct axis x, y; /* finished before it is written */
	struct plot_series *series;
	struct plot_text *texts;
	struct plot_tic *tics; /* none: numbers */
	size_t series_count, text_count, tic_count;
	double bar_width;
	bool texts_upright;
	bool is_short; /* of memory: nothing may be drawn */
};

/* An empty plot. */
void plot_begin(struct plot *plot, const char *name);
void plot_free(struct plot *plot);

/* A new series at the end, or NULL (plot->is_short); title may be "". */
struct plot_series *plot_add_series(struct plot *plot, enum plot_style style, const char *title,
				    const char *colour, size_t shape);
/* Adds a point and takes it into the ranges of the axes. */
void plot_add_point(struct plot *plot, struct plot_series *series, double x, double y);
void plot_break(struct plot *plot, struct plot_series *series);
void plot_add_text(struct plot *plot, double x, double y, const char *text, const char *colour);

/* The x axis shows these names alone, slanted when they are many. */
void plot_add_tic(struct plot *plot, double at, const char *text);

/* Whether a point is drawn. */
bool plot_has_points(const struct plot *plot);

/* Writes NAME.dat and NAME.gp into the folder and draws them; 0, or -1 with err. */
int plot_draw(struct plot *plot, const struct terminals *terminals, const char *folder,
	      struct error *err);

#endif
