/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether what a profile says is complete, has an effect, and fits together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "review/profile_internal.h"

#define MOST_SAMPLES 1000 /* ours: of a load in a round */

/* ---- kinds of rows -------------------------------------------------------------------------- */

enum row_kind profile_row_kind(const struct profile *profile, const struct profile_row *row)
{
	switch (row->steps) {
	case STEPS_ONCE:
		return ROW_ONCE;
	case STEPS_ROUNDS:
		return row->rounds.is_sequence ? ROW_SEQUENCE : ROW_ROUNDS;
	case STEPS_LADDER:
		return ROW_LADDER;
	default:
		return profile->searches ? ROW_SEARCH : ROW_CURVE;
	}
}

const char *profile_kind_word(enum row_kind kind)
{
	static const char *const words[] = {
		[ROW_CURVE] = "a curve",       [ROW_SEARCH] = "a search",
		[ROW_ONCE] = "a single run",   [ROW_ROUNDS] = "a row of rounds",
		[ROW_SEQUENCE] = "a sequence", [ROW_LADDER] = "a ladder"};

	return words[kind];
}

const char *profile_kinds_word(enum row_kind kind)
{
	static const char *const words[] = {
		[ROW_CURVE] = "curves",	 [ROW_SEARCH] = "searches",    [ROW_ONCE] = "single runs",
		[ROW_ROUNDS] = "rounds", [ROW_SEQUENCE] = "sequences", [ROW_LADDER] = "ladders"};

	return words[kind];
}

bool profile_has_curves(const struct profile *profile)
{
	unsigned i;

	for (i = 0; i < profile->row_count; i++)
		if (profile_row_kind(profile, &profile->rows[i]) == ROW_CURVE)
			return true;
	return false;
}

/* ---- a row: its keys ------------------------------------------------------------------------ */

/* The later of the lines on which two keys stand. */
static unsigned later_line(const struct profile_row *row, const char *key, const char *other)
{
	unsigned line = profile_key_line(NULL, row, key);
	unsigned other_line = profile_key_line(NULL, row, other);

	return line > other_line ? line : other_line;
}

static int check_effect(const struct profile *profile, const struct profile_row *row,
			unsigned *line, struct error *err)
{
	enum row_kind kind = profile_row_kind(profile, row);
	char takers[128];
	size_t i;

	for (i = 0; i < profile_row_key_count; i++) {
		const struct profile_key *key = &profile_row_keys[i];

		if (!row->key_lines[i] || key->takers & 1U << kind)
			continue;
		*line = row->key_lines[i];
		profile_takers_words(key->takers, takers, sizeof(takers));
		return error_set(err, "[%s] is %s, where %s has no effect: it is for %s", row->name,
				 profile_kind_word(kind), key->word, takers);
	}
	return 0;
}

static int check_needed(const struct profile *profile, const struct profile_row *row,
			unsigned *line, struct error *err)
{
	enum row_kind kind = profile_row_kind(profile, row);
	char missing[128] = "";
	size_t i;

	for (i = 0; i < profile_row_key_count; i++)
		if (profile_row_keys[i].needed && profile_row_keys[i].takers & 1U << kind &&
		    !row->key_lines[i])
			text_append(missing, sizeof(missing), "%s%s", *missing ? ", " : "",
				    profile_row_keys[i].word);
	*line = row->line;
	if (*missing)
		return error_set(err, "[%s] is %s, and needs %s", row->name,
				 profile_kind_word(kind), missing);
	return 0;
}

/* ---- a row: what else it says --------------------------------------------------------------- */

/* A cache is known from a row that was run before. */
static int check_cache_from(const struct profile *profile, const struct profile_row *row,
			    struct error *err)
{
	const struct profile_row *from = profile_find_row(profile, row->cache_from);

	if (from && from->line < row->line && from->steps == STEPS_ONCE)
		return 0;
	return error_set(err, "[%s] cache_from \"%s\" is no row with steps = once before it",
			 row->name, row->cache_from);
}

static int check_after(const struct profile *profile, const struct profile_row *row,
		       struct error *err)
{
	const struct profile_row *after = profile_find_row(profile, row->ladder.after);

	if (!after || after->line >= row->line || after->steps != STEPS_ROUNDS)
		return error_set(err, "[%s] after \"%s\" is no row with steps = rounds before it",
				 row->name, row->ladder.after);
	if (row->fill != FILL_NONE || row->purge)
		return error_set(err,
				 "[%s] fill and purge would undo the state in which %s leaves the "
				 "drive; leave them or after out",
				 row->name, row->ladder.after);
	return 0;
}

static int check_purge(const struct profile *profile, const struct profile_row *row, bool is_given,
		       struct error *err)
{
	if (row->purge && !profile->purge)
		return error_set(err, "[%s] purge = yes needs the same in [review]", row->name);
	if (is_given && !row->purge && profile->purge && row->fill != FILL_NONE)
		return error_set(err,
				 "[%s] purge = no has no effect: what is filled is purged before, "
				 "as [review] says",
				 row->name);
	return 0;
}

static int check_samples(const struct profile_row *row, struct error *err)
{
	const struct profile_rounds *rounds = &row->rounds;
	double samples = rounds->load_s / rounds->sample_s;

	if (samples > MOST_SAMPLES)
		return error_set(err, "[%s] a load of %g s has more than %d samples of %g s",
				 row->name, rounds->load_s, MOST_SAMPLES, rounds->sample_s);
	if (samples < 0.999 || fabs(samples - round(samples)) > 1e-6)
		return error_set(err,
				 "[%s] a load of %g s is not a whole number of samples of %g s",
				 row->name, rounds->load_s, rounds->sample_s);
	return 0;
}

static int check_window(const struct profile_row *row, struct error *err)
{
	const struct steady_rule *rule = &row->rounds.rule;

	if (rule->window > rule->at_most_rounds)
		return error_set(err, "[%s] a window of %u rounds does not fit %u round%s",
				 row->name, rule->window, rule->at_most_rounds,
				 rule->at_most_rounds == 1 ? "" : "s");
	return 0;
}

static int check_rounds(const struct profile_row *row, unsigned *line, struct error *err)
{
	const struct profile_rounds *rounds = &row->rounds;
	unsigned time_line = profile_key_line(NULL, row, "time_s");

	*line = later_line(row, "load_s", "sample_s");
	if (check_samples(row, err))
		return -1;
	*line = later_line(row, "rounds", "until");
	if (rounds->until != UNTIL_STEADY && profile_key_line(NULL, row, "rounds"))
		return error_set(err, "[%s] rounds has no effect with until = %s", row->name,
				 rounds->until == UNTIL_TIME ? "time" : "written");
	*line = later_line(row, "fills", "until");
	if (rounds->until == UNTIL_WRITTEN && !(rounds->rule.at_least_fills > 0))
		return error_set(err, "[%s] until = written needs fills: how often the capacity",
				 row->name);
	*line = later_line(row, "window", "rounds");
	if (check_window(row, err))
		return -1;
	*line = later_line(row, "time_s", "load_s");
	if ((time_line || rounds->until != UNTIL_STEADY) && rounds->time_s < rounds->load_s)
		return error_set(err, "[%s] time_s %g is shorter than a load of %g s", row->name,
				 rounds->time_s, rounds->load_s);
	return 0;
}

/* What rows of rounds, sequences and ladders say of the state the drive is brought into. */
static int check_state(const struct profile *profile, const struct profile_row *row, unsigned *line,
		       struct error *err)
{
	*line = profile_key_line(NULL, row, "after");
	if (row->ladder.after[0] && check_after(profile, row, err))
		return -1;
	*line = profile_key_line(NULL, row, "purge");
	if (check_purge(profile, row, *line, err))
		return -1;
	*line = profile_key_line(NULL, row, "fill_passes");
	if (*line && row->fill == FILL_NONE)
		return error_set(err, "[%s] fill_passes has no effect without fill", row->name);
	return 0;
}

static int check_steps(const struct profile *profile, const struct profile_row *row, unsigned *line,
		       struct error *err)
{
	*line = profile_key_line(NULL, row, "steps");
	if (!profile->searches || row->steps == STEPS_CURVE)
		return 0;
	return error_set(err,
			 "[%s] steps = once, rounds, ladder or sequence cannot stand in a search",
			 row->name);
}

int profile_check_effects(const struct profile *profile, const struct profile_row *row,
			  unsigned *line, struct error *err)
{
	if (check_effect(profile, row, line, err) || check_state(profile, row, line, err))
		return -1;
	*line = profile_key_line(NULL, row, "cache_from");
	if (row->cache_from[0] && check_cache_from(profile, row, err))
		return -1;
	return profile_row_kind(profile, row) == ROW_ROUNDS ? check_rounds(row, line, err) : 0;
}

/* ---- [review] ------------------------------------------------------------------------------- */

/* By 1 << enum row_kind, of all rows. */
static unsigned kinds_of_rows(const struct profile *profile)
{
	unsigned kinds = 0, i;

	for (i = 0; i < profile->row_count; i++)
		kinds |= 1U << profile_row_kind(profile, &profile->rows[i]);
	return kinds;
}

static int check_review_keys(const struct profile *profile, unsigned *line, struct error *err)
{
	unsigned kinds = kinds_of_rows(profile);
	char takers[128];
	size_t i;

	for (i = 0; i < profile_review_key_count; i++) {
		const struct profile_key *key = &profile_review_keys[i];
		bool is_given = profile->key_lines[i] != 0, has_takers = key->takers & kinds;

		*line = is_given ? profile->key_lines[i] : profile->line;
		profile_takers_words(key->takers, takers, sizeof(takers));
		if (is_given && !has_takers)
			return error_set(err,
					 "[review] %s has no effect: it is for %s, and no row is "
					 "such",
					 key->word, takers);
		if (!is_given && has_takers && key->needed)
			return error_set(err, "[review] needs %s", key->word);
	}
	return 0;
}

/* Rows of rounds fill by themselves, also for the ladders after them. */
static bool fills_for_none(const struct profile *profile)
{
	unsigned i;

	for (i = 0; i < profile->row_count; i++)
		if (profile->rows[i].steps != STEPS_ROUNDS &&
		    profile->rows[i].steps != STEPS_ONCE && !profile->rows[i].ladder.after[0])
			return false;
	return true;
}

static int check_review(const struct profile *profile, unsigned *line, struct error *err)
{
	if (check_review_keys(profile, line, err))
		return -1;
	*line = profile_key_line(profile, NULL, "fill");
	if (*line && fills_for_none(profile))
		return error_set(err, "[review] fill has no effect: rows of rounds and the ladders "
				      "after them are filled by their own fill");
	*line = profile_key_line(profile, NULL, "refill");
	if (profile->refill && profile->fill == FILL_NONE)
		return error_set(err, "[review] refill has no effect without fill");
	*line = profile_key_line(profile, NULL, "region");
	if (profile->region_bytes &&
	    profile->region_bytes / profile->region_files < PROFILE_LEAST_REGION)
		return error_set(err,
				 "[review] region: %llu bytes are less than 1 MiB for each of %u "
				 "region_files",
				 (unsigned long long)profile->region_bytes, profile->region_files);
	return 0;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* What --quick will make of a row, found when it is not yet given. */
static int check_quick(struct profile *profile, const struct profile_row *row, unsigned *line,
		       struct error *err)
{
	struct profile_row quick;

	*line = profile_key_line(NULL, row, "quick");
	if (!*line)
		return 0;
	return row->steps == STEPS_ONCE ? once_check_quick(row, err)
					: profile_quick_row(profile, row, &quick, err);
}

static int check_row(const struct profile *profile, const struct profile_row *row, unsigned *line,
		     struct error *err)
{
	return check_steps(profile, row, line, err) || check_needed(profile, row, line, err) ||
	       profile_check_effects(profile, row, line, err);
}

static int check_rows(struct profile *profile, unsigned *line, struct error *err)
{
	unsigned i;

	for (i = 0; i < profile->row_count; i++) {
		const struct profile_row *row = &profile->rows[i];

		if (check_row(profile, row, line, err))
			return -1;
		if (check_quick(profile, row, line, err))
			return error_prefix(err, "quick");
	}
	return 0;
}

static int check_sections(const struct profile *profile, unsigned *line, struct error *err)
{
	*line = profile->line;
	if (!profile->line)
		return error_set(err, "there is no section [review]");
	if (!profile->row_count)
		return error_set(err, "no row: a section [4k-randread] with jobfile and in_flight");
	return 0;
}

int profile_check(struct profile *profile, struct error *err)
{
	unsigned line = 0;

	/* Rows first: what they are decides what [review] may say. */
	if (!check_sections(profile, &line, err) && !check_rows(profile, &line, err) &&
	    !check_review(profile, &line, err))
		return 0;
	return line ? error_prefix(err, "%s:%u", profile->path, line)
		    : error_prefix(err, "%s", profile->path);
}
