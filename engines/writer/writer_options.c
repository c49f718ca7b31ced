/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of a job become those of a plan. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engines/writer/writer_options.h"

/* "20g" or "20%": one of the two is set, the other 0. */
static int parse_burst(const char *text, uint64_t *bytes, double *share, struct error *err)
{
	long long value = 0;
	char *end;
	double percent = strtod(text, &end);

	*bytes = 0;
	*share = 0.0;
	if (end != text && !strcmp(end, "%") && percent > 0.0 && percent <= 100.0) {
		*share = percent / 100.0;
		return 0;
	}
	if (str_to_decimal(text, &value, 1, NULL, 0, 0) || value <= 0)
		return error_set(err,
				 "burst=%s is no size, nor a share of the cache; write 20g or "
				 "20%%",
				 text);
	*bytes = (uint64_t)value;
	return 0;
}

static double read_share(const struct thread_data *td)
{
	return td_rw(td) ? td->o.rwmix[DDIR_READ] / 100.0 : 0.0;
}

static int take_probe(const char *path, struct qlc_options *options, struct error *err)
{
	struct qlc_probe probe;

	if (qlc_read_probe(path, &probe, err))
		return error_prefix(err, "cache_from");
	options->cache_bytes = probe.cache_bytes;
	options->fast = probe.fast;
	options->slow = probe.slow;
	return 0;
}

int writer_make_options(struct thread_data *td, uint64_t seed, struct qlc_options *options,
			struct error *err)
{
	const struct writer_options *o = td->eo;
	unsigned block_bytes = (unsigned)td->o.min_bs[DDIR_WRITE];

	*options = (struct qlc_options){
		.mode = o->mode,
		.region_bytes = td->files[0]->io_size,
		.block_bytes = block_bytes,
		.is_random = td_random(td),
		.read_share = read_share(td),
		.window_bytes = o->window_bytes,
		.window_ns = o->window_us * NS_PER_USEC,
		.settle_bytes = o->settle_bytes,
		.repeats = o->repeats,
		.bursts = o->bursts,
		.rest_s = (double)o->rest_us / 1e6,
		.sustain_bytes = o->sustain_bytes,
		.sustain_s = (double)o->sustain_us / 1e6,
		.seed = seed,
	};
	if (qlc_parse_times(o->idle, options->idle_s, &options->idle_count, err) ||
	    qlc_parse_levels(o->levels, options->level_percent, &options->level_count, err) ||
	    parse_burst(o->burst, &options->burst_bytes, &options->burst_cache_share, err))
		return -1;
	if (o->mode == QLC_BURST && options->idle_count > 1)
		return error_set(err,
				 "mode=burst finds its idle time from the first one, and idle= "
				 "names %u; leave the others out",
				 options->idle_count);
	return o->cache_from ? take_probe(o->cache_from, options, err) : 0;
}
