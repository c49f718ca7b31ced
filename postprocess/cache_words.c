/* SPDX-License-Identifier: GPL-2.0-only */
/* SLC caches in words. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/cache.h"
#include "postprocess/sla.h"

#define LONG_S 60.0 /* times from here on are in minutes and hours */

const char *cache_title(void)
{
	return "SLC cache";
}

const char *cache_note(void)
{
	return "Ranked by the size of the cache: what is written to the empty drive before speed "
	       "falls for good. Inside and after are the speeds on both sides of that cliff. Half "
	       "back after: the idle time after which half of the cache takes writes at full speed "
	       "again. Bursts: the mean speed of bursts that stay inside the cache, idle times "
	       "counted in. Sustained: the mean speed of a long write past the cliff. Reads past / "
	       "inside: the p99 of reads among the writes, past the cliff to inside the cache. "
	       "\"At least\": no cliff was met; such a drive has no place, and is ahead of every "
	       "smaller cache. Neither has one whose probe a busy machine spoilt. Bytes and times "
	       "of drives simulated at a scale are those of the whole drive.";
}

static char *duration_text(double seconds, char *text)
{
	return seconds < LONG_S ? time_text(seconds * 1e6, text) : number_duration(seconds, text);
}

char *cache_figure_text(const struct cache *cache, enum cache_figure figure, char *text,
			size_t room)
{
	double value = cache->figures[figure];
	char number[NUMBER_ROOM];

	if (figure == CACHE_BYTES && !isnan(cache->at_least))
		snprintf(text, room, "at least %s", number_bytes(cache->at_least, number));
	else if (!isfinite(value))
		snprintf(text, room, "n/a");
	else if (figure == CACHE_BYTES)
		snprintf(text, room, "%s", number_bytes(value, number));
	else if (figure == CACHE_HALF_TIME)
		snprintf(text, room, "%s", duration_text(value, number));
	else if (figure == CACHE_RATIO || figure == CACHE_READ_COST)
		snprintf(text, room, "%s", number_count(value, number));
	else
		snprintf(text, room, "%s", number_mbps(value, number));
	return text;
}

/* ---- a drive in a sentence or two ------------------------------------------------------------ */

struct writer {
	char *text;
	size_t room;
};

static void append(struct writer *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void append(struct writer *out, const char *format, ...)
{
	size_t used = strlen(out->text);
	va_list args;

	va_start(args, format);
	vsnprintf(out->text + used, out->room - used, format, args);
	va_end(args);
}

/* BEFORE figure AFTER, when it is known. */
static void append_figure(struct writer *out, const struct cache *cache, enum cache_figure figure,
			  const char *before, const char *after)
{
	char text[2 * NUMBER_ROOM];

	if (isfinite(cache->figures[figure]))
		append(out, "%s%s%s%s", before,
		       cache_figure_text(cache, figure, text, sizeof(text)), after,
		       cache->by_machine[figure] ? " (the CPU was the limit)" : "");
}

static void append_cache(struct writer *out, const struct cache *cache)
{
	char inside[2 * NUMBER_ROOM], after[2 * NUMBER_ROOM];

	if (isnan(cache->figures[CACHE_BYTES])) {
		append(out, "the size of its cache is not known: %s", cache->why[CACHE_BYTES]);
		return;
	}
	append_figure(out, cache, CACHE_BYTES, "the cliff lies at ", "");
	append(out, ", where speed falls from %s to %s",
	       cache_figure_text(cache, CACHE_INSIDE, inside, sizeof(inside)),
	       cache_figure_text(cache, CACHE_AFTER, after, sizeof(after)));
}

/* What is not known, once a reason. */
static void append_unknown(struct writer *out, const struct cache *cache)
{
	static const char *const names[] = {
		[CACHE_HALF_TIME] = "half back after",
		[CACHE_BURSTS] = "bursts",
		[CACHE_PAST] = "sustained",
		[CACHE_READ_COST] = "reads past / inside",
	};
	const char *before = " Not known: ";
	enum cache_figure figure;

	for (figure = CACHE_HALF_TIME; figure < CACHE_FIGURES; figure++) {
		if (isfinite(cache->figures[figure]))
			continue;
		append(out, "%s%s (%s)", before, names[figure], cache->why[figure]);
		before = ", ";
	}
	if (before[0] == ',')
		append(out, ".");
}

void cache_sentence(const struct cache *cache, char *text, size_t room)
{
	struct writer out = {text, room};

	text[0] = '\0';
	append(&out, "%s: ", cache->result->drive);
	append_cache(&out, cache);
	append_figure(&out, cache, CACHE_HALF_TIME, "; half of it is back after ", " without I/O");
	append_figure(&out, cache, CACHE_BURSTS, "; bursts inside it reach ", " on average");
	append_figure(&out, cache, CACHE_PAST, "; past it the drive sustains ", "");
	append_figure(&out, cache, CACHE_READ_COST, "; the p99 of reads there is ",
		      " times that inside");
	append(&out, ".");
	append_unknown(&out, cache);
}
