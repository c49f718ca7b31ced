/* SPDX-License-Identifier: GPL-2.0-only */
/* Pieces of a text line, and the numbers in them. */
#include <endian.h>
#include <string.h>
#include <strings.h>

#include "engines/trace/import_piece.h"

struct piece piece_of(const char *string)
{
	return (struct piece){string, string + strlen(string)};
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

struct piece piece_word(struct piece *rest)
{
	struct piece word;

	while (rest->at < rest->end && piece_is_blank(*rest->at))
		rest->at++;
	word = (struct piece){rest->at, rest->at};
	while (word.end < rest->end && !piece_is_blank(*word.end))
		word.end++;
	rest->at = word.end;
	return word;
}

struct piece piece_last_word(struct piece *rest)
{
	struct piece word;

	while (rest->at < rest->end && piece_is_blank(rest->end[-1]))
		rest->end--;
	word = (struct piece){rest->end, rest->end};
	while (word.at > rest->at && !piece_is_blank(word.at[-1]))
		word.at--;
	rest->end = word.at;
	return word;
}

bool piece_is(struct piece text, const char *word)
{
	size_t length = piece_length(text);

	return text.at && strlen(word) == length && !strncasecmp(text.at, word, length);
}

bool piece_starts(struct piece text, const char *start)
{
	size_t length = strlen(start);

	return piece_length(text) >= length && !memcmp(text.at, start, length);
}

const char *piece_find(struct piece text, const char *needle)
{
	/* A field that is not there has no address. */
	return text.at ? memmem(text.at, piece_length(text), needle, strlen(needle)) : NULL;
}

static const uint64_t powers[] = {1,	  10,	   100,	     1000,	10000,
				  100000, 1000000, 10000000, 100000000, 1000000000};

/* How many of the eight characters in word, the first in its lowest byte, are digits up to another.
 */
static unsigned leading_digits(uint64_t word)
{
	uint64_t high = word & 0xf0f0f0f0f0f0f0f0ULL; /* 3 in every upper half, and no carry from */
	uint64_t carry = (word + 0x0606060606060606ULL) & 0xf0f0f0f0f0f0f0f0ULL; /* the lower */
	uint64_t other = (high ^ 0x3030303030303030ULL) | (carry ^ 0x3030303030303030ULL);

	return other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
}

/* The number that the first `count` characters in word are, in three steps of two halves each. */
static uint64_t digits_value(uint64_t word, unsigned count)
{
	word <<= 8 * (8 - count);
	word = (word & 0x0f0f0f0f0f0f0f0fULL) * (1 + (10ULL << 8)) >> 8;
	word = (word & 0x00ff00ff00ff00ffULL) * (1 + (100ULL << 16)) >> 16;
	return (word & 0x0000ffff0000ffffULL) * (1 + (10000ULL << 32)) >> 32;
}

#define QUICK_WORDS 2 /* of eight digits each always fit in 64 bits */

/* Cuts decimal digits off *piece, up to something else; false when the number does not fit. */
static bool take_digits(struct piece *piece, uint64_t *value)
{
	const char *at = piece->at;
	unsigned count = 8, words = QUICK_WORDS;
	bool fits = true;

	for (*value = 0; count == 8 && piece->end - at >= 8 && words--; at += count) {
		uint64_t word;

		memcpy(&word, at, sizeof(word));
		word = le64toh(word);
		count = leading_digits(word);
		if (count)
			*value = *value * powers[count] + digits_value(word, count);
	}
	for (; at < piece->end && (unsigned char)(*at - '0') <= 9; at++)
		fits = fits && !__builtin_mul_overflow(*value, 10, value) &&
		       !__builtin_add_overflow(*value, (unsigned)(*at - '0'), value);
	piece->at = at;
	return fits;
}

bool piece_take_u64(struct piece *rest, uint64_t *value)
{
	const char *start = rest->at;

	return take_digits(rest, value) && rest->at > start;
}

bool piece_u64(struct piece piece, uint64_t *value)
{
	return piece_take_u64(&piece, value) && piece.at == piece.end;
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

/* Cuts digits off; the first `scale` of them, as a whole number of 10^-scale. */
static uint64_t take_fraction(struct piece *rest, unsigned scale)
{
	uint64_t fraction = 0;

	for (; rest->at < rest->end && (unsigned char)(*rest->at - '0') <= 9; rest->at++)
		if (scale) {
			fraction = fraction * 10 + (unsigned char)(*rest->at - '0');
			scale--;
		}
	return fraction * powers[scale];
}

bool piece_take_scaled(struct piece *rest, unsigned scale, uint64_t *value)
{
	if (!piece_take_u64(rest, value) || __builtin_mul_overflow(*value, powers[scale], value))
		return false;
	if (rest->at == rest->end || *rest->at != '.')
		return true;
	rest->at++;
	return !__builtin_add_overflow(*value, take_fraction(rest, scale), value);
}

bool piece_scaled(struct piece piece, unsigned scale, uint64_t *value)
{
	return piece_take_scaled(&piece, scale, value) && piece.at == piece.end;
}

bool piece_is_device(struct piece text)
{
	struct piece major = piece_field(&text, ',');
	uint64_t number;

	return piece_u64(major, &number) && piece_u64(text, &number);
}
