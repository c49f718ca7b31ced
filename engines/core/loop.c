/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The loop, in the order an I/O lives: queue() waits until it is due and takes it, commit() sends
 * it, getevents() waits for completions, event() hands them to fio.
 *
 * fio takes an I/O's completion time when getevents() has returned. So nobody sleeps here while a
 * completion is waiting: queue() gives the I/O back (BUSY), fio reaps and brings it again. The due
 * time belongs to the schedule and not to the I/O, so nothing is lost by that.
 */
#include "engines/core/core.h"
#include "engines/core/lateness.h"

/* Sleeping ends this long before an I/O is due; the rest is spent polling. */
#define SPIN_NS (50 * NS_PER_USEC)

/* Later wake-ups are accidents, not what to reckon with. */
#define LATEST_WAKE_NS (200 * NS_PER_USEC)

/* fio looks at the end of the run and at Ctrl-C only between calls. */
#define LONGEST_WAIT_NS (10 * NS_PER_MSEC)

/* fio starts its statistics again when ramp_time ends, by moving its epoch, and so do we. */
static void start_window(struct engine *engine)
{
	struct thread_data *td = engine->td;
	uint64_t start_ns = timespec_to_ns(&td->epoch);

	if (start_ns == engine->epoch_ns)
		return;
	engine->window_is_final = !td->o.ramp_time || engine->epoch_ns;
	engine->epoch_ns = start_ns;
	stats_start_window(engine->stats, start_ns,
			   td->o.timeout ? start_ns + td->o.timeout * NS_PER_USEC : 0);
	engine->stats->max_in_flight = engine->in_flight;
}

static inline void follow_window(struct engine *engine)
{
	if (!engine->window_is_final)
		start_window(engine);
}

_Static_assert(STATS_READ == (int)DDIR_READ && STATS_WRITE == (int)DDIR_WRITE &&
		       STATS_TRIM == (int)DDIR_TRIM,
	       "directions are numbered as fio does");

/* Syncs and verify phases are not part of the load: they are sent as they come, and not counted. */
static bool is_load(const struct thread_data *td, const struct io_u *io_u)
{
	return ddir_rw(io_u->ddir) && td->runstate != TD_VERIFYING;
}

static int wait_for_drive(struct engine *engine, uint64_t now_ns, uint64_t wait_ns)
{
	int failed = engine->drive_ops->wait(engine, wait_ns);

	engine->last_seen_ns = fio_now_ns();
	engine->stats->idle_ns += engine->last_seen_ns - now_ns;
	return failed;
}

/*
 * How long to sleep when the next I/O is due in left_ns, 0: not at all. A sleeper is woken late, by
 * what the machine takes for it (virtual ones: often more than SPIN_NS); that much earlier it must
 * ask to be woken, so as to be awake SPIN_NS before the I/O is due.
 */
static uint64_t sleep_length_ns(const struct engine *engine, uint64_t left_ns)
{
	uint64_t margin_ns = SPIN_NS + engine->wake_late_ns;

	if (left_ns <= margin_ns)
		return 0;
	return left_ns - margin_ns < LONGEST_WAIT_NS ? left_ns - margin_ns : LONGEST_WAIT_NS;
}

/* Follows late wake-ups at once and forgets them slowly: most, not half, are to be on time. */
static void learn_wake(struct engine *engine, uint64_t asked_ns, uint64_t slept_ns)
{
	uint64_t late_ns;

	if (slept_ns < asked_ns)
		return; /* a completion came first */
	late_ns = slept_ns - asked_ns;
	if (late_ns > LATEST_WAKE_NS)
		late_ns = LATEST_WAKE_NS;
	if (late_ns > engine->wake_late_ns)
		engine->wake_late_ns += (late_ns - engine->wake_late_ns) / 4;
	else
		engine->wake_late_ns -= (engine->wake_late_ns - late_ns) / 32;
}

/*
 * Waits until an I/O due at due_ns may leave. False when fio should look around first: something
 * completed, or the wait was long.
 */
static bool wait_until_due(struct engine *engine, uint64_t due_ns)
{
	uint64_t begin_ns = fio_now_ns(), now_ns = begin_ns;

	while (now_ns < due_ns) {
		uint64_t sleep_ns = sleep_length_ns(engine, due_ns - now_ns), before_ns = now_ns;

		if (engine->done_count || engine->drive_ops->ready(engine))
			break;
		if (now_ns - begin_ns > LONGEST_WAIT_NS || engine->td->terminate)
			break;
		if (sleep_ns)
			engine->drive_ops->wait(engine, sleep_ns);
		now_ns = fio_now_ns();
		if (sleep_ns)
			learn_wake(engine, sleep_ns, now_ns - before_ns);
	}
	engine->stats->idle_ns += now_ns - begin_ns;
	engine->last_seen_ns = now_ns;
	return now_ns >= due_ns;
}

static inline bool take(struct engine *engine, struct io_u *io_u, uint64_t due_ns, bool is_counted)
{
	struct io_slot *slot = &engine->slots[io_u->index];

	*slot = (struct io_slot){.due_ns = due_ns, .is_counted = is_counted};
	if (!engine->drive_ops->prepare(engine, io_u))
		return false;
	engine->prepared[engine->prepared_count++] = io_u;
	engine->in_flight++;
	if (engine->in_flight > engine->stats->max_in_flight)
		engine->stats->max_in_flight = engine->in_flight;
	return true;
}

static SLOW_PATH enum fio_q_status queue_paced(struct engine *engine, struct io_u *io_u,
					       bool counts)
{
	struct load *load = engine->load;
	uint64_t due_ns;

	if (!engine->load_runs) {
		load->ops->start(load, engine->td, fio_now_ns());
		engine->load_runs = true;
	}
	due_ns = load->ops->due_ns(load);
	if (!wait_until_due(engine, due_ns) || !take(engine, io_u, due_ns, counts)) {
		engine->expects_due = true;
		return FIO_Q_BUSY;
	}
	load->ops->sent(load);
	io_u->start_time = ns_to_timespec(due_ns);
	return FIO_Q_QUEUED;
}

enum fio_q_status core_hold(struct thread_data *td, uint64_t until_ns)
{
	struct engine *engine = td->io_ops_data;

	follow_window(engine);
	wait_until_due(engine, until_ns);
	engine->expects_due = true;
	return FIO_Q_BUSY;
}

/*
 * What is of fio leaves at once: it cannot even be given back (BUSY), for fio brings the sync of
 * end_fsync= again as if it were in flight, and fails on that.
 */
static bool is_paced(const struct engine *engine, bool counts)
{
	const struct load *load = engine->load;

	return load->paced && (counts || (load->paces_syncs && !is_of_fio(engine->td)));
}

enum fio_q_status core_queue(struct thread_data *td, struct io_u *io_u)
{
	struct engine *engine = td->io_ops_data;
	bool counts = is_load(td, io_u);

	follow_window(engine);
	engine->expects_due = false;
	if (is_paced(engine, counts))
		return queue_paced(engine, io_u, counts);
	if (td->runstate == TD_VERIFYING)
		engine->load_runs = false;
	if (!take(engine, io_u, timespec_to_ns(&io_u->start_time), counts))
		return FIO_Q_BUSY;
	return FIO_Q_QUEUED;
}

/* The moment an I/O leaves is its issue time: what fio calls slat is then its lateness. */
static void stamp_prepared(struct engine *engine)
{
	struct timespec now;
	uint64_t now_ns;
	unsigned i;

	fio_gettime(&now, NULL);
	now_ns = timespec_to_ns(&now);
	for (i = 0; i < engine->prepared_count; i++) {
		struct io_u *io_u = engine->prepared[i];

		engine->slots[io_u->index].issue_ns = now_ns;
		io_u->issue_time = now;
		io_u_queued(engine->td, io_u);
	}
	if (engine->load->paced || engine->load->ops->left)
		account_prepared(engine);
}

static SLOW_PATH int send_prepared(struct engine *engine)
{
	int failed;

	stamp_prepared(engine);
	failed = engine->drive_ops->send(engine);
	if (failed)
		return failed;
	io_u_mark_submit(engine->td, engine->prepared_count);
	engine->prepared_count = 0;
	return 0;
}

int core_commit(struct thread_data *td)
{
	struct engine *engine = td->io_ops_data;

	return engine->prepared_count ? send_prepared(engine) : 0;
}

/* The ring of completed I/Os: place is below twice its size. */
static inline unsigned place_of(const struct engine *engine, unsigned place)
{
	return place < engine->depth ? place : place - engine->depth;
}

static SLOW_PATH void complete_after_window(struct engine_stats *stats)
{
	if (!stats->completed_after++)
		stats_note_window_end(stats);
}

void engine_complete(struct engine *engine, struct io_u *io_u, uint64_t now_ns)
{
	struct engine_stats *stats = engine->stats;
	struct io_slot *slot = &engine->slots[io_u->index];

	engine->done[place_of(engine, engine->done_first + engine->done_count++)] = io_u;
	engine->last_seen_ns = now_ns;
	if (engine->is_watched)
		engine->load->ops->completed(engine->load, io_u, slot, now_ns);
	if (!slot->is_counted)
		return;
	if (stats_interval_ended(stats, now_ns))
		stats_close_intervals(stats, now_ns);
	stats_add(stats, io_u->ddir, io_u->xfer_buflen, now_ns - slot->due_ns);
	histogram_add(&stats->drive_latency, now_ns - slot->issue_ns);
	if (stats->window_limit_ns && now_ns > stats->window_limit_ns)
		complete_after_window(stats);
	if (!slot->drive_ns)
		return;
	histogram_add(&stats->true_latency, slot->drive_ns);
	histogram_add(&stats->true_response, slot->issue_ns - slot->due_ns + slot->drive_ns);
}

/* How long getevents() may wait: for as long as it takes, unless an I/O will fall due. */
static uint64_t longest_wait_ns(struct engine *engine, uint64_t now_ns, bool may_return_early)
{
	uint64_t due_ns;

	if (!may_return_early)
		return LONGEST_WAIT_NS;
	due_ns = engine->load->ops->due_ns(engine->load);
	return due_ns > now_ns ? sleep_length_ns(engine, due_ns - now_ns) : 0;
}

/*
 * Reaps until at least min are done. When an I/O is being held back, fewer will do: fio must come
 * back in time for it. When nothing more will be sent, min is honoured, else the last completions
 * of a run would not be counted.
 */
static SLOW_PATH int reap_at_least(struct engine *engine, unsigned min, bool may_return_early)
{
	int failed = engine->drive_ops->reap(engine);

	while (!failed && engine->done_count < min) {
		uint64_t now_ns = fio_now_ns();
		uint64_t wait_ns = longest_wait_ns(engine, now_ns, may_return_early);

		if (!wait_ns)
			break;
		failed = wait_for_drive(engine, now_ns, wait_ns);
		if (!failed)
			failed = engine->drive_ops->reap(engine);
		if (may_return_early)
			break;
	}
	return failed;
}

/* Slots that were all taken come free: what is due from now on is not late by the limit. */
static inline void release(struct engine *engine, unsigned freed)
{
	if (engine->in_flight == engine->depth && engine->load->paced && freed)
		engine->released_ns = fio_now_ns();
	engine->in_flight -= freed;
}

int core_getevents(struct thread_data *td, unsigned min, unsigned max,
		   const struct timespec *t fio_unused)
{
	struct engine *engine = td->io_ops_data;
	bool may_return_early = engine->expects_due;
	unsigned count;
	int failed = 0;

	follow_window(engine);
	engine->expects_due = false;
	if (!engine->done_count || engine->done_count < min)
		failed = reap_at_least(engine, min, may_return_early);
	if (failed)
		return failed;
	count = engine->done_count < max ? engine->done_count : max;
	engine->event_first = engine->done_first;
	engine->done_first = place_of(engine, engine->done_first + count);
	engine->done_count -= count;
	release(engine, count);
	return (int)count;
}

struct io_u *core_event(struct thread_data *td, int event)
{
	struct engine *engine = td->io_ops_data;

	return engine->done[place_of(engine, engine->event_first + (unsigned)event)];
}
