/* SPDX-License-Identifier: GPL-2.0-only */
/* The lists that options hold: idle times and fill levels. */
#include <stdlib.h>
#include <string.h>

#include "engines/qlc/qlc.h"

#define LONGEST_S 1e6

static const struct {
	const char *word;
	double seconds;
} units[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}, {"", 1.0}};

/* One time up to the next ':'; the rest of the text, NULL when it is no time. */
static const char *parse_time(const char *text, double *time_s)
{
	const char *end;
	char *unit;
	size_t i;

	*time_s = strtod(text, &unit);
	end = strchrnul(unit, ':');
	if (unit == text || !(*time_s >= 0.0))
		return NULL;
	for (i = 0; i < COUNT(units); i++) {
		size_t length = strlen(units[i].word);

		if (length == (size_t)(end - unit) && !strncmp(unit, units[i].word, length)) {
			*time_s *= units[i].seconds;
			return *time_s < LONGEST_S ? end : NULL;
		}
	}
	return NULL;
}

int qlc_parse_times(const char *text, double *times_s, unsigned *count, struct error *err)
{
	const char *at = text;

	*count = 0;
	while (at && *at) {
		if (*count == QLC_LIST)
			return error_set(err, "idle=%s holds more than %d times", text, QLC_LIST);
		at = parse_time(at, &times_s[(*count)++]);
		if (!at)
			return error_set(err, "idle=%s: time %u is none; write 500ms:1s:30s:10m",
					 text, *count);
		at += *at == ':';
	}
	return 0;
}

int qlc_parse_levels(const char *text, unsigned *percents, unsigned *count, struct error *err)
{
	const char *at = text;
	char *end;

	*count = 0;
	while (at && *at) {
		long percent = strtol(at, &end, 10);

		if (*count == QLC_LIST)
			return error_set(err, "levels=%s holds more than %d", text, QLC_LIST);
		if (end == at || (*end && *end != ':') || percent < 0 || percent > 99)
			return error_set(err,
					 "levels=%s: level %u is no percentage below 100; write "
					 "0:25:50",
					 text, *count + 1);
		percents[(*count)++] = (unsigned)percent;
		at = *end ? end + 1 : end;
	}
	return 0;
}
