/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One colour a drive. The colours are those of Okabe and Ito (2008), which people with any kind of
 * colour blindness can tell apart; their yellow is darkened so that it shows on white.
 */
#include <stdlib.h>
#include <string.h>

#include "postprocess/chart.h"

const char *const palette_colours[PALETTE_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
						      "#e69f00", "#56b4e9", "#7a5195", "#b3a100"};

static bool is_in(const struct palette *palette, const char *drive, size_t *index)
{
	for (*index = 0; *index < palette->count; (*index)++)
		if (!strcmp(palette->drives[*index], drive))
			return true;
	return false;
}

static bool is_ranked(const struct ranking *rankings, size_t count, const struct result *result)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (ranking_find(&rankings[i], result))
			return true;
	return false;
}

/* Published ones state figures of those. */
static bool has_rounds_or_ladder(const struct result *result)
{
	size_t i;

	for (i = 0; i < result->count; i++)
		if (result->curves[i].kind != CURVE_OF_RATES)
			return true;
	return result->minutes_file || result->stated_count;
}

int palette_make(const struct ranking *rankings, size_t count, struct result *const *results,
		 size_t result_count, struct palette *palette)
{
	size_t i, index;

	palette->count = 0;
	palette->drives = calloc(result_count + 1, sizeof(*palette->drives));
	if (!palette->drives)
		return -1;
	for (i = 0; i < result_count; i++)
		if ((results[i]->searches || result_probes_cache(results[i]) ||
		     has_rounds_or_ladder(results[i]) || is_ranked(rankings, count, results[i])) &&
		    !is_in(palette, results[i]->drive, &index))
			palette->drives[palette->count++] = results[i]->drive;
	return 0;
}

void palette_free(struct palette *palette)
{
	free(palette->drives);
	palette->drives = NULL;
}

const char *palette_colour(const struct palette *palette, const char *drive, size_t *index)
{
	is_in(palette, drive, index);
	return palette_colours[*index % PALETTE_COLOURS];
}
