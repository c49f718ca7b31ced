/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the profiles that come with the project lie. */
#include "base/shipped.h"
#include "review/profile_internal.h"

int profile_find_path(const char *word, char *path, size_t room, struct error *err)
{
	static const struct shipped_folder profiles = {
		.what = "profile",
		.suffix = ".profile",
		.variable = "SSDREVIEW_JOBFILES",
		.in_tree = "jobfiles",
		.installed = SSDREVIEW_DATADIR "/jobfiles",
	};

	return shipped_find(&profiles, word, path, room, err);
}
