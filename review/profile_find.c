/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the profiles that come with the project lie. */
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "review/profile_internal.h"

static int unknown_profile(const char *word, const char *folder, struct error *err)
{
	const char *words[PROFILE_MAX_ROWS];
	char pattern[512];
	glob_t found = {0};
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s/*.profile", folder);
	glob(pattern, 0, NULL, &found);
	for (i = 0; i < found.gl_pathc && i < COUNT(words); i++) {
		words[i] = strrchr(found.gl_pathv[i], '/') + 1;
		*strrchr(found.gl_pathv[i], '.') = '\0';
	}
	error_unknown(err, "profile", word, words, i);
	globfree(&found);
	return -1;
}

int profile_find_path(const char *word, char *path, size_t room, struct error *err)
{
	char folder[400];

	if (shipped_path("SSDREVIEW_JOBFILES", "jobfiles", SSDREVIEW_DATADIR "/jobfiles", folder,
			 sizeof(folder), err))
		return -1;
	snprintf(path, room, "%s/%s.profile", folder, word);
	return access(path, R_OK) ? unknown_profile(word, folder, err) : 0;
}
