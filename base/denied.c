/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom the kernel forbids something, and why: this user alone, or everybody here. */
#include <errno.h>
#include <unistd.h>

#include "base/base.h"

/*
 * Modes of files and missing capabilities give EACCES. Root meets that one only where it lacks its
 * capabilities. EPERM from opening a device comes from who forbids it to root too.
 */
const char *denied_because(int failed, const char *to_user)
{
	if (failed == EPERM)
		return "a container's device rules or a security module forbids it";
	if (failed != EACCES)
		return NULL;
	return geteuid() ? to_user : "root lacks the capability for it here, as in a container";
}
