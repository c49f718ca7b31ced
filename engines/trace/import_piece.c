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

#define DIGITS_ALWAYS_FIT 19 /* of a decimal number, in 64 bits */

/* Puts decimal digits behind *value, up to something else; false when the number does not fit. */
static bool take_digits(struct piece *piece, uint64_t *value)
{
	const char *at = piece->at, *end = piece->end;
	uint64_t number = 0;
	bool fits = true;

	if (end - at > DIGITS_ALWAYS_FIT)
		end = at + DIGITS_ALWAYS_FIT;
	for (; at < end && (unsigned char)(*at - '0') <= 9; at++)
		number = number * 10 + (unsigned char)(*at - '0');
	for (; at == end && at < piece->end && (unsigned char)(*at - '0') <= 9; end = ++at)
		fits = fits && !__builtin_mul_overflow(number, 10, &number) &&
		       !__builtin_add_overflow(number, (unsigned)(*at - '0'), &number);
	piece->at = at;
	*value = number;
	return fits;
}

bool piece_u64(struct piece piece, uint64_t *value)
{
	return piece.at < piece.end && take_digits(&piece, value) && piece.at == piece.end;
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

static bool scale_up(uint64_t *value, unsigned scale)
{
	static const uint64_t powers[] = {1,	  10,	   100,	     1000,	10000,
					  100000, 1000000, 10000000, 100000000, 1000000000};

	return !__builtin_mul_overflow(*value, powers[scale], value);
}

/* The first `scale` digits behind the point, as a whole number of 10^-scale. */
static bool take_fraction(struct piece piece, unsigned scale, uint64_t *fraction)
{
	*fraction = 0;
	for (; piece.at < piece.end; piece.at++) {
		if ((unsigned char)(*piece.at - '0') > 9)
			return false;
		if (!scale)
			continue;
		*fraction = *fraction * 10 + (unsigned char)(*piece.at - '0');
		scale--;
	}
	return scale_up(fraction, scale);
}

bool piece_scaled(struct piece piece, unsigned scale, uint64_t *value)
{
	const char *start = piece.at;
	uint64_t fraction;

	if (!take_digits(&piece, value) || piece.at == start || !scale_up(value, scale))
		return false;
	if (piece.at == piece.end)
		return true;
	if (*piece.at++ != '.')
		return false;
	return take_fraction(piece, scale, &fraction) &&
	       !__builtin_add_overflow(*value, fraction, value);
}

bool piece_is_device(struct piece text)
{
	struct piece major = piece_field(&text, ',');
	uint64_t number;

	return piece_u64(major, &number) && piece_u64(text, &number);
}
