/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A promise about response times: "1ms@p95" (95 % of the I/Os take no longer than 1 ms),
 * "1ms@mean"; several with commas, which must all hold.
 */
#ifndef SSDREVIEW_SLA_H
#define SSDREVIEW_SLA_H

#include "base/base.h"

#define SLA_MOST_TERMS 4
#define SLA_ROOM       128

struct sla_term {
	double limit_us;
	double percent; /* 95: of the I/Os; 0: the mean */
};

struct sla {
	char text[SLA_ROOM]; /* as it was written */
	struct sla_term terms[SLA_MOST_TERMS];
	unsigned count;
};

/* 0, or -1 with a sentence that says what is wrong and what a promise looks like. */
int sla_parse(const char *text, struct sla *sla, struct error *err);

/* "p95", "mean" */
char *sla_name(const struct sla_term *term, char *text, size_t room);

/* "95 % of the I/Os within 1.00 ms and a mean within 500 us": what it promises, in words. */
void sla_words(const struct sla *sla, char *text, size_t room);

/* 934 -> "934 us", 1040 -> "1.04 ms", 12345678 -> "12.3 s" */
char *time_text(double us, char *text);

#endif
