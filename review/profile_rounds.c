/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of rows with rounds (preconditioning until steady state) and with a ladder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/measures.h"
#include "review/profile_internal.h"

/* The first five are those of SNIA's specification, the others ours. */
void profile_rounds_defaults(struct profile_row *row)
{
	row->rounds.rule = (struct steady_rule){
		.window = 5, .range = 0.2, .slope = 0.1, .at_least_fills = 2, .at_most_rounds = 25};
	row->rounds.tracks[0] = (struct profile_track){.measure = "iops"};
	row->rounds.track_count = 1;
	row->rounds.sample_s = 60;
	row->rounds.time_s = 6 * 3600;
	row->rounds.divide = 1;
	row->fill_passes = 1;
}

/* ---- values --------------------------------------------------------------------------------- */

/* "20 %" as a share. */
static int parse_percent(const char *value, double *share, struct error *err)
{
	char *end;
	double number = strtod(value, &end);

	end += strspn(end, " ");
	if (end == value || strcmp(end, "%") || !(number > 0 && number <= 100))
		return error_set(err, "\"%s\" is no percentage from above 0 to 100 (\"20 %%\")",
				 value);
	*share = number / 100;
	return 0;
}

static int parse_percent_of_drive(const char *value, double *percent, struct error *err)
{
	double share;

	if (parse_percent(value, &share, err))
		return -1;
	*percent = share * 100;
	return 0;
}

/* "16T/16Q" */
static int parse_load(const char *word, struct thread_load *load, struct error *err)
{
	int length = 0;

	if (sscanf(word, "%3uT/%5uQ%n", &load->threads, &load->queue, &length) == 2 &&
	    word[length] == '\0' && load->threads && load->queue && word[0] != '-')
		return 0;
	return error_set(err, "\"%s\" is no step such as 16T/16Q: threads, and in flight of each",
			 word);
}

static int parse_ladder(const char *value, struct profile_ladder *ladder, struct error *err)
{
	char copy[1024], *word, *rest;

	snprintf(copy, sizeof(copy), "%s", value);
	ladder->count = 0;
	for (word = strtok_r(copy, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest)) {
		if (ladder->count == PROFILE_MAX_STEPS)
			return error_set(err, "more than %d steps", PROFILE_MAX_STEPS);
		if (parse_load(word, &ladder->steps[ladder->count++], err))
			return -1;
	}
	return ladder->count ? 0 : error_set(err, "no step; name some: 2T/2Q 4T/4Q");
}

/* "write_iops" of the first load, "8k-mixed:mean" of that one. */
static int parse_track(const char *word, struct profile_track *track, struct error *err)
{
	const char *colon = strchr(word, ':'), *measure = colon ? colon + 1 : word;
	int length = colon ? (int)(colon - word) : 0;

	if (length >= PROFILE_LOAD_ROOM)
		return error_set(err, "\"%.*s\" is too long for the name of a load", length, word);
	snprintf(track->load, sizeof(track->load), "%.*s", length, word);
	snprintf(track->measure, sizeof(track->measure), "%s", measure);
	return measure_word_check(measure, err);
}

static int parse_tracks(const char *value, struct profile_rounds *rounds, struct error *err)
{
	char copy[512], *word, *rest;

	snprintf(copy, sizeof(copy), "%s", value);
	rounds->track_count = 0;
	for (word = strtok_r(copy, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest)) {
		if (rounds->track_count == PROFILE_MAX_TRACKS)
			return error_set(err, "more than %d values", PROFILE_MAX_TRACKS);
		if (parse_track(word, &rounds->tracks[rounds->track_count++], err))
			return -1;
	}
	return rounds->track_count ? 0 : error_set(err, "nothing to follow; name iops");
}

static int parse_until(const char *value, struct profile_rounds *rounds, struct error *err)
{
	static const char *const words[] = {"steady", "time"};

	rounds->by_time = !strcmp(value, words[1]);
	if (rounds->by_time || !strcmp(value, words[0]))
		return 0;
	return error_unknown(err, "end", value, words, COUNT(words));
}

/* ---- keys ----------------------------------------------------------------------------------- */

enum value_kind { SECONDS, NUMBER, PERCENT, WHOLE, OTHER };

static const struct {
	const char *word;
	enum value_kind kind;
	size_t offset; /* in struct profile_row */
	double lowest, highest;
} keys[] = {
	{"threads", WHOLE, offsetof(struct profile_row, rounds.load.threads), 1, 64},
	{"queue", WHOLE, offsetof(struct profile_row, rounds.load.queue), 1, 65536},
	{"load_s", SECONDS, offsetof(struct profile_row, rounds.load_s), 0.1, 0},
	{"sample_s", SECONDS, offsetof(struct profile_row, rounds.sample_s), 0.1, 0},
	{"time_s", SECONDS, offsetof(struct profile_row, rounds.time_s), 1, 0},
	{"window", WHOLE, offsetof(struct profile_row, rounds.rule.window), 2, STEADY_MOST_WINDOW},
	{"range", PERCENT, offsetof(struct profile_row, rounds.rule.range), 0, 0},
	{"slope", PERCENT, offsetof(struct profile_row, rounds.rule.slope), 0, 0},
	{"fills", NUMBER, offsetof(struct profile_row, rounds.rule.at_least_fills), 0, 0},
	{"rounds", WHOLE, offsetof(struct profile_row, rounds.rule.at_most_rounds), 1, 10000},
	{"wait_s", SECONDS, offsetof(struct profile_row, ladder.wait_s), 0, 0},
	{"measure_s", SECONDS, offsetof(struct profile_row, ladder.measure_s), 0.1, 0},
	{"divide", NUMBER, offsetof(struct profile_row, rounds.divide), 1, 0},
	{"fill_passes", WHOLE, offsetof(struct profile_row, fill_passes), 1, 10},
	{"until", OTHER, 0, 0, 0},
	{"track", OTHER, 0, 0, 0},
	{"ladder", OTHER, 0, 0, 0},
	{"after", OTHER, 0, 0, 0},
	{"region", OTHER, 0, 0, 0},
	{"fill", OTHER, 0, 0, 0},
	{"purge", OTHER, 0, 0, 0},
	{"title", OTHER, 0, 0, 0},
};

size_t profile_rounds_keys(const char **words, size_t room)
{
	size_t i;

	for (i = 0; i < COUNT(keys) && i < room; i++)
		words[i] = keys[i].word;
	return i;
}

static int set_other(struct profile_row *row, const char *key, const char *value, struct error *err)
{
	if (!strcmp(key, "until"))
		return parse_until(value, &row->rounds, err);
	if (!strcmp(key, "track"))
		return parse_tracks(value, &row->rounds, err);
	if (!strcmp(key, "ladder"))
		return parse_ladder(value, &row->ladder, err);
	if (!strcmp(key, "region"))
		return parse_percent_of_drive(value, &row->region_percent, err);
	if (!strcmp(key, "fill"))
		return profile_parse_fill(value, &row->fill, err);
	if (!strcmp(key, "purge"))
		return profile_parse_yes_no(value, &row->purge, err);
	if (!strcmp(key, "title"))
		return profile_set_text(key, value, row->title, sizeof(row->title), err);
	snprintf(row->ladder.after, sizeof(row->ladder.after), "%s", value);
	return 0;
}

static int parse_whole(const char *value, double lowest, double highest, unsigned *count,
		       struct error *err)
{
	if (profile_parse_count(value, (unsigned)highest, count, err))
		return -1;
	return *count >= lowest ? 0 : error_set(err, "\"%s\" is below %g", value, lowest);
}

static int set_key(struct profile_row *row, size_t which, const char *value, struct error *err)
{
	void *at = (char *)row + keys[which].offset;

	switch (keys[which].kind) {
	case WHOLE:
		return parse_whole(value, keys[which].lowest, keys[which].highest, at, err);
	case PERCENT:
		return parse_percent(value, at, err);
	case OTHER:
		return set_other(row, keys[which].word, value, err);
	default:
		return profile_parse_number(value, keys[which].lowest, at, err);
	}
}

int profile_set_rounds_key(struct profile_row *row, const char *key, const char *value, bool *known,
			   struct error *err)
{
	size_t i;

	for (i = 0; i < COUNT(keys) && strcmp(key, keys[i].word); i++)
		;
	*known = i < COUNT(keys);
	if (*known && set_key(row, i, value, err))
		return error_prefix(err, "%s", key);
	return 0;
}

unsigned profile_row_in_flight(const struct profile_row *row)
{
	unsigned most = row->rounds.load.threads * row->rounds.load.queue, i;

	for (i = 0; i < row->ladder.count; i++)
		if (row->ladder.steps[i].threads * row->ladder.steps[i].queue > most)
			most = row->ladder.steps[i].threads * row->ladder.steps[i].queue;
	return most;
}

/* ---- whether they fit each other ------------------------------------------------------------ */

/* Its times are those of the job file, and it ends with its last load. */
static int check_sequence(const struct profile_row *row, struct error *err)
{
	const struct profile_rounds *rounds = &row->rounds;

	if (!rounds->load.threads || !rounds->load.queue)
		return error_set(err, "[%s] is a sequence, and needs threads and queue", row->name);
	if (rounds->load_s > 0 || rounds->by_time)
		return error_set(
			err,
			"[%s] load_s and until are for steps = rounds; a sequence takes the "
			"times of its job file",
			row->name);
	return 0;
}

static int check_rounds(const struct profile_row *row, struct error *err)
{
	const struct profile_rounds *rounds = &row->rounds;
	double samples = rounds->load_s / rounds->sample_s;

	if (rounds->is_sequence)
		return check_sequence(row, err);
	if (!rounds->load.threads || !rounds->load.queue || rounds->load_s <= 0)
		return error_set(err, "[%s] has rounds, and needs threads, queue and load_s",
				 row->name);
	if (rounds->divide != 1)
		return error_set(err, "[%s] divide is for steps = sequence", row->name);
	if (samples < 1 || samples > 1000 || samples != (double)(unsigned)samples)
		return error_set(err,
				 "[%s] a load of %g s is not a whole number of samples of %g s",
				 row->name, rounds->load_s, rounds->sample_s);
	if (rounds->rule.window > rounds->rule.at_most_rounds)
		return error_set(err, "[%s] a window of %u rounds does not fit %u rounds",
				 row->name, rounds->rule.window, rounds->rule.at_most_rounds);
	if (rounds->by_time && rounds->time_s < rounds->load_s)
		return error_set(err, "[%s] time_s %g is shorter than a load of %g s", row->name,
				 rounds->time_s, rounds->load_s);
	return 0;
}

static int check_after(const struct profile *profile, const struct profile_row *row,
		       struct error *err)
{
	const struct profile_row *after = profile_find_row(profile, row->ladder.after);

	if (!row->ladder.after[0] || (after && after < row && after->steps == STEPS_ROUNDS))
		return 0;
	return error_set(err, "[%s] after \"%s\" is no row with steps = rounds before it",
			 row->name, row->ladder.after);
}

static int check_purge(const struct profile *profile, const struct profile_row *row,
		       struct error *err)
{
	if (!row->purge || profile->purge)
		return 0;
	return error_set(err, "[%s] purge = yes needs the same in [review]", row->name);
}

static int check_ladder(const struct profile_row *row, struct error *err)
{
	if (!row->ladder.count || row->ladder.measure_s <= 0)
		return error_set(err, "[%s] is a ladder, and needs ladder and measure_s",
				 row->name);
	return 0;
}

int profile_check_rounds(const struct profile *profile, const struct profile_row *row,
			 struct error *err)
{
	if (row->in_flight)
		return error_set(err,
				 "[%s] in_flight is for curves; here it is threads times queue",
				 row->name);
	if (!row->jobfile[0])
		return error_set(err, "[%s] needs jobfile", row->name);
	if (check_after(profile, row, err) || check_purge(profile, row, err))
		return -1;
	return row->steps == STEPS_ROUNDS ? check_rounds(row, err) : check_ladder(row, err);
}

/* ---- quick ---------------------------------------------------------------------------------- */

static int set_quick(struct profile *profile, struct profile_row *row, struct error *err)
{
	char copy[sizeof(row->quick)], *word, *rest;

	snprintf(copy, sizeof(copy), "%s", row->quick);
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		char *equals = strchr(word, '=');

		if (!equals)
			return error_set(err, "quick: \"%s\" is not KEY=VALUE", word);
		*equals = '\0';
		if (profile_set_row_key(profile, row, word, equals + 1, err))
			return error_prefix(err, "quick");
	}
	return profile_check_rounds(profile, row, err);
}

int profile_make_quick(struct profile *profile, struct error *err)
{
	unsigned i;

	for (i = 0; i < profile->row_count; i++) {
		struct profile_row *row = &profile->rows[i];

		if (row->steps != STEPS_ROUNDS && row->steps != STEPS_LADDER)
			continue;
		if (set_quick(profile, row, err))
			return error_prefix(err, "%s: [%s]", profile->path, row->name);
	}
	return 0;
}

int profile_fix_time(struct profile *profile, struct error *err)
{
	unsigned i, count = 0;

	for (i = 0; i < profile->row_count; i++) {
		const struct profile_rounds *rounds = &profile->rows[i].rounds;

		if (profile->rows[i].steps != STEPS_ROUNDS || rounds->is_sequence)
			continue;
		profile->rows[i].rounds.by_time = true;
		count++;
	}
	return count ? 0
		     : error_set(err,
				 "--fixed-time is for profiles that precondition, such as "
				 "enterprise; %s does not",
				 profile->name);
}
