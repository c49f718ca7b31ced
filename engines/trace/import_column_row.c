/* SPDX-License-Identifier: GPL-2.0-only */
/* One line of a text trace, taken apart by a column map. */
#include "engines/trace/import_columns.h"

/* 1601-01-01 to 1970-01-01, in ns / 100. */
#define FILETIME_UNIX_EPOCH 116444736000000000ULL
#define ALL_FLAGS	    (TRACE_SYNC | TRACE_FUA | TRACE_PREFLUSH | TRACE_META | TRACE_READAHEAD)

static const char *const not_a_number[COLUMN_NUMBERS + 1] = {
	[COLUMN_TIME] = "time is not an unsigned number",
	[COLUMN_END] = "completion time is not an unsigned number",
	[COLUMN_GAP] = "gap is not an unsigned number",
	[COLUMN_LATENCY] = "latency is not an unsigned number",
	[COLUMN_OFFSET] = "offset is not an unsigned number",
	[COLUMN_LENGTH] = "length is not an unsigned number",
	[COLUMN_FLAGS] = "flags are not a sum of 1, 2, 4, 8 and 16",
	[COLUMN_PID] = "pid is not a number",
};

/* A whole number as the column means it; false when it is none of the column's. */
static bool convert(const struct column *column, uint64_t whole, uint64_t *number)
{
	if (column->code == CODE_FILETIME)
		return whole >= FILETIME_UNIX_EPOCH &&
		       !__builtin_mul_overflow(whole - FILETIME_UNIX_EPOCH, 100, number);
	/* Flushes carry sector 2^64 - 1; for the rest the writer refuses what is so far. */
	if (__builtin_mul_overflow(whole, column->scale, number))
		*number = UINT64_MAX;
	return true;
}

/* Sizes and FILETIME are whole; times, and what is no size, may have a fraction. */
static bool is_whole(const struct column *column)
{
	return column->code == CODE_FILETIME || column->kind == COLUMN_OFFSET ||
	       column->kind == COLUMN_LENGTH;
}

/* Cuts the number of a column off the beginning of *rest. */
static bool take_number(const struct column *column, struct piece *rest, uint64_t *number)
{
	uint64_t whole;

	if (is_whole(column))
		return piece_take_u64(rest, &whole) && convert(column, whole, number);
	return piece_take_scaled(rest, column->scale, number) &&
	       (column->kind != COLUMN_FLAGS || *number <= ALL_FLAGS);
}

static bool read_number(const struct column *column, struct piece field, uint64_t *number)
{
	if (column->code == CODE_HEX)
		return piece_hex(field, number);
	return take_number(column, &field, number) && field.at == field.end;
}

/* Most fields are a number and nothing else: it is read without looking for its end first. */
static bool take_plain_number(const struct columns *columns, const struct column *column,
			      struct piece *rest, struct columns_row *row)
{
	struct piece after = *rest;

	if (column->kind == COLUMN_SKIP || column->kind > COLUMN_PID || column->code == CODE_HEX ||
	    !take_number(column, &after, &row->number[column->kind]))
		return false;
	if (after.at < after.end && *after.at != columns->separator)
		return false;
	rest->at = after.at + (after.at < after.end);
	row->have |= 1U << column->kind;
	return true;
}

static bool is_doubled(const char *quote, const char *end)
{
	return quote + 1 < end && quote[0] == '"' && quote[1] == '"';
}

/* Puts `part` behind the *used characters of name; what has no room is cut, and a doubled quote
 * is one.
 */
static void append_name(char *name, size_t room, size_t *used, struct piece part)
{
	for (; part.at < part.end && *used < room - 1; part.at++) {
		name[(*used)++] = *part.at;
		part.at += is_doubled(part.at, part.end);
	}
	name[*used] = '\0';
}

static void append_stream(const struct columns *columns, struct piece part, struct columns_row *row)
{
	struct piece join = {&columns->join, &columns->join + 1};

	if (row->device_length)
		append_name(row->device, sizeof(row->device), &row->device_length, join);
	else if (columns->prefix)
		append_name(row->device, sizeof(row->device), &row->device_length,
			    piece_of(columns->prefix));
	append_name(row->device, sizeof(row->device), &row->device_length, part);
}

/* NULL, or why the field is none. An empty latency is an unknown one. */
static const char *read_field(const struct columns *columns, const struct column *column,
			      struct piece field, struct columns_row *row)
{
	switch (column->kind) {
	case COLUMN_SKIP:
		return NULL;
	case COLUMN_OP:
		row->op_text = field;
		break;
	case COLUMN_STREAM:
		append_stream(columns, field, row);
		break;
	case COLUMN_PROCESS:
		append_name(row->process, sizeof(row->process), &row->process_length, field);
		break;
	default:
		if (column->kind == COLUMN_LATENCY && field.at == field.end)
			return NULL;
		if (!read_number(column, field, &row->number[column->kind]))
			return not_a_number[column->kind];
	}
	row->have |= 1U << column->kind;
	return NULL;
}

static enum line_kind read_scsi(struct columns_row *row, const char **reason)
{
	uint64_t code;

	if (!piece_hex(row->op_text, &code) || code > 0xff)
		return line_bad(reason, "operation is not a SCSI command code");
	if (!op_from_scsi(code, &row->op))
		return line_other(reason, "SCSI command that is no read, write or flush");
	return LINE_ROW;
}

/* DiskSim's flags: bit 0 set reads. The others: which number reads, which writes. */
static bool op_from_number(struct piece text, enum column_code code, struct import_op *op)
{
	uint64_t number;

	*op = (struct import_op){0};
	if (code == CODE_READ1) {
		if (!piece_hex(text, &number))
			return false;
		op->op = number & 1 ? TRACE_READ : TRACE_WRITE;
		return true;
	}
	if (!piece_u64(text, &number) || number > 2)
		return false;
	op->op = number == 0 ? TRACE_READ : number == 1 ? TRACE_WRITE : TRACE_TRIM;
	return true;
}

static enum line_kind read_op(enum column_code code, struct columns_row *row, const char **reason)
{
	bool known;

	if (row->op_text.at == row->op_text.end)
		return line_other(reason, "blank operation");
	if (code == CODE_SCSI)
		return read_scsi(row, reason);
	if (code == CODE_WORD)
		known = op_from_word(row->op_text, &row->op);
	else if (code == CODE_RWBS)
		known = op_from_rwbs(row->op_text, row->number[COLUMN_LENGTH], &row->op);
	else
		known = op_from_number(row->op_text, code, &row->op);
	if (!known)
		return line_bad(reason, "unknown operation");
	return row->op.none ? line_other(reason, "command that is no I/O (N)") : LINE_ROW;
}

static enum line_kind check_size(struct columns_row *row, const char **reason)
{
	if (row->op.op == TRACE_FLUSH) {
		row->number[COLUMN_OFFSET] = row->number[COLUMN_LENGTH] = 0;
		return LINE_ROW;
	}
	if (!row->number[COLUMN_LENGTH])
		return line_other(reason, "zero bytes, and no flush");
	return LINE_ROW;
}

/* Quotes around a field are no part of it, and separators between them do not count; a doubled one
 * stays, and stands for itself.
 */
static struct piece quoted_field(const struct columns *columns, struct piece *rest)
{
	struct piece field = {rest->at + 1, rest->at + 1};

	while (field.end < rest->end && (*field.end != '"' || is_doubled(field.end, rest->end)))
		field.end += *field.end == '"' ? 2 : 1;
	rest->at = field.end;
	piece_field(rest, columns->separator);
	return piece_trim(field);
}

static struct piece next_field(const struct columns *columns, struct piece *rest)
{
	if (rest->at < rest->end && *rest->at == '"')
		return quoted_field(columns, rest);
	return columns->separator == ' ' ? piece_word(rest) : piece_field(rest, columns->separator);
}

/* A separator at the very end stands before an empty field. */
static bool no_field_left(const struct columns *columns, struct piece rest, struct piece line)
{
	return rest.at == rest.end && (rest.at == line.at || rest.at[-1] != columns->separator);
}

enum line_kind columns_read(const struct columns *columns, struct piece line,
			    struct columns_row *row, const char **reason)
{
	enum column_code op_code = CODE_WORD;
	enum line_kind result;
	struct piece rest = piece_trim(line);
	const char *why = NULL;
	unsigned i;

	row->have = 0;
	row->device[0] = row->process[0] = '\0';
	row->device_length = row->process_length = 0;
	row->number[COLUMN_LENGTH] = 0;
	for (i = 0; i < columns->count; i++) {
		const struct column *column = &columns->column[i];
		const char *no_number;

		if (no_field_left(columns, rest, line))
			return line_bad(reason, "too few columns");
		if (column->kind == COLUMN_OP)
			op_code = column->code;
		if (take_plain_number(columns, column, &rest, row))
			continue;
		no_number = read_field(columns, column, next_field(columns, &rest), row);
		why = why ? why : no_number;
	}
	if (!columns->more && piece_trim(rest).at != rest.end)
		return line_bad(reason, "too many columns");
	/* A row whose operation is blank was not seen whole; the rest may be blank as well. */
	if (why && piece_length(row->op_text))
		return line_bad(reason, why);
	result = read_op(op_code, row, reason);
	return result == LINE_ROW ? check_size(row, reason) : result;
}
