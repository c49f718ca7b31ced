/* SPDX-License-Identifier: GPL-2.0-only */
/* How numbers look, and times are read. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/number.h"

/* Digits after the point so that small values keep three significant ones. */
static int decimals(double value)
{
	double size = fabs(value);

	if (size >= 99.95 || size == 0)
		return 0;
	return size >= 9.995 ? 1 : 2;
}

/* Puts a comma before every third digit of the whole part, counted from its end. */
static char *separate(const char *plain, char *text)
{
	size_t sign = plain[0] == '-', whole = strcspn(plain + sign, "."), i, used = 0;

	for (i = 0; i < sign; i++)
		text[used++] = '-';
	for (i = 0; i < whole; i++) {
		if (i && (whole - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = plain[sign + i];
	}
	strcpy(text + used, plain + sign + whole);
	return text;
}

static char *count(double value, int digits, char *text)
{
	char plain[NUMBER_ROOM / 2];

	if (!isfinite(value) || fabs(value) > 1e18)
		return strcpy(text, "n/a");
	snprintf(plain, sizeof(plain), "%.*f", digits, value);
	return separate(plain, text);
}

char *number_count(double value, char *text)
{
	return count(value, decimals(value), text);
}

char *number_whole(double value, char *text)
{
	return count(value, 0, text);
}

static char *with_unit(double value, int digits, const char *unit, char *text)
{
	count(value, digits, text);
	if (strcmp(text, "n/a")) {
		strcat(text, " ");
		strcat(text, unit);
	}
	return text;
}

char *number_us(double us, char *text)
{
	return with_unit(us, decimals(us), "us", text);
}

char *number_mbps(double bytes_per_s, char *text)
{
	return with_unit(bytes_per_s / 1e6, decimals(bytes_per_s / 1e6), "MB/s", text);
}

char *number_percent(double share, char *text)
{
	if (!isfinite(share))
		return strcpy(text, "n/a");
	snprintf(text, NUMBER_ROOM, "%.1f %%", fmin(fmax(share * 100, -1e9), 1e9));
	return text;
}

char *number_bytes(double bytes, char *text)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
	size_t i = 0;

	while (bytes >= 999.5 && i < COUNT(units) - 1) {
		bytes /= 1000;
		i++;
	}
	return with_unit(bytes, i ? decimals(bytes) : 0, units[i], text);
}

char *number_duration(double seconds, char *text)
{
	unsigned long whole = (unsigned long)ceil(fmin(fmax(seconds, 0), 1e12));

	if (whole < 60)
		snprintf(text, NUMBER_ROOM, "%lu s", whole);
	else if (whole < 3600)
		snprintf(text, NUMBER_ROOM, "%lu min %02lu s", whole / 60, whole % 60);
	else
		snprintf(text, NUMBER_ROOM, "%lu h %02lu min", whole / 3600, whole % 3600 / 60);
	return text;
}

const char *number_parse(const char *text, double *value)
{
	bool is_hex = text[0] == '0' && (text[1] | 0x20) == 'x';
	char *end;

	if ((!isdigit((unsigned char)text[0]) && text[0] != '.') || is_hex)
		return NULL;
	*value = strtod(text, &end);
	return end != text && isfinite(*value) ? end : NULL;
}

const char *duration_parse(const char *text, double *us)
{
	static const struct {
		const char *word;
		double us;
	} units[] = {{"us", 1},	    {"ms", 1e3},   {"s", 1e6},	  {"m", 60e6},
		     {"min", 60e6}, {"h", 3600e6}, {"d", 86400e6}};
	const char *end = number_parse(text, us), *unit;
	size_t length = 0, i;

	if (!end)
		return NULL;
	unit = end + strspn(end, " ");
	while (isalpha((unsigned char)unit[length]))
		length++;
	for (i = 0; length && i < COUNT(units); i++)
		if (strlen(units[i].word) == length && !strncmp(unit, units[i].word, length)) {
			*us *= units[i].us;
			return unit + length;
		}
	*us *= NS_PER_SEC / NS_PER_USEC;
	return length ? NULL : end;
}
