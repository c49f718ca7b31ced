/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vdi_replay: the records of a .vdt trace, as one desktop or many, each sent when it is due.
 *
 * The pattern of the job (rw=, bs=) only makes fio hand out buffers: prep() writes the next record
 * over it. The job ends when the trace does; iodepth= is the largest number in flight.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/core/core.h"
#include "engines/trace/replay.h"

/* Longer records go in pieces; every io_u has a buffer of this. */
#define LONGEST_BYTES 262144

enum pacing { PACING_TIMED, PACING_ASAP };

struct replay_job_options {
	struct core_options core;
	struct rate_options rate;
	char *trace, *stream, *phase;
	char *window; /* "FROM-TO" in seconds of the trace */
	unsigned clones, linked, loops;
	unsigned long long stagger_us;
	unsigned stagger_kind;
	unsigned speed; /* percent */
	unsigned pacing, fit;
};

/* clang-format off */
static struct fio_option option_table[] = {
	{
		.name = "trace",
		.lname = "Trace",
		.type = FIO_OPT_STR_STORE,
		.off1 = offsetof(struct replay_job_options, trace),
		.help = "The .vdt file to replay",
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "stream",
		.lname = "Stream",
		.type = FIO_OPT_STR_STORE,
		.off1 = offsetof(struct replay_job_options, stream),
		.help = "Only this disk or machine of the trace, by name or number",
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "phase",
		.lname = "Phase",
		.type = FIO_OPT_STR_STORE,
		.off1 = offsetof(struct replay_job_options, phase),
		.help = "Only this phase of the trace",
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "window",
		.lname = "Window",
		.type = FIO_OPT_STR_STORE,
		.off1 = offsetof(struct replay_job_options, window),
		.help = "Only these seconds of the trace, as FROM-TO",
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "clones",
		.lname = "Clones",
		.type = FIO_OPT_INT,
		.off1 = offsetof(struct replay_job_options, clones),
		.help = "Copies of the trace that run at once, each with its own place",
		.def = "1",
		.minval = 1,
		.maxval = 10000,
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "clone_kind",
		.lname = "Kind of clones",
		.type = FIO_OPT_STR,
		.off1 = offsetof(struct replay_job_options, linked),
		.help = "What clones share",
		.def = "full",
		.posval = {
			{.ival = "full", .oval = 0, .help = "Nothing"},
			{.ival = "linked", .oval = 1,
			 .help = "The base image: reads of what a clone has not written"},
		},
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "stagger",
		.lname = "Stagger",
		.type = FIO_OPT_STR_VAL_TIME,
		.off1 = offsetof(struct replay_job_options, stagger_us),
		.help = "Clones begin at random within this time (exponential: its mean)",
		.def = "0",
		.is_seconds = 1,
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "stagger_kind",
		.lname = "Distribution of the stagger",
		.type = FIO_OPT_STR,
		.off1 = offsetof(struct replay_job_options, stagger_kind),
		.help = "How the beginnings of clones are spread",
		.def = "uniform",
		.posval = {
			{.ival = "uniform", .oval = REPLAY_STAGGER_UNIFORM, .help = "Evenly"},
			{.ival = "exponential", .oval = REPLAY_STAGGER_EXPONENTIAL,
			 .help = "Exponentially"},
		},
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "speed",
		.lname = "Speed",
		.type = FIO_OPT_INT,
		.off1 = offsetof(struct replay_job_options, speed),
		.help = "Percent of the trace's own speed: 200 takes half the time",
		.def = "100",
		.minval = 1,
		.maxval = 1000000,
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "pacing",
		.lname = "Pacing",
		.type = FIO_OPT_STR,
		.off1 = offsetof(struct replay_job_options, pacing),
		.help = "When records leave",
		.def = "timed",
		.posval = {
			{.ival = "timed", .oval = PACING_TIMED, .help = "When they are due"},
			{.ival = "asap", .oval = PACING_ASAP,
			 .help = "As fast as iodepth allows; latencies are not those of a paced run"},
		},
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "fit",
		.lname = "Fit",
		.type = FIO_OPT_STR,
		.off1 = offsetof(struct replay_job_options, fit),
		.help = "How the places of the trace fit the target",
		.def = "exact",
		.posval = {
			{.ival = "exact", .oval = REPLAY_EXACT,
			 .help = "Unchanged, clones behind each other; refused when too large"},
			{.ival = "wrap", .oval = REPLAY_WRAP, .help = "Modulo the target"},
			{.ival = "stretch", .oval = REPLAY_STRETCH, .help = "Scaled to the target"},
			{.ival = "compact", .oval = REPLAY_COMPACT,
			 .help = "Only what is touched, in pieces of 256 KiB"},
		},
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "loop",
		.lname = "Loop",
		.type = FIO_OPT_INT,
		.off1 = offsetof(struct replay_job_options, loops),
		.help = "How often the trace is played",
		.def = "1",
		.minval = 1,
		.maxval = 1000000,
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	RATE_OPTIONS(struct replay_job_options, rate),
	DRIVE_OPTION(struct replay_job_options, core),
	CORE_OPTIONS(struct replay_job_options, core),
	{
		.name = NULL,
	},
};
/* clang-format on */

/* The load of one job: the records of its clones. */
struct replay_load {
	struct load load;
	struct replay_job_options *options;
	struct trace *trace;
	struct replay *replay;
	double speed;
	struct replay_item item; /* in hand: decided, not sent yet */
	bool has_item;
	uint64_t origin_ns;   /* of due times, on fio's clock */
	uint64_t last_due_ns; /* of what was sent last, from the origin */
	uint64_t fua;	      /* writes that asked to be on the medium at once, and were not */
};

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

static void replay_load_sent(struct load *load)
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

static json_t *replay_load_describe(const struct load *load)
{
	const struct replay_load *replay = (const struct replay_load *)load;
	const struct replay_counts *counts = replay_counts(replay->replay);
	const struct trace_header *header = trace_header(replay->trace);

	return json_pack("{s:s, s:b, s:s, s:i, s:b, s:f, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I}",
			 "trace", replay->options->trace, "synthetic", header->synthetic, "note",
			 header->provenance.note, "clones", replay->options->clones, "linked",
			 replay->options->linked, "speed", replay->speed, "records",
			 by_op(counts->records), "bytes", by_op(counts->bytes), "sent",
			 (json_int_t)counts->items, "split", (json_int_t)counts->split, "aligned",
			 (json_int_t)counts->aligned, "folded", (json_int_t)counts->folded,
			 "skipped", (json_int_t)counts->skipped, "fua_not_forced",
			 (json_int_t)replay->fua);
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
		.clones = o->clones,
		.linked = o->linked,
		.stagger_ns = o->stagger_us * NS_PER_USEC,
		.stagger = o->stagger_kind,
		.seed = o->core.seed,
		.speed = o->speed / 100.0,
		.fit = o->fit,
		.region_bytes = f->io_size - f->io_size % block,
		.block_bytes = (unsigned)block,
		.longest_bytes = LONGEST_BYTES,
		.loops = o->loops,
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

static int open_replay(struct thread_data *td, struct replay_load *replay, unsigned jobs,
		       double *iops, struct error *err)
{
	struct replay_job_options *o = replay->options;
	struct replay_options chosen = choose(td, o, jobs);

	if (!o->trace)
		return error_set(err, "name the trace to replay: trace=FILE.vdt");
	if (jobs > o->clones)
		return error_set(err, "%u jobs share %u clones: at most one job a clone", jobs,
				 o->clones);
	if (td->o.nr_files != 1)
		return error_set(err, "a replay has one target, not %u", td->o.nr_files);
	if (parse_window(o->window, &chosen, err) || trace_open(o->trace, &replay->trace, err) ||
	    find_speed(replay, &chosen, jobs, iops, err))
		return -1;
	replay->speed = chosen.speed;
	return replay_open(replay->trace, &chosen, &replay->replay, err);
}

/* What fio checks before and counts while it runs must allow for what the trace contains. */
static int make_room(struct thread_data *td, const struct trace_header *header, struct error *err)
{
	const uint64_t *records = header->totals.records;
	bool writes = records[TRACE_WRITE] || records[TRACE_WRITE_ZEROES];
	unsigned ddir;

	if (read_only && (writes || records[TRACE_TRIM]))
		return error_set(err, "the trace writes, and fio runs with --readonly");
	/* fio would fill the whole of each buffer, reads' too; prep() fills what is written. */
	td->flags &= ~TD_F_REFILL_BUFFERS;
	td->o.norandommap = 1;
	td->o.size = td->o.io_size = td->total_io_size = 1ULL << 60;
	td->o.td_ddir |= TD_DDIR_READ | (writes ? TD_DDIR_WRITE : 0) |
			 (records[TRACE_TRIM] ? TD_DDIR_TRIM : 0);
	for (ddir = DDIR_READ; ddir <= DDIR_TRIM; ddir++)
		td->o.max_bs[ddir] = LONGEST_BYTES;
	return 0;
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

static int fio_vdi_replay_init(struct thread_data *td)
{
	struct replay_job_options *o = td->eo;
	struct replay_load *replay = new_load(o);
	struct stats_run run = core_run(td);
	struct error err;

	if (!replay) {
		error_set(&err, "no memory for a replay");
		return core_report(td, &err);
	}
	if (core_check_options(td, replay->load.paced, &err) ||
	    open_replay(td, replay, run.clones, &run.nominal_iops, &err) ||
	    make_room(td, trace_header(replay->trace), &err)) {
		replay_load_free(&replay->load);
		return core_report(td, &err);
	}
	run.arrival = o->pacing == PACING_TIMED ? "trace" : NULL;
	run.nominal_iops /= run.clones;
	return core_init(td, &replay->load, &run);
}

/* The item in hand, or the next one. 1: there is one. 0: the trace is through. -1: damage. */
static int take_item(struct thread_data *td, struct replay_load *replay)
{
	struct error err;
	int got;

	if (replay->has_item)
		return 1;
	got = replay_next(replay->replay, &replay->item, &err);
	if (got < 0)
		core_report(td, &err);
	replay->has_item = got > 0;
	return got;
}

static enum fio_ddir ddir_of(const struct replay_item *item)
{
	switch (item->op) {
	case TRACE_READ:
		return DDIR_READ;
	case TRACE_TRIM:
		return DDIR_TRIM;
	case TRACE_FLUSH:
		return DDIR_SYNC;
	default:
		return DDIR_WRITE;
	}
}

/* fio drew an I/O of its own pattern: the record takes its place. Non-zero ends the job. */
static int fio_vdi_replay_prep(struct thread_data *td, struct io_u *io_u)
{
	struct engine *engine = td->io_ops_data;
	struct replay_load *replay = (struct replay_load *)engine->load;
	const struct replay_item *item = &replay->item;
	bool continues = replay->has_item;

	if (td->runstate == TD_VERIFYING || td->runstate == TD_FSYNCING)
		return 0;
	if (take_item(td, replay) <= 0)
		return 1;
	io_u->ddir = io_u->acct_ddir = ddir_of(item);
	io_u->offset = io_u->file->file_offset + item->offset;
	io_u->buflen = io_u->xfer_buflen = item->bytes;
	if (io_u->ddir != DDIR_WRITE || continues)
		return 0;
	replay->fua += (item->flags & TRACE_FUA) != 0;
	if (td->o.refill_buffers)
		io_u_fill_buffer(td, io_u, td->o.min_bs[DDIR_WRITE], item->bytes);
	return 0;
}

/* Unpaced records are not asked for their due time, and leave all the same. */
static enum fio_q_status fio_vdi_replay_queue(struct thread_data *td, struct io_u *io_u)
{
	struct engine *engine = td->io_ops_data;
	enum fio_q_status status = core_queue(td, io_u);

	if (status == FIO_Q_QUEUED && !engine->load->paced && td->runstate != TD_VERIFYING)
		replay_load_sent(engine->load);
	return status;
}

static struct ioengine_ops ops = {
	.name = "vdi_replay",
	CORE_HOOKS,
	.flags = FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_NO_OFFLOAD,
	.init = fio_vdi_replay_init,
	.prep = fio_vdi_replay_prep,
	.queue = fio_vdi_replay_queue,
	.get_file_size = core_get_file_size,
	.options = option_table,
	.option_struct_size = sizeof(struct replay_job_options),
};

SSDREVIEW_ENGINE(&ops)
