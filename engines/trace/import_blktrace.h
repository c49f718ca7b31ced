/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of blktrace, as the kernel writes them (include/uapi/linux/blktrace_api.h): version 7 and
 * the longer version 8, in the byte order of the machine that captured.
 */
#ifndef SSDREVIEW_TRACE_IMPORT_BLKTRACE_H
#define SSDREVIEW_TRACE_IMPORT_BLKTRACE_H

#include "engines/trace/import_events.h"

#define BLK_HEADER_V7	 48
#define BLK_HEADER_V8	 64
#define BLK_HEADER_BYTES BLK_HEADER_V8 /* the longest */

struct blk_record {
	unsigned version;
	bool swapped; /* not in this machine's byte order */
	uint32_t sequence, bytes, pid, device, cpu;
	uint64_t time_ns, sector;
	uint32_t act;	   /* BLK_ACT_..., without the cgroup bit */
	uint64_t category; /* BLK_CAT_... */
	bool cgroup;	   /* the data begins with an 8-byte cgroup id */
	unsigned header_bytes, data_bytes;
};

enum blk_act { BLK_ACT_QUEUE = 1, BLK_ACT_ISSUE = 7, BLK_ACT_COMPLETE = 8 };
enum blk_notify { BLK_NOTIFY_PROCESS = 0, BLK_NOTIFY_MESSAGE = 2 };

enum blk_category {
	BLK_CAT_READ = 1 << 0,
	BLK_CAT_WRITE = 1 << 1,
	BLK_CAT_FLUSH = 1 << 2,
	BLK_CAT_SYNC = 1 << 3,
	BLK_CAT_PASSTHROUGH = 1 << 9,
	BLK_CAT_NOTIFY = 1 << 10,
	BLK_CAT_AHEAD = 1 << 11,
	BLK_CAT_META = 1 << 12,
	BLK_CAT_DISCARD = 1 << 13,
	BLK_CAT_DRIVER = 1 << 14,
	BLK_CAT_FUA = 1 << 15,
	BLK_CAT_WRITE_ZEROES = 1 << 22,
};

enum blk_found {
	BLK_RECORD,
	BLK_NO_RECORD, /* other bytes than a record's */
	BLK_CUT_SHORT, /* the first `bytes` of one */
	BLK_NEWER,     /* a record of a version that is not known */
};

/* Takes apart the header at data. */
enum blk_found blk_record_read(const unsigned char *data, size_t bytes, struct blk_record *record);

/* What the messages of a capture said so far. */
struct blk_messages {
	struct trace_import *import;
	struct events *events;
	uint64_t clock_ns; /* to be added to the records' times */
};

/* Takes in the text of a message; one that is none of TRACE_MESSAGE_... is passed over. */
int blk_message_read(struct blk_messages *messages, const struct blk_record *record,
		     struct piece message, struct error *err);

/* The operation of a record that is no notify; op->none when it is no I/O. */
void blk_record_op(const struct blk_record *record, struct import_op *op);

#endif
