/* SPDX-License-Identifier: GPL-2.0-only */
/* The state file: a header that never changes, what its users share, then the state. */
#ifndef SSDREVIEW_SIM_DRIVE_FILE_H
#define SSDREVIEW_SIM_DRIVE_FILE_H

#include <pthread.h>

#include "engines/sim/state.h"

#define DRIVE_MAGIC   "ssdreview drive" /* 15 characters and a zero */
#define DRIVE_VERSION 2
#define STATE_AT      16384 /* where the state begins */

struct drive_header {
	char magic[16];
	uint32_t version, params_bytes;
	uint64_t file_bytes, state_bytes, scale, seed;
	uint64_t params_hash;
	struct sim_params params; /* a copy: the file needs no model file */
	uint64_t header_hash;	  /* of all before it */
};

/* Changes while in use. */
struct drive_shared {
	pthread_mutex_t mutex;
	uint64_t base_ns;  /* CLOCK_MONOTONIC at drive time 0 */
	uint64_t drive_ns; /* drive time of the last call: where the clock stands between runs */
	uint32_t busy;	   /* a call is changing the state */
	uint32_t purging;  /* a purge has begun and must be finished */
};

struct drive_file {
	struct drive_header header;
	struct drive_shared shared;
};

_Static_assert(sizeof(struct drive_file) <= STATE_AT, "the state begins after the header");

/* Reads and checks the header of an open file; -1 with byte offset and reason. */
int drive_header_read(const char *path, int fd, struct drive_header *header, struct error *err);

#endif
