/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a review's profile (INI, through inih) and names what is wrong in it by file and line. */
#include <errno.h>
#include <glob.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/mix/mix.h"
#include "review/profile_internal.h"

/* Keys of [review]; every other section is a row with the keys below. */
static const char *const review_keys[] = {
	"title",     "region",		"region_files", "fill",	  "purge",    "refill", "steps",
	"wait_s",    "measure_s",	"cooldown_s",	"idle_s", "stand_in", "search", "sla",
	"stagger_s", "longest_pause_s",
};
static const char *const row_keys[] = {
	"jobfile", "in_flight", "in_flight_stated", "stand_in", "desktops",
	"verb",	   "steps",	"cache_from",	    "quick",	"mix"};
static const char *const fill_words[] = {"none", "region", "whole"};

/* As inih was built: longer lines are read in pieces. */
#define LONGEST_LINE 190

/* Ours: a drive that rests longer is not in the state it was brought into. */
#define LONGEST_PAUSE_S 600

/* What travels through inih's callback: it reports lines, the sentence is ours. */
struct reading {
	struct profile *profile;
	struct error *err;
	bool failed;
};

int profile_parse_number(const char *value, double lowest, double *number, struct error *err)
{
	char *end;

	errno = 0;
	*number = strtod(value, &end);
	if (end == value || *end || errno || !(*number >= lowest && *number < 1e15))
		return error_set(err, "\"%s\" is not a number of at least %g", value, lowest);
	return 0;
}

int profile_parse_count(const char *value, unsigned largest, unsigned *count, struct error *err)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(value, &end, 10);
	if (end == value || *end || errno || value[0] == '-' || !number || number > largest)
		return error_set(err, "\"%s\" is not a whole number from 1 to %u", value, largest);
	*count = (unsigned)number;
	return 0;
}

/* "1 %" of the drive, or bytes in plain digits. */
static int parse_region(const char *value, struct profile *profile, struct error *err)
{
	char *end;
	double number = strtod(value, &end);

	end += strspn(end, " ");
	profile->region_percent = 0;
	profile->region_bytes = 0;
	if (end != value && !strcmp(end, "%") && number > 0 && number <= 100)
		profile->region_percent = number;
	else if (end != value && !*end && number >= 1 && number < 1e18)
		profile->region_bytes = (uint64_t)number;
	else
		return error_set(err, "region \"%s\" is neither a percentage (\"5 %%\") nor bytes",
				 value);
	return 0;
}

static int parse_steps(const char *value, struct profile *profile, struct error *err)
{
	char copy[512], *word, *rest;

	snprintf(copy, sizeof(copy), "%s", value);
	profile->step_count = 0;
	for (word = strtok_r(copy, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest)) {
		unsigned *step = &profile->steps_percent[profile->step_count];

		if (profile->step_count == PROFILE_MAX_STEPS)
			return error_set(err, "more than %d steps", PROFILE_MAX_STEPS);
		if (profile_parse_count(word, 999, step, err))
			return error_prefix(err, "steps");
		if (profile->step_count && step[-1] >= *step)
			return error_set(err, "steps: %u does not follow %u; write them rising",
					 *step, step[-1]);
		profile->step_count++;
	}
	return 0;
}

int profile_parse_yes_no(const char *value, bool *yes, struct error *err)
{
	*yes = !strcmp(value, "yes");
	if (*yes || !strcmp(value, "no"))
		return 0;
	return error_set(err, "\"%s\" is neither yes nor no", value);
}

int profile_parse_fill(const char *value, enum profile_fill *fill, struct error *err)
{
	size_t i;

	for (i = 0; i < COUNT(fill_words); i++) {
		if (strcmp(value, fill_words[i]))
			continue;
		*fill = (enum profile_fill)i;
		return 0;
	}
	return error_unknown(err, "fill", value, fill_words, COUNT(fill_words));
}

static int parse_search(const char *value, struct profile *profile, struct error *err)
{
	static const char *const words[] = {"clones"};

	profile->searches = !strcmp(value, words[0]);
	return profile->searches ? 0 : error_unknown(err, "search", value, words, COUNT(words));
}

static double *time_of(struct profile *profile, const char *key)
{
	if (!strcmp(key, "wait_s"))
		return &profile->wait_s;
	if (!strcmp(key, "measure_s"))
		return &profile->measure_s;
	if (!strcmp(key, "cooldown_s"))
		return &profile->cooldown_s;
	if (!strcmp(key, "stagger_s"))
		return &profile->stagger_s;
	if (!strcmp(key, "longest_pause_s"))
		return &profile->longest_pause_s;
	return !strcmp(key, "idle_s") ? &profile->idle_s : NULL;
}

static int set_review_key(struct profile *profile, const char *key, const char *value,
			  struct error *err)
{
	double *seconds = time_of(profile, key);

	if (seconds && profile_parse_number(value, 0, seconds, err))
		return error_prefix(err, "%s", key);
	if (seconds)
		return 0;
	if (!strcmp(key, "title"))
		return snprintf(profile->title, sizeof(profile->title), "%s", value) < 0;
	if (!strcmp(key, "region"))
		return parse_region(value, profile, err);
	if (!strcmp(key, "region_files"))
		return profile_parse_count(value, 64, &profile->region_files, err);
	if (!strcmp(key, "fill"))
		return profile_parse_fill(value, &profile->fill, err);
	if (!strcmp(key, "purge"))
		return profile_parse_yes_no(value, &profile->purge, err);
	if (!strcmp(key, "refill"))
		return profile_parse_yes_no(value, &profile->refill, err);
	if (!strcmp(key, "stand_in"))
		return profile_parse_yes_no(value, &profile->stand_in, err);
	if (!strcmp(key, "steps"))
		return parse_steps(value, profile, err);
	if (!strcmp(key, "search"))
		return parse_search(value, profile, err);
	if (!strcmp(key, "sla"))
		return sla_parse(value, &profile->sla, err);
	return error_unknown(err, "key", key, review_keys, COUNT(review_keys));
}

static struct profile_row *row_of(struct profile *profile, const char *name, struct error *err)
{
	struct profile_row *row = &profile->rows[profile->row_count];
	unsigned i;

	for (i = 0; i < profile->row_count; i++)
		if (!strcmp(profile->rows[i].name, name))
			return &profile->rows[i];
	if (profile->row_count == PROFILE_MAX_ROWS) {
		error_set(err, "more than %d rows", PROFILE_MAX_ROWS);
		return NULL;
	}
	if (strchr(name, '/') || strlen(name) >= sizeof(row->name)) {
		error_set(err, "\"%s\" cannot be the name of a row", name);
		return NULL;
	}
	snprintf(row->name, sizeof(row->name), "%s", name);
	profile_rounds_defaults(row);
	profile->row_count++;
	return row;
}

/* Says which of the files beside the missing one was meant. */
static int no_such_jobfile(const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/'), *words[PROFILE_MAX_ROWS];
	int folder = slash ? (int)(slash + 1 - path) : 0;
	char pattern[512];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%.*s*.fio", folder, path);
	if (glob(pattern, 0, NULL, &found))
		return error_set(err, "there is no job file %s", path);
	for (i = 0; i < found.gl_pathc && i < COUNT(words); i++)
		words[i] = found.gl_pathv[i] + folder;
	error_unknown(err, "job file", path + folder, words, i);
	globfree(&found);
	return error_prefix(err, "%.*s", folder, path);
}

/* The job file stands beside the profile unless its path is absolute. */
static int set_jobfile(const struct profile *profile, struct profile_row *row, const char *value,
		       struct error *err)
{
	const char *slash = value[0] == '/' ? NULL : strrchr(profile->path, '/');
	int folder = slash ? (int)(slash + 1 - profile->path) : 0;
	int length = snprintf(row->jobfile, sizeof(row->jobfile), "%.*s%s", folder, profile->path,
			      value);

	if (length >= (int)sizeof(row->jobfile))
		return error_set(err, "jobfile \"%s\": the name is too long", value);
	return access(row->jobfile, R_OK) ? no_such_jobfile(row->jobfile, err) : 0;
}

/* The steps of a row are those of the review, or of its own kind. */
static int parse_row_steps(const char *value, struct profile_row *row, struct error *err)
{
	static const char *const words[] = {"once", "rounds", "ladder", "sequence"};
	size_t i;

	for (i = 0; i < COUNT(words); i++) {
		if (strcmp(value, words[i]))
			continue;
		row->rounds.is_sequence = i == COUNT(words) - 1;
		row->steps =
			row->rounds.is_sequence ? STEPS_ROUNDS : (enum row_steps)(STEPS_ONCE + i);
		return 0;
	}
	return error_unknown(err, "steps of a row", value, words, COUNT(words));
}

int profile_set_text(const char *key, const char *value, char *text, size_t room, struct error *err)
{
	if (snprintf(text, room, "%s", value) < (int)room)
		return 0;
	return error_set(err, "%s is longer than %zu characters", key, room - 1);
}

static int set_mix(const char *value, struct profile_row *row, struct error *err)
{
	struct mix mix;

	if (mix_parse(value, &mix, err))
		return error_prefix(err, "mix");
	return profile_set_text("mix", value, row->mix, sizeof(row->mix), err);
}

static int unknown_row_key(const char *key, struct error *err)
{
	const char *words[64];
	size_t count;

	memcpy(words, row_keys, sizeof(row_keys));
	count = COUNT(row_keys) +
		profile_rounds_keys(words + COUNT(row_keys), COUNT(words) - COUNT(row_keys));
	return error_unknown(err, "key", key, words, count);
}

int profile_set_row_key(struct profile *profile, struct profile_row *row, const char *key,
			const char *value, struct error *err)
{
	bool known;

	if (!strcmp(key, "in_flight"))
		return profile_parse_count(value, 65536, &row->in_flight, err);
	if (!strcmp(key, "in_flight_stated"))
		return profile_parse_count(value, 65536, &row->in_flight_stated, err);
	if (!strcmp(key, "jobfile"))
		return set_jobfile(profile, row, value, err);
	if (!strcmp(key, "stand_in"))
		return profile_parse_yes_no(value, &row->stand_in, err);
	if (!strcmp(key, "desktops"))
		return profile_parse_count(value, 10000, &row->desktops, err);
	if (!strcmp(key, "verb"))
		return snprintf(row->verb, sizeof(row->verb), "%s", value) < 0;
	if (!strcmp(key, "steps"))
		return parse_row_steps(value, row, err);
	if (!strcmp(key, "cache_from"))
		return profile_set_text(key, value, row->cache_from, sizeof(row->cache_from), err);
	if (!strcmp(key, "mix"))
		return set_mix(value, row, err);
	if (!strcmp(key, "quick"))
		return profile_set_text(key, value, row->quick, sizeof(row->quick), err);
	if (profile_set_rounds_key(row, key, value, &known, err))
		return -1;
	return known ? 0 : unknown_row_key(key, err);
}

static int set_row_key(struct profile *profile, const char *section, const char *key,
		       const char *value, struct error *err)
{
	struct profile_row *row = row_of(profile, section, err);

	return row ? profile_set_row_key(profile, row, key, value, err) : -1;
}

/* inih's callback: 1 is fine, 0 is an error. Only the first error is kept. */
static int take_line(void *user, const char *section, const char *key, const char *value)
{
	struct reading *reading = user;

	if (reading->failed)
		return 1;
	if (!*section)
		error_set(reading->err, "\"%s\" stands before the first [section]", key);
	else if (!strcmp(section, "review") &&
		 !set_review_key(reading->profile, key, value, reading->err))
		return 1;
	else if (strcmp(section, "review") &&
		 !set_row_key(reading->profile, section, key, value, reading->err))
		return 1;
	reading->failed = true;
	return 0;
}

static void name_from_path(struct profile *profile)
{
	const char *slash = strrchr(profile->path, '/');
	const char *start = slash ? slash + 1 : profile->path;
	size_t length = strcspn(start, ".");

	snprintf(profile->name, sizeof(profile->name), "%.*s", (int)length, start);
}

/* The first line that inih would read in two pieces, 0: none. */
static int find_long_line(const char *text)
{
	int line;

	for (line = 1; *text; line++) {
		size_t length = strcspn(text, "\n");

		if (length > LONGEST_LINE)
			return line;
		text += length + (text[length] == '\n');
	}
	return 0;
}

static int parse_lines(struct reading *reading, const char *text)
{
	int line = find_long_line(text);

	if (!line)
		return ini_parse_string(text, take_line, reading);
	reading->failed = true;
	error_set(reading->err,
		  "the line is longer than %d characters; a mix as long belongs into the row's job "
		  "file",
		  LONGEST_LINE);
	return line;
}

static int parse_profile(struct profile *profile, const char *text, struct error *err)
{
	struct reading reading = {.profile = profile, .err = err};
	int line = parse_lines(&reading, text);

	if (line < 0)
		return error_set(err, "no memory to read %s", profile->path);
	if (line > 0 && !reading.failed)
		error_set(err, "neither a [section] nor a \"key = value\" line");
	if (line > 0)
		return error_prefix(err, "%s:%d", profile->path, line);
	return profile_check(profile, text, err);
}

static int read_profile(struct profile *profile, struct error *err)
{
	char *text;
	int failed;

	if (file_read_text(profile->path, &text, err))
		return -1;
	failed = parse_profile(profile, text, err);
	free(text);
	return failed;
}

int profile_load(const char *word_or_path, struct profile *profile, struct error *err)
{
	memset(profile, 0, sizeof(*profile));
	profile->region_files = 1;
	profile->longest_pause_s = LONGEST_PAUSE_S;
	if (strchr(word_or_path, '/') || strchr(word_or_path, '.'))
		snprintf(profile->path, sizeof(profile->path), "%s", word_or_path);
	else if (profile_find_path(word_or_path, profile->path, sizeof(profile->path), err))
		return -1;
	name_from_path(profile);
	return read_profile(profile, err);
}

const struct profile_row *profile_find_row(const struct profile *profile, const char *name)
{
	unsigned i;

	for (i = 0; i < profile->row_count; i++)
		if (!strcmp(profile->rows[i].name, name))
			return &profile->rows[i];
	return NULL;
}
