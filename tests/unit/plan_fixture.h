/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of plans share: a profile, a target and a command line, and the plan they make. */
#ifndef SSDREVIEW_TESTS_PLAN_FIXTURE_H
#define SSDREVIEW_TESTS_PLAN_FIXTURE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "review/review.h"

static struct profile profile;
static struct run_options options;
static struct target target;
static struct plan plan;
static struct error err;

/* The profile of this name on a target of this size, with no other options. */
static inline void choose(const char *profile_name, enum target_kind kind, const char *path,
			  uint64_t bytes)
{
	ck_assert_msg(!profile_load(profile_name, &profile, &err), "%s", err.text);
	options = (struct run_options){.name = "test", .repeat = 1, .jobs = 1, .scale = 1};
	target = (struct target){.kind = kind, .bytes = bytes, .scale = 1};
	snprintf(target.path, sizeof(target.path), "%s", path);
}

static inline void make_plan(void)
{
	ck_assert_msg(!plan_make(&profile, &options, &target, &plan, &err), "%s", err.text);
}

static inline void refuse_plan(void)
{
	ck_assert_int_eq(plan_make(&profile, &options, &target, &plan, &err), -1);
}

/* The plan as --dry-run shows it; to be freed. */
static inline char *printed(void)
{
	char *text;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	plan_print(&plan, stream);
	fclose(stream);
	return text;
}

#endif
