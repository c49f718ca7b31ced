/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pieces of a text line, and the numbers in them, for the importers of text traces. A piece points
 * into the caller's line and owns nothing; no function here allocates, prints or fails silently.
 */
#ifndef SSDREVIEW_TRACE_IMPORT_PIECE_H
#define SSDREVIEW_TRACE_IMPORT_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters from at up to, not including, end. */
struct piece {
	const char *at, *end;
};

/* The whole of a C string. */
struct piece piece_of(const char *string);

static inline size_t piece_length(struct piece text)
{
	return (size_t)(text.end - text.at);
}

static inline bool piece_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Without the blanks, tabs and line ends around it. */
static inline struct piece piece_trim(struct piece text)
{
	while (text.at < text.end && piece_is_blank(*text.at))
		text.at++;
	while (text.at < text.end && piece_is_blank(text.end[-1]))
		text.end--;
	return text;
}

/*
 * The lines in the first `bytes` of a file: all of them when the file ends within `most`, else all
 * but the last, which is cut off somewhere.
 */
struct piece piece_whole_lines(const unsigned char *data, size_t bytes, size_t most);

/* Cuts the next line off *rest; false when none is left. */
bool piece_line(struct piece *rest, struct piece *line);

/* Cuts the next field off *rest: up to `separator`, trimmed. At the end of *rest: an empty field.
 */
static inline struct piece piece_field(struct piece *rest, char separator)
{
	struct piece field = {rest->at, rest->at};

	while (field.end < rest->end && *field.end != separator)
		field.end++;
	rest->at = field.end < rest->end ? field.end + 1 : rest->end;
	return piece_trim(field);
}

/* Cuts the next word off *rest: what stands between blanks. At the end of *rest: an empty word. */
struct piece piece_word(struct piece *rest);

/* Cuts the last word off *rest: programs' names may hold blanks, so some rows read from the right.
 */
struct piece piece_last_word(struct piece *rest);

/* True when the text is `word`, upper and lower case alike. */
bool piece_is(struct piece text, const char *word);

/* True when the text begins with `start`, case as it stands. */
bool piece_starts(struct piece text, const char *start);

/* Where `needle` stands in the text, or NULL. */
const char *piece_find(struct piece text, const char *needle);

/* All of the text is an unsigned decimal number that fits. */
bool piece_u64(struct piece text, uint64_t *value);
/* Cuts such a number off the beginning of *rest. */
bool piece_take_u64(struct piece *rest, uint64_t *value);

/* All of the text is a hexadecimal number that fits, with or without 0x. */
bool piece_hex(struct piece text, uint64_t *value);

/*
 * All of the text is an unsigned decimal fraction; *value is that times 10^scale (at most 9), what
 * lies below one cut off: seconds with scale 9 give ns. Never through a double: 19 digits stay
 * exact.
 */
bool piece_scaled(struct piece text, unsigned scale, uint64_t *value);
/* Cuts such a number off the beginning of *rest. */
bool piece_take_scaled(struct piece *rest, unsigned scale, uint64_t *value);

/* "MAJOR,MINOR": two decimal numbers. */
bool piece_is_device(struct piece text);

#endif
