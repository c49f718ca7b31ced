/* SPDX-License-Identifier: GPL-2.0-only */
/* The loads of a row as tables: a matrix of block sizes by shares of reads, or a line a load. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise_internal.h"
#include "postprocess/loads.h"
#include "postprocess/table_internal.h"

#define MOST_NAMED 8 /* loads in a sentence */

/* ---- words ----------------------------------------------------------------------------------- */

const char *load_value_title(enum load_value value)
{
	static const char *const titles[LOAD_VALUES] = {"IOPS", "throughput", "average latency",
							"99.999 % latency", "maximum latency"};

	return titles[value];
}

void block_label(double bytes, char *text, size_t room)
{
	if (bytes >= 1024 * 1024 && fmod(bytes, 1024 * 1024) == 0)
		snprintf(text, room, "%.0f MiB", bytes / (1024 * 1024));
	else if (bytes >= 1024)
		snprintf(text, room, "%.4g KiB", bytes / 1024);
	else
		snprintf(text, room, "%.0f B", bytes);
}

void load_label(const struct load_sum *load, char *text, size_t room)
{
	char block[32];

	block_label(load->block_bytes, block, sizeof(block));
	snprintf(text, room, "%.0f/%.0f %s", load->read_percent, 100 - load->read_percent, block);
}

static bool is_sequential(const struct load_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->loads[i].random)
			return false;
	return true;
}

static bool has_several_blocks(const struct load_list *list)
{
	size_t i;

	for (i = 1; i < list->count; i++)
		if (list->loads[i].block_bytes != list->loads[0].block_bytes)
			return true;
	return false;
}

enum load_value loads_main_value(const struct load_list *list)
{
	if (list->threads * list->queue == 1)
		return LOAD_MEAN;
	if (is_sequential(list) || (list->is_sequence && has_several_blocks(list)))
		return LOAD_BYTES;
	return LOAD_IOPS;
}

void threads_label(const struct load_list *list, char *text, size_t room)
{
	text[0] = '\0';
	if (list->threads && list->queue)
		snprintf(text, room, ", %uT/%uQ", list->threads, list->queue);
}

static void value_text(enum load_value value, double number, char *text, size_t room)
{
	char word[NUMBER_ROOM];

	if (isnan(number))
		snprintf(text, room, "-");
	else if (value == LOAD_IOPS)
		snprintf(text, room, "%s", number_count(number, word));
	else if (value == LOAD_BYTES)
		snprintf(text, room, "%s", number_mbps(number, word));
	else
		snprintf(text, room, "%s", number_us(number, word));
}

void load_text(const struct load_sum *load, enum load_value value, char *text, size_t room)
{
	double number = load->over_window.values[value];
	char word[NUMBER_ROOM];

	if (!isnan(number) || isnan(load->left_out.values[value])) {
		value_text(value, number, text, room);
		return;
	}
	value_text(value, load->left_out.values[value], word, sizeof(word));
	snprintf(text, room, "(%s)", word);
}

void loads_heading(const struct load_list *list, char *text, size_t room)
{
	char title[256], threads[32];

	threads_label(list, threads, sizeof(threads));
	snprintf(title, sizeof(title), "%.120s%s: %.60s", list->title, threads,
		 list->result->drive);
	enterprise_heading(title, list->result->protocol, text, room);
}

/* "r100-512 (5 of 5 rounds), r100-4k (1 of 5)": the machine was the limit, say. */
static void append_invalid(const struct load_list *list, char *text, size_t room)
{
	unsigned rounds = list->last - list->first + 1;
	size_t i, named = 0, all = 0;

	for (i = 0; i < list->count; i++)
		all += list->loads[i].invalid_rounds > 0;
	if (!all)
		return;
	text_append(text, room, "Invalid, and in brackets where no other round counts: ");
	for (i = 0; i < list->count && named < MOST_NAMED; i++) {
		const struct load_sum *load = &list->loads[i];

		if (!load->invalid_rounds)
			continue;
		text_append(text, room, "%s%s", named++ ? ", " : "", load->name);
		if (!list->is_sequence)
			text_append(text, room, " (%u of %u%s)", load->invalid_rounds, rounds,
				    named == 1 ? " rounds" : "");
	}
	if (all > named)
		text_append(text, room, " and %zu more", all - named);
	text_append(text, room, ": %s. ", list->invalid_why);
}

void loads_sentence(const struct load_list *list, char *text, size_t room)
{
	text[0] = '\0';
	if (list->is_sequence && !list->first)
		text_append(text, room, "%s: the sequence has not ended. ", list->result->drive);
	else if (!list->first)
		text_append(text, room, "%s: no window of rounds yet. ", list->result->drive);
	else if (!list->is_sequence)
		text_append(text, room,
			    "%s: averages of rounds %u to %u%s, maxima the largest of these. ",
			    list->result->drive, list->first, list->last,
			    list->is_unjudged
				    ? ", the last ones, of which no window could be judged"
				    : "");
	append_invalid(list, text, room);
	if (list->left_out[0])
		text_append(text, room, "Left out, for the drive has no blocks as small: %s.",
			    list->left_out);
}

/* ---- matrix ---------------------------------------------------------------------------------- */

/* One table of values. */
struct matrix_view {
	struct load_matrix matrix;
	enum load_value value;
};

/* With one in flight a matrix tells of latency: the average, the tail, the maximum. */
static size_t matrix_values(const struct load_list *list, enum load_value values[3])
{
	values[0] = loads_main_value(list);
	values[1] = LOAD_TAIL;
	values[2] = LOAD_MAX;
	return values[0] == LOAD_MEAN ? 3 : 1;
}

static void matrix_cell(const void *context, size_t row, int column, char *text, size_t room)
{
	const struct matrix_view *view = context;
	const struct load_sum *load;

	if (!column) {
		block_label(view->matrix.blocks[row], text, room);
		return;
	}
	load = view->matrix.cells[row][column - 1];
	if (load)
		load_text(load, view->value, text, room);
	else
		snprintf(text, room, "-");
}

static int matrix_table(const struct matrix_view *view, struct load_headings *headings,
			struct table *table)
{
	size_t i;

	table->columns = view->matrix.percent_count + 1;
	table->headings[0] = "Blocks";
	table->right[0] = true;
	for (i = 0; i < view->matrix.percent_count; i++) {
		snprintf(headings->texts[i], sizeof(headings->texts[i]), "%s%.0f/%.0f",
			 i ? "" : "read/write ", view->matrix.percents[i],
			 100 - view->matrix.percents[i]);
		table->headings[i + 1] = headings->texts[i];
		table->right[i + 1] = true;
	}
	return table_fill(table, view, view->matrix.block_count, matrix_cell);
}

/* ---- a line a load --------------------------------------------------------------------------- */

enum { LOAD, BLOCKS, READS, FIRST_VALUE, IDLE = FIRST_VALUE + LOAD_VALUES, COLUMNS };

static void line_cell(const void *context, size_t row, int column, char *text, size_t room)
{
	const struct load_sum *load = &((const struct load_list *)context)->loads[row];
	enum load_value value = (enum load_value)(column - FIRST_VALUE);

	if (column == LOAD)
		snprintf(text, room, "%s", load->name);
	else if (column == BLOCKS)
		block_label(load->block_bytes, text, room);
	else if (column == READS)
		snprintf(text, room, "%.0f %%", load->read_percent);
	else if (column == IDLE && load->work_share < 1)
		snprintf(text, room, "%g s of %g s", load->idle_s, load->idle_s + load->work_s);
	else if (column == IDLE)
		snprintf(text, room, "-");
	else
		load_text(load, value, text, room);
}

static bool any_idles(const struct load_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->loads[i].work_share < 1)
			return true;
	return false;
}

static int line_table(const struct load_list *list, struct table *table)
{
	static const char *const headings[COLUMNS] = {"Load",	  "Blocks",  "Reads",
						      "IOPS",	  "MB/s",    "Average",
						      "99.999 %", "Maximum", "Idle"};

	table_head(table, headings, any_idles(list) ? COLUMNS : IDLE, TEXT(LOAD));
	return table_fill(table, list, list->count, line_cell);
}

/* ---- tables ---------------------------------------------------------------------------------- */

size_t loads_tables(const struct load_list *list)
{
	enum load_value values[3];
	struct load_matrix matrix;

	if (!list->count)
		return 0;
	return loads_matrix(list, &matrix) ? matrix_values(list, values) : 1;
}

int loads_table_make(const struct load_list *list, size_t number, struct load_headings *headings,
		     struct table *table)
{
	struct matrix_view view;
	bool is_matrix = loads_matrix(list, &view.matrix);
	enum load_value values[3];
	char title[320], threads[32];

	matrix_values(list, values);
	threads_label(list, threads, sizeof(threads));
	view.value = values[number];
	*table = (struct table){.columns = 0};
	snprintf(title, sizeof(title), "%.120s%s: %.60s, %s", list->title, threads,
		 list->result->drive, is_matrix ? load_value_title(view.value) : "loads");
	enterprise_heading(title, list->result->protocol, table->title, sizeof(table->title));
	return is_matrix ? matrix_table(&view, headings, table) : line_table(list, table);
}

static void write_sentence(const struct load_list *list, FILE *out)
{
	char text[LOADS_SENTENCE];

	loads_sentence(list, text, sizeof(text));
	if (text[0])
		fprintf(out, "%s\n\n", text);
}

int loads_tables_write(const struct load_list *lists, size_t count, enum table_format format,
		       FILE *out)
{
	struct load_headings headings;
	struct table table;
	size_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < loads_tables(&lists[i]); j++) {
			if (loads_table_make(&lists[i], j, &headings, &table))
				return -1;
			table_write(&table, format, out);
			table_free(&table);
		}
		if (format != FORMAT_HTML && lists[i].count)
			write_sentence(&lists[i], out);
	}
	return 0;
}

/* ---- records --------------------------------------------------------------------------------- */

#define FIELDS (9 + LOAD_VALUES)

#define LOADS_MARKS 320

static void load_record(const struct load_list *list, const struct load_sum *load,
			char marks[LOADS_MARKS], struct field fields[FIELDS])
{
	static const char *const names[LOAD_VALUES] = {"iops", "bytes_per_s", "average_us",
						       "p99_999_us", "max_us"};
	unsigned rounds = list->last - list->first + 1;
	enum load_value value;

	snprintf(marks, LOADS_MARKS, "%s", list->marks);
	if (load->invalid_rounds)
		text_append(marks, LOADS_MARKS, ", invalid: %u of %u rounds", load->invalid_rounds,
			    rounds);
	*fields++ = text_field("row", list->row);
	*fields++ = text_field("protocol", list->result->protocol);
	*fields++ = text_field("drive", list->result->drive);
	*fields++ = text_field("load", load->name);
	*fields++ = number_field("block_bytes", load->block_bytes);
	*fields++ = number_field("read_percent", load->read_percent);
	for (value = LOAD_IOPS; value < LOAD_VALUES; value++)
		*fields++ = number_field(names[value], load->over_window.values[value]);
	*fields++ = number_field("first_round", list->first ? list->first : NAN);
	*fields++ = number_field("last_round", list->last ? list->last : NAN);
	*fields = text_field("marks", marks);
}

int loads_records(const struct load_list *lists, size_t count, struct records *records)
{
	struct field fields[FIELDS];
	char marks[LOADS_MARKS];
	size_t i, j;

	records_begin(records);
	for (i = 0; i < count; i++)
		for (j = 0; j < lists[i].count; j++) {
			load_record(&lists[i], &lists[i].loads[j], marks, fields);
			if (records_add(records, fields, FIELDS))
				return -1;
		}
	return 0;
}
