/* SPDX-License-Identifier: GPL-2.0-only */
/* Promises about response times, read and written. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/sla.h"

#define LONGEST_US	1e9    /* a promise of more than 1,000 s promises nothing */
#define MOST_PERCENT	99.999 /* beyond, a point has too few I/Os to tell */
#define WHAT_IT_IS_LIKE "a promise is written TIME@pNN or TIME@mean, such as 1ms@p95,5ms@p99.9"

char *time_text(double us, char *text)
{
	char number[NUMBER_ROOM];

	if (!(us >= 1000))
		return number_us(us, text);
	snprintf(text, NUMBER_ROOM, "%s %s", number_count(us < 1e6 ? us / 1e3 : us / 1e6, number),
		 us < 1e6 ? "ms" : "s");
	return text;
}

/* "p99.9" or "mean", to the end of the word. */
static int parse_share(const char *word, struct sla_term *term, struct error *err)
{
	char *end;

	term->percent = 0;
	if (!strcmp(word, "mean"))
		return 0;
	if (*word == 'p' && word[1] >= '0' && word[1] <= '9') {
		term->percent = strtod(word + 1, &end);
		if (!*end && term->percent > 0 && term->percent <= MOST_PERCENT)
			return 0;
	}
	return error_set(err, "\"%s\" is neither mean nor a percentile from p1 to p99.999; %s",
			 word, WHAT_IT_IS_LIKE);
}

/* What a time ends with, and not "m": who writes 1m may mean 1ms. */
static bool names_unit(const char *end)
{
	return isalpha((unsigned char)end[-1]) && end[-1] != 'm';
}

static int parse_term(char *word, struct sla_term *term, struct error *err)
{
	char *at = strchr(word, '@');
	const char *rest;

	if (!at)
		return error_set(err, "\"%s\" is no promise; %s", word, WHAT_IT_IS_LIKE);
	*at = '\0';
	rest = duration_parse(word, &term->limit_us);
	if (!rest || *rest || !names_unit(rest) ||
	    !(term->limit_us > 0 && term->limit_us <= LONGEST_US))
		return error_set(err, "\"%s\" is not a time such as 500us, 1ms or 0.1s; %s", word,
				 WHAT_IT_IS_LIKE);
	return parse_share(at + 1, term, err);
}

static int check_new(const struct sla *sla, const struct sla_term *term, struct error *err)
{
	char name[32];
	unsigned i;

	for (i = 0; i < sla->count; i++)
		if (sla->terms[i].percent == term->percent)
			return error_set(err, "\"%s\" promises %s twice", sla->text,
					 sla_name(term, name, sizeof(name)));
	return 0;
}

int sla_parse(const char *text, struct sla *sla, struct error *err)
{
	char copy[SLA_ROOM], *word, *rest = copy;

	memset(sla, 0, sizeof(*sla));
	if (snprintf(sla->text, sizeof(sla->text), "%s", text) >= (int)sizeof(sla->text))
		return error_set(err, "the promise is too long; %s", WHAT_IT_IS_LIKE);
	strcpy(copy, sla->text);
	while ((word = strsep(&rest, ","))) {
		struct sla_term term;

		if (sla->count == SLA_MOST_TERMS)
			return error_set(err, "\"%s\" promises more than %d things", text,
					 SLA_MOST_TERMS);
		if (parse_term(word, &term, err) || check_new(sla, &term, err))
			return -1;
		sla->terms[sla->count++] = term;
	}
	return 0;
}

char *sla_name(const struct sla_term *term, char *text, size_t room)
{
	if (term->percent > 0)
		snprintf(text, room, "p%g", term->percent);
	else
		snprintf(text, room, "mean");
	return text;
}

void sla_words(const struct sla *sla, char *text, size_t room)
{
	char limit[NUMBER_ROOM];
	size_t used = 0;
	unsigned i;

	for (i = 0; i < sla->count && used < room; i++) {
		const struct sla_term *term = &sla->terms[i];
		const char *before = !i ? "" : i + 1 == sla->count ? " and " : ", ";

		time_text(term->limit_us, limit);
		if (term->percent > 0)
			used += (size_t)snprintf(text + used, room - used,
						 "%s%g %% of the I/Os within %s", before,
						 term->percent, limit);
		else
			used += (size_t)snprintf(text + used, room - used, "%sa mean within %s",
						 before, limit);
	}
}
