/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of a purge: methods and their choice (purge_method.c), what a drive has (purge_open.c),
 * samples read before and after (purge_check.c), sanitize (purge_sanitize.c), deallocation
 * (purge_discard.c), and the whole (purge.c).
 */
#ifndef SSDREVIEW_PURGE_INTERNAL_H
#define SSDREVIEW_PURGE_INTERNAL_H

#include "device/purge.h"

bool purge_is_sanitize(enum purge_method method);

/* ---- purge_check.c -------------------------------------------------------------------------- */

#define PURGE_SAMPLES 64

enum sample_kind { SAMPLE_UNREADABLE, SAMPLE_ZEROES, SAMPLE_ONES, SAMPLE_DATA };

struct purge_samples {
	unsigned count;
	uint32_t bytes; /* of each */
	uint64_t at[PURGE_SAMPLES];
	uint64_t sums[PURGE_SAMPLES];
	enum sample_kind kinds[PURGE_SAMPLES];
};

/* Chooses places: the first, the last, and one at random in each part between; reads nothing. */
void samples_place(const struct purge_geometry *geometry, uint64_t seed,
		   struct purge_samples *samples);
/* Reads all of them past the page cache, again at the same places. */
void samples_read(const char *path, struct purge_samples *samples);
/* reads: what the method promises of every block. */
void samples_compare(const struct purge_samples *before, const struct purge_samples *after,
		     enum purge_reads reads, struct purge_check *check);

/* ---- purge_sanitize.c ----------------------------------------------------------------------- */

void sanitize_read_log(const struct nvme_sanitize_log_page *log, struct sanitize_status *status);
/* 0, an NVMe status or -errno, as nvme_admin.h has them; so does format_run(). */
int sanitize_begin(const struct purge_drive *drive, enum purge_method method, struct error *err);
/* Polls until it has ended, well or not: that is in status. PURGE_FAILED: the log is not read. */
enum purge_end sanitize_await(const struct nvme_admin *admin, double estimate_s,
			      const struct purge_hooks *hooks, struct sanitize_status *status,
			      struct error *err);
/* -1 with a sentence when it has failed. */
int sanitize_check(const struct purge_drive *drive, const struct sanitize_status *status,
		   struct error *err);

/* ---- purge_format.c ------------------------------------------------------------------------- */

/* Which of its LBA formats a namespace has: FLBAS of Identify Namespace. */
unsigned format_number(const struct nvme_id_ns *ns);

/* A secure erase of the namespace that keeps its LBA format, metadata and protection. */
int format_run(const struct purge_drive *drive, enum purge_method method,
	       const struct purge_hooks *hooks, struct error *err);

/* ---- purge_discard.c ------------------------------------------------------------------------ */

/* Trims a device, or punches a file and takes the space again; *done counts bytes. */
enum purge_end discard_run(const struct purge_drive *drive, const struct purge_geometry *geometry,
			   const struct purge_hooks *hooks, uint64_t *done, struct error *err);

/* ---- purge_open.c --------------------------------------------------------------------------- */

/* Asks drive->admin; the others that the kernel shows are filled in. -1: it does not answer. */
int purge_ask(struct purge_drive *drive, struct error *err);

/* ---- what all of them use ------------------------------------------------------------------- */

/* Seconds left: by the share done, else by an estimate; NAN when neither tells. */
double purge_left(double share, double elapsed_s, double estimate_s);

int purge_read_geometry(const char *path, struct purge_geometry *geometry, struct error *err);

#endif
