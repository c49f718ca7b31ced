/* SPDX-License-Identifier: GPL-2.0-only */
/* A fill in words: how much fio wrote, and who else counted how much. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/point.h"

static double bytes_of(const json_t *fill, const char *key)
{
	const json_t *bytes = json_object_get(fill, key);

	return json_is_number(bytes) ? json_number_value(bytes) : NAN;
}

void fill_words(const json_t *fill, char *text, size_t room)
{
	double bytes = bytes_of(fill, "bytes"), counted = bytes_of(fill, "device_bytes");
	double smart_bytes = bytes_of(fill, "smart_bytes");
	const char *source = json_string_value(json_object_get(fill, "device_source"));
	char number[NUMBER_ROOM];

	text[0] = '\0';
	if (!(bytes > 0))
		return;
	text_append(text, room, "%s by fio", number_bytes(bytes, number));
	if (source && strcmp(source, "smart") && !isnan(counted))
		text_append(text, room, ", %s by %s", number_bytes(counted, number),
			    strcmp(source, "simulated") ? "the kernel" : "the simulated drive");
	if (!isnan(smart_bytes))
		text_append(text, room, ", %s by SMART", number_bytes(smart_bytes, number));
}
