/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A workload's file: key = value lines. Sections [full] and [linked] hold what differs between the
 * two kinds of clones; the names of other sections are for the reader.
 */
#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "engines/trace/gen_internal.h"
#include "engines/trace/workload_internal.h"

enum kind { TEXT, NUMBER, PERCENT, BYTES, SIZES, RANGE, BYTE_RANGE, STORM };

#define KEY(name, kind)                                                                            \
	{                                                                                          \
#name, kind, offsetof(struct workload, name)                                       \
	}
#define TEXT_BYTES 128 /* of the shortest text */

static const struct key {
	const char *name;
	enum kind kind;
	size_t offset;
} keys[] = {
	KEY(title, TEXT),
	KEY(calibrated, TEXT),
	KEY(duration_s, NUMBER),
	KEY(ios, NUMBER),
	KEY(gap_cv2, NUMBER),
	KEY(flush_every, NUMBER),
	KEY(misaligned_percent, PERCENT),
	KEY(read_percent, PERCENT),
	KEY(read_sizes, SIZES),
	KEY(write_sizes, SIZES),
	KEY(read_sequential_percent, PERCENT),
	KEY(reread_percent, PERCENT),
	KEY(common_percent, PERCENT),
	KEY(delta_read_percent, PERCENT),
	KEY(write_sequential_percent, PERCENT),
	KEY(rewrite_percent, PERCENT),
	KEY(hot_percent, PERCENT),
	KEY(rewrite_lag_s, NUMBER),
	KEY(image_size, BYTES),
	KEY(delta_size, BYTES),
	KEY(storm, STORM),
	KEY(stagger_s, NUMBER),
	KEY(expect_ios, RANGE),
	KEY(expect_read_percent, RANGE),
	KEY(expect_read_size, BYTE_RANGE),
	KEY(expect_write_size, BYTE_RANGE),
	KEY(expect_rewrite_percent, RANGE),
	KEY(expect_hot_percent, RANGE),
	KEY(expect_interval_s, RANGE),
};

/* A number, with K, M or G (powers of 1024) behind it when units are allowed; *text moves on. */
static int take_number(const char **text, bool units, double *number)
{
	static const char letters[] = "KMGT";
	const char *letter;
	char *end;

	*number = strtod(*text, &end);
	if (end == *text || !isfinite(*number) || *number < 0)
		return -1;
	letter = units && *end ? strchr(letters, *end) : NULL;
	for (end += letter != NULL; letter && letter >= letters; letter--)
		*number *= 1024;
	*text = end + strspn(end, " ");
	return 0;
}

/* "4K 60, 8K 40": sizes and their percentages, which make 100. */
static int take_sizes(const char *text, struct size_mix *mix)
{
	double bytes, sum = 0;

	mix->count = 0;
	do {
		double *percent = &mix->percent[mix->count];

		text += strspn(text, ", ");
		if (mix->count == WORKLOAD_SIZES || take_number(&text, true, &bytes) ||
		    take_number(&text, false, percent) || bytes < 512 || bytes > WORKLOAD_MAX_IO)
			return -1;
		mix->bytes[mix->count++] = (uint64_t)bytes & ~511ULL;
		sum += *percent;
	} while (*text == ',');
	return *text || fabs(sum - 100) > 0.01 ? -1 : 0;
}

static int take_storm(const char *text, enum storm *storm)
{
	static const char *const words[] = {"uniform", "exponential", "bell"};
	unsigned i;

	for (i = 0; i < 3; i++)
		if (!strcmp(words[i], text)) {
			*storm = (enum storm)i;
			return 0;
		}
	return -1;
}

static int take_value(const struct key *key, const char *value, void *place)
{
	struct range *range = place;
	bool units = key->kind == BYTES || key->kind == BYTE_RANGE;
	int failed = 0;

	switch (key->kind) {
	case TEXT:
		return snprintf(place, TEXT_BYTES, "%s", value) < TEXT_BYTES ? 0 : -1;
	case SIZES:
		return take_sizes(value, place);
	case STORM:
		return take_storm(value, place);
	case RANGE:
	case BYTE_RANGE:
		failed = take_number(&value, units, &range->low) ||
			 take_number(&value, units, &range->high) || range->low > range->high;
		break;
	case PERCENT:
	case NUMBER:
	case BYTES:
		failed = take_number(&value, units, place);
		failed = failed || (key->kind == PERCENT && *(double *)place > 100);
		break;
	}
	return failed || *value ? -1 : 0;
}

static const char *what_it_is(enum kind kind)
{
	static const char *const texts[] = {
		[TEXT] = "a text of up to 127 characters",
		[NUMBER] = "a number",
		[PERCENT] = "a number from 0 to 100",
		[BYTES] = "a size such as 32G",
		[SIZES] = "sizes of up to 128K with percentages that make 100: 4K 60, 8K 40",
		[RANGE] = "two numbers, lowest and highest",
		[BYTE_RANGE] = "two sizes, lowest and highest: 8K 10K",
		[STORM] = "uniform, exponential or bell"};

	return texts[kind];
}

static int set_key(const char *name, const char *value, struct workload *workload,
		   struct error *err)
{
	const char *names[COUNT(keys)];
	size_t i;

	for (i = 0; i < COUNT(keys); i++) {
		names[i] = keys[i].name;
		if (strcmp(keys[i].name, name) != 0)
			continue;
		if (take_value(&keys[i], value, (char *)workload + keys[i].offset))
			return error_set(err, "%s = %s: it must be %s", name, value,
					 what_it_is(keys[i].kind));
		return 0;
	}
	return error_unknown(err, "key", name, names, COUNT(keys));
}

struct reading {
	struct workload *workload;
	const char *other; /* the section to leave out */
	bool failed;
	struct error *err;
};

static int read_key(void *user, const char *section, const char *name, const char *value)
{
	struct reading *reading = user;
	struct workload ignored;

	if (reading->failed)
		return 0;
	reading->failed =
		set_key(name, value, strcmp(section, reading->other) ? reading->workload : &ignored,
			reading->err) != 0;
	return !reading->failed;
}

double size_mix_mean(const struct size_mix *mix)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < mix->count; i++)
		sum += (double)mix->bytes[i] * mix->percent[i] / 100;
	return sum;
}

/* What must fit together. */
static int check(const struct workload *workload, struct error *err)
{
	if (!(workload->duration_s > 0) || !(workload->ios >= 1) || workload->ios > 1e9)
		return error_set(err, "duration_s and ios must say how much a desktop does");
	if (workload->gap_cv2 < 1)
		return error_set(err, "gap_cv2 must be 1 (a Poisson process) or more");
	if (!workload->read_sizes.count || !workload->write_sizes.count)
		return error_set(err, "read_sizes and write_sizes are needed");
	if (workload->hot_percent > workload->rewrite_percent)
		return error_set(err,
				 "hot_percent is a part of rewrite_percent and cannot be more");
	if (!(workload->image_size >= WORKLOAD_MIN_SPACE) ||
	    !(workload->delta_size >= WORKLOAD_MIN_SPACE) || workload->image_size > 1e15 ||
	    workload->delta_size > workload->image_size)
		return error_set(err,
				 "image_size and delta_size must be 64M to 1e15, the image the "
				 "larger");
	return 0;
}

/* The workload's word is its file's name without ".ini". */
static void name_of_path(const char *path, struct workload *workload)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *suffix;

	snprintf(workload->name, sizeof(workload->name), "%.63s", name);
	suffix = strstr(workload->name, WORKLOAD_SUFFIX);
	if (suffix)
		*suffix = '\0';
}

int workload_load(const char *word_or_path, bool linked, struct workload *workload,
		  struct error *err)
{
	struct reading reading = {
		.workload = workload, .other = linked ? "full" : "linked", .err = err};
	char path[4096];
	int line;

	memset(workload, 0, sizeof(*workload));
	if (workload_find(word_or_path, path, sizeof(path), err))
		return -1;
	name_of_path(path, workload);
	line = ini_parse(path, read_key, &reading);
	if (line < 0)
		return error_set(err, "%s cannot be read: %s", path, strerror(errno));
	if (line > 0 && !reading.failed)
		error_set(err, "neither a [section] nor a key = value line");
	if (line > 0)
		return error_prefix(err, "%s:%d", path, line);
	return check(workload, err) ? error_prefix(err, "%s", path) : 0;
}
