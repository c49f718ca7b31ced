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

/* A place among others: "2", "2=" when it is shared, "-" when there is none. */
void place_text(unsigned place, bool is_shared, char *text, size_t room);

/* The text of a cell; list is what the table is made from. */
typedef void table_cell(const void *list, size_t row, int column, char *text, size_t room);
/* Fills in the rows of a table that has its headings. 0; -1, and the table is free: no memory. */
int table_fill(struct table *table, const void *list, size_t rows, table_cell *cell);

/* What is said of each row, below a table; html: as a list of the page. */
typedef void table_sentence(const void *list, size_t row, char *text, size_t room);
void sentences_write(const void *list, size_t rows, table_sentence *sentence,
		     enum table_format format, FILE *out);

#endif
