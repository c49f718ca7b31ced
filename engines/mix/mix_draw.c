/* SPDX-License-Identifier: GPL-2.0-only */
/* One I/O of a mix after the other. */
#include <stdlib.h>

#include "base/random.h"
#include "engines/mix/mix.h"
#include "engines/mix/strata.h"

/* A part of the region, for one pattern. */
struct room {
	uint64_t begin, end;
	uint64_t cursor; /* of a pattern in order */
};

struct pattern_draw {
	struct strata sizes, places;
	struct room rooms[MIX_PLACES];
};

struct mix_draw {
	struct mix mix;
	uint32_t align_bytes;
	uint64_t random; /* of offsets */
	struct strata patterns;
	struct pattern_draw of[MIX_PATTERNS];
};

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

static uint64_t alignment(const struct mix_draw *draw, uint32_t bytes)
{
	return draw->align_bytes ? draw->align_bytes : bytes;
}

/* How many places a block of this size has in a room. */
static uint64_t slots(const struct mix_draw *draw, const struct room *room, uint32_t bytes)
{
	uint64_t align = alignment(draw, bytes), first = round_up(room->begin, align);

	return first + bytes <= room->end ? (room->end - first - bytes) / align + 1 : 0;
}

static bool holds(const struct mix_draw *draw, const struct mix_pattern *pattern,
		  const struct room *room, uint32_t bytes)
{
	return pattern->is_random ? slots(draw, room, bytes) > 0 : room->begin + bytes <= room->end;
}

static int check_room(const struct mix_draw *draw, const struct mix_pattern *pattern,
		      const struct room *room, struct error *err)
{
	unsigned size;

	for (size = 0; size < pattern->size_count; size++)
		if (!holds(draw, pattern, room, pattern->sizes[size]))
			return error_set(err,
					 "%llu bytes of the region are too few for %s of %u bytes; "
					 "give the job a larger region",
					 (unsigned long long)(room->end - room->begin),
					 mix_word(pattern), pattern->sizes[size]);
	return 0;
}

/* Blocks in order begin at a multiple of their size; cursors of clones begin evenly apart. */
static void set_cursor(struct room *room, uint32_t bytes, const struct mix_draw_options *options)
{
	uint64_t share;

	room->begin = round_up(room->begin, bytes);
	if (room->begin >= room->end)
		return;
	share = (room->end - room->begin) / options->clones * options->clone;
	room->cursor = room->begin + share / bytes * bytes;
}

static int lay_out(struct mix_draw *draw, unsigned number, const struct mix_draw_options *options,
		   struct error *err)
{
	const struct mix_pattern *pattern = &draw->mix.patterns[number];
	double region = (double)options->region_bytes;
	unsigned i;

	for (i = 0; i < pattern->place_count; i++) {
		struct room *room = &draw->of[number].rooms[i];

		room->begin = (uint64_t)(region * pattern->from[i]);
		room->end = pattern->to[i] < 1 ? (uint64_t)(region * pattern->to[i])
					       : options->region_bytes;
		if (!pattern->is_random)
			set_cursor(room, pattern->sizes[0], options);
		if (check_room(draw, pattern, room, err))
			return -1;
	}
	return 0;
}

/* Schedules draw from the streams of small numbers (schedule.c). */
#define FIRST_STREAM 0x80000000u

/* Every choice has a stream of random numbers of its own, told apart by the clone and a number. */
static uint64_t stream(const struct mix_draw_options *options, unsigned number)
{
	uint64_t state = ((uint64_t)options->clone << 32) + FIRST_STREAM + number;

	return options->seed ^ random_next(&state);
}

static void start_choices(struct mix_draw *draw, const struct mix_draw_options *options)
{
	double shares[MIX_PATTERNS];
	unsigned i;

	for (i = 0; i < draw->mix.count; i++) {
		const struct mix_pattern *pattern = &draw->mix.patterns[i];

		shares[i] = pattern->share;
		strata_init(&draw->of[i].sizes, pattern->size_shares, pattern->size_count,
			    stream(options, 2 * i + 2));
		strata_init(&draw->of[i].places, pattern->place_shares, pattern->place_count,
			    stream(options, 2 * i + 3));
	}
	strata_init(&draw->patterns, shares, draw->mix.count, stream(options, 0));
	draw->random = stream(options, 1);
}

struct mix_draw *mix_draw_open(const struct mix *mix, const struct mix_draw_options *options,
			       struct error *err)
{
	struct mix_draw *draw = calloc(1, sizeof(*draw));
	unsigned i;

	if (!draw) {
		error_set(err, "no memory for a mix");
		return NULL;
	}
	draw->mix = *mix;
	draw->align_bytes = options->align_bytes;
	for (i = 0; i < mix->count; i++) {
		if (!lay_out(draw, i, options, err))
			continue;
		free(draw);
		return NULL;
	}
	start_choices(draw, options);
	return draw;
}

static uint64_t random_offset(struct mix_draw *draw, const struct room *room, uint32_t bytes)
{
	uint64_t align = alignment(draw, bytes), drawn = random_next(&draw->random);

	drawn = (uint64_t)(((unsigned __int128)drawn * slots(draw, room, bytes)) >> 64);
	return round_up(room->begin, align) + drawn * align;
}

/* Behind the end of its part a pattern goes on at the beginning. */
static uint64_t next_in_order(struct room *room, uint32_t bytes)
{
	uint64_t offset = room->cursor + bytes <= room->end ? room->cursor : room->begin;

	room->cursor = offset + bytes;
	return offset;
}

void mix_draw_next(struct mix_draw *draw, struct mix_io *io)
{
	const struct mix_pattern *pattern;
	struct pattern_draw *of;
	struct room *room;

	io->pattern = strata_next(&draw->patterns);
	pattern = &draw->mix.patterns[io->pattern];
	of = &draw->of[io->pattern];
	io->size = strata_next(&of->sizes);
	io->place = strata_next(&of->places);
	room = &of->rooms[io->place];
	io->op = pattern->op;
	io->bytes = pattern->sizes[io->size];
	io->offset = pattern->is_random ? random_offset(draw, room, io->bytes)
					: next_in_order(room, io->bytes);
}

void mix_draw_close(struct mix_draw *draw)
{
	free(draw);
}
