/* SPDX-License-Identifier: GPL-2.0-only */
/* What a device holds now, and would lose. */
#include "device/drive.h"
#include "review/review.h"

static const char *text_of(const json_t *found, const char *key)
{
	const char *text = json_string_value(json_object_get(found, key));

	return text ? text : "";
}

void print_what_is_lost(const struct target *target, FILE *out)
{
	json_t *contents = drive_contents(target->path), *found;
	size_t i;

	json_array_foreach(contents, i, found)
	{
		const char *label = text_of(found, "label");

		fprintf(out, "Lost        %s: %s%s%s%s\n", text_of(found, "device"),
			text_of(found, "type"), *label ? " \"" : "", label, *label ? "\"" : "");
	}
	if (!json_array_size(contents))
		fprintf(out, "Lost        no file system or partition table found; all data\n");
	json_decref(contents);
}
