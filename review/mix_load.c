/* SPDX-License-Identifier: GPL-2.0-only */
/* A row's mix of patterns, read and drawn. */
#include "review/mix_load.h"

int row_mix(const struct profile_row *row, const struct job_file *job, const char *section,
	    struct mix *mix, struct error *err)
{
	const struct job_line *line = job_file_line(job, section, "mix");

	if (row->mix[0])
		return mix_parse(row->mix, mix, err) ? -1 : 1;
	if (!line)
		return 0;
	if (!mix_parse(line->value, mix, err))
		return 1;
	return error_prefix(err, "%s:%u: mix", row->jobfile, line->number);
}

static int next_io(struct sim_source *source, struct sim_request *request,
		   struct error *err __attribute__((unused)))
{
	static const enum sim_op ops[] = {
		[MIX_READ] = SIM_READ, [MIX_WRITE] = SIM_WRITE, [MIX_TRIM] = SIM_TRIM};
	struct mix_io io;

	mix_draw_next(((struct mix_load *)source)->draw, &io);
	*request = (struct sim_request){.op = ops[io.op], .offset = io.offset, .bytes = io.bytes};
	return 1;
}

int mix_load_open(const struct profile_row *row, uint64_t region_bytes, uint64_t seed,
		  struct mix_load *load, struct error *err)
{
	const struct mix_draw_options options = {
		.region_bytes = region_bytes, .clones = 1, .seed = seed};
	struct job_file job;
	struct mix mix;
	int got;

	*load = (struct mix_load){.source.next = next_io};
	if (job_file_read(row->jobfile, &job, err))
		return -1;
	got = row_mix(row, &job, "max", &mix, err);
	job_file_free(&job);
	if (got <= 0)
		return got;
	load->draw = mix_draw_open(&mix, &options, err);
	return load->draw ? 1 : -1;
}

void mix_load_close(struct mix_load *load)
{
	if (load->draw)
		mix_draw_close(load->draw);
}
