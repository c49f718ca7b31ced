/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a mix; what is wrong in it is told by the byte. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engines/mix/mix.h"

#define LIKE		 "write a mix as 80:randread:8k,20:randwrite:8k"
#define WORD_ROOM	 32
#define SMALLEST_BYTES	 512
#define SHARES_OFF	 0.001 /* percent: 33.333 + 33.333 + 33.334 and thirds both pass */
#define MOST_DIGITS	 12
#define SMALLEST_PERCENT 0.001

static const struct {
	const char *word;
	enum mix_op op;
	bool is_random;
} kinds[] = {
	{"read", MIX_READ, false},    {"write", MIX_WRITE, false},    {"trim", MIX_TRIM, false},
	{"randread", MIX_READ, true}, {"randwrite", MIX_WRITE, true}, {"randtrim", MIX_TRIM, true},
};

struct reading {
	const char *text, *at;
	struct error *err;
};

/* Puts the byte and what stands there before the sentence. */
__attribute__((format(printf, 3, 4))) static int wrong_at(struct reading *reading, const char *at,
							  const char *format, ...)
{
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return error_set(reading->err, "byte %zu: %s", (size_t)(at - reading->text) + 1, what);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "80", "0.5": digits and a point, nothing else. */
static int read_number(struct reading *reading, const char *what, double *number)
{
	const char *begin = reading->at;
	double unit = 1;

	for (*number = 0; is_digit(*reading->at); reading->at++)
		*number = *number * 10 + (*reading->at - '0');
	if (*reading->at == '.' && reading->at > begin)
		for (reading->at++; is_digit(*reading->at); reading->at++)
			*number += (*reading->at - '0') * (unit /= 10);
	if (reading->at == begin)
		return wrong_at(reading, begin, "%s is missing; " LIKE, what);
	if (reading->at - begin > MOST_DIGITS)
		return wrong_at(reading, begin, "%s has too many digits", what);
	return 0;
}

static int read_share(struct reading *reading, double *share)
{
	const char *begin = reading->at;

	if (read_number(reading, "a share in percent", share))
		return -1;
	if (*share < SMALLEST_PERCENT || *share > 100)
		return wrong_at(reading, begin, "a share is from %g to 100 percent",
				SMALLEST_PERCENT);
	*share /= 100;
	return 0;
}

/* Shares of one list are all there is. */
static int check_sum(struct reading *reading, const char *begin, const char *of,
		     const double *shares, unsigned count)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < count; i++)
		sum += 100 * shares[i];
	if (fabs(sum - 100) <= SHARES_OFF)
		return 0;
	return wrong_at(reading, begin, "the shares of the %s come to %.7g percent, not 100", of,
			sum);
}

static int expect(struct reading *reading, char wanted, const char *before)
{
	if (*reading->at == wanted) {
		reading->at++;
		return 0;
	}
	return wrong_at(reading, reading->at, "'%c' is missing before %s; " LIKE, wanted, before);
}

static int read_kind(struct reading *reading, struct mix_pattern *pattern)
{
	size_t length = strcspn(reading->at, ":,"), i;
	const char *words[COUNT(kinds)];
	char word[WORD_ROOM];
	struct error unknown;

	snprintf(word, sizeof(word), "%.*s", (int)length, reading->at);
	for (i = 0; i < COUNT(kinds); i++) {
		words[i] = kinds[i].word;
		if (strcmp(kinds[i].word, word))
			continue;
		pattern->op = kinds[i].op;
		pattern->is_random = kinds[i].is_random;
		reading->at += length;
		return 0;
	}
	error_unknown(&unknown, "pattern", word, words, COUNT(kinds));
	return wrong_at(reading, reading->at, "%.200s", unknown.text);
}

/* "512", "8k", "1m" */
static int read_size(struct reading *reading, uint32_t *bytes)
{
	const char *begin = reading->at;
	double number;

	if (read_number(reading, "a block size", &number))
		return -1;
	if ((*reading->at | 0x20) == 'k' || (*reading->at | 0x20) == 'm')
		number *= (*reading->at++ | 0x20) == 'k' ? 1024 : 1048576;
	if (number < SMALLEST_BYTES || number > MIX_LONGEST_BYTES ||
	    fmod(number, SMALLEST_BYTES) > 0)
		return wrong_at(reading, begin, "a block size is a multiple of %d bytes up to %dm",
				SMALLEST_BYTES, MIX_LONGEST_BYTES >> 20);
	*bytes = (uint32_t)number;
	return 0;
}

/* "0-5": percent of the region. */
static int read_place(struct reading *reading, double *from, double *to)
{
	const char *begin = reading->at;

	if (read_number(reading, "where a part begins", from) ||
	    expect(reading, '-', "where the part ends") ||
	    read_number(reading, "where the part ends", to))
		return -1;
	if (*from >= *to || *to > 100)
		return wrong_at(reading, begin,
				"a part of the region is FROM-TO in percent, such as 0-5");
	*from /= 100;
	*to /= 100;
	return 0;
}

/* "/67" behind an item of a list; without it the item is all of the list. */
static int read_own_share(struct reading *reading, double *share)
{
	*share = 1;
	if (*reading->at != '/')
		return 0;
	reading->at++;
	return read_share(reading, share);
}

/* Another item of the list follows. */
static bool goes_on(struct reading *reading)
{
	return *reading->at == '+' && reading->at++;
}

static int read_sizes(struct reading *reading, struct mix_pattern *pattern)
{
	const char *begin = reading->at;

	do {
		unsigned i = pattern->size_count;

		if (i == MIX_SIZES)
			return wrong_at(reading, reading->at, "more than %d sizes", MIX_SIZES);
		if (read_size(reading, &pattern->sizes[i]) ||
		    read_own_share(reading, &pattern->size_shares[i]))
			return -1;
		pattern->size_count++;
	} while (goes_on(reading));
	return check_sum(reading, begin, "sizes", pattern->size_shares, pattern->size_count);
}

static int read_places(struct reading *reading, struct mix_pattern *pattern)
{
	const char *begin = reading->at;

	do {
		unsigned i = pattern->place_count;

		if (i == MIX_PLACES)
			return wrong_at(reading, reading->at, "more than %d parts", MIX_PLACES);
		if (read_place(reading, &pattern->from[i], &pattern->to[i]) ||
		    read_own_share(reading, &pattern->place_shares[i]))
			return -1;
		pattern->place_count++;
	} while (goes_on(reading));
	if (!pattern->is_random && pattern->place_count > 1)
		return wrong_at(reading, begin, "%s goes through one part in order, not through %u",
				mix_word(pattern), pattern->place_count);
	return check_sum(reading, begin, "parts", pattern->place_shares, pattern->place_count);
}

static int read_pattern(struct reading *reading, struct mix_pattern *pattern)
{
	if (read_share(reading, &pattern->share) || expect(reading, ':', "a pattern") ||
	    read_kind(reading, pattern) || expect(reading, ':', "a block size") ||
	    read_sizes(reading, pattern))
		return -1;
	if (*reading->at == ':') {
		reading->at++;
		return read_places(reading, pattern);
	}
	pattern->place_count = 1;
	pattern->to[0] = pattern->place_shares[0] = 1;
	return 0;
}

int mix_parse(const char *text, struct mix *mix, struct error *err)
{
	struct reading reading = {.text = text, .at = text, .err = err};
	double shares[MIX_PATTERNS];

	memset(mix, 0, sizeof(*mix));
	for (;;) {
		if (mix->count == MIX_PATTERNS)
			return wrong_at(&reading, reading.at, "more than %d patterns",
					MIX_PATTERNS);
		if (read_pattern(&reading, &mix->patterns[mix->count]))
			return -1;
		shares[mix->count] = mix->patterns[mix->count].share;
		mix->count++;
		if (!*reading.at)
			return check_sum(&reading, text, "patterns", shares, mix->count);
		if (expect(&reading, ',', "the next pattern"))
			return -1;
	}
}

/* ---- what a mix comes to -------------------------------------------------------------------- */

bool mix_does(const struct mix *mix, enum mix_op op)
{
	unsigned i;

	for (i = 0; i < mix->count; i++)
		if (mix->patterns[i].op == op)
			return true;
	return false;
}

const char *mix_word(const struct mix_pattern *pattern)
{
	size_t i;

	for (i = 0; i < COUNT(kinds); i++)
		if (kinds[i].op == pattern->op && kinds[i].is_random == pattern->is_random)
			break;
	return kinds[i].word;
}

bool mix_fits_blocks(const struct mix *mix, uint32_t block_bytes)
{
	unsigned i, j;

	for (i = 0; i < mix->count; i++)
		for (j = 0; j < mix->patterns[i].size_count; j++)
			if (mix->patterns[i].sizes[j] % block_bytes)
				return false;
	return true;
}

uint32_t mix_longest_bytes(const struct mix *mix)
{
	uint32_t longest = 0;
	unsigned i, size;

	for (i = 0; i < mix->count; i++)
		for (size = 0; size < mix->patterns[i].size_count; size++)
			if (mix->patterns[i].sizes[size] > longest)
				longest = mix->patterns[i].sizes[size];
	return longest;
}

static double pattern_bytes(const struct mix_pattern *pattern)
{
	double bytes = 0;
	unsigned size;

	for (size = 0; size < pattern->size_count; size++)
		bytes += pattern->share * pattern->size_shares[size] * pattern->sizes[size];
	return bytes;
}

double mix_mean_bytes(const struct mix *mix)
{
	double bytes = 0;
	unsigned i;

	for (i = 0; i < mix->count; i++)
		bytes += pattern_bytes(&mix->patterns[i]);
	return bytes;
}

double mix_written_bytes(const struct mix *mix)
{
	double bytes = 0;
	unsigned i;

	for (i = 0; i < mix->count; i++)
		if (mix->patterns[i].op == MIX_WRITE)
			bytes += pattern_bytes(&mix->patterns[i]);
	return bytes;
}
