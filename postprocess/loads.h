/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the loads of a row of rounds came to (docs/results.md, ROW/rounds.json): of rounds until
 * steady state each load's averages over the window of rounds that was judged, as SNIA's
 * Performance Test Specification has them; of a sequence all there is. Loads of several block sizes
 * and shares of reads are a matrix.
 */
#ifndef SSDREVIEW_LOADS_H
#define SSDREVIEW_LOADS_H

#include "postprocess/chart.h"
#include "postprocess/table.h"

enum load_value { LOAD_IOPS, LOAD_BYTES, LOAD_MEAN, LOAD_TAIL, LOAD_MAX, LOAD_VALUES };

/* IOPS, bytes/s, us; what is not known is NAN. Rates are those of the time at work. */
struct load_values {
	double values[LOAD_VALUES]; /* tail: 99.999 % */
};

struct load_sum {
	char name[64];
	double block_bytes, read_percent;
	double work_share; /* of its time; below 1 where it idles in turn */
	double idle_s, work_s;
	bool random;
	struct load_values over_window; /* averages of rounds that count; the largest maximum */
	struct load_values left_out;	/* of invalid ones, where none counts; else NAN */
	struct load_values *rounds;	/* of each, as many as the list has */
	bool *invalid;			/* of each: the machine was the limit, or it was spoilt */
	unsigned invalid_rounds;	/* of the window */
};

/* Over the time of a sequence. */
struct load_sample {
	size_t load;
	double start_s, seconds, iops, bytes_per_s, mean_us;
};

struct load_list {
	const struct result *result;
	char row[192], title[256], marks[256], left_out[256]; /* names of loads that were */
	bool is_sequence;
	unsigned twins; /* lists before it of the same row, protocol and drive name */
	unsigned threads, queue;
	unsigned first, last;  /* rounds of the window; 0: none yet */
	bool is_unjudged;      /* it ended, and these are its last rounds, which no verdict is of */
	char invalid_why[320]; /* of the first load that is; "": all count */
	size_t rounds;
	struct load_sum *loads;
	size_t count;
	struct load_sample *samples;
	size_t sample_count;
};

/* Blocks rising, shares of reads rising; a cell is NULL where there is no such load. */
#define MATRIX_BLOCKS 16
#define MATRIX_SHARES 10
struct load_matrix {
	double blocks[MATRIX_BLOCKS], percents[MATRIX_SHARES];
	size_t block_count, percent_count;
	const struct load_sum *cells[MATRIX_BLOCKS][MATRIX_SHARES];
};

/* ---- loads_read.c ---------------------------------------------------------------------------- */

/* From rounds.json; -1 with err. A row of one load alone that is no sequence has an empty list. */
int loads_read(const char *path, struct load_list *list, struct error *err);
void loads_free(struct load_list *list);

/* Whether they are one: random, of two and more sizes and shares, each pair at most once. */
bool loads_matrix(const struct load_list *list, struct load_matrix *matrix);

/* ---- loads_table.c --------------------------------------------------------------------------- */

/* Which values the row is about: IOPS, or bytes where it is sequential, or latency with one in
 * flight.
 */
enum load_value loads_main_value(const struct load_list *list);
/* The value of a load over the window, in brackets where it does not count; "-" for none. */
void load_text(const struct load_sum *load, enum load_value value, char *text, size_t room);
/* "IOPS", "average latency" */
const char *load_value_title(enum load_value value);
/* "0/100 64 KiB"; a load's block: "64 KiB"; ", 4T/16Q" or nothing */
void load_label(const struct load_sum *load, char *text, size_t room);
void block_label(double bytes, char *text, size_t room);
void threads_label(const struct load_list *list, char *text, size_t room);
/* "IOPS test, 4T/16Q: Intel P3700 2TB (snia-pts)" */
void loads_heading(const struct load_list *list, char *text, size_t room);
/* What a list tells beside its tables; "" for nothing. */
#define LOADS_SENTENCE 1280 /* room for it */
void loads_sentence(const struct load_list *list, char *text, size_t room);

/* How many tables a list has, and one of them; headings: room that must outlive the table. */
struct load_headings {
	char texts[TABLE_ROOM][24];
};
size_t loads_tables(const struct load_list *list);
int loads_table_make(const struct load_list *list, size_t number, struct load_headings *headings,
		     struct table *table);
int loads_tables_write(const struct load_list *lists, size_t count, enum table_format format,
		       FILE *out);
/* A record a load; 0, or -1 when memory is short. */
int loads_records(const struct load_list *lists, size_t count, struct records *records);

/* ---- matrix_chart.c -------------------------------------------------------------------------- */

/* Draws the matrix of a list that has one, of its main value; 0, or -1 with err. */
int matrix_chart_draw(const struct load_list *list, const char *name,
		      const struct terminals *terminals, const char *folder, struct error *err);

/* ---- loads_chart.c --------------------------------------------------------------------------- */

/* How many charts a list has, and the name of the files of one, without ending. */
size_t loads_charts(const struct load_list *list);
void loads_chart_name(const struct load_list *list, size_t number, char *name, size_t room);
/* Draws all; their number, or -1 with err. */
int loads_charts_make(const struct load_list *lists, size_t count,
		      const struct terminals *terminals, const char *folder, struct error *err);

#endif
