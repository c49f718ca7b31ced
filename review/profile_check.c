/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether what a profile says is complete, and fits together. */
#include <stdio.h>
#include <string.h>

#include "review/profile_internal.h"

/* A cache is known from a row that was run before. */
static int check_cache_from(const struct profile *profile, const struct profile_row *row,
			    struct error *err)
{
	const struct profile_row *from = profile_find_row(profile, row->cache_from);

	if (!row->cache_from[0] || (from && from < row && from->steps == STEPS_ONCE))
		return 0;
	return error_set(err, "[%s] cache_from \"%s\" is no row with steps = once before it",
			 row->name, row->cache_from);
}

static int check_row(const struct profile *profile, const struct profile_row *row,
		     struct error *err)
{
	if (profile->searches && !row->desktops)
		return error_set(err, "[%s] needs desktops: how many are in its trace", row->name);
	if (profile->searches && row->steps)
		return error_set(
			err,
			"[%s] steps = once, rounds, ladder or sequence cannot stand in a search",
			row->name);
	if (row->steps == STEPS_ROUNDS || row->steps == STEPS_LADDER)
		return profile_check_rounds(profile, row, err);
	if (!row->jobfile[0] || !row->in_flight)
		return error_set(err, "[%s] needs both jobfile and in_flight", row->name);
	if (row->steps != STEPS_ONCE && (row->cache_from[0] || row->quick[0]))
		return error_set(err, "[%s] cache_from and quick are for rows with steps = once",
				 row->name);
	return check_cache_from(profile, row, err);
}

bool profile_has_curves(const struct profile *profile)
{
	unsigned i;

	for (i = 0; i < profile->row_count; i++)
		if (profile->rows[i].steps == STEPS_CURVE)
			return !profile->searches;
	return false;
}

static int check_review(const struct profile *profile, struct error *err)
{
	bool curves = profile_has_curves(profile);

	if (profile->region_percent <= 0 && !profile->region_bytes)
		return error_set(err, "[review] names no region");
	if (!profile->row_count)
		return error_set(err, "no row: a section [4k-randread] with jobfile and in_flight");
	if (profile->searches && (!profile->sla.count || profile->stagger_s <= 0))
		return error_set(err, "[review] searches, and needs both sla and stagger_s");
	if (curves && !profile->step_count)
		return error_set(err, "[review] names no steps");
	if ((curves || profile->searches) && profile->measure_s <= 0)
		return error_set(err, "[review] names no measure_s");
	return 0;
}

/* The line on which a section begins, from 1. */
static unsigned section_line(const char *text, const char *name)
{
	size_t length = strlen(name);
	unsigned line = 1;

	for (; text; text = strchr(text, '\n')) {
		line += *text == '\n';
		text += *text == '\n';
		if (*text == '[' && !strncmp(text + 1, name, length) && text[1 + length] == ']')
			break;
	}
	return line;
}

static int check_rows(const struct profile *profile, const char *text, struct error *err)
{
	unsigned i;

	for (i = 0; i < profile->row_count; i++)
		if (check_row(profile, &profile->rows[i], err))
			return error_prefix(err, "%s:%u", profile->path,
					    section_line(text, profile->rows[i].name));
	return 0;
}

int profile_check(const struct profile *profile, const char *text, struct error *err)
{
	if (check_review(profile, err))
		return error_prefix(err, "%s", profile->path);
	return check_rows(profile, text, err);
}
