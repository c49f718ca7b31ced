/* SPDX-License-Identifier: GPL-2.0-only */
/* Strings from files as text that can be shown: escapes resolved, nothing invisible or invalid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "postprocess/json_reader.h"

struct text_writer {
	char *text;
	size_t used, room; /* room: without the closing 0 byte */
};

static void put_bytes(struct text_writer *writer, const char *bytes, size_t count)
{
	if (writer->used + count > writer->room) {
		writer->room = writer->used; /* nothing more, so that a character is never cut */
		return;
	}
	memcpy(writer->text + writer->used, bytes, count);
	writer->used += count;
}

static size_t encode_utf8(uint32_t point, char *bytes)
{
	if (point < 0x80) {
		bytes[0] = (char)point;
		return 1;
	}
	if (point < 0x800) {
		bytes[0] = (char)(0xc0 | point >> 6);
		bytes[1] = (char)(0x80 | (point & 0x3f));
		return 2;
	}
	if (point < 0x10000) {
		bytes[0] = (char)(0xe0 | point >> 12);
		bytes[1] = (char)(0x80 | (point >> 6 & 0x3f));
		bytes[2] = (char)(0x80 | (point & 0x3f));
		return 3;
	}
	bytes[0] = (char)(0xf0 | point >> 18);
	bytes[1] = (char)(0x80 | (point >> 12 & 0x3f));
	bytes[2] = (char)(0x80 | (point >> 6 & 0x3f));
	bytes[3] = (char)(0x80 | (point & 0x3f));
	return 4;
}

static bool is_control(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x2028 ||
	       point == 0x2029 || (point >= 0x202a && point <= 0x202e);
}

/* One character, made visible. */
static void put_point(struct text_writer *writer, uint32_t point)
{
	char bytes[16];

	if (point == '\t')
		put_bytes(writer, "\\t", 2);
	else if (point == '\n')
		put_bytes(writer, "\\n", 2);
	else if (is_control(point))
		put_bytes(writer, bytes, (size_t)snprintf(bytes, sizeof(bytes), "\\x%02x", point));
	else
		put_bytes(writer, bytes, encode_utf8(point, bytes));
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		return (c | 0x20) - 'a' + 10;
	return -1;
}

/* The four digits after \u; false when they are not there. */
static bool hex4(const char *text, size_t bytes, uint32_t *value)
{
	unsigned i;

	*value = 0;
	for (i = 0; i < 4; i++) {
		if (i >= bytes || hex_value(text[i]) < 0)
			return false;
		*value = *value << 4 | (uint32_t)hex_value(text[i]);
	}
	return true;
}

/* A \u escape, a pair of surrogates taken together; *used counts from the u. */
static uint32_t unicode_escape(const char *text, size_t bytes, size_t *used)
{
	uint32_t high, low;

	*used = 1;
	if (!hex4(text + 1, bytes - 1, &high))
		return UTF8_REPLACEMENT;
	*used = 5;
	if (high < 0xd800 || high >= 0xe000)
		return high;
	if (high >= 0xdc00 || bytes < 11 || text[5] != '\\' || text[6] != 'u' ||
	    !hex4(text + 7, bytes - 7, &low) || low < 0xdc00 || low >= 0xe000)
		return UTF8_REPLACEMENT;
	*used = 11;
	return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/* What stands after a backslash; *used counts its bytes. */
static uint32_t escape(const char *text, size_t bytes, size_t *used)
{
	static const char letters[] = "bfnrt", meaning[] = "\b\f\n\r\t";
	const char *letter = strchr(letters, text[0]);

	if (text[0] == 'u')
		return unicode_escape(text, bytes, used);
	if (text[0] && letter) {
		*used = 1;
		return (unsigned char)meaning[letter - letters];
	}
	return utf8_decode(text, bytes, used);
}

static void clean(const char *raw, size_t bytes, bool escapes, char *text, size_t room)
{
	struct text_writer writer = {.text = text, .room = room - 1};
	size_t at = 0, used;
	uint32_t point;

	while (at < bytes && writer.used < writer.room) {
		if (escapes && raw[at] == '\\' && at + 1 < bytes) {
			at++;
			point = escape(raw + at, bytes - at, &used);
		} else {
			point = utf8_decode(raw + at, bytes - at, &used);
		}
		put_point(&writer, point);
		at += used;
	}
	text[writer.used] = '\0';
}

void span_text(struct json_span span, char *text, size_t room)
{
	clean(span.text, span.bytes, true, text, room);
}

char *span_text_alloc(struct json_span span)
{
	size_t room = span.bytes * 4 + 1; /* the longest a byte can become is \xNN */
	char *text = malloc(room);

	if (text)
		span_text(span, text, room);
	return text;
}

void text_clean(const char *raw, size_t bytes, char *text, size_t room)
{
	clean(raw, bytes, false, text, room);
}
