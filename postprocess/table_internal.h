/* SPDX-License-Identifier: GPL-2.0-only */
/* What kinds of tables share. */
#ifndef SSDREVIEW_TABLE_INTERNAL_H
#define SSDREVIEW_TABLE_INTERNAL_H

#include "postprocess/table.h"

/* In TEXTS of table_head(): this column holds text. */
#define TEXT(column) (1u << (column))
/* The columns of a table: numbers stand to the right, those of texts, and the marks, do not. */
void table_head(struct table *table, const char *const *headings, size_t columns, unsigned texts);

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
