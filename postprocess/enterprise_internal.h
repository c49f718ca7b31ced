/* SPDX-License-Identifier: GPL-2.0-only */
/* What the makers of preconditioning rankings and ladders share. */
#ifndef SSDREVIEW_ENTERPRISE_INTERNAL_H
#define SSDREVIEW_ENTERPRISE_INTERNAL_H

#include "postprocess/enterprise.h"

/* "simulated, scale 500, quick" */
void enterprise_mark(const struct result *result, char *marks, size_t room);

/* The rate at the start, NAN when it is not known. */
double precondition_start_iops(const struct precondition *run);

/* "4K write, preconditioning, 16T/16Q (enterprise)" */
void precondition_title(struct precondition_ranking *ranking);

/* ---- ladder_load.c ---------------------------------------------------------------------------
 */

int ladder_add(struct enterprise *enterprise, const struct result *result,
	       const struct curve *curve);
/* The ladder of a result in a ranking, a new one when there is none; NULL: memory is short. */
struct ladder *ladder_of(struct ladder_ranking *ranking, const struct result *result,
			 const char *row);
/* A step by its name, NULL for none. */
struct ladder_step *ladder_find_step(struct ladder *ladder, const char *name);
/* A new step at the end; NULL: memory is short. */
struct ladder_step *ladder_add_step(struct ladder *ladder, const char *name);
/* Places, order and titles, when all are there. */
void ladders_finish(struct enterprise *enterprise);

/* ---- enterprise_table.c -------------------------------------------------------------------------
 */

/* A table with its title and headings, and no rows yet; texts: as table_head() has them. */
void enterprise_table_begin(const char *title, const char *protocol, const char *const *headings,
			    size_t columns, unsigned texts, struct table *table);

/* The ladder that has all steps. */
const struct ladder *ladder_longest(const struct ladder_ranking *ranking);

/* ---- enterprise_published.c ------------------------------------------------------------------
 */

/* What was published of a ranking's load; false when the result states nothing of it. */
bool published_run(const struct precondition_ranking *ranking, const struct result *result,
		   struct precondition *run);
/* Adds what was published of a ladder's load, if anything; -1: memory is short. */
int published_ladder(struct ladder_ranking *ranking, const struct result *result);

#endif
