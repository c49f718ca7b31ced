/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vdi_replay: the records of a .vdt trace, as one desktop or many, each sent when it is due.
 *
 * The pattern of the job (rw=, bs=) only makes fio hand out buffers: prep() writes the next record
 * over it. The job ends when the trace does; iodepth= is the largest number in flight.
 */
#include "base/number.h"
#include "engines/replay/replay_load.h"

/* clang-format off */

#define OPTION(word, long_name, kind, member, what)                                                \
		ENGINE_OPTION(word, long_name, kind, struct replay_job_options, member, what)

/* Whether what a record asks for beside its data is sent. */
#define SEND_OR_SKIP(word, long_name, member, what, skipping)                                      \
		OPTION(word, long_name, FIO_OPT_STR, member, what),                                \
		.def = "send",                                                                     \
		.posval = {                                                                        \
			{.ival = "send", .oval = 0, .help = "Sent as such"},                       \
			{.ival = "skip", .oval = 1, .help = skipping},                             \
		}

static struct fio_option option_table[] = {
	{
		OPTION("trace", "Trace", FIO_OPT_STR_STORE, trace,
		       "The .vdt file to replay"),
	},
	{
		OPTION("stream", "Stream", FIO_OPT_STR_STORE, stream,
		       "Only this disk or machine of the trace, by name or number"),
	},
	{
		OPTION("phase", "Phase", FIO_OPT_STR_STORE, phase,
		       "Only this phase of the trace"),
	},
	{
		OPTION("window", "Window", FIO_OPT_STR_STORE, window,
		       "Only these seconds of the trace, as FROM-TO"),
	},
	{
		OPTION("clones", "Clones", FIO_OPT_STR_STORE, clones,
		       "Copies of the trace (default 1) that run at once, each with its own "
		       "place; auto: as many as the region holds"),
	},
	{
		OPTION("clone_kind", "Kind of clones", FIO_OPT_STR, linked,
		       "What clones share"),
		.def = "full",
		.posval = {
			{.ival = "full", .oval = 0, .help = "Nothing"},
			{.ival = "linked", .oval = 1,
			 .help = "The base image: reads of what a clone has not written"},
		},
	},
	{
		OPTION("stagger", "Stagger", FIO_OPT_STR_STORE, stagger,
		       "Clones begin at random within this time (exponential: its mean)"),
	},
	{
		OPTION("stagger_kind", "Distribution of the stagger", FIO_OPT_STR, stagger_kind,
		       "How the beginnings of clones are spread"),
		.def = "uniform",
		.posval = {
			{.ival = "uniform", .oval = REPLAY_STAGGER_UNIFORM, .help = "Evenly"},
			{.ival = "exponential", .oval = REPLAY_STAGGER_EXPONENTIAL,
			 .help = "Exponentially"},
			{.ival = "rotate", .oval = REPLAY_STAGGER_ROTATE,
			 .help = "None waits: each begins at another place of the trace"},
		},
	},
	{
		OPTION("speed", "Speed", FIO_OPT_STR_STORE, speed,
		       "Percent of the trace's own speed (default 100): 200 takes half the time"),
	},
	{
		OPTION("pacing", "Pacing", FIO_OPT_STR, pacing,
		       "When records leave"),
		.def = "timed",
		.posval = {
			{.ival = "timed", .oval = PACING_TIMED, .help = "When they are due"},
			{.ival = "dependent", .oval = PACING_DEPENDENT,
			 .help = "When what they waited for in the trace is complete"},
			{.ival = "asap", .oval = PACING_ASAP,
			 .help = "As fast as iodepth allows; latencies are not those of a paced "
				 "run"},
		},
	},
	{
		OPTION("think_max", "Longest think time", FIO_OPT_STR_STORE, think_max,
		       "pacing=dependent: a record waits for a completion this long before it in "
		       "the trace at most (default 1ms)"),
	},
	{
		OPTION("fit", "Fit", FIO_OPT_STR, fit,
		       "How the places of the trace fit the target"),
		.def = "exact",
		.posval = {
			{.ival = "exact", .oval = REPLAY_EXACT,
			 .help = "Unchanged, clones behind each other; refused when too large"},
			{.ival = "wrap", .oval = REPLAY_WRAP, .help = "Modulo the target"},
			{.ival = "stretch", .oval = REPLAY_STRETCH, .help = "Scaled to the target"},
			{.ival = "compact", .oval = REPLAY_COMPACT,
			 .help = "Only what is touched, in pieces of 256 KiB"},
		},
	},
	{
		OPTION("loop", "Loop", FIO_OPT_STR_STORE, loops,
		       "How often the trace is played (default 1)"),
	},
	{
		SEND_OR_SKIP("trims", "Trims", skip_trims,
			     "What becomes of the trace's trims",
			     "Left out and counted"),
	},
	{
		SEND_OR_SKIP("flushes", "Flushes", skip_flushes,
			     "What becomes of the trace's flushes",
			     "Left out and counted"),
	},
	{
		SEND_OR_SKIP("fua", "FUA", skip_fua,
			     "What becomes of writes that ask for FUA",
			     "Sent as ordinary writes and counted"),
	},
	RATE_OPTIONS(struct replay_job_options, rate),
	DRIVE_OPTION(struct replay_job_options, core),
	CORE_OPTIONS(struct replay_job_options, core),
	{
		.name = NULL,
	},
};
/* clang-format on */

/* What this job will move when all of the trace is chosen, else at most. */
static uint64_t expected_bytes(const struct replay_load *replay)
{
	const struct trace_header *header = trace_header(replay->trace);
	const struct replay_options *chosen = &replay->chosen;
	double bytes = 0.0;
	unsigned op;

	for (op = 0; op < TRACE_OPS; op++)
		bytes += (double)header->totals.bytes[op];
	bytes *= (double)chosen->clones / chosen->parts * chosen->loops;
	return bytes < 0x1p60 ? (uint64_t)bytes + 1 : 1ULL << 60;
}

/* What fio checks before and counts while it runs must allow for what the trace contains. */
static void make_room(struct thread_data *td, const struct replay_load *replay)
{
	const struct trace_header *header = trace_header(replay->trace);
	const uint64_t *records = header->totals.records;
	bool writes = records[TRACE_WRITE] || records[TRACE_WRITE_ZEROES];
	unsigned ddir;

	/* fio would fill the whole of each buffer, reads' too; prep() fills what is written. */
	td->flags &= ~TD_F_REFILL_BUFFERS;
	td->o.norandommap = 1;
	td->o.size = td->o.io_size = 1ULL << 60;
	td->total_io_size = expected_bytes(replay); /* for the time left in fio's status */
	td->o.td_ddir |= TD_DDIR_READ | (writes ? TD_DDIR_WRITE : 0) |
			 (records[TRACE_TRIM] ? TD_DDIR_TRIM : 0);
	for (ddir = DDIR_READ; ddir <= DDIR_TRIM; ddir++)
		td->o.max_bs[ddir] = REPLAY_LONGEST_BYTES;
}

/* On standard error, for fio's own output may be JSON. */
static void print_clones(const struct thread_data *td, const struct replay_load *replay)
{
	const struct replay_footprint *footprint = &replay->footprint;
	char each[NUMBER_ROOM], shared[NUMBER_ROOM], region[NUMBER_ROOM];

	if (!replay->is_auto || td->subjob_number)
		return;
	number_bytes((double)footprint->clone_bytes, each);
	number_bytes((double)footprint->shared_bytes, shared);
	number_bytes((double)td->files[0]->io_size, region);
	if (footprint->is_cut)
		fprintf(stderr,
			"vdi_replay: job %s: 1 clone, which takes more than the region of %s: "
			"places are used twice\n",
			td->o.name, region);
	else
		fprintf(stderr, "vdi_replay: job %s: %u clone%s of %s%s%s in a region of %s\n",
			td->o.name, replay->chosen.clones, replay->chosen.clones == 1 ? "" : "s",
			each, footprint->shared_bytes ? " beside a shared base of " : "",
			footprint->shared_bytes ? shared : "", region);
}

/* The job runs all the same: what is left of the trace may be all that there is. */
static void warn_of_loss(const struct thread_data *td, const struct replay_load *replay)
{
	uint32_t lost = trace_header(replay->trace)->lost;
	char text[NUMBER_ROOM];

	if (lost && !td->subjob_number)
		fprintf(stderr,
			"vdi_replay: job %s: the capture of %s lost %s event%s: this is not the "
			"load that was captured, and the results are invalid\n",
			td->o.name, replay->options->trace, number_whole(lost, text),
			lost == 1 ? "" : "s");
}

static int fio_vdi_replay_init(struct thread_data *td)
{
	const struct replay_job_options *o = td->eo;
	struct replay_load *replay;
	struct stats_run run;
	struct error err;

	if (core_run(td, &run, &err) || core_check_options(td, o->pacing != PACING_ASAP, &err))
		return core_report(td, &err);
	replay = replay_load_open(td, &run, &run.nominal_iops, &err);
	if (!replay)
		return core_report(td, &err);
	make_room(td, replay);
	if (replay_check_job(td, trace_header(replay->trace), &err)) {
		replay->load.ops->free(&replay->load);
		return core_report(td, &err);
	}
	print_clones(td, replay);
	warn_of_loss(td, replay);
	run.arrival = o->pacing == PACING_ASAP ? NULL : "trace";
	run.nominal_iops /= run.clones;
	return core_init(td, &replay->load, &run);
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

/* It is not known what leaves next: fio gets something to hold that queue() gives back. */
static void prepare_nothing(struct thread_data *td, struct io_u *io_u)
{
	io_u->ddir = io_u->acct_ddir = DDIR_READ;
	io_u->offset = io_u->file->file_offset;
	io_u->buflen = io_u->xfer_buflen = td->o.min_bs[DDIR_READ];
}

/* fio drew an I/O of its own pattern: the record takes its place. Non-zero ends the job. */
static int fio_vdi_replay_prep(struct thread_data *td, struct io_u *io_u)
{
	struct engine *engine = td->io_ops_data;
	struct replay_load *replay = (struct replay_load *)engine->load;
	const struct replay_item *item = &replay->item;
	bool continues = replay->has_item;
	struct error err;
	int got;

	engine->fua = replay->is_waiting = false;
	/* Blocks are verified in another order than that of their writes: so are their seeds. */
	if (td->runstate == TD_VERIFYING)
		td->flags |= TD_F_VER_BACKLOG;
	if (is_of_fio(td))
		return 0;
	got = replay_load_take(replay, &err);
	if (got < 0)
		core_report(td, &err);
	if (got <= 0)
		return 1;
	if (replay->is_waiting) {
		prepare_nothing(td, io_u);
		return 0;
	}
	io_u->ddir = io_u->acct_ddir = ddir_of(item);
	io_u->offset = io_u->verify_offset = io_u->file->file_offset + item->offset;
	io_u->buflen = io_u->xfer_buflen = item->bytes;
	engine->fua = io_u->ddir == DDIR_WRITE && (item->flags & TRACE_FUA);
	if (io_u->ddir != DDIR_WRITE || continues)
		return 0;
	if (td->o.refill_buffers)
		io_u_fill_buffer(td, io_u, td->o.min_bs[DDIR_WRITE], item->bytes);
	return 0;
}

/* Unpaced records are not asked for their due time, and leave all the same. */
static enum fio_q_status fio_vdi_replay_queue(struct thread_data *td, struct io_u *io_u)
{
	struct engine *engine = td->io_ops_data;
	struct replay_load *replay = (struct replay_load *)engine->load;
	enum fio_q_status status;

	if (is_of_fio(td))
		return core_queue(td, io_u);
	if (replay->is_waiting)
		status = core_hold(td, engine->load->ops->due_ns(engine->load));
	else
		status = core_queue(td, io_u);
	if (status == FIO_Q_BUSY && engine->load->paced)
		replay_load_held(replay);
	if (status != FIO_Q_QUEUED)
		return status;
	if (!engine->load->paced)
		replay_load_sent(engine->load);
	if (replay->flights)
		replay_dependent_left(replay, io_u);
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
