/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A lenient JSON reader for what fio writes. It walks over the text once, builds no tree, and never
 * recurses. It takes what fio's output really holds: nan and inf, raw control bytes and invalid
 * UTF-8 in strings, integers of any size, duplicate keys, stray commas.
 *
 *	reader_open(&r, data, bytes, 0);
 *	if (reader_enter(&r, '{'))
 *		while (reader_member(&r, &key))
 *			if (span_is(key, "iops"))
 *				iops = reader_number(&r).value;
 *			else
 *				reader_skip(&r);
 *
 * Every value must be taken or skipped. After the first fault every call does nothing and returns
 * false; `fault` then says what is wrong at byte `at`.
 */
#ifndef SSDREVIEW_JSON_READER_H
#define SSDREVIEW_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_MAX_DEPTH 256

struct json_reader {
	const char *data; /* data[bytes] must be a 0 byte */
	size_t bytes, at;
	unsigned depth;
	const char *fault; /* NULL while all is well */
};

/* A string's inside as it stands in the file, escapes included. */
struct json_span {
	const char *text;
	size_t bytes;
};

struct json_number {
	double value;	  /* NAN for nan, inf, and whatever is no number */
	uint64_t integer; /* exact up to 2^64 - 1, the largest value beyond; 0 for the others */
};

void reader_open(struct json_reader *reader, const char *data, size_t bytes, size_t at);

/* The next character that is not white space, without taking it; -1 at the end. */
int reader_peek(struct json_reader *reader);

/* Takes the opening bracket, '{' or '['. Any other value is skipped, and false returned. */
bool reader_enter(struct json_reader *reader, char bracket);

/* The next key of an object; false after the last one (the closing bracket is taken). */
bool reader_member(struct json_reader *reader, struct json_span *key);

/* Whether an array has another element; false after the last one. */
bool reader_element(struct json_reader *reader);

/* A value of the wanted kind; of another kind: skipped, and NAN or an empty span returned. */
struct json_number reader_number(struct json_reader *reader);
struct json_span reader_string(struct json_reader *reader);
void reader_skip(struct json_reader *reader);

bool span_is(struct json_span key, const char *word);

/*
 * The string as clean text, always terminated: escapes resolved, control characters made visible as
 * \t, \n or \xNN, invalid UTF-8 replaced by U+FFFD. Cut at a character's border when room is short.
 */
void span_text(struct json_span span, char *text, size_t room);
char *span_text_alloc(struct json_span span);

/* The same cleaning for text that was no JSON string (no escapes are resolved). */
void text_clean(const char *raw, size_t bytes, char *text, size_t room);

#endif
