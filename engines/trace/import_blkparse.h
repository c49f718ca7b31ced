/* SPDX-License-Identifier: GPL-2.0-only */
/* One event in the text of blkparse: its default lines, and those of a -f format. */
#ifndef SSDREVIEW_TRACE_IMPORT_BLKPARSE_H
#define SSDREVIEW_TRACE_IMPORT_BLKPARSE_H

#include "engines/trace/import_events.h"

/*
 * "MAJ,MIN CPU [SEQ] S.NS PID ACT RWBS [SECTOR + SECTORS] ...": blkparse's default, and without SEQ
 * the kernel's own blk tracer.
 */
enum line_kind blkparse_default(struct piece line, struct event *event, const char **reason);

#define BLKPARSE_PARTS 64

/* A -f format: conversions, each with the literal text behind it. */
struct blkparse_format {
	char before[64]; /* literal text in front of the first conversion */
	struct blkparse_part {
		char conversion; /* of blkparse(1): 'a', 'C', ... */
		char literal[32];
	} part[BLKPARSE_PARTS];
	unsigned parts;
	bool has_action;
};

/* Refused: an unknown conversion, or no time (%T %t), sector (%S) or size (%n, %N). */
int blkparse_format_parse(const char *text, struct blkparse_format *format, struct error *err);

/* Without %a in the format every line is an event of `missing`. */
enum line_kind blkparse_formatted(const struct blkparse_format *format, enum event_class missing,
				  struct piece line, struct event *event, const char **reason);

/* Q, D, C; false for other actions. */
bool blkparse_class(struct piece action, enum event_class *class);

/* Sets event->op from RWBS letters; event->bytes must be known. */
enum line_kind blkparse_op(struct piece rwbs, struct event *event, const char **reason);

#endif
