/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated drive. Two layers:
 *
 *  - the model (sim_model_*): a drive in virtual time. Submit an I/O at time t and get the time at
 *    which it completes. It knows neither fio nor a clock, draws every random number from seeds,
 *    and gives the same answers for the same calls.
 *  - the drive (sim_drive_*): a model whose state lives in a file shared by all jobs of a run and
 *    kept between runs, bound to CLOCK_MONOTONIC, with one lock.
 *
 * Every function that can fail returns 0, or -1 with a sentence in err.
 */
#ifndef SSDREVIEW_SIM_H
#define SSDREVIEW_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* SIM_WRITE_FUA: a write that is on the medium, or safe from a power cut, when it completes. */
enum sim_op { SIM_READ, SIM_WRITE, SIM_TRIM, SIM_FLUSH, SIM_WRITE_ZEROES, SIM_WRITE_FUA };

/*
 * Something that happens to a drive at a given drive time, from an [event NAME] section of a model
 * file or given when a drive is made. A stall freezes the drive: nothing completes while it lasts,
 * I/Os on their way finish that much later. A throttle episode divides speeds by `factor`.
 * at_ns and every_ns, and the length of a throttle episode, are divided by scale (policy times);
 * the length of a stall is a latency and is not.
 */
enum sim_event_kind { SIM_STALL, SIM_THROTTLE };

struct sim_event {
	enum sim_event_kind kind;
	uint64_t at_ns;	      /* drive time */
	uint64_t every_ns;    /* repeats; 0: once. Longer than duration_ns. */
	uint64_t duration_ns; /* > 0 */
	double factor;	      /* throttle: > 1 */
	double temperature_c; /* throttle: shown while it lasts */
};

/* "stall:at_s=5,duration_ms=1000", with the keys of an [event] section. */
int sim_event_parse(const char *text, struct sim_event *event, struct error *err);

/* The same text of an event; keys that say nothing are left out. */
void sim_event_text(const struct sim_event *event, char *text, size_t room);

#define SIM_MAX_EVENTS 16 /* of a drive: the model's own and the ones given */

/* What a user is told about a model or a drive. Sizes are after scale. */
struct sim_info {
	char model[64]; /* the model's word: "670p-2tb" */
	char drive[96]; /* the drive it stands for, as in published.csv: "Intel 670p 2TB" */
	uint64_t capacity_bytes; /* divided by scale */
	unsigned block_bytes;	 /* logical block size */
	unsigned scale;		 /* 1 = full size */
	uint64_t seed;
	double rated_endurance_bytes;		 /* full size; 0 = not known */
	struct sim_event events[SIM_MAX_EVENTS]; /* as scripted, in times before scale */
	unsigned event_count;
};

/* The state of a drive at one moment, for statistics files and `ssdreview sim info`. */
struct sim_status {
	uint64_t drive_time_ns;	     /* time the drive has lived while attached */
	uint64_t host_written_bytes; /* since it was made or purged */
	double fill_share;	     /* mapped pages / all pages, 0..1 */
	double waf;		     /* write amplification now, 1 = none */
	double spare_share;	     /* free blocks / all blocks, 0..1; 1 when not modelled */
	uint64_t slc_used_bytes, slc_size_bytes;
	double temperature_c;
	bool throttled;
};

/* ---- models ---------------------------------------------------------------------------- */

struct sim_model; /* parameters read from a model file, never changed */
struct sim_state; /* a drive's state in virtual time: a flat piece of memory, no pointers */

/* Reads a model by its word ("670p-2tb", from the drives folder) or by the path of a .model file.
 */
int sim_model_load(const char *word_or_path, struct sim_model **model, struct error *err);
void sim_model_free(struct sim_model *model);

/* Words of all models in the drives folder, sorted; *words and each word are the caller's. */
int sim_model_list(char ***words, size_t *count, struct error *err);

/* The published points a model file carries beside its parameters (for `make calibrate`). */
struct sim_published {
	char workload[64];     /* row of published.csv: "4k-randread" */
	char protocol[32];     /* profile whose curve it belongs to: "client-qlc", ... */
	unsigned in_flight;    /* as the published point implies; 0: the profile's */
	double iops;	       /* 0: not published */
	double latency_us;     /* mean; 0: not published */
	double bandwidth_mbps; /* decimal MB/s; 0: not published */
	double iops_tolerance, latency_tolerance; /* shares: 0.05 = 5 % */
};
size_t sim_model_published(const struct sim_model *model, const struct sim_published **points);

void sim_model_info(const struct sim_model *model, unsigned scale, struct sim_info *info);

/* Adds an event to a model in memory; refused when it cannot be or there are SIM_MAX_EVENTS. */
int sim_model_add_event(struct sim_model *model, const struct sim_event *event, struct error *err);

/* Bytes of state for a model at a scale; the caller gives zeroed memory of that size. */
size_t sim_state_bytes(const struct sim_model *model, unsigned scale);
int sim_state_init(struct sim_state *state, const struct sim_model *model, unsigned scale,
		   uint64_t seed, struct error *err);

/*
 * Submits one I/O at time now_ns (drive time, never going back by more than a reader would notice:
 * an earlier time is taken as the latest one seen). `random` is the caller's own stream of random
 * numbers, one per job: any start value, updated by the call. offset and bytes are whole blocks
 * within the capacity (asserted). Returns the completion time, > now_ns.
 */
uint64_t sim_state_submit(struct sim_state *state, const struct sim_model *model, enum sim_op op,
			  uint64_t offset, uint64_t bytes, uint64_t now_ns, uint64_t *random);

/* As after a secure erase: everything unmapped, caches empty, drive time kept. */
void sim_state_purge(struct sim_state *state);

void sim_state_status(const struct sim_state *state, const struct sim_model *model,
		      struct sim_status *status);

/* ---- drives: a state file on the machine's clock ----------------------------------------- */

struct sim_drive;

/*
 * Makes a state file (refuses to overwrite anything). Leaves nothing behind when it fails. `events`
 * (may be NULL when event_count is 0) come on top of those in the model file.
 */
int sim_drive_create(const char *path, const char *model_word, unsigned scale, uint64_t seed,
		     const struct sim_event *events, size_t event_count, struct error *err);

/* True when the file at path begins like a state file or looks like a model file. */
bool sim_is_state_file(const char *path);
bool sim_is_model_file(const char *path);

/* Reads the header only: no lock, no clock. Names the damage when the file is damaged. */
int sim_drive_info(const char *path, struct sim_info *info, struct error *err);

/*
 * Attaches. The first one attached starts the drive's clock where it stood; time in which nobody is
 * attached does not exist for the drive. A crash or kill of any user leaves the file usable.
 */
int sim_drive_open(const char *path, struct sim_drive **drive, struct error *err);
void sim_drive_close(struct sim_drive *drive);

const struct sim_info *sim_drive_get_info(const struct sim_drive *drive);

/*
 * Submits now: takes the lock, reads CLOCK_MONOTONIC inside it (*issued_ns), and returns the
 * completion time on the same clock.
 */
uint64_t sim_drive_submit(struct sim_drive *drive, enum sim_op op, uint64_t offset, uint64_t bytes,
			  uint64_t *random, uint64_t *issued_ns);

void sim_drive_status(struct sim_drive *drive, struct sim_status *status);

/* As after a secure erase: everything unmapped, caches empty, clocks and counters of wear kept. */
int sim_drive_purge(const char *path, struct error *err);

/*
 * Holds the drive against others that ask for the same until the returned descriptor is closed; it
 * does not hinder attaching. Refused while anybody is attached. Returns the descriptor, or -1.
 */
int sim_drive_hold(const char *path, struct error *err);

#endif
