/* SPDX-License-Identifier: GPL-2.0-only */
/* Words that are not known, and the nearest one that is. */
#include <string.h>

#include "base/base.h"

#define LONGEST_WORD 63

/* Edit distance of Levenshtein, one row at a time. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t row[LONGEST_WORD + 1], i, j, b_length = strlen(b);

	for (j = 0; j <= b_length; j++)
		row[j] = j;
	for (i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (j = 1; j <= b_length; j++) {
			size_t change = diagonal + (a[i - 1] != b[j - 1]);
			size_t shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];

			diagonal = row[j];
			row[j] = shorter + 1 < change ? shorter + 1 : change;
		}
	}
	return row[b_length];
}

const char *nearest_word(const char *word, const char *const *words, size_t count)
{
	const char *best = NULL;
	size_t i, best_distance = strlen(word) / 2 + 2;

	if (strlen(word) > LONGEST_WORD)
		return NULL;
	for (i = 0; i < count; i++) {
		size_t distance;

		if (strlen(words[i]) > LONGEST_WORD)
			continue;
		distance = edit_distance(word, words[i]);
		if (distance < best_distance) {
			best_distance = distance;
			best = words[i];
		}
	}
	return best;
}

int error_unknown(struct error *err, const char *what, const char *word, const char *const *words,
		  size_t count)
{
	const char *near = nearest_word(word, words, count);

	return error_set(err, "unknown %s \"%s\"%s%s%s", what, word,
			 near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}
