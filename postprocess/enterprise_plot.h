/* SPDX-License-Identifier: GPL-2.0-only */
/* What the charts of preconditioning, main tests and ladders share. */
#ifndef SSDREVIEW_ENTERPRISE_PLOT_H
#define SSDREVIEW_ENTERPRISE_PLOT_H

#include "postprocess/chart_internal.h"
#include "postprocess/enterprise_internal.h"
#include "postprocess/plot.h"

/* What all charts of one call are drawn with. */
struct easel {
	const struct palette *palette;
	const struct terminals *terminals;
	const char *folder;
	int drawn; /* charts so far */
};

/* Draws a plot that has points, and frees it; 0, or -1 with err. */
int easel_finish(struct easel *easel, struct plot *plot, struct error *err);

/* Measures in file names. */
extern const char *const measure_suffixes[MINUTE_MEASURES];

/* "Average latency (us, logarithmic)" from a finished axis. */
void measure_label(enum minute_measure measure, const struct axis *axis, char *text, size_t room);
void value_axis_finish(enum minute_measure measure, struct axis *axis);

/* "Intel P3700 2TB, simulated", with more words at its end. */
void drive_legend(const struct result *result, const char *more, char *text, size_t room);

/* All charts of a ranking, or one of a measure; 0, or -1 with err. */
int draw_precondition(struct easel *easel, const struct precondition_ranking *ranking,
		      struct error *err);
int draw_main_test(struct easel *easel, const struct ladder_ranking *ranking,
		   enum minute_measure measure, struct error *err);
int draw_ladder(struct easel *easel, const struct ladder_ranking *ranking,
		enum minute_measure measure, struct error *err);

#endif
