/* SPDX-License-Identifier: GPL-2.0-only */
/* A review's profile: which rows, on which part of the drive, with how many in flight, how long. */
#ifndef SSDREVIEW_PROFILE_H
#define SSDREVIEW_PROFILE_H

#include "postprocess/sla.h"
#include "postprocess/steady.h"

#define PROFILE_MAX_ROWS   64
#define PROFILE_MAX_STEPS  64
#define PROFILE_MAX_TRACKS 8
#define PROFILE_MAX_KEYS   40 /* of a section */
#define PROFILE_LOAD_ROOM  20 /* of a load's name: a section of a job file */

enum profile_fill { FILL_NONE, FILL_REGION, FILL_WHOLE };

/* How a row is run. */
enum row_steps {
	STEPS_CURVE,  /* the steps of [review], shares of what the drive can do */
	STEPS_ONCE,   /* one run by the job file's own rules */
	STEPS_ROUNDS, /* the same loads again and again, until the drive is steady; or once */
	STEPS_LADDER, /* threads by number in flight, as fast as the drive goes */
};

/* "16T/16Q": so many threads with so many in flight each. */
struct thread_load {
	unsigned threads, queue;
};

/* What is followed from round to round. */
struct profile_track {
	char load[PROFILE_LOAD_ROOM]; /* "": the first load of the job file */
	char measure[24];	      /* a word of measures_value() */
};

/* When rounds end; never after more than rule.at_most_rounds where it is steadiness. */
enum rounds_until {
	UNTIL_STEADY,
	UNTIL_TIME,    /* time_s, steady or not */
	UNTIL_WRITTEN, /* the capacity so often, or time_s, whichever comes first */
};

struct profile_rounds {
	struct thread_load load;
	bool is_sequence; /* one round of loads with times of their own: those of the job file */
	double divide;	  /* of a sequence: its times are so many times shorter */
	double load_s, sample_s; /* of each load in a round, and of a sample */
	enum rounds_until until;
	double time_s;
	struct steady_rule rule;
	struct profile_track tracks[PROFILE_MAX_TRACKS];
	unsigned track_count;
};

struct profile_ladder {
	struct thread_load steps[PROFILE_MAX_STEPS];
	unsigned count;
	char after[64]; /* the row of rounds that must come right before it; "" for none */
	double wait_s, measure_s;
};

struct profile_row {
	char name[64];		   /* "4k-randread" */
	char jobfile[256];	   /* path of the row's job file, found beside the profiles */
	unsigned in_flight;	   /* as the published points imply */
	unsigned in_flight_stated; /* as the review stated its threads; 0: the same */
	unsigned desktops;	   /* of a search: in one copy of its trace */
	char verb[32];		   /* of a search: what the drive does with them, "boots" */
	bool stand_in;		   /* its workload stands in for another: results carry the mark */
	enum row_steps steps;
	/* Of rounds and ladders: */
	double region_percent;	/* of the drive; 0: the region of the review */
	enum profile_fill fill; /* before its rounds, after a purge */
	unsigned fill_passes;	/* how often it is filled */
	bool purge;		/* before its rounds, also where nothing is filled */
	char title[96];		/* what tables call it; "": by its loads */
	struct profile_rounds rounds;
	struct profile_ladder ladder;
	char mix[192];	     /* of patterns, instead of that of the job file; "" for none */
	char cache_from[64]; /* once: the row before it that probes the cache; "" for none */
	char quick[128]; /* once: the job's options with --quick, "idle=1s:30s rest=5"; rounds and
			  * ladders: keys of the row, "load_s=10 rounds=5" */
	unsigned line;	 /* of the file, where its section begins */
	unsigned key_lines[PROFILE_MAX_KEYS]; /* where each of its keys stands; 0: nowhere */
};

struct profile {
	char name[64], title[128];
	char path[512];	       /* the file it was read from */
	double region_percent; /* of the drive; 0: region_bytes rules */
	uint64_t region_bytes;
	unsigned region_files; /* the region is split over so many files (client-20g: 2) */
	enum profile_fill fill;
	bool purge;
	bool refill;   /* the region is written in order before rows that follow one that wrote */
	bool stand_in; /* all rows are stand-ins */
	bool searches; /* for the number of copies of a trace within sla; no steps */
	struct sla sla;
	double stagger_s;	  /* of a search: the copies begin within this time */
	double wait_s, measure_s; /* before and while a point's average is taken */
	double cooldown_s;	  /* between points */
	double idle_s;		  /* between rows */
	double longest_pause_s;	  /* within preconditioning and what must follow it at once */
	unsigned steps_percent[PROFILE_MAX_STEPS], step_count; /* 10, 20 ... 120 */
	struct profile_row rows[PROFILE_MAX_ROWS];
	unsigned row_count;
	unsigned line, key_lines[PROFILE_MAX_KEYS]; /* of [review], as of a row */
};

/* By word ("client-qlc", from the jobfiles folder) or by path. */
int profile_load(const char *word_or_path, struct profile *profile, struct error *err);
/* Takes the quick= keys of rows that have rounds or a ladder. */
int profile_make_quick(struct profile *profile, struct error *err);
/* Rows of rounds end by their time_s. -1: it has none. */
int profile_fix_time(struct profile *profile, struct error *err);
/* The most in flight of rows that name threads and a number in flight each. */
unsigned profile_row_in_flight(const struct profile_row *row);
/* Has it rows with the steps of [review]? */
bool profile_has_curves(const struct profile *profile);
const struct profile_row *profile_find_row(const struct profile *profile, const char *name);

#endif
