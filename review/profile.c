/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a review's profile (INI, through inih) and names what is wrong in it by file and line. */
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "review/profile_internal.h"

/* As inih was built: longer lines are read in pieces, longer names of sections cut. */
#define LONGEST_LINE 190
#define LONGEST_NAME 48

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

#define REVIEW_SECTION "review"

/* What travels through inih's callbacks: the lines are counted here, and the sentence is ours. */
struct reading {
	struct profile *profile;
	const char *rest;	    /* of the text */
	unsigned line, header_line; /* that inih has, and where its section begins */
	bool has_keys;		    /* that section */
	bool failed;		    /* at this line */
	struct error *err;
};

/* ---- sections ------------------------------------------------------------------------------- */

/* It names a folder, stands in lists with commas and in job files. */
static int check_row_name(const char *name, struct error *err)
{
	static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789-_.";

	if (name[0] == '.' || name[strspn(name, letters)] || strlen(name) > LONGEST_NAME)
		return error_set(err,
				 "[%s] cannot be the name of a row: at most %d letters, digits, -, "
				 "_ and .",
				 name, LONGEST_NAME);
	if (!strcmp(name, "fill"))
		return error_set(err, "[fill] cannot be the name of a row: fills have that folder");
	return 0;
}

static int row_place(const struct profile *profile, const char *name)
{
	unsigned i;

	for (i = 0; i < profile->row_count; i++)
		if (!strcmp(profile->rows[i].name, name))
			return (int)i;
	return -1;
}

static struct profile_row *add_row(struct profile *profile, const char *name, unsigned line,
				   struct error *err)
{
	struct profile_row *row = &profile->rows[profile->row_count];

	if (profile->row_count == PROFILE_MAX_ROWS) {
		error_set(err, "more than %d rows", PROFILE_MAX_ROWS);
		return NULL;
	}
	if (check_row_name(name, err))
		return NULL;
	snprintf(row->name, sizeof(row->name), "%s", name);
	row->line = line;
	profile_set_fallbacks(profile, row);
	profile->row_count++;
	return row;
}

static int check_stands_once(const char *section, unsigned line, unsigned header_line,
			     struct error *err)
{
	if (line == header_line)
		return 0;
	return error_set(err, "the section [%s] stands on line %u too", section, line);
}

static int set_row_key(struct reading *reading, const char *section, const char *key,
		       const char *value)
{
	struct profile *profile = reading->profile;
	int place = row_place(profile, section);
	struct profile_row *row =
		place < 0 ? add_row(profile, section, reading->header_line, reading->err)
			  : &profile->rows[place];

	if (!row || check_stands_once(section, row->line, reading->header_line, reading->err))
		return -1;
	return profile_set_key(profile, row, key, value, reading->line, reading->err);
}

static int set_review_key(struct reading *reading, const char *key, const char *value)
{
	struct profile *profile = reading->profile;

	if (!profile->line)
		profile->line = reading->header_line;
	if (check_stands_once(REVIEW_SECTION, profile->line, reading->header_line, reading->err))
		return -1;
	return profile_set_key(profile, NULL, key, value, reading->line, reading->err);
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* inih's callback: 1 is fine, 0 is an error. Only the first error is kept. */
static int take_line(void *user, const char *section, const char *key, const char *value)
{
	struct reading *reading = user;

	reading->has_keys = true;
	if (!*section)
		reading->failed =
			error_set(reading->err, "\"%s\" stands before the first [section]", key);
	else if (!strcmp(section, REVIEW_SECTION))
		reading->failed = set_review_key(reading, key, value);
	else
		reading->failed = set_row_key(reading, section, key, value);
	return !reading->failed;
}

/* inih would leave a section without keys out, and all that follows its name. */
static int check_header(struct reading *reading, const char *line, size_t length)
{
	const char *end = memchr(line, ']', length);
	size_t blank = end ? strspn(end + 1, " \t\r") : 0;

	if (reading->header_line && !reading->has_keys) {
		reading->line = reading->header_line;
		return error_set(reading->err, "the section has no keys");
	}
	if (end && end + 1 + blank < line + length && !strchr(";#", end[1 + blank]))
		return error_set(reading->err, "a key follows the [section] on its line");
	reading->header_line = reading->line;
	reading->has_keys = false;
	return 0;
}

/* inih would take an indented line for part of the one before. */
static int check_line(struct reading *reading, const char *line, size_t length)
{
	size_t indent = strspn(line, " \t\r");

	if (length > LONGEST_LINE)
		return error_set(reading->err,
				 "the line is longer than %d characters; a mix as long belongs "
				 "into the row's job file",
				 LONGEST_LINE);
	if (indent && indent < length && !strchr("#;", line[indent]))
		return error_set(reading->err, "the line begins with a space");
	return line[0] == '[' ? check_header(reading, line, length) : 0;
}

/* inih's fgets(): hands out a line, unless it cannot be one. */
static char *next_line(char *line, int room, void *stream)
{
	struct reading *reading = stream;
	size_t length = strcspn(reading->rest, "\n");

	if (!*reading->rest || reading->failed)
		return NULL;
	reading->line++;
	reading->failed = check_line(reading, reading->rest, length);
	if (reading->failed)
		return NULL;
	snprintf(line, (size_t)room, "%.*s\n", (int)length, reading->rest);
	reading->rest += length + (reading->rest[length] == '\n');
	return line;
}

/* ---- the file ------------------------------------------------------------------------------- */

static void name_from_path(struct profile *profile)
{
	const char *slash = strrchr(profile->path, '/');
	const char *start = slash ? slash + 1 : profile->path;
	size_t length = strcspn(start, ".");

	snprintf(profile->name, sizeof(profile->name), "%.*s", (int)length, start);
}

/* What is wrong on which line: the first of what inih says (0: nothing) and what was said here. */
static int find_fault(struct reading *reading, unsigned inih_line)
{
	if (!reading->failed && !inih_line && reading->header_line && !reading->has_keys) {
		reading->line = reading->header_line;
		error_set(reading->err, "the section has no keys");
	} else if (inih_line && (!reading->failed || inih_line < reading->line)) {
		reading->line = inih_line;
		error_set(reading->err, "neither a [section] nor a \"key = value\" line");
	} else if (!reading->failed) {
		return 0;
	}
	return error_prefix(reading->err, "%s:%u", reading->profile->path, reading->line);
}

static int parse_profile(struct profile *profile, const char *text, struct error *err)
{
	struct reading reading = {.profile = profile, .err = err};
	int inih_line;

	reading.rest = text + (strncmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK))
				       ? 0
				       : strlen(BYTE_ORDER_MARK));
	inih_line = ini_parse_stream(next_line, &reading, take_line, &reading);
	if (inih_line < 0)
		return error_set(err, "no memory to read %s", profile->path);
	return find_fault(&reading, (unsigned)inih_line);
}

int profile_load(const char *word_or_path, struct profile *profile, struct error *err)
{
	char *text;
	int failed;

	memset(profile, 0, sizeof(*profile));
	profile_set_fallbacks(profile, NULL);
	if (strchr(word_or_path, '/') || strchr(word_or_path, '.'))
		snprintf(profile->path, sizeof(profile->path), "%s", word_or_path);
	else if (profile_find_path(word_or_path, profile->path, sizeof(profile->path), err))
		return -1;
	if (!utf8_is(profile->path))
		return error_set(err, "%s is not UTF-8: give it another name", profile->path);
	name_from_path(profile);
	if (file_read_text(profile->path, &text, err))
		return -1;
	failed = parse_profile(profile, text, err);
	free(text);
	return failed ? -1 : profile_check(profile, err);
}

const struct profile_row *profile_find_row(const struct profile *profile, const char *name)
{
	int place = row_place(profile, name);

	return place < 0 ? NULL : &profile->rows[place];
}

unsigned profile_row_in_flight(const struct profile_row *row)
{
	unsigned most = row->rounds.load.threads * row->rounds.load.queue, i;

	for (i = 0; i < row->ladder.count; i++)
		if (row->ladder.steps[i].threads * row->ladder.steps[i].queue > most)
			most = row->ladder.steps[i].threads * row->ladder.steps[i].queue;
	return most;
}
