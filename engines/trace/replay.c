/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of a trace in the order they are due, for every clone. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "engines/trace/info_internal.h"
#include "engines/trace/replay.h"
#include "engines/trace/replay_place.h"

/* One copy of the stream, on its own way through the trace. */
struct clone {
	struct trace_cursor cursor;
	struct trace_record record; /* the one that is due next */
	uint64_t due_ns;
	uint64_t start_ns;    /* stagger, and the rounds that are over; rotated: before 0 */
	uint64_t last_end_ns; /* of its last round, in the trace's time */
	unsigned number, rounds_left;
};

struct replay {
	struct trace *trace;
	struct replay_options options;
	uint64_t from_ns, to_ns, round_ns; /* of the trace's time */
	int stream;			   /* -1: all */
	uint64_t *base_bytes;		   /* of each stream in a clone's address space */
	struct clone *clones;		   /* those of this part */
	struct clone **heap;		   /* the one that is due first, first */
	unsigned clone_count, heap_count;
	struct places places;
	struct replay_counts counts;
	struct in_flight in_flight; /* by the trace's own latencies */
	struct trace_record rest;   /* of a record that goes in pieces */
	uint64_t rest_due_ns;
	unsigned rest_clone;
	bool has_rest, flush_first;
};

static bool is_earlier(const struct clone *a, const struct clone *b)
{
	return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->number < b->number;
}

static void sift_down(struct replay *replay, unsigned place)
{
	struct clone **heap = replay->heap, *moved = heap[place];
	unsigned child;

	while ((child = 2 * place + 1) < replay->heap_count) {
		if (child + 1 < replay->heap_count && is_earlier(heap[child + 1], heap[child]))
			child++;
		if (!is_earlier(heap[child], moved))
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = moved;
}

static bool is_chosen(const struct replay *replay, const struct trace_record *record)
{
	return replay->stream < 0 || record->stream == replay->stream;
}

static uint64_t at_speed(const struct replay *replay, uint64_t time_ns)
{
	return (uint64_t)((double)time_ns / replay->options.speed);
}

static uint64_t round_end(const struct replay *replay, const struct clone *clone)
{
	return clone->rounds_left == 1 ? clone->last_end_ns : replay->to_ns;
}

/* 1: the clone stands at its next record. 0: it is through. -1: damage. */
static int step(struct replay *replay, struct clone *clone, struct error *err)
{
	int got;

	for (;;) {
		got = trace_next(&clone->cursor, &clone->record);
		if (got < 0) {
			*err = clone->cursor.error;
			return -1;
		}
		if (got && clone->record.time_ns < round_end(replay, clone)) {
			if (!is_chosen(replay, &clone->record))
				continue;
			clone->due_ns = clone->start_ns +
					at_speed(replay, clone->record.time_ns - replay->from_ns);
			return 1;
		}
		if (!--clone->rounds_left)
			return 0;
		clone->start_ns += at_speed(replay, replay->round_ns);
		if (trace_seek_time(&clone->cursor, replay->from_ns)) {
			*err = clone->cursor.error;
			return -1;
		}
	}
}

/* A clone's stagger depends on seed and number alone. */
static uint64_t stagger_of(const struct replay_options *options, unsigned clone)
{
	uint64_t stream = options->seed * 0x9e3779b97f4a7c15ULL + clone;
	double share = random_share_above_0(random_next(&stream));

	if (options->stagger == REPLAY_STAGGER_ROTATE)
		return 0;
	if (options->stagger == REPLAY_STAGGER_EXPONENTIAL)
		return (uint64_t)(-log(share) * (double)options->stagger_ns);
	return (uint64_t)((1.0 - share) * (double)options->stagger_ns);
}

/* Where a clone's first round begins and its last one ends, from the start of the window. */
static uint64_t rotation_of(const struct replay *replay, unsigned clone)
{
	const struct replay_options *options = &replay->options;

	if (options->stagger != REPLAY_STAGGER_ROTATE)
		return 0;
	return (uint64_t)((double)(replay->to_ns - replay->from_ns) * clone / options->clones);
}

static int start_clone(struct replay *replay, unsigned number, struct error *err)
{
	struct clone *clone = &replay->clones[replay->clone_count];
	uint64_t rotation_ns = rotation_of(replay, number);
	int got;

	*clone = (struct clone){
		.number = number,
		.rounds_left = replay->options.loops + (rotation_ns > 0),
		.last_end_ns = rotation_ns ? replay->from_ns + rotation_ns : replay->to_ns,
		.start_ns = stagger_of(&replay->options, number) - at_speed(replay, rotation_ns)};
	if (trace_cursor_open(replay->trace, &clone->cursor, err))
		return -1;
	replay->clone_count++;
	if (trace_seek_time(&clone->cursor, replay->from_ns + rotation_ns)) {
		*err = clone->cursor.error;
		return -1;
	}
	got = step(replay, clone, err);
	if (got > 0)
		replay->heap[replay->heap_count++] = clone;
	return got < 0 ? -1 : 0;
}

static int start_clones(struct replay *replay, struct error *err)
{
	const struct replay_options *options = &replay->options;
	unsigned number, i;

	replay->clones = calloc(options->clones, sizeof(*replay->clones));
	replay->heap = calloc(options->clones, sizeof(*replay->heap));
	if (!replay->clones || !replay->heap)
		return error_set(err, "no memory for %u clones", options->clones);
	for (number = options->part; number < options->clones; number += options->parts) {
		if (start_clone(replay, number, err))
			return -1;
	}
	for (i = replay->heap_count / 2; i-- > 0;)
		sift_down(replay, i);
	return 0;
}

/* Streams lie behind each other in a clone's address space; returns its length. */
static uint64_t lay_out_streams(struct replay *replay)
{
	unsigned i, count = trace_header(replay->trace)->streams;
	uint64_t span = 0;

	for (i = 0; i < count; i++) {
		uint64_t end = trace_stream(replay->trace, i)->end_bytes;

		replay->base_bytes[i] = span;
		if (replay->stream < 0 || replay->stream == (int)i)
			span += (end + PLACE_PIECE_BYTES - 1) / PLACE_PIECE_BYTES *
				PLACE_PIECE_BYTES;
	}
	return span ? span : PLACE_PIECE_BYTES;
}

static int choose(struct replay *replay, struct error *err)
{
	const struct replay_options *options = &replay->options;
	const struct trace_header *header = trace_header(replay->trace);

	replay->stream = -1;
	if (options->stream) {
		replay->stream = trace_stream_find(replay->trace, options->stream, err);
		if (replay->stream < 0)
			return -1;
	}
	replay->from_ns = options->from_ns;
	replay->to_ns = options->to_ns ? options->to_ns : header->duration_ns + 1;
	if (options->phase && trace_phase_window(replay->trace, options->phase, &replay->from_ns,
						 &replay->to_ns, err))
		return -1;
	if (replay->to_ns <= replay->from_ns)
		return error_set(err, "the window ends before it begins");
	/* One round lasts as long as the trace, and one mean gap more. */
	replay->round_ns = replay->to_ns - replay->from_ns;
	if (header->records)
		replay->round_ns += header->duration_ns / header->records;
	return 0;
}

static int check_options(const struct replay_options *options, struct error *err)
{
	if (!options->clones || !options->loops || !options->parts ||
	    options->part >= options->parts)
		return error_set(err, "clones and loops begin at 1");
	if (!(options->speed > 0.0 && options->speed < 1e6))
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
	    !places_init(&replay->places, options, lay_out_streams(replay), err) &&
	    !start_clones(replay, err)) {
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
		trace_cursor_close(&replay->clones[i].cursor);
	places_free(&replay->places);
	free(replay->clones);
	free(replay->heap);
	free(replay->base_bytes);
	in_flight_free(&replay->in_flight);
	free(replay);
}

/* Whole blocks of the target, and never beyond what a trace can address. */
static void align(struct replay *replay, struct trace_record *record)
{
	uint64_t block = replay->options.block_bytes;
	uint64_t before = record->offset % block;
	uint64_t length = record->length;

	record->offset -= before;
	length += before;
	length += (block - length % block) % block;
	replay->counts.aligned += before || length != record->length;
	record->length = length;
}

/* What the record in `rest` adds to the trace's own number in flight. */
static int count_in_flight(struct replay *replay, struct error *err)
{
	struct trace_record record = replay->rest;

	record.time_ns = replay->rest_due_ns;
	if (in_flight_add(&replay->in_flight, &record))
		return error_set(err, "no memory for the I/Os in flight in the trace");
	replay->counts.latencies += record.latency_ns != TRACE_NO_LATENCY;
	replay->counts.busy_ns = replay->in_flight.busy_ns;
	replay->counts.in_flight_most = replay->in_flight.most;
	replay->counts.last_due_ns = record.time_ns;
	return 0;
}

/* Takes the record that is due first out of its clone. 1, 0 at the end, -1. */
static int take_record(struct replay *replay, struct error *err)
{
	struct clone *clone;
	int got;

	if (!replay->heap_count)
		return 0;
	clone = replay->heap[0];
	replay->rest = clone->record;
	replay->rest_due_ns = clone->due_ns;
	replay->rest_clone = clone->number;
	replay->counts.records[clone->record.op]++;
	replay->counts.bytes[clone->record.op] += clone->record.length;
	if (count_in_flight(replay, err))
		return -1;
	got = step(replay, clone, err);
	if (got < 0)
		return -1;
	if (!got)
		replay->heap[0] = replay->heap[--replay->heap_count];
	if (replay->heap_count)
		sift_down(replay, 0);
	return 1;
}

static bool is_write(const struct trace_record *record)
{
	return record->op == TRACE_WRITE || record->op == TRACE_WRITE_ZEROES;
}

/* Leaves out what the options say, and counts it. */
static void leave_out(struct replay *replay)
{
	const struct replay_options *options = &replay->options;
	struct trace_record *rest = &replay->rest;

	if (replay->flush_first && options->skip_flushes) {
		replay->counts.flushes_skipped++;
		replay->flush_first = false;
	}
	if (rest->op == TRACE_TRIM && options->skip_trims) {
		replay->counts.trims_skipped++;
		replay->has_rest = false;
	}
	if (is_write(rest) && (rest->flags & TRACE_FUA) && options->skip_fua) {
		replay->counts.fua_not_forced++;
		rest->flags &= (uint8_t)~TRACE_FUA;
	}
}

/* Makes the record that was taken ready to be sent, in pieces where need be. */
static void begin_record(struct replay *replay)
{
	struct trace_record *rest = &replay->rest;
	bool is_flush = rest->op == TRACE_FLUSH;

	if (!rest->length && !is_flush) {
		replay->counts.skipped++;
		return;
	}
	replay->has_rest = !is_flush;
	replay->flush_first = is_flush || (rest->flags & TRACE_PREFLUSH);
	leave_out(replay);
	if (!replay->has_rest)
		return;
	rest->offset += replay->base_bytes[rest->stream];
	align(replay, rest);
}

static void make_flush(struct replay *replay, struct replay_item *item)
{
	*item = (struct replay_item){
		.due_ns = replay->rest_due_ns, .op = TRACE_FLUSH, .clone = replay->rest_clone};
	replay->flush_first = false;
}

static int make_piece(struct replay *replay, struct replay_item *item, struct error *err)
{
	struct trace_record *rest = &replay->rest;
	uint64_t bytes = rest->length;

	*item = (struct replay_item){.due_ns = replay->rest_due_ns,
				     .op = rest->op,
				     .flags = rest->flags,
				     .clone = replay->rest_clone};
	if (bytes > replay->options.longest_bytes)
		bytes = replay->options.longest_bytes;
	if (places_find(&replay->places, item->clone, rest->offset, bytes, rest->op != TRACE_READ,
			&item->offset, &item->bytes))
		return error_set(err, "no memory for the places of a replay");
	replay->counts.folded = replay->places.folded;
	rest->offset += item->bytes;
	rest->length -= item->bytes;
	replay->counts.fua += is_write(rest) && (rest->flags & TRACE_FUA);
	replay->has_rest = rest->length > 0;
	return 1;
}

int replay_next(struct replay *replay, struct replay_item *item, struct error *err)
{
	bool continues = replay->has_rest;
	int got;

	while (!replay->has_rest && !replay->flush_first) {
		got = take_record(replay, err);
		if (got <= 0)
			return got;
		begin_record(replay);
	}
	replay->counts.items++;
	if (replay->flush_first) {
		make_flush(replay, item);
		return 1;
	}
	got = make_piece(replay, item, err);
	replay->counts.split += !continues && replay->has_rest;
	return got;
}

const struct replay_counts *replay_counts(const struct replay *replay)
{
	return &replay->counts;
}

/* Records, and the time from the first to the last, of one copy of the part that is chosen. */
static int measure_part(struct trace *trace, const struct replay_options *options,
			uint64_t *records, uint64_t *duration_ns, struct error *err)
{
	struct replay_options one = *options;
	struct replay *replay;
	int got = 0;

	one.clones = one.parts = one.loops = 1;
	one.part = 0;
	one.stagger_ns = 0;
	one.speed = 1.0;
	if (replay_open(trace, &one, &replay, err))
		return -1;
	*records = *duration_ns = 0;
	while (replay->heap_count && (got = take_record(replay, err)) > 0) {
		*duration_ns = replay->rest_due_ns;
		(*records)++;
	}
	replay_close(replay);
	return got < 0 ? -1 : 0;
}

bool replay_takes_all(const struct replay_options *options)
{
	return !options->stream && !options->phase && !options->from_ns && !options->to_ns;
}

int replay_mean_iops(struct trace *trace, const struct replay_options *options, double *iops,
		     struct error *err)
{
	const struct trace_header *header = trace_header(trace);
	uint64_t records = header->records, duration_ns = header->duration_ns;

	if (!replay_takes_all(options) && measure_part(trace, options, &records, &duration_ns, err))
		return -1;
	if (!records || !duration_ns)
		return error_set(err,
				 "the part of the trace that was chosen has no duration, so no "
				 "rate can be made of it");
	*iops = (double)records * 1e9 / (double)duration_ns * options->clones;
	return 0;
}
