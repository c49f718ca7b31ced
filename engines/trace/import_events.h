/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The block layer shows one I/O several times: queued (Q), issued to the drive (D), completed (C).
 * Importers of such captures hand over all of them; here one class is taken, never two (that would
 * be double I/O): D when there is any, else Q, else C, or what --event says. Completions give the
 * latencies. Memory is bounded: the class is decided within the first EVENTS_AHEAD events, and at
 * most as many I/Os wait for their completion.
 */
#ifndef SSDREVIEW_TRACE_IMPORT_EVENTS_H
#define SSDREVIEW_TRACE_IMPORT_EVENTS_H

#include "engines/trace/import_lines.h"

#define EVENTS_AHEAD 65536

enum event_class { EVENT_QUEUE, EVENT_ISSUE, EVENT_COMPLETE, EVENT_CLASSES };

struct event {
	enum event_class class;
	uint32_t major, minor;
	uint64_t sector, bytes, time_ns;
	struct import_op op;
	int64_t pid;	  /* -1: unknown */
	char process[20]; /* "": unknown */
};

/* "MAJOR,MINOR" into the event; false: it is none. */
bool event_set_device(struct event *event, struct piece device);
/* The process's name into the event, cut to what it holds. */
void event_set_process(struct event *event, struct piece name);

struct events;

/* What is known of a device beside its events. */
struct event_disk {
	uint32_t major, minor;
	uint64_t start_bytes, size_bytes; /* of a partition, on its disk; its events count there */
	char name[TRACE_NAME_BYTES];
};

/* Reads --event; NULL with err when it is no class or there is no memory. */
struct events *events_begin(struct trace_import *import, struct error *err);
/* Names the stream of a device; its offsets then count from the disk's start. */
int events_name_disk(struct events *events, const struct event_disk *disk, struct error *err);
int events_add(struct events *events, struct trace_source *source, const struct event *event,
	       struct error *err);
/* Hands over what still waits and says in the report what was taken. */
int events_finish(struct events *events, struct error *err);
void events_free(struct events *events);

/* Begins events, reads the source's lines with reader, which adds to *events, and finishes them. */
int events_import_lines(struct trace_import *import, const struct line_reader *reader,
			void *context, struct events **events, struct error *err);

#endif
