/* SPDX-License-Identifier: GPL-2.0-only */
/* A plan carried out on a simulated drive in virtual time: no fio, and nobody waits. */
#ifndef SSDREVIEW_VIRTUAL_QLC_H
#define SSDREVIEW_VIRTUAL_QLC_H

#include <stdlib.h>

#include "engines/qlc/qlc.h"
#include "engines/sim/sim.h"

#define VIRTUAL_DEPTH 64

struct virtual_io {
	struct qlc_io io;
	uint64_t sent_ns, done_ns;
};

struct virtual_drive {
	struct sim_model *model;
	struct sim_state *state;
	struct virtual_io flying[VIRTUAL_DEPTH];
	unsigned depth, in_flight;
	uint64_t now_ns, random;
};

static inline int virtual_open(struct virtual_drive *drive, const char *model, unsigned scale,
			       unsigned depth, struct error *err)
{
	*drive = (struct virtual_drive){.depth = depth, .now_ns = 1, .random = 7};
	if (sim_model_load(model, &drive->model, err))
		return -1;
	drive->state = calloc(1, sim_state_bytes(drive->model, scale));
	return drive->state ? sim_state_init(drive->state, drive->model, scale, 1, err) : -1;
}

static inline void virtual_close(struct virtual_drive *drive)
{
	free(drive->state);
	sim_model_free(drive->model);
}

static inline void virtual_send(struct virtual_drive *drive, const struct qlc_io *io)
{
	static const enum sim_op ops[] = {
		[QLC_WRITE] = SIM_WRITE, [QLC_READ] = SIM_READ, [QLC_TRIM] = SIM_TRIM};

	drive->flying[drive->in_flight++] = (struct virtual_io){
		*io, drive->now_ns,
		sim_state_submit(drive->state, drive->model, ops[io->op], io->offset, io->bytes,
				 drive->now_ns, &drive->random)};
}

/* The earliest completion becomes now. */
static inline void virtual_reap(struct virtual_drive *drive, struct qlc_plan *plan)
{
	unsigned first = 0, i;
	struct virtual_io done;

	for (i = 1; i < drive->in_flight; i++)
		if (drive->flying[i].done_ns < drive->flying[first].done_ns)
			first = i;
	done = drive->flying[first];
	drive->flying[first] = drive->flying[--drive->in_flight];
	if (done.done_ns > drive->now_ns)
		drive->now_ns = done.done_ns;
	qlc_plan_completed(plan, done.io.op, done.io.bytes, done.done_ns - done.sent_ns,
			   drive->now_ns);
}

/* Carries the whole plan out. */
static inline void virtual_run(struct virtual_drive *drive, struct qlc_plan *plan)
{
	uint64_t idle_until_ns;
	enum qlc_turn turn;
	struct qlc_io io;

	for (;;) {
		if (drive->in_flight == drive->depth) {
			virtual_reap(drive, plan);
			continue;
		}
		turn = qlc_plan_next(plan, drive->now_ns, &io, &idle_until_ns);
		if (turn == QLC_END)
			return;
		if (turn == QLC_SEND)
			virtual_send(drive, &io);
		else if (drive->in_flight)
			virtual_reap(drive, plan);
		else if (turn == QLC_IDLE)
			drive->now_ns = idle_until_ns;
	}
}

#endif
