/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a plan: places (area), windows (meter), and steps, which the modes string together.
 */
#ifndef SSDREVIEW_QLC_PLAN_INTERNAL_H
#define SSDREVIEW_QLC_PLAN_INTERNAL_H

#include "base/histogram.h"
#include "engines/qlc/qlc.h"

#define WINDOWS_OF_REGION 4000 /* at least so many, where a window's size is not given */
#define CACHES_TO_SUSTAIN 4    /* written past the cliff, where neither amount nor time is given */

/* ---- places: blocks of a part of the region, in order or in none, each once until all were -- */

struct area {
	uint64_t first, blocks; /* in blocks */
	uint64_t used;		/* blocks handed out so far; beyond `blocks`: the next time round */
	uint64_t seed;
	bool is_random;
};

void area_begin(struct area *area, uint64_t first, uint64_t blocks, bool is_random, uint64_t seed);
uint64_t area_next(struct area *area);			     /* block number in the region */
uint64_t area_any(const struct area *area, uint64_t random); /* one that was handed out before */

/* ---- windows: what was written in one piece of a step -------------------------------------- */

struct qlc_window {
	uint64_t start_ns, duration_ns; /* from the start of the plan */
	uint64_t bytes, reads;
	double mean_ns, read_mean_ns;
	uint64_t p99_ns, max_ns, read_p99_ns;
	struct qlc_heat heat;
};

struct meter {
	struct qlc_window *windows;
	size_t count, room;
	bool is_short; /* of memory: windows are missing */
	uint64_t window_bytes, window_ns;
	uint64_t start_ns, bytes; /* of the window that is open; start_ns 0: none is */
	struct histogram writes, reads;
};

/* A window begins now, unless one is open. */
void meter_begin(struct meter *meter, uint64_t now_ns);
void meter_add_read(struct meter *meter, uint64_t latency_ns);
/* True when the window that is open is full. */
bool meter_add_write(struct meter *meter, uint64_t bytes, uint64_t latency_ns, uint64_t now_ns);
/* Closes it and begins the next one. The last of meter->windows; NULL when memory is short. */
struct qlc_window *meter_close(struct meter *meter, uint64_t now_ns, uint64_t origin_ns);
/* What is in the window that is open is forgotten; it is too short to be one. */
void meter_drop(struct meter *meter);

double window_speed(const struct qlc_window *window); /* bytes/s */

/* ---- a cliff between two speeds that are known --------------------------------------------- */

struct known_cliff {
	double fast, slow;   /* bytes/s */
	double gain, most;   /* how much better "all fast so far" explains the windows */
	unsigned since_most; /* windows */
	uint64_t bytes;	     /* seen so far */
	uint64_t most_bytes; /* until gain was most */
};

void known_cliff_begin(struct known_cliff *cliff, double fast, double slow);
/* True when the cliff was met: at most_bytes of what was written since it began. */
bool known_cliff_add(struct known_cliff *cliff, const struct qlc_window *window);

/* ---- steps --------------------------------------------------------------------------------- */

enum step_kind { STEP_WRITE, STEP_IDLE, STEP_TRIM };

enum step_goal {
	GOAL_BYTES,	  /* the bytes are written */
	GOAL_TIME,	  /* the time is over */
	GOAL_CLIFF,	  /* a cliff was found, and settle_bytes are written */
	GOAL_KNOWN_CLIFF, /* the cliff of the probe was met again */
};

struct step {
	enum step_kind kind;
	enum step_goal goal;
	const char *what; /* "probe", "fill", "burst", ... */
	uint64_t bytes;	  /* goal, or how much to trim */
	uint64_t duration_ns;
	/* what became of it */
	uint64_t start_ns, end_ns, written; /* times on the caller's clock */
	size_t first_window, end_window;
	unsigned level_percent;
	double idle_s; /* waited before it */
	bool is_cut;   /* the plan was stopped in it */
	bool cliff_met;
	uint64_t fast_bytes;	      /* written before the cliff was met */
	struct cliff_verdict verdict; /* GOAL_CLIFF */
	struct cliff_change *changes; /* owned */
	size_t change_count;
};

struct qlc_plan;

/* The next step into *step; false: the plan is through. */
typedef bool mode_step(struct qlc_plan *plan, struct step *step);

/* Where a mode is in its program. */
struct mode_state {
	unsigned stage, index;
	double idle_s;				    /* recover, burst: of the wait that came last */
	unsigned order[QLC_LIST * 64], order_count; /* recover: idle times in random order */
	double first_s;				    /* burst: the idle time tried first */
	double failed_s,
		held_s; /* burst: the longest idle time that did not do, the last that did */
	unsigned held;	/* bursts in a row */
	uint64_t filled_blocks; /* fill levels */
};

struct qlc_plan {
	struct qlc_options options;
	qlc_read_heat *read_heat;
	void *heat_context;
	uint64_t random;
	uint64_t origin_ns; /* of the plan; 0: not begun */
	struct area area;
	struct meter meter;
	struct cliff_finder *finder;
	struct known_cliff known;
	struct step *steps;
	size_t step_count, step_room;
	struct step step; /* in hand */
	bool has_step, is_ending, is_through;
	bool is_short; /* of memory: the plan ended early */
	uint64_t in_flight, handed_bytes, trim_offset;
	uint64_t failed;      /* I/Os */
	uint64_t run_offset;  /* of the next write of a run, which is decided on as one */
	unsigned run_left;    /* writes of it */
	uint64_t settle_from; /* bytes written in the step when the cliff was confirmed; 0: not yet
			       */
	uint64_t cache_bytes; /* found by the first probe of the plan; 0: not yet */
	double fast, slow;
	struct mode_state mode;
};

extern mode_step *const mode_steps[QLC_MODES];

/* Idle time that empties the cache of the options, or of a plan, before a level is probed. */
double level_rest_s(double rest_s, uint64_t cache_bytes, double slow);

/* For modes: a step that writes, over the whole region or from a block on. */
void plan_area(struct qlc_plan *plan, uint64_t first_block, uint64_t blocks);
uint64_t plan_blocks(const struct qlc_plan *plan); /* in the region */
const struct step *plan_last(const struct qlc_plan *plan);
uint64_t plan_burst_bytes(const struct qlc_plan *plan); /* whole blocks, one at least */
/* The next step, if there is one; and the end of the one in hand. */
bool plan_begin_step(struct qlc_plan *plan, uint64_t now_ns);
void plan_end_step(struct qlc_plan *plan, uint64_t now_ns);
bool plan_goal_is_met(const struct qlc_plan *plan, uint64_t now_ns);
/* Only a probe minds that it comes to places it has written before. */
bool plan_is_out_of_places(const struct qlc_plan *plan);
/* Ends the step in hand, and the plan; true when there was something left to do. */
bool plan_stop(struct qlc_plan *plan, uint64_t now_ns);

/* Bytes/s written past the cliff, or in bursts inside the cache with their idle times; 0: unknown.
 */
double plan_sustained_speed(const struct qlc_plan *plan);
double plan_half_time_s(const struct qlc_plan *plan); /* recover; 0: unknown */

#define QLC_VERDICT_ROOM 1024
/* One or two sentences for a person. */
void plan_verdict(const struct qlc_plan *plan, bool is_partial, char *text, size_t room);

#endif
