/* SPDX-License-Identifier: GPL-2.0-only */
/* The page: one HTML file with everything in it. */
#ifndef SSDREVIEW_REPORT_H
#define SSDREVIEW_REPORT_H

#include "postprocess/cache.h"
#include "postprocess/capacity.h"
#include "postprocess/enterprise.h"
#include "postprocess/timeline.h"

struct report {
	const char *title; /* NULL: made from the drives' names */
	struct result *const *results;
	size_t result_count, own; /* own: without the published ones */
	const struct ranking *rankings;
	size_t ranking_count;
	const struct capacity_ranking *capacities;
	size_t capacity_count;
	const struct cache_list *caches;
	const struct enterprise *enterprise;
	bool cache_charts[CACHE_CHARTS];   /* those that were drawn */
	const char *folder;		   /* where the charts are, and index.html goes */
	char (*names)[256];		   /* of the charts, without ending; NULL: there are none */
	const char *no_charts;		   /* why there are none */
	struct over_time_names *over_time; /* of each ranking; empty where it has none */
	bool *distributions; /* of each ranking, then of each ladder: whether one was drawn */
};

/* Writes FOLDER/index.html. */
int report_write(const struct report *report, struct error *err);

/* The parts of the page, in the order they stand on it. */
void report_style(FILE *out);
void report_summary(const struct report *report, FILE *out);
void report_points(const struct ranking *ranking, FILE *out);
/* What the drives said of themselves, and what is rated for them; nothing when nothing is known. */
void report_specification_contents(const struct report *report, FILE *out);
void report_specification(const struct report *report, FILE *out);
void report_conditions(const struct report *report, FILE *out);
void report_reading(const struct report *report, FILE *out);

/* Draws the replays over their time, and puts what was drawn of a row into the page. */
int report_draw_over_time(const struct report *report, struct error *err);
int report_over_time(const struct report *report, size_t i, const char *row, FILE *out,
		     struct error *err);

/* Puts the distribution of a ranking's row, or after all of them of a ladder, where there is one.
 */
int report_distribution(const struct report *report, size_t i, FILE *out, struct error *err);

/* A link to a part of the page, and its heading: both of its anchor and number. */
void report_link(const char *anchor, size_t number, const char *title, FILE *out);
void report_heading(const char *anchor, size_t number, const char *title, FILE *out);
/* A chart by the name of its files; number: another one for each picture of the page. */
int report_chart(const struct report *report, const char *name, size_t number, const char *title,
		 FILE *out, struct error *err);
/* Puts a table and frees it; failed: it could not be made, which is the error. */
int report_table(struct table *table, int failed, FILE *out, struct error *err);
/* A paragraph that stands back. */
void report_note(const char *text, FILE *out);

/* Why the page has no charts, when it has none. */
void report_no_charts(const struct report *report, FILE *out);

/* The drives by what they carry: links to their parts, and the parts. */
void report_capacity_contents(const struct report *report, FILE *out);
int report_capacities(const struct report *report, FILE *out, struct error *err);

/* The drives' SLC caches, likewise. */
void report_cache_contents(const struct report *report, FILE *out);
int report_caches(const struct report *report, FILE *out, struct error *err);

/* Preconditioning, main tests and ladders, likewise. */
void report_enterprise_contents(const struct report *report, FILE *out);
int report_enterprise(const struct report *report, FILE *out, struct error *err);

/*
 * Puts a picture of gnuplot's into the page: its colours become the page's, so that it follows
 * light and dark, and its ids get a prefix of their own. -1 with err when it cannot be read.
 */
int report_svg(const char *path, size_t number, const char *title, FILE *out, struct error *err);

#endif
