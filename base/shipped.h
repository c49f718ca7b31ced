/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that come with the project and are named by a word: drive models, workloads, profiles. */
#ifndef SSDREVIEW_SHIPPED_H
#define SSDREVIEW_SHIPPED_H

#include "base/base.h"

/* A folder of WORD + suffix. */
struct shipped_folder {
	const char *what;   /* one of its files, for sentences: "workload" */
	const char *suffix; /* ".ini" */
	const char *variable, *in_tree, *installed; /* where it lies, as shipped_path() has it */
};

/* The words of all files, sorted; free() each and the array. 0, or -1 with err. */
int shipped_words(const struct shipped_folder *folder, char ***words, size_t *count,
		  struct error *err);

/*
 * The path of a file: word_or_path itself when it has a '/' or holds the suffix and exists, else
 * WORD + suffix in the folder. An unknown word is answered with the nearest one. 0, or -1 with err.
 */
int shipped_find(const struct shipped_folder *folder, const char *word_or_path, char *path,
		 size_t room, struct error *err);

#endif
