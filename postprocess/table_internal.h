/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of tables for programs, and what kinds of tables share. */
#ifndef SSDREVIEW_TABLE_INTERNAL_H
#define SSDREVIEW_TABLE_INTERNAL_H

#include <jansson.h>

#include "postprocess/table.h"

/* One value of a record: a text, or a number (NAN: not known). */
struct field {
	const char *name, *text;
	double number;
};

struct field text_field(const char *name, const char *text);
struct field number_field(const char *name, double number);

void csv_heading(const struct field *fields, size_t count, FILE *out);
void csv_record(const struct field *fields, size_t count, FILE *out);
/* A new object, NULL when memory is short. */
json_t *json_record(const struct field *fields, size_t count);

#endif
