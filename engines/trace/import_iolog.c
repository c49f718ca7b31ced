/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's iologs. Version 3: "us file action [offset length]". Version 2: "file action [offset
 * length]" without times, but for "file wait ms", which waits until ms after the start. A file is
 * added and opened before its first I/O.
 */
#include <stdlib.h>

#include "engines/trace/import_op.h"

#define FILES_MAX 4096

enum file_state { FILE_ADDED = 1, FILE_OPEN = 2 };

struct iolog_file {
	char name[TRACE_NAME_BYTES];
	unsigned state;
};

struct run {
	struct trace_import *import;
	struct trace_source *source;
	unsigned version;
	uint64_t time_ns; /* version 2: of the last wait */
	struct iolog_file *files;
	unsigned file_count, file_last, file_room;
};

static int bad(struct run *run, const char *reason, struct error *err)
{
	return trace_import_bad(run->import, run->source, reason, err);
}

static void skip(struct run *run, const char *reason)
{
	trace_import_skip(run->import, run->source, reason);
}

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
	file->state = 0;
	return file;
}

/* "file add", "file open", "file close". */
static int file_action(struct run *run, struct piece name, struct piece action, struct error *err)
{
	struct iolog_file *file =
		piece_is(action, "add") ? add_file(run, name) : find_file(run, name);

	if (piece_is(action, "add")) {
		if (!file)
			return bad(run, "file name too long, or more than 4096 files", err);
		file->state = FILE_ADDED;
	} else if (!file) {
		return bad(run, "file is opened or closed without an add line before", err);
	} else {
		file->state = piece_is(action, "open") ? FILE_ADDED | FILE_OPEN : FILE_ADDED;
	}
	skip(run, "file action (add, open, close)");
	return 0;
}

static bool is_file_action(struct piece action)
{
	return piece_is(action, "add") || piece_is(action, "open") || piece_is(action, "close");
}

static int wait_action(struct run *run, struct piece rest, struct error *err)
{
	uint64_t ns;

	if (run->version != 2)
		return bad(run, "wait is not allowed in version 3", err);
	if (!piece_scaled(piece_word(&rest), 6, &ns))
		return bad(run, "wait is not an unsigned number of ms", err);
	if (ns > run->time_ns)
		run->time_ns = ns;
	skip(run, "wait");
	return 0;
}

static int io_action(struct run *run, struct piece name, struct piece action, struct piece rest,
		     struct error *err)
{
	const struct iolog_file *file = find_file(run, name);
	struct trace_row row = {.record = {.time_ns = run->time_ns, .latency_ns = TRACE_NO_LATENCY},
				.pid = -1};
	struct import_op op;
	int device;

	if (!op_from_word(action, &op))
		return bad(run, "unknown action", err);
	if (!file || !(file->state & FILE_OPEN))
		return bad(run,
			   !file ? "I/O to a file without an add line before"
				 : "I/O to a file without an open line before",
			   err);
	if (!piece_u64(piece_word(&rest), &row.record.offset) ||
	    !piece_u64(piece_word(&rest), &row.record.length))
		return bad(run, "offset or length is not an unsigned number", err);
	row.record.op = op.op;
	if (op.op == TRACE_FLUSH)
		row.record.offset = row.record.length = 0;
	else if (!row.record.length)
		return skip(run, "zero bytes, and no flush"), 0;
	device = trace_import_device(run->import, file->name, 0, err);
	row.record.stream = (uint16_t)device;
	return device < 0 ? -1 : trace_import_row(run->import, run->source, &row, err);
}

static int take_line(struct run *run, struct piece line, struct error *err)
{
	struct piece name, action;

	line = piece_trim(line);
	if (line.at == line.end)
		return skip(run, "empty line"), 0;
	if (piece_starts(line, "fio version "))
		return skip(run, "header line"), 0;
	if (run->version == 3 && !piece_scaled(piece_word(&line), 3, &run->time_ns))
		return bad(run, "time is not an unsigned number of us", err);
	name = piece_word(&line);
	action = piece_word(&line);
	if (is_file_action(action))
		return file_action(run, name, action, err);
	if (piece_is(action, "wait"))
		return wait_action(run, line, err);
	return io_action(run, name, action, line, err);
}

static int take_lines(struct run *run, struct error *err)
{
	size_t length;
	char *line;
	int got;

	while ((got = trace_source_line(run->source, &line, &length, err)) > 0)
		if (take_line(run, (struct piece){line, line + length}, err))
			return -1;
	return got;
}

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
	struct trace_report *report = run->import->report;

	snprintf(report->format, sizeof(report->format), "fio iolog v%u", run->version);
	snprintf(report->time_unit, sizeof(report->time_unit), "%s",
		 run->version == 3 ? "us since the job began"
				   : "none; waits in ms since the job began");
	snprintf(report->time_meaning, sizeof(report->time_meaning), "issue");
	snprintf(report->event_class, sizeof(report->event_class), "one line for each I/O");
	snprintf(report->offset_unit, sizeof(report->offset_unit), "bytes");
	if (run->version == 2)
		trace_report_note(report,
				  "version 2 has no times: I/Os between two waits have one");
}

static int import_lines(struct trace_import *import, struct error *err)
{
	struct run run = {.import = import, .source = import->sources[0]};
	int result;

	if (find_version(&run, err))
		return -1;
	describe(&run);
	result = take_lines(&run, err);
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
