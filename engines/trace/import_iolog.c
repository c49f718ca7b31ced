/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's iologs. Version 3: "us file action [offset length]". Version 2: "file action [offset
 * length]" without times, but for "file wait ms", which waits until ms after the start. A file is
 * added and opened before its first I/O.
 */
#include <stdlib.h>

#include "engines/trace/import_lines.h"

#define FILES_MAX 4096

struct iolog_file {
	char name[TRACE_NAME_BYTES];
	bool open;
};

struct run {
	struct trace_import *import;
	struct trace_source *source;
	unsigned version;
	struct trace_record record; /* of the present line; version 2 keeps the time of waits */
	struct iolog_file *file;
	struct iolog_file *files;
	unsigned file_count, file_last, file_room;
};

static bool has_name(const struct iolog_file *file, struct piece name)
{
	return strlen(file->name) == piece_length(name) &&
	       !memcmp(file->name, name.at, piece_length(name));
}

static struct iolog_file *find_file(struct run *run, struct piece name)
{
	for (unsigned i = 0; i < run->file_count; i++) {
		unsigned number = (run->file_last + i) % run->file_count;

		if (has_name(&run->files[number], name)) {
			run->file_last = number;
			return &run->files[number];
		}
	}
	return NULL;
}

static struct iolog_file *add_file(struct run *run, struct piece name)
{
	struct iolog_file *file = find_file(run, name), *files;

	if (file || piece_length(name) >= TRACE_NAME_BYTES || run->file_count == FILES_MAX)
		return file;
	if (run->file_count == run->file_room) {
		unsigned room = run->file_room ? 2 * run->file_room : 4;

		files = realloc(run->files, room * sizeof(*files));
		if (!files)
			return NULL;
		run->files = files;
		run->file_room = room;
	}
	file = &run->files[run->file_count++];
	memcpy(file->name, name.at, piece_length(name));
	file->name[piece_length(name)] = '\0';
	file->open = false;
	return file;
}

/* "file add", "file open", "file close". */
static enum line_kind file_action(struct run *run, struct piece name, struct piece action,
				  const char **reason)
{
	bool adds = piece_is(action, "add");
	struct iolog_file *file = adds ? add_file(run, name) : find_file(run, name);

	if (!file)
		return line_bad(reason, adds ? "file name too long, or more than 4096 files"
					     : "file is opened or closed without an add line "
					       "before");
	file->open = piece_is(action, "open");
	return line_other(reason, "file action (add, open, close)");
}

static bool is_file_action(struct piece action)
{
	return piece_is(action, "add") || piece_is(action, "open") || piece_is(action, "close");
}

static enum line_kind wait_action(struct run *run, struct piece rest, const char **reason)
{
	uint64_t ns;

	if (run->version != 2)
		return line_bad(reason, "wait is not allowed in version 3");
	if (!piece_scaled(piece_word(&rest), 6, &ns))
		return line_bad(reason, "wait is not an unsigned number of ms");
	if (ns > run->record.time_ns)
		run->record.time_ns = ns;
	return line_other(reason, "wait");
}

static enum line_kind io_action(struct run *run, struct piece name, struct piece action,
				struct piece rest, const char **reason)
{
	struct trace_record *record = &run->record;
	struct import_op op;

	run->file = find_file(run, name);
	if (!op_from_word(action, &op))
		return line_bad(reason, "unknown action");
	if (!run->file)
		return line_bad(reason, "I/O to a file without an add line before");
	if (!run->file->open)
		return line_bad(reason, "I/O to a file without an open line before");
	if (!piece_u64(piece_word(&rest), &record->offset) ||
	    !piece_u64(piece_word(&rest), &record->length))
		return line_bad(reason, "offset or length is not an unsigned number");
	record->op = op.op;
	if (op.op == TRACE_FLUSH)
		record->offset = record->length = 0;
	else if (!record->length)
		return line_other(reason, "zero bytes, and no flush");
	return LINE_ROW;
}

static enum line_kind read_line(void *context, struct piece line, const char **reason)
{
	struct run *run = context;
	struct piece name, action;

	line = piece_trim(line);
	if (line.at == line.end)
		return line_other(reason, "empty line");
	if (piece_starts(line, "fio version "))
		return line_other(reason, "header line");
	if (run->version == 3 && !piece_scaled(piece_word(&line), 3, &run->record.time_ns))
		return line_bad(reason, "time is not an unsigned number of us");
	name = piece_word(&line);
	action = piece_word(&line);
	if (is_file_action(action))
		return file_action(run, name, action, reason);
	if (piece_is(action, "wait"))
		return wait_action(run, line, reason);
	return io_action(run, name, action, line, reason);
}

static int give_row(void *context, struct error *err)
{
	struct run *run = context;
	struct trace_row row = {.record = run->record, .pid = -1};
	int device = trace_import_device(run->import, run->file->name, 0, err);

	row.record.stream = (uint16_t)device;
	return device < 0 ? -1 : trace_import_row(run->import, run->source, &row, err);
}

static const struct line_reader reader = {read_line, give_row};

static int find_version(struct run *run, struct error *err)
{
	const unsigned char *data;
	struct piece head, line, version;
	size_t bytes;

	if (trace_source_peek(run->source, 256, &data, &bytes, err))
		return -1;
	line = head = (struct piece){(const char *)data, (const char *)data + bytes};
	piece_line(&head, &line);
	if (piece_starts(line, "fio version 2 iolog") ||
	    piece_starts(line, "fio version 3 iolog")) {
		run->version = (unsigned)(line.at[12] - '0');
		return 0;
	}
	if (!piece_starts(line, "fio version "))
		return error_set(err, "%s:1: no \"fio version 2 iolog\" or \"fio version 3 iolog\"",
				 trace_source_name(run->source));
	line.at += strlen("fio version ");
	version = piece_word(&line);
	return error_set(err, "%s:1: iolog version %.*s; versions 2 and 3 are known",
			 trace_source_name(run->source), (int)piece_length(version), version.at);
}

static void describe(const struct run *run)
{
	bool timed = run->version == 3;
	const struct import_facts facts = {
		.format = timed ? "fio iolog v3" : "fio iolog v2",
		.time_unit =
			timed ? "us since the job began" : "none; waits in ms since the job began",
		.time_meaning = "issue",
		.events = "one line for each I/O",
		.offset_unit = "bytes",
	};

	op_report(run->import, &facts);
	if (!timed)
		trace_report_note(run->import->report,
				  "version 2 has no times: I/Os between two waits have one");
}

static int import_lines(struct trace_import *import, struct error *err)
{
	struct run run = {.import = import,
			  .source = import->sources[0],
			  .record.latency_ns = TRACE_NO_LATENCY};
	int result;

	if (find_version(&run, err))
		return -1;
	describe(&run);
	result = lines_import(import, &reader, &run, err);
	free(run.files);
	return result;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct piece head = {(const char *)data, (const char *)data + bytes};

	(void)name;
	return piece_starts(head, "fio version ") ? 100 : 0;
}

const struct trace_importer import_iolog = {
	.name = "iolog",
	.description = "fio iolog, versions 2 and 3",
	.recognise = recognise,
	.import = import_lines,
};
