/* SPDX-License-Identifier: GPL-2.0-only */
/* Where files that come with the project lie: in the tree it was built in, or installed. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

/* Climbs from the file this code was loaded from: the tree is its folder or one of those above. */
static bool beside(const char *file, const char *in_tree, char *path, size_t room)
{
	char here[PATH_MAX], *slash;
	int climb;

	if (!realpath(file, here))
		return false;
	for (climb = 0; climb < 3; climb++) {
		slash = strrchr(here, '/');
		if (!slash)
			return false;
		*slash = '\0';
		if (snprintf(path, room, "%s/%s", here, in_tree) < (int)room && !access(path, R_OK))
			return true;
	}
	return false;
}

static bool beside_code(const char *in_tree, char *path, size_t room)
{
	static const char anchor;
	Dl_info info;

	if (dladdr(&anchor, &info) && beside(info.dli_fname, in_tree, path, room))
		return true;
	return beside("/proc/self/exe", in_tree, path, room);
}

int shipped_path(const char *variable, const char *in_tree, const char *installed, char *path,
		 size_t room, struct error *err)
{
	const char *given = variable ? getenv(variable) : NULL;

	if (given) {
		snprintf(path, room, "%s", given);
		if (access(path, R_OK))
			return error_set(err, "%s names '%s', which cannot be read", variable,
					 given);
		return 0;
	}
	if (beside_code(in_tree, path, room))
		return 0;
	snprintf(path, room, "%s", in_tree);
	if (!access(path, R_OK))
		return 0;
	snprintf(path, room, "%s", installed);
	if (!access(path, R_OK))
		return 0;
	return error_set(err,
			 "neither %s of a source tree nor %s exists: install the project, or "
			 "run it from its source folder",
			 in_tree, installed);
}
