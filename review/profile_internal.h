/* SPDX-License-Identifier: GPL-2.0-only */
/* What the readers of a profile share: the tables of keys, how values are read, what fits. */
#ifndef SSDREVIEW_PROFILE_INTERNAL_H
#define SSDREVIEW_PROFILE_INTERNAL_H

#include "review/profile.h"

/* What a row is, by its steps and those of the profile. */
enum row_kind { ROW_CURVE, ROW_SEARCH, ROW_ONCE, ROW_ROUNDS, ROW_SEQUENCE, ROW_LADDER, ROW_KINDS };

enum row_kind profile_row_kind(const struct profile *profile, const struct profile_row *row);
/* "a curve", "a row of rounds"; and of several: "curves", "rounds". */
const char *profile_kind_word(enum row_kind kind);
const char *profile_kinds_word(enum row_kind kind);

/* Ours, as all limits of keys are; io_uring takes no more in flight. */
#define PROFILE_MOST_THREADS   64
#define PROFILE_MOST_IN_FLIGHT 32768
#define PROFILE_LEAST_REGION   (1024ULL * 1024)

/* ---- profile_keys.c: the keys --------------------------------------------------------------- */

/* WHOLE: unsigned. SECONDS, NUMBER: double. SHARE: double, of a percentage. OWN: its own reader. */
enum value_kind {
	VALUE_WHOLE,
	VALUE_SECONDS,
	VALUE_NUMBER,
	VALUE_SHARE,
	VALUE_YES_NO,
	VALUE_TEXT,
	VALUE_OWN
};

/* Row: NULL for a key of [review]. */
typedef int profile_value_reader(const char *value, struct profile *profile,
				 struct profile_row *row, struct error *err);

struct profile_key {
	const char *word;
	/* By 1 << enum row_kind: rows that take it; of [review]: some such row must be there. */
	unsigned takers;
	bool needed; /* by all of them */
	enum value_kind kind;
	size_t offset;		    /* in struct profile_row, of [review] in struct profile */
	double lowest, highest;	    /* TEXT: the room for it */
	profile_value_reader *read; /* OWN */
	const char *allowed;	    /* OWN, in words: "none, region or whole" */
	const char *fallback;	    /* as a profile would say it; NULL: none */
};

extern const struct profile_key profile_review_keys[], profile_row_keys[];
extern const size_t profile_review_key_count, profile_row_key_count;

/* Takes a key of a row, or of [review] (row NULL), that stands on this line. */
int profile_set_key(struct profile *profile, struct profile_row *row, const char *key,
		    const char *value, unsigned line, struct error *err);
/* Values where a profile says nothing. */
void profile_set_fallbacks(struct profile *profile, struct profile_row *row);
/* Where a key of a row, or of [review], stands; 0: nowhere. */
unsigned profile_key_line(const struct profile *profile, const struct profile_row *row,
			  const char *key);

/* "curves, rounds", or "all rows". */
void profile_takers_words(unsigned takers, char *text, size_t room);
/* "rounds; 2 to 32; default 5": as the manual has it; without takers for a key that all take. */
void profile_key_summary(const struct profile_key *key, char *text, size_t room);

/* ---- profile_values.c: values that are no plain numbers ------------------------------------- */

profile_value_reader profile_read_region, profile_read_row_region, profile_read_steps,
	profile_read_row_steps, profile_read_fill, profile_read_search, profile_read_sla,
	profile_read_ladder, profile_read_track, profile_read_until, profile_read_jobfile,
	profile_read_mix;

/* "20 %" as a share. */
int profile_parse_share(const char *value, double *share, struct error *err);

/* ---- the rest ------------------------------------------------------------------------------- */

/* The path of a profile by its word: "client-qlc". -1 with the nearest one in err. */
int profile_find_path(const char *word, char *path, size_t room, struct error *err);

/* Is the profile complete, does every key have an effect, and do they fit together? */
int profile_check(struct profile *profile, struct error *err);

/* Has every key of a row an effect, and do they fit? *line gets the one that is at fault. */
int profile_check_effects(const struct profile *profile, const struct profile_row *row,
			  unsigned *line, struct error *err);

/* profile_quick.c: the row as its quick key makes it. */
int profile_quick_row(struct profile *profile, const struct profile_row *row,
		      struct profile_row *quick, struct error *err);

/* once_plan.c: could the row be run with the options of its quick key? */
int once_check_quick(const struct profile_row *row, struct error *err);

#endif
