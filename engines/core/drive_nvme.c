/* SPDX-License-Identifier: GPL-2.0-only */
/* The way to an NVMe namespace: its own commands, through io_uring, past the block layer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device/nvme_status.h"
#include "engines/core/nvme.h"

static void nvme_close(struct engine *engine)
{
	struct nvme *nvme = engine->drive;
	unsigned i;

	if (nvme->data.ring_fd > 0)
		nvme_rings_close(nvme);
	for (i = 0; i < nvme->file_count; i++)
		nvme_file_close(&nvme->files[i]);
	heat_close(&nvme->heat);
	free(nvme->files);
	free(nvme->places);
	free(nvme->buffers);
	free(nvme->ranges);
	free(nvme->refused);
	free(nvme->count);
	free(nvme);
	engine->drive = NULL;
}

static int allocate(struct nvme *nvme, struct error *err)
{
	unsigned depth = nvme->engine->depth, i;

	nvme->places = calloc(depth, sizeof(*nvme->places));
	nvme->refused = calloc(depth, sizeof(struct nvme_place *));
	nvme->count = calloc(1, sizeof(*nvme->count));
	if (!nvme->places || !nvme->refused || !nvme->count ||
	    posix_memalign((void **)&nvme->ranges, 4096,
			   (size_t)depth * NVME_RANGES_MAX * sizeof(struct nvme_range)))
		return error_set(err, "no memory for %u I/Os in flight; lower iodepth=", depth);
	for (i = 0; i < depth; i++)
		nvme->places[i].ranges = nvme->ranges + (size_t)i * NVME_RANGES_MAX;
	return 0;
}

static int open_files(struct nvme *nvme, struct error *err)
{
	struct thread_data *td = nvme->engine->td;
	unsigned i;

	nvme->files = calloc(td->o.nr_files, sizeof(*nvme->files));
	if (!nvme->files)
		return error_set(err, "no memory");
	for (i = 0; i < td->o.nr_files; i++) {
		nvme->files[i].nvme = nvme;
		nvme->file_count = i + 1;
		if (nvme_file_open(&nvme->files[i], td->files[i], err) ||
		    nvme_placement_open(&nvme->files[i], err))
			return -1;
	}
	return 0;
}

static uint64_t longest_bytes(const struct thread_data *td)
{
	uint64_t read = td->o.max_bs[DDIR_READ], write = td->o.max_bs[DDIR_WRITE];

	return read > write ? read : write;
}

static int open_parts(struct nvme *nvme, struct error *err)
{
	struct thread_data *td = nvme->engine->td;
	unsigned commands;

	if (allocate(nvme, err) || open_files(nvme, err) || nvme_buffers_open(nvme, err))
		return -1;
	commands = nvme_io_most_commands(nvme, longest_bytes(td));
	nvme->has_pieces = commands > 1;
	if (nvme->has_pieces)
		core_say(td, "an I/O of %llu bytes goes as up to %u commands",
			 (unsigned long long)longest_bytes(td), commands);
	/* One more a place: a trim that waits for others to share its command. */
	if (nvme_rings_open(nvme, nvme->engine->depth * commands + 1, err))
		return -1;
	return nvme_rings_register(nvme, err);
}

static int nvme_open(struct engine *engine, struct error *err)
{
	struct nvme *nvme = calloc(1, sizeof(*nvme));

	if (!nvme)
		return error_set(err, "no memory");
	nvme->engine = engine;
	nvme->options = engine->nvme_options;
	nvme->random = engine->stats->run.seed + engine->stats->run.clone;
	nvme->heat.fd = -1;
	engine->drive = nvme;
	if (open_parts(nvme, err)) {
		nvme_close(engine);
		return -1;
	}
	heat_open(&nvme->heat, "/sys", nvme->files[0].block_number);
	return 0;
}

static bool nvme_prepare(struct engine *engine, struct io_u *io_u)
{
	return nvme_io_prepare(engine->drive, io_u, engine->fua);
}

/* The window began again (ramp_time=): what was counted before is forgotten. */
static SLOW_PATH void restart_count(struct nvme *nvme)
{
	memset(nvme->count, 0, sizeof(*nvme->count));
	nvme->count->window_start_ns = nvme->engine->stats->window_start_ns;
}

static inline void follow_window(struct nvme *nvme)
{
	if (nvme->count->window_start_ns != nvme->engine->stats->window_start_ns)
		restart_count(nvme);
}

/* ---- sending ----------------------------------------------------------------------------------
 */

/* One call sends, and takes what is complete: a look at completions later often needs none. */
static int submit(struct nvme *nvme, struct io_uring *ring)
{
	unsigned waiting;
	int sent;

	while ((waiting = io_uring_sq_ready(ring))) {
		sent = nvme->has_sq_thread ? io_uring_submit(ring)
					   : io_uring_submit_and_get_events(ring);
		nvme->count->enters++;
		if (sent < 0 && sent != -EINTR && sent != -EAGAIN && sent != -EBUSY)
			return sent;
		if (nvme->has_sq_thread)
			break;
	}
	return 0;
}

static int submit_both(struct nvme *nvme)
{
	int failed = submit(nvme, &nvme->data);

	return failed || !nvme->is_polled ? failed : submit(nvme, &nvme->quiet);
}

static unsigned waiting_commands(struct nvme *nvme)
{
	return io_uring_sq_ready(&nvme->data) +
	       (nvme->is_polled ? io_uring_sq_ready(&nvme->quiet) : 0);
}

static int nvme_send(struct engine *engine)
{
	struct nvme *nvme = engine->drive;
	uint64_t begin_ns;
	unsigned waiting;
	int failed;

	follow_window(nvme);
	nvme_trim_flush(nvme);
	waiting = waiting_commands(nvme);
	begin_ns = fio_now_ns();
	failed = submit_both(nvme);
	histogram_add(&nvme->count->submission, fio_now_ns() - begin_ns);
	nvme->count->submits++;
	nvme->count->submitted += waiting;
	return failed;
}

/* ---- reaping ----------------------------------------------------------------------------------
 */

static inline void count_command(struct nvme *nvme, const struct nvme_place *place, int result,
				 uint64_t now_ns)
{
	uint64_t issue_ns = place->compare_ns ? place->compare_ns
					      : nvme->engine->slots[place->io_u->index].issue_ns;

	histogram_add(&nvme->count->latency[place->kind], now_ns - issue_ns);
	if (result)
		nvme_count_result(nvme->count, place->kind, result);
}

static inline void hand_over(struct nvme *nvme, struct nvme_place *place, int result,
			     uint64_t now_ns)
{
	place->result = result;
	place->io_u->error = nvme_error_of(result);
	place->io_u->resid = 0;
	engine_complete(nvme->engine, place->io_u, now_ns);
}

static inline void complete(struct nvme *nvme, struct nvme_place *place, int result,
			    uint64_t now_ns)
{
	struct nvme_place *next;

	count_command(nvme, place, result, now_ns);
	if (!nvme_io_completed(nvme, place, result))
		return;
	result = place->result;
	for (; place; place = next) {
		next = place->next;
		hand_over(nvme, place, result, now_ns);
	}
}

static unsigned reap_ring(struct nvme *nvme, struct io_uring *ring)
{
	struct io_uring_cqe *cqe;
	unsigned head, seen = 0;
	uint64_t now_ns = 0;

	io_uring_for_each_cqe(ring, head, cqe)
	{
		if (!now_ns)
			now_ns = fio_now_ns();
		complete(nvme, io_uring_cqe_get_data(cqe), cqe->res, now_ns);
		seen++;
	}
	io_uring_cq_advance(ring, seen);
	if (nvme->is_polled && ring == &nvme->data)
		nvme->polled_in_flight -= seen;
	return seen;
}

static void look_for_events(struct nvme *nvme, struct io_uring *ring, bool must_ask)
{
	if (io_uring_cq_ready(ring) || !(must_ask || nvme_has_pending_tasks(ring)))
		return;
	io_uring_get_events(ring);
	nvme->count->enters++;
}

static SLOW_PATH void reap_refused(struct nvme *nvme)
{
	uint64_t now_ns = fio_now_ns();

	while (nvme->refused_count) {
		struct nvme_place *place = nvme->refused[--nvme->refused_count];

		hand_over(nvme, place, place->result, now_ns);
	}
}

static int nvme_reap(struct engine *engine)
{
	struct nvme *nvme = engine->drive;
	unsigned seen;

	follow_window(nvme);
	if (nvme->refused_count)
		reap_refused(nvme);
	look_for_events(nvme, &nvme->data, nvme->polled_in_flight);
	seen = reap_ring(nvme, &nvme->data);
	if (nvme->is_polled) {
		look_for_events(nvme, &nvme->quiet, false);
		seen += reap_ring(nvme, &nvme->quiet);
	}
	nvme_count_reap(nvme->count, seen);
	return waiting_commands(nvme) ? submit_both(nvme) : 0; /* compares after reads */
}

static bool is_ready(const struct io_uring *ring)
{
	return io_uring_cq_ready(ring) || nvme_has_pending_tasks(ring);
}

static bool nvme_ready(struct engine *engine)
{
	struct nvme *nvme = engine->drive;

	if (nvme->refused_count || is_ready(&nvme->data))
		return true;
	return nvme->is_polled && (nvme->polled_in_flight || is_ready(&nvme->quiet));
}

/* ---- waiting ----------------------------------------------------------------------------------
 */

static int wait_polling(struct nvme *nvme, uint64_t wait_ns)
{
	uint64_t until_ns = fio_now_ns() + wait_ns;

	do {
		look_for_events(nvme, &nvme->data, true);
		look_for_events(nvme, &nvme->quiet, true);
	} while (!io_uring_cq_ready(&nvme->data) && !io_uring_cq_ready(&nvme->quiet) &&
		 fio_now_ns() < until_ns);
	return 0;
}

static int nvme_wait(struct engine *engine, uint64_t wait_ns)
{
	struct nvme *nvme = engine->drive;
	struct __kernel_timespec time = {.tv_sec = (long long)(wait_ns / NS_PER_SEC),
					 .tv_nsec = (long long)(wait_ns % NS_PER_SEC)};
	struct io_uring_cqe *cqe;
	int failed;

	if (nvme->refused_count)
		return 0;
	if (nvme->is_polled)
		return wait_polling(nvme, wait_ns);
	failed = io_uring_wait_cqe_timeout(&nvme->data, &cqe, &time);
	nvme->count->enters++;
	return failed == -ETIME || failed == -EINTR || failed == -EAGAIN ? 0 : failed;
}

static void nvme_read_heat(struct engine *engine, double *temperature_c, bool *is_hot)
{
	struct nvme *nvme = engine->drive;

	heat_read_seldom(&nvme->heat, fio_now_ns(), temperature_c, is_hot);
}

/* ---- what it says -----------------------------------------------------------------------------
 */

static void nvme_describe(struct engine *engine, struct stats_description *description)
{
	const struct nvme *nvme = engine->drive;
	const struct nvme_file *file = &nvme->files[0];
	const struct nvme_geometry *g = &file->geometry;

	description->drive = "nvme";
	description->nvme = json_pack(
		"{s:s, s:i, s:i, s:i, s:b, s:i, s:i, s:i, s:b, s:b, s:b, s:b}", "device",
		file->path, "namespace", g->nsid, "block_bytes", g->block_bytes, "metadata_bytes",
		g->metadata_bytes, "extended", g->is_extended, "pi_type", g->pi_type,
		"command_bytes_max", file->piece_bytes, "placement_ids", file->id_count,
		"fixed_buffers", nvme->has_fixed_buffers, "registered_files", nvme->has_fixed_files,
		"polled", nvme->is_polled, "submission_thread", nvme->has_sq_thread);
	json_object_update_new(description->nvme, nvme_count_report(nvme->count));
}

static char *nvme_explain(struct engine *engine, const struct io_u *io_u)
{
	const struct nvme *nvme = engine->drive;
	const struct nvme_place *place = &nvme->places[io_u->index];
	char words[256], *text;

	if (place->result > 0)
		nvme_status_text((unsigned)place->result, words, sizeof(words));
	else if (place->result == -EINTR)
		snprintf(words, sizeof(words), "cancelled: the controller was reset, or is gone");
	else
		snprintf(words, sizeof(words), "the kernel says: %s", strerror(-place->result));
	if (asprintf(&text, "%s: NVMe %s of %u blocks from block %llu: %s", place->file->path,
		     nvme_kind_word(place->kind), place->blocks, (unsigned long long)place->first,
		     words) < 0)
		return NULL;
	return text;
}

const struct drive_ops drive_nvme = {
	.open = nvme_open,
	.close = nvme_close,
	.prepare = nvme_prepare,
	.send = nvme_send,
	.reap = nvme_reap,
	.ready = nvme_ready,
	.wait = nvme_wait,
	.read_heat = nvme_read_heat,
	.describe = nvme_describe,
	.explain = nvme_explain,
};
