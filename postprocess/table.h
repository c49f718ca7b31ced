/* SPDX-License-Identifier: GPL-2.0-only */
/* A ranking as a table of text, and the formats it can be written in. */
#ifndef SSDREVIEW_TABLE_H
#define SSDREVIEW_TABLE_H

#include <stdio.h>

#include "postprocess/ranking.h"
#include "postprocess/records.h"

#define TABLE_COLUMNS 9	 /* of a ranking */
#define TABLE_ROOM    11 /* columns that a table may have */

struct table {
	char title[256]; /* "4K random read, client-qlc" */
	const char *headings[TABLE_ROOM];
	bool right[TABLE_ROOM]; /* numbers stand to the right */
	char *(*cells)[TABLE_ROOM];
	size_t rows, columns;
};

enum table_format { FORMAT_TERM, FORMAT_MD, FORMAT_CSV, FORMAT_JSON, FORMAT_HTML };

/* "4K random read (client-qlc)" */
void ranking_title(const struct ranking *ranking, char *title, size_t room);

/* 0, or -1 when memory is short. */
int table_make(const struct ranking *ranking, struct table *table);
void table_free(struct table *table);

/* One table as term, md or html; colours only when the stream is a terminal. */
void table_write(const struct table *table, enum table_format format, FILE *out);

/* All rankings as term, md or html. 0, or -1 when memory is short. */
int tables_write(const struct ranking *rankings, size_t count, enum table_format format, FILE *out);

/* Below the tables: points that do not count, with reasons, and each result's warnings. */
void remarks_write(struct result *const *results, size_t count, enum table_format format,
		   FILE *out);

/* Text with what HTML reserves replaced. */
void html_text(const char *text, FILE *out);
/* The class attribute of a cell, " class=\"n\"" for numbers; a cell of "-" says so in it. */
const char *html_class(const char *text, bool number);
void html_table(const struct table *table, FILE *out);

/* Text with what Markdown reserves escaped. */
void md_text(const char *text, FILE *out);

/* A record a drive and row; 0, or -1 when memory is short. */
int ranking_records(const struct ranking *rankings, size_t count, struct records *records);

/* What the numbers mean, in one or two sentences. */
const char *table_note(enum metric metric);

/* What the mark stand-in means, and what a place beside published figures is worth. */
const char *table_stand_in_note(void);

#endif
