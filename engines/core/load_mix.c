/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio draws an I/O of the job's own pattern; prep() writes the next one of the mix over it. An I/O
 * that queue() gave back comes to prep() again before any other: what was decided for it stands.
 */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "engines/core/load_mix.h"
#include "engines/core/load_schedule.h"
#include "engines/mix/mix.h"

#define SECTOR 512

/* What was counted since the measured window began. */
struct pattern_count {
	uint64_t sent, bytes, sizes[MIX_SIZES], places[MIX_PLACES];
	struct histogram latency; /* completion minus issue */
};

/* An I/O on its way, by io_u->index. */
struct mix_flight {
	bool is_decided;
	uint8_t pattern, size, place;
};

struct mix_load {
	struct schedule_load paced; /* first: its hooks are used */
	struct thread_data *td;
	struct mix mix;
	struct mix_draw *draw;
	uint64_t random; /* of what is written */
	struct mix_flight *flights;
	uint64_t window_start_ns;
	struct pattern_count *counts; /* a pattern */
};

static const struct load_ops mix_ops;

/* ---- I/Os ----------------------------------------------------------------------------------- */

static void decide(struct mix_load *mix, struct io_u *io_u, struct mix_flight *flight)
{
	static const enum fio_ddir ddirs[] = {
		[MIX_READ] = DDIR_READ, [MIX_WRITE] = DDIR_WRITE, [MIX_TRIM] = DDIR_TRIM};
	struct mix_io io;

	mix_draw_next(mix->draw, &io);
	*flight = (struct mix_flight){.is_decided = true,
				      .pattern = (uint8_t)io.pattern,
				      .size = (uint8_t)io.size,
				      .place = (uint8_t)io.place};
	io_u->ddir = ddirs[io.op];
	io_u->offset = io_u->verify_offset = io_u->file->file_offset + io.offset;
	io_u->buflen = io_u->xfer_buflen = io.bytes;
}

/* As fio does it for its own writes: new data in all of the buffer, or some in every sector. */
static void freshen(struct mix_load *mix, struct thread_data *td, struct io_u *io_u)
{
	char *sector = io_u->buf, *end = sector + io_u->buflen;

	if (td->o.refill_buffers) {
		io_u_fill_buffer(td, io_u, td->o.min_bs[DDIR_WRITE], io_u->buflen);
		return;
	}
	if (!(td->flags & TD_F_SCRAMBLE_BUFFERS) || (td->flags & TD_F_COMPRESS))
		return;
	for (; sector < end; sector += SECTOR) {
		uint64_t word = random_next(&mix->random);

		memcpy(sector + word % (SECTOR / sizeof(word)) * sizeof(word), &word, sizeof(word));
	}
}

static int mix_prep(struct thread_data *td, struct io_u *io_u)
{
	struct engine *engine = td->io_ops_data;
	struct mix_load *mix = (struct mix_load *)engine->load;
	struct mix_flight *flight;

	/* Jobs that run as threads share one ops table, also those without a mix. */
	if (engine->load->ops != &mix_ops || !ddir_rw(io_u->ddir))
		return 0;
	flight = &mix->flights[io_u->index];
	if (!flight->is_decided) {
		decide(mix, io_u, flight);
		if (io_u->ddir == DDIR_WRITE)
			freshen(mix, td, io_u);
	}
	io_u->acct_ddir = io_u->ddir;
	return 0;
}

/* The count of an I/O's pattern in the window of now; NULL for a sync. */
static struct pattern_count *count_of(struct mix_load *mix, const struct mix_flight *flight)
{
	const struct engine *engine = mix->td->io_ops_data;

	if (!flight->is_decided)
		return NULL;
	if (mix->window_start_ns != engine->stats->window_start_ns) {
		mix->window_start_ns = engine->stats->window_start_ns;
		memset(mix->counts, 0, mix->mix.count * sizeof(*mix->counts));
	}
	return &mix->counts[flight->pattern];
}

/* Shares are those of what left: in the order of the choice, whatever completes first. */
static void mix_load_left(struct load *load, const struct io_u *io_u,
			  const struct io_slot *slot fio_unused, bool at_limit fio_unused)
{
	struct mix_load *mix = (struct mix_load *)load;
	const struct mix_flight *flight = &mix->flights[io_u->index];
	struct pattern_count *count = count_of(mix, flight);

	if (!count)
		return;
	count->sent++;
	count->bytes += io_u->xfer_buflen;
	count->sizes[flight->size]++;
	count->places[flight->place]++;
}

static void mix_load_completed(struct load *load, const struct io_u *io_u,
			       const struct io_slot *slot, uint64_t now_ns)
{
	struct mix_load *mix = (struct mix_load *)load;
	struct mix_flight *flight = &mix->flights[io_u->index];
	struct pattern_count *count = count_of(mix, flight);

	if (count)
		histogram_add(&count->latency, now_ns - slot->issue_ns);
	flight->is_decided = false;
}

/* ---- what the statistics file says ---------------------------------------------------------- */

static double share_of(uint64_t count, uint64_t all)
{
	return all ? (double)count / (double)all : 0.0;
}

static json_t *sizes_json(const struct mix_pattern *pattern, const struct pattern_count *count)
{
	json_t *list = json_array();
	unsigned i;

	for (i = 0; i < pattern->size_count; i++)
		json_array_append_new(list, json_pack("{s:i, s:f, s:I, s:f}", "bytes",
						      (int)pattern->sizes[i], "asked_share",
						      pattern->size_shares[i], "sent",
						      (json_int_t)count->sizes[i], "share",
						      share_of(count->sizes[i], count->sent)));
	return list;
}

static json_t *places_json(const struct mix_pattern *pattern, const struct pattern_count *count)
{
	json_t *list = json_array();
	unsigned i;

	for (i = 0; i < pattern->place_count; i++)
		json_array_append_new(list,
				      json_pack("{s:f, s:f, s:f, s:I, s:f}", "from_share",
						pattern->from[i], "to_share", pattern->to[i],
						"asked_share", pattern->place_shares[i], "count",
						(json_int_t)count->places[i], "share",
						share_of(count->places[i], count->sent)));
	return list;
}

static json_t *pattern_json(const struct mix_pattern *pattern, const struct pattern_count *count,
			    uint64_t all)
{
	return json_pack("{s:s, s:f, s:I, s:f, s:I, s:o, s:o, s:o}", "pattern", mix_word(pattern),
			 "asked_share", pattern->share, "sent", (json_int_t)count->sent, "share",
			 share_of(count->sent, all), "bytes", (json_int_t)count->bytes, "sizes",
			 sizes_json(pattern, count), "places", places_json(pattern, count),
			 "latency", stats_summary(&count->latency));
}

static void mix_load_conclude(struct load *load, const struct run_end *end fio_unused,
			      struct stats_description *description)
{
	const struct mix_load *mix = (const struct mix_load *)load;
	uint64_t all = 0;
	unsigned i;

	description->mix = json_array();
	for (i = 0; i < mix->mix.count; i++)
		all += mix->counts[i].sent;
	for (i = 0; i < mix->mix.count; i++)
		json_array_append_new(description->mix,
				      pattern_json(&mix->mix.patterns[i], &mix->counts[i], all));
}

static void mix_load_free(struct load *load)
{
	struct mix_load *mix = (struct mix_load *)load;

	if (mix->draw)
		mix_draw_close(mix->draw);
	free(mix->flights);
	free(mix->counts);
	free(mix);
}

static const struct load_ops mix_ops = {
	.start = schedule_load_start,
	.due_ns = schedule_load_due_ns,
	.sent = schedule_load_sent,
	.count_unsent = schedule_load_count_unsent,
	.conclude = mix_load_conclude,
	.left = mix_load_left,
	.completed = mix_load_completed,
	.free = mix_load_free,
};

/* ---- the job -------------------------------------------------------------------------------- */

static bool splits_sizes(const struct thread_options *o)
{
	return o->bssplit_nr[DDIR_READ] || o->bssplit_nr[DDIR_WRITE] || o->bssplit_nr[DDIR_TRIM];
}

/* Options that would say something else about the I/Os than the mix. */
static int check_job(struct thread_data *td, const struct mix *mix, struct error *err)
{
	const struct thread_options *o = &td->o;
	const struct core_forbidden options[] = {
		{o->verify != 0, "verify", "cannot follow what a mix writes"},
		{splits_sizes(o), "bssplit", "says what mix= says"},
		{o->zone_mode != ZONE_MODE_NONE || o->zone_size > 0, "zonemode",
		 "says what mix= says"},
		{o->random_distribution != FIO_RAND_DIST_RANDOM, "random_distribution",
		 "says what mix= says"},
		{o->trim_percentage > 0, "trim_percentage", "says what mix= says"},
		{fio_option_is_set(&td->o, perc_rand[DDIR_READ]), "percentage_random",
		 "says what mix= says"},
	};
	bool writes = mix_does(mix, MIX_WRITE) || mix_does(mix, MIX_TRIM);

	if (core_refuse_first(options, COUNT(options), err))
		return -1;
	if (o->nr_files != 1)
		return error_set(err, "mix= has one target, not %u; give each a job of its own",
				 o->nr_files);
	if (writes && !td_write(td) && !td_trim(td))
		return error_set(err, "mix= writes and rw= only reads; write rw=randrw");
	return 0;
}

/* fio draws reads only, for it costs the least, and makes buffers for the longest of the mix. */
static void fit_job(struct thread_data *td, const struct mix *mix)
{
	uint32_t longest = mix_longest_bytes(mix);
	unsigned ddir;

	td->flags &= ~TD_F_REFILL_BUFFERS; /* freshen() does it, and for writes only */
	td->o.norandommap = 1;
	td->o.td_ddir |= TD_DDIR_RANDREAD | (mix_does(mix, MIX_WRITE) ? TD_DDIR_WRITE : 0) |
			 (mix_does(mix, MIX_TRIM) ? TD_DDIR_TRIM : 0);
	td->o.rwmix[DDIR_READ] = 100;
	td->o.rwmix[DDIR_WRITE] = 0;
	for (ddir = DDIR_READ; ddir <= DDIR_TRIM; ddir++)
		if (td->o.max_bs[ddir] < longest)
			td->o.max_bs[ddir] = longest;
	if (td_trimwrite(
		    td)) /* which fio takes for pairs of a trim and a write: twice as many I/Os */
		td->o.number_ios = (td->o.number_ios + 1) / 2;
	td->io_ops->prep = mix_prep;
}

static int start_drawing(struct mix_load *mix, struct thread_data *td, const struct stats_run *run,
			 struct error *err)
{
	const struct mix_draw_options options = {
		.region_bytes = td->files[0]->io_size,
		.align_bytes = fio_option_is_set(&td->o, ba) ? (uint32_t)td->o.ba[DDIR_READ] : 0,
		.clone = run->clone - 1,
		.clones = run->clones,
		.seed = run->seed,
	};

	mix->random = run->seed + options.clone;
	mix->flights = calloc(td->o.iodepth, sizeof(*mix->flights));
	mix->counts = calloc(mix->mix.count, sizeof(*mix->counts));
	if (!mix->flights || !mix->counts)
		return error_set(err, "no memory for a mix");
	mix->draw = mix_draw_open(&mix->mix, &options, err);
	return mix->draw ? 0 : error_prefix(err, "mix");
}

struct load *load_mix(struct thread_data *td, const char *text, enum arrival arrival,
		      const struct stats_run *run, struct error *err)
{
	struct mix_load *mix = calloc(1, sizeof(*mix));

	if (!mix) {
		error_set(err, "no memory for a mix");
		return NULL;
	}
	mix->td = td;
	mix->paced.load = (struct load){.ops = &mix_ops, .paced = run->nominal_iops > 0.0};
	schedule_init(&mix->paced.schedule, arrival, run->nominal_iops, run->seed,
		      td->subjob_number, run->clones);
	if (mix_parse(text, &mix->mix, err))
		error_prefix(err, "mix");
	else if (!check_job(td, &mix->mix, err) && !start_drawing(mix, td, run, err)) {
		fit_job(td, &mix->mix);
		return &mix->paced.load;
	}
	mix_load_free(&mix->paced.load);
	return NULL;
}
