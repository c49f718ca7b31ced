/* SPDX-License-Identifier: GPL-2.0-only */
/* The ways traces write an operation. */
#include "engines/trace/import_op.h"

struct op_word {
	const char *word;
	enum trace_op op;
};

static bool starts_like(struct piece word, const char *other)
{
	return word.at < word.end && !((*word.at ^ *other) & ~0x20);
}

bool op_from_word(struct piece word, struct import_op *op)
{
	static const struct op_word words[] = {
		{"R", TRACE_READ},
		{"W", TRACE_WRITE},
		{"read", TRACE_READ},
		{"write", TRACE_WRITE},
		{"D", TRACE_TRIM},
		{"trim", TRACE_TRIM},
		{"discard", TRACE_TRIM},
		{"unmap", TRACE_TRIM},
		{"F", TRACE_FLUSH},
		{"flush", TRACE_FLUSH},
		{"sync", TRACE_FLUSH},
		{"datasync", TRACE_FLUSH},
		{"write zeroes", TRACE_WRITE_ZEROES},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (starts_like(word, words[i].word) && piece_is(word, words[i].word)) {
			*op = (struct import_op){.op = words[i].op};
			return true;
		}
	return false;
}

static uint8_t rwbs_flags(struct piece letters)
{
	uint8_t flags = 0;

	for (; letters.at < letters.end; letters.at++)
		switch (*letters.at) {
		case 'F':
			flags |= TRACE_FUA;
			break;
		case 'S':
			flags |= TRACE_SYNC;
			break;
		case 'M':
			flags |= TRACE_META;
			break;
		case 'A':
			flags |= TRACE_READAHEAD;
			break;
		}
	return flags;
}

static bool all_letters(struct piece text)
{
	for (; text.at < text.end; text.at++)
		if (*text.at < 'A' || *text.at > 'Z')
			return false;
	return true;
}

/* N is what kernels before 6.17 write for write zeroes. */
static bool op_from_letter(struct piece *letters, enum trace_op *op)
{
	switch (*letters->at++) {
	case 'R':
		*op = TRACE_READ;
		return true;
	case 'W':
		*op = TRACE_WRITE;
		if (letters->at < letters->end && *letters->at == 'Z')
			*op = TRACE_WRITE_ZEROES;
		return true;
	case 'D':
		*op = TRACE_TRIM;
		return true;
	case 'F':
		*op = TRACE_FLUSH;
		return true;
	case 'N':
		*op = TRACE_WRITE_ZEROES;
		return true;
	}
	return false;
}

bool op_from_rwbs(struct piece letters, bool has_bytes, struct import_op *op)
{
	*op = (struct import_op){0};
	if (letters.at == letters.end || !all_letters(letters))
		return false;
	if (*letters.at == 'F' && piece_length(letters) > 1) {
		op->flags = TRACE_PREFLUSH;
		letters.at++;
	}
	if (!op_from_letter(&letters, &op->op))
		return false;
	op->flags |= rwbs_flags(letters);
	if (!has_bytes && op->op == TRACE_WRITE_ZEROES)
		op->none = !(op->flags & TRACE_PREFLUSH);
	if (!has_bytes && (op->op == TRACE_WRITE || op->op == TRACE_WRITE_ZEROES))
		op->op = TRACE_FLUSH;
	if (op->op == TRACE_FLUSH)
		op->flags &= (uint8_t)~TRACE_PREFLUSH;
	return true;
}

bool op_issue_time(uint64_t end_ns, uint64_t latency_ns, uint64_t *issue_ns)
{
	if (__builtin_add_overflow(end_ns, 3600 * NS_PER_SEC, issue_ns) || latency_ns > *issue_ns)
		return false;
	*issue_ns -= latency_ns;
	return true;
}

bool op_from_scsi(uint64_t code, struct import_op *op)
{
	*op = (struct import_op){0};
	switch (code) {
	case 0x08: /* READ (6), (10), (12), (16) */
	case 0x28:
	case 0xa8:
	case 0x88:
		op->op = TRACE_READ;
		return true;
	case 0x0a: /* WRITE (6), (10), (12), (16); WRITE AND VERIFY (10), (12), (16) */
	case 0x2a:
	case 0xaa:
	case 0x8a:
	case 0x2e:
	case 0xae:
	case 0x8e:
		op->op = TRACE_WRITE;
		return true;
	case 0x35: /* SYNCHRONIZE CACHE (10), (16) */
	case 0x91:
		op->op = TRACE_FLUSH;
		return true;
	}
	return false;
}

static void say(char *to, size_t room, const char *text)
{
	if (text)
		snprintf(to, room, "%s", text);
}

void op_report(struct trace_import *import, const struct import_facts *facts)
{
	struct trace_report *report = import->report;

	say(report->format, sizeof(report->format), facts->format);
	say(report->time_unit, sizeof(report->time_unit), facts->time_unit);
	say(report->time_meaning, sizeof(report->time_meaning), facts->time_meaning);
	say(report->event_class, sizeof(report->event_class), facts->events);
	say(report->offset_unit, sizeof(report->offset_unit), facts->offset_unit);
	if (import->options->time_unit && !facts->any_unit)
		trace_report_note(report, "--time-unit changes nothing: this format has one unit");
	if (import->options->event && facts->events)
		trace_report_note(report,
				  "--event changes nothing: this format has one row for each I/O");
}

void op_file_name(const struct trace_source *source, char *name, size_t room)
{
	const char *path = trace_source_name(source), *slash = strrchr(path, '/');

	snprintf(name, room, "%s", slash ? slash + 1 : path);
}
