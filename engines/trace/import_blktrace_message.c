/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages in a blktrace capture, "KEY: TEXT". Anybody can put a phase's mark there; the others are
 * what `ssdreview trace capture` knows and the records do not say.
 */
#include "engines/trace/import_blktrace.h"

/* The text behind "KEY: " into *text. */
static bool has_key(struct piece message, const char *key, struct piece *text)
{
	if (!piece_starts(message, key))
		return false;
	*text = piece_trim((struct piece){message.at + strlen(key), message.end});
	return true;
}

/* As a trace can hold it: printable. */
static void copy_text(char *to, size_t room, struct piece text)
{
	snprintf(to, room, "%.*s", (int)piece_length(text), text.at);
	for (; *to; to++)
		if ((unsigned char)*to < ' ' || *to == 127)
			*to = '?';
}

/* "MAJOR,MINOR START SIZE NAME", in bytes. */
static int learn_disk(struct events *events, struct piece text, struct error *err)
{
	struct piece number = piece_word(&text), start = piece_word(&text),
		     size = piece_word(&text), name = piece_trim(text);
	struct event_disk disk = {0};
	struct event event = {0};

	if (!event_set_device(&event, number) || !piece_u64(start, &disk.start_bytes) ||
	    !piece_u64(size, &disk.size_bytes) || !piece_length(name))
		return 0;
	disk.major = event.major;
	disk.minor = event.minor;
	copy_text(disk.name, sizeof(disk.name), name);
	return events_name_disk(events, &disk, err);
}

static void add_lost(struct trace_import *import, struct piece text)
{
	uint64_t lost;

	if (!piece_u64(text, &lost))
		return;
	import->lost_said = true;
	import->lost += lost;
}

int blk_message_read(struct blk_messages *messages, const struct blk_record *record,
		     struct piece message, struct error *err)
{
	struct trace_import *import = messages->import;
	struct trace_provenance *given = &import->given;
	char name[TRACE_PHASE_BYTES];
	struct piece text;

	if (has_key(message, TRACE_MESSAGE_PHASE, &text) && piece_length(text)) {
		copy_text(name, sizeof(name), text);
		return trace_import_phase(import, name, record->time_ns + messages->clock_ns, err);
	}
	if (has_key(message, TRACE_MESSAGE_DISK, &text))
		return learn_disk(messages->events, text, err);
	if (has_key(message, TRACE_MESSAGE_CLOCK, &text) && piece_u64(text, &messages->clock_ns))
		import->clock = TRACE_CLOCK_UNIX;
	else if (has_key(message, TRACE_MESSAGE_SOURCE, &text))
		copy_text(given->source, sizeof(given->source), text);
	else if (has_key(message, TRACE_MESSAGE_NOTE, &text))
		copy_text(given->note, sizeof(given->note), text);
	else if (has_key(message, TRACE_MESSAGE_LOST, &text))
		add_lost(import, text);
	return 0;
}
