/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables for programs: records of named values, plain numbers without separators, as lines of CSV
 * or as objects of a JSON array.
 */
#ifndef SSDREVIEW_RECORDS_H
#define SSDREVIEW_RECORDS_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

/* One value of a record: a text, or a number (NAN: not known). */
struct field {
	const char *name, *text;
	double number;
};

struct field text_field(const char *name, const char *text);
struct field number_field(const char *name, double number);

/* Where records go: to csv, or, where that is NULL, to array. The rest is 0 at the start. */
struct records {
	FILE *csv;
	json_t *array;
	bool any, headed;
};

/* Records of another kind follow: in CSV an empty line and a heading stand before its first. */
void records_begin(struct records *records);
/* 0, or -1 when memory is short. */
int records_add(struct records *records, const struct field *fields, size_t count);

#endif
