/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of one chart. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/chart_internal.h"

void chart_plain_name(const char *text, char *name, size_t room)
{
	size_t used = 0;
	bool plain;

	for (; *text && used + 1 < room; text++) {
		plain = isalnum((unsigned char)*text) || strchr("-_", *text) ||
			(*text == '.' && used);
		name[used++] = plain ? *text : '_';
	}
	if (!used)
		name[used++] = '_';
	name[used] = '\0';
}

void chart_base_name(const char *row, const char *protocol, char *name, size_t room)
{
	char plain_row[120], plain_protocol[64];

	chart_plain_name(row, plain_row, sizeof(plain_row));
	chart_plain_name(protocol, plain_protocol, sizeof(plain_protocol));
	snprintf(name, room, "%s%s%s", plain_row, protocol[0] ? "." : "",
		 protocol[0] ? plain_protocol : "");
}

static bool same_file(const struct ranking *ranking, const struct ranking *other)
{
	char name[120], other_name[120];

	chart_plain_name(ranking->row, name, sizeof(name));
	chart_plain_name(other->row, other_name, sizeof(other_name));
	return !strcmp(name, other_name);
}

/* A row of a second protocol gets that as a suffix, rows that look alike as file names a number. */
static void file_name(const struct ranking *rankings, size_t index, char *name, size_t room)
{
	const struct ranking *ranking = &rankings[index];
	char row[120], protocol[64], suffix[16] = "";
	bool other_protocol = false;
	unsigned number = 1;
	size_t i;

	for (i = 0; i < index; i++) {
		if (!same_file(ranking, &rankings[i]))
			continue;
		if (strcmp(ranking->protocol, rankings[i].protocol))
			other_protocol = true;
		else
			number++;
	}
	chart_plain_name(ranking->row, row, sizeof(row));
	chart_plain_name(ranking->protocol[0] ? ranking->protocol : "own", protocol,
			 sizeof(protocol));
	if (number > 1)
		snprintf(suffix, sizeof(suffix), ".%u", number);
	snprintf(name, room, "%s%s%s%s", row, other_protocol ? "." : "",
		 other_protocol ? protocol : "", suffix);
}

int chart_write_file(const char *folder, const char *name, const char *ending, const char *text,
		     size_t bytes, struct error *err)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending) >= (int)sizeof(path))
		return error_set(err, "%s: the folder's name is too long", folder);
	return file_write_atomic(path, text, bytes, err);
}

int chart_write_part(const void *chart, chart_part *part, const char *folder, const char *name,
		     const char *ending, struct error *err)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	int status;

	if (!out)
		return error_set(err, "not enough memory for a chart");
	part(chart, out);
	if (fclose(out))
		status = error_set(err, "not enough memory for a chart");
	else
		status = chart_write_file(folder, name, ending, text, bytes, err);
	free(text);
	return status;
}

int chart_write(const struct ranking *rankings, size_t index, const struct palette *palette,
		const struct terminals *terminals, const char *folder, char *name,
		struct error *err)
{
	struct chart chart = {
		.ranking = &rankings[index], .palette = palette, .terminals = terminals};

	chart_find_ranges(&chart);
	file_name(rankings, index, chart.name, sizeof(chart.name));
	snprintf(name, sizeof(chart.name), "%s", chart.name);
	if (chart_write_part(&chart, chart_write_data, folder, name, ".dat", err))
		return -1;
	return chart_write_part(&chart, chart_write_script, folder, name, ".gp", err);
}
