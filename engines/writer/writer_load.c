/* SPDX-License-Identifier: GPL-2.0-only */
/* A plan of engines/qlc as the load of a job: it is never paced, and told of every completion. */
#include <stdlib.h>

#include "base/cpu_limit.h"
#include "engines/writer/writer_caveat.h"
#include "engines/writer/writer_load.h"
#include "engines/writer/writer_options.h"

static void writer_load_start(struct load *load fio_unused, struct thread_data *td fio_unused,
			      uint64_t now_ns fio_unused)
{
}

static uint64_t writer_load_due_ns(const struct load *load)
{
	return ((const struct writer_load *)load)->hold_until_ns;
}

static void writer_load_sent(struct load *load fio_unused)
{
}

/* Nothing falls due: I/Os leave when the one before has. */
static uint64_t writer_load_count_unsent(struct load *load fio_unused, uint64_t from_ns fio_unused,
					 uint64_t end_ns fio_unused,
					 uint64_t *oldest_due_ns fio_unused)
{
	return 0;
}

/* What is to be known of what was found: what stood before the drive, and whether the CPU did. */
static json_t *caveats(const struct writer_load *writer, const struct run_end *end)
{
	double busy_share, wait_share;
	char limit[CPU_LIMIT_ROOM];

	stats_cpu_shares(end->engine->stats, end->window_end_ns, &busy_share, &wait_share);
	if (cpu_was_limit(busy_share, wait_share))
		return json_sprintf("%s%sINVALID: %s.", writer->caveat ? writer->caveat : "",
				    writer->caveat ? " " : "",
				    cpu_limit_text(busy_share, wait_share, limit));
	return writer->caveat ? json_string(writer->caveat) : json_null();
}

static void writer_load_conclude(struct load *load, const struct run_end *end,
				 struct stats_description *description)
{
	const struct writer_load *writer = (const struct writer_load *)load;
	json_t *caveat = caveats(writer, end);
	const char *verdict, *text = json_string_value(caveat);

	description->qlc = qlc_plan_report(writer->plan, fio_now_ns());
	verdict = json_string_value(json_object_get(description->qlc, "verdict"));
	core_say(end->engine->td, "%s%s%s", verdict ? verdict : "no memory for what was found",
		 text ? " " : "", text ? text : "");
	json_object_set_new(description->qlc, "caveat", caveat);
}

static void writer_load_completed(struct load *load, const struct io_u *io_u,
				  const struct io_slot *slot, uint64_t now_ns)
{
	static const enum qlc_op ops[] = {
		[DDIR_WRITE] = QLC_WRITE, [DDIR_READ] = QLC_READ, [DDIR_TRIM] = QLC_TRIM};
	struct writer_load *writer = (struct writer_load *)load;

	if (!ddir_rw(io_u->ddir))
		return;
	writer->in_flight--;
	writer->seen_ns = now_ns;
	if (io_u->error)
		qlc_plan_failed(writer->plan);
	else
		qlc_plan_completed(writer->plan, ops[io_u->ddir], io_u->xfer_buflen - io_u->resid,
				   now_ns - slot->issue_ns, now_ns);
}

static void writer_load_free(struct load *load)
{
	struct writer_load *writer = (struct writer_load *)load;

	qlc_plan_close(writer->plan);
	free(writer);
}

static const struct load_ops writer_ops = {
	.start = writer_load_start,
	.due_ns = writer_load_due_ns,
	.sent = writer_load_sent,
	.count_unsent = writer_load_count_unsent,
	.conclude = writer_load_conclude,
	.completed = writer_load_completed,
	.free = writer_load_free,
};

/* The drive is open when the first window ends. */
static void read_heat(void *context, struct qlc_heat *heat)
{
	struct thread_data *td = context;
	struct engine *engine = td->io_ops_data;

	engine->drive_ops->read_heat(engine, &heat->temperature_c, &heat->is_hot);
}

struct writer_load *writer_load_open(struct thread_data *td, uint64_t seed, struct error *err)
{
	struct writer_load *writer = calloc(1, sizeof(*writer));
	struct qlc_options options;

	if (!writer) {
		error_set(err, "no memory for a plan");
		return NULL;
	}
	writer->load = (struct load){.ops = &writer_ops};
	writer->caveat = writer_caveat(td);
	if (!writer_make_options(td, seed, &options, err))
		writer->plan = qlc_plan_open(&options, read_heat, td, err);
	if (writer->plan)
		return writer;
	writer_load_free(&writer->load);
	return NULL;
}

/* While I/Os are in flight, the last completion tells the time well enough. */
static uint64_t now_ns(const struct writer_load *writer)
{
	return writer->in_flight ? writer->seen_ns : fio_now_ns();
}

bool writer_load_take(struct writer_load *writer)
{
	uint64_t idle_until_ns = UINT64_MAX;
	enum qlc_turn turn;

	if (writer->has_io)
		return true;
	turn = qlc_plan_next(writer->plan, now_ns(writer), &writer->io, &idle_until_ns);
	writer->has_io = turn == QLC_SEND;
	writer->hold_until_ns = turn == QLC_IDLE ? idle_until_ns : UINT64_MAX;
	return turn != QLC_END;
}

void writer_load_queued(struct writer_load *writer)
{
	if (!writer->in_flight++)
		writer->seen_ns = fio_now_ns();
	writer->has_io = false;
}
