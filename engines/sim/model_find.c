/* SPDX-License-Identifier: GPL-2.0-only */
/* Models by their words, in the drives folder ($SSDREVIEW_DRIVES, the tree's, the installed one).
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/sim/model_find.h"
#include "engines/sim/sim.h"

static int drives_folder(char *folder, size_t room, struct error *err)
{
	return shipped_path("SSDREVIEW_DRIVES", "engines/sim/drives", SSDREVIEW_DATADIR "/drives",
			    folder, room, err);
}

static int only_models(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), suffix = strlen(MODEL_SUFFIX);

	return length > suffix && !strcmp(entry->d_name + length - suffix, MODEL_SUFFIX);
}

/* Takes the words out of the folder's entries and frees those. */
static char **words_of(struct dirent **entries, int found)
{
	char **words = calloc((size_t)found + 1, sizeof(*words));
	int i;

	for (i = 0; i < found; i++) {
		size_t length = strlen(entries[i]->d_name) - strlen(MODEL_SUFFIX);

		if (words)
			words[i] = strndup(entries[i]->d_name, length);
		free(entries[i]);
	}
	free(entries);
	return words;
}

int sim_model_list(char ***words, size_t *count, struct error *err)
{
	struct dirent **entries;
	char folder[PATH_MAX];
	int found;

	if (drives_folder(folder, sizeof(folder), err))
		return -1;
	found = scandir(folder, &entries, only_models, alphasort);
	if (found < 0)
		return error_set(err, "%s cannot be read: %s", folder, strerror(errno));
	*words = words_of(entries, found);
	if (!*words)
		return error_set(err, "no memory to list %s", folder);
	*count = (size_t)found;
	return 0;
}

static int unknown_model(const char *word, struct error *err)
{
	char **words;
	size_t i, count;

	if (sim_model_list(&words, &count, err))
		return -1;
	error_unknown(err, "drive model", word, (const char *const *)words, count);
	for (i = 0; i < count; i++)
		free(words[i]);
	free(words);
	return -1;
}

int model_find(const char *word_or_path, char *path, size_t room, struct error *err)
{
	char folder[PATH_MAX];

	if (strchr(word_or_path, '/') ||
	    (strstr(word_or_path, MODEL_SUFFIX) && !access(word_or_path, F_OK))) {
		if (snprintf(path, room, "%s", word_or_path) >= (int)room)
			return error_set(err, "the model's path is too long");
		return 0;
	}
	if (drives_folder(folder, sizeof(folder), err))
		return -1;
	if (snprintf(path, room, "%s/%s" MODEL_SUFFIX, folder, word_or_path) >= (int)room ||
	    access(path, F_OK))
		return unknown_model(word_or_path, err);
	return 0;
}
