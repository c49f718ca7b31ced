/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom the code under test takes itself for: tests run as root and as others, and say the same. */
#ifndef SSDREVIEW_USER_FIXTURE_H
#define SSDREVIEW_USER_FIXTURE_H

#include <unistd.h>

enum { SOME_USER = 1000, ROOT = 0 };

static uid_t seen_as = SOME_USER;

/* In place of the C library's. */
uid_t geteuid(void)
{
	return seen_as;
}

#endif
