/* SPDX-License-Identifier: GPL-2.0-only */
/* What rows of rounds and ladders come to: their loads, times and amounts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "review/mix_load.h"

#define SHORTEST_SAMPLE_S 0.02 /* shorter, and a simulated drive's samples are of too few I/Os */

#define LEAST_REGION 16 /* ours: of what is in flight */

/* ---- loads ---------------------------------------------------------------------------------- */

static bool is_write(const char *rw)
{
	return strstr(rw, "write") || strstr(rw, "rw");
}

/* Of its I/Os, by their number. */
static unsigned read_percent(const struct job_file *job, const char *section, const char *rw)
{
	const char *mix = job_file_get(job, section, "rwmixread");
	const char *write_mix = job_file_get(job, section, "rwmixwrite");

	if (!strstr(rw, "rw"))
		return strstr(rw, "write") ? 0 : 100;
	if (mix)
		return (unsigned)strtoul(mix, NULL, 10);
	return write_mix ? 100 - (unsigned)strtoul(write_mix, NULL, 10) : 50;
}

static double read_share(const struct mix *mix)
{
	double share = 0;
	unsigned i;

	for (i = 0; i < mix->count; i++)
		if (mix->patterns[i].op == MIX_READ)
			share += mix->patterns[i].share;
	return share;
}

static void take_mix(const struct mix *mix, struct plan_load *load)
{
	load->block_bytes = (unsigned)mix_mean_bytes(mix);
	load->read_percent = (unsigned)(read_share(mix) * 100 + 0.5);
	load->random = true;
	load->writes = mix_does(mix, MIX_WRITE) || mix_does(mix, MIX_TRIM);
}

static int read_load(const struct plan_row *row, const struct job_file *job, const char *section,
		     struct plan_load *load, struct error *err)
{
	const char *rw = job_file_get(job, section, "rw"), *bs = job_file_get(job, section, "bs");
	uint64_t bytes = 4096;
	struct mix mix;
	int mixed = row_mix(row->row, job, section, &mix, err);

	if (mixed < 0)
		return -1;
	if (!rw)
		return error_set(err, "[%s] names no rw", section);
	if (snprintf(load->name, sizeof(load->name), "%s", section) >= (int)sizeof(load->name))
		return error_set(err, "[%s]: the name of a load has at most %zu characters",
				 section, sizeof(load->name) - 1);
	if (bs && size_parse(bs, &bytes, err))
		return error_prefix(err, "[%s] bs", section);
	load->block_bytes = (unsigned)bytes;
	load->read_percent = read_percent(job, section, rw);
	if (load->read_percent > 100)
		return error_set(err, "[%s] reads %u %%", section, load->read_percent);
	load->random = !strncmp(rw, "rand", 4);
	load->writes = is_write(rw);
	if (mixed)
		take_mix(&mix, load);
	return 0;
}

static int read_loads(struct plan_row *row, const struct job_file *job, struct error *err)
{
	const char *section = NULL;

	while ((section = job_file_next_section(job, section))) {
		struct plan_load *load = &row->rounds.loads[row->rounds.load_count];

		if (row->rounds.load_count == PLAN_MAX_LOADS)
			return error_set(err, "more than %d loads", PLAN_MAX_LOADS);
		if (read_load(row, job, section, load, err))
			return -1;
		row->writes |= load->writes;
		row->rounds.load_count++;
	}
	return row->rounds.load_count ? 0 : error_set(err, "there is no section with a load");
}

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

static double write_share(const struct plan_row *row)
{
	double written = 0;
	unsigned i;

	for (i = 0; i < row->rounds.load_count; i++)
		written += (100 - row->rounds.loads[i].read_percent) / 100.0;
	return written / row->rounds.load_count;
}

/*
 * How many rounds it will take: until the capacity was written often enough by a drive of unknown
 * speed, and a window more; never more than are allowed.
 */
static double estimate_rounds(const struct plan_row *row)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	double round_s = row->rounds.load_s * row->rounds.load_count;
	double a_round = write_share(row) * ASSUMED_BYTES_PER_S / 2 * round_s, until = 0;

	if (rounds->by_time)
		return ceil(rounds->time_s / (rounds->load_s * row->rounds.load_count));
	if (a_round > 0)
		until = ceil(rounds->rule.at_least_fills * (double)row->region.bytes / a_round);
	return fmin(until + rounds->rule.window, rounds->rule.at_most_rounds);
}

static void set_round_times(const struct plan *plan, struct plan_row *row)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	double scale = plan->target->scale;

	row->rounds.sample_s = fmax(rounds->sample_s / scale, SHORTEST_SAMPLE_S);
	row->rounds.load_s = row->rounds.sample_s * round(rounds->load_s / rounds->sample_s);
	row->rounds.fill_bytes = row->row->fill == FILL_WHOLE	 ? plan->target->bytes / MIB * MIB
				 : row->row->fill == FILL_REGION ? row->region.bytes
								 : 0;
	row->rounds.estimate_s =
		estimate_rounds(row) * row->rounds.load_count * (row->rounds.load_s + FIO_START_S) +
		(double)row->rounds.fill_bytes / ASSUMED_BYTES_PER_S;
}

/* As fast as drives of unknown speed write at random once they are in steady state. */
double steady_bytes(const struct plan *plan, const struct plan_row *row)
{
	double rate = write_share(row) * ASSUMED_BYTES_PER_S;

	if (row->row->steps == STEPS_LADDER)
		return rate * (row->wait_s + row->measure_s) * plan_row_points(plan, row);
	return rate * estimate_rounds(row) * row->rounds.load_count * row->rounds.load_s +
	       (double)row->rounds.fill_bytes;
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
	failed = read_loads(row, &job, err);
	job_file_free(&job);
	if (!failed && row->row->steps == STEPS_ROUNDS)
		failed = find_tracked(row, err);
	if (!failed)
		failed = check_room(row, err);
	if (failed)
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

/* ---- in words ------------------------------------------------------------------------------- */

static void print_rounds(const struct plan_row *row, FILE *out)
{
	const struct profile_rounds *rounds = &row->row->rounds;
	char time[NUMBER_ROOM], round[NUMBER_ROOM];

	fprintf(out, ", %uT/%uQ, %s%s", rounds->load.threads, rounds->load.queue,
		row->row->fill == FILL_NONE ? "" : "filled, then ",
		rounds->by_time ? "rounds for " : "rounds until steady: ");
	if (rounds->by_time)
		fprintf(out, "%s", number_duration(rounds->time_s, time));
	else
		fprintf(out, "at most %u of %s, at least %g drive fills",
			rounds->rule.at_most_rounds,
			number_duration(rounds->load_s * row->rounds.load_count, round),
			rounds->rule.at_least_fills);
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
