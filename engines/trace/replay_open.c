/* SPDX-License-Identifier: GPL-2.0-only */
/* Setting up a replay: which records, of which clones, on which places. */
#include <stdlib.h>

#include "engines/trace/replay_internal.h"

/* Each reads all of the trace to find its own. */
#define MOST_CLONE_STREAMS (1u << 14)

/* Of the trace's own. */
#define LOWEST_SPEED  1e-6
#define HIGHEST_SPEED 1e6

static int start_clone(struct replay *replay, unsigned number, int stream, struct error *err)
{
	struct clone *clone = &replay->clones[replay->clone_count];
	int got;

	if (clone_open(clone, replay->trace, &replay->options, &replay->part, number, stream, err))
		return -1;
	replay->clone_count++;
	if (replay->options.dependent)
		return 0;
	got = clone_next(clone, &replay->options, &replay->part, err);
	if (got > 0)
		replay->heap[replay->heap_count++] = clone;
	return got < 0 ? -1 : 0;
}

/* When dependent, each stream of a clone goes its own way. */
static int start_streams(struct replay *replay, unsigned number, struct error *err)
{
	unsigned i, count = trace_header(replay->trace)->streams;

	if (!replay->options.dependent)
		return start_clone(replay, number, replay->stream, err);
	for (i = 0; i < count; i++) {
		bool is_chosen = replay->stream < 0 || replay->stream == (int)i;

		if (is_chosen && trace_stream(replay->trace, i)->records &&
		    start_clone(replay, number, (int)i, err))
			return -1;
	}
	return 0;
}

static int start_clones(struct replay *replay, struct error *err)
{
	const struct replay_options *options = &replay->options;
	size_t count = options->clones;
	unsigned number, i;

	if (options->dependent)
		count *= trace_header(replay->trace)->streams;
	if (count > MOST_CLONE_STREAMS)
		return error_set(err,
				 "%u clones of %u streams are too many to follow each by itself: "
				 "choose a stream or fewer clones",
				 options->clones, trace_header(replay->trace)->streams);
	replay->clones = calloc(count + 1, sizeof(*replay->clones));
	replay->heap = calloc(count + 1, sizeof(*replay->heap));
	if (!replay->clones || !replay->heap)
		return error_set(err, "no memory for %u clones", options->clones);
	for (number = options->part; number < options->clones; number += options->parts) {
		if (start_streams(replay, number, err))
			return -1;
	}
	for (i = replay->heap_count / 2; i-- > 0;)
		clone_sift_down(replay->heap, replay->heap_count, i);
	return 0;
}

static uint64_t start_of_clone(void *source, unsigned number)
{
	return ((struct replay *)source)->clones[number].start_ns;
}

static int read_clone(void *source, unsigned number, struct trace_record *record, struct error *err)
{
	struct replay *replay = source;
	struct clone *clone = &replay->clones[number];
	int got = clone_next(clone, &replay->options, &replay->part, err);

	if (got <= 0)
		return got;
	*record = clone->record;
	record->time_ns = clone->time_ns;
	return 1;
}

static int start_depend(struct replay *replay, struct error *err)
{
	const struct replay_options *options = &replay->options;
	struct depend_options wanted = {
		.lanes = replay->clone_count,
		.think_max_ns = options->think_max_ns,
		.reach = options->reach,
		.speed = options->speed,
		.start_ns = start_of_clone,
		.read = read_clone,
		.source = replay,
	};

	return options->dependent ? depend_open(&wanted, &replay->depend, err) : 0;
}

/* Streams lie behind each other in a clone's address space; *span is its length. */
static int lay_out_streams(struct replay *replay, uint64_t *span, struct error *err)
{
	unsigned i, count = trace_header(replay->trace)->streams;

	*span = 0;
	for (i = 0; i < count; i++) {
		uint64_t end = trace_stream(replay->trace, i)->end_bytes;

		replay->base_bytes[i] = *span;
		if (replay->stream < 0 || replay->stream == (int)i)
			*span += (end + PLACE_PIECE_BYTES - 1) / PLACE_PIECE_BYTES *
				 PLACE_PIECE_BYTES;
		if (*span > PLACE_LONGEST_SPAN)
			return error_set(err,
					 "the streams of the trace take over 2^63 bytes together: "
					 "choose one with stream=");
	}
	if (!*span)
		*span = PLACE_PIECE_BYTES;
	return 0;
}

static int init_places(struct replay *replay, struct error *err)
{
	uint64_t span;

	if (lay_out_streams(replay, &span, err))
		return -1;
	return places_init(&replay->places, &replay->options, span, err);
}

static int choose(struct replay *replay, struct error *err)
{
	const struct replay_options *options = &replay->options;
	const struct trace_header *header = trace_header(replay->trace);
	uint64_t begin_ns = 0, end_ns = header->duration_ns + 1;

	replay->stream = -1;
	if (options->stream) {
		replay->stream = trace_stream_find(replay->trace, options->stream, err);
		if (replay->stream < 0)
			return -1;
	}
	if (options->phase &&
	    trace_phase_window(replay->trace, options->phase, &begin_ns, &end_ns, err))
		return -1;
	replay->part.from_ns = begin_ns + options->from_ns;
	replay->part.to_ns = end_ns;
	if (options->to_ns && (!options->phase || begin_ns + options->to_ns < end_ns))
		replay->part.to_ns = begin_ns + options->to_ns;
	if (replay->part.to_ns <= replay->part.from_ns)
		return error_set(err, "the window ends before it begins");
	/* One round lasts as long as the trace, and one mean gap more. */
	replay->part.round_ns = replay->part.to_ns - replay->part.from_ns;
	if (header->records)
		replay->part.round_ns += header->duration_ns / header->records;
	return 0;
}

static int check_options(const struct replay_options *options, struct error *err)
{
	if (!options->clones || !options->loops || !options->parts ||
	    options->part >= options->parts)
		return error_set(err, "clones and loops begin at 1");
	if (!(options->speed >= LOWEST_SPEED && options->speed < HIGHEST_SPEED))
		return error_set(err, "a speed of %g times the trace's cannot be", options->speed);
	return 0;
}

int replay_open(struct trace *trace, const struct replay_options *options, struct replay **result,
		struct error *err)
{
	struct replay *replay = calloc(1, sizeof(*replay));

	if (!replay)
		return error_set(err, "no memory for a replay");
	replay->trace = trace;
	replay->options = *options;
	replay->base_bytes = calloc(trace_header(trace)->streams + 1, sizeof(uint64_t));
	if (!replay->base_bytes)
		error_set(err, "no memory for a replay");
	if (replay->base_bytes && !check_options(options, err) && !choose(replay, err) &&
	    !init_places(replay, err) && !start_clones(replay, err) && !start_depend(replay, err)) {
		*result = replay;
		return 0;
	}
	replay_close(replay);
	return -1;
}

void replay_close(struct replay *replay)
{
	unsigned i;

	for (i = 0; i < replay->clone_count; i++)
		clone_close(&replay->clones[i]);
	if (replay->depend)
		depend_close(replay->depend);
	places_free(&replay->places);
	free(replay->clones);
	free(replay->heap);
	free(replay->base_bytes);
	in_flight_free(&replay->in_flight);
	free(replay);
}
