/* SPDX-License-Identifier: GPL-2.0-only */
/* fio's job files, as they are read for a row and changed for a point. */
#ifndef SSDREVIEW_JOB_FILE_H
#define SSDREVIEW_JOB_FILE_H

#include "base/base.h"

#define JOB_VALUE_ROOM 2048

/* A fio job file as pairs of section, key and value, in the order they stand. */
struct job_line {
	char section[64], key[64], value[JOB_VALUE_ROOM]; /* value "": the key stands alone */
	bool has_value;
	unsigned number; /* of the line in the file; 0: added */
};
struct job_file {
	struct job_line *lines;
	size_t count;
	bool is_unfit;	      /* a value that was set cannot stand in it */
	struct error problem; /* then: why */
};

/*
 * May the text stand as a value in a job file, and in our JSON files? fio cuts a value at # and ;
 * and replaces what follows $: a path with these would name another file than was meant.
 */
int job_value_check(const char *value, struct error *err);

/* Of fio's own rules: [section], key=value or key alone, comments begin with # or ;. */
int job_file_read(const char *path, struct job_file *job, struct error *err);
void job_file_free(struct job_file *job);

/* A key in [section], else in [global]: its line, its value; NULL when it stands in neither. */
const struct job_line *job_file_line(const struct job_file *job, const char *section,
				     const char *key);
const char *job_file_get(const struct job_file *job, const char *section, const char *key);

/* The first section beside [global]; "global" when there is none. */
const char *job_file_section(const struct job_file *job);

/* The section after another one (NULL: the first), beside [global]; NULL after the last. */
const char *job_file_next_section(const struct job_file *job, const char *section);

/* Gives a key another value wherever it stands, or adds it to [global]. */
int job_file_set(struct job_file *job, const char *key, const char *value, struct error *err);

/*
 * The same for a key that is added to this section. Whether all went well is asked once, at the
 * end: job->is_unfit.
 */
void job_file_put(struct job_file *job, const char *section, const char *key, const char *format,
		  ...) __attribute__((format(printf, 4, 5)));
void job_file_drop(struct job_file *job, const char *key);

/* Takes over [global] and one section, of which the later lines win. */
void job_file_pick(const struct job_file *from, const char *section, struct job_file *to);

#endif
