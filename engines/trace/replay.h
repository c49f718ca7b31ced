/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a replay sends: the records of a trace, for one desktop or many, each with the moment it is
 * due and the place on the target where it goes. Knows no fio, no clock and no drive.
 */
#ifndef SSDREVIEW_REPLAY_H
#define SSDREVIEW_REPLAY_H

#include "engines/trace/replay_depend.h"
#include "engines/trace/trace.h"

/* Longer records go in pieces; every io_u of vdi_replay has a buffer of this. */
#define REPLAY_LONGEST_BYTES 262144

/* Clones that a user may ask for. */
#define REPLAY_CLONES_LIMIT 10000

/* How the address space of the trace, once a clone, fits the region. */
enum replay_fit {
	REPLAY_EXACT,	/* one clone behind the other; refused when they do not fit */
	REPLAY_WRAP,	/* modulo the region */
	REPLAY_STRETCH, /* scaled to the region, rounded down to the block */
	REPLAY_COMPACT, /* what is touched, in pieces of 256 KiB, in the order of the first touch */
};

/*
 * How clones are kept apart: they begin late, or (rotate) at once, each at another place of the
 * trace, evenly spread; such a clone ends with what it left out at first.
 */
enum replay_stagger { REPLAY_STAGGER_UNIFORM, REPLAY_STAGGER_EXPONENTIAL, REPLAY_STAGGER_ROTATE };

struct replay_options {
	const char *stream, *phase; /* only these; NULL: all */
	uint64_t from_ns, to_ns;    /* window of the phase or trace; to_ns 0: to its end */
	unsigned clones;	    /* copies of the stream, at least 1 */
	bool linked;		    /* clones share what they have not written */
	uint64_t stagger_ns;	    /* the clones begin within this time (its mean: exponential) */
	enum replay_stagger stagger;
	uint64_t seed;
	double speed; /* 1: the trace's own; 2: twice as fast */
	enum replay_fit fit;
	uint64_t region_bytes;
	unsigned block_bytes;	/* of the target: places and lengths are whole blocks */
	uint64_t longest_bytes; /* longer I/Os are sent in pieces; whole blocks */
	unsigned loops;		/* times the trace is played, at least 1 */
	/*
	 * Records wait for what they waited for in the trace, when that was up to think_max_ns
	 * before; each stream of each clone by itself. A stream is at most `reach` records ahead of
	 * its oldest one that is not complete (replay_depend.h has the rule).
	 */
	bool dependent;
	uint64_t think_max_ns;
	unsigned reach;
	bool skip_trims, skip_flushes; /* count them, do not send them */
	bool skip_fua;		       /* send writes with FUA as ordinary ones, and count them */
	unsigned part, parts; /* several jobs share one replay: clone % parts == part is ours, and
				 (compact) a share of the region */
};

struct replay_item {
	uint64_t due_ns;	/* from the start of the replay */
	uint64_t offset, bytes; /* within the region, whole blocks; 0 bytes: a flush */
	uint8_t op;		/* enum trace_op */
	uint8_t flags;		/* enum trace_flag */
	unsigned clone;
	struct depend_ref record; /* dependent: what replay_completed() is told */
};

/* What became of the records so far. */
struct replay_counts {
	uint64_t records[TRACE_OPS], bytes[TRACE_OPS]; /* as in the trace */
	uint64_t items;	  /* I/Os, flushes before writes and pieces of split ones counted apiece */
	uint64_t split;	  /* records sent in more than one piece */
	uint64_t aligned; /* records moved or grown to whole blocks */
	uint64_t folded;  /* pieces put on a place in use, for the region is full (compact) */
	uint64_t skipped; /* records without bytes that are no flush */
	uint64_t trims_skipped, flushes_skipped; /* by choice; a flush before a write is one */
	uint64_t fua;				 /* writes sent with FUA, pieces counted apiece */
	uint64_t fua_not_forced;		 /* records sent as ordinary writes by choice */
	/* In flight if each record took as long as in the trace, for those whose latency it has. */
	uint64_t latencies;	 /* records with one */
	double busy_ns;		 /* their sum */
	uint64_t in_flight_most; /* at once */
	uint64_t last_end_ns;	 /* last issue or completion; busy_ns over this: the mean */
};

struct replay;

/*
 * The trace stays the caller's and must outlive the replay. Memory: a cursor a clone, and for
 * compact and linked replays a few words per 256 KiB touched. 0, or -1 with err.
 */
int replay_open(struct trace *trace, const struct replay_options *options, struct replay **replay,
		struct error *err);
void replay_close(struct replay *replay);

/* 1: *item is the next I/O, in order of due_ns. 0: there is none. -1: the trace is damaged (err).
 */
int replay_next(struct replay *replay, struct replay_item *item, struct error *err);

/* The same for a dependent replay: what may leave by now_ns, from the start of the replay. */
enum replay_got {
	REPLAY_DAMAGED = -1, /* the trace (err) */
	REPLAY_THROUGH,
	REPLAY_ITEM,  /* *item has left now */
	REPLAY_WAITS, /* nothing may leave before item->due_ns; UINT64_MAX: before a completion */
};
enum replay_got replay_next_dependent(struct replay *replay, uint64_t now_ns,
				      struct replay_item *item, struct error *err);
/* An I/O of a dependent replay is complete: item->record, once for each item. */
void replay_completed(struct replay *replay, struct depend_ref record, uint64_t now_ns);
struct depend_counts replay_depend_counts(const struct replay *replay);

const struct replay_counts *replay_counts(const struct replay *replay);

/* Is all of the trace played, or only a stream, a phase or a window of it? */
bool replay_takes_all(const struct replay_options *options);

/*
 * Mean rate of the records chosen, of all clones together, at speed 1. Reads them once, unless the
 * whole trace is chosen.
 */
int replay_mean_iops(struct trace *trace, const struct replay_options *options, double *iops,
		     struct error *err);

#endif
