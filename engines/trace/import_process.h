/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of processes by their number, as captures tell them now and then. */
#ifndef SSDREVIEW_TRACE_IMPORT_PROCESS_H
#define SSDREVIEW_TRACE_IMPORT_PROCESS_H

#include "engines/trace/import_piece.h"

#define PROCESS_NAME_BYTES 16
#define PROCESSES_MAX	   4096 /* the last ones told; others are forgotten */

struct processes {
	struct process {
		uint32_t pid;
		char name[PROCESS_NAME_BYTES]; /* "": free */
	} slot[PROCESSES_MAX];
};

/* The name ends at a 0 byte, or with the text. */
void processes_learn(struct processes *processes, uint32_t pid, struct piece name);
/* Puts the name into text, "" when it is unknown. */
void processes_find(const struct processes *processes, uint32_t pid, char *text, size_t room);

#endif
