/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of a trace in the order they are due, for every clone. */
#include "engines/trace/replay_internal.h"

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

/* What the record in `rest` adds to the trace's own number in flight, at its own time. */
static int count_in_flight(struct replay *replay, uint64_t time_ns, struct error *err)
{
	struct trace_record record = replay->rest;

	record.time_ns = time_ns;
	if (in_flight_add(&replay->in_flight, &record))
		return error_set(err, "no memory for the I/Os in flight in the trace");
	replay->counts.latencies += record.latency_ns != TRACE_NO_LATENCY;
	replay->counts.busy_ns = replay->in_flight.busy_ns;
	replay->counts.in_flight_most = replay->in_flight.most;
	replay->counts.last_end_ns = replay->in_flight.last_end_ns;
	return 0;
}

/* `rest` is the record that goes next. */
static void take_rest(struct replay *replay, uint64_t due_ns, unsigned clone)
{
	replay->rest_due_ns = due_ns;
	replay->rest_clone = clone;
	replay->counts.records[replay->rest.op]++;
	replay->counts.bytes[replay->rest.op] += replay->rest.length;
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
	take_rest(replay, clone->due_ns, clone->number);
	if (count_in_flight(replay, clone->due_ns, err))
		return -1;
	got = clone_next(clone, &replay->options, &replay->part, err);
	if (got < 0)
		return -1;
	if (!got)
		replay->heap[0] = replay->heap[--replay->heap_count];
	if (replay->heap_count)
		clone_sift_down(replay->heap, replay->heap_count, 0);
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

static bool has_more(const struct replay *replay)
{
	return replay->has_rest || replay->flush_first;
}

/* The next I/O of the record that was taken. */
static int make_item(struct replay *replay, struct replay_item *item, bool continues,
		     struct error *err)
{
	int got = 1;

	replay->counts.items++;
	if (replay->flush_first) {
		make_flush(replay, item);
	} else {
		got = make_piece(replay, item, err);
		replay->counts.split += !continues && replay->has_rest;
	}
	item->record = replay->rest_ref;
	return got;
}

int replay_next(struct replay *replay, struct replay_item *item, struct error *err)
{
	bool continues = replay->has_rest;
	int got;

	while (!has_more(replay)) {
		got = take_record(replay, err);
		if (got <= 0)
			return got;
		begin_record(replay);
	}
	return make_item(replay, item, continues, err);
}

static int take_due_record(struct replay *replay, uint64_t now_ns, uint64_t due_ns,
			   struct error *err)
{
	const struct clone *clone;

	depend_take(replay->depend, now_ns, &replay->rest, &replay->rest_ref);
	clone = &replay->clones[replay->rest_ref.lane];
	take_rest(replay, due_ns, clone->number);
	return count_in_flight(
		replay, clone->start_ns + replay_at_speed(&replay->options, replay->rest.time_ns),
		err);
}

/* A record that has nothing to send is complete when it was due. */
static enum replay_got take_dependent(struct replay *replay, uint64_t now_ns,
				      struct replay_item *item, struct error *err)
{
	while (!has_more(replay)) {
		uint64_t due_ns = 0;

		switch (depend_due(replay->depend, &due_ns, err)) {
		case DEPEND_DAMAGED:
			return REPLAY_DAMAGED;
		case DEPEND_THROUGH:
			return REPLAY_THROUGH;
		case DEPEND_WAITS:
			due_ns = UINT64_MAX;
			break;
		case DEPEND_KNOWN:
			break;
		}
		if (due_ns > now_ns) {
			*item = (struct replay_item){.due_ns = due_ns};
			return REPLAY_WAITS;
		}
		if (take_due_record(replay, now_ns, due_ns, err))
			return REPLAY_DAMAGED;
		begin_record(replay);
		if (!has_more(replay))
			depend_release(replay->depend, replay->rest_ref, due_ns);
	}
	return REPLAY_ITEM;
}

enum replay_got replay_next_dependent(struct replay *replay, uint64_t now_ns,
				      struct replay_item *item, struct error *err)
{
	bool continues = replay->has_rest;
	enum replay_got got = take_dependent(replay, now_ns, item, err);

	if (got != REPLAY_ITEM)
		return got;
	if (make_item(replay, item, continues, err) < 0)
		return REPLAY_DAMAGED;
	depend_hold(replay->depend, item->record);
	if (!has_more(replay))
		depend_release(replay->depend, item->record, now_ns);
	return REPLAY_ITEM;
}

void replay_completed(struct replay *replay, struct depend_ref record, uint64_t now_ns)
{
	depend_release(replay->depend, record, now_ns);
}

struct depend_counts replay_depend_counts(const struct replay *replay)
{
	return depend_counts(replay->depend);
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
	one.dependent = false;
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
