/* SPDX-License-Identifier: GPL-2.0-only */
/* Pieces of a text line, and the numbers in them. */
#include <string.h>
#include <strings.h>

#include "engines/trace/import_piece.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct piece piece_of(const char *string)
{
	return (struct piece){string, string + strlen(string)};
}

struct piece piece_trim(struct piece text)
{
	while (text.at < text.end && is_blank(*text.at))
		text.at++;
	while (text.at < text.end && is_blank(text.end[-1]))
		text.end--;
	return text;
}

struct piece piece_whole_lines(const unsigned char *data, size_t bytes, size_t most)
{
	struct piece lines = {(const char *)data, (const char *)data + bytes};

	if (bytes >= most)
		while (lines.end > lines.at && lines.end[-1] != '\n')
			lines.end--;
	return lines;
}

bool piece_line(struct piece *rest, struct piece *line)
{
	const char *end = memchr(rest->at, '\n', piece_length(*rest));

	if (rest->at == rest->end)
		return false;
	*line = (struct piece){rest->at, end ? end : rest->end};
	rest->at = end ? end + 1 : rest->end;
	return true;
}

struct piece piece_field(struct piece *rest, char separator)
{
	struct piece field = {rest->at, rest->at};

	while (field.end < rest->end && *field.end != separator)
		field.end++;
	rest->at = field.end < rest->end ? field.end + 1 : rest->end;
	return piece_trim(field);
}

struct piece piece_word(struct piece *rest)
{
	struct piece word;

	while (rest->at < rest->end && is_blank(*rest->at))
		rest->at++;
	word = (struct piece){rest->at, rest->at};
	while (word.end < rest->end && !is_blank(*word.end))
		word.end++;
	rest->at = word.end;
	return word;
}

struct piece piece_last_word(struct piece *rest)
{
	struct piece word;

	while (rest->at < rest->end && is_blank(rest->end[-1]))
		rest->end--;
	word = (struct piece){rest->end, rest->end};
	while (word.at > rest->at && !is_blank(word.at[-1]))
		word.at--;
	rest->end = word.at;
	return word;
}

bool piece_is(struct piece text, const char *word)
{
	size_t length = piece_length(text);

	return strlen(word) == length && !strncasecmp(text.at, word, length);
}

bool piece_starts(struct piece text, const char *start)
{
	size_t length = strlen(start);

	return piece_length(text) >= length && !memcmp(text.at, start, length);
}

const char *piece_find(struct piece text, const char *needle)
{
	return memmem(text.at, piece_length(text), needle, strlen(needle));
}

bool piece_u64(struct piece text, uint64_t *value)
{
	return piece_scaled(text, 0, value) && !memchr(text.at, '.', piece_length(text));
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool piece_hex(struct piece text, uint64_t *value)
{
	if (piece_starts(text, "0x") || piece_starts(text, "0X"))
		text.at += 2;
	if (text.at == text.end || piece_length(text) > 16)
		return false;
	for (*value = 0; text.at < text.end; text.at++) {
		int digit = hex_digit(*text.at);

		if (digit < 0)
			return false;
		*value = *value << 4 | (unsigned)digit;
	}
	return true;
}

/* Puts one more decimal digit behind *value; false when it does not fit. */
static bool append_digit(uint64_t *value, unsigned digit)
{
	if (*value > UINT64_MAX / 10)
		return false;
	*value *= 10;
	if (*value > UINT64_MAX - digit)
		return false;
	*value += digit;
	return true;
}

/* The digits at text->at up to something else; false when there are too many. */
static bool whole_part(struct piece *text, uint64_t *value)
{
	const char *at = text->at;
	uint64_t number = 0;
	bool fits = true;

	for (; at < text->end && (unsigned char)(*at - '0') <= 9; at++) {
		unsigned digit = (unsigned)(*at - '0');

		if (number < UINT64_MAX / 10 - 1)
			number = number * 10 + digit;
		else
			fits = fits && append_digit(&number, digit);
	}
	text->at = at;
	*value = number;
	return fits;
}

bool piece_scaled(struct piece text, unsigned scale, uint64_t *value)
{
	const char *start = text.at;
	bool fits = whole_part(&text, value);

	if (text.at == start || !fits)
		return false;
	if (text.at < text.end && *text.at == '.')
		text.at++;
	for (; text.at < text.end; text.at++) {
		if (*text.at < '0' || *text.at > '9')
			return false;
		if (scale && !append_digit(value, (unsigned)(*text.at - '0')))
			return false;
		scale -= scale > 0;
	}
	for (; scale; scale--)
		if (!append_digit(value, 0))
			return false;
	return true;
}

bool piece_is_device(struct piece text)
{
	struct piece major = piece_field(&text, ',');
	uint64_t number;

	return piece_u64(major, &number) && piece_u64(text, &number);
}
