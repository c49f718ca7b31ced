/* SPDX-License-Identifier: GPL-2.0-only */
/* Dependent pacing: issue order and times against a slow, plain reckoning of the same rule. */
#include <check.h>
#include <stdlib.h>

#include "base/random.h"
#include "engines/trace/replay_depend.h"
#include "tests/unit/suite.h"

#define MOST_RECORDS 160
#define MOST_LANES   3
#define NEVER	     UINT64_MAX

/* A made-up trace, and how long the drive of the replay takes for each record. */
struct made {
	struct trace_record records[MOST_RECORDS];
	uint64_t drive_ns[MOST_RECORDS];
	unsigned count, at;
	uint64_t start_ns;
};

struct play {
	struct made lanes[MOST_LANES];
	struct depend_options options;
	unsigned depth; /* of the drive: so many at once */
};

/* What happened to a record. */
struct fate {
	uint64_t due_ns, left_ns, done_ns;
};

struct fates {
	struct fate of[MOST_LANES][MOST_RECORDS];
};

static uint64_t start_of(void *source, unsigned lane)
{
	return ((struct play *)source)->lanes[lane].start_ns;
}

static int read_one(void *source, unsigned lane, struct trace_record *record, struct error *err)
{
	struct made *made = &((struct play *)source)->lanes[lane];

	(void)err;
	if (made->at == made->count)
		return 0;
	*record = made->records[made->at++];
	return 1;
}

static void forget_fates(struct fates *fates)
{
	unsigned lane, i;

	for (lane = 0; lane < MOST_LANES; lane++) {
		for (i = 0; i < MOST_RECORDS; i++)
			fates->of[lane][i] = (struct fate){NEVER, NEVER, NEVER};
	}
}

/* ---- the plain reckoning -------------------------------------------------------------------- */

static uint64_t scaled(const struct play *play, uint64_t time_ns)
{
	return (uint64_t)((double)time_ns / play->options.speed);
}

static uint64_t traced_end(const struct made *made, unsigned i)
{
	return made->records[i].time_ns + made->records[i].latency_ns;
}

/* The record whose completion record i waits for; -1: none. */
static int awaited_by(const struct play *play, const struct made *made, unsigned i)
{
	uint64_t now = made->records[i].time_ns;
	unsigned reach = play->options.reach, a;
	int found = -1;

	for (a = 0; a < i; a++) {
		uint64_t end = traced_end(made, a);

		if (made->records[a].latency_ns == TRACE_NO_LATENCY || end > now)
			continue;
		if (a + reach < i && end > made->records[a + reach].time_ns)
			continue;
		if (found < 0 || end >= traced_end(made, (unsigned)found))
			found = (int)a;
	}
	if (found < 0 || now - traced_end(made, (unsigned)found) > play->options.think_max_ns)
		return -1;
	return found;
}

static uint64_t plain_due(const struct play *play, const struct made *made,
			  const struct fate *fates, unsigned i)
{
	int awaited = awaited_by(play, made, i);
	uint64_t now = made->records[i].time_ns, due;

	if (awaited >= 0) {
		if (fates[awaited].done_ns == NEVER)
			return NEVER;
		due = fates[awaited].done_ns +
		      scaled(play, now - traced_end(made, (unsigned)awaited));
	} else if (!i) {
		due = made->start_ns + scaled(play, now);
	} else if (fates[i - 1].due_ns == NEVER) {
		return NEVER;
	} else {
		due = fates[i - 1].due_ns + scaled(play, now) -
		      scaled(play, made->records[i - 1].time_ns);
	}
	return due;
}

static bool is_in_reach(const struct play *play, const struct fate *fates, unsigned i)
{
	unsigned j;

	for (j = 0; j + play->options.reach <= i; j++) {
		if (fates[j].done_ns == NEVER)
			return false;
	}
	return true;
}

/* Finds every due time that can be known; the earliest record that may leave, or NULL. */
static struct fate *plain_earliest(const struct play *play, struct fates *fates, unsigned *lane,
				   unsigned *number)
{
	struct fate *earliest = NULL;
	unsigned l, i;

	for (l = 0; l < play->options.lanes; l++) {
		for (i = 0; i < play->lanes[l].count; i++) {
			struct fate *fate = &fates->of[l][i];

			if (fate->due_ns == NEVER)
				fate->due_ns = plain_due(play, &play->lanes[l], fates->of[l], i);
			if (fate->due_ns == NEVER || fate->left_ns != NEVER ||
			    (earliest && earliest->due_ns <= fate->due_ns) ||
			    !is_in_reach(play, fates->of[l], i))
				continue;
			earliest = fate;
			*lane = l;
			*number = i;
		}
	}
	return earliest;
}

/* ---- a drive that both are played on -------------------------------------------------------- */

struct flying {
	uint64_t done_ns;
	unsigned lane, number;
};

struct drive {
	struct flying flying[MOST_LANES * MOST_RECORDS];
	unsigned count;
};

static uint64_t first_done_ns(const struct drive *drive, unsigned *which)
{
	uint64_t first = NEVER;
	unsigned i;

	for (i = 0; i < drive->count; i++) {
		if (drive->flying[i].done_ns >= first)
			continue;
		first = drive->flying[i].done_ns;
		*which = i;
	}
	return first;
}

static void leave(struct drive *drive, const struct play *play, struct fate *fate, unsigned lane,
		  unsigned number, uint64_t now)
{
	uint64_t done_ns = now + play->lanes[lane].drive_ns[number];

	fate->left_ns = now;
	drive->flying[drive->count++] = (struct flying){done_ns, lane, number};
}

static struct flying land(struct drive *drive, unsigned which)
{
	struct flying landed = drive->flying[which];

	drive->flying[which] = drive->flying[--drive->count];
	return landed;
}

static void play_plainly(const struct play *play, struct fates *fates)
{
	struct drive drive = {.count = 0};
	uint64_t now = 0;

	for (;;) {
		unsigned lane = 0, number = 0, which = 0;
		struct fate *next = plain_earliest(play, fates, &lane, &number);
		uint64_t done = first_done_ns(&drive, &which);
		struct flying landed;

		if (!next && done == NEVER)
			return;
		if (next && drive.count < play->depth &&
		    (next->due_ns <= now || next->due_ns < done)) {
			now = next->due_ns > now ? next->due_ns : now;
			leave(&drive, play, next, lane, number, now);
			continue;
		}
		landed = land(&drive, which);
		now = landed.done_ns;
		fates->of[landed.lane][landed.number].done_ns = now;
	}
}

/* One record leaves or completes; false at the end. */
static bool step(struct depend *depend, const struct play *play, struct fates *fates,
		 struct drive *drive, uint64_t *now)
{
	unsigned which = 0;
	uint64_t due = 0, done = first_done_ns(drive, &which);
	struct error err;
	enum depend_state state = depend_due(depend, &due, &err);
	struct trace_record record;
	struct depend_ref ref;
	struct flying landed;
	struct fate *fate;

	ck_assert_int_ne(state, DEPEND_DAMAGED);
	if (state == DEPEND_THROUGH && done == NEVER)
		return false;
	if (state == DEPEND_KNOWN && drive->count < play->depth && (due <= *now || due < done)) {
		*now = due > *now ? due : *now;
		depend_take(depend, *now, &record, &ref);
		fate = &fates->of[ref.lane][ref.number];
		ck_assert(fate->left_ns == NEVER);
		ck_assert(record.time_ns == play->lanes[ref.lane].records[ref.number].time_ns);
		fate->due_ns = due;
		leave(drive, play, fate, ref.lane, (unsigned)ref.number, *now);
		return true;
	}
	ck_assert_msg(done != NEVER, "it waits for nothing");
	landed = land(drive, which);
	*now = fates->of[landed.lane][landed.number].done_ns = landed.done_ns;
	depend_release(depend, (struct depend_ref){landed.lane, landed.number}, *now);
	return true;
}

static struct depend_counts play_by_library(struct play *play, struct fates *fates)
{
	struct drive drive = {.count = 0};
	struct depend_counts counts;
	struct depend *depend;
	struct error err;
	uint64_t now = 0;

	play->options.start_ns = start_of;
	play->options.read = read_one;
	play->options.source = play;
	ck_assert(!depend_open(&play->options, &depend, &err));
	while (step(depend, play, fates, &drive, &now))
		;
	counts = depend_counts(depend);
	depend_close(depend);
	return counts;
}

/* ---- random traces -------------------------------------------------------------------------- */

static uint64_t below(uint64_t *random, uint32_t limit)
{
	return random_below(random_next(random), limit);
}

/* Gaps, latencies and the drive's times of many sizes, equal ones among them. */
static uint64_t any_time(uint64_t *random)
{
	static const uint32_t limits[] = {1, 3, 10, 100, 1000};

	return below(random, limits[below(random, COUNT(limits))]) * 10;
}

static void make_lane(struct made *made, uint64_t *random)
{
	unsigned i;
	uint64_t now = any_time(random);

	*made = (struct made){.start_ns = any_time(random),
			      .count = (unsigned)below(random, MOST_RECORDS + 1)};
	for (i = 0; i < made->count; i++) {
		made->records[i] = (struct trace_record){.time_ns = now};
		made->records[i].latency_ns =
			below(random, 10) ? any_time(random) : TRACE_NO_LATENCY;
		made->drive_ns[i] = 1 + any_time(random);
		now += any_time(random);
	}
}

static struct play make_play(uint64_t seed)
{
	static const double speeds[] = {1.0, 0.5, 3.0};
	static const uint32_t reaches[] = {1, 2, 5, 20, 1000};
	struct play play = {.depth = 1};
	unsigned i;

	play.options.lanes = 1 + (unsigned)below(&seed, MOST_LANES);
	play.options.think_max_ns = any_time(&seed);
	play.options.reach = reaches[below(&seed, COUNT(reaches))];
	play.options.speed = speeds[below(&seed, COUNT(speeds))];
	play.depth += below(&seed, 2) ? (unsigned)below(&seed, 8) : MOST_RECORDS * MOST_LANES;
	for (i = 0; i < play.options.lanes; i++)
		make_lane(&play.lanes[i], &seed);
	return play;
}

static void compare(const struct play *play, const struct fates *got, const struct fates *wanted,
		    uint64_t seed)
{
	unsigned lane, i;

	for (lane = 0; lane < play->options.lanes; lane++) {
		for (i = 0; i < play->lanes[lane].count; i++) {
			const struct fate *a = &got->of[lane][i], *b = &wanted->of[lane][i];

			ck_assert_msg(a->due_ns == b->due_ns && a->left_ns == b->left_ns &&
					      a->done_ns == b->done_ns,
				      "seed %llu, lane %u, record %u: due %llu, not %llu; left "
				      "%llu, not %llu",
				      (unsigned long long)seed, lane, i,
				      (unsigned long long)a->due_ns, (unsigned long long)b->due_ns,
				      (unsigned long long)a->left_ns,
				      (unsigned long long)b->left_ns);
			ck_assert(a->left_ns != NEVER && a->done_ns != NEVER);
		}
	}
}

START_TEST(random_traces_leave_as_the_plain_reckoning_says)
{
	uint64_t seed;

	for (seed = (uint64_t)_i * 60; seed < (uint64_t)_i * 60 + 60; seed++) {
		static struct fates got, wanted;
		struct play play = make_play(seed);
		struct depend_counts counts;

		forget_fates(&got);
		forget_fates(&wanted);
		play_plainly(&play, &wanted);
		counts = play_by_library(&play, &got);
		compare(&play, &got, &wanted, seed);
		ck_assert_uint_eq(counts.violations, 0);
	}
}
END_TEST

/* ---- the rule, by hand ---------------------------------------------------------------------- */

static void add(struct made *made, uint64_t time_ns, uint64_t latency_ns, uint64_t drive_ns)
{
	made->records[made->count] =
		(struct trace_record){.time_ns = time_ns, .latency_ns = latency_ns};
	made->drive_ns[made->count++] = drive_ns;
}

static struct play empty_play(void)
{
	return (struct play){
		.options = {.lanes = 1, .think_max_ns = 100, .reach = 1000, .speed = 1.0},
		.depth = 100};
}

START_TEST(a_dependent_record_waits_and_the_stream_keeps_its_gaps_after_it)
{
	struct play play = empty_play();
	static struct fates fates;
	struct depend_counts counts;

	forget_fates(&fates);
	add(&play.lanes[0], 0, 50, 500);   /* takes 450 longer than in the trace */
	add(&play.lanes[0], 60, 50, 10);   /* 10 after its completion: dependent */
	add(&play.lanes[0], 1000, 50, 50); /* long after: keeps its gap to the one before */
	add(&play.lanes[0], 1030, 50, 50); /* the one before was in flight: so does this */
	counts = play_by_library(&play, &fates);
	ck_assert_uint_eq(fates.of[0][1].due_ns, 510);
	ck_assert_uint_eq(fates.of[0][2].due_ns, 510 + 940);
	ck_assert_uint_eq(fates.of[0][3].due_ns, 510 + 970);
	ck_assert_uint_eq(counts.dependent, 1);
	ck_assert_int_eq(counts.latest, 450);
	ck_assert_int_eq(counts.earliest, 450);
}
END_TEST

START_TEST(a_faster_drive_makes_a_stream_early)
{
	struct play play = empty_play();
	static struct fates fates;
	struct depend_counts counts;

	forget_fates(&fates);
	add(&play.lanes[0], 0, 1000, 10);
	add(&play.lanes[0], 500, TRACE_NO_LATENCY, 10); /* by its time */
	add(&play.lanes[0], 1020, 1000, 10);		/* after the first: overtakes it */
	counts = play_by_library(&play, &fates);
	ck_assert_uint_eq(fates.of[0][1].due_ns, 500);
	ck_assert_uint_eq(fates.of[0][2].due_ns, 30);
	ck_assert_uint_eq(counts.latency_missing, 1);
	ck_assert_uint_eq(counts.dependent, 1);
}
END_TEST

START_TEST(think_times_shrink_with_speed_and_lanes_do_not_touch)
{
	struct play play = empty_play();
	static struct fates fates;

	forget_fates(&fates);
	play.options.lanes = 2;
	play.options.speed = 2.0;
	play.lanes[1].start_ns = 7;
	add(&play.lanes[0], 0, 50, 500);
	add(&play.lanes[0], 150, 50, 1);
	add(&play.lanes[1], 0, 50, 20);
	add(&play.lanes[1], 150, 50, 1);
	play_by_library(&play, &fates);
	ck_assert_uint_eq(fates.of[0][1].due_ns, 550);
	ck_assert_uint_eq(fates.of[1][0].due_ns, 7);
	ck_assert_uint_eq(fates.of[1][1].due_ns, 7 + 20 + 50);
}
END_TEST

START_TEST(a_record_in_pieces_is_complete_with_its_last_one)
{
	struct play play = empty_play();
	struct trace_record record;
	struct depend *depend;
	struct depend_ref ref;
	struct error err;
	uint64_t due;

	add(&play.lanes[0], 0, 50, 0);
	add(&play.lanes[0], 50, 50, 0);
	play.options.start_ns = start_of;
	play.options.read = read_one;
	play.options.source = &play;
	ck_assert(!depend_open(&play.options, &depend, &err));
	ck_assert_int_eq(depend_due(depend, &due, &err), DEPEND_KNOWN);
	depend_take(depend, 0, &record, &ref);
	depend_hold(depend, ref);
	depend_release(depend, ref, 10);
	ck_assert_int_eq(depend_due(depend, &due, &err), DEPEND_WAITS);
	depend_release(depend, ref, 30);
	ck_assert_int_eq(depend_due(depend, &due, &err), DEPEND_KNOWN);
	ck_assert_uint_eq(due, 30);
	depend_take(depend, 29, &record, &ref);
	ck_assert_uint_eq(depend_counts(depend).violations, 1);
	ck_assert_int_eq(depend_due(depend, &due, &err), DEPEND_THROUGH);
	depend_close(depend);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("due times");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, a_dependent_record_waits_and_the_stream_keeps_its_gaps_after_it);
	tcase_add_test(tcase, a_faster_drive_makes_a_stream_early);
	tcase_add_test(tcase, think_times_shrink_with_speed_and_lanes_do_not_touch);
	tcase_add_test(tcase, a_record_in_pieces_is_complete_with_its_last_one);
	tcase_add_loop_test(tcase, random_traces_leave_as_the_plain_reckoning_says, 0, 10);
	return run_case("dependent pacing", tcase);
}
