/* SPDX-License-Identifier: GPL-2.0-only */
/* The statistics file without its intervals. */
#include <string.h>

#include "base/utf8.h"
#include "engines/core/engine_stats_internal.h"

json_t *stats_summary(const struct histogram *h)
{
	return json_pack(
		"{s:I, s:f, s:I, s:I, s:I, s:I}", "count", (json_int_t)h->count, "mean_ns",
		histogram_mean_ns(h), "p50_ns", (json_int_t)histogram_percentile_ns(h, 0.5),
		"p99_ns", (json_int_t)histogram_percentile_ns(h, 0.99), "p99_9_ns",
		(json_int_t)histogram_percentile_ns(h, 0.999), "max_ns", (json_int_t)h->max_ns);
}

/* Shares of their own count, as exact as a bucket is narrow. */
static json_t *lateness(const struct histogram *h)
{
	json_t *object = stats_summary(h);

	json_object_set_new(object, "over_100us_share",
			    json_real(histogram_share_above(h, 100 * NS_PER_USEC)));
	json_object_set_new(object, "over_1ms_share",
			    json_real(histogram_share_above(h, NS_PER_MSEC)));
	return object;
}

static json_t *describe_run(const struct engine_stats *stats,
			    const struct stats_description *description)
{
	const struct stats_run *run = &stats->run;

	return json_pack("{s:i, s:s, s:s, s:b, s:o, s:i, s:i, s:s?, s:I, s:i, s:o}", "version", 1,
			 "engine", run->engine, "drive", description->drive, "simulated",
			 description->simulated, "job", utf8_json(run->job), "clone", run->clone,
			 "clones", run->clones, "arrival", run->arrival, "seed",
			 (json_int_t)run->seed, "in_flight_limit", run->in_flight_limit,
			 "nominal_iops",
			 run->nominal_iops > 0 ? json_real(run->nominal_iops) : json_null());
}

static json_t *sim_details(const struct engine_stats *stats,
			   const struct stats_description *description)
{
	if (!description->details)
		return json_null();
	json_object_set_new(description->details, "true_latency",
			    stats_summary(&stats->true_latency));
	json_object_set_new(description->details, "true_response",
			    stats_summary(&stats->true_response));
	json_object_set_new(description->details, "reap_delay", stats_summary(&stats->reap_delay));
	return description->details;
}

static double per_second(uint64_t count, double seconds)
{
	return seconds > 0 ? (double)count / seconds : 0.0;
}

static double busy_share(const struct engine_stats *stats, double window_s)
{
	double idle_s = (double)stats->idle_ns / 1e9;

	return window_s > idle_s ? 1.0 - idle_s / window_s : 0.0;
}

static double cpu_wait_share(const struct engine_stats *stats)
{
	uint64_t waited_ns = stats->cpu_wait_end.wait_ns - stats->cpu_wait_start.wait_ns;
	uint64_t lasted_ns = stats->cpu_wait_end.at_ns - stats->cpu_wait_start.at_ns;

	return lasted_ns ? (double)waited_ns / (double)lasted_ns : 0.0;
}

static json_t *direction_summary(const struct stats_sum *sum)
{
	struct histogram h = {.count = sum->count,
			      .max_ns = sum->max_ns,
			      .sum_ns = sum->sum_ns,
			      .sum_squares_ns2 = sum->sum_squares_ns2};

	return json_pack("{s:I, s:I, s:f, s:f, s:I}", "count", (json_int_t)h.count, "bytes",
			 (json_int_t)sum->bytes, "mean_ns", histogram_mean_ns(&h), "m2_ns2",
			 histogram_m2_ns2(&h), "max_ns", (json_int_t)h.max_ns);
}

void stats_cpu_shares(struct engine_stats *stats, uint64_t window_end_ns, double *busy,
		      double *waited)
{
	if (!stats->cpu_wait_end.at_ns)
		stats_note_window_end(stats);
	*busy = busy_share(stats, (double)(window_end_ns - stats->window_start_ns) / 1e9);
	*waited = cpu_wait_share(stats);
}

/* Everything but the intervals. Offered counts what fell due; unpaced, that is what was sent. */
json_t *stats_summarise(struct engine_stats *stats, uint64_t window_end_ns, uint64_t unsent,
			uint64_t oldest_due_ns, const struct stats_description *description)
{
	double window_s = (double)(window_end_ns - stats->window_start_ns) / 1e9;
	uint64_t achieved = stats->response.count - stats->completed_after;
	uint64_t offered = stats->run.arrival ? stats->due_and_sent + unsent : achieved;
	json_t *root = describe_run(stats, description);

	json_object_update_new(
		root,
		json_pack("{s:f, s:I, s:f, s:I, s:f, s:{s:I, s:I}, s:i, s:o, s:o, s:o, s:o, "
			  "s:f, s:f, s:o, s:o, s:o, s:I}",
			  "window_s", window_s, "offered", (json_int_t)offered, "offered_iops",
			  per_second(offered, window_s), "achieved", (json_int_t)achieved,
			  "achieved_iops", per_second(achieved, window_s), "unsent", "count",
			  (json_int_t)unsent, "oldest_age_ns",
			  (json_int_t)(unsent ? window_end_ns - oldest_due_ns : 0), "max_in_flight",
			  stats->max_in_flight, "lateness_free_slot",
			  lateness(&stats->late_free_slot), "lateness_at_limit",
			  lateness(&stats->late_at_limit), "response",
			  stats_summary(&stats->response), "drive_latency",
			  stats_summary(&stats->drive_latency), "busy_share",
			  busy_share(stats, window_s), "cpu_wait_share", cpu_wait_share(stats),
			  "sim", sim_details(stats, description), "replay",
			  description->load ? description->load : json_null(), "verdict",
			  description->verdict ? description->verdict : json_null(), "interval_ns",
			  (json_int_t)stats->run.interval_ns));
	json_object_set_new(root, "read", direction_summary(&stats->closed[STATS_READ]));
	json_object_set_new(root, "write", direction_summary(&stats->closed[STATS_WRITE]));
	if (description->qlc)
		json_object_set_new(root, "qlc", description->qlc);
	if (description->mix)
		json_object_set_new(root, "mix", description->mix);
	if (description->nvme)
		json_object_set_new(root, "nvme", description->nvme);
	return root;
}
