/* SPDX-License-Identifier: GPL-2.0-only */
/* Imports text traces that hold one I/O a line in columns. */
#include <stdlib.h>

#include "engines/trace/import_columns.h"

/* Rows of one whole second that are held to be spread over it. */
#define SECOND_ROWS_MAX (1U << 20)
#define HEADER_ALONE	50 /* sureness of a header line without rows, in percent */

struct columns_run {
	struct trace_import *import;
	struct trace_source *source;
	const struct columns_format *format;
	struct columns columns;
	struct columns_row row;
	uint64_t clock_ns;	     /* sum of the gaps */
	bool headed;		     /* the header line was met */
	bool begun;		     /* it was, or a row */
	char name[TRACE_NAME_BYTES]; /* of the disk when no column says it: the file's */
	struct trace_record *held;   /* rows of the present second */
	size_t held_count, held_room;
};

static int parse_map(const struct columns_format *format, struct columns *columns,
		     struct error *err)
{
	if (columns_parse(format->map, columns, err))
		return -1;
	columns->prefix = format->stream_prefix;
	if (format->join)
		columns->join = format->join;
	return 0;
}

static bool is_comment(struct piece line)
{
	line = piece_trim(line);
	return line.at == line.end || *line.at == '#' || piece_starts(line, "//");
}

static bool is_header(const struct columns_format *format, struct piece line)
{
	return format->header && piece_starts(piece_trim(line), format->header);
}

/* ---- whole seconds: the rows of one are spread evenly over it ----------------------------- */

static int give(struct columns_run *run, const struct trace_record *record, struct error *err)
{
	const struct columns_row *row = &run->row;
	struct trace_row out = {
		.record = *record,
		.process = row->have & 1U << COLUMN_PROCESS ? row->process : NULL,
		.pid = row->have & 1U << COLUMN_PID ? (int64_t)row->number[COLUMN_PID] : -1,
	};

	return trace_import_row(run->import, run->source, &out, err);
}

static int give_second(struct columns_run *run, struct error *err)
{
	for (size_t i = 0; i < run->held_count; i++) {
		run->held[i].time_ns += i * NS_PER_SEC / run->held_count;
		if (give(run, &run->held[i], err))
			return -1;
	}
	run->held_count = 0;
	return 0;
}

static int hold_room(struct columns_run *run, struct error *err)
{
	size_t room = run->held_room ? run->held_room * 2 : 1024;
	struct trace_record *held;

	if (room > SECOND_ROWS_MAX)
		return error_set(err,
				 "%s:%llu: more than %u rows in one second: the time is not in "
				 "whole seconds; say what it is with --time-unit",
				 trace_source_name(run->source),
				 (unsigned long long)trace_source_line_number(run->source),
				 SECOND_ROWS_MAX);
	held = realloc(run->held, room * sizeof(*held));
	if (!held)
		return error_set(err, "no memory for the rows of one second");
	run->held = held;
	run->held_room = room;
	return 0;
}

static int hold(struct columns_run *run, const struct trace_record *record, struct error *err)
{
	if (run->held_count && run->held[0].time_ns != record->time_ns && give_second(run, err))
		return -1;
	if (run->held_count == run->held_room && hold_room(run, err))
		return -1;
	run->held[run->held_count++] = *record;
	return 0;
}

/* ---- rows --------------------------------------------------------------------------------- */

static const char *find_time(struct columns_run *run, uint64_t *time_ns)
{
	const struct columns_row *row = &run->row;
	uint64_t latency = row->have & 1U << COLUMN_LATENCY ? row->number[COLUMN_LATENCY] : 0;

	if (row->have & 1U << COLUMN_TIME) {
		*time_ns = row->number[COLUMN_TIME];
		return NULL;
	}
	if (row->have & 1U << COLUMN_GAP) {
		if (__builtin_add_overflow(run->clock_ns, row->number[COLUMN_GAP], &run->clock_ns))
			return "the gaps add up to more than 2^64 ns";
		*time_ns = run->clock_ns;
		return NULL;
	}
	if (!op_issue_time(row->number[COLUMN_END], latency, time_ns))
		return "latency reaches back more than an hour before the trace";
	return NULL;
}

/* The disk is named by its columns, else by the file. */
static int find_device(struct columns_run *run, struct error *err)
{
	const char *name = run->name;

	if (run->row.have & 1U << COLUMN_STREAM)
		name = run->row.device;
	return trace_import_device(run->import, name, 0, err);
}

static int give_row(void *context, struct error *err)
{
	struct columns_run *run = context;
	const struct columns_row *row = &run->row;
	struct trace_record record = {
		.offset = row->number[COLUMN_OFFSET],
		.length = row->number[COLUMN_LENGTH],
		.latency_ns = row->have & 1U << COLUMN_LATENCY ? row->number[COLUMN_LATENCY]
							       : TRACE_NO_LATENCY,
		.op = row->op.op,
		.flags = row->op.flags,
	};
	const char *reason = find_time(run, &record.time_ns);
	int device;

	if (row->have & 1U << COLUMN_FLAGS)
		record.flags |= (uint8_t)row->number[COLUMN_FLAGS];
	if (reason)
		return trace_import_bad(run->import, run->source, reason, err);
	device = find_device(run, err);
	if (device < 0)
		return -1;
	record.stream = (uint16_t)device;
	return run->format->whole_seconds ? hold(run, &record, err) : give(run, &record, err);
}

static enum line_kind read_line(void *context, struct piece line, const char **reason)
{
	struct columns_run *run = context;
	bool header = is_header(run->format, line), begun = run->begun;
	enum line_kind kind;

	run->headed |= header;
	run->begun |= header;
	if (header)
		return line_other(reason, "header line");
	if (run->format->after_header && !begun)
		return line_other(reason, "text before the table");
	if (is_comment(line))
		return line_other(reason, "comment or empty line");
	kind = columns_read(&run->columns, line, &run->row, reason);
	run->begun = true;
	if (kind == LINE_BAD && run->format->first_may_be_header && !begun)
		return line_other(reason, "header line");
	return kind;
}

static const struct line_reader reader = {read_line, give_row};

/* ---- the whole ---------------------------------------------------------------------------- */

struct time_unit {
	const char *word;
	unsigned scale;
};

static int force_time_unit(struct columns *columns, const char *word, struct error *err)
{
	static const struct time_unit units[] = {{"s", 9}, {"ms", 6}, {"us", 3}, {"ns", 0}};
	size_t i, unit = sizeof(units) / sizeof(units[0]);

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(word, units[i].word))
			unit = i;
	if (unit == sizeof(units) / sizeof(units[0]))
		return error_set(err, "--time-unit: '%s' is none of s, ms, us, ns", word);
	for (i = 0; i < columns->count; i++)
		if (columns->column[i].kind >= COLUMN_TIME &&
		    columns->column[i].kind <= COLUMN_GAP) {
			columns->column[i].scale = units[unit].scale;
			columns->column[i].code = CODE_DECIMAL;
		}
	return 0;
}

static void describe(struct trace_import *import, const struct columns_format *format)
{
	const char *forced = import->options->time_unit;
	char unit[64];

	snprintf(unit, sizeof(unit), "%s, as said with --time-unit", forced ? forced : "");
	op_report(import, &(struct import_facts){.format = format->title,
						 .time_unit = forced ? unit : format->time_unit,
						 .time_meaning = format->time_meaning,
						 .events = "one row for each I/O",
						 .offset_unit = format->offset_unit,
						 .any_unit = true});
	import->clock = format->clock;
	if (format->whole_seconds && !forced)
		trace_report_note(import->report,
				  "times are whole seconds: the rows of one second are spread "
				  "evenly over it, in their order");
}

int columns_import(struct trace_import *import, const struct columns_format *format,
		   struct error *err)
{
	const char *forced = import->options->time_unit;
	struct columns_run run = {.import = import, .source = import->sources[0]};
	struct columns_format said = *format;
	int result;

	said.whole_seconds = format->whole_seconds && !forced;
	run.format = &said;
	if (parse_map(format, &run.columns, err))
		return -1;
	if (forced && force_time_unit(&run.columns, forced, err))
		return -1;
	describe(import, format);
	op_file_name(run.source, run.name, sizeof(run.name));
	result = lines_import(import, &reader, &run, err);
	if (!result)
		result = give_second(&run, err);
	free(run.held);
	return result;
}

/* ---- recognising -------------------------------------------------------------------------- */

int columns_recognise(const struct columns_format *format, const unsigned char *data, size_t bytes)
{
	struct columns_run run = {.format = format};
	int sureness;

	if (parse_map(format, &run.columns, NULL))
		return 0;
	sureness = lines_recognise(&reader, &run, data, bytes);
	return sureness || !run.headed ? sureness : HEADER_ALONE;
}

int columns_import_chosen(struct trace_import *import, columns_choose_fn *choose, struct error *err)
{
	const unsigned char *data;
	size_t bytes;

	if (trace_source_peek(import->sources[0], TRACE_PEEK_BYTES, &data, &bytes, err))
		return -1;
	return columns_import(import, choose(data, bytes), err);
}

void columns_span(const struct columns *columns, const unsigned char *data, size_t bytes,
		  struct columns_span *span)
{
	struct piece rest = piece_whole_lines(data, bytes, TRACE_PEEK_BYTES), line;
	struct columns_row row;
	const char *reason;

	*span = (struct columns_span){0};
	while (piece_line(&rest, &line)) {
		if (is_comment(line) || columns_read(columns, line, &row, &reason) != LINE_ROW)
			continue;
		span->last = row.number[COLUMN_TIME];
		if (!span->rows++)
			span->first = span->last;
	}
}
