/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nvme_passthru: fio's own pattern as NVMe commands, past the block layer. Closed loop: as many in
 * flight as iodepth= says.
 *
 * In its plain use (one command an I/O, interrupts, no statistics file) it does not take the loop
 * of the core but the few lines below, which spend nothing on due times and statistics, and one
 * system call where two would do: what is sent when all places are taken leaves with the wait that
 * fio must ask for next.
 */
#include "engines/core/core.h"
#include "engines/core/nvme.h"
#include "engines/core/nvme_words.h"

struct passthru_options {
	struct core_options core;
	struct nvme_options nvme;
};

static struct fio_option options[] = {
	NVME_RING_OPTIONS(struct passthru_options, nvme),
	NVME_COMMAND_OPTIONS(struct passthru_options, nvme),
	NVME_METADATA_OPTIONS(struct passthru_options, nvme),
	NVME_RANGE_OPTION(struct passthru_options, nvme)
		NVME_PLACEMENT_OPTIONS(struct passthru_options, nvme)
			CORE_OPTIONS(struct passthru_options, core),
	{
		.name = NULL,
	},
};

/* What is set and changes no command. */
static int check_options(const struct thread_data *td, const struct nvme_options *o,
			 struct error *err)
{
	uint32_t checks;
	const struct core_forbidden idle[] = {
		{o->deac && o->write_mode != WRITE_ZEROES, "deac",
		 "has no effect without write_mode=zeroes"},
		{o->write_mode != WRITE_DATA && !td_write(td), "write_mode",
		 "has no effect in a job that does not write"},
		{o->verify_mode != VERIFY_READ && !td_read(td) && !td->o.verify, "verify_mode",
		 "has no effect in a job that does not read"},
		{o->sqthread_poll_cpu >= 0 && !o->sqthread_poll, "sqthread_poll_cpu",
		 "has no effect without sqthread_poll"},
		{o->num_range > 1 && !td_trim(td), "num_range",
		 "has no effect in a job that does not trim"},
		{o->plids && o->dataplacement == PLACE_NONE, "plids",
		 "has no effect without dataplacement="},
		{o->plid_select == PLACE_RANDOM && o->dataplacement == PLACE_NONE, "plid_select",
		 "has no effect without dataplacement="},
	};

	if (nvme_parse_checks(o->pi_chk, &checks, err))
		return -1;
	if (o->apptag_mask != nvme_options_default.apptag_mask &&
	    !(checks & NVME_CONTROL_CHECK_APP))
		return error_set(err, "apptag_mask= has no effect without pi_chk=APPTAG; remove "
				      "it");
	return core_refuse_first(idle, COUNT(idle), err);
}

static int fio_nvme_passthru_get_file_size(struct thread_data *td, struct fio_file *f)
{
	struct passthru_options *o = td->eo;
	struct error err;

	if (check_options(td, &o->nvme, &err))
		return core_report(td, &err);
	o->core.drive = DRIVE_NVME;
	return core_get_file_size(td, f);
}

static int fio_nvme_passthru_init(struct thread_data *td)
{
	const struct passthru_options *o = td->eo;
	struct engine *engine;
	struct stats_run run;
	struct load *load;
	struct error err;

	if (core_run(td, &run, &err) || core_check_options(td, false, &err))
		return core_report(td, &err);
	load = load_schedule(ARRIVAL_POISSON, 0, run.seed, td->subjob_number, run.clones, &err);
	if (!load)
		return core_report(td, &err);
	if (core_init(td, load, &run))
		return 1;
	engine = td->io_ops_data;
	engine->nvme_options = &o->nvme;
	return 0;
}

/* Can one completion be told from one I/O, without a look at anything else? */
static bool is_plain(const struct engine *engine)
{
	const struct nvme *nvme = engine->drive;
	const struct nvme_options *o = nvme->options;
	unsigned i;

	if (engine->stats_path || nvme->is_polled || nvme->has_sq_thread || nvme->has_pieces ||
	    o->num_range > 1 || o->verify_mode != VERIFY_READ)
		return false;
	for (i = 0; i < nvme->file_count; i++) {
		if (nvme->files[i].moves_metadata || nvme->files[i].id_count)
			return false;
	}
	return true;
}

static int fio_nvme_passthru_post_init(struct thread_data *td)
{
	struct engine *engine = td->io_ops_data;
	int failed = core_post_init(td);

	if (!failed)
		engine->is_plain = is_plain(engine);
	return failed;
}

static enum fio_q_status queue_plain(struct engine *engine, struct io_u *io_u)
{
	struct nvme *nvme = engine->drive;

	if (nvme_io_is_simple(nvme, io_u))
		nvme_io_prepare_simple(nvme, io_u);
	else if (!nvme_io_prepare(nvme, io_u, false))
		return FIO_Q_BUSY;
	if (nvme->refused_count) {
		io_u->error = (unsigned)-nvme->refused[--nvme->refused_count]->result;
		return FIO_Q_COMPLETED;
	}
	engine->prepared[engine->prepared_count++] = io_u;
	engine->in_flight++;
	return FIO_Q_QUEUED;
}

static enum fio_q_status fio_nvme_passthru_queue(struct thread_data *td, struct io_u *io_u)
{
	struct engine *engine = td->io_ops_data;

	return engine->is_plain ? queue_plain(engine, io_u) : core_queue(td, io_u);
}

/* The moment they leave. */
static void stamp_plain(struct engine *engine)
{
	struct thread_data *td = engine->td;
	unsigned count = engine->prepared_count, i;
	struct timespec now;

	engine->prepared_count = 0;
	if (fio_fill_issue_time(td)) {
		fio_gettime(&now, NULL);
		for (i = 0; i < count; i++) {
			engine->prepared[i]->issue_time = now;
			io_u_queued(td, engine->prepared[i]);
		}
	}
	io_u_mark_submit(td, count);
}

/* Sends what is prepared and waits for so many completions, 0: none. 0 or -errno. */
static int send_plain(struct engine *engine, unsigned wait_for)
{
	struct nvme *nvme = engine->drive;
	struct io_uring *ring = &nvme->data;
	int sent;

	if (engine->prepared_count)
		stamp_plain(engine);
	do {
		sent = wait_for ? io_uring_submit_and_wait(ring, wait_for)
				: io_uring_submit_and_get_events(ring);
		nvme->count->enters++;
		if (sent < 0 && sent != -EINTR && sent != -EAGAIN && sent != -EBUSY)
			return sent;
	} while (io_uring_sq_ready(ring));
	return 0;
}

static int fio_nvme_passthru_commit(struct thread_data *td)
{
	struct engine *engine = td->io_ops_data;

	if (!engine->is_plain)
		return core_commit(td);
	if (!engine->prepared_count || engine->in_flight == engine->depth)
		return 0;
	return send_plain(engine, 0);
}

static int getevents_plain(struct engine *engine, unsigned min, unsigned max)
{
	struct io_uring *ring = &((struct nvme *)engine->drive)->data;
	unsigned ready;
	int failed = 0;

	io_uring_cq_advance(ring, engine->done_count); /* fio has seen those of the last time */
	engine->done_count = 0;
	while ((ready = io_uring_cq_ready(ring)) < min || engine->prepared_count) {
		failed = send_plain(engine, ready < min ? min : 0);
		if (failed || engine->td->terminate)
			break;
	}
	if (!ready && !min && nvme_has_pending_tasks(ring))
		failed = send_plain(engine, 0);
	if (failed)
		return failed;
	ready = io_uring_cq_ready(ring);
	engine->done_count = ready < max ? ready : max;
	engine->in_flight -= engine->done_count;
	return (int)engine->done_count;
}

static int fio_nvme_passthru_getevents(struct thread_data *td, unsigned min, unsigned max,
				       const struct timespec *t)
{
	struct engine *engine = td->io_ops_data;

	return engine->is_plain ? getevents_plain(engine, min, max)
				: core_getevents(td, min, max, t);
}

static struct io_u *event_plain(struct engine *engine, unsigned event)
{
	struct io_uring_cq *cq = &((struct nvme *)engine->drive)->data.cq;
	const struct io_uring_cqe *cqe = &cq->cqes[((*cq->khead + event) & cq->ring_mask) << 1];
	struct nvme_place *place = (struct nvme_place *)(uintptr_t)cqe->user_data;
	struct io_u *io_u = place->io_u;

	place->result = cqe->res;
	io_u->error = nvme_error_of(cqe->res);
	io_u->resid = 0;
	return io_u;
}

static struct io_u *fio_nvme_passthru_event(struct thread_data *td, int event)
{
	struct engine *engine = td->io_ops_data;

	return engine->is_plain ? event_plain(engine, (unsigned)event) : core_event(td, event);
}

static struct ioengine_ops ops = {
	.name = "nvme_passthru",
	.version = FIO_IOOPS_VERSION,
	.flags = FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_NO_OFFLOAD | FIO_MEMALIGN | FIO_RAWIO |
		 FIO_TRIM_RANGES_FLAG,
#ifdef FIO_HAS_PLACEMENT
	.fdp_fetch_ruhs = nvme_fetch_handles,
#endif
	.init = fio_nvme_passthru_init,
	.post_init = fio_nvme_passthru_post_init,
	.queue = fio_nvme_passthru_queue,
	.commit = fio_nvme_passthru_commit,
	.getevents = fio_nvme_passthru_getevents,
	.event = fio_nvme_passthru_event,
	.errdetails = core_errdetails,
	.cleanup = core_cleanup,
	.open_file = core_open_file,
	.close_file = core_close_file,
	.get_file_size = fio_nvme_passthru_get_file_size,
	.options = options,
	.option_struct_size = sizeof(struct passthru_options),
};

SSDREVIEW_ENGINE(&ops)
