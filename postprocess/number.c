/* SPDX-License-Identifier: GPL-2.0-only */
/* How numbers look. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "postprocess/number.h"

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

char *number_count(double value, char *text)
{
	char plain[NUMBER_ROOM / 2];

	if (!isfinite(value) || fabs(value) > 1e18)
		return strcpy(text, "n/a");
	snprintf(plain, sizeof(plain), "%.*f", decimals(value), value);
	return separate(plain, text);
}

static char *with_unit(double value, const char *unit, char *text)
{
	number_count(value, text);
	if (strcmp(text, "n/a")) {
		strcat(text, " ");
		strcat(text, unit);
	}
	return text;
}

char *number_us(double us, char *text)
{
	return with_unit(us, "us", text);
}

char *number_mbps(double bytes_per_s, char *text)
{
	return with_unit(bytes_per_s / 1e6, "MB/s", text);
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

	while (bytes >= 999.5 && i < 5) {
		bytes /= 1000;
		i++;
	}
	return with_unit(bytes, units[i], text);
}
