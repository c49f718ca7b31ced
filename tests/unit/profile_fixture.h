/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of profiles share: a profile that is read from a text, and what was wrong in it.
 */
#ifndef SSDREVIEW_TESTS_PROFILE_FIXTURE_H
#define SSDREVIEW_TESTS_PROFILE_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "review/profile.h"

static struct profile profile;
static struct error err;

/* Loads a profile with this text from a folder with one job file. */
static inline int load_with(const char *job_file, const char *job_text, const char *text)
{
	char folder[] = "/tmp/ssdreview-profile.XXXXXX", path[64], job[64];
	int failed;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/mine.profile", folder);
	snprintf(job, sizeof(job), "%s/%s", folder, job_file);
	ck_assert_int_eq(file_write_atomic(job, job_text, strlen(job_text), NULL), 0);
	ck_assert_int_eq(file_write_atomic(path, text, strlen(text), NULL), 0);
	failed = profile_load(path, &profile, &err);
	unlink(path);
	unlink(job);
	rmdir(folder);
	return failed;
}

static inline int load_beside(const char *job_file, const char *text)
{
	return load_with(job_file, "", text);
}

static inline void error_has(const char *words)
{
	ck_assert_msg(strstr(err.text, words) != NULL, "no \"%s\" in: %s", words, err.text);
}

#endif
