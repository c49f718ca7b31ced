/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows: xperf -i X.etl -a dumper. Between BeginHeader and EndHeader stands one line for each
 * kind of event with the names of its fields, which differ from kit to kit; then one event a line,
 * with us since the trace began, bytes in hex, at completion.
 */
#include "engines/trace/import_lines.h"

#define FIELDS_MAX 32

enum field { TIME, PROCESS, OFFSET, SIZE, ELAPSED, DISK, FIELDS };
enum kind { KIND_READ, KIND_WRITE, KIND_FLUSH, KINDS };

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
	/* The present line. */
	enum kind kind;
	struct piece field[FIELDS];
	struct trace_record record;
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

static void cut_fields(struct run *run, struct piece line)
{
	const struct layout *layout = &run->layouts[run->kind];

	memset(run->field, 0, sizeof(run->field));
	for (int at = 0; line.at < line.end && at < FIELDS_MAX; at++) {
		struct piece field = piece_field(&line, ',');

		for (unsigned i = 0; i < FIELDS; i++)
			if (layout->at[i] == at)
				run->field[i] = field;
	}
}

static bool read_numbers(struct run *run)
{
	struct trace_record *record = &run->record;
	uint64_t end_ns;

	if (!piece_scaled(run->field[TIME], 3, &end_ns) ||
	    !piece_scaled(run->field[ELAPSED], 3, &record->latency_ns) ||
	    !op_issue_time(end_ns, record->latency_ns, &record->time_ns))
		return false;
	return run->kind == KIND_FLUSH || (piece_hex(run->field[OFFSET], &record->offset) &&
					   piece_hex(run->field[SIZE], &record->length));
}

static enum line_kind read_disk_event(struct run *run, struct piece line, const char **reason)
{
	static const enum trace_op ops[KINDS] = {TRACE_READ, TRACE_WRITE, TRACE_FLUSH};

	if (!is_complete(&run->layouts[run->kind], run->kind))
		return line_other(reason, "disk event without the needed columns in the header");
	cut_fields(run, line);
	run->record = (struct trace_record){.op = ops[run->kind]};
	if (!read_numbers(run))
		return line_bad(reason, "time, offset, size or elapsed time is not an unsigned "
					"number");
	if (run->kind != KIND_FLUSH && !run->record.length)
		return line_other(reason, "zero bytes, and no flush");
	return LINE_ROW;
}

static enum line_kind read_line(void *context, struct piece line, const char **reason)
{
	struct run *run = context;
	struct piece rest = line, name = piece_field(&rest, ',');
	bool ends = piece_is(name, "EndHeader"), in_header = run->in_header;

	if (ends || piece_is(name, "BeginHeader")) {
		run->in_header = !ends;
		return line_other(reason, "header");
	}
	if (in_header) {
		learn_layout(run, line);
		return line_other(reason, "header");
	}
	if (!find_kind(name, &run->kind))
		return line_other(reason, "other event");
	return read_disk_event(run, line, reason);
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

static int give_row(void *context, struct error *err)
{
	struct run *run = context;
	struct piece disk = run->field[DISK];
	struct trace_row row;
	char name[48], process[64];
	int device;

	snprintf(name, sizeof(name), "disk%.*s", (int)(disk.at ? piece_length(disk) : 0),
		 disk.at ? disk.at : "");
	device = trace_import_device(run->import, name, 0, err);
	if (device < 0)
		return -1;
	row = (struct trace_row){.record = run->record, .process = process};
	row.record.stream = (uint16_t)device;
	read_process(run->field[PROCESS], process, sizeof(process), &row.pid);
	return trace_import_row(run->import, run->import->sources[0], &row, err);
}

static const struct line_reader reader = {read_line, give_row};

static int import_lines(struct trace_import *import, struct error *err)
{
	static const struct import_facts facts = {
		.format = "xperf dumper text",
		.time_unit = "us since the trace began",
		.time_meaning = "completion; issue = time - elapsed time",
		.events = "one line for each I/O",
		.offset_unit = "bytes",
	};
	struct run run = {.import = import};

	layouts_default(&run);
	op_report(import, &facts);
	return lines_import(import, &reader, &run, err);
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct run run = {0};

	(void)name;
	if (piece_starts((struct piece){(const char *)data, (const char *)data + bytes},
			 "BeginHeader"))
		return 95;
	layouts_default(&run);
	return lines_recognise(&reader, &run, data, bytes) * 90 / 100;
}

const struct trace_importer import_xperf = {
	.name = "xperf",
	.description = "Windows xperf -a dumper text",
	.recognise = recognise,
	.import = import_lines,
};
