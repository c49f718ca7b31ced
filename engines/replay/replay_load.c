/* SPDX-License-Identifier: GPL-2.0-only */
/* The load of vdi_replay: the records of a trace, due by their times in it. */
#include <stdlib.h>
#include <string.h>

#include "engines/replay/replay_load.h"

static void replay_load_start(struct load *load, uint64_t now_ns)
{
	struct replay_load *replay = (struct replay_load *)load;

	replay->origin_ns = now_ns - replay->last_due_ns;
}

static uint64_t replay_load_due_ns(const struct load *load)
{
	const struct replay_load *replay = (const struct replay_load *)load;

	return replay->origin_ns + replay->item.due_ns;
}

void replay_load_sent(struct load *load)
{
	struct replay_load *replay = (struct replay_load *)load;

	replay->last_due_ns = replay->item.due_ns;
	replay->has_item = false;
}

static uint64_t replay_load_count_unsent(struct load *load, uint64_t from_ns, uint64_t end_ns,
					 uint64_t *oldest_due_ns)
{
	struct replay_load *replay = (struct replay_load *)load;
	uint64_t unsent = 0;
	struct error err;

	*oldest_due_ns = end_ns;
	while (replay->has_item || replay_next(replay->replay, &replay->item, &err) > 0) {
		uint64_t due_ns = replay_load_due_ns(load);

		replay->has_item = false;
		if (due_ns >= end_ns)
			break;
		unsent += due_ns >= from_ns;
		if (due_ns < *oldest_due_ns)
			*oldest_due_ns = due_ns;
	}
	return unsent;
}

static json_t *by_op(const uint64_t *counts)
{
	json_t *object = json_object();
	unsigned op;

	for (op = 0; op < TRACE_OPS; op++)
		json_object_set_new(object, trace_op_name(op),
				    json_integer((json_int_t)counts[op]));
	return object;
}

/* What a clone takes, where that decided how many there are. */
static json_t *describe_footprint(const struct replay_load *replay)
{
	const struct replay_footprint *footprint = &replay->footprint;

	if (!replay->is_auto)
		return json_null();
	return json_pack("{s:I, s:I, s:b}", "clone_bytes", (json_int_t)footprint->clone_bytes,
			 "shared_bytes", (json_int_t)footprint->shared_bytes, "exceeds_region",
			 footprint->is_cut);
}

/* What was not sent, or not as the trace has it. */
static json_t *describe_left_out(const struct replay_counts *counts)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I}", "skipped", (json_int_t)counts->skipped,
			 "trims_skipped", (json_int_t)counts->trims_skipped, "flushes_skipped",
			 (json_int_t)counts->flushes_skipped, "fua", (json_int_t)counts->fua,
			 "fua_not_forced", (json_int_t)counts->fua_not_forced);
}

static json_t *replay_load_describe(const struct load *load)
{
	const struct replay_load *replay = (const struct replay_load *)load;
	const struct replay_counts *counts = replay_counts(replay->replay);
	const struct trace_header *header = trace_header(replay->trace);

	json_t *object = json_pack(
		"{s:s, s:b, s:s, s:i, s:o, s:b, s:f, s:o, s:o, s:I, s:I, s:I, s:I}", "trace",
		replay->options->trace, "synthetic", header->synthetic, "note",
		header->provenance.note, "clones", replay->clones, "footprint",
		describe_footprint(replay), "linked", replay->options->linked, "speed",
		replay->speed, "records", by_op(counts->records), "bytes", by_op(counts->bytes),
		"sent", (json_int_t)counts->items, "split", (json_int_t)counts->split, "aligned",
		(json_int_t)counts->aligned, "folded", (json_int_t)counts->folded);

	json_object_set_new(object, "lost", json_integer(header->lost));
	json_object_update_new(object, describe_left_out(counts));
	return object;
}

static void replay_load_free(struct load *load)
{
	struct replay_load *replay = (struct replay_load *)load;

	if (replay->replay)
		replay_close(replay->replay);
	if (replay->trace)
		trace_close(replay->trace);
	free(replay);
}

static const struct load_ops replay_ops = {
	.start = replay_load_start,
	.due_ns = replay_load_due_ns,
	.sent = replay_load_sent,
	.count_unsent = replay_load_count_unsent,
	.describe = replay_load_describe,
	.free = replay_load_free,
};

/* "FROM-TO" in seconds; TO may be left out. */
static int parse_window(const char *text, struct replay_options *options, struct error *err)
{
	double from_s, to_s = 0.0;
	char *end;

	if (!text)
		return 0;
	from_s = strtod(text, &end);
	if (end == text || *end != '-' || from_s < 0 ||
	    (end[1] && (to_s = strtod(end + 1, &end), *end || to_s <= from_s)))
		return error_set(
			err, "window=%s is no window: give seconds of the trace as FROM-TO", text);
	options->from_ns = (uint64_t)(from_s * 1e9);
	options->to_ns = (uint64_t)(to_s * 1e9);
	return 0;
}

static struct replay_options choose(struct thread_data *td, const struct replay_job_options *o,
				    unsigned jobs)
{
	const struct fio_file *f = td->files[0];
	uint64_t block = td->o.min_bs[DDIR_WRITE];

	return (struct replay_options){
		.stream = o->stream,
		.phase = o->phase,
		.linked = o->linked,
		.stagger_ns = o->stagger_us * NS_PER_USEC,
		.stagger = o->stagger_kind,
		.seed = o->core.seed,
		.speed = o->speed / 100.0,
		.fit = o->fit,
		.region_bytes = f->io_size - f->io_size % block,
		.block_bytes = (unsigned)block,
		.longest_bytes = REPLAY_LONGEST_BYTES,
		.loops = o->loops,
		.skip_trims = o->skip_trims,
		.skip_flushes = o->skip_flushes,
		.skip_fua = o->skip_fua,
		.part = td->subjob_number,
		.parts = jobs,
	};
}

/* iorate= sets the speed at which the mean rate of all clones together is the one asked for. */
static int find_speed(struct replay_load *replay, struct replay_options *chosen, unsigned jobs,
		      double *iops, struct error *err)
{
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

static int open_trace(struct thread_data *td, struct replay_load *replay, unsigned jobs,
		      double *iops, struct error *err)
{
	struct replay_job_options *o = replay->options;
	struct replay_options chosen = choose(td, o, jobs);

	if (!o->trace)
		return error_set(err, "name the trace to replay: trace=FILE.vdt");
	if (td->o.nr_files != 1)
		return error_set(err, "a replay has one target, not %u", td->o.nr_files);
	if (parse_window(o->window, &chosen, err) || trace_open(o->trace, &replay->trace, err) ||
	    replay_choose_clones(replay, &chosen, err))
		return -1;
	if (jobs > chosen.clones)
		return error_set(err, "%u jobs share %u clones: at most one job a clone", jobs,
				 chosen.clones);
	if (find_speed(replay, &chosen, jobs, iops, err))
		return -1;
	replay->clones = chosen.clones;
	replay->speed = chosen.speed;
	return replay_open(replay->trace, &chosen, &replay->replay, err);
}

static struct replay_load *new_load(struct replay_job_options *options)
{
	struct replay_load *replay = calloc(1, sizeof(*replay));

	if (!replay)
		return NULL;
	replay->load = (struct load){.ops = &replay_ops,
				     .paced = options->pacing == PACING_TIMED,
				     .paces_syncs = options->pacing == PACING_TIMED};
	replay->options = options;
	return replay;
}

struct replay_load *replay_load_open(struct thread_data *td, unsigned jobs, double *iops,
				     struct error *err)
{
	struct replay_load *replay = new_load(td->eo);

	if (!replay) {
		error_set(err, "no memory for a replay");
		return NULL;
	}
	if (open_trace(td, replay, jobs, iops, err)) {
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
	got = replay_next(replay->replay, &replay->item, err);
	replay->has_item = got > 0;
	return got;
}
