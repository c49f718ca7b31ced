/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Purge: a drive is brought back to what it was before anything was written to it. What it supports
 * is asked of it, one way is chosen, done, waited for and checked by reading back. Nothing here
 * prints, and nothing asks whether it may: callers hold the drive by the guard, for all of it.
 *
 * A sanitize goes on in the drive when nobody looks, also over a power cut: one that is found is
 * awaited. Format and sanitize go by ioctl, so that the kernel learns the geometry anew.
 */
#ifndef SSDREVIEW_PURGE_H
#define SSDREVIEW_PURGE_H

#include <limits.h>

#include "base/base.h"
#include "device/nvme_admin.h"
#include "device/nvme_names.h"

/* ---- methods -------------------------------------------------------------------------------- */

enum purge_method {
	PURGE_AUTO, /* the best the drive has */
	PURGE_SANITIZE_CRYPTO,
	PURGE_SANITIZE_BLOCK,
	PURGE_SANITIZE_OVERWRITE,
	PURGE_FORMAT_CRYPTO,
	PURGE_FORMAT_USER,
	PURGE_DEALLOCATE,
	PURGE_METHODS
};

/* "sanitize-block"; what it does: "every block of flash is erased". */
const char *purge_method_word(enum purge_method method);
const char *purge_method_meaning(enum purge_method method);
/* An unknown word is named with the nearest one; -1. */
int purge_method_parse(const char *word, enum purge_method *method, struct error *err);

/* ---- what a drive can do -------------------------------------------------------------------- */

#define PURGE_MOST_OTHERS 64

/* Another namespace that shares the controller or the NVM subsystem. */
struct purge_namespace {
	uint32_t nsid;
	char name[NVME_NAME_BYTES]; /* "nvme0n2"; "": no block device here */
};

/* What a deallocated block reads (DLFEAT of Identify Namespace). */
enum purge_reads { PURGE_READS_ANYTHING, PURGE_READS_ZEROES, PURGE_READS_ONES };

struct purge_drive {
	char path[PATH_MAX]; /* a block device or a file */
	char name[64];	     /* "nvme0n1" */
	bool is_nvme, is_file, is_partition;
	struct nvme_admin admin;  /* of an NVMe drive */
	struct nvme_id_ns format; /* ... how the namespace is formatted, and is to stay */
	struct purge_namespace others[PURGE_MOST_OTHERS];
	unsigned other_count;
	bool can[PURGE_METHODS];
	bool hits_others[PURGE_METHODS];  /* erases the other namespaces as well */
	double estimate_s[PURGE_METHODS]; /* by the drive; NAN: it does not say */
	enum purge_reads reads;
	bool sanitize_failed; /* it takes nothing else until one ends well, ... */
	bool restricted;      /* ... and that of the same kind: its failure cannot be left */
	char no_nvme[256];    /* why an NVMe drive could not be asked; "": it could, or is none */
	char no_nvme_reason[96]; /* the same in a few words */
};

/*
 * Opens a block device or a file, by its full path, for what follows, and asks what it can do. -1
 * with err when it is not there. An NVMe drive that does not let itself be asked (no permission)
 * can still deallocate. Closed by purge_close().
 */
int purge_open(const char *path, struct purge_drive *drive, struct error *err);
void purge_close(struct purge_drive *drive);

/*
 * The part of it that goes by what an NVMe drive answers: fills can[], hits_others[] (by the
 * others that are filled in), estimate_s[] and reads. log NULL: it has no sanitize log. NVM Express
 * Base Specification 1.4: OACS, FNA, SANICAP (figure 247), DLFEAT (figure 245), log 81h.
 */
void purge_read_abilities(const struct nvme_id_ctrl *controller, const struct nvme_id_ns *ns,
			  const struct nvme_sanitize_log_page *log, struct purge_drive *drive);

/* "sanitize-block, format-user and deallocate", best first; "nothing". */
void purge_list_methods(const struct purge_drive *drive, char *text, size_t room);
/* "nvme0n2 and namespace 3 (no block device here)" */
void purge_list_others(const struct purge_drive *drive, char *text, size_t room);

/*
 * Chooses: what was asked, if the drive has it and it hits nothing else (or all_namespaces says
 * that it may); for PURGE_AUTO the best such one. -1 with what the drive has, or what would be hit.
 */
int purge_choose(const struct purge_drive *drive, enum purge_method asked, bool all_namespaces,
		 enum purge_method *chosen, struct error *err);
/* A better method that PURGE_AUTO left for the sake of other namespaces, or PURGE_AUTO. */
enum purge_method purge_left_out(const struct purge_drive *drive, enum purge_method chosen);

/* ---- doing it ------------------------------------------------------------------------------- */

struct purge_progress {
	const char *doing;
	double share;		  /* done, 0 to 1; NAN: not known */
	double elapsed_s, left_s; /* left NAN: not known */
	bool cannot_stop;
};

struct purge_hooks {
	/* Told about every second. */
	void (*progress)(void *user, const struct purge_progress *progress);
	/* Waits; true when the user wants to stop. */
	bool (*wait)(void *user, double seconds);
	void *user;
};

/* The most recent sanitize by log page 81h. */
struct sanitize_status {
	enum { SANITIZE_NEVER, SANITIZE_DONE, SANITIZE_RUNNING, SANITIZE_FAILED } state;
	unsigned sstat;		  /* as the drive has it */
	enum purge_method method; /* PURGE_AUTO: not known */
	double share;		  /* while it runs */
	double estimate_s;	  /* of such a one, NAN: not known */
	bool global_data_erased;  /* nothing was written since it was made, or the last sanitize */
	bool unrestricted;	  /* its failure may be left without another one */
};

struct purge_geometry {
	uint64_t bytes;
	uint32_t block_bytes;
};

/* Read back in places across the drive, compared with what was there before. */
struct purge_check {
	unsigned samples;
	unsigned zeroes, ones, other, unreadable; /* what they read afterwards */
	unsigned unchanged;			  /* ... of these: hold the data of before */
	unsigned blank; /* were zeroes or ones, or could not be read, before: prove nothing */
	bool passed;
	char text[192]; /* one sentence, without its end */
};

struct purge_result {
	enum purge_method method;
	bool refused;	  /* the drive did not begin: another method may do */
	bool was_running; /* a sanitize that somebody had begun before */
	double seconds;
	struct purge_geometry before, after;
	bool has_sanitize;
	struct sanitize_status sanitize;
	struct purge_check check;
	uint64_t trimmed_bytes; /* of PURGE_DEALLOCATE */
};

enum purge_end { PURGE_DONE, PURGE_FAILED, PURGE_STOPPED };

/*
 * Purges. held_fd: the guard's hold on the drive. PURGE_FAILED: the reason is in err, which is also
 * that of a drive that still reads its old data; result holds what is known by then. PURGE_STOPPED:
 * a sanitize goes on in the drive, a deallocation has ended; a format is never stopped.
 */
enum purge_end purge_run(struct purge_drive *drive, int held_fd, enum purge_method method,
			 const struct purge_hooks *hooks, struct purge_result *result,
			 struct error *err);

/*
 * The kernel drops what it remembers of a device, its pages and its partitions; by any descriptor
 * of it.
 */
void purge_forget(int fd);

/* Is a sanitize running, begun by anybody? False also where that cannot be asked. */
bool purge_is_sanitizing(const struct purge_drive *drive, struct sanitize_status *status);

/* Waits for the end of a sanitize that runs, and checks as purge_run() does. */
enum purge_end purge_await(struct purge_drive *drive, const struct purge_hooks *hooks,
			   struct purge_result *result, struct error *err);

#endif
