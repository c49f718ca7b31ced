/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the command and a review purge a target: a device or a file by device/purge.h, a simulated
 * drive by its model. What was done is a JSON object, described in docs/results.md ("purge.json").
 */
#ifndef SSDREVIEW_REVIEW_PURGE_H
#define SSDREVIEW_REVIEW_PURGE_H

#include "device/purge.h"
#include "review/review.h"

/* The word for the purge of a simulated drive, where others have their method's. */
#define PURGE_SIMULATED "simulated"

/* What one purge came to; released by purge_done_free(). */
struct purge_done {
	json_t *record;	 /* NULL: nothing was begun */
	json_t *refused; /* methods that the drive refused, with the reasons; NULL: none */
	char word[32];	 /* "sanitize-block" */
	char text[256];	 /* "purged by sanitize-block in 34 s; 64 places read back: all zeroes" */
};

/* What was asked, and which method that is with this drive. */
struct purge_choice {
	enum purge_method asked, method;
	bool all_namespaces;
};

/*
 * Purges a device or a file that was opened and is held. What the drive refuses though it says it
 * has it is left for the next best, unless it was asked for by name. RUN_STOPPED: done->text says
 * what goes on, and how to go on.
 */
enum run_end purge_drive_now(struct purge_drive *drive, const struct target *target, int held_fd,
			     struct purge_choice choice, const struct purge_hooks *hooks,
			     struct purge_done *done, struct error *err);

void purge_done_free(struct purge_done *done);

/* Waits for a sanitize that runs already, begun by anybody. */
enum run_end purge_drive_await(struct purge_drive *drive, const struct target *target,
			       const struct purge_hooks *hooks, struct purge_done *done,
			       struct error *err);

int purge_simulated(const struct target *target, struct purge_done *done, struct error *err);

/* purge_record.c: end is how it ended; failed: NULL or the sentence. */
json_t *purge_record(const struct target *target, const struct purge_drive *drive,
		     enum purge_method asked, const struct purge_result *result,
		     const char *failed);
json_t *purge_record_simulated(const struct target *target);

#define PURGE_TEXT_ROOM 256
/* "purged (sanitize-block)", "not purged (a file)": what a review will do with the target. */
void purge_plan_text(const struct target *target, char *text, size_t room);

/*
 * In a review: purges the run's target as well as it can be, and keeps purge.json in `folder` of
 * the review ("": the review's own). A file, and a device that takes no trims, are left as they
 * are.
 */
enum run_end purge_in_run(struct run *run, const char *row, const char *folder, struct error *err);

/* ---- on the terminal (purge_show.c) --------------------------------------------------------- */

struct purge_show {
	FILE *out;
	bool terminal, stop;
	double said_share, said_s; /* of the last line, where nobody looks at a terminal */
};

void purge_show_begin(struct purge_show *show, FILE *out, struct purge_hooks *hooks);
/* Ends the live line. */
void purge_show_end(struct purge_show *show);

/*
 * Before a device is looked at: waits for a sanitize that runs in it, for until its end it answers
 * no read. 0; -1 with err when it fails, or was stopped. Prints only when there is one.
 */
int purge_wait_for_device(const char *path, FILE *out, struct error *err);

#endif
