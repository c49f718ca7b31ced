/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of `ssdreview run`: what was asked (options), on what (target), what that means (plan),
 * the job file of one point (job text), fio itself (fio_run), and what is kept (index, conditions).
 * Functions that can fail return 0, or -1 with a sentence in err, unless they say otherwise.
 */
#ifndef SSDREVIEW_REVIEW_H
#define SSDREVIEW_REVIEW_H

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

#include <jansson.h>

#include "base/options.h"
#include "device/sysfs.h"
#include "postprocess/capacity.h"
#include "review/clocks.h"
#include "review/job_file.h"
#include "review/profile.h"

#define SSDREVIEW_VERSION "0.1.0"
/* For estimates: what fio's own start takes, and what a drive of unknown speed writes. */
#define FIO_START_S	    0.5
#define ASSUMED_BYTES_PER_S 2.5e9

#define MAX_CLONES 64 /* of one point */
#define MIB	   (1024ULL * 1024)

/* Of a point, after --quick and scale. Both are ours. */
#define SHORTEST_WAIT_S	   0.05 /* fio's threads start one after the other */
#define SHORTEST_MEASURE_S 0.1	/* less, and a point at 10 % counts too few I/Os */

/* ---- options.c: the command line ----------------------------------------------------------- */

struct run_options {
	const char *profile, *target, *name, *out, *rows, *destroy;
	uint64_t size_bytes; /* 0: the profile's region */
	unsigned repeat, jobs, scale;
	bool quick, read_only, stated_threads, fixed_time, dry_run;
	bool erases; /* of a purge: the target need not be readable */
	/* Of profiles that search. */
	const char *sla, *stagger;	  /* NULL: the profile's */
	unsigned max_desktops, precision; /* 0: no limit; 2 % */
	bool own_places;		  /* no more copies than the region holds apart */
};

int run_options_parse(int argc, char **argv, struct run_options *options, bool *help,
		      struct error *err);
void run_options_print(FILE *out);

/* ---- target.c: the drive under test ------------------------------------------------------- */

enum target_kind { TARGET_DEVICE, TARGET_FILE, TARGET_SIM };

struct target {
	enum target_kind kind;
	char path[PATH_MAX];	     /* absolute; of a simulated drive: its state file */
	bool exists;		     /* false: a file or a simulated drive still to be made */
	bool is_loop;		     /* a device that is a file and its cache */
	char model[96], serial[96];  /* "" when not known */
	char firmware[32], name[64]; /* name: the kernel's, "nvme0n1" */
	char by_id[256];	     /* its name in /dev/disk/by-id, "" when it has none */
	char sim_model[256];	     /* the model's word or path, "" for real drives */
	uint64_t bytes;
	unsigned block_bytes, scale;
	double endurance_bytes; /* rated, at full size; 0: not known */
};

/*
 * Finds out what options->target is. folder is the review's folder, where the state file of a
 * "sim:MODEL" target lives. Nothing is opened for writing and nothing is made. Returns 0, or
 * EXIT_USAGE when it was asked wrongly, or -1, both with err.
 */
int target_find(const struct run_options *options, const char *folder, struct target *target,
		struct error *err);

/* The same of a block device that cannot be read now. 0, or -1 with err. */
int target_find_device(const char *path, struct target *target, struct error *err);

/* Makes the file (preallocated) or the simulated drive when it does not exist yet. */
int target_make(struct target *target, struct error *err);

/* Holds a target that exists against all others until the descriptor returned is closed; -1: err.
 */
int target_hold(const struct target *target, struct error *err);

/* The target that was found is still there, with the size it had. Else -1, with what has changed.
 */
int target_check(const struct target *target, struct error *err);

/* One line that tells this drive from others; kept in the index. Owned by the caller's buffer. */
void target_identity(const struct target *target, char *text, size_t room);

/* What tables call the drive: its model, else the name of the review. */
void target_drive_name(const struct target *target, const char *review, char *text, size_t room);
/* "device", "loop", "file", "simulated" */
const char *target_kind_word(const struct target *target);

/* --destroy was not said (NULL), or names this target and no other. Else -1 with err. */
int target_check_word(const struct target *target, const char *destroy, struct error *err);

/*
 * May a run that writes use this target? Prints what it is and what will be lost (devices), and
 * checks --destroy, which devices and files need that hold what others wrote. made_before: the file
 * was made by this very review. 0, or -1 with err: it was not said, or is wrong.
 */
int target_allow_writing(const struct target *target, const char *destroy, bool made_before,
			 FILE *out, struct error *err);

/* Model, serial, size, what would be lost, and what allows writing over a device. */
void target_print_device(const struct target *target, FILE *out);

/* The folder of a device's whole disk in sysfs: a partition's parent has the model and the serial.
 */
int disk_folder(dev_t device, char *folder, size_t room, struct error *err);

/* ---- model_word.c -------------------------------------------------------------------------- */

/*
 * For commands that want a drive there is: -1 with err when the word is a model of simulated drives
 * ("sim:670p-2tb", "670p-2tb", the path of a model file), or "sim:" and no model; else 0.
 */
int model_word_refuse(const char *word, struct error *err);

/* ---- lost.c: what a device holds now ------------------------------------------------------- */

/* Prints every file system, partition table or other signature on a device and its partitions. */
void print_what_is_lost(const struct target *target, FILE *out);

/* ---- plan.c: what a run comes to ----------------------------------------------------------- */

/* A part of the drive, and what it is called: "1 % of the drive (20.48 GB)". */
struct region {
	uint64_t bytes;
	char words[128];
};

#define PLAN_MAX_LOADS 64

/* One load of a round: a section of the row's job file. */
struct plan_load {
	char name[PROFILE_LOAD_ROOM];
	unsigned block_bytes, read_percent;
	bool random, writes;
	double load_s, sample_s; /* after scale */
	/* Of a load that idles again and again: how long it works each time, and idles; else 0. */
	double work_s, idle_s;
};

/* A section whose blocks are no multiple of the drive's. */
struct left_load {
	char name[PROFILE_LOAD_ROOM];
	unsigned block_bytes;
};

/* Of a row of rounds. */
struct plan_rounds {
	struct plan_load loads[PLAN_MAX_LOADS];
	unsigned load_count;
	struct left_load left_out[PLAN_MAX_LOADS];
	unsigned left_count;
	unsigned tracked[PROFILE_MAX_TRACKS]; /* which load each value that is followed is of */
	double round_s;			      /* of all loads together, after scale */
	uint64_t fill_bytes;		      /* before the first round; 0: none */
	double estimate_s;
};

struct plan_row {
	const struct profile_row *row;
	unsigned in_flight;
	bool writes, sequential;
	bool replays;	       /* a trace, in one job: several would cut up the clones' space */
	unsigned trace_clones; /* that the region holds; 0: not known beforehand */
	unsigned block_bytes;
	bool needs_smaller_blocks; /* its mix has sizes that are no multiple of the drive's blocks
				    */
	double mix_writes;	   /* of a mix: the share of its bytes that is written; else 1 */
	/* Of a search: how many copies may be tried, and why no more; the times of a point. */
	struct search_rules rules;
	struct region region;
	struct plan_rounds rounds; /* of ladders: the loads alone */
	unsigned apart; /* copies the region holds in places of their own; more share places */
	char most_why[160];
	double wait_s, measure_s;
	double write_share; /* of the bytes of its trace */
	/* Of a row that is run once: estimates. */
	double once_s, once_bytes;
};

/* What is known of the drive's SLC cache before it is measured; bytes/s inside and past it. */
struct known_cache {
	uint64_t bytes; /* 0: nothing */
	double fast, slow;
	char from[PATH_MAX];   /* the folder of the review that probed it; "": assumed */
	char stats[PATH_MAX];  /* ... and the statistics file of that probe */
	char spoilt[PATH_MAX]; /* without one: the folder of a review whose probe is spoilt; "":
				  none */
};

struct plan {
	const struct profile *profile;
	const struct run_options *options;
	const struct target *target;
	uint64_t region_bytes;
	char region[128]; /* "1 % of the drive (20.48 GB)" */
	double wait_s, measure_s, cooldown_s, idle_s;
	struct plan_row rows[PROFILE_MAX_ROWS];
	unsigned row_count;
	char left_rows[256]; /* names of rows that the drive cannot do; "": none */
	bool writes, fills;
	bool prepares; /* purges and fills before the first row, for some row wants it */
	bool purges;   /* once before the first row, or before each row that is run once */
	struct known_cache cache;
	struct sla sla; /* of a search */
	double stagger_s;
	double duration_s, written_bytes; /* estimates */
};

int plan_make(const struct profile *profile, const struct run_options *options,
	      const struct target *target, struct plan *plan, struct error *err);
void plan_print(const struct plan *plan, FILE *out); /* plan_print.c */

/* How many fio jobs a row runs as, and whether every row is run once. */
unsigned plan_jobs(const struct plan *plan, const struct plan_row *row);
unsigned plan_thread_jobs(const struct plan *plan, unsigned threads);
bool plan_runs_once(const struct plan *plan);

/* Is the region written again, in order, before the row? */
bool plan_refills(const struct plan *plan, const struct plan_row *row);

/* plan_estimate.c: time and amount of the whole. -1: a row that is run once cannot be. */
int plan_estimate(struct plan *plan, struct error *err);

/* How many points a row has when it is complete, and how long one takes. */
unsigned plan_row_points(const struct plan *plan, const struct plan_row *row);

/* plan_steady.c: loads, times and amounts of rows with rounds or a ladder. */
int plan_steady(struct plan *plan, struct error *err);
/* plan_loads.c: the loads of such a row, from the sections of its job file, and their times. */
int plan_loads(const struct plan *plan, struct plan_row *row, const struct job_file *job,
	       struct error *err);
/* Of loads so short that their figures scatter: which, and what to do. False: there are none. */
bool short_loads_warning(const struct plan *plan, char *text, size_t room);
double steady_bytes(const struct plan *plan, const struct plan_row *row);
void steady_print(const struct plan_row *row, FILE *out);

/*
 * search_plan.c: reads the traces of a profile that searches, and finds how many copies the region
 * holds apart from each other, and the time in which all of them are at work.
 */
int search_plan(struct plan *plan, struct error *err);
void search_print(const struct plan *plan, FILE *out);
#define SEARCH_POINTS  16	  /* a row takes about so many */
#define SEARCH_SECTION "desktops" /* of a job file of a search: what all its points share */

/* How long a point of a row takes, with what comes before and after it. */
double plan_point_seconds(const struct plan *plan, const struct plan_row *row);
/* The row of the plan with that name, or NULL. */
const struct plan_row *plan_find_row(const struct plan *plan, const char *name);

/* known_cache.c: the cache by the newest probe of this drive below --out; without one, assumed. */
void known_cache_find(struct plan *plan);
/* How live data and what is written compare with it; or what the estimate of a probe goes by. */
void known_cache_print(const struct plan *plan, FILE *out);

/* Points of a row: 0 is "max", then the profile's steps, "010" ... */
void plan_point_name(const struct plan *plan, unsigned point, char name[8]);

/* ---- jobtext.c: the job file of one point -------------------------------------------------- */

/*
 * once_plan.c: rows that are run once, by the rules of their job files. Reads the job file of such
 * a row with the options of --quick, and its times divided by the scale of the drive.
 */
int once_job_read(const struct plan *plan, const struct profile_row *row, struct job_file *job,
		  struct error *err);
#define ONCE_POINT "once" /* the name of its point */

/* What the row will write, and how long it takes, on a drive with the cache that is known. */
int once_estimate(const struct plan *plan, struct plan_row *row, struct error *err);

/* What one point changes in its row's job file. */
struct job_point {
	const char *row, *point; /* "4k-randread", "030"; point "fill" for the fill */
	const char *section;	 /* of the row's job file; NULL: the one called as the point */
	unsigned clones; /* of a search: copies of the trace, begun within stagger_s; else 0 */
	double stagger_s;
	const char *label;	 /* what the index calls it; NULL: as its files */
	struct thread_load load; /* of a step of a ladder; else 0 */
	unsigned round;		 /* of a row of rounds, from 1; else 0 */
	double sample_s;	 /* an interval of the statistics; 0: as they are by default */
	double work_s, idle_s;	 /* it idles after so much time at work; 0: it does not */
	unsigned repeat;	 /* 1, 2 ... */
	unsigned percent;	 /* of the max run; 0: as fast as possible */
	const char *engine, *target;
	bool simulated, sequential;
	unsigned in_flight, jobs, region_files;
	uint64_t region_bytes;
	double wait_s, measure_s; /* measure_s 0: until the region is written */
	double once_s;		  /* of a row that is run once: how long it is thought to take */
	const char *cache_from;	  /* ... the statistics file of the probe it goes by, or NULL */
};

/* The complete job file of a point; *text is malloc'ed and the caller's. */
int job_text(const struct job_file *job, const struct job_point *point, char **text,
	     struct error *err);

/* ---- parts.c: what a row's job file needs --------------------------------------------------- */

/* The engine a section names, from the folder where openloop.so was found. */
void job_engine(const struct job_file *job, const char *section, const char *openloop,
		char engine[PATH_MAX]);

/* The trace a section names; the full path of one that comes with the project. False: none. */
bool job_trace(const struct job_file *job, const char *section, char trace[PATH_MAX]);

/*
 * How many clones of its trace a row with clones=auto will play in the region, as the engine counts
 * them; 0 when that cannot be told here (a fixed number, a window, a trace that cannot be read).
 */
unsigned job_clones_held(const struct job_file *job, uint64_t region_bytes);

/* Are they there? -1 with a sentence that names the row and what it lacks. */
int row_check_parts(const struct profile_row *row, const char *openloop, struct error *err);

/* "030", "030.r2": what the names of a point's files begin with. */
void point_stem(const char *point, unsigned repeat, char *stem, size_t room);

/* How many clones a point runs as (numjobs). */
unsigned job_point_clones(const struct job_point *point);

/* ---- fio_run.c: fio as a child ------------------------------------------------------------- */

/* From here on SIGINT and SIGTERM are only noticed by stop_wait(). */
void stop_begin(void);

/* Sleeps until the time is over, a child ends, or a signal sets *asked. */
void stop_wait(bool *asked, double seconds);

/* How fio, a point or a whole run ended. */
enum run_end { RUN_FINE, RUN_FAILED, RUN_STOPPED };

struct fio_step {
	const char *fio;    /* program */
	const char *folder; /* where it runs and leaves its files */
	const char *stem;   /* STEM.fio in, STEM.json and STEM.log out */
	double limit_s;	    /* killed when it takes longer */
	bool *stop;	    /* becomes true when a signal asks to stop; fio then ends cleanly */
	void (*tick)(void *user); /* called about twice a second; may be NULL */
	void *user;
};

/* Runs STEM.fio. RUN_FAILED: the reason is in err, and STEM.json may hold what fio wrote. */
enum run_end fio_run(const struct fio_step *step, struct error *err);

/* Removes what a point cut short left: its output, statistics and log. */
void point_files_remove(const char *folder, const char *stem);

/* "fio-3.33" of the program; and whether the engines fit it. */
int fio_version(const char *fio, char *version, size_t room, struct error *err);
int fio_version_check(const char *version, struct error *err);

/* ---- conditions.c: drive.json, host.json, warnings ------------------------------------------ */

json_t *drive_conditions(const struct target *target);
json_t *host_conditions(const char *fio_version);

/*
 * Sentences about what may hold the drive back, or spoil the figures: a busy machine, governor,
 * link, ASPM, a loop device. A new JSON array.
 */
json_t *condition_warnings(const struct target *target);
/* These, and what else is said of a plan. */
json_t *plan_warnings(const struct plan *plan);

/* Is the load of the last minute more than half the cores? Then the sentence is in text. */
bool busy_warning(double load, unsigned cores, char *text, size_t room);

/* ---- index.c: review.json ------------------------------------------------------------------ */

struct review_index {
	char folder[PATH_MAX], path[PATH_MAX];
	json_t *root;
	int lock_fd;
	bool resumed;	     /* it was there before */
	unsigned rested_min; /* since the last point, when resumed */
	double rested_s;     /* since anything was written in its folder; NAN: not known */
};

/*
 * Opens the review in folder, or begins it. A review that was begun with other options, another
 * profile or on another drive is refused with the first difference.
 */
int index_open(struct review_index *index, const char *folder, const struct plan *plan,
	       struct error *err);
void index_close(struct review_index *index);
int index_save(struct review_index *index, struct error *err);

bool index_has_point(const struct review_index *index, const char *row, const char *point,
		     unsigned repeat);
unsigned index_row_points(const struct review_index *index, const char *row);
void index_drop_row(struct review_index *index, const char *row);

struct index_point {
	const char *row, *name;
	const char *files; /* what its files begin with; NULL: its name */
	unsigned repeat, clones, rested_min;
	const char *failed; /* NULL, or the sentence */
	json_t *more;	    /* further keys, taken over; NULL: none */
	bool has_no_output; /* everything is in the keys */
};

/* Adds a point and saves. */
int index_add_point(struct review_index *index, const struct index_point *point, struct error *err);

/* The row whose load brought the drive into its state, nothing else having been done since. */
const char *index_conditioned(const struct review_index *index);
int index_set_conditioned(struct review_index *index, const char *row, struct error *err);
/* How often a row of rounds began again. */
unsigned index_restarts(const struct review_index *index, const char *row);
void index_add_restart(struct review_index *index, const char *row);

/* "030.stats.json", or the clone's own "030.stats.2.json". */
void point_stats_name(const char *stem, unsigned clone, unsigned clones, char *name, size_t room);

/* Is what the rows read written? Only a fill that ended well counts. */
int index_set_filled(struct review_index *index, bool filled, struct error *err);
bool index_is_filled(const struct review_index *index);

/* By which method the drive was purged last. */
int index_set_purged(struct review_index *index, const char *method, struct error *err);

int index_finish(struct review_index *index, struct error *err);
bool index_is_finished(const struct review_index *index);

/* ---- outcome.c: what points came to --------------------------------------------------------- */

/* Achieved and asked IOPS, latency, verdict: 59 characters and the row fit a line of 100. */
#define OUTCOME_COLUMNS "%9s / %9s %10s  %-25s"

struct point;

/* "88,541 / 88,600 98.1 us valid" in columns; the max run is asked for no rate. */
void outcome_text(const struct point *point, char *text, size_t room);

/* What a number of desktops came to: fewer characters, for its points have longer names. */
#define SEARCH_COLUMNS "%9s  %-28s %-7s"

/* cliff_met.c: whether speed fell for good while the rows that write were measured. */
void cliff_met_print(const struct plan *plan, const char *folder, FILE *out);

/* When the machine spoilt more than a quarter of a review's points: how many, and what to do. */
void outcome_advise(const char *folder, FILE *out);

/* ---- progress.c: the live line ------------------------------------------------------------- */

struct progress {
	FILE *out;
	bool terminal, headed, searches, has_rates;
	int row_width; /* of the longest name */
	uint64_t started_ns;
	double total_s, done_s; /* planned time of all steps, and of those done */
	double step_s;
	uint64_t step_started_ns;
	char row[64], point[32], last[128]; /* last: what the step before came to */
};

void progress_start(struct progress *progress, FILE *out, const struct plan *plan, double total_s);
void progress_step(struct progress *progress, const char *row, const char *point, double step_s);
void progress_tick(void *progress);
/* Ends the step with a line of its own, below one heading: row, point, outcome, time left. */
void progress_end_step(struct progress *progress, const char *outcome);

#define ROUNDS_FILE "rounds.json" /* of a row of rounds, in its folder */

/* compress.c: FILE becomes FILE.gz. */
int file_compress(const char *path, struct error *err);

/* ---- run.c, prepare.c: the loop ------------------------------------------------------------ */

/* A review at work. */
struct run {
	const struct run_options *options;
	struct profile profile;
	struct target target;
	struct plan plan;
	struct review_index index;
	struct progress progress;
	char folder[PATH_MAX], engine[PATH_MAX], fio_version[64];
	const char *fio;
	int held_fd;		     /* -1: the target is not held yet */
	unsigned rested_min;	     /* before the next point */
	struct clocks load_ended;    /* when the last step ended; boot_s 0: none has yet */
	double pause_s;		     /* before the step that runs, or ran last; NAN: not known */
	double slept_s;		     /* the machine, during the last step */
	unsigned failed_steps;	     /* of ladders */
	struct telemetry *telemetry; /* NULL: not opened yet */
	json_t *watched; /* what the drive did during the last step, for the index; or NULL */
	bool stop;
};

/* ---- watch.c: what the drive does during a step, STEM.telemetry.json ------------------------ */

void watch_begin(struct run *run);
void watch_tick(void *run); /* and the live line's tick */
/* Sets run->watched. */
void watch_end(struct run *run, const char *row, const char *stem);
/* The sentence of the first mark that makes its figures no figures of the drive; NULL: none. */
const char *watch_spoils(const json_t *watched);
/* Adds to a step's failure what the drive did to it. */
void watch_explain(const struct run *run, struct error *err);
void watch_close(struct run *run);

/* Writes a step's job file into ROW's folder and runs it, as fio_run() does; planned_s is shown. */
enum run_end run_step(struct run *run, const struct job_file *job, const struct job_point *point,
		      double planned_s, double limit_s, struct error *err);

#define FILL_FOLDER                                                                                \
	"fill" /* the row's word, and the folder, of what is done before the first row */

/*
 * Purges the drive where the profile says so, writes so many bytes of it in order (0: none) as
 * often as asked, and checks that they were written; *report (may be NULL) gets what counted them.
 */
enum run_end prepare(struct run *run, const char *folder_word, uint64_t fill_bytes, unsigned passes,
		     json_t **report, struct error *err);

/* Before a row for which plan_refills(): writes the region in order, without a purge. */
enum run_end refill(struct run *run, const struct plan_row *row, struct error *err);

/* fill_check.c: what a drive had been given when it was asked. NAN: nobody counts. */
struct fill_count {
	double bytes;
	const char *source; /* "diskstats", "simulated" */
};
struct fill_count fill_count_now(const struct target *target);
/* What the drive's own SMART counted during a step, by what watch_end() made of it; else NAN. */
double fill_smart_bytes(const struct target *target, const json_t *watched);
/*
 * Did the fill whose output is at `json` write all it was to, and did that reach the drive? The
 * kernel must have counted 99 % of what fio wrote, and SMART as much less one of its units, 512,000
 * bytes; smart_bytes NAN: the drive does not count. -1 with the amounts.
 */
int fill_check(const struct target *target, const char *json, double wanted,
	       const struct fill_count *before, double smart_bytes, json_t **report,
	       struct error *err);

/*
 * Before a row that is run once: purges where the profile says so, and lets the drive idle.
 */
enum run_end prepare_once(struct run *run, const struct profile_row *row, struct error *err);

/* once.c: the one run of a row, from a drive that was prepared. */
enum run_end once_run(struct run *run, const struct plan_row *row, unsigned repeat,
		      struct error *err);

/* Fills where needed and measures every point that the index does not have. */
enum run_end run_rows(struct run *run, struct error *err);

/*
 * Measures one point and keeps it in the index. RUN_FAILED: it is kept with its reason, which is in
 * err.
 */
enum run_end measure_point(struct run *run, const struct job_file *job,
			   const struct job_point *point, struct point *result, struct error *err);

/* A row's job file, with the mix of its profile. */
int row_job_read(const struct profile_row *row, struct job_file *job, struct error *err);

/* Runs one point, and says what it came to. */
enum run_end run_point(struct run *run, const struct job_file *job, const struct job_point *point,
		       struct error *err);
/* Reads what a point left as the tables will; its verdict is theirs. */
void point_result(const struct run *run, const struct job_point *point, struct point *result);
/* Its statistics files: paths[] and list[] have room for MAX_CLONES. How many there are. */
unsigned point_stats_paths(const struct run *run, const struct job_point *point,
			   char paths[][PATH_MAX], const char **list);

/* How long nothing was sent to the drive, NAN: not known; and whether that is too long. */
double run_pause_s(const struct run *run);
bool run_pause_is_long(const struct run *run);

/* rounds.c: rounds until steady state. Goes on where it was cut, or begins again from its fill. */
enum run_end rounds_run(struct run *run, const struct plan_row *row, struct error *err);
/* The same row once more, though it was finished. */
enum run_end rounds_run_again(struct run *run, const struct plan_row *row, struct error *err);

/*
 * ladder.c: a row that must come right after another finds the drive in its state, or it is brought
 * there again.
 */
enum run_end be_conditioned(struct run *run, const struct plan_row *row, struct error *err);

/* ladder.c: every step of a ladder. */
enum run_end ladder_run(struct run *run, const struct plan_row *row, struct error *err);
/* Keys of a step in the index; NULL for points of other rows. */
json_t *step_describe(const struct run *run, const struct job_point *point, const char *failed);

/* search.c: finds how many desktops a row carries; goes on where it was cut, and says the answer.
 */
enum run_end run_search(struct run *run, const struct plan_row *row, const struct job_file *job,
			struct error *err);
bool search_is_done(const struct run *run, const struct plan_row *row);

/* Waits; a simulated drive lives on meanwhile. */
enum run_end rest(struct run *run, const char *row, const char *word, double seconds);

/* What a point shares with all others of the run: engine, target, region. */
void point_defaults(const struct run *run, struct job_point *point);

/* ---- path.c -------------------------------------------------------------------------------- */

/* ---- a word chooses a command (command.c) ---------------------------------------------------- */

struct command {
	const char *word;
	int (*run)(int argc, char **argv); /* argv[0] is the word; returns an exit code */
	const char *help;		   /* one line */
};

/* name: what stands before the word, such as "ssdreview trace". */
void commands_print(const char *name, const struct command *commands, size_t count, FILE *out);
/* Runs the command of argv[1]; --help, no word and an unknown one are answered here. */
int commands_run(const char *name, const struct command *commands, size_t count, int argc,
		 char **argv);

/* A path from its parts; too long a one is cut short (folders are checked beforehand). */
void path_format(char path[PATH_MAX], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- the commands -------------------------------------------------------------------------- */

int cmd_run(int argc, char **argv);
int cmd_sim(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_purge(int argc, char **argv);
int cmd_drive(int argc, char **argv);
int cmd_trace(int argc, char **argv);

#endif
