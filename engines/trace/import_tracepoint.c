/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The block tracepoints as text, from tracefs, trace-cmd report or perf script:
 *   TASK-PID [CPU] FLAGS S.US: block_rq_issue: MAJ,MIN RWBS BYTES (CMD) SECTOR + SECTORS [PRIO]
 * [COMM] perf writes block:block_rq_issue; block_rq_complete has no BYTES and ends [ERROR];
 * block_bio_queue has neither BYTES nor (CMD). BYTES is 0 on old kernels: SECTORS counts.
 */
#include "engines/trace/import_events.h"

enum found { FOUND_EVENT, FOUND_OTHER, FOUND_TEXT, FOUND_BAD };

struct run {
	struct trace_import *import;
	struct events *events;
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

static enum found read_event(struct piece rest, struct event *event, const char **reason)
{
	struct piece device = piece_word(&rest), rwbs = piece_word(&rest), sector, plus, sectors;
	uint64_t count;

	*reason = "device is not MAJOR,MINOR";
	if (!event_set_device(event, device))
		return FOUND_BAD;
	*reason = "no \"SECTOR + SECTORS\"";
	if (!pass_command(&rest))
		return FOUND_BAD;
	sector = piece_word(&rest);
	plus = piece_word(&rest);
	sectors = piece_word(&rest);
	if (!piece_u64(sector, &event->sector) || !piece_is(plus, "+") ||
	    !piece_u64(sectors, &count) || count > UINT64_MAX / 512)
		return FOUND_BAD;
	event->bytes = count * 512;
	*reason = "operation is no RWBS";
	return op_from_rwbs(rwbs, count, &event->op) ? FOUND_EVENT : FOUND_BAD;
}

static void read_process(struct piece rest, struct event *event)
{
	const char *open = piece_find(rest, " [");

	rest = piece_trim(rest);
	if (open && rest.end[-1] == ']' && event->class != EVENT_COMPLETE)
		event_set_process(event, (struct piece){open + 2, rest.end - 1});
}

static enum found read_line(struct piece line, struct event *event, const char **reason)
{
	struct piece before, name, rest;
	enum found found;

	memset(event, 0, sizeof(*event));
	*reason = "text that is no event";
	if (!cut_name(line, &before, &name, &rest))
		return FOUND_TEXT;
	*reason = "other event (insert, merge, ...)";
	if (!class_of(name, &event->class))
		return FOUND_OTHER;
	*reason = "time is not an unsigned number";
	if (!read_time(before, event))
		return FOUND_BAD;
	found = read_event(rest, event, reason);
	if (found == FOUND_EVENT) {
		read_pid(before, event);
		read_process(rest, event);
	}
	return found;
}

static int take_line(struct run *run, struct piece line, struct error *err)
{
	struct trace_source *source = run->import->sources[0];
	struct event event;
	const char *reason;

	switch (read_line(line, &event, &reason)) {
	case FOUND_EVENT:
		return events_add(run->events, source, &event, err);
	case FOUND_BAD:
		return trace_import_bad(run->import, source, reason, err);
	default:
		trace_import_skip(run->import, source, reason);
		return 0;
	}
}

static int take_lines(struct run *run, struct error *err)
{
	size_t length;
	char *line;
	int got;

	while ((got = trace_source_line(run->import->sources[0], &line, &length, err)) > 0)
		if (take_line(run, (struct piece){line, line + length}, err))
			return -1;
	return got < 0 ? -1 : events_finish(run->events, err);
}

static int import_lines(struct trace_import *import, struct error *err)
{
	struct trace_report *report = import->report;
	struct run run = {.import = import, .events = events_begin(import, err)};
	int result;

	if (!run.events)
		return -1;
	snprintf(report->format, sizeof(report->format), "block tracepoints, text");
	snprintf(report->time_unit, sizeof(report->time_unit), "s.us of the trace clock");
	snprintf(report->offset_unit, sizeof(report->offset_unit), "sectors of 512 B");
	result = take_lines(&run, err);
	events_free(run.events);
	return result;
}

static int recognise(const unsigned char *data, size_t bytes, const char *name)
{
	struct piece rest = piece_whole_lines(data, bytes, TRACE_PEEK_BYTES), line;
	unsigned events = 0, bad = 0;
	const char *reason;
	struct event event;

	(void)name;
	while (events < 200 && piece_line(&rest, &line)) {
		enum found found = read_line(line, &event, &reason);

		events += found == FOUND_EVENT;
		bad += found == FOUND_BAD;
	}
	return events ? (int)(90 * events / (events + bad)) : 0;
}

const struct trace_importer import_tracepoint = {
	.name = "tracepoint",
	.description = "block tracepoints as text: tracefs, trace-cmd report, perf script",
	.recognise = recognise,
	.import = import_lines,
};
