/* SPDX-License-Identifier: GPL-2.0-only */
/* The load of vdi_replay: the records of a trace, due by their times in it. */
#include <stdlib.h>
#include <string.h>

#include "engines/replay/replay_load.h"
#include "engines/replay/replay_number.h"

#define MOST_LOOPS 1000000

/* Whoever watches is told of a longer wait for the next I/O. */
#define LONG_GAP_NS (10 * NS_PER_SEC)

/* The jobs of a replay have one origin; after a pause each goes on by itself. */
void replay_load_start(struct load *load, struct thread_data *td, uint64_t now_ns)
{
	struct replay_load *replay = (struct replay_load *)load;
	struct engine *engine = td->io_ops_data;

	engine->stats->interval_late = &replay->watch.interval_late;
	if (replay->origin_ns)
		replay->origin_ns = now_ns - replay->last_due_ns;
	else
		replay->origin_ns = replay_common_start_ns(td, replay->chosen.parts, now_ns);
}

static uint64_t replay_load_due_ns(const struct load *load)
{
	const struct replay_load *replay = (const struct replay_load *)load;

	if (replay->item.due_ns == UINT64_MAX)
		return UINT64_MAX;
	return replay->origin_ns + replay->item.due_ns;
}

void replay_load_sent(struct load *load)
{
	struct replay_load *replay = (struct replay_load *)load;

	replay->last_due_ns = replay->item.due_ns;
	replay->has_item = false;
}

static bool take_unsent(struct replay_load *replay, uint64_t end_ns)
{
	struct error err;

	if (replay->has_item)
		return true;
	if (replay->flights)
		return replay_dependent_unsent(replay, end_ns);
	return replay_next(replay->replay, &replay->item, &err) > 0;
}

static uint64_t replay_load_count_unsent(struct load *load, uint64_t from_ns, uint64_t end_ns,
					 uint64_t *oldest_due_ns)
{
	struct replay_load *replay = (struct replay_load *)load;
	struct unsent_count count = {.oldest_ns = end_ns};
	bool goes_on = true;

	replay_load_note_end(replay);
	while (goes_on && take_unsent(replay, end_ns)) {
		uint64_t due_ns = replay_load_due_ns(load);

		replay->has_item = false;
		if (due_ns >= end_ns)
			break;
		if (replay->item.op == TRACE_FLUSH)
			continue; /* not among the I/Os that count as offered */
		goes_on = core_unsent_add(&count, due_ns, from_ns);
	}
	*oldest_due_ns = count.oldest_ns;
	return core_unsent_total(&count, from_ns, end_ns);
}

static enum replay_class class_of(const struct io_u *io_u)
{
	switch (io_u->ddir) {
	case DDIR_READ:
		return REPLAY_READ;
	case DDIR_WRITE:
		return REPLAY_WRITE;
	case DDIR_TRIM:
		return REPLAY_TRIM;
	default:
		return REPLAY_FLUSH;
	}
}

static void replay_load_left(struct load *load, const struct io_u *io_u, const struct io_slot *slot,
			     bool at_limit)
{
	struct replay_load *replay = (struct replay_load *)load;
	struct engine *engine = replay->td->io_ops_data;
	struct engine_stats *stats = engine->stats;

	if (is_of_fio(replay->td))
		return;
	replay->watch.sent++;
	if (stats->window_start_ns != replay->watch.window_start_ns)
		replay_watch_start(&replay->watch, stats->window_start_ns);
	if (!load->paced)
		return;
	if (stats_interval_ended(stats, slot->issue_ns))
		stats_close_intervals(stats, slot->issue_ns);
	replay_watch_left(&replay->watch, class_of(io_u), slot->due_ns, slot->issue_ns, at_limit);
}

static void replay_load_completed(struct load *load, const struct io_u *io_u,
				  const struct io_slot *slot, uint64_t now_ns)
{
	struct replay_load *replay = (struct replay_load *)load;

	if (!is_of_fio(replay->td))
		replay_watch_completed(&replay->watch, class_of(io_u), now_ns - slot->issue_ns);
	if (replay->flights)
		replay_dependent_completed(replay, io_u, now_ns);
}

static void replay_load_free(struct load *load)
{
	struct replay_load *replay = (struct replay_load *)load;

	if (replay->replay)
		replay_close(replay->replay);
	if (replay->trace)
		trace_close(replay->trace);
	free(replay->flights);
	free(replay);
}

static const struct load_ops replay_ops = {
	.start = replay_load_start,
	.due_ns = replay_load_due_ns,
	.sent = replay_load_sent,
	.count_unsent = replay_load_count_unsent,
	.conclude = replay_load_conclude,
	.left = replay_load_left,
	.completed = replay_load_completed,
	.free = replay_load_free,
};

static int choose(struct replay_load *replay, const struct stats_run *run, struct error *err)
{
	const struct thread_data *td = replay->td;
	const struct replay_job_options *o = replay->options;
	const struct fio_file *f = td->files[0];
	struct replay_options *chosen = &replay->chosen;
	uint64_t block = td->o.min_bs[DDIR_WRITE];

	*chosen = (struct replay_options){
		.stream = o->stream,
		.phase = o->phase,
		.linked = o->linked,
		.stagger = o->stagger_kind,
		.seed = run->seed,
		.speed = 1.0,
		.fit = o->fit,
		.region_bytes = f->io_size - f->io_size % block,
		.block_bytes = (unsigned)block,
		.longest_bytes = REPLAY_LONGEST_BYTES,
		.loops = 1,
		.skip_trims = o->skip_trims,
		.skip_flushes = o->skip_flushes,
		.skip_fua = o->skip_fua,
		.part = td->subjob_number,
		.parts = run->clones,
	};
	if (replay_parse_count("loop", o->loops, MOST_LOOPS, &chosen->loops, err) ||
	    replay_parse_speed(o->speed, &chosen->speed, err) ||
	    replay_parse_time("stagger", o->stagger, &chosen->stagger_ns, err))
		return -1;
	return replay_parse_window(o->window, &chosen->from_ns, &chosen->to_ns, err);
}

/* iorate= sets the speed at which the mean rate of all clones together is the one asked for. */
static int find_speed(struct replay_load *replay, unsigned jobs, double *iops, struct error *err)
{
	struct replay_options *chosen = &replay->chosen;
	double trace_iops;

	if (core_parse_rate(&replay->options->rate, jobs, iops, err))
		return -1;
	*iops *= jobs;
	if (!replay->load.paced || (*iops <= 0 && !trace_header(replay->trace)->duration_ns))
		return 0;
	if (replay_mean_iops(replay->trace, chosen, &trace_iops, err))
		return -1;
	if (*iops > 0)
		chosen->speed = *iops / trace_iops;
	else
		*iops = trace_iops * chosen->speed;
	return 0;
}

static int open_trace(struct replay_load *replay, const struct stats_run *run, double *iops,
		      struct error *err)
{
	const struct replay_job_options *o = replay->options;
	const struct replay_options *chosen = &replay->chosen;

	if (!o->trace)
		return error_set(err, "name the trace to replay: trace=FILE.vdt");
	if (replay_check_options(replay->td, err))
		return -1;
	if (replay->td->o.nr_files != 1)
		return error_set(err, "a replay has one target, not %u", replay->td->o.nr_files);
	if (choose(replay, run, err) || trace_open(o->trace, &replay->trace, err) ||
	    replay_choose_clones(replay, &replay->chosen, err))
		return -1;
	if (chosen->parts > chosen->clones)
		return error_set(err, "%u jobs share %u clone%s: at most one job a clone",
				 chosen->parts, chosen->clones, chosen->clones == 1 ? "" : "s");
	if (o->pacing == PACING_DEPENDENT && replay_dependent_open(replay, err))
		return -1;
	if (find_speed(replay, chosen->parts, iops, err))
		return -1;
	return replay_open(replay->trace, chosen, &replay->replay, err);
}

static struct replay_load *new_load(struct thread_data *td)
{
	struct replay_load *replay = calloc(1, sizeof(*replay));

	if (!replay)
		return NULL;
	replay->td = td;
	replay->options = td->eo;
	replay->load = (struct load){.ops = &replay_ops,
				     .paced = replay->options->pacing != PACING_ASAP,
				     .paces_syncs = replay->options->pacing != PACING_ASAP};
	return replay;
}

struct replay_load *replay_load_open(struct thread_data *td, const struct stats_run *run,
				     double *iops, struct error *err)
{
	struct replay_load *replay = new_load(td);

	if (!replay) {
		error_set(err, "no memory for a replay");
		return NULL;
	}
	if (open_trace(replay, run, iops, err)) {
		replay_load_free(&replay->load);
		return NULL;
	}
	return replay;
}

int replay_load_take(struct replay_load *replay, struct error *err)
{
	int got;

	if (replay->has_item)
		return 1;
	if (replay->flights)
		return replay_dependent_take(replay, err);
	got = replay_next(replay->replay, &replay->item, err);
	replay->has_item = got > 0;
	replay->is_through = got == 0;
	return got;
}

void replay_load_note_end(struct replay_load *replay)
{
	if (replay->has_ended)
		return;
	replay->has_ended = true;
	replay->at_end = *replay_counts(replay->replay);
	replay->taken = replay->at_end.items - replay->has_item;
}

/* Said once for each item that is far away. */
void replay_load_held(struct replay_load *replay)
{
	uint64_t due_ns = replay_load_due_ns(&replay->load), now_ns;

	if (!(replay->has_item || replay->is_waiting) || due_ns == UINT64_MAX ||
	    replay->announced_ns == due_ns)
		return;
	now_ns = fio_now_ns();
	if (due_ns < now_ns + LONG_GAP_NS)
		return;
	replay->announced_ns = due_ns;
	core_say(replay->td, "next I/O in %llu s",
		 (unsigned long long)((due_ns - now_ns + NS_PER_SEC / 2) / NS_PER_SEC));
}
