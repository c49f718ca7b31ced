/* SPDX-License-Identifier: GPL-2.0-only */
/* Is it UTF-8, and what to write in JSON when it is not. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Length of the sequence a first byte opens, and the smallest value it may carry; 0: none. */
static unsigned sequence_length(unsigned char first, uint32_t *smallest)
{
	if (first < 0x80) {
		*smallest = 0;
		return 1;
	}
	if (first >= 0xc2 && first < 0xe0) {
		*smallest = 0x80;
		return 2;
	}
	if (first >= 0xe0 && first < 0xf0) {
		*smallest = 0x800;
		return 3;
	}
	*smallest = 0x10000;
	return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

uint32_t utf8_decode(const char *text, size_t bytes, size_t *used)
{
	uint32_t smallest, point;
	unsigned length = sequence_length((unsigned char)text[0], &smallest), i;

	*used = 1;
	if (!length || length > bytes)
		return UTF8_REPLACEMENT;
	if (length == 1)
		return (unsigned char)text[0];
	point = (unsigned char)text[0] & (0x7fu >> length);
	for (i = 1; i < length; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return UTF8_REPLACEMENT;
		point = point << 6 | ((unsigned char)text[i] & 0x3f);
	}
	if (point < smallest || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
		return UTF8_REPLACEMENT;
	*used = length;
	return point;
}

size_t utf8_length(const char *text)
{
	size_t bytes = strlen(text), at, used;

	for (at = 0; at < bytes; at += used) {
		uint32_t point = utf8_decode(text + at, bytes - at, &used);

		if (point == UTF8_REPLACEMENT && used == 1)
			break;
	}
	return at;
}

bool utf8_is(const char *text)
{
	return !text[utf8_length(text)];
}

json_t *utf8_json(const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *valid = malloc(strlen(text) * strlen(replacement) + 1);
	size_t used = 0, good;
	json_t *string;

	if (!valid)
		return json_null();
	for (; *text; text += good ? good : 1) {
		good = utf8_length(text);
		memcpy(valid + used, good ? text : replacement, good ? good : strlen(replacement));
		used += good ? good : strlen(replacement);
	}
	valid[used] = '\0';
	string = json_string(valid);
	free(valid);
	return string;
}
