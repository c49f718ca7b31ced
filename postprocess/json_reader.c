/* SPDX-License-Identifier: GPL-2.0-only */
/* The lenient JSON reader: one pass, no tree, no recursion. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/json_reader.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_structural(char c)
{
	return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':' || c == '"';
}

static bool fail(struct json_reader *reader, const char *fault)
{
	if (!reader->fault)
		reader->fault = fault;
	return false;
}

void reader_open(struct json_reader *reader, const char *data, size_t bytes, size_t at)
{
	*reader = (struct json_reader){.data = data, .bytes = bytes, .at = at};
}

int reader_peek(struct json_reader *reader)
{
	while (reader->at < reader->bytes && is_space(reader->data[reader->at]))
		reader->at++;
	if (reader->at >= reader->bytes)
		return -1;
	return (unsigned char)reader->data[reader->at];
}

static bool deepen(struct json_reader *reader)
{
	if (reader->depth >= JSON_MAX_DEPTH)
		return fail(reader, "brackets are nested too deeply");
	reader->depth++;
	reader->at++;
	return true;
}

bool reader_enter(struct json_reader *reader, char bracket)
{
	if (reader->fault)
		return false;
	if (reader_peek(reader) == bracket)
		return deepen(reader);
	reader_skip(reader);
	return false;
}

/* Up to the closing quote. */
static bool take_string(struct json_reader *reader, struct json_span *span)
{
	size_t start = reader->at + 1, at = start;

	while (at < reader->bytes && reader->data[at] != '"')
		at += reader->data[at] == '\\' ? 2 : 1;
	if (at >= reader->bytes) {
		reader->at = reader->bytes;
		return fail(reader, "the text ends within a string");
	}
	*span = (struct json_span){reader->data + start, at - start};
	reader->at = at + 1;
	return true;
}

/* Passes commas; true when something other than the end of the object or array follows. */
static bool more_follows(struct json_reader *reader, int closing)
{
	int next;

	if (reader->fault)
		return false;
	while ((next = reader_peek(reader)) == ',')
		reader->at++;
	if (next < 0)
		return fail(reader, "the text ends before its last bracket");
	if (next != closing)
		return true;
	reader->at++;
	reader->depth--;
	return false;
}

bool reader_member(struct json_reader *reader, struct json_span *key)
{
	if (!more_follows(reader, '}'))
		return false;
	if (reader_peek(reader) != '"')
		return fail(reader, "a key in double quotes should stand here");
	if (!take_string(reader, key))
		return false;
	if (reader_peek(reader) != ':')
		return fail(reader, "a colon should follow the key");
	reader->at++;
	return true;
}

bool reader_element(struct json_reader *reader)
{
	return more_follows(reader, ']');
}

/* A number, a word, or whatever stands up to the next bracket, comma, quote or white space. */
static struct json_span take_scalar(struct json_reader *reader)
{
	size_t start = reader->at;

	while (reader->at < reader->bytes && !is_space(reader->data[reader->at]) &&
	       !is_structural(reader->data[reader->at]))
		reader->at++;
	return (struct json_span){reader->data + start, reader->at - start};
}

/* One step of skipping: a bracket, a string, a scalar or a separator. */
static void skip_token(struct json_reader *reader, int next)
{
	struct json_span span;

	if (next == '{' || next == '[') {
		deepen(reader);
	} else if (next == '}' || next == ']') {
		reader->depth--;
		reader->at++;
	} else if (next == '"') {
		take_string(reader, &span);
	} else if (next == ',' || next == ':') {
		reader->at++;
	} else {
		take_scalar(reader);
	}
}

void reader_skip(struct json_reader *reader)
{
	unsigned depth = reader->depth;
	int next;

	if (reader->fault)
		return;
	next = reader_peek(reader);
	if (next == '}' || next == ']' || next == ',' || next == ':') {
		fail(reader, "a value should stand here");
		return;
	}
	do {
		next = reader_peek(reader);
		if (next < 0)
			fail(reader, "the text ends before its last bracket");
		else
			skip_token(reader, next);
	} while (!reader->fault && reader->depth > depth);
}

static bool parse_integer(struct json_span span, struct json_number *number)
{
	bool negative = span.bytes > 0 && span.text[0] == '-';
	size_t i;

	number->integer = 0;
	number->value = 0;
	for (i = negative; i < span.bytes; i++) {
		unsigned digit = (unsigned)(span.text[i] - '0');

		if (digit > 9)
			return false;
		number->value = number->value * 10 + digit;
		if (__builtin_mul_overflow(number->integer, 10, &number->integer) ||
		    __builtin_add_overflow(number->integer, digit, &number->integer))
			number->integer = UINT64_MAX;
	}
	if (negative) {
		number->value = -number->value;
		number->integer = 0;
	} else if (number->integer < UINT64_MAX) {
		number->value = (double)number->integer;
	}
	return i > negative;
}

/* Only digits, signs, a point and an exponent: strtod() alone would take hex and names as well. */
static double parse_decimal(struct json_span span)
{
	char *end;
	double value;
	size_t i;

	for (i = 0; i < span.bytes; i++)
		if (!strchr("0123456789+-.eE", span.text[i]) || !span.text[i])
			return NAN;
	value = strtod(span.text, &end);
	return end == span.text + span.bytes && isfinite(value) ? value : NAN;
}

struct json_number reader_number(struct json_reader *reader)
{
	struct json_number number = {.value = NAN};
	struct json_span span;
	int next;

	if (reader->fault)
		return number;
	next = reader_peek(reader);
	if (next < 0 || is_structural((char)next)) {
		reader_skip(reader);
		return number;
	}
	span = take_scalar(reader);
	if (parse_integer(span, &number))
		return number;
	number.integer = 0;
	number.value = parse_decimal(span);
	if (number.value >= 0 && number.value < 1.8e19)
		number.integer = (uint64_t)number.value;
	return number;
}

struct json_span reader_string(struct json_reader *reader)
{
	struct json_span span = {"", 0};

	if (reader->fault)
		return span;
	if (reader_peek(reader) == '"')
		take_string(reader, &span);
	else
		reader_skip(reader);
	return span;
}

bool span_is(struct json_span key, const char *word)
{
	return key.bytes == strlen(word) && !memcmp(key.text, word, key.bytes);
}
