/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of a profile: which rows take each, which values it may have, and which it has. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "review/profile_internal.h"

#define DAY_S	86400
#define MONTH_S (30.0 * DAY_S)

#define ALLOWED_ROOM (2 * NUMBER_ROOM + 32)

#define CURVE	 (1U << ROW_CURVE)
#define SEARCH	 (1U << ROW_SEARCH)
#define ONCE	 (1U << ROW_ONCE)
#define ROUNDS	 (1U << ROW_ROUNDS)
#define SEQUENCE (1U << ROW_SEQUENCE)
#define LADDER	 (1U << ROW_LADDER)
#define ALL	 ((1U << ROW_KINDS) - 1)

#define OF_REVIEW(field) offsetof(struct profile, field)
#define OF_ROW(field)	 offsetof(struct profile_row, field)
#define TEXT_OF(type, field)                                                                       \
	VALUE_TEXT, offsetof(struct type, field), 0, sizeof(((struct type *)0)->field), NULL, NULL

const struct profile_key profile_review_keys[] = {
	{"title", ALL, false, TEXT_OF(profile, title), NULL},
	{"region", ALL, true, VALUE_OWN, 0, 0, 0, profile_read_region, "above 0 to 100 %, or bytes",
	 NULL},
	{"region_files", CURVE, false, VALUE_WHOLE, OF_REVIEW(region_files), 1, 64, NULL, NULL,
	 "1"},
	{"fill", CURVE | SEARCH | LADDER, false, VALUE_OWN, 0, 0, 0, profile_read_fill,
	 "none, region or whole", "none"},
	{"purge", ALL, false, VALUE_YES_NO, OF_REVIEW(purge), 0, 0, NULL, NULL, "no"},
	{"refill", CURVE, false, VALUE_YES_NO, OF_REVIEW(refill), 0, 0, NULL, NULL, "no"},
	{"stand_in", ALL, false, VALUE_YES_NO, OF_REVIEW(stand_in), 0, 0, NULL, NULL, "no"},
	{"steps", CURVE, true, VALUE_OWN, 0, 0, 0, profile_read_steps, "1 to 999, rising", NULL},
	{"wait_s", CURVE, false, VALUE_SECONDS, OF_REVIEW(wait_s), 0, DAY_S, NULL, NULL, "0"},
	{"measure_s", CURVE | SEARCH, true, VALUE_SECONDS, OF_REVIEW(measure_s), 0.1, DAY_S, NULL,
	 NULL, NULL},
	{"cooldown_s", CURVE | SEARCH, false, VALUE_SECONDS, OF_REVIEW(cooldown_s), 0, DAY_S, NULL,
	 NULL, "0"},
	{"idle_s", CURVE | SEARCH | ONCE, false, VALUE_SECONDS, OF_REVIEW(idle_s), 0, DAY_S, NULL,
	 NULL, "0"},
	{"longest_pause_s", ROUNDS | SEQUENCE, false, VALUE_SECONDS, OF_REVIEW(longest_pause_s), 0,
	 MONTH_S, NULL, NULL, "600"},
	{"search", ALL, false, VALUE_OWN, 0, 0, 0, profile_read_search, "clones", NULL},
	{"sla", SEARCH, true, VALUE_OWN, 0, 0, 0, profile_read_sla, "such as 1ms@p95", NULL},
	{"stagger_s", SEARCH, true, VALUE_SECONDS, OF_REVIEW(stagger_s), 0.001, DAY_S, NULL, NULL,
	 NULL},
};
const size_t profile_review_key_count = COUNT(profile_review_keys);

const struct profile_key profile_row_keys[] = {
	{"jobfile", ALL, true, VALUE_OWN, 0, 0, 0, profile_read_jobfile, "a path", NULL},
	{"steps", ALL & ~(CURVE | SEARCH), false, VALUE_OWN, 0, 0, 0, profile_read_row_steps,
	 "once, rounds, sequence or ladder", NULL},
	{"stand_in", ALL, false, VALUE_YES_NO, OF_ROW(stand_in), 0, 0, NULL, NULL, "no"},
	{"in_flight", CURVE | SEARCH | ONCE, true, VALUE_WHOLE, OF_ROW(in_flight), 1,
	 PROFILE_MOST_IN_FLIGHT, NULL, NULL, NULL},
	{"in_flight_stated", CURVE | SEARCH | ONCE, false, VALUE_WHOLE, OF_ROW(in_flight_stated), 1,
	 PROFILE_MOST_IN_FLIGHT, NULL, NULL, NULL},
	{"mix", ALL & ~(SEARCH | ONCE), false, VALUE_OWN, 0, 0, 0, profile_read_mix,
	 "as in ssdreview-engines(5)", NULL},
	{"desktops", SEARCH, true, VALUE_WHOLE, OF_ROW(desktops), 1, 10000, NULL, NULL, NULL},
	{"verb", SEARCH, false, TEXT_OF(profile_row, verb), "carries"},
	{"cache_from", ONCE, false, TEXT_OF(profile_row, cache_from), NULL},
	{"threads", ROUNDS | SEQUENCE, true, VALUE_WHOLE, OF_ROW(rounds.load.threads), 1,
	 PROFILE_MOST_THREADS, NULL, NULL, NULL},
	{"queue", ROUNDS | SEQUENCE, true, VALUE_WHOLE, OF_ROW(rounds.load.queue), 1,
	 PROFILE_MOST_IN_FLIGHT, NULL, NULL, NULL},
	{"region", ROUNDS | SEQUENCE | LADDER, false, VALUE_OWN, 0, 0, 0, profile_read_row_region,
	 "above 0 to 100 %", NULL},
	{"purge", ROUNDS | SEQUENCE, false, VALUE_YES_NO, OF_ROW(purge), 0, 0, NULL, NULL, "no"},
	{"fill", ROUNDS | SEQUENCE, false, VALUE_OWN, 0, 0, 0, profile_read_fill,
	 "none, region or whole", "none"},
	{"fill_passes", ROUNDS | SEQUENCE, false, VALUE_WHOLE, OF_ROW(fill_passes), 1, 10, NULL,
	 NULL, "1"},
	{"title", ROUNDS | SEQUENCE, false, TEXT_OF(profile_row, title), NULL},
	{"load_s", ROUNDS, true, VALUE_SECONDS, OF_ROW(rounds.load_s), 0.1, DAY_S, NULL, NULL,
	 NULL},
	{"sample_s", ROUNDS, false, VALUE_SECONDS, OF_ROW(rounds.sample_s), 0.1, DAY_S, NULL, NULL,
	 "60"},
	{"track", ROUNDS, false, VALUE_OWN, 0, 0, 0, profile_read_track, "MEASURE or LOAD:MEASURE",
	 "iops"},
	{"until", ROUNDS, false, VALUE_OWN, 0, 0, 0, profile_read_until, "steady, time or written",
	 "steady"},
	{"time_s", ROUNDS, false, VALUE_SECONDS, OF_ROW(rounds.time_s), 1, MONTH_S, NULL, NULL,
	 "21600"},
	{"window", ROUNDS, false, VALUE_WHOLE, OF_ROW(rounds.rule.window), 2, STEADY_MOST_WINDOW,
	 NULL, NULL, "5"},
	{"range", ROUNDS, false, VALUE_SHARE, OF_ROW(rounds.rule.range), 0, 0, NULL, NULL, "20 %"},
	{"slope", ROUNDS, false, VALUE_SHARE, OF_ROW(rounds.rule.slope), 0, 0, NULL, NULL, "10 %"},
	{"fills", ROUNDS, false, VALUE_NUMBER, OF_ROW(rounds.rule.at_least_fills), 0, 100, NULL,
	 NULL, "2"},
	{"rounds", ROUNDS, false, VALUE_WHOLE, OF_ROW(rounds.rule.at_most_rounds), 1, 10000, NULL,
	 NULL, "25"},
	{"divide", SEQUENCE, false, VALUE_NUMBER, OF_ROW(rounds.divide), 1, 10000, NULL, NULL, "1"},
	{"ladder", LADDER, true, VALUE_OWN, 0, 0, 0, profile_read_ladder, "such as 2T/2Q 16T/16Q",
	 NULL},
	{"wait_s", LADDER, false, VALUE_SECONDS, OF_ROW(ladder.wait_s), 0, DAY_S, NULL, NULL, "0"},
	{"measure_s", LADDER, true, VALUE_SECONDS, OF_ROW(ladder.measure_s), 0.1, DAY_S, NULL, NULL,
	 NULL},
	{"after", ROUNDS | SEQUENCE | LADDER, false, TEXT_OF(profile_row, ladder.after), NULL},
	{"quick", ALL & ~(CURVE | SEARCH), false, TEXT_OF(profile_row, quick), NULL},
};
const size_t profile_row_key_count = COUNT(profile_row_keys);

_Static_assert(COUNT(profile_review_keys) <= PROFILE_MAX_KEYS, "room for lines");
_Static_assert(COUNT(profile_row_keys) <= PROFILE_MAX_KEYS, "room for lines");

/* ---- in words ------------------------------------------------------------------------------- */

/* 86400 -> "86,400", 0.1 -> "0.1" */
static const char *limit_text(double limit, char *text)
{
	if (limit == (double)(uint64_t)limit)
		return number_whole(limit, text);
	snprintf(text, NUMBER_ROOM, "%g", limit);
	return text;
}

static void allowed_words(const struct profile_key *key, char *text, size_t room)
{
	char lowest[NUMBER_ROOM], highest[NUMBER_ROOM];

	switch (key->kind) {
	case VALUE_OWN:
		snprintf(text, room, "%s", key->allowed);
		return;
	case VALUE_SHARE:
		snprintf(text, room, "above 0 to 100 %%");
		return;
	case VALUE_YES_NO:
		snprintf(text, room, "yes or no");
		return;
	case VALUE_TEXT:
		snprintf(text, room, "at most %s characters",
			 limit_text(key->highest - 1, highest));
		return;
	default:
		snprintf(text, room, "%s to %s", limit_text(key->lowest, lowest),
			 limit_text(key->highest, highest));
	}
}

void profile_takers_words(unsigned takers, char *text, size_t room)
{
	unsigned kind;

	snprintf(text, room, "%s", takers == ALL ? "all rows" : "");
	for (kind = 0; kind < ROW_KINDS && takers != ALL; kind++)
		if (takers & 1U << kind)
			text_append(text, room, "%s%s", *text ? ", " : "",
				    profile_kinds_word((enum row_kind)kind));
}

void profile_key_summary(const struct profile_key *key, char *text, size_t room)
{
	char takers[128], allowed[ALLOWED_ROOM];

	profile_takers_words(key->takers, takers, sizeof(takers));
	allowed_words(key, allowed, sizeof(allowed));
	snprintf(text, room, "%s; %s", takers, allowed);
	if (key->needed)
		text_append(text, room, "; needed");
	if (key->fallback)
		text_append(text, room, "; default %s", key->fallback);
}

/* ---- values --------------------------------------------------------------------------------- */

/* *number may be "inf" or "nan", which no key allows. */
static bool is_number(const char *value, double *number)
{
	char *end;

	errno = 0;
	*number = strtod(value, &end);
	return end != value && !*end && !errno;
}

static int read_number(const struct profile_key *key, const char *value, double *number,
		       struct error *err)
{
	char allowed[ALLOWED_ROOM];

	if (is_number(value, number) && *number >= key->lowest && *number <= key->highest)
		return 0;
	allowed_words(key, allowed, sizeof(allowed));
	return error_set(err, "\"%s\" is not a number from %s", value, allowed);
}

static int read_whole(const struct profile_key *key, const char *value, unsigned *count,
		      struct error *err)
{
	char allowed[ALLOWED_ROOM];
	double number;

	*count = 0;
	if (strspn(value, "0123456789") == strlen(value) && is_number(value, &number) &&
	    number >= key->lowest && number <= key->highest) {
		*count = (unsigned)number;
		return 0;
	}
	allowed_words(key, allowed, sizeof(allowed));
	return error_set(err, "\"%s\" is not a whole number from %s", value, allowed);
}

static int read_yes_no(const char *value, bool *yes, struct error *err)
{
	*yes = !strcmp(value, "yes");
	if (*yes || !strcmp(value, "no"))
		return 0;
	return error_set(err, "\"%s\" is neither yes nor no", value);
}

static int read_text(const struct profile_key *key, const char *value, char *text,
		     struct error *err)
{
	size_t room = (size_t)key->highest;

	if (snprintf(text, room, "%s", value) < (int)room)
		return 0;
	return error_set(err, "it is longer than %zu characters", room - 1);
}

static int read_value(const struct profile_key *key, const char *value, struct profile *profile,
		      struct profile_row *row, struct error *err)
{
	void *at = (row ? (char *)row : (char *)profile) + key->offset;

	switch (key->kind) {
	case VALUE_WHOLE:
		return read_whole(key, value, at, err);
	case VALUE_SHARE:
		return profile_parse_share(value, at, err);
	case VALUE_YES_NO:
		return read_yes_no(value, at, err);
	case VALUE_TEXT:
		return read_text(key, value, at, err);
	case VALUE_OWN:
		return key->read(value, profile, row, err);
	default:
		return read_number(key, value, at, err);
	}
}

/* ---- keys ----------------------------------------------------------------------------------- */

static const struct profile_key *keys_of(const struct profile_row *row, size_t *count)
{
	*count = row ? profile_row_key_count : profile_review_key_count;
	return row ? profile_row_keys : profile_review_keys;
}

/* Its place in its table, or -1. */
static int find_key(const struct profile_row *row, const char *word)
{
	size_t count, i;
	const struct profile_key *keys = keys_of(row, &count);

	for (i = 0; i < count; i++)
		if (!strcmp(keys[i].word, word))
			return (int)i;
	return -1;
}

static int unknown_key(const struct profile_row *row, const char *word, struct error *err)
{
	static const struct profile_row any_row;
	const char *words[PROFILE_MAX_KEYS];
	size_t count, i;
	const struct profile_key *keys = keys_of(row, &count);

	if (find_key(row ? NULL : &any_row, word) >= 0)
		return error_set(err, "%s is a key of %s", word, row ? "[review]" : "rows");
	for (i = 0; i < count; i++)
		words[i] = keys[i].word;
	return error_unknown(err, "key", word, words, count);
}

int profile_set_key(struct profile *profile, struct profile_row *row, const char *word,
		    const char *value, unsigned line, struct error *err)
{
	unsigned *lines = row ? row->key_lines : profile->key_lines;
	size_t count;
	const struct profile_key *keys = keys_of(row, &count);
	int which = find_key(row, word);

	if (which < 0)
		return unknown_key(row, word, err);
	if (lines[which] == line)
		return error_set(err, "%s stands twice", word);
	if (lines[which])
		return error_set(err, "%s stands on line %u too", word, lines[which]);
	if (!*value)
		return error_set(err, "%s has no value", word);
	if (read_value(&keys[which], value, profile, row, err))
		return error_prefix(err, "%s", word);
	lines[which] = line;
	return 0;
}

void profile_set_fallbacks(struct profile *profile, struct profile_row *row)
{
	size_t count, i;
	const struct profile_key *keys = keys_of(row, &count);

	for (i = 0; i < count; i++)
		if (keys[i].fallback)
			read_value(&keys[i], keys[i].fallback, profile, row, NULL);
}

unsigned profile_key_line(const struct profile *profile, const struct profile_row *row,
			  const char *word)
{
	int which = find_key(row, word);

	return (row ? row->key_lines : profile->key_lines)[which];
}
