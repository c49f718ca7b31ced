/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows: xperf -i X.etl -a dumper. Between BeginHeader and EndHeader stands one line for each
 * kind of event with the names of its fields, which differ from kit to kit; then one event a line,
 * with us since the trace began, bytes in hex, at completion.
 */
#include "engines/trace/import_op.h"

#define FIELDS_MAX 32

enum field { TIME, PROCESS, OFFSET, SIZE, ELAPSED, DISK, FIELDS };
enum kind { KIND_READ, KIND_WRITE, KIND_FLUSH, KINDS };
enum found { FOUND_ROW, FOUND_OTHER, FOUND_BAD };

static const char *const kind_names[KINDS] = {"DiskRead", "DiskWrite", "DiskFlush"};

static const char *const field_names[FIELDS] = {"TimeStamp", "Process Name ( PID)", "ByteOffset",
						"IOSize",    "ElapsedTime",	    "DiskNum"};

/* Where the fields of one kind of event stand, from 0, its name; -1: nowhere. */
struct layout {
	int at[FIELDS];
};

struct run {
	struct trace_import *import;
	struct layout layouts[KINDS];
	bool in_header;
};

struct values {
	struct piece field[FIELDS];
	enum kind kind;
};

/* As in the Microsoft production server traces, which come without a header. */
static void layouts_default(struct run *run)
{
	static const struct layout io = {{1, 2, 5, 6, 7, 8}}, none = {{-1, -1, -1, -1, -1, -1}};

	run->layouts[KIND_READ] = run->layouts[KIND_WRITE] = io;
	run->layouts[KIND_FLUSH] = none;
}

static bool find_kind(struct piece name, enum kind *kind)
{
	for (unsigned i = 0; i < KINDS; i++)
		if (piece_is(name, kind_names[i])) {
			*kind = (enum kind)i;
			return true;
		}
	return false;
}

static void learn_layout(struct run *run, struct piece line)
{
	struct layout layout = {{-1, -1, -1, -1, -1, -1}};
	enum kind kind;

	if (!find_kind(piece_field(&line, ','), &kind))
		return;
	for (int at = 1; line.at < line.end && at < FIELDS_MAX; at++) {
		struct piece name = piece_field(&line, ',');

		for (unsigned i = 0; i < FIELDS; i++)
			if (piece_is(name, field_names[i]))
				layout.at[i] = at;
	}
	run->layouts[kind] = layout;
}

static bool is_complete(const struct layout *layout, enum kind kind)
{
	return layout->at[TIME] > 0 && layout->at[ELAPSED] > 0 &&
	       (kind == KIND_FLUSH || (layout->at[OFFSET] > 0 && layout->at[SIZE] > 0));
}

static void cut_fields(const struct layout *layout, struct piece line, struct values *values)
{
	int at = 0;

	memset(values->field, 0, sizeof(values->field));
	while (line.at < line.end && at < FIELDS_MAX) {
		struct piece field = piece_field(&line, ',');

		for (unsigned i = 0; i < FIELDS; i++)
			if (layout->at[i] == at)
				values->field[i] = field;
		at++;
	}
}

static bool read_numbers(const struct values *values, struct trace_record *record)
{
	uint64_t end_ns;

	if (!piece_scaled(values->field[TIME], 3, &end_ns) ||
	    !piece_scaled(values->field[ELAPSED], 3, &record->latency_ns) ||
	    !op_issue_time(end_ns, record->latency_ns, &record->time_ns))
		return false;
	return values->kind == KIND_FLUSH || (piece_hex(values->field[OFFSET], &record->offset) &&
					      piece_hex(values->field[SIZE], &record->length));
}

static enum found read_line(struct run *run, struct piece line, struct values *values,
			    struct trace_record *record, const char **reason)
{
	struct piece rest = line, name = piece_field(&rest, ',');

	*reason = "header";
	if (piece_is(name, "BeginHeader") || piece_is(name, "EndHeader")) {
		run->in_header = piece_is(name, "BeginHeader");
		return FOUND_OTHER;
	}
	if (run->in_header) {
		learn_layout(run, line);
		return FOUND_OTHER;
	}
	*reason = "other event";
	if (!find_kind(name, &values->kind))
		return FOUND_OTHER;
	*reason = "disk event without the needed columns in the header";
	if (!is_complete(&run->layouts[values->kind], values->kind))
		return FOUND_OTHER;
	cut_fields(&run->layouts[values->kind], line, values);
	*record = (struct trace_record){.op = values->kind == KIND_READ	   ? TRACE_READ
					      : values->kind == KIND_WRITE ? TRACE_WRITE
									   : TRACE_FLUSH};
	*reason = "time, offset, size or elapsed time is not an unsigned number";
	return read_numbers(values, record) ? FOUND_ROW : FOUND_BAD;
}

/* "name ( PID)" */
static void read_process(struct piece field, char *name, size_t room, int64_t *pid)
{
	const char *open = piece_length(field) ? memrchr(field.at, '(', piece_length(field)) : NULL;
	struct piece number = {open ? open + 1 : field.end, field.end};
	uint64_t value;

	*pid = -1;
	if (open) {
		field.end = open;
		number.end -= number.end[-1] == ')';
		if (piece_u64(piece_trim(number), &value))
			*pid = (int64_t)value;
	}
	field = piece_trim(field);
	snprintf(name, room, "%.*s", (int)piece_length(field), field.at ? field.at : "");
}

static int take_row(struct run *run, const struct values *values, struct trace_record *record,
		    struct error *err)
{
	struct trace_source *source = run->import->sources[0];
	struct piece disk = values->field[DISK];
	struct trace_row row;
	char name[48], process[64];
	int device;

	if (values->kind != KIND_FLUSH && !record->length) {
		trace_import_skip(run->import, source, "zero bytes, and no flush");
		return 0;
	}
	snprintf(name, sizeof(name), "disk%.*s", (int)(disk.at ? piece_length(disk) : 0),
		 disk.at ? disk.at : "");
	device = trace_import_device(run->import, name, 0, err);
	if (device < 0)
		return -1;
	record->stream = (uint16_t)device;
	row = (struct trace_row){.record = *record, .process = process};
	read_process(values->field[PROCESS], process, sizeof(process), &row.pid);
	return trace_import_row(run->import, source, &row, err);
}

static int take_line(struct run *run, struct piece line, struct error *err)
{
	struct trace_source *source = run->import->sources[0];
	struct trace_record record;
	struct values values;
	const char *reason;

	switch (read_line(run, line, &values, &record, &reason)) {
	case FOUND_ROW:
		return take_row(run, &values, &record, err);
	case FOUND_BAD:
		return trace_import_bad(run->import, source, reason, err);
	default:
		trace_import_skip(run->import, source, reason);
		return 0;
	}
}

static int import_lines(struct trace_import *import, struct error *err)
{
	struct trace_report *report = import->report;
	struct run run = {.import = import};
	size_t length;
	char *line;
	int got;

	layouts_default(&run);
	snprintf(report->format, sizeof(report->format), "xperf dumper text");
	snprintf(report->time_unit, sizeof(report->time_unit), "us since the trace began");
	snprintf(report->time_meaning, sizeof(report->time_meaning),
		 "completion; issue = time - elapsed time");
	snprintf(report->event_class, sizeof(report->event_class), "one line for each I/O");
	snprintf(report->offset_unit, sizeof(report->offset_unit), "bytes");
	while ((got = trace_source_line(import->sources[0], &line, &length, err)) > 0)
		if (take_line(&run, (struct piece){line, line + length}, err))
			return -1;
	return got;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct piece rest = piece_whole_lines(data, bytes, TRACE_PEEK_BYTES), line;
	struct run run = {0};
	unsigned rows = 0, bad = 0;
	struct trace_record record;
	struct values values;
	const char *reason;

	(void)name;
	if (piece_starts(rest, "BeginHeader"))
		return 95;
	layouts_default(&run);
	while (rows < 200 && piece_line(&rest, &line)) {
		enum found found = read_line(&run, line, &values, &record, &reason);

		rows += found == FOUND_ROW;
		bad += found == FOUND_BAD;
	}
	return rows ? (int)(90 * rows / (rows + bad)) : 0;
}

const struct trace_importer import_xperf = {
	.name = "xperf",
	.description = "Windows xperf -a dumper text",
	.recognise = recognise,
	.import = import_lines,
};
