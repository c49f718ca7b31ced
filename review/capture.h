/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of `ssdreview trace capture`: the disks, the kernel's settings and how they come back,
 * the kernel's blk tracer, the files that the records wait in, and the keys. Functions that can
 * fail return 0, or -1 with a sentence in err, unless they say otherwise.
 */
#ifndef SSDREVIEW_CAPTURE_H
#define SSDREVIEW_CAPTURE_H

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>
#include <termios.h>

#include "engines/trace/trace.h"

/* ---- capture_disk.c: what is traced -------------------------------------------------------- */

struct capture_disk {
	const char *path;
	char name[NAME_MAX + 1]; /* the kernel's: "nvme0n1p2" */
	char sysfs[64];		 /* its folder: "/sys/dev/block/259:2" */
	char model[128];	 /* "": not known */
	dev_t device, whole;	 /* itself, and the disk that it is a partition of, or itself */
	uint64_t start_bytes;	 /* of a partition, on its disk */
	uint64_t size_bytes;
	bool issues; /* has a request queue, so that issue events (D) exist */
};

/* Opens the device, for reading alone, to see that it can be read; closes it again. */
int capture_disk_find(const char *path, struct capture_disk *disk, struct error *err);
/* Two names of one disk, or a disk that the trace would be written to, are refused. */
int capture_disks_check(const struct capture_disk *disks, unsigned count, const char *output,
			struct error *err);
/*
 * The event to take, 'D' or 'Q': wanted ("D", "Q") when the disks have it, else (NULL) D when all
 * have it, Q when none has.
 */
int capture_event(const struct capture_disk *disks, unsigned count, const char *wanted, char *event,
		  struct error *err);

/* ---- capture_journal.c: settings of the kernel, and how they come back ---------------------- */

/*
 * What has to be written where to undo every change, kept in a file: after a kill -9 the next
 * capture finds it and undoes them. The file is locked while its capture lives.
 */
struct capture_journal {
	const char *path;
	int fd;			/* -1: closed */
	char left_in[PATH_MAX]; /* folder of a killed capture whose changes were undone; "": none */
};

#define CAPTURE_JOURNAL "/run/ssdreview-capture"

int capture_journal_open(struct capture_journal *journal, const char *path, struct error *err);
/* The first line of the journal: the folder in which this capture keeps its records. */
int capture_journal_folder(struct capture_journal *journal, const char *folder, struct error *err);
/* Writes value to a file of the kernel, and before that how to undo it. */
int capture_journal_set(struct capture_journal *journal, const char *file, const char *value,
			const char *undo, struct error *err);
/* Undoes what was set, last first, and empties the journal. */
void capture_journal_close(struct capture_journal *journal);

/* ---- capture_tracer.c: the kernel's blk tracer ---------------------------------------------- */

struct capture_tracer {
	char tracefs[PATH_MAX];
	struct capture_journal journal;
	const struct capture_disk *disks;
	unsigned disk_count, cpus;
};

/* Looks whether this kernel can trace, and whether nobody does; changes nothing but leftovers. */
int capture_tracer_open(struct capture_tracer *tracer, struct error *err);
/* All is set, but nothing is recorded yet. capture_tracer_close() is due in any case. */
int capture_tracer_prepare(struct capture_tracer *tracer, const struct capture_disk *disks,
			   unsigned count, char event, struct error *err);
int capture_tracer_start(struct capture_tracer *tracer, struct error *err);
/* No more is recorded; what was recorded can still be read. */
void capture_tracer_stop(struct capture_tracer *tracer);
/* Events lost since the start. */
uint64_t capture_tracer_lost(const struct capture_tracer *tracer);
void capture_tracer_close(struct capture_tracer *tracer);

/* Adds the three counters of lost events in a buffer's statistics, as the kernel prints them. */
uint64_t capture_lost_parse(FILE *stats);

/* ---- capture_spool.c: from the kernel to files ---------------------------------------------- */

struct capture_pipe;

/*
 * A folder beside the trace to be: one file a CPU, as blktrace names them, and the messages of the
 * capture. Together they are all that `trace import` needs.
 */
struct capture_spool {
	char folder[PATH_MAX];
	struct capture_pipe *pipes;
	unsigned count;
	char event;
	struct trace_capture counts;
	uint64_t file_bytes;
};

int capture_spool_open(struct capture_spool *spool, const char *output, char event,
		       struct error *err);
/* Reads from the tracer's pipes, one a CPU, from now on. */
int capture_spool_attach(struct capture_spool *spool, const struct capture_tracer *tracer,
			 struct error *err);
/* Takes what the kernel has, and never waits for it. 1: more is there already; 0: no more; -1. */
int capture_spool_drain(struct capture_spool *spool, struct error *err);
/* Adds a message (TRACE_MESSAGE_...). */
int capture_spool_message(struct capture_spool *spool, uint64_t time_ns, struct error *err,
			  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Closes the pipes: only then can the tracer be set back. */
void capture_spool_detach(struct capture_spool *spool);
/* Makes the trace of all that was kept. */
int capture_spool_convert(const struct capture_spool *spool, const char *output,
			  struct trace_report *report, struct error *err);
/* Removes the files and the folder. */
void capture_spool_remove(const struct capture_spool *spool);

/* ---- capture_keys.c: who looks on ----------------------------------------------------------- */

enum capture_key { CAPTURE_NOTHING, CAPTURE_STOP, CAPTURE_PHASE };

/*
 * Standard input: at a terminal single keys (q stops, p asks for a phase's name, which ends with
 * Enter), else lines, each the name of a phase.
 */
struct capture_keys {
	bool terminal, open;
	bool asking; /* line is being typed */
	struct termios before;
	char line[TRACE_PHASE_BYTES];
	size_t used;
};

void capture_keys_open(struct capture_keys *keys);
/* What a byte that came in means; a phase's name is in line until the next call. */
enum capture_key capture_keys_take(struct capture_keys *keys, char byte);
/* The terminal as it was. */
void capture_keys_close(struct capture_keys *keys);

/* ---- capture_status.c: the line that shows how it goes --------------------------------------- */

struct capture_status {
	bool terminal; /* standard error is one; else only phases are told, a line each */
	bool keys;     /* do something */
	uint64_t begun_ns, shown_ns;
	uint64_t ios, bytes; /* when it was shown */
	uint64_t lost;
	char phase[TRACE_PHASE_BYTES];
};

void capture_status_begin(struct capture_status *status, bool keys, uint64_t now_ns);
void capture_status_phase(struct capture_status *status, const char *name, uint64_t now_ns);
/* Shows the line anew; a phase's name being typed (NULL: none) stands in its place. */
void capture_status_show(struct capture_status *status, const struct trace_capture *counts,
			 const char *typed, uint64_t now_ns);
void capture_status_end(struct capture_status *status);

/* ---- capture_run.c: from the start to the stop ----------------------------------------------- */

#define CAPTURE_DISKS 16

struct capture {
	struct capture_disk disks[CAPTURE_DISKS];
	unsigned disk_count, phases;
	const char *first_phase; /* NULL: none */
	const char *source; /* what the trace says it is of; NULL: the disks and this machine */
	const char *note;   /* NULL: none */
	char event;
	uint64_t length_ns;	      /* 0: until somebody stops it */
	struct capture_tracer tracer; /* open */
	struct capture_spool spool;   /* open */
	struct capture_keys keys;
	struct capture_status status;
	int signals; /* signalfd: SIGUSR1 begins a phase, all others stop */
	bool stopped;
};

/*
 * Records until it is stopped, and sets the kernel back. What came is in the spool, also after a
 * failure; status.lost says how many events were lost.
 */
int capture_run(struct capture *capture, struct error *err);

#endif
