/* SPDX-License-Identifier: GPL-2.0-only */
/* The virtual-time runner: a heap of completions, a stream of arrivals, and statistics. */
#include <math.h>
#include <stdlib.h>

#include "base/histogram.h"
#include "engines/sim/load.h"
#include "base/random.h"

#define FILL_BYTES  (1u << 20)
#define FILL_FLIGHT 4

struct flying {
	uint64_t done, issued, due;
	uint64_t bytes; /* 0: a flush */
};

struct run {
	struct sim_state *state;
	const struct sim_model *model;
	const struct sim_load *load;
	uint64_t drive_random, host_random; /* the drive's own draws, and the load's */
	uint64_t begin, end;		    /* of the measured time */
	uint64_t blocks, next_block;
	struct flying *heap; /* the earliest completion first */
	unsigned flying;
	uint64_t start, offered, bytes;
	bool failed;
	struct error *err;
	double busy_ns; /* in-flight time inside the measured time */
	struct histogram drive_latency, response;
};

static struct sim_latency summary(const struct histogram *h)
{
	return (struct sim_latency){
		.count = h->count,
		.mean_ns = histogram_mean_ns(h),
		.stddev_ns = h->count ? sqrt(histogram_m2_ns2(h) / (double)h->count) : 0,
		.p50_ns = histogram_percentile_ns(h, 0.50),
		.p99_ns = histogram_percentile_ns(h, 0.99),
		.max_ns = h->max_ns,
	};
}

/* Puts an I/O where the top of the heap was, then lets it sink. */
static void heap_sink(struct run *run, struct flying io)
{
	struct flying *heap = run->heap;
	unsigned at = 0, child;

	while ((child = 2 * at + 1) < run->flying) {
		if (child + 1 < run->flying && heap[child + 1].done < heap[child].done)
			child++;
		if (heap[child].done >= io.done)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = io;
}

static void heap_push(struct run *run, struct flying io)
{
	struct flying *heap = run->heap;
	unsigned at = run->flying++;

	for (; at && heap[(at - 1) / 2].done > io.done; at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = io;
}

/* Time an I/O was in flight while measured. */
static double overlap(const struct run *run, const struct flying *io)
{
	uint64_t from = io->issued > run->begin ? io->issued : run->begin;
	uint64_t to = io->done < run->end ? io->done : run->end;

	return to > from ? (double)(to - from) : 0;
}

static void count_completion(struct run *run, const struct flying *io)
{
	run->busy_ns += overlap(run, io);
	if (!io->bytes || io->done < run->begin || io->done >= run->end)
		return;
	run->bytes += io->bytes;
	histogram_add(&run->drive_latency, io->done - io->issued);
	histogram_add(&run->response, io->done - io->due);
}

/* Counts the earliest completion and takes it off the heap. */
static void heap_pop(struct run *run)
{
	count_completion(run, &run->heap[0]);
	if (--run->flying)
		heap_sink(run, run->heap[run->flying]);
}

static uint64_t next_offset(struct run *run)
{
	uint64_t block;

	if (run->load->sequential) {
		block = run->next_block++;
		if (run->next_block == run->blocks)
			run->next_block = 0;
	} else {
		block = (uint64_t)(((__uint128_t)random_next(&run->host_random) * run->blocks) >>
				   64);
	}
	return block * run->load->block_bytes;
}

static enum sim_op next_op(struct run *run)
{
	unsigned percent = run->load->read_percent;

	if (percent == 0 || percent == 100)
		return percent ? SIM_READ : SIM_WRITE;
	return random_below(random_next(&run->host_random), 100) < percent ? SIM_READ : SIM_WRITE;
}

static uint64_t next_gap(struct run *run)
{
	double share = random_share_above_0(random_next(&run->host_random));

	return (uint64_t)(-log(share) * 1e9 / run->load->offered_iops);
}

/* The next I/O, with its due time in drive time. */
static bool next_request(struct run *run, struct sim_request *request)
{
	int got = 1;

	if (run->load->source) {
		got = run->load->source->next(run->load->source, request, run->err);
		run->failed = run->failed || got < 0;
		if (got > 0)
			request->due_ns += run->start;
		return got > 0;
	}
	request->op = next_op(run);
	request->offset = next_offset(run);
	request->bytes = run->load->block_bytes;
	return true;
}

static struct flying submit(struct run *run, const struct sim_request *request, uint64_t due,
			    uint64_t now)
{
	return (struct flying){
		.issued = now,
		.due = due,
		.bytes = request->bytes,
		.done = sim_state_submit(run->state, run->model, request->op, request->offset,
					 request->bytes, now, &run->drive_random),
	};
}

static void run_closed(struct run *run)
{
	struct sim_request request;
	uint64_t now;

	while (run->flying < run->load->in_flight && next_request(run, &request))
		heap_push(run, submit(run, &request, run->start, run->start));
	while (run->flying && (now = run->heap[0].done) < run->end) {
		if (!next_request(run, &request))
			return;
		count_completion(run, &run->heap[0]);
		heap_sink(run, submit(run, &request, now, now));
	}
}

/* When and what comes next: from the source, or at a random time after the one before. */
static bool next_arrival(struct run *run, uint64_t *due, struct sim_request *request)
{
	bool is_timed = run->load->source && run->load->source->is_timed;

	if (!is_timed)
		*due += next_gap(run);
	if (*due >= run->end || !next_request(run, request))
		return false;
	if (is_timed)
		*due = request->due_ns;
	return *due < run->end;
}

static void run_open(struct run *run)
{
	uint64_t due = run->start, now;
	struct sim_request request;

	while (next_arrival(run, &due, &request)) {
		run->offered += due >= run->begin && request.bytes;
		while (run->flying && run->heap[0].done <= due)
			heap_pop(run);
		now = due;
		if (run->flying == run->load->in_flight) {
			now = run->heap[0].done;
			if (now >= run->end)
				continue; /* unsent when the run ends */
			heap_pop(run);
		}
		heap_push(run, submit(run, &request, due, now));
	}
}

static void report(const struct run *run, struct sim_load_result *result)
{
	double seconds = (double)run->load->measure_ns / 1e9;

	*result = (struct sim_load_result){
		.offered = run->offered,
		.iops = (double)run->drive_latency.count / seconds,
		.mean_in_flight = run->busy_ns / (double)run->load->measure_ns,
		.drive_latency = summary(&run->drive_latency),
		.response = summary(&run->response),
	};
	result->bandwidth_mbps = (double)run->bytes / seconds / 1e6;
}

int sim_load_run(struct sim_state *state, const struct sim_model *model,
		 const struct sim_load *load, uint64_t *now_ns, struct sim_load_result *result,
		 struct error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	int failed;

	if (run)
		run->heap = calloc(load->in_flight, sizeof(*run->heap));
	if (!run || !run->heap) {
		free(run);
		return error_set(err, "no memory for %u I/Os in flight", load->in_flight);
	}
	run->state = state;
	run->model = model;
	run->load = load;
	run->drive_random = load->seed;
	run->host_random = mix64(load->seed + 1);
	run->err = err;
	run->start = *now_ns;
	run->begin = *now_ns + load->wait_ns;
	run->end = run->begin + load->measure_ns;
	run->blocks = load->source ? 0 : load->region_bytes / load->block_bytes;
	if (load->offered_iops > 0)
		run_open(run);
	else
		run_closed(run);
	for (*now_ns = run->end; run->flying; heap_pop(run))
		if (run->heap[0].done > *now_ns)
			*now_ns = run->heap[0].done;
	report(run, result);
	failed = run->failed ? -1 : 0;
	free(run->heap);
	free(run);
	return failed;
}

void sim_load_fill(struct sim_state *state, const struct sim_model *model, uint64_t offset,
		   uint64_t bytes, uint64_t *now_ns)
{
	uint64_t done[FILL_FLIGHT], random = 1, end = offset + bytes, i;

	for (i = 0; i < FILL_FLIGHT; i++)
		done[i] = *now_ns;
	for (i = 0; offset < end; i = (i + 1) % FILL_FLIGHT) {
		uint64_t part = end - offset < FILL_BYTES ? end - offset : FILL_BYTES;

		done[i] = sim_state_submit(state, model, SIM_WRITE, offset, part, done[i], &random);
		offset += part;
	}
	for (i = 0; i < FILL_FLIGHT; i++)
		*now_ns = done[i] > *now_ns ? done[i] : *now_ns;
}
