/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of an NVMe drive in plain units. */
#include "device/nvme_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ZERO_CELSIUS_K	 273
#define DATA_UNIT_BYTES	 (1000.0 * 512.0)
#define GROUP_UNIT_BYTES 1e9
#define COUNTER_BYTES	 16
#define VALUES_OF_A_BYTE 256.0

double nvme_counter(const uint8_t counter[16])
{
	double value = 0;
	int i;

	for (i = COUNTER_BYTES - 1; i >= 0; i--)
		value = value * VALUES_OF_A_BYTE + counter[i];
	return value;
}

double nvme_data_unit_bytes(const uint8_t units[16])
{
	return nvme_counter(units) * DATA_UNIT_BYTES;
}

double nvme_group_bytes(const uint8_t units[16])
{
	double value = nvme_counter(units);

	return value > 0 ? value * GROUP_UNIT_BYTES : NAN;
}

double nvme_celsius(unsigned kelvin)
{
	return kelvin ? (double)kelvin - ZERO_CELSIUS_K : NAN;
}

void nvme_text(const char *field, size_t bytes, char *text, size_t room)
{
	size_t length = strnlen(field, bytes), start = 0;

	while (length && field[length - 1] == ' ')
		length--;
	while (start < length && field[start] == ' ')
		start++;
	snprintf(text, room, "%.*s", (int)(length - start), field + start);
}
