/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of vdi_replay that are numbers. */
#include <string.h>

#include "base/number.h"
#include "engines/replay/replay_number.h"

#define LOWEST_PERCENT	0.1
#define HIGHEST_PERCENT 1e6
#define LONGEST_S	1e7 /* 115 days */

int replay_parse_count(const char *option, const char *text, unsigned most, unsigned *count,
		       struct error *err)
{
	double value;
	const char *end;

	if (!text)
		return 0;
	end = number_parse(text, &value);
	if (!end || *end || !(value >= 1 && value <= most) || value != (double)(unsigned)value)
		return error_set(err, "%s=%s cannot be: give a whole number from 1 to %u", option,
				 text, most);
	*count = (unsigned)value;
	return 0;
}

int replay_parse_speed(const char *text, double *speed, struct error *err)
{
	double percent;
	const char *end;

	if (!text)
		return 0;
	end = number_parse(text, &percent);
	if (!end || (*end && strcmp(end, "%")) ||
	    !(percent >= LOWEST_PERCENT && percent <= HIGHEST_PERCENT))
		return error_set(err,
				 "speed=%s cannot be: give percent of the trace's own speed, from "
				 "0.1 to 1000000 (speed=200 takes half the time)",
				 text);
	*speed = percent / 100.0;
	return 0;
}

int replay_parse_time(const char *option, const char *text, uint64_t *time_ns, struct error *err)
{
	const char *end;
	double us;

	if (!text)
		return 0;
	end = duration_parse(text, &us);
	if (!end || *end || !(us <= LONGEST_S * 1e6))
		return error_set(err,
				 "%s=%s is no time: give seconds, or a number with us, ms, s, m, h "
				 "or d behind it (%s=500ms)",
				 option, text, option);
	*time_ns = (uint64_t)(us * 1e3);
	return 0;
}

int replay_parse_window(const char *text, uint64_t *from_ns, uint64_t *to_ns, struct error *err)
{
	double from_s, to_s = 0.0;
	const char *end;
	bool fine;

	if (!text)
		return 0;
	end = number_parse(text, &from_s);
	fine = end && *end == '-' && from_s <= LONGEST_S;
	if (fine && end[1]) {
		end = number_parse(end + 1, &to_s);
		fine = end && !*end && to_s > from_s && to_s <= LONGEST_S;
	}
	if (!fine)
		return error_set(err,
				 "window=%s is no window: give seconds of the trace as FROM-TO, "
				 "FROM before TO",
				 text);
	*from_ns = (uint64_t)(from_s * 1e9);
	*to_ns = (uint64_t)(to_s * 1e9);
	return 0;
}
