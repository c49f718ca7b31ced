/* SPDX-License-Identifier: GPL-2.0-only */
/* Clones of a trace: what one takes, how many a region holds, where they begin. */
#include "engines/trace/footprint.h"
#include "tests/unit/suite.h"
#include "trace_fixture.h"

#define PIECE 262144ULL

/* One desktop: 40 reads, one in each piece, and 10 writes that come back to the first of them. */
static struct trace *open_desktop(void)
{
	struct trace_writer *writer = begin_trace(below("desktop.vdt"), true, 0);
	uint64_t i;

	for (i = 0; i < 50; i++) {
		struct trace_record record = {.time_ns = 5000000000ULL + i * 1000000,
					      .offset = i % 40 * PIECE + 8192,
					      .length = 4096,
					      .latency_ns = TRACE_NO_LATENCY,
					      .op = i < 40 ? TRACE_READ : TRACE_WRITE};

		ck_assert(!trace_writer_append(writer, &record, &err));
	}
	ck_assert_msg(!trace_writer_finish(writer, &err), "%s", err.text);
	return open_trace(below("desktop.vdt"));
}

static struct replay_options options_of(bool linked, uint64_t pieces)
{
	return (struct replay_options){.linked = linked,
				       .clones = 1,
				       .loops = 1,
				       .parts = 1,
				       .speed = 1,
				       .fit = REPLAY_COMPACT,
				       .region_bytes = pieces * PIECE,
				       .block_bytes = 4096,
				       .longest_bytes = PIECE};
}

static struct replay_footprint footprint_of(const struct replay_options *options)
{
	struct trace *trace = open_desktop();
	struct replay_footprint footprint;

	ck_assert_msg(!replay_footprint(trace, options, &footprint, &err), "%s", err.text);
	trace_close(trace);
	return footprint;
}

START_TEST(what_a_clone_takes)
{
	struct replay_options options = options_of(false, 1000);
	struct replay_footprint footprint = footprint_of(&options);

	ck_assert_uint_eq(footprint.clone_bytes, 40 * PIECE);
	ck_assert_uint_eq(footprint.shared_bytes, 0);
	ck_assert_uint_eq(replay_clones_held(&footprint, 1000 * PIECE), 25);
	ck_assert_uint_eq(replay_clones_held(&footprint, 999 * PIECE), 24);
	options.linked = true;
	footprint = footprint_of(&options);
	ck_assert_uint_eq(footprint.clone_bytes, 10 * PIECE);
	ck_assert_uint_eq(footprint.shared_bytes, 40 * PIECE);
	ck_assert_uint_eq(replay_clones_held(&footprint, 1000 * PIECE), 96);
	ck_assert_uint_eq(replay_clones_held(&footprint, 1ULL << 50), REPLAY_MOST_CLONES);
	ck_assert_uint_eq(replay_clones_held(&footprint, 40 * PIECE), 1);
}
END_TEST

START_TEST(a_region_too_small_ends_the_count)
{
	struct replay_options options = options_of(false, 20);
	struct replay_footprint footprint = footprint_of(&options);

	ck_assert(footprint.is_cut);
	ck_assert_uint_eq(footprint.clone_bytes, 21 * PIECE);
	ck_assert_uint_eq(replay_clones_held(&footprint, 20 * PIECE), 1);
	options = options_of(true, 45);
	footprint = footprint_of(&options);
	ck_assert(footprint.is_cut);
}
END_TEST

START_TEST(a_window_takes_less)
{
	struct replay_options options = options_of(false, 1000);

	options.to_ns = 10 * 1000000;
	ck_assert_uint_eq(footprint_of(&options).clone_bytes, 10 * PIECE);
}
END_TEST

/* As many as are said to fit leave no place used twice; one more does. */
static uint64_t folded(bool linked, unsigned clones)
{
	struct replay_options options = options_of(linked, 1000);
	struct trace *trace = open_desktop();
	struct replay_item item;
	struct replay *replay;
	uint64_t count;

	options.clones = clones;
	options.stagger = REPLAY_STAGGER_ROTATE;
	ck_assert_msg(!replay_open(trace, &options, &replay, &err), "%s", err.text);
	while (replay_next(replay, &item, &err) > 0)
		;
	count = replay_counts(replay)->folded;
	replay_close(replay);
	trace_close(trace);
	return count;
}

START_TEST(so_many_fit_and_no_more)
{
	ck_assert_uint_eq(folded(false, 25), 0);
	ck_assert_uint_eq(folded(false, 26), 40);
	ck_assert_uint_eq(folded(true, 96), 0);
	ck_assert_uint_eq(folded(true, 97), 10);
}
END_TEST

/* Plays the desktop in five rotated clones; counts each clone's items, and checks their order. */
static void play_rotated(unsigned loops, unsigned *items, uint64_t *first_offset)
{
	struct replay_options options = options_of(false, 1000);
	struct trace *trace = open_desktop();
	struct replay_item item;
	struct replay *replay;
	uint64_t before = 0;

	options.clones = 5;
	options.loops = loops;
	options.fit = REPLAY_EXACT;
	options.stagger = REPLAY_STAGGER_ROTATE;
	ck_assert_msg(!replay_open(trace, &options, &replay, &err), "%s", err.text);
	while (replay_next(replay, &item, &err) > 0) {
		ck_assert_uint_ge(item.due_ns, before);
		before = item.due_ns;
		if (!items[item.clone]++) {
			first_offset[item.clone] = item.offset % (40 * PIECE);
			ck_assert_uint_lt(item.due_ns, 1000000);
		}
	}
	ck_assert_uint_le(before, loops * 50 * 1000000ULL);
	replay_close(replay);
	trace_close(trace);
}

START_TEST(rotated_clones_begin_apart_and_play_all)
{
	unsigned items[5] = {0}, twice[5] = {0}, i;
	uint64_t first[5];

	play_rotated(1, items, first);
	play_rotated(2, twice, first);
	for (i = 0; i < 5; i++) {
		ck_assert_uint_eq(items[i], 50);
		ck_assert_uint_eq(twice[i], 100);
		/* A fifth of 49 ms further each; from 40 ms on the records come back. */
		ck_assert_uint_eq(first[i] / PIECE, (i * 49 + 4) / 5 % 40);
	}
}
END_TEST

/* Which pieces of the region one of two jobs uses: from, and up to. */
static void pieces_of_part(unsigned part, uint64_t *from, uint64_t *to)
{
	struct replay_options options = options_of(false, 1000);
	struct trace *trace = open_desktop();
	struct replay_item item;
	struct replay *replay;

	options.clones = 4;
	options.part = part;
	options.parts = 2;
	*from = UINT64_MAX;
	*to = 0;
	ck_assert_msg(!replay_open(trace, &options, &replay, &err), "%s", err.text);
	while (replay_next(replay, &item, &err) > 0) {
		uint64_t piece = item.offset / PIECE;

		*from = piece < *from ? piece : *from;
		*to = piece > *to ? piece : *to;
	}
	replay_close(replay);
	trace_close(trace);
}

START_TEST(jobs_have_places_of_their_own)
{
	uint64_t from, to;

	pieces_of_part(0, &from, &to);
	ck_assert_uint_eq(from, 0);
	ck_assert_uint_eq(to, 79);
	pieces_of_part(1, &from, &to);
	ck_assert_uint_eq(from, 500);
	ck_assert_uint_eq(to, 579);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clones of a replay");
	TCase *tests = tcase_create("clones");

	tcase_add_checked_fixture(tests, make_folder, remove_folder);
	tcase_add_test(tests, what_a_clone_takes);
	tcase_add_test(tests, a_region_too_small_ends_the_count);
	tcase_add_test(tests, a_window_takes_less);
	tcase_add_test(tests, so_many_fit_and_no_more);
	tcase_add_test(tests, rotated_clones_begin_apart_and_play_all);
	tcase_add_test(tests, jobs_have_places_of_their_own);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
