/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows that are run once: their job files as they will be run, and what they come to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "engines/qlc/qlc.h"
#include "review/profile_internal.h"
#include "review/review.h"

#define JOB_WORDS 64 /* of a job file, for "did you mean" */

/* ---- the job file --------------------------------------------------------------------------- */

/* It changes an option of the job file, not one that nothing there asks for. */
static int check_option(const struct job_file *job, const char *key, struct error *err)
{
	const char *words[JOB_WORDS];
	size_t i, count = 0;

	for (i = 0; i < job->count && count < JOB_WORDS; i++) {
		if (!strcmp(job->lines[i].key, key))
			return 0;
		words[count++] = job->lines[i].key;
	}
	return error_unknown(err, "option of its job file", key, words, count);
}

/* "idle=1s:30s rest=5" */
static int set_quick(struct job_file *job, const char *options, struct error *err)
{
	char copy[sizeof(((struct profile_row *)0)->quick)], *word, *rest;

	snprintf(copy, sizeof(copy), "%s", options);
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		char *equals = strchr(word, '=');

		if (!equals)
			return error_set(err, "\"%s\" is not KEY=VALUE", word);
		*equals = '\0';
		if (!equals[1])
			return error_set(err, "%s has no value", word);
		if (check_option(job, word, err) || job_file_set(job, word, equals + 1, err))
			return -1;
	}
	return 0;
}

/* Times of the drive's own doings shrink with it. */
static int scale_times(struct job_file *job, unsigned scale, struct error *err)
{
	static const char *const keys[] = {"idle", "rest", "sustain_time"};
	size_t i;

	for (i = 0; i < COUNT(keys) && scale > 1; i++) {
		const char *value = job_file_get(job, job_file_section(job), keys[i]);
		double times_s[QLC_LIST];
		char text[QLC_LIST * 24] = "";
		unsigned count, at;
		size_t used = 0;

		if (!value)
			continue;
		if (qlc_parse_times(value, times_s, &count, err))
			return -1;
		for (at = 0; at < count; at++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.0fus",
						 at ? ":" : "", times_s[at] / scale * 1e6);
		if (job_file_set(job, keys[i], text, err))
			return -1;
	}
	return 0;
}

int once_job_read(const struct plan *plan, const struct profile_row *row, struct job_file *job,
		  struct error *err)
{
	if (job_file_read(row->jobfile, job, err))
		return -1;
	if ((!plan->options->quick || !set_quick(job, row->quick, err)) &&
	    !scale_times(job, plan->target->scale, err))
		return 0;
	job_file_free(job);
	return error_prefix(err, "%s", row->jobfile);
}

/* ---- what it comes to ----------------------------------------------------------------------- */

static const char *value_of(const struct job_file *job, const char *key, const char *fallback)
{
	const char *value = job_file_get(job, job_file_section(job), key);

	return value ? value : fallback;
}

static int take_mode(const struct job_file *job, struct qlc_options *options, struct error *err)
{
	const char *mode = value_of(job, "mode", "probe"), *words[QLC_MODES];
	unsigned i;

	for (i = 0; i < QLC_MODES; i++) {
		words[i] = qlc_mode_name((enum qlc_mode)i);
		if (!strcmp(words[i], mode))
			break;
	}
	options->mode = (enum qlc_mode)i;
	return i < QLC_MODES ? 0 : error_unknown(err, "mode", mode, words, QLC_MODES);
}

static int take_burst(const struct job_file *job, struct qlc_options *options, struct error *err)
{
	const char *burst = value_of(job, "burst", "10%");

	if (!strchr(burst, '%'))
		return size_parse(burst, &options->burst_bytes, err);
	options->burst_cache_share = strtod(burst, NULL) / 100;
	return 0;
}

/* One time, where a list may stand too. */
static int take_time(const struct job_file *job, const char *key, const char *fallback,
		     double *time_s, struct error *err)
{
	double times_s[QLC_LIST] = {0};
	unsigned count;

	if (qlc_parse_times(value_of(job, key, fallback), times_s, &count, err))
		return error_prefix(err, "%s", key);
	*time_s = times_s[0];
	return 0;
}

static int take_size(const struct job_file *job, const char *key, uint64_t *bytes,
		     struct error *err)
{
	const char *value = value_of(job, key, "0");

	return strcmp(value, "0") ? size_parse(value, bytes, err) : 0;
}

/* The options of qlc_writer that an estimate asks for; the engine checks them all. */
static int read_options(const struct job_file *job, struct qlc_options *options, struct error *err)
{
	options->repeats = (unsigned)strtoul(value_of(job, "repeats", "3"), NULL, 10);
	options->bursts = (unsigned)strtoul(value_of(job, "bursts", "10"), NULL, 10);
	if (take_mode(job, options, err) || take_burst(job, options, err) ||
	    take_time(job, "rest", "60", &options->rest_s, err) ||
	    take_time(job, "sustain_time", "0", &options->sustain_s, err) ||
	    take_size(job, "sustain", &options->sustain_bytes, err) ||
	    take_size(job, "settle", &options->settle_bytes, err))
		return -1;
	return qlc_parse_times(value_of(job, "idle", NULL), options->idle_s, &options->idle_count,
			       err) ||
	       qlc_parse_levels(value_of(job, "levels", NULL), options->level_percent,
				&options->level_count, err);
}

/* Of other engines it is only known that they go through the region. */
static void estimate_other(const struct plan *plan, struct plan_row *row)
{
	row->once_s = (double)plan->region_bytes / ASSUMED_BYTES_PER_S;
	row->once_bytes = row->writes ? (double)plan->region_bytes : 0;
}

static bool is_qlc_writer(const struct job_file *job)
{
	return strstr(value_of(job, "ioengine", ""), "qlc_writer") != NULL;
}

static int estimate_job(const struct plan *plan, const struct job_file *job, struct plan_row *row,
			struct error *err)
{
	struct qlc_options options = {.region_bytes = plan->region_bytes,
				      .cache_bytes = plan->cache.bytes,
				      .fast = plan->cache.fast,
				      .slow = plan->cache.slow};
	struct qlc_amount amount;

	if (!is_qlc_writer(job)) {
		estimate_other(plan, row);
		return 0;
	}
	if (read_options(job, &options, err))
		return error_prefix(err, "%s", row->row->jobfile);
	amount = qlc_estimate(&options);
	row->once_s = amount.seconds;
	row->once_bytes = amount.bytes;
	return 0;
}

int once_estimate(const struct plan *plan, struct plan_row *row, struct error *err)
{
	struct job_file job;
	int failed;

	if (once_job_read(plan, row->row, &job, err))
		return -1;
	failed = estimate_job(plan, &job, row, err);
	job_file_free(&job);
	return failed;
}

int once_check_quick(const struct profile_row *row, struct error *err)
{
	struct qlc_options options = {0};
	struct job_file job;
	int failed;

	if (job_file_read(row->jobfile, &job, err))
		return -1;
	failed = set_quick(&job, row->quick, err) ||
		 (is_qlc_writer(&job) && read_options(&job, &options, err));
	job_file_free(&job);
	return failed ? error_prefix(err, "%s", row->jobfile) : 0;
}
