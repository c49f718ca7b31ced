/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of a profile's keys that are no plain numbers: regions, steps, ladders, files, mixes. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/mix/mix.h"
#include "postprocess/measures.h"
#include "review/profile_internal.h"

#define UNUSED __attribute__((unused))

/* One of the words; -1 with the nearest one in err. */
static int find_word(const char *what, const char *value, const char *const *words, size_t count,
		     struct error *err)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(value, words[i]))
			return (int)i;
	return error_unknown(err, what, value, words, count);
}

/* ---- parts of the drive --------------------------------------------------------------------- */

int profile_parse_share(const char *value, double *share, struct error *err)
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

static int read_bytes(const char *value, uint64_t *bytes, struct error *err)
{
	errno = 0;
	*bytes = strtoull(value, NULL, 10);
	if (errno || *bytes > INT64_MAX)
		return error_set(err, "%s bytes are more than any drive has", value);
	if (*bytes < PROFILE_LEAST_REGION)
		return error_set(err, "%s bytes are less than 1 MiB (1048576), the least", value);
	return 0;
}

/* "1 %" of the drive, or bytes in plain digits. */
int profile_read_region(const char *value, struct profile *profile, struct profile_row *row UNUSED,
			struct error *err)
{
	double share;

	if (strspn(value, "0123456789") == strlen(value))
		return read_bytes(value, &profile->region_bytes, err);
	if (!strchr(value, '%'))
		return error_set(err,
				 "\"%s\" is neither a percentage (\"5 %%\") nor bytes in plain "
				 "digits",
				 value);
	if (profile_parse_share(value, &share, err))
		return -1;
	profile->region_percent = share * 100;
	return 0;
}

int profile_read_row_region(const char *value, struct profile *profile UNUSED,
			    struct profile_row *row, struct error *err)
{
	double share;

	if (profile_parse_share(value, &share, err))
		return -1;
	row->region_percent = share * 100;
	return 0;
}

int profile_read_fill(const char *value, struct profile *profile, struct profile_row *row,
		      struct error *err)
{
	static const char *const words[] = {"none", "region", "whole"};
	int fill = find_word("fill", value, words, COUNT(words), err);

	if (fill < 0)
		return -1;
	*(row ? &row->fill : &profile->fill) = (enum profile_fill)fill;
	return 0;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static int read_step(const char *word, unsigned *step, struct error *err)
{
	if (strspn(word, "0123456789") != strlen(word) || strlen(word) > 3 ||
	    !strtoul(word, NULL, 10))
		return error_set(err, "\"%s\" is not a whole number from 1 to 999", word);
	*step = (unsigned)strtoul(word, NULL, 10);
	return 0;
}

int profile_read_steps(const char *value, struct profile *profile, struct profile_row *row UNUSED,
		       struct error *err)
{
	char copy[512], *word, *rest;

	snprintf(copy, sizeof(copy), "%s", value);
	for (word = strtok_r(copy, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest)) {
		unsigned *step = &profile->steps_percent[profile->step_count];

		if (profile->step_count == PROFILE_MAX_STEPS)
			return error_set(err, "more than %d steps", PROFILE_MAX_STEPS);
		if (read_step(word, step, err))
			return -1;
		if (profile->step_count && step[-1] >= *step)
			return error_set(err, "%u does not follow %u; write them rising", *step,
					 step[-1]);
		profile->step_count++;
	}
	return profile->step_count ? 0 : error_set(err, "no step; name some: 10 20 30");
}

/* The steps of a row are those of the review, or of its own kind. */
int profile_read_row_steps(const char *value, struct profile *profile UNUSED,
			   struct profile_row *row, struct error *err)
{
	static const char *const words[] = {"once", "rounds", "ladder", "sequence"};
	static const enum row_steps steps[] = {STEPS_ONCE, STEPS_ROUNDS, STEPS_LADDER,
					       STEPS_ROUNDS};
	int which = find_word("steps of a row", value, words, COUNT(words), err);

	if (which < 0)
		return -1;
	row->steps = steps[which];
	row->rounds.is_sequence = which == COUNT(words) - 1;
	return 0;
}

/* "16T/16Q" */
static int read_load(const char *word, struct thread_load *load, struct error *err)
{
	int length = 0;

	if (sscanf(word, "%9uT/%9uQ%n", &load->threads, &load->queue, &length) == 2 &&
	    word[length] == '\0' && !strpbrk(word, "+-") && load->threads &&
	    load->threads <= PROFILE_MOST_THREADS && load->queue &&
	    load->queue <= PROFILE_MOST_IN_FLIGHT)
		return 0;
	return error_set(err,
			 "\"%s\" is no step such as 16T/16Q: 1 to 64 threads, and 1 to 32,768 in "
			 "flight of each",
			 word);
}

static int add_load(const char *word, struct profile_ladder *ladder, struct error *err)
{
	struct thread_load *load = &ladder->steps[ladder->count];
	unsigned i;

	if (ladder->count == PROFILE_MAX_STEPS)
		return error_set(err, "more than %d steps", PROFILE_MAX_STEPS);
	if (read_load(word, load, err))
		return -1;
	for (i = 0; i < ladder->count; i++)
		if (ladder->steps[i].threads == load->threads &&
		    ladder->steps[i].queue == load->queue)
			return error_set(err, "%s stands twice", word);
	ladder->count++;
	return 0;
}

int profile_read_ladder(const char *value, struct profile *profile UNUSED, struct profile_row *row,
			struct error *err)
{
	char copy[1024], *word, *rest;

	snprintf(copy, sizeof(copy), "%s", value);
	row->ladder.count = 0;
	for (word = strtok_r(copy, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest))
		if (add_load(word, &row->ladder, err))
			return -1;
	return row->ladder.count ? 0 : error_set(err, "no step; name some: 2T/2Q 4T/4Q");
}

/* ---- what is followed, and to which end ----------------------------------------------------- */

/* "write_iops" of the first load, "8k-mixed:mean" of that one. */
static int read_track(const char *word, struct profile_track *track, struct error *err)
{
	const char *colon = strchr(word, ':'), *measure = colon ? colon + 1 : word;
	int length = colon ? (int)(colon - word) : 0;

	if (length >= PROFILE_LOAD_ROOM)
		return error_set(err, "\"%.*s\" is too long for the name of a load", length, word);
	snprintf(track->load, sizeof(track->load), "%.*s", length, word);
	snprintf(track->measure, sizeof(track->measure), "%s", measure);
	return measure_word_check(measure, err);
}

static int add_track(const char *word, struct profile_rounds *rounds, struct error *err)
{
	struct profile_track *track = &rounds->tracks[rounds->track_count];
	unsigned i;

	if (rounds->track_count == PROFILE_MAX_TRACKS)
		return error_set(err, "more than %d values", PROFILE_MAX_TRACKS);
	if (read_track(word, track, err))
		return -1;
	for (i = 0; i < rounds->track_count; i++)
		if (!strcmp(rounds->tracks[i].load, track->load) &&
		    !strcmp(rounds->tracks[i].measure, track->measure))
			return error_set(err, "%s stands twice", word);
	rounds->track_count++;
	return 0;
}

int profile_read_track(const char *value, struct profile *profile UNUSED, struct profile_row *row,
		       struct error *err)
{
	struct profile_rounds *rounds = &row->rounds;
	char copy[512], *word, *rest;

	snprintf(copy, sizeof(copy), "%s", value);
	rounds->track_count = 0;
	for (word = strtok_r(copy, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest))
		if (add_track(word, rounds, err))
			return -1;
	return rounds->track_count ? 0 : error_set(err, "nothing to follow; name iops");
}

int profile_read_until(const char *value, struct profile *profile UNUSED, struct profile_row *row,
		       struct error *err)
{
	static const char *const words[] = {"steady", "time", "written"};
	int end = find_word("end", value, words, COUNT(words), err);

	if (end < 0)
		return -1;
	row->rounds.until = (enum rounds_until)end;
	return 0;
}

int profile_read_search(const char *value, struct profile *profile, struct profile_row *row UNUSED,
			struct error *err)
{
	static const char *const words[] = {"clones"};

	profile->searches = !find_word("search", value, words, COUNT(words), err);
	return profile->searches ? 0 : -1;
}

int profile_read_sla(const char *value, struct profile *profile, struct profile_row *row UNUSED,
		     struct error *err)
{
	return sla_parse(value, &profile->sla, err);
}

/* ---- what is sent --------------------------------------------------------------------------- */

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
int profile_read_jobfile(const char *value, struct profile *profile, struct profile_row *row,
			 struct error *err)
{
	const char *slash = value[0] == '/' ? NULL : strrchr(profile->path, '/');
	int folder = slash ? (int)(slash + 1 - profile->path) : 0;
	int length = snprintf(row->jobfile, sizeof(row->jobfile), "%.*s%s", folder, profile->path,
			      value);

	if (length >= (int)sizeof(row->jobfile))
		return error_set(err, "\"%s\": the name is too long", value);
	return access(row->jobfile, R_OK) ? no_such_jobfile(row->jobfile, err) : 0;
}

int profile_read_mix(const char *value, struct profile *profile UNUSED, struct profile_row *row,
		     struct error *err)
{
	struct mix mix;

	snprintf(row->mix, sizeof(row->mix), "%s", value); /* no line is longer */
	return mix_parse(value, &mix, err);
}
