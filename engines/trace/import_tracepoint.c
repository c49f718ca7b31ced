/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The block tracepoints as text, from tracefs, trace-cmd report or perf script:
 *   TASK-PID [CPU] FLAGS S.US: block_rq_issue: MAJ,MIN RWBS BYTES (CMD) SECTOR + SECTORS [PRIO]
 * [COMM] perf writes block:block_rq_issue; block_rq_complete has no BYTES and ends [ERROR];
 * block_bio_queue has neither BYTES nor (CMD). BYTES is 0 on old kernels: SECTORS counts.
 */
#include "engines/trace/import_events.h"

struct run {
	struct trace_import *import;
	struct events *events;
	struct event event; /* of the present line */
};

/* The name of the event and what follows; false when the line has none behind a time. */
static bool cut_name(struct piece line, struct piece *before, struct piece *name,
		     struct piece *rest)
{
	struct piece look = line;
	const char *at, *end;

	while ((at = piece_find(look, "block_"))) {
		end = memchr(at, ':', (size_t)(line.end - at));
		if (!end)
			return false;
		*name = (struct piece){at, end};
		*rest = (struct piece){end + 1, line.end};
		*before = (struct piece){line.at, at};
		if (piece_length(*before) >= 6 && !memcmp(at - 6, "block:", 6))
			before->end -= 6;
		*before = piece_trim(*before);
		if (before->at < before->end && before->end[-1] == ':')
			return true;
		look.at = end;
	}
	return false;
}

static bool class_of(struct piece name, enum event_class *class)
{
	if (piece_is(name, "block_bio_queue"))
		*class = EVENT_QUEUE;
	else if (piece_is(name, "block_rq_issue"))
		*class = EVENT_ISSUE;
	else if (piece_is(name, "block_rq_complete"))
		*class = EVENT_COMPLETE;
	else
		return false;
	return true;
}

/* "... S.US:" */
static bool read_time(struct piece before, struct event *event)
{
	struct piece time = piece_last_word(&before);

	time.end--;
	return memchr(time.at, '.', piece_length(time)) && piece_scaled(time, 9, &event->time_ns);
}

/* "TASK-PID [CPU] ..." of the kernel's tools, "TASK PID [CPU] ..." of perf. */
static void read_pid(struct piece before, struct event *event)
{
	const char *bracket = piece_find(before, "[");
	struct piece word;
	uint64_t pid;

	event->pid = -1;
	if (!bracket)
		return;
	before.end = bracket;
	word = piece_last_word(&before);
	for (const char *at = word.at; at < word.end; at++)
		if (*at == '-')
			word.at = at + 1;
	if (piece_u64(word, &pid))
		event->pid = (int64_t)pid;
}

/* What stands in front of SECTOR: BYTES and the command's bytes in brackets. */
static bool pass_command(struct piece *rest)
{
	struct piece look = *rest, word = piece_word(&look);
	const char *end;

	if (word.at < word.end && *word.at != '(') {
		word = piece_word(&look);
		if (word.at == word.end || *word.at != '(')
			return true;
	}
	end = piece_find((struct piece){word.at, rest->end}, ")");
	if (!end)
		return false;
	rest->at = end + 1;
	return true;
}

static enum line_kind read_event(struct piece rest, struct event *event, const char **reason)
{
	struct piece device = piece_word(&rest), rwbs = piece_word(&rest), sector, plus, sectors;
	uint64_t count;

	if (!event_set_device(event, device))
		return line_bad(reason, "device is not MAJOR,MINOR");
	if (!pass_command(&rest))
		return line_bad(reason, "no end of the command's bytes");
	sector = piece_word(&rest);
	plus = piece_word(&rest);
	sectors = piece_word(&rest);
	if (!piece_u64(sector, &event->sector) || !piece_is(plus, "+") ||
	    !piece_u64(sectors, &count) || count > UINT64_MAX / 512)
		return line_bad(reason, "no \"SECTOR + SECTORS\"");
	event->bytes = count * 512;
	if (!op_from_rwbs(rwbs, count, &event->op))
		return line_bad(reason, "operation is no RWBS");
	return LINE_ROW;
}

static void read_process(struct piece rest, struct event *event)
{
	const char *open = piece_find(rest, " [");

	rest = piece_trim(rest);
	if (open && rest.end[-1] == ']' && event->class != EVENT_COMPLETE)
		event_set_process(event, (struct piece){open + 2, rest.end - 1});
}

static enum line_kind read_line(void *context, struct piece line, const char **reason)
{
	struct run *run = context;
	struct event *event = &run->event;
	struct piece before, name, rest;
	enum line_kind kind;

	memset(event, 0, sizeof(*event));
	if (!cut_name(line, &before, &name, &rest))
		return line_other(reason, "text that is no event");
	if (!class_of(name, &event->class))
		return line_other(reason, "other event (insert, merge, ...)");
	if (!read_time(before, event))
		return line_bad(reason, "time is not an unsigned number");
	kind = read_event(rest, event, reason);
	if (kind == LINE_ROW) {
		read_pid(before, event);
		read_process(rest, event);
	}
	return kind;
}

static int give_event(void *context, struct error *err)
{
	struct run *run = context;

	return events_add(run->events, run->import->sources[0], &run->event, err);
}

static const struct line_reader reader = {read_line, give_event};

static int import_lines(struct trace_import *import, struct error *err)
{
	static const struct import_facts facts = {
		.format = "block tracepoints, text",
		.time_unit = "s.us of the trace clock",
		.offset_unit = "sectors of 512 B",
	};
	struct run run = {.import = import};

	op_report(import, &facts);
	return events_import_lines(import, &reader, &run, &run.events, err);
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct run run = {0};

	(void)name;
	return lines_recognise(&reader, &run, data, bytes) * 90 / 100;
}

const struct trace_importer import_tracepoint = {
	.name = "tracepoint",
	.description = "block tracepoints as text: tracefs, trace-cmd report, perf script",
	.recognise = recognise,
	.import = import_lines,
};
