/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run comes to: its rows, its region, the time it takes and the amount it writes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "engines/sim/sim.h"
#include "review/mix_load.h"

/* All three are ours. */
#define QUICK_WAIT_S	   0.5
#define QUICK_MEASURE_S	   1.0
#define QUICK_IDLE_DIVISOR 10

void plan_point_name(const struct plan *plan, unsigned point, char name[8])
{
	if (point)
		snprintf(name, 8, "%03u", plan->profile->steps_percent[point - 1] % 1000);
	else
		snprintf(name, 8, "max");
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool row_is_asked(const char *rows, const char *name)
{
	size_t length = strlen(name);
	const char *at;

	for (at = rows; at && *at; at += strcspn(at, ",")) {
		at += *at == ',';
		if (!strncmp(at, name, length) && (!at[length] || at[length] == ','))
			return true;
	}
	return !rows;
}

/* A row of rounds is run too when one that must come right after it is. */
static bool row_is_needed(const struct profile *profile, const char *rows,
			  const struct profile_row *row)
{
	unsigned i;

	for (i = 0; i < profile->row_count; i++)
		if (!strcmp(profile->rows[i].ladder.after, row->name) &&
		    row_is_asked(rows, profile->rows[i].name))
			return true;
	return row_is_asked(rows, row->name);
}

static int unknown_row(const struct profile *profile, const char *name, const char *const *words,
		       struct error *err)
{
	char list[768] = "";
	const char *near = nearest_word(name, words, profile->row_count);
	size_t used = 0;
	unsigned i;

	for (i = 0; i < profile->row_count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
					 words[i]);
	return error_set(err, "unknown row \"%s\"; %s%s%s%s has the rows %s", name,
			 near ? "did you mean \"" : "", near ? near : "", near ? "\"? " : "",
			 profile->name, list);
}

static int check_rows_exist(const struct profile *profile, const char *rows, struct error *err)
{
	char copy[1024], *name, *rest;
	const char *words[PROFILE_MAX_ROWS];
	unsigned i;

	for (i = 0; i < profile->row_count; i++)
		words[i] = profile->rows[i].name;
	snprintf(copy, sizeof(copy), "%s", rows ? rows : "");
	for (name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		if (!profile_find_row(profile, name))
			return unknown_row(profile, name, words, err);
	}
	return 0;
}

/* What a mix writes, and that it is no single stream. */
static int plan_mix(const struct plan *plan, const struct profile_row *row,
		    const struct job_file *job, const char *section, struct plan_row *planned,
		    struct error *err)
{
	struct mix mix;
	int got = row_mix(row, job, section, &mix, err);
	bool writes;

	planned->mix_writes = 1;
	if (got <= 0)
		return got;
	writes = mix_does(&mix, MIX_WRITE) || mix_does(&mix, MIX_TRIM);
	if (writes && !planned->writes)
		return error_set(err, "[%s] its mix writes, and rw= in %s only reads", row->name,
				 row->jobfile);
	if (planned->replays)
		return error_set(err, "[%s] has a mix, and %s replays a trace", row->name,
				 row->jobfile);
	planned->writes = writes;
	planned->needs_smaller_blocks =
		plan->target->block_bytes && !mix_fits_blocks(&mix, plan->target->block_bytes);
	planned->sequential = false;
	planned->block_bytes = (unsigned)mix_mean_bytes(&mix);
	planned->mix_writes = mix_written_bytes(&mix) / mix_mean_bytes(&mix);
	return 0;
}

static int read_row(const struct plan *plan, const struct profile_row *row,
		    struct plan_row *planned, struct error *err)
{
	const char *rw, *bs, *section;
	struct job_file job;
	int failed;

	if (job_file_read(row->jobfile, &job, err))
		return -1;
	section = row->steps != STEPS_CURVE ? job_file_section(&job) : "max";
	rw = job_file_get(&job, section, "rw");
	bs = job_file_get(&job, section, "bs");
	planned->row = row;
	planned->writes = rw && (strstr(rw, "write") || strstr(rw, "rw") || strstr(rw, "trim"));
	planned->sequential = rw && row->steps == STEPS_CURVE && strncmp(rw, "rand", 4);
	planned->replays = job_file_get(&job, section, "trace") != NULL;
	planned->block_bytes = bs ? (unsigned)strtoul(bs, NULL, 10) : 4096;
	failed = rw ? plan_mix(plan, row, &job, section, planned, err)
		    : error_set(err, "%s: [global] names no rw", row->jobfile);
	job_file_free(&job);
	return failed;
}

unsigned plan_jobs(const struct plan *plan, const struct plan_row *row)
{
	if (row->sequential)
		return plan->profile->region_files;
	if (row->row->steps == STEPS_ROUNDS)
		return plan_thread_jobs(plan, row->row->rounds.load.threads);
	return row->replays || row->row->steps != STEPS_CURVE ? 1 : plan->options->jobs;
}

/* Many processes that wait for a simulated drive would keep each other from the CPU. */
unsigned plan_thread_jobs(const struct plan *plan, unsigned threads)
{
	return plan->target->kind == TARGET_SIM ? 1 : threads;
}

/* Each clone needs a whole, equal share of the number in flight. */
static int check_share(const struct plan *plan, const struct plan_row *row, struct error *err)
{
	unsigned clones = plan_jobs(plan, row);

	if (clones > MAX_CLONES)
		return error_set(err, "more than %d jobs", MAX_CLONES);
	if (row->in_flight % clones == 0)
		return 0;
	return error_set(err, "%u in flight of %s cannot be shared by %u jobs evenly",
			 row->in_flight, row->row->name, clones);
}

static unsigned choose_in_flight(const struct plan *plan, const struct profile_row *row)
{
	if (row->steps == STEPS_ROUNDS || row->steps == STEPS_LADDER)
		return profile_row_in_flight(row);
	return plan->options->stated_threads && row->in_flight_stated ? row->in_flight_stated
								      : row->in_flight;
}

static int pick_rows(struct plan *plan, struct error *err)
{
	const struct run_options *options = plan->options;
	unsigned i;

	if (check_rows_exist(plan->profile, options->rows, err))
		return -1;
	for (i = 0; i < plan->profile->row_count; i++) {
		const struct profile_row *row = &plan->profile->rows[i];
		struct plan_row *planned = &plan->rows[plan->row_count];

		if (!row_is_needed(plan->profile, options->rows, row))
			continue;
		memset(planned, 0, sizeof(*planned));
		if (read_row(plan, row, planned, err))
			return -1;
		if (planned->needs_smaller_blocks && row->steps == STEPS_CURVE) {
			text_append(plan->left_rows, sizeof(plan->left_rows), "%s%s",
				    plan->left_rows[0] ? ", " : "", row->name);
			continue;
		}
		planned->in_flight = choose_in_flight(plan, row);
		if (check_share(plan, planned, err))
			return -1;
		if (options->read_only && (planned->writes || row->ladder.after[0]))
			continue;
		plan->writes |= planned->writes;
		plan->row_count++;
	}
	if (!plan->row_count && plan->left_rows[0])
		return error_set(err,
				 "%s: its blocks are smaller than those of the drive, %u bytes",
				 plan->left_rows, plan->target->block_bytes);
	if (!plan->row_count)
		return error_set(err, "none of the rows asked for only reads");
	return 0;
}

const struct plan_row *plan_find_row(const struct plan *plan, const char *name)
{
	unsigned i;

	for (i = 0; i < plan->row_count; i++)
		if (!strcmp(plan->rows[i].row->name, name))
			return &plan->rows[i];
	return NULL;
}

/* ---- region -------------------------------------------------------------------------------- */

static int check_region(const struct target *target, uint64_t bytes, unsigned parts,
			struct error *err)
{
	char size[NUMBER_ROOM], whole[NUMBER_ROOM], each[32] = "";

	number_whole((double)bytes, size);
	number_whole((double)target->bytes, whole);
	if (bytes > target->bytes)
		return error_set(err, "a region of %s bytes is larger than %s, which has %s bytes",
				 size, target->path, whole);
	if (bytes >= MIB * parts)
		return 0;
	if (parts > 1)
		snprintf(each, sizeof(each), " for each of %u files", parts);
	return error_set(err,
			 "a region of %s bytes is less than 1 MiB%s, the least that is tested; %s "
			 "has %s bytes",
			 size, each, target->path, whole);
}

/* A region of the drive in whole MiB of each of `parts`, and what it is called. */
static int choose_region(const struct plan *plan, double percent, uint64_t bytes, unsigned parts,
			 struct region *region, struct error *err)
{
	const struct target *target = plan->target;
	char size[NUMBER_ROOM];

	if (percent > 0)
		bytes = (uint64_t)((double)target->bytes * percent / 100);
	if (target->kind == TARGET_FILE)
		bytes = target->bytes;
	else if (plan->options->size_bytes)
		bytes = plan->options->size_bytes;
	region->bytes = bytes / (MIB * parts) * (MIB * parts);
	number_bytes((double)region->bytes, size);
	if (check_region(target, bytes, parts, err))
		return -1;
	if (target->kind == TARGET_FILE)
		snprintf(region->words, sizeof(region->words), "a file of %s", size);
	else if (plan->options->size_bytes || percent <= 0)
		snprintf(region->words, sizeof(region->words), "%s of the drive", size);
	else
		snprintf(region->words, sizeof(region->words), "%g %% of the drive (%s)", percent,
			 size);
	return 0;
}

static int choose_regions(struct plan *plan, struct error *err)
{
	const struct profile *profile = plan->profile;
	struct region own;
	unsigned i;

	if (choose_region(plan, profile->region_percent,
			  profile->region_bytes / plan->target->scale, profile->region_files, &own,
			  err))
		return -1;
	plan->region_bytes = own.bytes;
	snprintf(plan->region, sizeof(plan->region), "%s", own.words);
	for (i = 0; i < plan->row_count; i++) {
		struct plan_row *row = &plan->rows[i];

		row->region = own;
		if (row->row->region_percent > 0 &&
		    choose_region(plan, row->row->region_percent, 0, 1, &row->region, err))
			return error_prefix(err, "the row %s cannot be run", row->row->name);
	}
	return 0;
}

/* What a replay plays depends on the region: counted here, so that the plan can say it. */
static int count_trace_clones(struct plan *plan, struct error *err)
{
	unsigned i;

	for (i = 0; i < plan->row_count; i++) {
		struct plan_row *row = &plan->rows[i];
		struct job_file job;

		if (!row->replays)
			continue;
		if (job_file_read(row->row->jobfile, &job, err))
			return -1;
		row->trace_clones = job_clones_held(&job, plan->region_bytes);
		job_file_free(&job);
	}
	return 0;
}

/* ---- times --------------------------------------------------------------------------------- */

/* Options of searches are for searches. */
static int check_search(const struct plan *plan, struct error *err)
{
	const struct run_options *options = plan->options;
	const char *option = options->sla	     ? "--sla"
			     : options->stagger	     ? "--stagger"
			     : options->max_desktops ? "--max-desktops"
			     : options->precision    ? "--precision"
			     : options->own_places   ? "--own-places"
						     : NULL;

	if (option && !plan->profile->searches)
		return error_set(err,
				 "%s is for profiles that search, such as vdi-capacity; %s "
				 "does not",
				 option, plan->profile->name);
	if (plan->profile->searches && options->repeat > 1)
		return error_set(err,
				 "--repeat is not for %s, which searches: run it again under "
				 "another --name",
				 plan->profile->name);
	return 0;
}

bool plan_runs_once(const struct plan *plan)
{
	unsigned i;

	for (i = 0; i < plan->profile->row_count; i++)
		if (plan->profile->rows[i].steps != STEPS_ONCE)
			return false;
	return true;
}

static void choose_times(struct plan *plan)
{
	const struct profile *profile = plan->profile;
	bool quick = plan->options->quick;
	double scale = plan->target->scale;

	plan->wait_s = (quick ? QUICK_WAIT_S : profile->wait_s) / scale;
	plan->measure_s = (quick ? QUICK_MEASURE_S : profile->measure_s) / scale;
	plan->cooldown_s = quick ? 0 : profile->cooldown_s / scale;
	plan->idle_s = profile->idle_s / scale;
	if (quick) /* what is run once begins with an empty cache all the same */
		plan->idle_s = plan_runs_once(plan) ? plan->idle_s / QUICK_IDLE_DIVISOR : 0;
	plan->wait_s = fmax(plan->wait_s, SHORTEST_WAIT_S);
	plan->measure_s = fmax(plan->measure_s, SHORTEST_MEASURE_S);
}

/* Rows of rounds prepare the drive themselves, also for the ladders after them. */
static bool wants_preparation(const struct plan *plan)
{
	unsigned i;

	for (i = 0; i < plan->row_count; i++)
		if (plan->rows[i].row->steps != STEPS_ROUNDS && !plan->rows[i].row->ladder.after[0])
			return true;
	return false;
}

int plan_make(const struct profile *profile, const struct run_options *options,
	      const struct target *target, struct plan *plan, struct error *err)
{
	memset(plan, 0, sizeof(*plan));
	plan->profile = profile;
	plan->options = options;
	plan->target = target;
	if (check_search(plan, err) || pick_rows(plan, err) || choose_regions(plan, err) ||
	    count_trace_clones(plan, err))
		return -1;
	plan->prepares = wants_preparation(plan);
	plan->fills = profile->fill != FILL_NONE && !options->read_only && plan->prepares;
	plan->purges = profile->purge && !options->read_only;
	plan->writes |= plan->fills || plan->purges;
	choose_times(plan);
	if (profile->searches && search_plan(plan, err))
		return -1;
	if (plan_steady(plan, err))
		return -1;
	known_cache_find(plan);
	return plan_estimate(plan, err);
}
