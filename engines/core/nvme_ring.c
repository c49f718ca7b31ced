/* SPDX-License-Identifier: GPL-2.0-only */
/* The rings of NVMe commands: set up with what the kernel has, and one line for what it lacks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engines/core/explain.h"
#include "engines/core/nvme.h"
#include "engines/core/nvme_put.h"

#define RING_FORMAT (IORING_SETUP_SQE128 | IORING_SETUP_CQE32)
#define RING_TASKS  (IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG)
#define RING_SINGLE (IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN)

/* Newest first: Linux 6.1 has all, 5.19 the last. */
static int setup(struct io_uring *ring, unsigned commands, struct io_uring_params wanted)
{
	static const unsigned added[] = {RING_TASKS | RING_SINGLE, RING_TASKS, 0};
	bool has_thread = wanted.flags & IORING_SETUP_SQPOLL;
	struct io_uring_params params;
	int failed = -EINVAL;
	size_t i;

	/* With a submission thread, who runs tasks is no question. */
	for (i = has_thread ? COUNT(added) - 1 : 0; i < COUNT(added) && failed == -EINVAL; i++) {
		params = wanted;
		params.flags |= RING_FORMAT | added[i];
		failed = io_uring_queue_init_params(commands, ring, &params);
	}
	return failed;
}

static int explain_setup(const struct nvme *nvme, int failed, unsigned commands, struct error *err)
{
	return nvme_explain_ring(-failed, commands, core_block_way(nvme->engine->td), err);
}

/* The ring that interrupts: beside a polled one, for commands without data. */
static int open_quiet(struct nvme *nvme, unsigned commands, struct error *err)
{
	struct io_uring_params params = {0};
	int failed = setup(&nvme->quiet, commands, params);

	if (!failed)
		return 0;
	io_uring_queue_exit(&nvme->data);
	return explain_setup(nvme, failed, commands, err);
}

/* Polling needs queues of its own in the driver. */
static bool can_poll(const struct nvme *nvme)
{
	unsigned i;

	for (i = 0; i < nvme->file_count; i++) {
		if (!nvme->files[i].geometry.has_poll) {
			core_say(nvme->engine->td,
				 "hipri: %s has no queues to poll (boot with nvme.poll_queues=N); "
				 "interrupts are used",
				 nvme->files[i].path);
			return false;
		}
	}
	return true;
}

static struct io_uring_params wanted_params(struct nvme *nvme)
{
	const struct nvme_options *o = nvme->options;
	struct io_uring_params params = {0};

	nvme->is_polled = o->hipri && can_poll(nvme);
	if (nvme->is_polled)
		params.flags |= IORING_SETUP_IOPOLL;
	if (o->sqthread_poll) {
		params.flags |= IORING_SETUP_SQPOLL;
		if (o->sqthread_poll_cpu >= 0) {
			params.flags |= IORING_SETUP_SQ_AFF;
			params.sq_thread_cpu = (unsigned)o->sqthread_poll_cpu;
		}
	}
	return params;
}

int nvme_rings_open(struct nvme *nvme, unsigned commands, struct error *err)
{
	struct io_uring_params params = wanted_params(nvme);
	int failed = setup(&nvme->data, commands, params);

	if (failed && (params.flags & IORING_SETUP_SQPOLL)) {
		core_say(nvme->engine->td,
			 "sqthread_poll: the kernel gives no submission thread: %s; commands are "
			 "submitted by calls",
			 strerror(-failed));
		params.flags &= ~(unsigned)(IORING_SETUP_SQPOLL | IORING_SETUP_SQ_AFF);
		failed = setup(&nvme->data, commands, params);
	}
	if (failed)
		return explain_setup(nvme, failed, commands, err);
	nvme->has_sq_thread = params.flags & IORING_SETUP_SQPOLL;
	if (!nvme->is_polled)
		return 0;
	return open_quiet(nvme, commands, err);
}

void nvme_rings_close(struct nvme *nvme)
{
	io_uring_queue_exit(&nvme->data);
	if (nvme->is_polled)
		io_uring_queue_exit(&nvme->quiet);
}

/* ---- what is looked up once ------------------------------------------------------------------ */

static void register_files(struct nvme *nvme)
{
	int *fds = calloc(nvme->file_count, sizeof(*fds)), failed = -ENOMEM;
	unsigned i;

	for (i = 0; fds && i < nvme->file_count; i++)
		fds[i] = nvme->files[i].fd;
	if (fds)
		failed = io_uring_register_files(&nvme->data, fds, nvme->file_count);
	if (!failed && nvme->is_polled)
		failed = io_uring_register_files(&nvme->quiet, fds, nvme->file_count);
	free(fds);
	nvme->has_fixed_files = !failed;
	if (failed)
		core_say(nvme->engine->td, "registerfiles: not possible here: %s; goes on without",
			 strerror(-failed));
}

/* One a place, for its buffer alone: some kernels count all pages of what is registered together.
 */
static int register_each_buffer(struct nvme *nvme)
{
	unsigned depth = nvme->engine->depth, i;
	struct iovec *iovecs = calloc(depth, sizeof(*iovecs));
	int failed = -ENOMEM;

	for (i = 0; iovecs && i < depth; i++) {
		iovecs[i].iov_base = nvme_place_buffer(nvme, i);
		iovecs[i].iov_len = nvme_place_buffer_bytes(nvme);
	}
	if (iovecs)
		failed = io_uring_register_buffers(&nvme->data, iovecs, depth);
	free(iovecs);
	return failed;
}

static void register_buffers(struct nvme *nvme)
{
	int failed;

	if (!nvme_place_buffer(nvme, 0))
		return; /* a job that only trims has none */
	failed = register_each_buffer(nvme);
	nvme->has_fixed_buffers = !failed;
	if (failed)
		core_say(nvme->engine->td, "fixedbufs: not possible here: %s%s; goes on without",
			 strerror(-failed),
			 failed == -ENOMEM ? " (raise 'ulimit -l', or lower iodepth= or bs=)" : "");
}

/* ---- one read shows whether commands pass ---------------------------------------------------- */

/* Its result; nothing else is on the ring. */
static int read_first_block(struct nvme *nvme, struct nvme_file *file, void *data, int fixed)
{
	const struct nvme_request request = {
		.kind = NVME_READ,
		.blocks = 1,
		.data = data,
		.data_bytes = file->wire.block_bytes,
		.metadata = nvme->places[0].metadata,
		.metadata_bytes = file->wire.metadata_bytes,
		.control = file->geometry.pi_type && !file->moves_metadata ? NVME_CONTROL_PRACT : 0,
	};
	struct io_uring_cqe *cqe;
	int failed, result;

	nvme_put(nvme, file, &request, fixed, NULL);
	do {
		failed = io_uring_submit_and_wait(&nvme->data, 1);
	} while (failed == -EINTR || failed == -EAGAIN);
	if (failed >= 0)
		failed = io_uring_wait_cqe(&nvme->data, &cqe);
	if (failed)
		return failed;
	result = cqe->res;
	io_uring_cqe_seen(&nvme->data, cqe);
	nvme->polled_in_flight = 0;
	return result;
}

static int explain_refusal(const struct nvme *nvme, const struct nvme_file *file, int result,
			   struct error *err)
{
	return nvme_explain_command(file->path, -result, core_block_way(nvme->engine->td), err);
}

static int probe(struct nvme *nvme, struct nvme_file *file, struct error *err)
{
	void *buffer;
	int result;

	if (nvme->has_fixed_buffers) {
		result = read_first_block(nvme, file, nvme_place_buffer(nvme, 0), 0);
		if (result != -EINVAL && result != -EFAULT)
			return result < 0 ? explain_refusal(nvme, file, result, err) : 0;
		io_uring_unregister_buffers(&nvme->data);
		nvme->has_fixed_buffers = false;
		core_say(
			nvme->engine->td,
			"fixedbufs: this kernel takes buffers of no more than %u pages of %s; goes "
			"on without",
			file->geometry.most_segments, file->path);
	}
	if (posix_memalign(&buffer, 4096, file->wire.block_bytes))
		return error_set(err, "no memory");
	result = read_first_block(nvme, file, buffer, -1);
	free(buffer);
	return result < 0 ? explain_refusal(nvme, file, result, err) : 0;
}

int nvme_rings_register(struct nvme *nvme, struct error *err)
{
	int failed = 0;
	unsigned i;

	io_uring_register_ring_fd(&nvme->data); /* only faster: no harm when it fails */
	if (nvme->is_polled)
		io_uring_register_ring_fd(&nvme->quiet);
	if (nvme->options->registerfiles)
		register_files(nvme);
	if (nvme->options->fixedbufs)
		register_buffers(nvme);
	for (i = 0; i < nvme->file_count && !failed; i++)
		failed = probe(nvme, &nvme->files[i], err);
	/* Only now it is known what goes without. */
	for (i = 0; i < nvme->file_count && !failed; i++)
		nvme_io_make_entries(nvme, &nvme->files[i]);
	return failed;
}
