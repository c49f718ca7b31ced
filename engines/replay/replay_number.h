/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbers among the options of vdi_replay. fio's own parser reads 1.5 as 1, takes -1 for a huge
 * number or goes on with the default; here what is no sensible number is refused with a sentence.
 * Knows no fio. All return 0, or -1 with err; text NULL: the value stays as it is.
 */
#ifndef SSDREVIEW_REPLAY_NUMBER_H
#define SSDREVIEW_REPLAY_NUMBER_H

#include <stdint.h>

#include "base/base.h"

/* A whole number from 1 to most; option names it in the sentence. */
int replay_parse_count(const char *option, const char *text, unsigned most, unsigned *count,
		       struct error *err);

/* speed=: percent, the sign may be left out; 1.0 is the trace's own. */
int replay_parse_speed(const char *text, double *speed, struct error *err);

/* Seconds, or with a unit: us, ms, s, m, h, d; option names it in the sentence. NULL: no change. */
int replay_parse_time(const char *option, const char *text, uint64_t *time_ns, struct error *err);

/* window=: "FROM-TO" in seconds; TO may be left out, *to_ns is then 0. */
int replay_parse_window(const char *text, uint64_t *from_ns, uint64_t *to_ns, struct error *err);

#endif
