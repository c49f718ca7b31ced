/* SPDX-License-Identifier: GPL-2.0-only */
/* Words that are not known, and the nearest one that is. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"

#define LONGEST_WORD 63
#define TOO_FAR	     SIZE_MAX
#define FEW_WORDS    12 /* that a sentence can name */

/* Edit distances of Levenshtein: of a from all of b, and from the nearest beginning of b. */
struct distance {
	size_t all, beginning;
};

/* One row at a time; the last one has the distance of a from every beginning of b. */
static struct distance edit_distance(const char *a, const char *b)
{
	size_t row[LONGEST_WORD + 1], i, j, b_length = strlen(b);
	struct distance distance;

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
	distance.all = distance.beginning = row[b_length];
	for (j = 1; j <= b_length; j++)
		if (row[j] < distance.beginning)
			distance.beginning = row[j];
	return distance;
}

/*
 * How far off a known word is; TOO_FAR: no match. A word that begins like it, or holds it, is
 * near as well, but less so than one that is a slip of the finger away.
 */
static size_t farness(const char *word, const char *known)
{
	size_t length = strlen(word), near = length / 2 + 1;
	struct distance distance = edit_distance(word, known);

	if (distance.all < near)
		return distance.all;
	if (length > 1 && distance.beginning <= length / 3)
		return near + distance.beginning;
	return length > 2 && strstr(known, word) ? near + length / 3 + 1 : TOO_FAR;
}

const char *nearest_word(const char *word, const char *const *words, size_t count)
{
	const char *best = NULL;
	size_t i, least = TOO_FAR;

	if (strlen(word) > LONGEST_WORD)
		return NULL;
	for (i = 0; i < count; i++) {
		size_t off;

		if (strlen(words[i]) > LONGEST_WORD)
			continue;
		off = farness(word, words[i]);
		if (off < least) {
			least = off;
			best = words[i];
		}
	}
	return best;
}

/* All words, behind the sentence that is in err. */
static void name_all(struct error *err, const char *const *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		size_t used = strlen(err->text);

		snprintf(err->text + used, sizeof(err->text) - used, "%s\"%s\"",
			 i	      ? ", "
			 : count == 1 ? "; there is "
				      : "; there are ",
			 words[i]);
	}
}

int error_unknown(struct error *err, const char *what, const char *word, const char *const *words,
		  size_t count)
{
	const char *near = nearest_word(word, words, count);

	if (!err)
		return -1;
	error_set(err, "unknown %s \"%s\"%s%s%s", what, word, near ? "; did you mean \"" : "",
		  near ? near : "", near ? "\"?" : "");
	if (!near && count <= FEW_WORDS)
		name_all(err, words, count);
	err->unknown_word = true;
	return -1;
}
