/* SPDX-License-Identifier: GPL-2.0-only */
/* What a job may ask of fio beside a replay. */
#include "engines/replay/replay_load.h"

int replay_check_options(const struct thread_data *td, struct error *err)
{
	static const char asap[] = "has no effect with pacing=asap";
	static const char trace[] = "says what the trace says";
	const struct replay_job_options *o = td->eo;
	const struct thread_options *fio = &td->o;
	bool is_asap = o->pacing == PACING_ASAP;
	const struct core_forbidden options[] = {
		{is_asap && o->rate.iorate, "iorate", asap},
		{is_asap && o->speed, "speed", asap},
		{o->rate.iorate && o->speed, "speed", "and iorate= both say how fast it is played"},
		{o->stagger && o->stagger_kind == REPLAY_STAGGER_ROTATE, "stagger",
		 "has no effect with stagger_kind=rotate, which begins at once"},
		{!o->stagger && o->stagger_kind == REPLAY_STAGGER_EXPONENTIAL, "stagger_kind",
		 "has no effect without stagger="},
		{o->think_max && o->pacing != PACING_DEPENDENT, "think_max",
		 "has no effect without pacing=dependent"},
		{fio->io_size && fio->io_size != fio->size, "io_size",
		 "does not limit a replay, but window= and runtime= do"},
		{fio->bssplit_nr[DDIR_READ] || fio->bssplit_nr[DDIR_WRITE], "bssplit", trace},
		{fio->random_distribution != FIO_RAND_DIST_RANDOM, "random_distribution", trace},
		{fio->zone_mode != ZONE_MODE_NONE || fio->zone_size > 0, "zonemode", trace},
	};

	return core_refuse_first(options, COUNT(options), err);
}

int replay_check_job(const struct thread_data *td, const struct trace_header *header,
		     struct error *err)
{
	static const char own[] = "asks for what fio itself would have written, not the trace";
	const struct replay_job_options *replay = td->eo;
	const struct thread_options *o = &td->o;
	const uint64_t *records = header->totals.records;
	bool writes = records[TRACE_WRITE] || records[TRACE_WRITE_ZEROES];
	bool trims = records[TRACE_TRIM] > 0;
	const struct core_forbidden options[] = {
		{o->loops > 1, "loops", "plays nothing twice here; loop= does"},
		{o->verify_only, "verify_only", own},
		{o->verify_backlog > 0, "verify_backlog", own},
		{o->experimental_verify, "experimental_verify", own},
		{o->trim_backlog > 0, "trim_backlog", own},
	};

	if (read_only && (writes || trims))
		return error_set(err, "the trace writes, and fio runs with --readonly");
	if (o->verify && trims && !replay->skip_trims)
		return error_set(err,
				 "verify= finds no data where the trace trims: add trims=skip");
	return core_refuse_first(options, COUNT(options), err);
}
