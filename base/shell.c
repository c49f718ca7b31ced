/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of commands that are printed to be copied into a shell. */
#include <string.h>

#include "base/base.h"

/* Bytes beyond ASCII are letters to a shell. */
static bool is_plain(const char *word)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_-./:,+@%=";

	if (!*word)
		return false;
	for (; *word; word++)
		if (!((unsigned char)*word & 0x80) && !strchr(safe, *word))
			return false;
	return true;
}

/* Within quotes only the quote itself has a meaning: '\'' ends them, gives one, and goes on. */
const char *shell_word(const char *word, char text[SHELL_WORD_ROOM])
{
	bool quoted = !is_plain(word);
	size_t used = 0;

	if (quoted)
		text[used++] = '\'';
	for (; *word && used < SHELL_WORD_ROOM - 6; word++) {
		if (*word == '\'') {
			memcpy(text + used, "'\\''", 4);
			used += 4;
		} else {
			text[used++] = *word;
		}
	}
	if (quoted)
		text[used++] = '\'';
	text[used] = '\0';
	return text;
}
