/* SPDX-License-Identifier: GPL-2.0-only */
/* What rows of rounds and ladders come to: their loads, times and amounts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "review/review.h"

#define LEAST_REGION 16 /* ours: of what is in flight */

/* ---- loads ---------------------------------------------------------------------------------- */

/* Which load is followed, by number; -1 with err for one that is not there. */
static int find_load(const struct plan_row *row, const char *name, struct error *err)
{
	const char *words[PLAN_MAX_LOADS];
	unsigned i;

	for (i = 0; i < row->rounds.load_count; i++) {
		words[i] = row->rounds.loads[i].name;
		if (!name[0] || !strcmp(words[i], name))
			return (int)i;
	}
	for (i = 0; i < row->rounds.left_count; i++)
		if (!strcmp(row->rounds.left_out[i].name, name))
			return error_set(
				err,
				"%s, which it tracks, has blocks of %u bytes, which the drive "
				"cannot do",
				name, row->rounds.left_out[i].block_bytes);
	return error_unknown(err, "load to track", name, words, row->rounds.load_count);
}

static int find_tracked(struct plan_row *row, struct error *err)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	unsigned i;

	for (i = 0; i < rounds->track_count; i++) {
		int load = find_load(row, rounds->tracks[i].load, err);

		if (load < 0)
			return -1;
		row->rounds.tracked[i] = (unsigned)load;
	}
	return 0;
}

/* ---- times and amounts ---------------------------------------------------------------------- */

/* Of the time of a round. */
static double write_share(const struct plan_row *row)
{
	double written = 0;
	unsigned i;

	for (i = 0; i < row->rounds.load_count; i++)
		written += (100 - row->rounds.loads[i].read_percent) / 100.0 *
			   row->rounds.loads[i].load_s;
	return written / row->rounds.round_s;
}

/*
 * How many rounds it will take: until the capacity was written often enough by a drive of unknown
 * speed, and a window more; never more than are allowed.
 */
static double estimate_rounds(const struct plan_row *row)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	double a_round = write_share(row) * ASSUMED_BYTES_PER_S / 2 * row->rounds.round_s;
	double by_time = ceil(rounds->time_s / (rounds->load_s * row->rounds.load_count));
	double until = 0;

	if (rounds->is_sequence)
		return 1;
	if (rounds->until == UNTIL_TIME)
		return by_time;
	if (a_round > 0)
		until = ceil(rounds->rule.at_least_fills * (double)row->region.bytes / a_round);
	if (rounds->until == UNTIL_WRITTEN)
		return until > 0 ? fmin(until, by_time) : by_time;
	return fmin(until + rounds->rule.window, rounds->rule.at_most_rounds);
}

static void set_round_times(const struct plan *plan, struct plan_row *row)
{
	row->rounds.fill_bytes = row->row->fill == FILL_WHOLE	 ? plan->target->bytes / MIB * MIB
				 : row->row->fill == FILL_REGION ? row->region.bytes
								 : 0;
	row->rounds.estimate_s =
		estimate_rounds(row) *
			(row->rounds.round_s + row->rounds.load_count * FIO_START_S) +
		row->row->fill_passes * (double)row->rounds.fill_bytes / ASSUMED_BYTES_PER_S;
}

/* As fast as drives of unknown speed write at random once they are in steady state. */
double steady_bytes(const struct plan *plan, const struct plan_row *row)
{
	double rate = write_share(row) * ASSUMED_BYTES_PER_S;

	if (row->row->steps == STEPS_LADDER)
		return rate * (row->wait_s + row->measure_s) * plan_row_points(plan, row);
	return rate * estimate_rounds(row) * row->rounds.round_s +
	       row->row->fill_passes * (double)row->rounds.fill_bytes;
}

/* A region that what is in flight fills is no test: the same blocks would be written at once. */
static int check_room(const struct plan_row *row, struct error *err)
{
	uint64_t largest = 0;
	char size[NUMBER_ROOM];
	unsigned i;

	for (i = 0; i < row->rounds.load_count; i++)
		if (row->rounds.loads[i].block_bytes > largest)
			largest = row->rounds.loads[i].block_bytes;
	if (row->region.bytes / LEAST_REGION >= largest * row->in_flight)
		return 0;
	return error_set(err,
			 "the drive is too small: %s hold less than %d times the %u I/Os of %llu "
			 "bytes in flight",
			 number_bytes((double)row->region.bytes, size), LEAST_REGION,
			 row->in_flight, (unsigned long long)largest);
}

static int plan_row_steady(const struct plan *plan, struct plan_row *row, struct error *err)
{
	double scale = plan->target->scale;
	struct job_file job;
	int failed;

	if (job_file_read(row->row->jobfile, &job, err))
		return -1;
	failed = plan_loads(plan, row, &job, err);
	job_file_free(&job);
	if (failed)
		return -1;
	if ((row->row->steps == STEPS_ROUNDS && find_tracked(row, err)) || check_room(row, err))
		return error_prefix(err, "%s", row->row->jobfile);
	row->wait_s = fmax(row->row->ladder.wait_s / scale, SHORTEST_WAIT_S);
	row->measure_s = fmax(row->row->ladder.measure_s / scale, SHORTEST_MEASURE_S);
	if (row->row->steps == STEPS_ROUNDS)
		set_round_times(plan, row);
	return 0;
}

int plan_steady(struct plan *plan, struct error *err)
{
	unsigned i;

	for (i = 0; i < plan->row_count; i++) {
		struct plan_row *row = &plan->rows[i];

		if (row->row->steps != STEPS_ROUNDS && row->row->steps != STEPS_LADDER)
			continue;
		if (plan_row_steady(plan, row, err))
			return error_prefix(err, "the row %s cannot be run", row->row->name);
	}
	return 0;
}

/* ---- loads that are too short --------------------------------------------------------------- */

/* The shortest load of a row, now and at full scale. */
static double shortest_load_s(const struct plan *plan, const struct plan_row *row, double *unscaled)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	double shortest = INFINITY;
	unsigned i;

	for (i = 0; i < row->rounds.load_count; i++)
		shortest = fmin(shortest, row->rounds.loads[i].load_s);
	*unscaled = rounds->is_sequence ? shortest * plan->target->scale : rounds->load_s;
	return shortest;
}

bool short_loads_warning(const struct plan *plan, char *text, size_t room)
{
	double least = INFINITY, unscaled, least_unscaled = INFINITY;
	unsigned i, rows = 0;

	text[0] = '\0';
	for (i = 0; i < plan->row_count; i++) {
		const struct plan_row *row = &plan->rows[i];
		double own = row->row->steps == STEPS_ROUNDS ? shortest_load_s(plan, row, &unscaled)
							     : INFINITY;

		if (!(own < SHORTEST_MEASURE_S * 0.999))
			continue;
		text_append(text, room, "%s%s", rows++ ? ", " : "The loads of ", row->row->name);
		least = fmin(least, own);
		least_unscaled = fmin(least_unscaled, unscaled);
	}
	if (rows)
		text_append(text, room,
			    " last as little as %.2g s; under %g s they have too few I/Os for "
			    "figures that repeat: take a scale of %.0f or less.",
			    least, SHORTEST_MEASURE_S,
			    fmax(floor(least_unscaled / SHORTEST_MEASURE_S + 1e-9), 1));
	return rows > 0;
}

/* ---- in words ------------------------------------------------------------------------------- */

static void print_filled(const struct profile_row *row, FILE *out)
{
	if (row->fill != FILL_NONE && row->fill_passes > 1)
		fprintf(out, "filled %u times, then ", row->fill_passes);
	else if (row->fill != FILL_NONE)
		fprintf(out, "filled, then ");
}

static void print_fills(const struct profile_rounds *rounds, const char *before, const char *after,
			FILE *out)
{
	double fills = rounds->rule.at_least_fills;

	if (fills > 0)
		fprintf(out, "%s%g drive fill%s%s", before, fills, fills == 1 ? "" : "s", after);
}

static void print_until(const struct plan_row *row, FILE *out)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	char time[NUMBER_ROOM];

	if (rounds->is_sequence) {
		fprintf(out, "a sequence of %u loads, %s", row->rounds.load_count,
			number_duration(row->rounds.round_s, time));
		return;
	}
	if (rounds->until != UNTIL_STEADY) {
		fprintf(out, "rounds for %s", number_duration(rounds->time_s, time));
		if (rounds->until == UNTIL_WRITTEN)
			print_fills(rounds, ", or for ", ", whichever is over first", out);
		return;
	}
	fprintf(out, "rounds until steady: at most %u of %s", rounds->rule.at_most_rounds,
		number_duration(rounds->load_s * row->rounds.load_count, time));
	print_fills(rounds, ", at least ", "", out);
}

static void print_rounds(const struct plan_row *row, FILE *out)
{
	const struct thread_load *load = &row->row->rounds.load;
	unsigned left = row->rounds.left_count;

	fprintf(out, ", %uT/%uQ, ", load->threads, load->queue);
	print_filled(row->row, out);
	print_until(row, out);
	if (left)
		fprintf(out, "; left out: %u load%s with blocks that the drive cannot do", left,
			left == 1 ? "" : "s");
}

void steady_print(const struct plan_row *row, FILE *out)
{
	const struct profile_ladder *ladder = &row->row->ladder;
	const struct thread_load *first = &ladder->steps[0], *last = &first[ladder->count - 1];

	if (row->row->steps == STEPS_ROUNDS)
		print_rounds(row, out);
	else if (ladder->count == 1)
		fprintf(out, ", %uT/%uQ", first->threads, first->queue);
	else
		fprintf(out, ", %u steps from %uT/%uQ to %uT/%uQ", ladder->count, first->threads,
			first->queue, last->threads, last->queue);
	if (ladder->after[0])
		fprintf(out, ", right after %s", ladder->after);
}
