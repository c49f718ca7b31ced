/* SPDX-License-Identifier: GPL-2.0-only */
/* The file of published figures: lines of comma-separated cells, some of them quoted. */
#include "postprocess/published_csv.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Takes one cell off the line in place; quotes are resolved. *line is NULL after the last one. */
static char *next_cell(char **line)
{
	char *cell = *line, *from = *line, *to = *line;
	bool quoted = *from == '"';

	from += quoted;
	while (*from && (quoted || *from != ',')) {
		if (quoted && *from == '"' && *++from != '"') {
			quoted = false;
			continue;
		}
		*to++ = *from++;
	}
	*line = *from == ',' ? from + 1 : NULL;
	*to = '\0';
	return cell;
}

static bool split_line(char *line, char **cells)
{
	size_t i;

	line[strcspn(line, "\r")] = '\0';
	for (i = 0; i < PUBLISHED_COLUMNS; i++) {
		cells[i] = line ? next_cell(&line) : NULL;
		if (!cells[i])
			return false;
	}
	return true;
}

bool published_is_about(char **cells)
{
	return !strcmp(cells[PUBLISHED_KIND], "approx") ||
	       !strncmp(cells[PUBLISHED_NOTE], "about", strlen("about"));
}

int published_each(const char *path, published_visit *visit, void *context, struct error *err)
{
	char found[PATH_MAX], *text, *line, *save = NULL, *cells[PUBLISHED_COLUMNS];
	size_t bytes;
	int ended = 0;

	if (!path && shipped_path("SSDREVIEW_PUBLISHED", "postprocess/published.csv",
				  SSDREVIEW_DATADIR "/published.csv", found, sizeof(found), err))
		return -1;
	if (file_read(path ? path : found, &text, &bytes, err))
		return error_prefix(err, "the published figures");
	for (line = strtok_r(text, "\n", &save); line && !ended; line = strtok_r(NULL, "\n", &save))
		if (split_line(line, cells))
			ended = visit(cells, context);
	free(text);
	return ended;
}
