/* SPDX-License-Identifier: GPL-2.0-only */
/* What options of `ssdreview run` make of a profile: --quick and --fixed-time. */
#include <stdio.h>
#include <string.h>

#include "review/profile_internal.h"

static int set_word(struct profile *profile, struct profile_row *row, char *word, unsigned line,
		    struct error *err)
{
	char *equals = strchr(word, '=');

	if (!equals)
		return error_set(err, "\"%s\" is not KEY=VALUE", word);
	*equals = '\0';
	if (!strcmp(word, "steps") || !strcmp(word, "quick"))
		return error_set(err, "%s cannot be changed", word);
	return profile_set_key(profile, row, word, equals + 1, line, err);
}

int profile_quick_row(struct profile *profile, const struct profile_row *row,
		      struct profile_row *quick, struct error *err)
{
	unsigned line = profile_key_line(profile, row, "quick"), fault;
	char copy[sizeof(row->quick)], *word, *rest;

	*quick = *row;
	/* Only keys that --quick changes are to have an effect with it. */
	memset(quick->key_lines, 0, sizeof(quick->key_lines));
	snprintf(copy, sizeof(copy), "%s", row->quick);
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		if (set_word(profile, quick, word, line, err))
			return -1;
	return profile_check_effects(profile, quick, &fault, err);
}

int profile_make_quick(struct profile *profile, struct error *err)
{
	unsigned i;

	for (i = 0; i < profile->row_count; i++) {
		struct profile_row *row = &profile->rows[i], quick;

		if (row->steps != STEPS_ROUNDS && row->steps != STEPS_LADDER)
			continue;
		if (profile_quick_row(profile, row, &quick, err))
			return error_prefix(err, "%s: quick", profile->path);
		*row = quick;
	}
	return 0;
}

int profile_fix_time(struct profile *profile, struct error *err)
{
	unsigned i, count = 0;

	for (i = 0; i < profile->row_count; i++) {
		if (profile_row_kind(profile, &profile->rows[i]) != ROW_ROUNDS)
			continue;
		profile->rows[i].rounds.until = UNTIL_TIME;
		count++;
	}
	return count ? 0
		     : error_set(err,
				 "--fixed-time is for profiles that precondition, such as "
				 "enterprise; %s does not",
				 profile->name);
}
