/* SPDX-License-Identifier: GPL-2.0-only */
/* A row's trace, replayed against a drive in virtual time as the engine does it in real time. */
#include <string.h>

#include "review/review.h"
#include "review/trace_load.h"

#define ENDLESS 1000000

struct trace_source {
	struct sim_source source;
	struct replay *replay;
};

static enum sim_op op_of(const struct replay_item *item)
{
	switch (item->op) {
	case TRACE_READ:
		return SIM_READ;
	case TRACE_TRIM:
		return SIM_TRIM;
	case TRACE_FLUSH:
		return SIM_FLUSH;
	case TRACE_WRITE_ZEROES:
		return SIM_WRITE_ZEROES;
	}
	return item->flags & TRACE_FUA ? SIM_WRITE_FUA : SIM_WRITE;
}

static int next_item(struct sim_source *source, struct sim_request *request, struct error *err)
{
	struct trace_source *trace = (struct trace_source *)source;
	struct replay_item item;
	int got = replay_next(trace->replay, &item, err);

	if (got > 0)
		*request = (struct sim_request){.op = op_of(&item),
						.offset = item.offset,
						.bytes = item.bytes,
						.due_ns = item.due_ns};
	return got;
}

static int fit_clones(struct trace_load *load, struct error *err)
{
	struct replay_footprint footprint;

	if (replay_footprint(load->trace, &load->options, &footprint, err))
		return -1;
	load->options.clones = replay_clones_held(&footprint, load->options.region_bytes);
	return replay_mean_iops(load->trace, &load->options, &load->mean_iops, err);
}

/* The trace that a row's job file names, and what kind of clones. */
static int find_trace(const struct profile_row *row, char path[PATH_MAX], bool *linked,
		      struct error *err)
{
	struct job_file job;
	const char *kind;
	bool found;

	if (job_file_read(row->jobfile, &job, err))
		return -1;
	kind = job_file_get(&job, "max", "clone_kind");
	*linked = kind && !strcmp(kind, "linked");
	found = job_trace(&job, "max", path);
	job_file_free(&job);
	return found ? 0 : error_set(err, "%s: no trace= in it", row->jobfile);
}

bool trace_load_is_of(const struct profile_row *row)
{
	char path[PATH_MAX];
	struct error none;
	bool linked;

	return !find_trace(row, path, &linked, &none);
}

int trace_load_open(const struct profile_row *row, uint64_t region_bytes, struct trace_load *load,
		    struct error *err)
{
	char path[PATH_MAX];

	*load = (struct trace_load){.options = {.clones = 1,
						.stagger = REPLAY_STAGGER_ROTATE,
						.speed = 1,
						.fit = REPLAY_COMPACT,
						.region_bytes = region_bytes,
						.block_bytes = 4096,
						.longest_bytes = REPLAY_LONGEST_BYTES,
						.loops = ENDLESS,
						.parts = 1}};
	if (find_trace(row, path, &load->options.linked, err) ||
	    trace_open(path, &load->trace, err))
		return -1;
	if (!fit_clones(load, err))
		return 0;
	trace_close(load->trace);
	return -1;
}

void trace_load_close(struct trace_load *load)
{
	trace_close(load->trace);
}

int trace_load_run(const struct trace_load *trace, const struct sim_load *load,
		   struct sim_state *state, const struct sim_model *model, uint64_t *now_ns,
		   struct sim_load_result *result, struct error *err)
{
	struct trace_source source = {.source = {.is_timed = true, .next = next_item}};
	struct replay_options options = trace->options;
	struct sim_load replayed = *load;
	int failed;

	options.seed = load->seed;
	if (load->offered_iops > 0)
		options.speed = load->offered_iops / trace->mean_iops;
	if (replay_open(trace->trace, &options, &source.replay, err))
		return -1;
	replayed.source = &source.source;
	failed = sim_load_run(state, model, &replayed, now_ns, result, err);
	replay_close(source.replay);
	return failed;
}
