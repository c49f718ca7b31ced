/* SPDX-License-Identifier: GPL-2.0-only */
/* The lists that options hold: idle times and fill levels. */
#include <stdlib.h>

#include "base/number.h"
#include "engines/qlc/qlc.h"

#define LONGEST_S 1e6

/* One time up to the next ':'; the rest of the text, NULL when it is no time. */
static const char *parse_time(const char *text, double *time_s)
{
	double us;
	const char *end = duration_parse(text, &us);

	*time_s = end ? us / 1e6 : 0;
	return end && (!*end || *end == ':') && *time_s < LONGEST_S ? end : NULL;
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
