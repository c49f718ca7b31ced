/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the engines share: one loop (queue, commit, getevents, event), the schedule, the ways to a
 * drive, and the statistics file. An engine file holds its options and its ops table.
 */
#ifndef SSDREVIEW_CORE_H
#define SSDREVIEW_CORE_H

#include "engines/core/fio_compat.h"

#include "base/base.h"
#include "engines/core/engine_stats.h"
#include "engines/core/schedule.h"

enum drive_kind { DRIVE_AUTO, DRIVE_BLOCK, DRIVE_NVME, DRIVE_SIM };

/* Options every engine of the core has; each engine's option struct begins with it. */
struct core_options {
	void *pad; /* fio writes here */
	char *stats_file;
	unsigned drive;	     /* enum drive_kind */
	unsigned store_data; /* a simulated drive keeps what is written, for verify= */
	char *seed;
	unsigned long long stats_interval_us;
};

/* Options of engines that send at a rate. */
struct rate_options {
	char *iorate;	/* IOPS, or a percentage of what max_from holds */
	char *max_from; /* statistics file of the run at the maximum */
};

/* What is known of an I/O that is not complete; one a place in flight, by io_u->index. */
struct io_slot {
	uint64_t due_ns, issue_ns; /* on fio's clock */
	uint64_t drive_ns;	   /* simulated drives: the true latency */
	bool is_counted;	   /* part of the load: not a sync, not of a verify phase */
	bool is_fua;		   /* simulated drives: on the medium when it completes */
};

struct engine;
struct load;

/* How a run ended. */
struct run_end {
	const struct engine *engine;
	uint64_t window_end_ns;
	uint64_t unsent;	/* due in the window, and never left */
	uint64_t oldest_due_ns; /* of these */
};

/*
 * What was due and never left is counted one by one up to so many. The rest is taken to be due at
 * their mean rate, so that a run that was far behind ends as soon as any other.
 */
#define CORE_MOST_COUNTED 1000000

/* Counts unsent I/Os, in the order in which they were due; begins with zeros. */
struct unsent_count {
	uint64_t seen, in_window;
	uint64_t oldest_ns, latest_ns;
};

/* One more of them. false: core_unsent_total() knows enough. */
static inline bool core_unsent_add(struct unsent_count *count, uint64_t due_ns, uint64_t from_ns)
{
	if (!count->seen++)
		count->oldest_ns = due_ns;
	count->in_window += due_ns >= from_ns;
	count->latest_ns = due_ns;
	return count->seen < CORE_MOST_COUNTED || due_ns == count->oldest_ns;
}

/* How many were due in [from_ns, end_ns). */
static inline uint64_t core_unsent_total(const struct unsent_count *count, uint64_t from_ns,
					 uint64_t end_ns)
{
	uint64_t rest_ns = end_ns - (count->latest_ns > from_ns ? count->latest_ns : from_ns);

	if (count->seen < CORE_MOST_COUNTED || count->latest_ns == count->oldest_ns)
		return count->in_window;
	return count->in_window + (uint64_t)((double)rest_ns * (double)count->seen /
					     (double)(count->latest_ns - count->oldest_ns));
}

/*
 * Where the I/Os of a job come from and when they are due. fio's own pattern with a schedule is one
 * (load_schedule.c), a trace another. Every clone has its own, freed by its free().
 */
struct load_ops {
	/* The load begins, or goes on after a pause. */
	void (*start)(struct load *load, struct thread_data *td, uint64_t now_ns);
	/* When the I/O in hand is due. */
	uint64_t (*due_ns)(const struct load *load);
	/* The I/O in hand has left: on to the next one. */
	void (*sent)(struct load *load);
	/* I/Os that fall due in [from_ns, end_ns) and have not left; the oldest at *oldest_due_ns.
	 */
	uint64_t (*count_unsent)(struct load *load, uint64_t from_ns, uint64_t end_ns,
				 uint64_t *oldest_due_ns);
	/* The run is over: what the statistics file says of the load. NULL: nothing. */
	void (*conclude)(struct load *load, const struct run_end *end,
			 struct stats_description *description);
	/*
	 * For a load that keeps accounts of its own, both or none: an I/O has left (at_limit: it
	 * was late because all slots were taken); it is complete. Syncs too.
	 */
	void (*left)(struct load *load, const struct io_u *io_u, const struct io_slot *slot,
		     bool at_limit);
	void (*completed)(struct load *load, const struct io_u *io_u, const struct io_slot *slot,
			  uint64_t now_ns);
	void (*free)(struct load *load);
};

struct load {
	const struct load_ops *ops;
	bool paced;	  /* false: I/Os leave as fast as the in-flight limit allows */
	bool paces_syncs; /* syncs are part of the load, with due times of their own */
};

/* fio's own pattern, due by a schedule; NULL with err when memory is short. */
struct load *load_schedule(enum arrival arrival, double iops, uint64_t seed, unsigned clone,
			   unsigned clones, struct error *err);

/* A way to a drive. One backend, one file, one const table at its end. */
struct drive_ops {
	/* In the job's own process, after fork: sets engine->drive. 0, or -1 with err. */
	int (*open)(struct engine *engine, struct error *err);
	void (*close)(struct engine *engine);
	/* Takes an I/O that leaves with the next send(). False: no room, reap first. */
	bool (*prepare)(struct engine *engine, struct io_u *io_u);
	/* All prepared I/Os leave. Returns 0 or -errno. */
	int (*send)(struct engine *engine);
	/* Hands every completed I/O to engine_complete(); never waits. Returns 0 or -errno. */
	int (*reap)(struct engine *engine);
	/* Is there anything to reap? Costs no system call. */
	bool (*ready)(struct engine *engine);
	/* Waits until there is something to reap, wait_ns at most. Returns 0 or -errno. */
	int (*wait)(struct engine *engine, uint64_t wait_ns);
	/* How hot the drive is (NAN: not known), and whether it slows down for it. */
	void (*read_heat)(struct engine *engine, double *temperature_c, bool *is_hot);
	/* Fills in what the statistics file says of the drive. */
	void (*describe)(struct engine *engine, struct stats_description *description);
	/* What it knows of the error of an I/O; malloc'ed, NULL: no more than its errno. May be
	 * NULL. */
	char *(*explain)(struct engine *engine, const struct io_u *io_u);
};

/* One clone of a job: private data of the engine. */
struct engine {
	struct thread_data *td;
	const struct drive_ops *drive_ops;
	const struct nvme_options *nvme_options; /* of drive_nvme */
	void *drive;				 /* of drive_ops; NULL: not open */
	struct load *load;
	bool fua;	       /* a write prepared now is on the medium when it completes */
	bool load_runs;	       /* false: (re)start it at the next paced I/O */
	bool expects_due;      /* the last queue() held an I/O back: getevents() may return early */
	uint64_t last_seen_ns; /* the latest moment the loop looked at the clock */
	uint64_t wake_late_ns; /* by how much sleeps end later than asked, as a rule */
	uint64_t released_ns;  /* when a slot last came free after all were taken */
	uint64_t stall_ns;     /* how late an I/O left although a slot was free: the thread stood */
	uint64_t stall_end_ns; /* what was due before is late by it */
	bool is_watched;       /* the load has completed() */
	bool is_plain;	       /* nvme_passthru alone: it does without the loop */
	unsigned depth;	       /* the largest number in flight */
	unsigned in_flight;    /* submitted, and not handed back to fio yet */
	struct io_slot *slots;
	struct io_u **prepared; /* waiting for send() */
	unsigned prepared_count;
	struct io_u **done; /* completed: a ring of `depth` places */
	unsigned done_first, done_count;
	unsigned event_first; /* of the batch fio is told of now */
	uint64_t epoch_ns;    /* of fio's statistics; it moves when ramp_time ends */
	bool window_is_final; /* it will not move again */
	struct engine_stats *stats;
	char *stats_path;
};

extern const struct drive_ops drive_block, drive_nvme, drive_sim;

/* The ops table, or NULL after a sentence when this fio is not the one compiled against. */
struct ioengine_ops *core_engine_ops(struct ioengine_ops *ops);

/* In the parent, for every file: guard, kind of drive, size. 0 or an errno, like fio's own. */
int core_get_file_size(struct thread_data *td, struct fio_file *f);
/* What goes without NVMe commands, for sentences: not every engine has drive=. */
const char *core_block_way(const struct thread_data *td);
int core_open_file(struct thread_data *td, struct fio_file *f);
int core_close_file(struct thread_data *td, struct fio_file *f);

/* What is known of an error beyond its errno; malloc'ed, for fio to print. */
#ifdef FIO_ERRDETAILS_TAKES_TD
char *core_errdetails(struct thread_data *td, struct io_u *io_u);
#else
char *core_errdetails(struct io_u *io_u);
#endif

/* How I/Os reach this file of the job, by drive= and by what it is; never DRIVE_AUTO. */
enum drive_kind core_target_kind(struct thread_data *td, struct fio_file *f);
/* Is that DRIVE_SIM? */
bool core_target_is_simulated(struct thread_data *td, struct fio_file *f);

/* fio's index (tnumber_to_td()) of the first of the clones of td's job; the others follow it. */
unsigned core_first_clone(const struct thread_data *td);

/* What the statistics file says of td's clone; the engine adds how it is paced. 0, or -1. */
int core_run(struct thread_data *td, struct stats_run *run, struct error *err);

/* Prints what is wrong with a job, the engine's and the job's name before it; returns 1. */
int core_report(struct thread_data *td, const struct error *err);

/*
 * One line on standard error, the engine's and the job's name before it, in one write: jobs do not
 * mix. Not fio's own log: its output may be JSON, and that of a server goes to the client.
 */
void core_say(const struct thread_data *td, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The rate of one of so many clones, 0: not given. 0, or -1 with err. */
int core_parse_rate(const struct rate_options *options, unsigned clones, double *iops,
		    struct error *err);

/* Refuses options that fight the schedule. 0, or -1 with err. */
int core_check_options(struct thread_data *td, bool paced, struct error *err);

/* An option of fio that an engine cannot follow, when it is set, and why. */
struct core_forbidden {
	bool is_set;
	const char *option, *why;
};

int core_refuse_first(const struct core_forbidden *options, size_t count, struct error *err);

/*
 * Makes td->io_ops_data in the job's process. Takes the load over, also when it fails. 0 or 1, like
 * fio's init().
 */
int core_init(struct thread_data *td, struct load *load, const struct stats_run *run);
int core_post_init(struct thread_data *td);
void core_cleanup(struct thread_data *td);

/* FILE for clone 2 of 4 is FILE with ".2" before ".json" (or at its end); malloc'ed. */
char *core_clone_path(const char *path, unsigned clone, unsigned clones);

/* The loop: the hooks of fio's ops table. */
enum fio_q_status core_queue(struct thread_data *td, struct io_u *io_u);
int core_commit(struct thread_data *td);
int core_getevents(struct thread_data *td, unsigned min, unsigned max, const struct timespec *t);
struct io_u *core_event(struct thread_data *td, int event);

/*
 * For an I/O that queue() gives back, for it is not known yet what leaves next: waits until
 * until_ns, but no longer than 10 ms or to the next completion. Returns BUSY.
 */
enum fio_q_status core_hold(struct thread_data *td, uint64_t until_ns);

/* Called by drives: io_u is complete at now_ns; error and resid are set in it. */
void engine_complete(struct engine *engine, struct io_u *io_u, uint64_t now_ns);

static inline uint64_t timespec_to_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_SEC + (uint64_t)time->tv_nsec;
}

/* fio's own I/Os, to verify or to sync at the end, are no part of the load. */
static inline bool is_of_fio(const struct thread_data *td)
{
	return td->runstate == TD_VERIFYING || td->runstate == TD_FSYNCING;
}

/* fio's own clock in ns (it may be the TSC: never mix it with another clock). */
static inline uint64_t fio_now_ns(void)
{
	struct timespec now;

	fio_gettime(&now, NULL);
	return timespec_to_ns(&now);
}

static inline struct timespec ns_to_timespec(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_SEC),
				 .tv_nsec = (long)(ns % NS_PER_SEC)};
}

/* clang-format off */

/* The hooks of fio's ops table that are the same for every engine of the core. */
#define CORE_HOOKS                                                             \
	.version = FIO_IOOPS_VERSION,                                          \
	.post_init = core_post_init,                                           \
	.commit = core_commit,                                                 \
	.getevents = core_getevents,                                           \
	.event = core_event,                                                   \
	.cleanup = core_cleanup,                                               \
	.open_file = core_open_file,                                           \
	.close_file = core_close_file,                                         \
	.errdetails = core_errdetails

#define CORE_OPTIONS(owner, member)                                                            \
	{                                                                                      \
		ENGINE_OPTION("stats_file", "Statistics file", FIO_OPT_STR_STORE,              \
			      owner, member.stats_file,                                        \
			      "JSON file for what fio does not report: lateness, "             \
			      "unsent I/Os, response time per interval"),                      \
	},                                                                                     \
	{                                                                                      \
		ENGINE_OPTION("stats_interval", "Interval of the statistics",                  \
			      FIO_OPT_STR_VAL_TIME, owner, member.stats_interval_us,           \
			      "How long an interval in the statistics file is"),               \
		.is_seconds = 1,                                                               \
		.is_time = 1,                                                                  \
		.def = "1",                                                                    \
	},                                                                                     \
	{                                                                                      \
		ENGINE_OPTION("seed", "Seed", FIO_OPT_STR_STORE,                               \
			      owner, member.seed,                                              \
			      "Random numbers of this job: the same seed draws the "           \
			      "same schedule; clones differ"),                                 \
		.def = "1",                                                                    \
	},                                                                                     \
	{                                                                                      \
		ENGINE_OPTION("store_data", "Store data", FIO_OPT_BOOL,                        \
			      owner, member.store_data,                                        \
			      "A simulated drive keeps what is written in "                    \
			      "STATEFILE.data, so that verify= works"),                        \
		.def = "0",                                                                    \
	}

#define RATE_OPTIONS(owner, member)                                                            \
	{                                                                                      \
		ENGINE_OPTION("iorate", "I/O rate", FIO_OPT_STR_STORE,                         \
			      owner, member.iorate,                                            \
			      "IOPS of this clone, all directions together (0: as "            \
			      "fast as iodepth allows), or a percentage of the "               \
			      "maximum in max_from="),                                         \
	},                                                                                     \
	{                                                                                      \
		ENGINE_OPTION("max_from", "Maximum from", FIO_OPT_STR_STORE,                   \
			      owner, member.max_from,                                          \
			      "Statistics file of the run at the maximum, for "                \
			      "iorate=N%"),                                                    \
	}

#define DRIVE_OPTION(owner, member)                                                            \
	{                                                                                      \
		ENGINE_OPTION("drive", "Way to the drive", FIO_OPT_STR,                        \
			      owner, member.drive,                                             \
			      "How I/Os reach the drive"),                                     \
		.def = "auto",                                                                 \
		.posval = {                                                                    \
			{.ival = "auto", .oval = DRIVE_AUTO,                                   \
			 .help = "By what the target is"},                                     \
			{.ival = "block", .oval = DRIVE_BLOCK,                                 \
			 .help = "Block device or file"},                                      \
			{.ival = "nvme", .oval = DRIVE_NVME,                                   \
			 .help = "NVMe commands"},                                             \
			{.ival = "sim", .oval = DRIVE_SIM,                                     \
			 .help = "Simulated drive"},                                           \
		},                                                                             \
	}
/* clang-format on */

#endif
