/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way to a simulated drive. The model says at submission when an I/O will complete; until then
 * it waits in a heap ordered by that time. Model times are CLOCK_MONOTONIC and never compared with
 * fio's clock.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "engines/core/core.h"
#include "engines/sim/sim.h"

/* A sleep costs about this much more than it was asked for; shorter waits yield the CPU instead. */
#define SHORTEST_SLEEP_NS (200 * NS_PER_USEC)
#define SLEEP_MARGIN_NS	  (100 * NS_PER_USEC)

struct pending {
	uint64_t done_ns;
	struct io_u *io_u;
};

/* One file of the job. */
struct sim_file {
	struct sim_drive *drive;
	int data_fd; /* store_data=1, else -1 */
};

struct sim {
	struct sim_file *files; /* by fileno */
	unsigned file_count;
	struct pending *heap; /* the earliest first */
	unsigned heap_count;
	uint64_t random;
};

static void heap_push(struct sim *sim, struct pending added)
{
	unsigned place = sim->heap_count++;

	while (place > 0 && sim->heap[(place - 1) / 2].done_ns > added.done_ns) {
		sim->heap[place] = sim->heap[(place - 1) / 2];
		place = (place - 1) / 2;
	}
	sim->heap[place] = added;
}

static struct io_u *heap_pop(struct sim *sim)
{
	struct io_u *first = sim->heap[0].io_u;
	struct pending last = sim->heap[--sim->heap_count];
	unsigned place = 0, child;

	while ((child = 2 * place + 1) < sim->heap_count) {
		if (child + 1 < sim->heap_count &&
		    sim->heap[child + 1].done_ns < sim->heap[child].done_ns)
			child++;
		if (last.done_ns <= sim->heap[child].done_ns)
			break;
		sim->heap[place] = sim->heap[child];
		place = child;
	}
	sim->heap[place] = last;
	return first;
}

static int open_data(const char *state_path, struct error *err)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s.data", state_path) < 0)
		return error_set(err, "no memory");
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		error_set(err, "%s cannot be opened: %s", path, strerror(errno));
	free(path);
	return fd;
}

static int open_sim_file(struct engine *engine, struct sim_file *file, const struct fio_file *f,
			 struct error *err)
{
	const struct core_options *options = engine->td->eo;

	file->data_fd = -1;
	if (sim_drive_open(f->file_name, &file->drive, err))
		return -1;
	if (!options->store_data)
		return 0;
	file->data_fd = open_data(f->file_name, err);
	return file->data_fd < 0 ? -1 : 0;
}

static void sim_close(struct engine *engine)
{
	struct sim *sim = engine->drive;
	unsigned i;

	for (i = 0; i < sim->file_count; i++) {
		if (sim->files[i].drive)
			sim_drive_close(sim->files[i].drive);
		if (sim->files[i].data_fd >= 0)
			close(sim->files[i].data_fd);
	}
	free(sim->files);
	free(sim->heap);
	free(sim);
	engine->drive = NULL;
}

static int sim_open(struct engine *engine, struct error *err)
{
	struct thread_data *td = engine->td;
	struct sim *sim = calloc(1, sizeof(*sim));
	unsigned i;

	if (!sim)
		return error_set(err, "no memory");
	engine->drive = sim;
	sim->random = engine->stats->run.seed + engine->stats->run.clone;
	sim->files = calloc(td->o.nr_files, sizeof(*sim->files));
	sim->heap = calloc(engine->depth + 1, sizeof(*sim->heap));
	if (!sim->files || !sim->heap)
		error_set(err, "no memory for %u I/Os in flight; lower iodepth=", engine->depth);
	for (i = 0; sim->files && sim->heap && i < td->o.nr_files; i++) {
		sim->file_count++;
		if (open_sim_file(engine, &sim->files[i], td->files[i], err))
			break;
	}
	if (sim->files && sim->heap && i == td->o.nr_files)
		return 0;
	sim_close(engine);
	return -1;
}

static bool sim_prepare(struct engine *engine, struct io_u *io_u)
{
	engine->slots[io_u->index].is_fua = engine->fua;
	return true;
}

static enum sim_op sim_op_of(const struct io_u *io_u, const struct io_slot *slot)
{
	switch (io_u->ddir) {
	case DDIR_READ:
		return SIM_READ;
	case DDIR_WRITE:
		return slot->is_fua ? SIM_WRITE_FUA : SIM_WRITE;
	case DDIR_TRIM:
		return SIM_TRIM;
	default:
		return SIM_FLUSH;
	}
}

/* Short transfers cannot happen on a sparse file that is as large as the drive. */
static void move_data(const struct sim_file *file, struct io_u *io_u)
{
	ssize_t moved = (ssize_t)io_u->xfer_buflen;

	if (io_u->ddir == DDIR_WRITE)
		moved = pwrite(file->data_fd, io_u->xfer_buf, io_u->xfer_buflen,
			       (off_t)io_u->offset);
	else if (io_u->ddir == DDIR_READ)
		moved = pread(file->data_fd, io_u->xfer_buf, io_u->xfer_buflen,
			      (off_t)io_u->offset);
	else if (io_u->ddir == DDIR_TRIM)
		moved = 0;
	if (moved < 0)
		io_u->error = (unsigned)errno;
	else if (io_u->ddir == DDIR_READ && (size_t)moved < io_u->xfer_buflen)
		memset((char *)io_u->xfer_buf + moved, 0, io_u->xfer_buflen - (size_t)moved);
}

/* A drive knows whole blocks within its capacity only. */
static bool is_possible(const struct sim_file *file, const struct io_u *io_u)
{
	const struct sim_info *info = sim_drive_get_info(file->drive);

	return io_u->xfer_buflen > 0 &&
	       (io_u->offset | io_u->xfer_buflen) % info->block_bytes == 0 &&
	       io_u->offset <= info->capacity_bytes &&
	       io_u->xfer_buflen <= info->capacity_bytes - io_u->offset;
}

static void submit(struct engine *engine, struct sim *sim, struct io_u *io_u)
{
	const struct sim_file *file = &sim->files[io_u->file->fileno];
	struct io_slot *slot = &engine->slots[io_u->index];
	bool has_range = ddir_rw(io_u->ddir);
	uint64_t issued_ns, done_ns;

	if (has_range && !is_possible(file, io_u)) {
		io_u->error = EINVAL;
		heap_push(sim, (struct pending){.done_ns = monotonic_ns(), .io_u = io_u});
		return;
	}
	io_u->error = 0;
	if (file->data_fd >= 0)
		move_data(file, io_u);
	done_ns = sim_drive_submit(file->drive, sim_op_of(io_u, slot), has_range ? io_u->offset : 0,
				   has_range ? io_u->xfer_buflen : 0, &sim->random, &issued_ns);
	slot->drive_ns = done_ns - issued_ns;
	heap_push(sim, (struct pending){.done_ns = done_ns, .io_u = io_u});
}

static int sim_send(struct engine *engine)
{
	unsigned i;

	for (i = 0; i < engine->prepared_count; i++)
		submit(engine, engine->drive, engine->prepared[i]);
	return 0;
}

static int sim_reap(struct engine *engine)
{
	struct sim *sim = engine->drive;
	uint64_t now_ns, fio_ns = 0;

	if (!sim->heap_count)
		return 0;
	now_ns = monotonic_ns();
	while (sim->heap_count && sim->heap[0].done_ns <= now_ns) {
		histogram_add(&engine->stats->reap_delay, now_ns - sim->heap[0].done_ns);
		if (!fio_ns)
			fio_ns = fio_now_ns();
		engine_complete(engine, heap_pop(sim), fio_ns);
	}
	return 0;
}

static bool sim_ready(struct engine *engine)
{
	struct sim *sim = engine->drive;

	return sim->heap_count && sim->heap[0].done_ns <= monotonic_ns();
}

static void sleep_ns(uint64_t length_ns)
{
	struct timespec length = ns_to_timespec(length_ns);

	nanosleep(&length, NULL);
}

/* Other jobs may need this CPU, and the drive they share lives in them: never only spin. */
static int sim_wait(struct engine *engine, uint64_t wait_ns)
{
	struct sim *sim = engine->drive;
	uint64_t now_ns = monotonic_ns(), until_ns = now_ns + wait_ns;

	if (sim->heap_count && sim->heap[0].done_ns < until_ns)
		until_ns = sim->heap[0].done_ns;
	while (now_ns < until_ns) {
		if (until_ns - now_ns > SHORTEST_SLEEP_NS)
			sleep_ns(until_ns - now_ns - SLEEP_MARGIN_NS);
		else
			sched_yield();
		now_ns = monotonic_ns();
	}
	return 0;
}

static json_t *status_json(const struct sim_info *info, const struct sim_status *status)
{
	return json_pack("{s:o, s:o, s:i, s:I, s:I, s:f, s:f, s:f, s:I, s:I, s:f, s:b}", "model",
			 utf8_json(info->model), "drive", utf8_json(info->drive), "scale",
			 info->scale, "drive_time_ns", (json_int_t)status->drive_time_ns,
			 "host_written_bytes", (json_int_t)status->host_written_bytes, "fill_share",
			 status->fill_share, "waf", status->waf, "spare_share", status->spare_share,
			 "slc_used_bytes", (json_int_t)status->slc_used_bytes, "slc_size_bytes",
			 (json_int_t)status->slc_size_bytes, "temperature_c", status->temperature_c,
			 "throttled", status->throttled);
}

static void sim_read_heat(struct engine *engine, double *temperature_c, bool *is_hot)
{
	struct sim *sim = engine->drive;
	struct sim_status status;

	sim_drive_status(sim->files[0].drive, &status);
	*temperature_c = status.temperature_c;
	*is_hot = status.throttled;
}

static void sim_describe(struct engine *engine, struct stats_description *description)
{
	struct sim *sim = engine->drive;
	struct sim_status status;

	description->drive = "sim";
	description->simulated = true;
	sim_drive_status(sim->files[0].drive, &status);
	description->details = status_json(sim_drive_get_info(sim->files[0].drive), &status);
}

const struct drive_ops drive_sim = {
	.open = sim_open,
	.close = sim_close,
	.prepare = sim_prepare,
	.send = sim_send,
	.reap = sim_reap,
	.ready = sim_ready,
	.wait = sim_wait,
	.read_heat = sim_read_heat,
	.describe = sim_describe,
};
