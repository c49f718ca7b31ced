/* SPDX-License-Identifier: GPL-2.0-only */
/* A dependent replay of a trace: every record once, each stream of each clone by itself. */
#include "base/random.h"
#include "engines/trace/replay.h"
#include "tests/unit/suite.h"
#include "tests/unit/trace_fixture.h"

#define RECORDS	    3000
#define MOST_FLYING 64

struct flying {
	uint64_t done_ns;
	struct depend_ref record;
};

/* A drive that takes at random from a tenth to ten times what the samples say. */
struct drive {
	struct flying flying[MOST_FLYING];
	unsigned count, depth;
	uint64_t now_ns, random;
};

static struct replay_options plain_options(void)
{
	return (struct replay_options){.clones = 1,
				       .loops = 1,
				       .parts = 1,
				       .speed = 1,
				       .fit = REPLAY_COMPACT,
				       .region_bytes = 1ULL << 32,
				       .block_bytes = 4096,
				       .longest_bytes = 262144,
				       .think_max_ns = NS_PER_MSEC,
				       .reach = 1024};
}

static struct flying *first_flying(struct drive *drive)
{
	struct flying *first = drive->flying;
	unsigned i;

	for (i = 1; i < drive->count; i++) {
		if (drive->flying[i].done_ns < first->done_ns)
			first = &drive->flying[i];
	}
	return first;
}

static void land_first(struct drive *drive, struct replay *replay)
{
	struct flying *first = first_flying(drive), landed = *first;

	ck_assert_msg(drive->count > 0, "the replay waits for nothing");
	*first = drive->flying[--drive->count];
	if (landed.done_ns > drive->now_ns)
		drive->now_ns = landed.done_ns;
	replay_completed(replay, landed.record, drive->now_ns);
}

static void fly(struct drive *drive, const struct replay_item *item)
{
	uint64_t latency_ns = 5000 + random_below(random_next(&drive->random), 500000);

	drive->flying[drive->count++] = (struct flying){drive->now_ns + latency_ns, item->record};
}

/* Nothing may leave: on to the next completion, or to when something may. */
static void wait_until(struct drive *drive, struct replay *replay, uint64_t due_ns)
{
	if (drive->count && first_flying(drive)->done_ns <= due_ns)
		land_first(drive, replay);
	else if (due_ns != UINT64_MAX)
		drive->now_ns = due_ns;
	else
		land_first(drive, replay);
}

static void play_dependent(struct replay *replay, struct drive *drive)
{
	struct replay_item item;
	enum replay_got got;

	for (;;) {
		if (drive->count == drive->depth) {
			land_first(drive, replay);
			continue;
		}
		got = replay_next_dependent(replay, drive->now_ns, &item, &err);
		ck_assert_int_ne(got, REPLAY_DAMAGED);
		if (got == REPLAY_THROUGH)
			break;
		if (got == REPLAY_ITEM) {
			ck_assert_uint_le(item.due_ns, drive->now_ns);
			fly(drive, &item);
			continue;
		}
		ck_assert_uint_gt(item.due_ns, drive->now_ns);
		wait_until(drive, replay, item.due_ns);
	}
	while (drive->count)
		land_first(drive, replay);
}

static struct replay_counts count_timed(struct trace *trace, struct replay_options options)
{
	struct replay_counts counts;
	struct replay_item item;
	struct replay *replay;

	options.dependent = false;
	ck_assert_msg(!replay_open(trace, &options, &replay, &err), "%s", err.text);
	while (replay_next(replay, &item, &err) > 0)
		;
	counts = *replay_counts(replay);
	replay_close(replay);
	return counts;
}

/* Plays it on a drive of that depth; the records and pieces must be those of a timed replay. */
static struct depend_counts check_play(struct trace *trace, struct replay_options options,
				       unsigned depth)
{
	struct replay_counts wanted = count_timed(trace, options);
	struct drive drive = {.depth = depth, .random = depth};
	const struct replay_counts *got;
	struct depend_counts counts;
	struct replay *replay;
	unsigned op;

	options.dependent = true;
	ck_assert_msg(!replay_open(trace, &options, &replay, &err), "%s", err.text);
	play_dependent(replay, &drive);
	got = replay_counts(replay);
	for (op = 0; op < TRACE_OPS; op++) {
		ck_assert_uint_eq(got->records[op], wanted.records[op]);
		ck_assert_uint_eq(got->bytes[op], wanted.bytes[op]);
	}
	/* Where linked clones read from depends on what they have written by then. */
	if (!options.linked)
		ck_assert_uint_eq(got->items, wanted.items);
	ck_assert_uint_eq(got->skipped, wanted.skipped);
	ck_assert_uint_eq(got->trims_skipped, wanted.trims_skipped);
	ck_assert_uint_eq(got->flushes_skipped, wanted.flushes_skipped);
	counts = replay_depend_counts(replay);
	ck_assert_uint_eq(counts.violations, 0);
	ck_assert_uint_gt(counts.dependent, 0);
	replay_close(replay);
	return counts;
}

static struct trace *samples(void)
{
	write_samples(below("samples.vdt"), true, RECORDS);
	return open_trace(below("samples.vdt"));
}

START_TEST(every_record_leaves_once)
{
	struct trace *trace = samples();
	struct replay_options options = plain_options();
	struct depend_counts counts;

	counts = check_play(trace, options, 1);
	counts = check_play(trace, options, MOST_FLYING);
	ck_assert_uint_eq(counts.latency_missing, RECORDS / 3);
	ck_assert(counts.has_shift && counts.latest > 0);
	options.longest_bytes = 4096;
	check_play(trace, options, 16);
	options.speed = 3.7;
	check_play(trace, options, 16);
	trace_close(trace);
}
END_TEST

START_TEST(parts_rounds_and_clones_are_those_of_a_timed_replay)
{
	struct trace *trace = samples();
	struct replay_options options = plain_options();

	options.stream = "sdb";
	check_play(trace, options, 8);
	options.phase = "login";
	options.loops = 3;
	check_play(trace, options, 8);
	options.phase = NULL;
	options.from_ns = 500000;
	options.to_ns = 900000;
	options.clones = 5;
	check_play(trace, options, 8);
	options.stagger = REPLAY_STAGGER_ROTATE;
	check_play(trace, options, 8);
	options.stream = NULL;
	options.stagger = REPLAY_STAGGER_UNIFORM;
	options.stagger_ns = NS_PER_MSEC;
	options.linked = true;
	check_play(trace, options, MOST_FLYING);
	options.parts = 2;
	options.part = 1;
	check_play(trace, options, 8);
	trace_close(trace);
}
END_TEST

START_TEST(what_is_left_out_holds_nothing_up)
{
	struct trace *trace = samples();
	struct replay_options options = plain_options();

	options.skip_trims = options.skip_flushes = options.skip_fua = true;
	check_play(trace, options, 8);
	options.reach = 100;
	check_play(trace, options, 8);
	trace_close(trace);
}
END_TEST

/* A stream that waits for a completion that does not come, beside one that goes on. */
START_TEST(a_stream_that_waits_holds_up_no_other)
{
	struct trace *trace = samples();
	struct replay_options options = plain_options();
	struct drive drive = {.depth = MOST_FLYING};
	struct depend_ref held = {0};
	struct replay_item item;
	struct replay *replay;
	uint64_t last[4] = {0};
	unsigned lane;
	bool holds = false;

	options.dependent = true;
	options.clones = 2;
	ck_assert(!replay_open(trace, &options, &replay, &err));
	for (;;) {
		enum replay_got got = replay_next_dependent(replay, drive.now_ns, &item, &err);

		if (got == REPLAY_WAITS && item.due_ns == UINT64_MAX && !drive.count)
			break;
		if (got == REPLAY_WAITS)
			wait_until(&drive, replay, item.due_ns);
		if (got != REPLAY_ITEM)
			continue;
		if (item.record.number > last[item.record.lane])
			last[item.record.lane] = item.record.number;
		/* The trace has latencies for all but each third record, from the second on. */
		if (!holds && item.record.lane == 0 && item.record.number == 1) {
			holds = true;
			held = item.record;
			continue;
		}
		if (drive.count == MOST_FLYING)
			land_first(&drive, replay);
		fly(&drive, &item);
	}
	ck_assert(holds);
	ck_assert_uint_le(last[0], 1 + options.reach);
	for (lane = 1; lane < 4; lane++)
		ck_assert_uint_eq(last[lane], RECORDS / 2 - 1);
	replay_completed(replay, held, drive.now_ns);
	play_dependent(replay, &drive);
	ck_assert_uint_eq(replay_depend_counts(replay).violations, 0);
	replay_close(replay);
	trace_close(trace);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("streams of a replay");
	TCase *tcase = tcase_create("dependent");

	suite_add_tcase(suite, tcase);
	tcase_add_checked_fixture(tcase, make_folder, remove_folder);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, every_record_leaves_once);
	tcase_add_test(tcase, parts_rounds_and_clones_are_those_of_a_timed_replay);
	tcase_add_test(tcase, what_is_left_out_holds_nothing_up);
	tcase_add_test(tcase, a_stream_that_waits_holds_up_no_other);
	return run_suite(suite);
}
