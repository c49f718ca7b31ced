/* SPDX-License-Identifier: GPL-2.0-only */
/* What the readers of a profile share: values of keys, and the keys of rounds and ladders. */
#ifndef SSDREVIEW_PROFILE_INTERNAL_H
#define SSDREVIEW_PROFILE_INTERNAL_H

#include "review/profile.h"

int profile_parse_number(const char *value, double lowest, double *number, struct error *err);
int profile_parse_count(const char *value, unsigned largest, unsigned *count, struct error *err);
int profile_parse_yes_no(const char *value, bool *yes, struct error *err);
int profile_set_text(const char *key, const char *value, char *text, size_t room,
		     struct error *err);
int profile_parse_fill(const char *value, enum profile_fill *fill, struct error *err);
/* The path of a profile by its word: "client-qlc". -1 with the nearest one in err. */
int profile_find_path(const char *word, char *path, size_t room, struct error *err);

/* Any key of a row. */
int profile_set_row_key(struct profile *profile, struct profile_row *row, const char *key,
			const char *value, struct error *err);

/* Values where a profile says nothing: those of SNIA's specification, and ours. */
void profile_rounds_defaults(struct profile_row *row);

/* A key of rows with rounds or a ladder; *known says whether it is one. */
int profile_set_rounds_key(struct profile_row *row, const char *key, const char *value, bool *known,
			   struct error *err);
/* Their names, for "did you mean". Returns how many there are. */
size_t profile_rounds_keys(const char **words, size_t room);

/* Is the profile complete, and does it fit together? text: the file, for the lines of its rows. */
int profile_check(const struct profile *profile, const char *text, struct error *err);

/* Whether the values of such a row fit each other. */
int profile_check_rounds(const struct profile *profile, const struct profile_row *row,
			 struct error *err);

#endif
