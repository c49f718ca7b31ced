/* SPDX-License-Identifier: GPL-2.0-only */
/* A review's profile: which rows, on which part of the drive, with how many in flight, how long. */
#ifndef SSDREVIEW_PROFILE_H
#define SSDREVIEW_PROFILE_H

#include "postprocess/sla.h"

#define PROFILE_MAX_ROWS  64
#define PROFILE_MAX_STEPS 64

enum profile_fill { FILL_NONE, FILL_REGION, FILL_WHOLE };

struct profile_row {
	char name[64];		   /* "4k-randread" */
	char jobfile[256];	   /* path of the row's job file, found beside the profiles */
	unsigned in_flight;	   /* as the published points imply */
	unsigned in_flight_stated; /* as the review stated its threads; 0: the same */
	unsigned desktops;	   /* of a search: in one copy of its trace */
	char verb[32];		   /* of a search: what the drive does with them, "boots" */
	bool stand_in;		   /* its workload stands in for another: results carry the mark */
	bool once;		   /* one run by the job file's own rules, not a curve */
	char mix[192];		   /* of patterns, instead of that of the job file; "" for none */
	char cache_from[64];	   /* once: the row before it that probes the cache; "" for none */
	char quick[128];	   /* once: "idle=1s:30s rest=5", the job's options with --quick */
};

struct profile {
	char name[64], title[128];
	char path[512];	       /* the file it was read from */
	double region_percent; /* of the drive; 0: region_bytes rules */
	uint64_t region_bytes;
	unsigned region_files; /* the region is split over so many files (client-20g: 2) */
	enum profile_fill fill;
	bool purge;
	bool stand_in; /* all rows are stand-ins */
	bool searches; /* for the number of copies of a trace within sla; no steps */
	struct sla sla;
	double stagger_s;	  /* of a search: the copies begin within this time */
	double wait_s, measure_s; /* before and while a point's average is taken */
	double cooldown_s;	  /* between points */
	double idle_s;		  /* between rows */
	unsigned steps_percent[PROFILE_MAX_STEPS], step_count; /* 10, 20 ... 120 */
	struct profile_row rows[PROFILE_MAX_ROWS];
	unsigned row_count;
};

/* By word ("client-qlc", from the jobfiles folder) or by path. */
int profile_load(const char *word_or_path, struct profile *profile, struct error *err);
/* Has it rows with the steps of [review]? */
bool profile_has_curves(const struct profile *profile);
const struct profile_row *profile_find_row(const struct profile *profile, const char *name);

#endif
