/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rounds of loads until a drive is in steady state, and what is kept of them: ROW/rounds.json
 * (docs/results.md has its format), read, added to and written anew after every round, so that
 * nothing stays in memory while fio is at work.
 */
#ifndef SSDREVIEW_ROUNDS_H
#define SSDREVIEW_ROUNDS_H

#include "postprocess/measures.h"
#include "review/clocks.h"
#include "review/review.h"

#define ROUND_PERCENTILES 5
/* Of all I/Os of a load in a round, and what rounds.json calls them. */
struct round_percentile {
	double share;
	const char *word;
};
extern const struct round_percentile round_percentiles[ROUND_PERCENTILES];

/* What one load of a round came to. */
struct round_load {
	struct measures measures; /* of its samples together */
	uint64_t written_bytes;	  /* all, also what was completed after the last sample */
	double percentiles_ns[ROUND_PERCENTILES]; /* NAN: not known */
	struct measures *samples;		  /* malloc'ed */
	size_t sample_count;
	json_t *telemetry; /* what the drive did meanwhile, for rounds.json; or NULL */
	char machine[320]; /* why the machine and not the drive was the limit; "" */
	char invalid[32];  /* the same in two words, or what spoilt it; "": it counts */
};

/* A round that was just finished. */
struct round_result {
	struct round_load loads[PLAN_MAX_LOADS];
	unsigned count;
	struct clock_gap gap; /* while it ran, or right before */
	time_t started;
	bool is_whole; /* all samples are there */
};

/* ---- rounds_file.c: rounds.json -------------------------------------------------------------- */

json_t *rounds_new(const struct run *run, const struct plan_row *row, json_t *fill);
int rounds_load(const char *path, json_t **root, struct error *err);
int rounds_save(const char *path, const json_t *root, struct error *err);

unsigned rounds_taken(const json_t *root);
double rounds_fills(const json_t *root);   /* of the capacity, written so far */
double rounds_seconds(const json_t *root); /* of the drive's time */
bool rounds_are_finished(const json_t *root);

/* A pause before the next round. */
void rounds_add_gap(json_t *root, double seconds, const char *why, const char *text);
void rounds_add(json_t *root, const struct plan_row *row, const struct round_result *round,
		double scale);

/* ---- rounds_judge.c: whether it ends --------------------------------------------------------- */

/* Judges the last round, notes the verdict in it, and finishes when it is the last one. */
void rounds_judge(json_t *root, const struct plan_row *row);

/* "1.43 fills, range 12.1 %", for the line of a round. */
void rounds_words(const json_t *root, const struct plan_row *row, char *text, size_t room);

#endif
