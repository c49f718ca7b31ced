/* SPDX-License-Identifier: GPL-2.0-only */
/* One line of blkparse's default text. */
#include "engines/trace/import_blkparse.h"

bool blkparse_class(struct piece action, enum event_class *class)
{
	if (piece_length(action) != 1)
		return false;
	switch (*action.at) {
	case 'Q':
		*class = EVENT_QUEUE;
		return true;
	case 'D':
		*class = EVENT_ISSUE;
		return true;
	case 'C':
		*class = EVENT_COMPLETE;
		return true;
	}
	return false;
}

enum line_kind blkparse_op(struct piece rwbs, struct event *event, const char **reason)
{
	if (!op_from_rwbs(rwbs, event->bytes, &event->op))
		return line_bad(reason, "operation is no RWBS");
	return LINE_ROW;
}

/* "[name]" at the end of the line; the name may hold blanks and brackets. "[0]" of C is an error.
 */
static void read_process(struct piece rest, struct event *event)
{
	const char *open = piece_find(rest, "[");

	rest = piece_trim(rest);
	if (open && event->class != EVENT_COMPLETE && rest.end[-1] == ']')
		event_set_process(event, (struct piece){open + 1, rest.end - 1});
}

/* "CPU [SEQ] S.NS": the time is the first word with a point. */
static bool read_time(struct piece *rest, struct event *event)
{
	struct piece word = piece_word(rest);
	uint64_t number;

	for (int words = 0; words < 3; words++) {
		if (words && memchr(word.at, '.', piece_length(word)))
			return piece_scaled(word, 9, &event->time_ns);
		if (!piece_u64(word, &number))
			return false;
		word = piece_word(rest);
	}
	return false;
}

static bool begins_with(struct piece word, char c)
{
	return word.at < word.end && *word.at == c;
}

/* "SECTOR + SECTORS ..."; flushes have "SECTOR ..." or no place. */
static enum line_kind read_place(struct piece rest, struct piece rwbs, struct event *event,
				 const char **reason)
{
	struct piece tail = rest, sector = piece_word(&tail), plus = piece_word(&tail);
	uint64_t count = 0;

	if (begins_with(sector, '(') || begins_with(plus, '('))
		return line_other(reason, "passthrough command");
	if (sector.at < sector.end && *sector.at != '[' && !piece_u64(sector, &event->sector))
		return line_bad(reason, "sector is not an unsigned number");
	if (piece_is(plus, "+") &&
	    (!piece_u64(piece_word(&tail), &count) || count > UINT64_MAX / 512))
		return line_bad(reason, "length is not an unsigned number");
	event->bytes = count * 512;
	read_process(rest, event);
	return blkparse_op(rwbs, event, reason);
}

enum line_kind blkparse_default(struct piece line, struct event *event, const char **reason)
{
	struct piece rest = line, device = piece_word(&rest), action, rwbs;
	uint64_t pid;

	memset(event, 0, sizeof(*event));
	if (device.at == device.end || !piece_is_device(device))
		return line_other(reason, "text that is no event (headings, summary)");
	if (!event_set_device(event, device))
		return line_bad(reason, "device is not MAJOR,MINOR");
	if (!read_time(&rest, event))
		return line_bad(reason, "CPU, sequence or time is not an unsigned number");
	if (!piece_u64(piece_word(&rest), &pid))
		return line_bad(reason, "pid is not a number");
	action = piece_word(&rest);
	if (action.at == action.end)
		return line_bad(reason, "line ends before its action");
	event->pid = (int64_t)pid;
	if (!blkparse_class(action, &event->class))
		return line_other(reason, "other event (merge, plug, ...)");
	rwbs = piece_word(&rest);
	return read_place(rest, rwbs, event, reason);
}
