/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that come with the project, by their words. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/shipped.h"

static int find_folder(const struct shipped_folder *folder, char *path, struct error *err)
{
	return shipped_path(folder->variable, folder->in_tree, folder->installed, path, PATH_MAX,
			    err);
}

/* The length of the word before the suffix, 0 when the name is none of the folder's. */
static size_t word_length(const char *name, const char *suffix)
{
	size_t length = strlen(name), behind = strlen(suffix);

	if (length <= behind || strcmp(name + length - behind, suffix) != 0)
		return 0;
	return length - behind;
}

/* Takes the words out of the folder's entries and frees those; NULL: memory is short. */
static char **words_of(struct dirent **entries, int found, const char *suffix, size_t *count)
{
	char **words = calloc((size_t)found + 1, sizeof(*words));
	int i;

	*count = 0;
	for (i = 0; i < found; i++) {
		size_t length = word_length(entries[i]->d_name, suffix);

		if (words && length)
			words[(*count)++] = strndup(entries[i]->d_name, length);
		free(entries[i]);
	}
	free(entries);
	return words;
}

int shipped_words(const struct shipped_folder *folder, char ***words, size_t *count,
		  struct error *err)
{
	struct dirent **entries;
	char path[PATH_MAX];
	int found;

	if (find_folder(folder, path, err))
		return -1;
	found = scandir(path, &entries, NULL, alphasort);
	if (found < 0)
		return error_set(err, "%s cannot be read: %s", path, strerror(errno));
	*words = words_of(entries, found, folder->suffix, count);
	return *words ? 0 : error_set(err, "no memory to list %s", path);
}

static int unknown_word(const struct shipped_folder *folder, const char *word, struct error *err)
{
	char **words;
	size_t i, count;

	if (shipped_words(folder, &words, &count, err))
		return -1;
	error_unknown(err, folder->what, word, (const char *const *)words, count);
	for (i = 0; i < count; i++)
		free(words[i]);
	free(words);
	return -1;
}

int shipped_find(const struct shipped_folder *folder, const char *word_or_path, char *path,
		 size_t room, struct error *err)
{
	char lies_in[PATH_MAX];

	if (strchr(word_or_path, '/') ||
	    (strstr(word_or_path, folder->suffix) && !access(word_or_path, F_OK))) {
		if (snprintf(path, room, "%s", word_or_path) >= (int)room)
			return error_set(err, "the path of the %s is too long", folder->what);
		return 0;
	}
	if (find_folder(folder, lies_in, err))
		return -1;
	if (snprintf(path, room, "%s/%s%s", lies_in, word_or_path, folder->suffix) >= (int)room ||
	    access(path, F_OK))
		return unknown_word(folder, word_or_path, err);
	return 0;
}
