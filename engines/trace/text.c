/* SPDX-License-Identifier: GPL-2.0-only */
#include <inttypes.h>

#include "engines/trace/text_internal.h"

const char *trace_text_count(struct trace_text *text, uint64_t number)
{
	return number_whole((double)number, text->bytes);
}

const char *trace_text_bytes(struct trace_text *text, double bytes)
{
	return number_bytes(bytes, text->bytes);
}

/* Number with three significant digits, and its unit. */
static const char *scaled(struct trace_text *text, double number, double step,
			  const char *const *units, unsigned count)
{
	unsigned unit = 0;

	while (number >= step * 0.9995 && unit + 1 < count) {
		number /= step;
		unit++;
	}
	snprintf(text->bytes, sizeof(text->bytes), "%.*f %s",
		 unit == 0 || number >= 99.95 ? 0
		 : number >= 9.995	      ? 1
					      : 2,
		 number, units[unit]);
	return text->bytes;
}

const char *trace_text_size(struct trace_text *text, uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	unsigned unit = 0;
	uint64_t left = bytes;

	while (left >= 1024 && left % 1024 == 0 && unit < 4) {
		left /= 1024;
		unit++;
	}
	if (left < 1024 || unit == 4)
		snprintf(text->bytes, sizeof(text->bytes), "%" PRIu64 " %s", left, units[unit]);
	else
		scaled(text, (double)bytes, 1024, units, 5);
	return text->bytes;
}

const char *trace_text_mean(struct trace_text *text, double bytes)
{
	bool large = bytes >= 1024 * 1024;

	snprintf(text->bytes, sizeof(text->bytes), large ? "%.1f MiB" : "%.1f KiB",
		 bytes / (large ? 1024 * 1024 : 1024));
	return text->bytes;
}

const char *trace_text_seconds(struct trace_text *text, double seconds)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};

	if (seconds >= 1000) {
		trace_text_count(text, (uint64_t)(seconds + 0.5));
		strcat(text->bytes, " s");
		return text->bytes;
	}
	return scaled(text, seconds * 1e9, 1000, units, 4);
}
