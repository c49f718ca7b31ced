/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What there is to know about the SLC cache of a drive, in two layers. Knows no fio, no drive and
 * no clock: times are handed in.
 *
 *  - the cliff finder (cliff_*): where write speed changes for good: the cliff at the end of the
 *    cache, steps before and after it, recoveries that come back again and again. It is fed with
 *    windows, each some bytes written in some time.
 *  - the plan (qlc_plan_*): what to write next, and when, so that a probe, a recovery curve, bursts
 *    that stay inside the cache, the sustained speed or the cache at several fill levels come out.
 *
 * The rule. A level is what has been written since the last change; its speed is the median of its
 * windows. An alarm is raised when the median of the last 31 windows is further than a fifth from
 * it. It is withdrawn, and counted as a dip, when that median comes back; it is confirmed when
 * seven in ten of all windows since the alarm are nearer to their own median than to the level,
 * after at least 200 windows and four times the longest dip but one. The change is then placed
 * where two levels explain the windows around it best (least absolute deviations of the logarithm
 * of speed). Medians make it blind to stalls and garbage collection that take less than half of a
 * time; tying the confirmation to the dips seen makes it blind to those that come rarely and last,
 * without one accident making it deaf. `make bench` prints how often it is right on drives drawn at
 * random.
 */
#ifndef SSDREVIEW_QLC_H
#define SSDREVIEW_QLC_H

#include <jansson.h>

#include "base/base.h"

/* ---- the cliff finder ---------------------------------------------------------------------- */

/* Changes smaller than this factor are not looked for. */
#define CLIFF_LEAST_RATIO 1.2

/* What was written in one piece of the run. */
struct cliff_window {
	uint64_t bytes, duration_ns; /* both > 0 */
	bool is_hot; /* the drive slows down to cool: not judged, and no level changes by it */
};

/* A place, in what was written since the first window. */
struct cliff_place {
	uint64_t bytes, ns;
};

/* One change of level, up or down. Speeds are medians, in bytes/s. */
struct cliff_change {
	struct cliff_place at;
	struct cliff_place earliest, latest; /* where it lies with 95 % confidence */
	double before, after;
};

/* What the changes mean together. */
enum cliff_shape {
	CLIFF_NONE,	/* one level from beginning to end, or only steps up */
	CLIFF_FOUND,	/* speed falls for good */
	CLIFF_PERIODIC, /* speed falls and comes back, again and again */
	CLIFF_EPISODE,	/* speed fell and came back for good: not the end of a cache */
};

struct cliff_verdict {
	enum cliff_shape shape;
	const struct cliff_change *cliff; /* the first fall of the largest ratio; NULL: none */
	double period_bytes, period_s;	  /* periodic: from fall to fall, medians */
	double low_share;		  /* periodic: share of the time spent on the low level */
	bool is_pending; /* the run ended while a change was suspected, from `suspected` on */
	struct cliff_place suspected;
	double hot_share; /* of the time */
};

struct cliff_finder;

/* NULL when memory is short. */
struct cliff_finder *cliff_finder_new(void);
void cliff_finder_free(struct cliff_finder *finder);

enum cliff_news {
	CLIFF_STEADY,	 /* on the level of before */
	CLIFF_SUSPECTED, /* something may have changed; go on writing */
	CLIFF_CHANGED,	 /* a change is confirmed: the last one of cliff_changes() */
};

/* Takes the next window. News >= 0, or -1 when memory is short (the window is lost). */
int cliff_finder_add(struct cliff_finder *finder, const struct cliff_window *window);

/* All changes so far, in order; valid until the next window. */
const struct cliff_change *cliff_changes(const struct cliff_finder *finder, size_t *count);

/* Everything that was written so far, hot or not. */
struct cliff_place cliff_written(const struct cliff_finder *finder);

/* What it all means; may be asked at any time. */
void cliff_judge(const struct cliff_finder *finder, struct cliff_verdict *verdict);

/* ---- the plan ------------------------------------------------------------------------------ */

enum qlc_mode {
	QLC_PROBE,	 /* write until the cliff, and on for settle_bytes */
	QLC_RECOVER,	 /* after the cliff: idle, write until the cliff is met again; and again */
	QLC_BURST,	 /* after the cliff: bursts, with just enough idle time in between */
	QLC_SUSTAIN,	 /* after the cliff: write on for sustain_bytes or sustain_s */
	QLC_FILL_LEVELS, /* probe behind live data that fills the drive to each of the levels */
	QLC_MODES
};

/* "probe", "recover", "burst", "sustain", "fill-levels". */
const char *qlc_mode_name(enum qlc_mode mode);

#define QLC_LIST 32 /* idle times, or levels, at most */

struct qlc_options {
	enum qlc_mode mode;
	uint64_t region_bytes; /* what may be written, from 0 on */
	unsigned block_bytes;  /* of one I/O; the region is used in whole ones */
	bool is_random;	       /* blocks in no order, none twice before all were; else in order */
	double read_share;     /* of the I/Os, from what was written; 0 ... below 1 */
	/* A window ends with the first of the two; 0: a 4,000th of the region; 100 ms. */
	uint64_t window_bytes, window_ns;
	uint64_t settle_bytes;	 /* past the cliff; 0: a tenth of the cache, 400 windows at least */
	double idle_s[QLC_LIST]; /* recover: times to wait, rising; burst: the first to try */
	unsigned idle_count, repeats;
	unsigned level_percent[QLC_LIST]; /* of the region, rising */
	unsigned level_count;
	/*
	 * Idle time before each of the levels is probed; where the cliff is known by then, and that
	 * takes longer, a quarter more than the slow speed takes for the whole cache.
	 */
	double rest_s;
	uint64_t burst_bytes;
	double burst_cache_share; /* of the cache, when burst_bytes is 0 */
	unsigned bursts;	  /* that must stay inside the cache in a row */
	uint64_t sustain_bytes;	  /* 0: as long as sustain_s; both 0: four times the cache */
	double sustain_s;
	/* From an earlier probe of the drive, which is not probed again then; 0: there is none. */
	uint64_t cache_bytes;
	double fast, slow; /* bytes/s */
	uint64_t seed;
};

/* "500ms:1s:10m" into seconds, QLC_LIST at most; NULL is an empty list. 0, or -1 with err. */
int qlc_parse_times(const char *text, double *times_s, unsigned *count, struct error *err);

/* "0:25:50", as above. */
int qlc_parse_levels(const char *text, unsigned *percents, unsigned *count, struct error *err);

/*
 * About what a plan will write, and how long it will take, on a drive with the cache and the speeds
 * of the options (> 0, known or assumed). What comes back in idle time is taken to be what the slow
 * speed would write in it.
 */
struct qlc_amount {
	double bytes, seconds;
};
struct qlc_amount qlc_estimate(const struct qlc_options *options);

/* 0, or -1 with err when the options make no plan. */
int qlc_check_options(const struct qlc_options *options, struct error *err);

/* What is known of the drive's temperature when a window ends; NAN: nothing. */
struct qlc_heat {
	double temperature_c;
	bool is_hot; /* it slows down to cool */
};
typedef void qlc_read_heat(void *context, struct qlc_heat *heat);

enum qlc_op { QLC_WRITE, QLC_READ, QLC_TRIM };

struct qlc_io {
	enum qlc_op op;
	uint64_t offset, bytes;
};

enum qlc_turn {
	QLC_SEND,  /* *io is next, at once */
	QLC_DRAIN, /* nothing, until what is in flight has completed */
	QLC_IDLE,  /* nothing, before *idle_until_ns */
	QLC_END,   /* the plan is through */
};

struct qlc_plan;

/* The options are checked and copied; read_heat may be NULL. NULL with err. */
struct qlc_plan *qlc_plan_open(const struct qlc_options *options, qlc_read_heat *read_heat,
			       void *context, struct error *err);
void qlc_plan_close(struct qlc_plan *plan);

/* What to do at now_ns. An I/O handed out is in flight until qlc_plan_completed(). */
enum qlc_turn qlc_plan_next(struct qlc_plan *plan, uint64_t now_ns, struct qlc_io *io,
			    uint64_t *idle_until_ns);
/* An I/O that was handed out completed at now_ns, latency_ns after it was sent. */
void qlc_plan_completed(struct qlc_plan *plan, enum qlc_op op, uint64_t bytes, uint64_t latency_ns,
			uint64_t now_ns);
/* It failed: nothing of it was written or read. */
void qlc_plan_failed(struct qlc_plan *plan);

/*
 * What was found, also when the plan is not through ("partial"): the step in hand ends at now_ns,
 * and so does the plan. The caller's; docs/results.md has the format. NULL when memory is short.
 */
json_t *qlc_plan_report(struct qlc_plan *plan, uint64_t now_ns);

/* What an earlier probe of the drive found. */
struct qlc_probe {
	uint64_t cache_bytes;
	double fast, slow; /* bytes/s, inside and past it */
	/*
	 * The CPU was the limit, so what was found is not that of the drive: also a cliff lies too
	 * far when a drive could make room while it waited for the machine.
	 */
	bool is_spoilt;
};

/*
 * From such a report in a statistics file. 0, or -1 with err: it cannot be read, is spoilt, or
 * there is no cliff in it. *probe says what is known of it in any case.
 */
int qlc_read_probe(const char *path, struct qlc_probe *probe, struct error *err);

#endif
