/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * qlc_writer: writes that find the SLC cache of a drive, measure it, and stay inside it.
 *
 * What is written, and when, is a plan (engines/qlc). rw= says whether in order (write), in none
 * (randwrite), and with reads of what was written in between (rw, randrw, rwmixread=); fio's own
 * offsets only hand out buffers: prep() writes the next I/O of the plan over them. The job ends
 * when the plan does; while it waits, fio gets every I/O back at once, so that Ctrl-C and runtime=
 * work at any time.
 */
#include <string.h>

#include "engines/writer/writer_load.h"

#define DEFAULT_REPEATS 3
#define DEFAULT_REST_US 60000000
#define DEFAULT_BURST	"10%"
#define DEFAULT_BURSTS	10

/* A macro's value as a text. */
#define TEXT_OF(value) #value
#define TEXT(macro)    TEXT_OF(macro)

/* clang-format off */
#define OPTION(word, long_name, kind, member, what)                            \
	ENGINE_OPTION(word, long_name, kind, struct writer_options, member, what)

static struct fio_option option_table[] = {
	{
		OPTION("mode", "Mode", FIO_OPT_STR, mode, "What to find out"),
		.def = "probe",
		.posval = {
			{.ival = "probe", .oval = QLC_PROBE,
			 .help = "Write until the cliff is found, and on for settle="},
			{.ival = "recover", .oval = QLC_RECOVER,
			 .help = "How much of the cache comes back in each idle="},
			{.ival = "burst", .oval = QLC_BURST,
			 .help = "Bursts of burst= with just enough idle time to stay inside"},
			{.ival = "sustain", .oval = QLC_SUSTAIN,
			 .help = "The speed past the cliff"},
			{.ival = "fill-levels", .oval = QLC_FILL_LEVELS,
			 .help = "The cache at each of levels= of live data"},
		},
	},
	{
		OPTION("settle", "Settle", FIO_OPT_STR_VAL, settle_bytes,
		       "Bytes to write past the cliff (0: a tenth of the cache)"),
		.def = "0",
	},
	{
		OPTION("window_size", "Window size", FIO_OPT_STR_VAL, window_bytes,
		       "A window of the measurement ends after so many bytes (0: chosen)"),
		.def = "0",
	},
	{
		OPTION("window_time", "Window time", FIO_OPT_STR_VAL_TIME, window_us,
		       "... or after this time, whichever is first (0: 100 ms)"),
		.def = "0",
	},
	{
		OPTION("idle", "Idle times", FIO_OPT_STR_STORE, idle,
		       "Times to wait, as 500ms:1s:30s:10m (burst: the first one to try)"),
	},
	{
		OPTION("repeats", "Repeats", FIO_OPT_INT, repeats,
		       "How often every idle time is met"),
		.def = TEXT(DEFAULT_REPEATS),
		.minval = 3,
		.maxval = 64,
	},
	{
		OPTION("levels", "Levels", FIO_OPT_STR_STORE, levels,
		       "Percent of the region that live data fills, rising, as 0:25:50"),
	},
	{
		OPTION("rest", "Rest", FIO_OPT_STR_VAL_TIME, rest_us,
		       "Idle time before each of the levels is probed"),
		.def = TEXT(DEFAULT_REST_US) "us",
		.is_seconds = 1,
	},
	{
		OPTION("burst", "Burst", FIO_OPT_STR_STORE, burst,
		       "Bytes of one burst, or a share of the cache, as 20%"),
		.def = DEFAULT_BURST,
	},
	{
		OPTION("bursts", "Bursts", FIO_OPT_INT, bursts,
		       "So many bursts in a row must stay inside the cache"),
		.def = TEXT(DEFAULT_BURSTS),
		.minval = 1,
		.maxval = 100000,
	},
	{
		OPTION("sustain", "Sustain", FIO_OPT_STR_VAL, sustain_bytes,
		       "Bytes to write past the cliff (0: four times the cache)"),
		.def = "0",
	},
	{
		OPTION("sustain_time", "Sustain time", FIO_OPT_STR_VAL_TIME, sustain_us,
		       "... or for so long"),
		.def = "0",
		.is_seconds = 1,
	},
	{
		OPTION("cache_from", "Cache from", FIO_OPT_STR_STORE, cache_from,
		       "Statistics file of a probe of this drive: it is not probed again"),
	},
	DRIVE_OPTION(struct writer_options, core),
	CORE_OPTIONS(struct writer_options, core),
	{
		.name = NULL,
	},
};
/* clang-format on */

/* A mode goes by its own options alone. */
static int check_modes(const struct writer_options *o, struct error *err)
{
	bool idles = o->mode == QLC_RECOVER || o->mode == QLC_BURST;
	bool bursts = o->mode == QLC_BURST, sustains = o->mode == QLC_SUSTAIN;
	bool fills = o->mode == QLC_FILL_LEVELS;
	const struct core_forbidden options[] = {
		{o->idle && !idles, "idle", "is for mode=recover and mode=burst"},
		{o->repeats != DEFAULT_REPEATS && o->mode != QLC_RECOVER, "repeats",
		 "is for mode=recover"},
		{o->levels && !fills, "levels", "is for mode=fill-levels"},
		{o->rest_us != DEFAULT_REST_US && !fills, "rest", "is for mode=fill-levels"},
		{strcmp(o->burst, DEFAULT_BURST) && !bursts, "burst", "is for mode=burst"},
		{o->bursts != DEFAULT_BURSTS && !bursts, "bursts", "is for mode=burst"},
		{o->sustain_bytes && !sustains, "sustain", "is for mode=sustain"},
		{o->sustain_us && !sustains, "sustain_time", "is for mode=sustain"},
		{o->sustain_bytes && o->sustain_us, "sustain",
		 "has no effect beside sustain_time="},
		{o->settle_bytes && o->cache_from, "settle",
		 "has no effect with cache_from=, which ends no probe"},
	};

	return core_refuse_first(options, COUNT(options), err);
}

/* The plan alone says what is written, and how much. */
static int check_limits(const struct thread_options *o, struct error *err)
{
	const struct core_forbidden options[] = {
		{o->io_size && o->io_size != o->size, "io_size",
		 "does not limit what a plan writes, but size= and runtime= do"},
		{o->zone_mode != ZONE_MODE_NONE || o->zone_size > 0, "zonemode",
		 "chooses places beside the plan"},
		{o->loops > 1, "loops", "cannot repeat a plan"},
		{o->thinktime > 0, "thinktime", "idles beside the plan"},
		{o->random_distribution != FIO_RAND_DIST_RANDOM, "random_distribution",
		 "chooses places beside the plan"},
	};

	return core_refuse_first(options, COUNT(options), err);
}

static int check_job(struct thread_data *td, const struct stats_run *run, struct error *err)
{
	const struct thread_options *o = &td->o;

	if (run->clones > 1)
		return error_set(err,
				 "numjobs=%u: one job writes to a drive at a time, else the "
				 "cache of each cannot be told; raise iodepth= instead",
				 run->clones);
	if (o->nr_files != 1)
		return error_set(err, "qlc_writer has one target, not %u", o->nr_files);
	if (!td_write(td))
		return error_set(err, "rw= must write: write, randwrite, rw or randrw");
	if (o->min_bs[DDIR_WRITE] != o->max_bs[DDIR_WRITE])
		return error_set(err, "bs= must be one size");
	if (o->verify)
		return error_set(err, "verify= cannot follow what the plan writes; remove it");
	if (read_only)
		return error_set(err, "qlc_writer writes, and fio runs with --readonly");
	if (check_limits(o, err) || check_modes(td->eo, err))
		return -1;
	return core_check_options(td, false, err);
}

/* What fio checks before and counts while it runs must allow for what the plan does. */
static void make_room(struct thread_data *td)
{
	td->o.norandommap = 1;
	td->o.size = td->o.io_size = 1ULL << 60;
	td->total_io_size = td->files[0]->io_size; /* at most, for a probe: fio's status */
	td->o.td_ddir |= TD_DDIR_READ | TD_DDIR_WRITE | TD_DDIR_TRIM;
	td->o.max_bs[DDIR_READ] = td->o.max_bs[DDIR_TRIM] = td->o.max_bs[DDIR_WRITE];
}

static int fio_qlc_writer_init(struct thread_data *td)
{
	struct writer_load *writer;
	struct stats_run run;
	struct error err;

	if (core_run(td, &run, &err) || check_job(td, &run, &err))
		return core_report(td, &err);
	writer = writer_load_open(td, run.seed, &err);
	if (!writer)
		return core_report(td, &err);
	make_room(td);
	return core_init(td, &writer->load, &run);
}

/* fio drew an I/O of its own pattern: that of the plan takes its place. Non-zero ends the job. */
static int fio_qlc_writer_prep(struct thread_data *td, struct io_u *io_u)
{
	static const enum fio_ddir ddirs[] = {
		[QLC_WRITE] = DDIR_WRITE, [QLC_READ] = DDIR_READ, [QLC_TRIM] = DDIR_TRIM};
	struct engine *engine = td->io_ops_data;
	struct writer_load *writer = (struct writer_load *)engine->load;

	if (is_of_fio(td))
		return 0;
	if (!writer_load_take(writer))
		return 1;
	if (!writer->has_io)
		return 0;
	io_u->ddir = io_u->acct_ddir = ddirs[writer->io.op];
	io_u->offset = io_u->file->file_offset + writer->io.offset;
	io_u->xfer_buflen = writer->io.bytes;
	/* A trim is longer than the buffer, which fio scrambles as if it were to be written. */
	io_u->buflen = writer->io.op == QLC_TRIM ? td->o.min_bs[DDIR_WRITE] : writer->io.bytes;
	return 0;
}

static enum fio_q_status fio_qlc_writer_queue(struct thread_data *td, struct io_u *io_u)
{
	struct engine *engine = td->io_ops_data;
	struct writer_load *writer = (struct writer_load *)engine->load;
	enum fio_q_status status;

	if (is_of_fio(td))
		return core_queue(td, io_u);
	if (!writer->has_io)
		return core_hold(td, writer->hold_until_ns);
	status = core_queue(td, io_u);
	if (status == FIO_Q_QUEUED)
		writer_load_queued(writer);
	return status;
}

static struct ioengine_ops ops = {
	.name = "qlc_writer",
	CORE_HOOKS,
	.flags = FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_NO_OFFLOAD,
	.init = fio_qlc_writer_init,
	.prep = fio_qlc_writer_prep,
	.queue = fio_qlc_writer_queue,
	.get_file_size = core_get_file_size,
	.options = option_table,
	.option_struct_size = sizeof(struct writer_options),
};

SSDREVIEW_ENGINE(&ops)
