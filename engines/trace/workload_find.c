/* SPDX-License-Identifier: GPL-2.0-only */
/* Workloads by word: the files in engines/trace/workloads, or where they are installed. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/trace/trace.h"
#include "engines/trace/workload_internal.h"

static int workloads_folder(char *folder, size_t room, struct error *err)
{
	return shipped_path("SSDREVIEW_WORKLOADS", "engines/trace/workloads",
			    SSDREVIEW_DATADIR "/workloads", folder, room, err);
}

static int only_workloads(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), suffix = strlen(WORKLOAD_SUFFIX);

	return length > suffix && !strcmp(entry->d_name + length - suffix, WORKLOAD_SUFFIX);
}

int trace_workload_list(char ***words, size_t *count, struct error *err)
{
	struct dirent **entries;
	char folder[PATH_MAX];
	int found, i;

	if (workloads_folder(folder, sizeof(folder), err))
		return -1;
	found = scandir(folder, &entries, only_workloads, alphasort);
	if (found < 0)
		return error_set(err, "%s cannot be read: %s", folder, strerror(errno));
	*words = calloc((size_t)found + 1, sizeof(**words));
	for (i = 0; i < found; i++) {
		if (*words)
			(*words)[i] = strndup(entries[i]->d_name,
					      strlen(entries[i]->d_name) - strlen(WORKLOAD_SUFFIX));
		free(entries[i]);
	}
	free(entries);
	*count = (size_t)found;
	return *words ? 0 : error_set(err, "no memory to list %s", folder);
}

static int unknown_workload(const char *word, struct error *err)
{
	char **words;
	size_t i, count;

	if (trace_workload_list(&words, &count, err))
		return -1;
	error_unknown(err, "workload", word, (const char *const *)words, count);
	for (i = 0; i < count; i++)
		free(words[i]);
	free(words);
	return -1;
}

int workload_find(const char *word_or_path, char *path, size_t room, struct error *err)
{
	char folder[PATH_MAX];

	if (strchr(word_or_path, '/') ||
	    (strstr(word_or_path, WORKLOAD_SUFFIX) && !access(word_or_path, F_OK))) {
		if (snprintf(path, room, "%s", word_or_path) >= (int)room)
			return error_set(err, "the workload's path is too long");
		return 0;
	}
	if (workloads_folder(folder, sizeof(folder), err))
		return -1;
	if (snprintf(path, room, "%s/%s" WORKLOAD_SUFFIX, folder, word_or_path) >= (int)room ||
	    access(path, F_OK))
		return unknown_workload(word_or_path, err);
	return 0;
}
