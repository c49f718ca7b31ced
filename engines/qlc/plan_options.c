/* SPDX-License-Identifier: GPL-2.0-only */
/* Options that make no plan are refused; and what a plan takes over from an earlier one. */
#include <stdlib.h>

#include "base/cpu_limit.h"
#include "engines/qlc/plan_internal.h"

#define LEAST_BLOCKS 10000 /* of a region: fewer show no cliff */

static const char *const mode_names[QLC_MODES] = {
	[QLC_PROBE] = "probe",	   [QLC_RECOVER] = "recover",	      [QLC_BURST] = "burst",
	[QLC_SUSTAIN] = "sustain", [QLC_FILL_LEVELS] = "fill-levels",
};

const char *qlc_mode_name(enum qlc_mode mode)
{
	return mode_names[mode];
}

static int check_region(const struct qlc_options *options, struct error *err)
{
	if (!options->block_bytes)
		return error_set(err, "bs= must be above 0");
	if (options->region_bytes / options->block_bytes < LEAST_BLOCKS)
		return error_set(err,
				 "the region of %llu bytes has fewer than %d blocks of bs=%u: no "
				 "cliff can be told from noise; raise size= or lower bs=",
				 (unsigned long long)options->region_bytes, LEAST_BLOCKS,
				 options->block_bytes);
	if (!(options->read_share >= 0.0 && options->read_share < 1.0))
		return error_set(err, "rwmixread= must be below 100: a cache is found by writing");
	return 0;
}

static int check_idles(const struct qlc_options *options, struct error *err)
{
	unsigned i;

	if (!options->idle_count || options->idle_count > QLC_LIST)
		return error_set(err, "mode=recover needs 1 to %d idle times: idle=1:5:30",
				 QLC_LIST);
	if (options->repeats < 3 || options->repeats > 64)
		return error_set(err, "repeats= must be 3 to 64: every idle time is met three "
				      "times at least");
	for (i = 0; i < options->idle_count; i++) {
		if (!(options->idle_s[i] >= 0.0 && options->idle_s[i] < 1e6))
			return error_set(err, "an idle time of %g s is none", options->idle_s[i]);
		if (i && options->idle_s[i] <= options->idle_s[i - 1])
			return error_set(err, "idle times must rise: %g s does not follow %g s",
					 options->idle_s[i], options->idle_s[i - 1]);
	}
	return 0;
}

static int check_levels(const struct qlc_options *options, struct error *err)
{
	unsigned i;

	if (!options->level_count || options->level_count > QLC_LIST)
		return error_set(err, "mode=fill-levels needs 1 to %d levels: levels=0:25:50:75:90",
				 QLC_LIST);
	for (i = 0; i < options->level_count; i++) {
		if (options->level_percent[i] > 99)
			return error_set(err, "a fill level of %u %% leaves nothing to probe",
					 options->level_percent[i]);
		if (i && options->level_percent[i] <= options->level_percent[i - 1])
			return error_set(err, "fill levels must rise: %u does not follow %u",
					 options->level_percent[i], options->level_percent[i - 1]);
	}
	return 0;
}

static int check_bursts(const struct qlc_options *options, struct error *err)
{
	if (!options->burst_bytes &&
	    !(options->burst_cache_share > 0.0 && options->burst_cache_share <= 1.0))
		return error_set(err, "mode=burst needs burst= in bytes, or as a share of the "
				      "cache up to 100%%");
	if (!options->bursts)
		return error_set(err, "bursts= must be above 0");
	return 0;
}

int qlc_check_options(const struct qlc_options *options, struct error *err)
{
	bool probes = options->mode == QLC_PROBE || options->mode == QLC_FILL_LEVELS;

	if (check_region(options, err))
		return -1;
	if (probes && options->cache_bytes)
		return error_set(err, "mode=%s finds the cliff by itself; remove cache_from=",
				 qlc_mode_name(options->mode));
	if (options->cache_bytes > options->region_bytes)
		return error_set(
			err,
			"the cache of %llu bytes in cache_from= is larger than the region of "
			"%llu bytes: it is that of another drive, or size= is too small",
			(unsigned long long)options->cache_bytes,
			(unsigned long long)options->region_bytes);
	switch (options->mode) {
	case QLC_RECOVER:
		return check_idles(options, err);
	case QLC_FILL_LEVELS:
		return check_levels(options, err);
	case QLC_BURST:
		return check_bursts(options, err);
	default:
		return 0;
	}
}

static double number_in(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

/* The rules for one that was read. */
static int judge_probe(const char *path, const struct qlc_probe *probe, double busy_share,
		       double wait_share, struct error *err)
{
	char limit[CPU_LIMIT_ROOM];

	if (probe->is_spoilt)
		return error_set(err,
				 "the probe in %s is spoilt: %s; close other programs and probe "
				 "again",
				 path, cpu_limit_text(busy_share, wait_share, limit));
	if (!probe->cache_bytes || !(probe->slow > 0.0) || !(probe->fast > probe->slow))
		return error_set(err,
				 "%s holds no cliff: the probe found none, or it is no "
				 "statistics file of qlc_writer",
				 path);
	return 0;
}

int qlc_read_probe(const char *path, struct qlc_probe *probe, struct error *err)
{
	json_error_t where;
	json_t *root, *qlc;
	struct error why;
	json_int_t bytes;
	double busy_share, wait_share;
	char *text;

	*probe = (struct qlc_probe){0};
	if (file_read_text(path, &text, &why))
		return error_set(err, "%s; run the probe that writes it first", why.text);
	root = json_loads(text, 0, &where);
	free(text);
	if (!root)
		return error_set(err,
				 "%s:%d: %s; it is no statistics file of qlc_writer, or was cut",
				 path, where.line, where.text);
	qlc = json_object_get(root, "qlc");
	bytes = json_integer_value(json_object_get(qlc, "cache_bytes"));
	busy_share = number_in(root, "busy_share");
	wait_share = number_in(root, "cpu_wait_share");
	probe->cache_bytes = bytes > 0 ? (uint64_t)bytes : 0;
	probe->fast = number_in(qlc, "fast_mbps") * 1e6;
	probe->slow = number_in(qlc, "slow_mbps") * 1e6;
	probe->is_spoilt = qlc && cpu_was_limit(busy_share, wait_share);
	json_decref(root);
	return judge_probe(path, probe, busy_share, wait_share, err);
}
